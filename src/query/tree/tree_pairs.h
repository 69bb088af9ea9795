// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A search over the pairs of items of two hierarchies: what does not depend on the items. It walks both
// hierarchies at once, from a front where the caller has one.

#include "query/tree/distance_walk.h"
#include "query/tree/tree_query.h"

typedef struct wkItemSearch wkItemSearch;

// Searches put this first in a struct of their own.
struct wkItemSearch {
    wkTreesWalk walk;
    const wkBodyQuestion* question;
    wkBodyAnswer* answer;
    double radiusA; // of the spheres around all items of A, and of B
    double radiusB;
    bool isVerdict; // the limit of the walk stays: a verdict, or contacts

    // evaluates two items
    wkStep (*visit)(wkItemSearch* search, int32_t itemA, int32_t itemB);

    // evaluates pairs that the leaves have queued; NULL: there are none
    void (*finish)(wkItemSearch* search);
};

// Begins a search. The caller sets the functions and the leaf of the walk, then runs it.
void wkBeginItemSearch(const wkBodyQuestion* question, wkBodyAnswer* answer, wkItemSearch* search);
void wkRunItemSearch(wkItemSearch* search);

// Largest distance of two items without the spheres that still matters. Bounds give no depths, and margins
// that cancel the radii leave the rounding of both.
WK_FN double wkPairReach(const wkItemSearch* search)
{
    double rounding = WK_ROUNDING * (fabs(search->radiusA) + fabs(search->radiusB));
    return wkPositive(wkReachOf(search->question, search->answer) +
                      (search->radiusA + search->radiusB) + rounding);
}

// Lowers the limit of the walk to the results so far.
WK_FN void wkLowerLimit(wkItemSearch* search)
{
    search->walk.pairs.limit = wkWalkLimit(wkPairReach(search), search->walk.slack);
}
