// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Ray cast against a hull: the ray is clipped by the planes of all faces; a flat hull has planes through its
// edges too.

#include "geom/convex_ray.h"
#include "geom/convex_rows.h"
#include "geom/hull_impl.h"

#include <float.h>

// Rounding error of a height over a plane, as a share of the lengths it is computed from.
#define HEIGHT_NOISE (8.0 * DBL_EPSILON)

// The part of the ray below all planes so far. The wide interval, clipped by planes a little further out,
// decides on a hit, so that no ray slips through an edge or along a face. The exact one gives the position.
typedef struct cut {
    wkRayInterval exact, wide;
    double noise;
    wkVec3d normal; // of the plane where the ray enters
} cut;

// Clips by a plane: `height` of the origin over it, `speed` of the ray away from it.
static void cutByPlane(cut* c, double height, double speed, wkVec3d normal)
{
    double low = height - c->noise;
    if (speed < 0.0) {
        double enter = height / -speed;
        if (enter > c->exact.enter) {
            c->exact.enter = enter;
            c->normal = normal;
        }
        c->wide.enter = wkMaxD(c->wide.enter, low / -speed);
    } else if (speed > 0.0) {
        c->exact.exit = wkMinD(c->exact.exit, -height / speed);
        c->wide.exit = wkMinD(c->wide.exit, -low / speed);
    } else if (low > 0.0) {
        c->wide.enter = INFINITY;
    }
}

static void cutByFaces(cut* c, const wkHull* hull, wkVec3d origin, wkVec3d direction)
{
    const wkHullPlane* planes = wkHullPlanes(hull);
    const int32_t* starts = wkHullFaceStarts(hull);
    for (int32_t i = 0; i < hull->faceCount; ++i) {
        wkVec3d vertex = wkHullVertex(hull, wkHullVertices(hull)[starts[i]]);
        double height = wkDot(planes[i].normal, wkSub(origin, vertex));
        cutByPlane(c, height, wkDot(planes[i].normal, direction), planes[i].normal);
    }
}

static void cutByEdges(cut* c, const wkHull* hull, wkVec3d origin, wkVec3d direction)
{
    wkHullFace face = wkHull_Face(hull, 0);
    wkVec3d a = wkHullVertex(hull, face.indices[face.indexCount - 1]);
    for (int32_t i = 0; i < face.indexCount; ++i) {
        wkVec3d b = wkHullVertex(hull, face.indices[i]);
        wkVec3d outward = wkNormalizeOr(wkCross(wkSub(b, a), face.normal), face.normal);
        cutByPlane(c, wkDot(outward, wkSub(origin, a)), wkDot(outward, direction), outward);
        a = b;
    }
}

wkRayHit wkHullRayCast(const wkShape* shape, wkVec3d origin, wkVec3d direction, double maxDistance)
{
    const wkHull* hull = shape->hull;
    if (hull->faceCount == 0) {
        return wkCastByProjection(shape, 0.0, origin, direction, maxDistance);
    }

    double reach = wkLength(wkSub(origin, hull->sphereCenter)) + hull->sphereRadius;
    cut c = {{-INFINITY, INFINITY}, {-INFINITY, INFINITY}, HEIGHT_NOISE * reach, wkNeg(direction)};
    cutByFaces(&c, hull, origin, direction);
    if (hull->faceCount == 2) {
        cutByEdges(&c, hull, origin, direction);
    }
    if (!(c.wide.enter <= c.wide.exit) || !(c.wide.exit >= 0.0)) {
        return wkRayMiss();
    }

    // a grazing ray may, by rounding, leave before it enters
    double enter = wkMinD(c.exact.enter, wkMaxD(c.exact.exit, c.wide.enter));
    wkRayHit hit = {enter <= maxDistance, wkMaxD(enter, 0.0), c.normal};
    return hit.isHit ? hit : wkRayMiss();
}
