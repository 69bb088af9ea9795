// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Looks for spheres that all stick out less than a given length. A sphere needs to have only the samples that
// no other has: the rest leaves it free to move to where some are missing. Samples that are hard to
// have weigh more with each step, so that the search goes on where it was stuck (Gao et al. 2015).
// It goes on as well when spheres are added or left out, and when there are more samples than before.

#include "fit/refine_centers.h"

typedef struct wkLocalSearch {
    wkCenterRefiner* refiner;
    const wkFitPoints* sites;
    double target;
    uint64_t*
        rows; // for each sphere: a bit for each sample that it has; and one that is being made
    int32_t wordCount;
    int32_t capacity; // spheres at most
    int32_t* covers;  // for each sample: how many spheres have it
    int32_t* sums;    // and the sum of their numbers: the number of the only one
    int32_t* weights; // of samples
    int32_t* open;    // samples that no sphere has
    int32_t openCount;
    double *setX, *setY, *setZ; // samples that one sphere is to have
    int32_t* setSamples;
    int32_t setCount;
    int64_t* losses;    // for each sphere: weight of the samples that only it has
    int32_t knownCount; // samples that have a weight already
    int32_t resting;    // the sphere that changed last; -1: none
    void* memory;
    size_t byteCount;
} wkLocalSearch;

// @param capacity spheres at most while it runs
bool wkLocalSearch_Create(wkCenterRefiner* refiner, const wkFitPoints* sites, int32_t capacity,
                          wkLocalSearch* localSearch);
void wkLocalSearch_Destroy(wkLocalSearch* localSearch);

// Moves spheres until none sticks out by more than `target`. False: not found within so many steps.
bool wkLocalSearch_Run(wkLocalSearch* localSearch, double target, int steps);

// The same in parts. All samples weigh alike again.
void wkLocalSearch_Forget(wkLocalSearch* localSearch);

// Looks at all spheres anew, after one of them or the samples have changed. Samples keep their weights.
void wkLocalSearch_Recount(wkLocalSearch* localSearch, double target);

// Moves spheres until all samples are had, for so many steps at most.
bool wkLocalSearch_Search(wkLocalSearch* localSearch, int steps);

// Adds a sphere that has most of what is missing. False: there is no place for the heaviest sample, or no
// room for a sphere.
bool wkLocalSearch_AddSphere(wkLocalSearch* localSearch);

// Leaves out the sphere whose samples the others miss least.
void wkLocalSearch_DropSphere(wkLocalSearch* localSearch);
