// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The choice of tests for pairs of parts, under wk_exactnessRefined: see self_choice.c.

#include "batch/batch_kernel.h"

typedef enum wkSelfTest {
    wk_testSpheres,
    wk_testMap,
    wk_testPieces,
    wk_testBodies,
} wkSelfTest;

// A pair of parts, and the test that it has so far.
typedef struct wkSelfCandidate {
    int32_t pair;
    wkSelfTest test;
    double weight;      // lost configurations that it is responsible for
    int32_t leastMarks; // samples that its most detailed pieces call touching
} wkSelfCandidate;

typedef struct wkSelfChoice {
    wkBatch* batch;
    wkBatchScratch* scratch;
    int32_t count; // of pairs
    int32_t sampleCount;
    int32_t freeCount;
    wkSelfCandidate* candidates;
    double* rows;           // free configurations
    uint8_t* marks;         // a row for each of them: the pairs whose test calls it touching
    wkMapBodies* bodyPairs; // of a map
    const wkCollisionBody** bodies[2];
} wkSelfChoice;

// Gives a pair a test, and marks the samples that this calls touching.
void wkSetSelfTest(wkSelfChoice* c, int32_t number, wkSelfTest test);

// Makes the map of the rigid groups of a candidate, where it pays, and gives it to all pairs of these groups.
// @return wk_errorMemory
wkResult wkMakeChosenMap(wkSelfChoice* c, int32_t first);

// Gives a candidate convex pieces where its parts have them and it had none, then more detailed ones, then tight
// ones, and else the bodies.
// @return wk_errorMemory
wkResult wkImproveByPieces(wkSelfChoice* c, int32_t number);

// Chooses a plane between the tight pieces of a candidate, whose looser pieces have marked samples.
void wkChoosePlane(const wkSelfChoice* c, int32_t number);

// Returns whether a candidate has pieces, and more detailed ones would lose less.
bool wkCanHaveDetail(const wkSelfChoice* c, int32_t number);

// Returns whether a candidate has pieces that are not tight.
bool wkCanBeTight(const wkSelfChoice* c, int32_t number);
