// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Oriented boxes, the common representation of all volumes: every kind can report a box around it, and a walk
// treats a convex shape as a box.

#include "bv/axes.h"
#include "math/frame.h"

typedef struct wkObb {
    wkFrame frame; // centre and axes
    wkVec3d half;  // half extents along the axes, >= 0
} wkObb;

// Returns a lower bound of the distance between two boxes fixed to two bodies; body B has pose `bInA`. First
// the gap along a line between nearby points; where that is not close to their distance, the largest gap
// along face normals and cross products of edges.
double wkObbDistance(const wkFrame* bInA, const wkObb* a, const wkObb* b);

// The same for boxes centred at the origins of their frames.
double wkBoxGap(const wkFrame* bInA, wkVec3d halfA, wkVec3d halfB);

// A stored box without its axes, which are kept beside it.
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

// Writes the eight vertices of a box.
void wkObbVertices(const wkObb* box, wkVec3d vertices[8]);
