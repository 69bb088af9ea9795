// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Pairs of bodies and a map that wait until there are enough of them to be looked at together.

#include "query/map_near.h"
#include "scene/asker.h"

typedef struct wkNearPairs {
    wkMapNear near; // all zero at first
    int count;
    int32_t placesA[WK_NEAR_BODIES];
    int32_t placesB[WK_NEAR_BODIES];
    wkNearBody bodies[WK_NEAR_BODIES];
} wkNearPairs;

// The map of a pair that may wait; NULL: there is none, or nothing but the pair itself will tell.
const wkShape* wkMapOfPair(const wkAsker* asker, int32_t placeA, int32_t placeB);

// Adds a pair with that map. Those that wait are of the same map, and there is room.
void wkNearPairs_Add(wkNearPairs* pairs, const wkShape* map, const wkAsker* asker, int32_t placeA,
                     int32_t placeB);

// A bit for each pair that may be within reach. The others are out, and none is left to wait.
unsigned wkNearPairs_Take(wkNearPairs* pairs, double reach);
