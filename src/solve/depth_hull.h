// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What the depths of hulls have in common: is a point on a face, is a plane through an edge one
// that bounds the hull.

#include "geom/hull.h"

// A hull that rises above a plane by more than this share of wkPair.scale is not bounded by it.
#define WK_HULL_PLANE_OFF 1e-13

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
