// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// SIMD kernels over eight bodies of a body set: they compute bounding boxes and find pairs that are near.

#include "base/cpu.h"
#include "robot/body_set.h"

// Bodies whose boxes are computed at a time.
#define WK_BODY_CHUNK 64

// Poses of the rigid groups or links of bodies, one for each body: unit quaternions, and positions
// relative to the origin of the body set.
typedef struct wkRigidGroupLanes {
    _Alignas(32) float rotation[4][WK_BODY_CHUNK];
    _Alignas(32) float position[3][WK_BODY_CHUNK];
    _Alignas(32) float slack[WK_BODY_CHUNK]; // bound on the rounding far from the origin
} wkRigidGroupLanes;

// A pair of bodies and a lower bound on the gap between their boxes; negative when they overlap.
typedef struct wkBodyPair {
    float gap;
    int32_t a;
    int32_t b;
} wkBodyPair;

// Where a search continues: at this pair.
typedef struct wkBodyPairCursor {
    int32_t a;
    int32_t b;
} wkBodyPairCursor;

// Maximum number of pairs from one step of the kernel.
#define WK_BODY_PAIRS_PER_STEP 8

// Searches stop when all pairs were checked, or when the pairs of another step would exceed the capacity.
typedef struct wkBodyKernels {
    // Computes the boxes of `groupCount` groups of eight bodies, the first of which is number `firstGroup`.
    void (*placeBodies)(const wkBodyLanes* groups, const wkRigidGroupLanes* rigidGroups,
                        int32_t firstGroup, int32_t groupCount, wkBodyBoxes* placed);

    // Finds pairs whose gap on every axis is at most `margin` plus their reaches (may be NULL).
    // @return number of pairs
    int32_t (*findMeeting)(const wkBodySet* bodySet, const wkBodyBoxes* placed, double margin,
                           const float* reach, wkBodyPairCursor* cursor, wkBodyPair* pairs,
                           int32_t capacity);

    // Finds pairs whose gap is at most `limit`; see wkFloatBoxGap.
    int32_t (*findNear)(const wkBodySet* bodySet, const wkBodyBoxes* placed, float limit,
                        wkBodyPairCursor* cursor, wkBodyPair* pairs, int32_t capacity);
} wkBodyKernels;

// Returns NULL when the instruction set is not present.
const wkBodyKernels* wkBodyKernelsOf(wkIsa isa);

// Returns the kernels for the processor.
const wkBodyKernels* wkBodyKernelsOfMachine(void);

// The functions of body_set.h with given kernels.
void wkPlaceBodySetWith(const wkBodyKernels* lanes, const wkBodySet* bodySet, wkRobotState* state);
bool wkVisitBodyPairsWith(const wkBodyKernels* lanes, const wkBodySet* bodySet,
                          const wkBodyBoxes* placed, double margin, const float* reach,
                          wkBodyPairFcn* fcn, void* context);
bool wkVisitNearBodyPairsWith(const wkBodyKernels* lanes, const wkBodySet* bodySet,
                              const wkBodyBoxes* placed, const double* limit, wkBodyPairFcn* fcn,
                              void* context);
