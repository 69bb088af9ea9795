// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Moves the centers of spheres to reduce the protrusion. Each sample belongs to the sphere for which it costs
// least (see center.h); the objective is the largest cost of all samples.

#include "fit/center.h"

typedef struct wkCenterRefiner {
    const wkFitSurface* surface;
    const wkFitPoints* samples;
    wkVec3d* centers;
    double* offsets; // of the centers
    double* worst;   // per sphere: the largest cost of its samples
    int32_t* firsts; // per sphere: index of its first sample in `own`
    int32_t* counts; // and the number of its samples
    int32_t count, capacity;
    wkVec3d* kept; // the best centers so far, and their offsets
    double* keptOffsets;
    int32_t* owners;            // per sample: index of its sphere
    double* costs;              // and what the sample costs there
    double *ownX, *ownY, *ownZ; // samples, grouped by sphere
    void* memory;
    size_t byteCount;
} wkCenterRefiner;

// Allocates for `capacity` spheres and for the capacity of `samples`.
bool wkCenterRefiner_Create(const wkFitSurface* surface, const wkFitPoints* samples,
                            int32_t capacity, wkCenterRefiner* refiner);
void wkCenterRefiner_Destroy(wkCenterRefiner* refiner);

// Sets the center of a sphere.
void wkCenterRefiner_SetCenter(wkCenterRefiner* refiner, int32_t index, wkVec3d center,
                               double offset);

// Assigns each sample to a sphere. Returns the largest protrusion.
double wkCenterRefiner_Assign(wkCenterRefiner* refiner);

// Moves centers for `rounds` rounds and keeps the best ones. Returns the largest protrusion.
double wkCenterRefiner_Run(wkCenterRefiner* refiner, int rounds);

// Stores the centers, and restores them.
void wkCenterRefiner_Keep(wkCenterRefiner* refiner);
void wkCenterRefiner_Restore(wkCenterRefiner* refiner);

// Removes spheres without samples, and adds spheres where one protrudes most until there are `count`. Samples
// must have been assigned. Returns false if nothing changed.
bool wkCenterRefiner_Fill(wkCenterRefiner* refiner, int32_t count);

// Returns the radius of a sphere that contains all of its samples, slack included.
double wkRefiner_Radius(const wkCenterRefiner* refiner, int32_t index);
