// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Bodies of a body set eight at a time: placing their boxes, and finding those that are near each other.

#include "base/cpu.h"
#include "robot/body_set.h"

// Bodies that are placed at a time.
#define WK_BODY_CHUNK 64

// Where the rigid groups or links of bodies are, one for each body: unit quaternions, and positions
// relative to the origin of the body set.
typedef struct wkRigidGroupLanes {
    _Alignas(32) float rotation[4][WK_BODY_CHUNK];
    _Alignas(32) float position[3][WK_BODY_CHUNK];
    _Alignas(32) float slack[WK_BODY_CHUNK]; // what rounding far from the origin may do
} wkRigidGroupLanes;

// A pair of bodies, and how far their boxes are apart at least; negative when they overlap.
typedef struct wkBodyPair {
    float gap;
    int32_t a;
    int32_t b;
} wkBodyPair;

// Which pairs a search has still to look at: all from this one on.
typedef struct wkBodyPairCursor {
    int32_t a;
    int32_t b;
} wkBodyPairCursor;

// At most this many pairs come from one look.
#define WK_BODY_PAIRS_PER_STEP 8

// Searches go on until all pairs were looked at, or there is no room for those of another look.
typedef struct wkBodyKernels {
    // Boxes of `groupCount` groups of eight bodies, the first of which is number `firstGroup`.
    void (*place)(const wkBodyLanes* groups, const wkRigidGroupLanes* rigidGroups,
                  int32_t firstGroup, int32_t groupCount, wkBodyBoxes* placed);

    // Pairs that are no further apart on any axis than `margin` and their reaches (may be NULL).
    // @return number of pairs
    int32_t (*findMeeting)(const wkBodySet* bodySet, const wkBodyBoxes* placed, double margin,
                           const float* reach, wkBodyPairCursor* cursor, wkBodyPair* pairs,
                           int32_t capacity);

    // Pairs whose gap is not above `limit`; see wkFloatBoxGap.
    int32_t (*findNear)(const wkBodySet* bodySet, const wkBodyBoxes* placed, float limit,
                        wkBodyPairCursor* cursor, wkBodyPair* pairs, int32_t capacity);
} wkBodyKernels;

// NULL when the instruction set is not present.
const wkBodyKernels* wkBodyKernelsOf(wkIsa isa);

// Those of this machine.
const wkBodyKernels* wkBodyKernelsOfMachine(void);

// The functions of body_set.h with given lanes.
void wkPlaceBodySetWith(const wkBodyKernels* lanes, const wkBodySet* bodySet, wkRobotState* state);
bool wkVisitBodyPairsWith(const wkBodyKernels* lanes, const wkBodySet* bodySet,
                          const wkBodyBoxes* placed, double margin, const float* reach,
                          wkBodyPairFcn* fcn, void* context);
bool wkVisitNearBodyPairsWith(const wkBodyKernels* lanes, const wkBodySet* bodySet,
                              const wkBodyBoxes* placed, const double* limit, wkBodyPairFcn* fcn,
                              void* context);
