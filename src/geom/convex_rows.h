// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The functions behind the rows of wkConvexTable, see wkConvexRow in convex.h: one file per shape.

#include "geom/convex.h"

#define WK_DECLARE_ROW(NAME)                                                                       \
    bool wk##NAME##IsValid(const wkShape* shape);                                                  \
    wkResult wk##NAME##Check(const wkShape* shape);                                                \
    wkVec3d wk##NAME##CoreSupport(const wkShape* shape, wkVec3d direction);                        \
    wkProjection wk##NAME##Project(const wkShape* shape, wkVec3d point);                           \
    wkAabb wk##NAME##Bounds(const wkShape* shape, const wkFrame* frame);                           \
    wkInnerOuterSpheres wk##NAME##Spheres(const wkShape* shape);                                   \
    wkMass wk##NAME##Mass(const wkShape* shape);                                                   \
    wkRayHit wk##NAME##RayCast(const wkShape* shape, wkVec3d origin, wkVec3d direction,            \
                               double maxDistance);                                                \
    void wk##NAME##FaceAt(const wkShape* shape, wkVec3d direction, double cosine, wkFace* face);   \
    wkResult wk##NAME##Triangulate(const wkShape* shape, int segments, double extent,              \
                                   wkTriangulation* out);

WK_DECLARE_ROW(Sphere)
WK_DECLARE_ROW(Capsule)
WK_DECLARE_ROW(Box)
WK_DECLARE_ROW(Cylinder)
WK_DECLARE_ROW(Cone)
WK_DECLARE_ROW(Ellipsoid)
WK_DECLARE_ROW(Triangle)
WK_DECLARE_ROW(Hull)
WK_DECLARE_ROW(Halfspace)
WK_DECLARE_ROW(Plane)

// The content of a hull for digests.
void wkHullDigest(wkDigestBuilder* builder, const wkShape* shape);
