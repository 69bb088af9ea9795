// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Pairs of a body and a shape whose content culls it, queued until there are enough to cull together.

#include "scene/query_source.h"

typedef struct wkCandidatePairs {
    wkBodyCull cull; // zero-initialized
    int count;
    int32_t slotsA[WK_CANDIDATE_BODIES];
    int32_t slotsB[WK_CANDIDATE_BODIES];
    wkCandidateBody bodies[WK_CANDIDATE_BODIES];
} wkCandidatePairs;

// Queues a pair with that shape (wkCullingShapeOf). The queued pairs have the same one, and capacity is left.
void wkCandidatePairs_Add(wkCandidatePairs* pairs, const wkShape* culling,
                          const wkQuerySource* source, int32_t slotA, int32_t slotB);

// Returns a bit for each pair that may be within reach, the others are culled, and empties the queue.
unsigned wkCandidatePairs_Take(wkCandidatePairs* pairs, double reach);
