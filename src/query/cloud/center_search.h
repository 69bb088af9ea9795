// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The search for the nearest points of two clouds, and the pair found so far.

#include "math/frame.h"
#include "tree/cloud/cloud_impl.h"

typedef struct wkCenterSearch {
    const wkCloud* a; // not more points than B
    const wkCloud* b;
    wkFrame bInA;
    double square; // of the least distance so far; of the cutoff at first
    int32_t rankA; // -1: none within the cutoff so far
    int32_t rankB;
} wkCenterSearch;

// The position of a point of B in the frame of A. All methods use it, so that they see the same distances.
WK_FN wkVec3d wkCenterOfB(const wkCenterSearch* search, int32_t rank)
{
    return wkFramePoint(&search->bInA, wkCloudPosition(search->b, rank));
}

// The squared distance that decides.
WK_FN double wkCenterSquare(wkVec3d a, wkVec3d b)
{
    double x = b.x - a.x, y = b.y - a.y, z = b.z - a.z;
    return (x * x + y * y) + z * z;
}

// Keeps the nearer pair, of two at the same distance the one with the lower ranks.
WK_FN void wkTakeCenters(wkCenterSearch* search, int32_t rankA, int32_t rankB, double square)
{
    bool isFirst = search->rankA < 0 || rankA < search->rankA ||
                   (rankA == search->rankA && rankB < search->rankB);
    if (square < search->square || (square == search->square && isFirst)) {
        search->square = square;
        search->rankA = rankA;
        search->rankB = rankB;
    }
}

// Whether two points are at one position: nothing is nearer.
WK_FN bool wkAreCentersEqual(const wkCenterSearch* search)
{
    return search->rankA >= 0 && search->square == 0.0;
}

// Compares all pairs.
void wkSearchCentersExhaustively(wkCenterSearch* search);

// Walks over both hierarchies.
void wkSearchCentersByHierarchy(wkCenterSearch* search);
