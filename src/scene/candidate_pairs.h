// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Pairs of a map and a body, queued until there are enough to cull together.

#include "query/map/map_candidates.h"
#include "scene/query_source.h"

typedef struct wkCandidatePairs {
    wkMapCandidates near; // zero-initialized
    int count;
    int32_t slotsA[WK_CANDIDATE_BODIES];
    int32_t slotsB[WK_CANDIDATE_BODIES];
    wkCandidateBody bodies[WK_CANDIDATE_BODIES];
} wkCandidatePairs;

// Returns the map of a pair that may be queued; NULL: no map, or only the exact query can decide the pair.
const wkShape* wkMapOfPair(const wkQuerySource* source, int32_t slotA, int32_t slotB);

// Queues a pair with that map. The queued pairs have the same map, and capacity is left.
void wkCandidatePairs_Add(wkCandidatePairs* pairs, const wkShape* map, const wkQuerySource* source,
                          int32_t slotA, int32_t slotB);

// Returns a bit for each pair that may be within reach, the others are culled, and empties the queue.
unsigned wkCandidatePairs_Take(wkCandidatePairs* pairs, double reach);
