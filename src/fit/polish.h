// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Moves the centers of balls until they stick out less. Each sample belongs to the ball for which it costs
// least, see center.h, and the largest cost of all is what counts.

#include "fit/center.h"

typedef struct wkPolish {
    const wkSkin* skin;
    const wkFitPoints* samples;
    wkVec3d* centers;
    double* offsets; // of the centers
    double* worst;   // for each ball: the largest cost of its samples
    int32_t* firsts; // for each ball: where its samples start in `own`
    int32_t* counts; // and how many there are
    int32_t count, capacity;
    wkVec3d* kept; // the best centers so far, and their offsets
    double* keptOffsets;
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
void wkPolish_SetCenter(wkPolish* polish, int32_t index, wkVec3d center, double offset);

// Gives each sample to a ball. Returns how far balls stick out at most.
double wkPolish_Assign(wkPolish* polish);

// Moves centers for some rounds, and leaves the best ones. Returns how far balls stick out at most.
double wkPolish_Run(wkPolish* polish, int rounds);

// Remembers the centers, and goes back to them.
void wkPolish_Keep(wkPolish* polish);
void wkPolish_Restore(wkPolish* polish);

// Leaves balls without samples out, and adds others where one sticks out most until there are `count`. The
// samples must have been assigned. False: nothing was to be done.
bool wkPolish_Fill(wkPolish* polish, int32_t count);

// Radius of a ball that has all of its samples, slack included.
double wkPolish_Radius(const wkPolish* polish, int32_t index);
