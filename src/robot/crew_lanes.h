// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Members of a crew eight at a time: placing their boxes, and finding those that are near each other.

#include "base/cpu.h"
#include "robot/crew.h"

// Members that are placed at a time.
#define WK_CREW_CHUNK 64

// Where the movers or links of members are, one for each member: unit quaternions, and positions
// relative to the origin of the crew.
typedef struct wkMoverLanes {
    _Alignas(32) float rotation[4][WK_CREW_CHUNK];
    _Alignas(32) float position[3][WK_CREW_CHUNK];
    _Alignas(32) float slack[WK_CREW_CHUNK]; // what rounding far from the origin may do
} wkMoverLanes;

// A pair of members, and how far their boxes are apart at least; negative when they overlap.
typedef struct wkCrewPair {
    float gap;
    int32_t a;
    int32_t b;
} wkCrewPair;

// Which pairs a search has still to look at: all from this one on.
typedef struct wkCrewCursor {
    int32_t a;
    int32_t b;
} wkCrewCursor;

// At most this many pairs come from one look.
#define WK_CREW_LOOK 8

// Searches go on until all pairs were looked at, or there is no room for those of another look.
typedef struct wkCrewLanes {
    // Boxes of `groupCount` groups of eight members, the first of which is number `firstGroup`.
    void (*place)(const wkCrewGroup* groups, const wkMoverLanes* movers, int32_t firstGroup,
                  int32_t groupCount, wkPlaced* placed);

    // Pairs that are no further apart on any axis than `margin` and their reaches (may be NULL).
    // @return number of pairs
    int32_t (*findMeeting)(const wkCrew* crew, const wkPlaced* placed, double margin,
                           const float* reach, wkCrewCursor* cursor, wkCrewPair* pairs,
                           int32_t capacity);

    // Pairs whose gap is not above `limit`; see wkFloatBoxGap.
    int32_t (*findNear)(const wkCrew* crew, const wkPlaced* placed, float limit,
                        wkCrewCursor* cursor, wkCrewPair* pairs, int32_t capacity);
} wkCrewLanes;

// NULL when the instruction set is not present.
const wkCrewLanes* wkCrewLanesOf(wkIsa isa);

// Those of this machine.
const wkCrewLanes* wkCrewLanesOfMachine(void);

// The functions of crew.h with given lanes.
void wkPlaceCrewWith(const wkCrewLanes* lanes, const wkCrew* crew, wkRobotState* state);
bool wkVisitCrewPairsWith(const wkCrewLanes* lanes, const wkCrew* crew, const wkPlaced* placed,
                          double margin, const float* reach, wkCrewPairFcn* fcn, void* context);
bool wkVisitNearCrewPairsWith(const wkCrewLanes* lanes, const wkCrew* crew, const wkPlaced* placed,
                              const double* limit, wkCrewPairFcn* fcn, void* context);
