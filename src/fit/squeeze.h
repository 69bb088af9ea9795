// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Looks for balls that all stick out less than a given length. A ball needs to have only the samples that
// no other has: the rest leaves it free to move to where some are missing. Samples that are hard to
// have weigh more with each step, so that the search goes on where it was stuck (Gao et al. 2015).
// It goes on as well when balls are added or left out, and when there are more samples than before.

#include "fit/polish.h"

typedef struct wkSqueeze {
    wkPolish* polish;
    const wkFitPoints* sites;
    double target;
    uint64_t* rows; // for each ball: a bit for each sample that it has; and one that is being made
    int32_t wordCount;
    int32_t capacity; // balls at most
    int32_t* covers;  // for each sample: how many balls have it
    int32_t* sums;    // and the sum of their numbers: the number of the only one
    int32_t* weights; // of samples
    int32_t* open;    // samples that no ball has
    int32_t openCount;
    double *setX, *setY, *setZ; // samples that one ball is to have
    int32_t* setSamples;
    int32_t setCount;
    int64_t* losses;    // for each ball: weight of the samples that only it has
    int32_t knownCount; // samples that have a weight already
    int32_t resting;    // the ball that changed last; -1: none
    void* memory;
    size_t byteCount;
} wkSqueeze;

// @param capacity balls at most while it runs
bool wkSqueeze_Create(wkPolish* polish, const wkFitPoints* sites, int32_t capacity,
                      wkSqueeze* squeeze);
void wkSqueeze_Destroy(wkSqueeze* squeeze);

// Moves balls until none sticks out by more than `target`. False: not found within so many steps.
bool wkSqueeze_Run(wkSqueeze* squeeze, double target, int steps);

// The same in parts. All samples weigh alike again.
void wkSqueeze_Forget(wkSqueeze* squeeze);

// Looks at all balls anew, after one of them or the samples have changed. Samples keep their weights.
void wkSqueeze_Recount(wkSqueeze* squeeze, double target);

// Moves balls until all samples are had, for so many steps at most.
bool wkSqueeze_Search(wkSqueeze* squeeze, int steps);

// Adds a ball that has most of what is missing. False: there is no place for the heaviest sample, or no
// room for a ball.
bool wkSqueeze_AddBall(wkSqueeze* squeeze);

// Leaves out the ball whose samples the others miss least.
void wkSqueeze_DropBall(wkSqueeze* squeeze);
