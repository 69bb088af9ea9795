// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// One shape and many rays from one point, as a camera casts them: what wkShape_RayCast computes from the
// shape and its pose for every ray is computed once. The results equal those of wkShape_RayCast to the bit.

#include "math/frame.h"
#include "query/pair/shape_class.h"

typedef struct wkRayTarget {
    const wkShape* shape; // borrowed
    const wkShapeClass* shapeClass;
    wkPose pose;
    wkMat3d rotation;
    wkVec3d origin;      // of all rays, in the frame of the shape
    wkVec3d worldOrigin; // the same point in the world
    bool isRotated;      // false: the rotation is the identity and is skipped
    bool isPlainSurface; // rays take the fast path of surfaces without rounding
    bool isConvex;       // the fields below are set
    bool skipsNothing;   // the origin is in the sphere around the shape, or there is no such sphere
    bool startsInside;   // the origin is in the shape
    wkRayHit (*cast)(const wkShape* shape, wkVec3d origin, wkVec3d direction, double maxDistance);
    wkVec3d insideNormal; // outward direction, for an origin in the shape
    wkVec3d toCenter;     // from the origin to the center of the sphere
    double radius;        // of the sphere
    double noise;         // rounding bound of both
} wkRayTarget;

// @return false when the shape, its pose or the origin is not valid
bool wkRayTarget_Init(const wkShape* shape, const wkPose* pose, wkVec3d origin,
                      wkRayTarget* target);

// Finds the hit of a ray: hit->distance from the origin, hit->normal in the frame of the shape (in that of
// the world for a plain surface).
// @param direction of unit length, in the world
// @return false: no hit up to maxDistance
bool wkRayTarget_Cast(const wkRayTarget* target, const wkVec3d* direction, double maxDistance,
                      wkShapeHit* hit);

// The normal of a hit in the world.
wkVec3d wkRayTarget_Normal(const wkRayTarget* target, const wkShapeHit* hit);
