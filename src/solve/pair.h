// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The question and the answer of every pair function. Pair functions see two cores in the frame of A;
// the balls around the cores, the world frame and the order of the arguments are the entry points'
// business (query/).

#include "geom/convex.h"
#include "whisker/query.h"

// Two shapes in the frame of A.
typedef struct wkPair {
    const wkShape* a;
    const wkShape* b;
    wkFrame bInA;    // aFromB; without rotation when A is a sphere
    wkVec3d centers; // from the middle of A's ball to the middle of B's
    double scale;    // largest coordinate that can occur: unit of all rounding
} wkPair;

// What is asked, in terms of the cores' signed distance.
typedef struct wkGoal {
    double cutoff;      // enough to know that the distance exceeds this
    double touching;    // enough to know that the distance does not exceed this; -infinity: no such stop
    double tolerance;   // metres the answer may lie below the truth
    bool wantsDepth;    // false: overlapping cores are answered with 0 and a common point
    wkPairCache* cache; // NULL: cold start
} wkGoal;

// Where the cores are closest, in the frame of A.
typedef struct wkSolution {
    double distance; // signed, never above the truth but for rounding
    wkVec3d pointA;
    wkVec3d pointB;
    wkVec3d normal; // unit, from A to B
    wkStatus status;
    int32_t iterations;
} wkSolution;

typedef void wkPairFcn(const wkPair* pair, const wkGoal* goal, wkSolution* solution);

// Rounding that a pair function may leave in its answer, as a share of wkPair.scale: sixteen units in
// the last place cover the relative pose, two supports and a projection. Subtracted once, at the end.
#define WK_ROUNDING 3.6e-15

// A verdict is taken early only this far (share of wkPair.scale) from the limit; nearer, the distance is
// computed in full, so that wkCollide and wkDistance cannot disagree. Larger than any solver's gap.
#define WK_VERDICT_BAND 1e-9
