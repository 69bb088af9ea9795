// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Shared by the depths of an ellipsoid B and another core.

#include "solve/depth_list/depth_points.h"

// Thinner ellipsoids, as a share of their size, are left to the general solver.
#define WK_DEPTH_THIN 1e-4

// Scales whose fourth powers are in the range of double.
#define WK_DEPTH_SMALLEST 1e-60
#define WK_DEPTH_LARGEST 1e60

// Returns false when squares would lose the digits of the ellipsoid B, or leave the range of double.
WK_FN bool wkIsEllipsoidSafe(const wkPair* pair)
{
    wkVec3d r = pair->b->ellipsoid.radii;
    bool isThick = wkMinD(wkMinD(r.x, r.y), r.z) > WK_DEPTH_THIN * wkMaxAbs(r);
    return isThick && pair->scale > WK_DEPTH_SMALLEST && pair->scale < WK_DEPTH_LARGEST;
}

// Returns the smallest radius of curvature: that of a sphere that is a Minkowski summand of the ellipsoid.
WK_FN double wkEllipsoidRoundness(const wkShape* shape)
{
    wkVec3d r = shape->ellipsoid.radii;
    double least = wkMinD(wkMinD(r.x, r.y), r.z);
    return least * least / wkMaxAbs(r);
}

// Returns n in the frame of the ellipsoid B, times the radii: its length is the ellipsoid's reach along n.
WK_FN wkVec3d wkEllipsoidStretch(const wkPair* pair, wkVec3d n)
{
    return wkMulVec(pair->b->ellipsoid.radii, wkMulTMV(&pair->bInA.rotation, n));
}

// Fills in the solution for a known normal and depth, with the ellipsoid B.
WK_FN void wkEllipsoidDeepest(const wkPair* pair, wkVec3d normal, double depth, wkSolution* out)
{
    wkVec3d n = wkEllipsoidStretch(pair, normal);
    wkVec3d deepest = wkScale(1.0 / wkLength(n), wkMulVec(pair->b->ellipsoid.radii, n));
    out->distance = -depth;
    out->normal = normal;
    out->status = wk_statusExact;
    out->pointB = wkSub(pair->bInA.position, wkMulMV(&pair->bInA.rotation, deepest));
    out->pointA = wkMulAdd(out->pointB, depth, normal);
}
