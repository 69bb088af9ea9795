// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// A point inside a hull, the core of a sphere, leaves through the face whose plane is nearest: a
// scan of the planes instead of a polytope. Outside, GJK is as good as it gets.

#include "geom/hull.h"
#include "solve/pairs.h"

// From this many faces on the general method is faster than looking at all of them.
#define WK_SCAN_FACE_COUNT 1024

// The plane that a point is highest above, when it is above none.
// @return NULL when the point is outside
static const wkHullPlane* findNearestPlane(const wkHull* hull, wkVec3d point, double* height)
{
    const wkHullPlane* planes = wkHullPlanes(hull);
    const wkHullPlane* nearest = NULL;
    *height = -INFINITY;
    for (int32_t i = 0; i < hull->faceCount; ++i) {
        double other = wkDot(planes[i].normal, point) - planes[i].offset;
        if (!(other <= 0.0)) {
            return NULL;
        }
        if (other > *height) {
            *height = other;
            nearest = &planes[i];
        }
    }
    return nearest;
}

void wkSolvePointHull(const wkPair* pair, const wkGoal* goal, wkSolution* s)
{
    // flat hulls have two faces and no inside; the ball around the hull spares most scans
    const wkHull* hull = pair->b->hull;
    bool mayBeInside = wkLength(pair->centers) <= hull->ballRadius && hull->faceCount > 3 &&
                       hull->faceCount < WK_SCAN_FACE_COUNT;
    if (goal->wantsDepth && mayBeInside) {
        wkVec3d point = wkNeg(wkMulTMV(&pair->bInA.rotation, pair->bInA.position));
        double height;
        const wkHullPlane* plane = findNearestPlane(hull, point, &height);
        if (plane != NULL) {
            s->distance = height;
            s->normal = wkNeg(wkMulMV(&pair->bInA.rotation, plane->normal));
            s->pointA = wkVec(0.0, 0.0, 0.0);
            s->pointB = wkScale(height, s->normal);
            s->status = wk_statusExact;
            s->iterations = 0;
            return;
        }
    }
    wkGjkPointHull(pair, goal, s);
}
