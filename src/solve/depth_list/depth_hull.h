// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Shared by the depths of hulls: tests whether a point is on a face, and whether a plane through an edge
// bounds the hull.

#include "geom/hull_impl.h"
#include "solve/depth_list/depth_points.h"

// Ways out of larger hulls are not listed. A hull has fewer than 2 faces and 3 edges per vertex.
#define WK_LISTED_VERTICES 128
#define WK_LISTED_FACES (2 * WK_LISTED_VERTICES)

// A plane does not bound a hull that rises above it by more than this share of wkPair.scale.
#define WK_HULL_PLANE_OFF 1e-13

// Returns true for a hull with an interior that is not too large.
WK_FN bool wkIsListedHull(const wkHull* hull)
{
    return hull->faceCount >= 4 && hull->vertexCount <= WK_LISTED_VERTICES &&
           hull->innerRadius > 0.0;
}

// Normals and offsets of the faces, structure of arrays.
typedef struct wkPlaneLanes {
    const double* x;
    const double* y;
    const double* z;
    const double* offset;
} wkPlaneLanes;

WK_FN wkPlaneLanes wkMakePlaneLanes(const wkHull* hull)
{
    const double* x = wkHullFaceLanes(hull);
    int32_t count = hull->paddedFaceCount;
    wkPlaneLanes lanes = {x, x + count, x + 2 * count, x + 3 * count};
    return lanes;
}

WK_FN wkVec3d wkLaneNormal(const wkPlaneLanes* lanes, int32_t face)
{
    return wkVec(lanes->x[face], lanes->y[face], lanes->z[face]);
}

// Returns true when a point in the plane of a face lies in the face, up to `off`; in the frame of the hull.
WK_FN bool wkIsInHullFace(const wkHull* hull, int32_t index, wkVec3d point, double off)
{
    wkHullFace face = wkHull_Face(hull, index);
    wkVec3d from = wkHullVertex(hull, face.indices[face.indexCount - 1]);
    for (int32_t i = 0; i < face.indexCount; ++i) {
        wkVec3d to = wkHullVertex(hull, face.indices[i]), edge = wkSub(to, from);
        double side = wkDot(wkCross(face.normal, edge), wkSub(point, from));
        if (!(side >= -off * wkMaxAbs(edge))) {
            return false;
        }
        from = to;
    }
    return true;
}

// The claimed depth of an edge is that of its plane only when the hull is below the plane: on slivers
// rounding may have misplaced an edge. `normal` has unit length, in the frame of the hull.
WK_FN bool wkIsPlaneOfHull(const wkHull* hull, wkVec3d normal, int32_t onPlane, double scale)
{
    wkVec3d top = wkHullVertex(hull, wkHullSupport(hull, normal, onPlane));
    wkVec3d rise = wkSub(top, wkHullVertex(hull, onPlane));
    return wkDot(normal, rise) <= WK_HULL_PLANE_OFF * scale;
}

// Returns the index of the lowest of two or more. Two independent running minima avoid a dependency.
WK_FN int32_t wkLowestOf(const double* values, int32_t count)
{
    int32_t even = 0, odd = 1;
    double evenLeast = values[0], oddLeast = values[1];
    for (int32_t i = 2; i + 1 < count; i += 2) {
        even = values[i] < evenLeast ? i : even;
        evenLeast = wkMinD(values[i], evenLeast);
        odd = values[i + 1] < oddLeast ? i + 1 : odd;
        oddLeast = wkMinD(values[i + 1], oddLeast);
    }
    if ((count & 1) != 0 && values[count - 1] < evenLeast) {
        even = count - 1;
        evenLeast = values[count - 1];
    }
    return oddLeast < evenLeast ? odd : even;
}
