// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The functions behind the table in query/pair/pair_table.c. Only pairs with typeA <= typeB exist.

#include "solve/closed_form/closed_form.h"

// Closed forms: a sphere against every shape with a projection, capsules, and every bounded shape against a
// half-space or a plane.
#define WK_CLOSED_FORM_LIST(WK_ROW)                                                                \
    WK_ROW(SphereSphere)                                                                           \
    WK_ROW(SphereCapsule)                                                                          \
    WK_ROW(SphereBox)                                                                              \
    WK_ROW(SphereCylinder)                                                                         \
    WK_ROW(SphereCone)                                                                             \
    WK_ROW(SphereEllipsoid)                                                                        \
    WK_ROW(SphereTriangle)                                                                         \
    WK_ROW(CapsuleCapsule)                                                                         \
    WK_ROW(CapsuleBox)                                                                             \
    WK_ROW(CapsuleCylinder)                                                                        \
    WK_ROW(CapsuleCone)                                                                            \
    WK_ROW(CapsuleEllipsoid)                                                                       \
    WK_ROW(SphereHalfspace)                                                                        \
    WK_ROW(CapsuleHalfspace)                                                                       \
    WK_ROW(BoxHalfspace)                                                                           \
    WK_ROW(CylinderHalfspace)                                                                      \
    WK_ROW(ConeHalfspace)                                                                          \
    WK_ROW(EllipsoidHalfspace)                                                                     \
    WK_ROW(TriangleHalfspace)                                                                      \
    WK_ROW(HullHalfspace)                                                                          \
    WK_ROW(SpherePlane)                                                                            \
    WK_ROW(CapsulePlane)                                                                           \
    WK_ROW(BoxPlane)                                                                               \
    WK_ROW(CylinderPlane)                                                                          \
    WK_ROW(ConePlane)                                                                              \
    WK_ROW(EllipsoidPlane)                                                                         \
    WK_ROW(TrianglePlane)                                                                          \
    WK_ROW(HullPlane)

#define WK_DECLARE_CLOSED_FORM(PAIR)                                                               \
    wkClosestFcn wkClosest##PAIR;                                                                  \
    wkTouchFcn wkTouch##PAIR;                                                                      \
    wkGapFcn wkGap##PAIR;
WK_CLOSED_FORM_LIST(WK_DECLARE_CLOSED_FORM)
#undef WK_DECLARE_CLOSED_FORM

// Two unbounded shapes.
wkClosestFcn wkClosestHalfspaceHalfspace;
wkClosestFcn wkClosestHalfspacePlane;
wkClosestFcn wkClosestPlanePlane;

// A scan of the planes for points inside, else GJK.
wkSolveFcn wkSolvePointHull;

// Separating axes, with GJK for boxes that are apart.
wkSolveFcn wkSolveBoxBox;

// Separating axes and closest features, with the general solver for undecided cases.
wkSolveFcn wkSolveTriangleTriangle;

// Contacts by features, with GJK for cores that are apart and for distances.
wkSolveFcn wkSolveBoxCylinder;
wkSolveFcn wkSolveBoxCone;

// Separating axes, with GJK for distances.
wkSolveFcn wkSolveBoxTriangle;

// Contacts by separating axes, with GJK for the rest.
wkSolveFcn wkSolveBoxHull;
wkSolveFcn wkSolveSegmentHull;

// The general solver, instantiated for each pair of cores: WK_ROW(A, B, isPolytope).
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
