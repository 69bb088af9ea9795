// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Local search for spheres that all protrude by less than a given length. A sphere must contain only the
// samples that no other sphere contains, so it is free to move towards uncovered samples. The weight of an
// uncovered sample grows with each step, which leads the search out of local minima (Gao et al. 2015).
// The search can continue after spheres are added or removed and after samples are added.

#include "fit/refine_centers.h"

typedef struct wkLocalSearch {
    wkCenterRefiner* refiner;
    const wkFitPoints* sites;
    double target;
    uint64_t*
        rows; // per sphere: one bit for each sample that it contains; and a row for the new sphere
    int32_t wordCount;
    int32_t capacity; // maximum number of spheres
    int32_t* covers;  // per sample: the number of spheres that contain it
    int32_t* sums;    // and the sum of their indices: the index, when there is only one
    int32_t* weights; // per sample
    int32_t* open;    // uncovered samples
    int32_t openCount;
    double *setX, *setY, *setZ; // samples that the new sphere must contain
    int32_t* setSamples;
    int32_t setCount;
    int64_t* losses;    // per sphere: weight of the samples that it alone contains
    int32_t knownCount; // number of samples that have a weight
    int32_t resting;    // the sphere that changed last; -1: none
    void* memory;
    size_t byteCount;
} wkLocalSearch;

// @param capacity maximum number of spheres during the search
bool wkLocalSearch_Create(wkCenterRefiner* refiner, const wkFitPoints* sites, int32_t capacity,
                          wkLocalSearch* localSearch);
void wkLocalSearch_Destroy(wkLocalSearch* localSearch);

// Moves spheres until none protrudes by more than `target`. Returns false if that takes more than `steps`.
bool wkLocalSearch_Run(wkLocalSearch* localSearch, double target, int steps);

// The same in parts. Resets all weights to the same value.
void wkLocalSearch_Forget(wkLocalSearch* localSearch);

// Recomputes which spheres contain which samples, after either has changed. Weights are kept.
void wkLocalSearch_Recount(wkLocalSearch* localSearch, double target);

// Moves spheres until all samples are covered, at most `steps` times.
bool wkLocalSearch_Search(wkLocalSearch* localSearch, int steps);

// Adds the sphere that contains the largest weight of uncovered samples. Returns false if no sphere can
// contain the heaviest sample, or if the capacity is used up.
bool wkLocalSearch_AddSphere(wkLocalSearch* localSearch);

// Removes the sphere whose loss leaves the smallest weight of samples uncovered.
void wkLocalSearch_DropSphere(wkLocalSearch* localSearch);
