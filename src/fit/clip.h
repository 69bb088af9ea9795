// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What several spheres have of a triangle together. A point is in some sphere when it is in the one for which
// the square of its distance less that of the radius is least (Aurenhammer 1987). Planes are between the
// points that belong to two spheres, so that the triangle falls into one convex cell for each sphere: it is
// had when each sphere has the vertices of its cell.

#include "math/vec.h"

#define WK_CLIP_SPHERES 8
#define WK_CLIP_POINTS 16 // each plane adds one; where rounding bends a cell, more

// What belongs to a sphere; cells overlap by what rounding may do.
typedef struct wkClipCell {
    wkVec3d points[WK_CLIP_POINTS];
    int count;
} wkClipCell;

// Cuts a triangle into a cell for each of at most WK_CLIP_SPHERES spheres. False: there is no room for the
// points of a cell.
bool wkClipTriangle(const wkVec3d faceVertices[3], const wkSphere3d* spheres, int count,
                    wkClipCell* cells);
