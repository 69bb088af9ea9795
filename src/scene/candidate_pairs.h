// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Pairs of bodies and a map that wait until there are enough of them to be looked at together.

#include "query/map/map_candidates.h"
#include "scene/query_source.h"

typedef struct wkCandidatePairs {
    wkMapCandidates near; // all zero at first
    int count;
    int32_t slotsA[WK_CANDIDATE_BODIES];
    int32_t slotsB[WK_CANDIDATE_BODIES];
    wkCandidateBody bodies[WK_CANDIDATE_BODIES];
} wkCandidatePairs;

// The map of a pair that may wait; NULL: there is none, or nothing but the pair itself will tell.
const wkShape* wkMapOfPair(const wkQuerySource* source, int32_t slotA, int32_t slotB);

// Adds a pair with that map. Those that wait are of the same map, and there is room.
void wkCandidatePairs_Add(wkCandidatePairs* pairs, const wkShape* map, const wkQuerySource* source,
                          int32_t slotA, int32_t slotB);

// A bit for each pair that may be within reach. The others are out, and none is left to wait.
unsigned wkCandidatePairs_Take(wkCandidatePairs* pairs, double reach);
