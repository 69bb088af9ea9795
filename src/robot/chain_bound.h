// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The motion bound of two bodies within a box of joint values, from their poses in its middle.

#include "robot/chain.h"

// What rounding can do to a bound, as a share of the lengths and angles in it.
#define WK_CHAIN_ROUNDING 1e-12

#define WK_BOX_VERTICES 8

// A body as bounds see it: the vertices of a box and a sphere around it.
typedef struct wkBoundedBody {
    wkVec3d vertices[WK_BOX_VERTICES];
    wkVec3d center;
    double radius;
} wkBoundedBody;

typedef struct wkChainBound {
    const wkChainPair* pair;
    const wkShape* convexA; // the bodies, or hulls around them; NULL: there is none
    const wkShape* convexB;
    // what follows is computed
    wkPlacedChain placed; // in the middle of the box
    wkBoundedBody a;
    wkBoundedBody b;
    double bound;                      // metres by which the distance of the bodies changes at most
    double shares[WK_CHAIN_VARIABLES]; // what each variable adds to it
} wkChainBound;

// A convex shape that can only be larger than the body; NULL: there is none.
const wkShape* wkSafeConvexAround(const wkCollisionBody* body);

// Places the bodies in the middle of the box, and sets the bound. `pair` and the convex shapes are given.
void wkBoundChain(wkChainBound* bound, const wkChainBox* box);
