// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The functions behind the table in query/pair_table.c. Only pairs with typeA <= typeB exist.

#include "solve/pair.h"

// A sphere against anything with a closed-form projection.
wkNearFcn wkNearSphereSphere;
wkNearFcn wkNearSphereCapsule;
wkNearFcn wkNearSphereBox;
wkNearFcn wkNearSphereCylinder;
wkNearFcn wkNearSphereCone;
wkNearFcn wkNearSphereEllipsoid;
wkNearFcn wkNearSphereTriangle;

wkNearFcn wkNearCapsuleCapsule;
wkNearFcn wkNearCapsuleBox;
wkNearFcn wkNearCapsuleCylinder;

// A scan of the planes for points inside, else GJK.
wkSolveFcn wkSolvePointHull;

// Separating axes, with GJK for boxes that are apart.
wkSolveFcn wkSolveBoxBox;

// Anything bounded against a half-space or a plane.
wkNearFcn wkNearAnyHalfspace;
wkNearFcn wkNearAnyPlane;

// Two unbounded shapes.
wkNearFcn wkNearHalfspaceHalfspace;
wkNearFcn wkNearHalfspacePlane;
wkNearFcn wkNearPlanePlane;

// Verdicts of bounded shapes.
wkGapFcn wkGapSphereSphere;
wkGapFcn wkGapSphereCapsule;
wkGapFcn wkGapSphereBox;
wkGapFcn wkGapSphereCylinder;
wkGapFcn wkGapSphereCone;
wkGapFcn wkGapSphereEllipsoid;
wkGapFcn wkGapSphereTriangle;
wkGapFcn wkGapCapsuleCapsule;
wkGapFcn wkGapCapsuleBox;
wkGapFcn wkGapCapsuleCylinder;
wkGapFcn wkGapAnyHalfspace;
wkGapFcn wkGapAnyPlane;

// The general method, stamped for each pair of cores: WK_ROW(A, B, isPolytope).
#define WK_GJK_PAIR_LIST(WK_ROW)                                                                   \
    WK_ROW(Point, Hull, true)                                                                      \
    WK_ROW(Segment, Box, true)                                                                     \
    WK_ROW(Segment, Cylinder, false)                                                               \
    WK_ROW(Segment, Cone, false)                                                                   \
    WK_ROW(Segment, Ellipsoid, false)                                                              \
    WK_ROW(Segment, Triangle, true)                                                                \
    WK_ROW(Segment, Hull, true)                                                                    \
    WK_ROW(Box, Box, true)                                                                         \
    WK_ROW(Box, Cylinder, false)                                                                   \
    WK_ROW(Box, Cone, false)                                                                       \
    WK_ROW(Box, Ellipsoid, false)                                                                  \
    WK_ROW(Box, Triangle, true)                                                                    \
    WK_ROW(Box, Hull, true)                                                                        \
    WK_ROW(Cylinder, Cylinder, false)                                                              \
    WK_ROW(Cylinder, Cone, false)                                                                  \
    WK_ROW(Cylinder, Ellipsoid, false)                                                             \
    WK_ROW(Cylinder, Triangle, false)                                                              \
    WK_ROW(Cylinder, Hull, false)                                                                  \
    WK_ROW(Cone, Cone, false)                                                                      \
    WK_ROW(Cone, Ellipsoid, false)                                                                 \
    WK_ROW(Cone, Triangle, false)                                                                  \
    WK_ROW(Cone, Hull, false)                                                                      \
    WK_ROW(Ellipsoid, Ellipsoid, false)                                                            \
    WK_ROW(Ellipsoid, Triangle, false)                                                             \
    WK_ROW(Ellipsoid, Hull, false)                                                                 \
    WK_ROW(Triangle, Triangle, true)                                                               \
    WK_ROW(Triangle, Hull, true)                                                                   \
    WK_ROW(Hull, Hull, true)

#define WK_DECLARE_GJK_PAIR(A, B, isPolytope) wkSolveFcn wkGjk##A##B;
WK_GJK_PAIR_LIST(WK_DECLARE_GJK_PAIR)
#undef WK_DECLARE_GJK_PAIR
