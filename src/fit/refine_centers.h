// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Moves the centers of spheres until they stick out less. Each sample belongs to the sphere for which it costs
// least, see center.h, and the largest cost of all is what counts.

#include "fit/center.h"

typedef struct wkCenterRefiner {
    const wkFitSurface* surface;
    const wkFitPoints* samples;
    wkVec3d* centers;
    double* offsets; // of the centers
    double* worst;   // for each sphere: the largest cost of its samples
    int32_t* firsts; // for each sphere: where its samples start in `own`
    int32_t* counts; // and how many there are
    int32_t count, capacity;
    wkVec3d* kept; // the best centers so far, and their offsets
    double* keptOffsets;
    int32_t* owners;            // for each sample
    double *ownX, *ownY, *ownZ; // samples, those of one sphere side by side
    double* ownLength;
    void* memory;
    size_t byteCount;
} wkCenterRefiner;

// Room for `capacity` spheres, and as many samples as there may be.
bool wkCenterRefiner_Create(const wkFitSurface* surface, const wkFitPoints* samples,
                            int32_t capacity, wkCenterRefiner* refiner);
void wkCenterRefiner_Destroy(wkCenterRefiner* refiner);

// Sets one of the centers.
void wkCenterRefiner_SetCenter(wkCenterRefiner* refiner, int32_t index, wkVec3d center,
                               double offset);

// Gives each sample to a sphere. Returns how far spheres stick out at most.
double wkCenterRefiner_Assign(wkCenterRefiner* refiner);

// Moves centers for some rounds, and leaves the best ones. Returns how far spheres stick out at most.
double wkCenterRefiner_Run(wkCenterRefiner* refiner, int rounds);

// Remembers the centers, and goes back to them.
void wkCenterRefiner_Keep(wkCenterRefiner* refiner);
void wkCenterRefiner_Restore(wkCenterRefiner* refiner);

// Leaves spheres without samples out, and adds others where one sticks out most until there are `count`. The
// samples must have been assigned. False: nothing was to be done.
bool wkCenterRefiner_Fill(wkCenterRefiner* refiner, int32_t count);

// Radius of a sphere that has all of its samples, slack included.
double wkRefiner_Radius(const wkCenterRefiner* refiner, int32_t index);
