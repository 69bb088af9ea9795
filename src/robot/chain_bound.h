// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The motion bound of two bodies within a box of joint values, from their poses in the middle of the box.

#include "robot/chain.h"

// Bound on rounding, relative to the lengths and angles in a motion bound.
#define WK_CHAIN_ROUNDING 1e-12

#define WK_BOX_VERTICES 8

// Bounding volumes of a body: the vertices of a box, and a sphere.
typedef struct wkBoundedBody {
    wkVec3d vertices[WK_BOX_VERTICES];
    wkVec3d center;
    double radius;
} wkBoundedBody;

typedef struct wkChainBound {
    const wkChainPair* pair;
    const wkShape* convexA; // the bodies, or hulls around them; NULL: there is none
    const wkShape* convexB;
    // computed by wkBoundChain
    wkPlacedChain placed; // in the middle of the box
    wkBoundedBody a;
    wkBoundedBody b;
    double bound;                      // maximum change of the distance of the bodies, in metres
    double shares[WK_CHAIN_VARIABLES]; // contribution of each variable
} wkChainBound;

// Returns a convex shape that contains the body; NULL: there is none.
const wkShape* wkSafeConvexAround(const wkCollisionBody* body);

// Places the bodies in the middle of the box and sets the bound. `pair` and the convex shapes are inputs.
void wkBoundChain(wkChainBound* bound, const wkChainBox* box);
