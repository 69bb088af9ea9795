// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The search for the nearest points of two clouds, and the pair found so far.

#include "query/cloud/center_item.h"
#include "tree/cloud/cloud_impl.h"

typedef struct wkCenterSearch {
    const wkCloud* a; // not more points than B
    const wkCloud* b;
    wkFrame bInA;
    const wkParallel* parallel; // of the exhaustive search; NULL: the calling thread
    wkCenterPair pair;          // the nearest one so far; of the cutoff at first
} wkCenterSearch;

// The position of a point of B in the frame of A. All methods use it, so that they see the same distances.
WK_FN wkVec3d wkCenterOfB(const wkCenterSearch* search, int32_t rank)
{
    return wkFramePoint(&search->bInA, wkCloudPosition(search->b, rank));
}

// Keeps the nearer pair, of two at the same distance the one with the lower ranks.
WK_FN void wkTakeCenters(wkCenterSearch* search, int32_t rankA, int32_t rankB, double square)
{
    wkCenterPair* best = &search->pair;
    bool isFirst =
        best->rankA < 0 || rankA < best->rankA || (rankA == best->rankA && rankB < best->rankB);
    if (square < best->square || (square == best->square && isFirst)) {
        *best = (wkCenterPair){square, rankA, rankB};
    }
}

// Whether two points are at one position: nothing is nearer.
WK_FN bool wkAreCentersEqual(const wkCenterSearch* search)
{
    return search->pair.rankA >= 0 && search->pair.square == 0.0;
}

// Compares all pairs.
void wkSearchCentersExhaustively(wkCenterSearch* search);

// Takes the pair at distance 0 that the exhaustive search begins with, if there is one, in place of the pair at distance 0
// that a device found among all.
void wkTakeFirstEqualCenters(wkCenterSearch* search);

// Walks over both hierarchies.
void wkSearchCentersByHierarchy(wkCenterSearch* search);
