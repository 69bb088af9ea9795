// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Points of a depth: their positions, and checks of these.

#include "solve/pair.h"

// Points may be this share of wkPair.scale off a core; mostly by rounding.
#define WK_DEPTH_OFF 1e-12

// Points may be off by this share where features are nearly parallel, so that rounding decides which of them
// touch.
#define WK_DEPTH_ROUGH 2e-7

// Returns true when the points of a solution lie in the cores, up to `off`.
WK_FN bool wkAreInCores(const wkPair* pair, const wkSolution* solution, double off)
{
    wkVec3d localB = wkFrameLocal(&pair->bInA, solution->pointB);
    return wkConvexTable[pair->a->type].project(pair->a, solution->pointA).distance <= off &&
           wkConvexTable[pair->b->type].project(pair->b, localB).distance <= off;
}

WK_FN bool wkIsInBox(wkVec3d half, wkVec3d point, double off)
{
    wkVec3d p = wkAbs(point);
    return p.x <= half.x + off && p.y <= half.y + off && p.z <= half.z + off;
}

// Returns the vertex of a box furthest along a direction.
WK_FN wkVec3d wkVertexOfBox(wkVec3d half, wkVec3d n)
{
    return wkVec(copysign(half.x, n.x), copysign(half.y, n.y), copysign(half.z, n.z));
}
