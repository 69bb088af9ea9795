// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// A sphere's core is a point: its distance to anything is the projection of that point. The frame of A
// has the orientation of B (a sphere has none of its own), so the point needs no rotation.

#include "geom/project.h"
#include "solve/pairs.h"

WK_FORCE_FN void solvePoint(wkProjection project(const wkShape*, wkVec3d), const wkPair* pair,
                            wkSolution* out)
{
    wkProjection p = project(pair->b, wkNeg(pair->bInA.position));
    out->distance = p.distance;
    out->pointA = wkVec(0.0, 0.0, 0.0);
    out->pointB = wkAdd(p.point, pair->bInA.position);
    out->normal = wkNeg(p.normal);
    out->status = wk_statusExact;
    out->iterations = 0;
}

#define DEFINE_SPHERE_PAIR(TYPE, CORE)                                                             \
    void wkPairSphere##TYPE(const wkPair* pair, const wkGoal* goal, wkSolution* solution)          \
    {                                                                                              \
        (void)goal;                                                                                \
        solvePoint(wkProject##CORE, pair, solution);                                               \
    }
DEFINE_SPHERE_PAIR(Sphere, Point)
DEFINE_SPHERE_PAIR(Capsule, Segment)
DEFINE_SPHERE_PAIR(Box, Box)
DEFINE_SPHERE_PAIR(Cylinder, Cylinder)
DEFINE_SPHERE_PAIR(Cone, Cone)
DEFINE_SPHERE_PAIR(Ellipsoid, Ellipsoid)
DEFINE_SPHERE_PAIR(Triangle, Triangle)
