// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Oriented boxes, the common tongue of all volumes: every kind can say which box is around it, and
// a convex shape is a box to a walk.

#include "bv/axes.h"
#include "math/frame.h"

typedef struct wkObb {
    wkFrame frame; // centre and axes
    wkVec3d half;  // half extents along the axes, >= 0
} wkObb;

// Lower bound of the distance between two boxes, A's in one body and B's in another that stands at
// `bInA`: the gap along a line between points near each other, and where that is not close to their
// distance, the largest gap along the normals of faces and the cross products of edges.
double wkObbDistance(const wkFrame* bInA, const wkObb* a, const wkObb* b);

// The same for boxes about the origins of their frames.
double wkBoxGap(const wkFrame* bInA, wkVec3d halfA, wkVec3d halfB);

// A box as it is stored, with its axes beside it.
typedef struct wkBoxPart {
    float center[3];
    float half[3];
} wkBoxPart;

wkBoxPart wkMakeBoxPart(const wkExtents* extents, const wkMat3d* axes);

WK_FN wkObb wkBoxPartObb(const wkBoxPart* part, const wkMat3d* axes)
{
    wkObb box = {{*axes, wkVecFromFloats(part->center)}, wkVecFromFloats(part->half)};
    return box;
}

// Vertices of a box, to eight points.
void wkObbVertices(const wkObb* box, wkVec3d vertices[8]);
