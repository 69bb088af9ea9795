// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Ray cast for any convex shape.

#include "geom/convex_ray.h"

// Newton's method doubles the digits of a transversal hit in each step, and gains two bits per step where the
// ray only grazes the surface: 27 steps for a full double. Each edge of a polytope costs one step.
#define MAX_STEPS 128

// Below this sine between ray and surface the surface is edge-on: the ray comes from beside it, and the
// normal of the previous step is the one that faces the ray.
#define MIN_APPROACH 1e-9

wkRayHit wkCastByProjection(const wkShape* shape, double radius, wkVec3d origin, wkVec3d direction,
                            double maxDistance)
{
    const wkConvexRow* row = wkConvexRowOf(shape);
    double noise = 1e-15 * (wkMaxAbs(origin) + fabs(radius));
    double t = 0.0;
    wkRayHit hit = {true, 0.0, wkNeg(direction)};
    for (int i = 0; i < MAX_STEPS; ++i) {
        wkProjection projection = row->project(shape, wkMulAdd(origin, t, direction));
        double gap = projection.distance - radius;
        double approach = -wkDot(projection.normal, direction);
        hit.normal = approach > MIN_APPROACH ? projection.normal : hit.normal;
        hit.distance = t;
        if (!(gap > noise)) {
            break;
        }
        double next = t + gap / approach;
        if (!(approach > 0.0) || !(next <= maxDistance)) {
            return wkRayMiss();
        }
        if (!(next > t)) {
            break;
        }
        t = next;
    }
    return hit;
}
