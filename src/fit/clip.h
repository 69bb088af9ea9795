// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Checks whether several spheres together cover a triangle. A point is in some sphere when it is in the one
// for which squared distance minus squared radius is least (Aurenhammer 1987). The planes between pairs of
// spheres cut the triangle into one convex cell per sphere. The triangle is covered when each sphere contains
// the vertices of its cell.

#include "math/vec.h"

#define WK_CLIP_SPHERES 8
#define WK_CLIP_POINTS 16 // each plane adds one vertex; rounding may add more

// The part of a triangle that belongs to one sphere; cells overlap by the rounding error.
typedef struct wkClipCell {
    wkVec3d points[WK_CLIP_POINTS];
    int count;
} wkClipCell;

// Cuts a triangle into one cell for each of at most WK_CLIP_SPHERES spheres. Returns false when a cell has
// more vertices than its capacity.
bool wkClipTriangle(const wkVec3d faceVertices[3], const wkSphere3d* spheres, int count,
                    wkClipCell* cells);
