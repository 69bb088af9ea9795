// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What the depths of hulls have in common: is a point on a face, is a plane through an edge one
// that bounds the hull.

#include "geom/hull_impl.h"
#include "solve/depth_list/depth_points.h"

// Ways out of larger hulls are not listed. A hull has fewer than 2 faces and 3 edges a vertex.
#define WK_LISTED_VERTICES 128
#define WK_LISTED_FACES (2 * WK_LISTED_VERTICES)

// A hull that rises above a plane by more than this share of wkPair.scale is not bounded by it.
#define WK_HULL_PLANE_OFF 1e-13

// True for a hull with an inside that is not too large.
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

// Whether a point in the plane of a face lies in the face, up to `off`; in the frame of the hull.
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

// The depth that an edge claims is that of its plane only when the hull is below it: on slivers
// rounding may have put an edge where it does not belong. `normal` is of length one, in the frame
// of the hull.
WK_FN bool wkIsPlaneOfHull(const wkHull* hull, wkVec3d normal, int32_t onPlane, double scale)
{
    wkVec3d top = wkHullVertex(hull, wkHullSupport(hull, normal, onPlane));
    wkVec3d rise = wkSub(top, wkHullVertex(hull, onPlane));
    return wkDot(normal, rise) <= WK_HULL_PLANE_OFF * scale;
}

// Number of the lowest of two or more. Two running minima side by side: each waits for itself only.
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
