// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Moves the centers of balls until they stick out less. What a ball about a center sticks out by when it
// has a sample is the sample's distance from the center plus the center's signed distance from the
// body. Each sample belongs to the ball for which that is least, and the largest of all is what counts.

#include "fit/points.h"
#include "fit/skin.h"

typedef struct wkPolish {
    const wkSkin* skin;
    const wkFitPoints* samples;
    wkVec3d* centers;
    double* distances; // of the centers, signed
    double* worst;     // for each ball: the largest cost of its samples
    int32_t* firsts;   // for each ball: where its samples start in `own`; one more at the end
    int32_t count, capacity;
    wkVec3d* kept; // the best centers so far, and their distances
    double* keptDistances;
    int32_t* owners;            // for each sample
    double *ownX, *ownY, *ownZ; // samples, those of one ball side by side
    double* ownLength;
    void* memory;
    size_t byteCount;
} wkPolish;

// Room for `capacity` balls, and as many samples as there may be.
bool wkPolish_Create(const wkSkin* skin, const wkFitPoints* samples, int32_t capacity,
                     wkPolish* polish);
void wkPolish_Destroy(wkPolish* polish);

// Sets one of the centers.
void wkPolish_SetCenter(wkPolish* polish, int32_t index, wkVec3d center, double distance);

// Gives each sample to a ball. Returns how far balls stick out at most.
double wkPolish_Assign(wkPolish* polish);

// Moves centers for some rounds, and leaves the best ones. Returns how far balls stick out at most.
double wkPolish_Run(wkPolish* polish, int rounds);

// Leaves balls without samples out, and adds others where one sticks out most until there are `count`. The
// samples must have been assigned. False: nothing was to be done.
bool wkPolish_Fill(wkPolish* polish, int32_t count);

// Radius of a ball that has all of its samples.
double wkPolish_Radius(const wkPolish* polish, int32_t index);
