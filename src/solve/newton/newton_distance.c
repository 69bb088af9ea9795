// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Newton's method for distances, instantiated for each pair of cores with surface points or radii.

#include "solve/newton/newton_distance.h"

#include "solve/newton/newton_ellipsoid.h"
#include "solve/newton/newton_hull.h"
#include "solve/newton/newton_points.h"

#include "whisker/detail/counts.h"

typedef wkMeeting newtonFcn(const wkPair* pair, double gap, wkSolution* out);

#define WK_DEFINE_SURFACE_POINTS(A, B)                                                             \
    static wkMeeting newton##A##B(const wkPair* pair, double gap, wkSolution* out)                 \
    {                                                                                              \
        wkSurfacePointsRule rule = {                                                               \
            wkSurfacePoint##A, wkSurfacePoint##B, {wkSupport##A, wkSupport##B}};                   \
        return wkNewtonPoints(rule, pair, gap, out);                                               \
    }
WK_DEFINE_SURFACE_POINTS(Box, Cylinder)
WK_DEFINE_SURFACE_POINTS(Box, Cone)
WK_DEFINE_SURFACE_POINTS(Cylinder, Cylinder)
WK_DEFINE_SURFACE_POINTS(Cylinder, Cone)
WK_DEFINE_SURFACE_POINTS(Cone, Cone)

#define WK_DEFINE_HULL(A)                                                                          \
    static wkMeeting newton##A##Hull(const wkPair* pair, double gap, wkSolution* out)              \
    {                                                                                              \
        return wkNewtonHull(wkSurfacePoint##A, wkSupport##A, pair, gap, out);                      \
    }
WK_DEFINE_HULL(Cylinder)
WK_DEFINE_HULL(Cone)

#define WK_DEFINE_ELLIPSOID(A)                                                                     \
    static wkMeeting newton##A##Ellipsoid(const wkPair* pair, double gap, wkSolution* out)         \
    {                                                                                              \
        wkEllipsoidRule rule = {wkSurfacePoint##A, {wkSupport##A, wkSupportEllipsoid}};            \
        return wkNewtonEllipsoid(rule, pair, gap, out);                                            \
    }
WK_DEFINE_ELLIPSOID(Box)
WK_DEFINE_ELLIPSOID(Cylinder)
WK_DEFINE_ELLIPSOID(Cone)

static wkMeeting newtonEllipsoidHull(const wkPair* pair, double gap, wkSolution* out)
{
    return wkNewtonEllipsoidHull(pair, gap, out);
}

// Decides whether two ellipsoids have a common point.
static wkMeeting meetBetween(const wkPair* pair, wkVec3d point, wkSolution* out)
{
    wkVec3d inB = wkFrameLocal(&pair->bInA, point);
    double depthA = wkEllipsoidDepth(pair->a->ellipsoid.radii, point);
    double depthB = wkEllipsoidDepth(pair->b->ellipsoid.radii, inB);
    return wkMeetInBoth(pair, point, depthA, depthB, out);
}

static wkMeeting newtonEllipsoidEllipsoid(const wkPair* pair, double gap, wkSolution* out)
{
    wkVec3d center = pair->bInA.position, x = center;
    wkMat3d squaresA = wkMatOfSquares(&wkAxes, pair->a->ellipsoid.radii);
    wkMat3d squaresB = wkMatOfSquares(&pair->bInA.rotation, pair->b->ellipsoid.radii);
    wkProofRule proof = {wkSupportEllipsoid, wkSupportEllipsoid};
    double nearest = 0.0;
    if (wkIsThin(pair->b->ellipsoid.radii)) {
        return wk_meetingUnknown;
    }
    for (int pass = 1; pass <= WK_ELLIPSOID_PASSES; ++pass) {
        double xx = wkDot(x, x);
        wkEllipsoidSupport a = wkMakeEllipsoidSupport(&squaresA, x, xx);
        wkEllipsoidSupport b = wkMakeEllipsoidSupport(&squaresB, x, xx);
        wkVec3d sum = wkAdd(a.h, b.h), w = wkSub(center, sum);
        double ww = wkDot(w, w), wx = wkDot(w, x);
        if (ww * xx - wx * wx <= WK_ELLIPSOID_PROOF * ww * xx &&
            wkProveApart(proof, pair, a.h, wkSub(center, b.h), gap, pass, out) == wk_meetingApart) {
            return wk_meetingApart;
        }
        bool isNearer = ww <= nearest && wx > 0.0;
        if (!isNearer && pass > WK_ELLIPSOID_PATIENCE) {
            return meetBetween(pair, wkMulAdd(a.h, 0.5, w), out);
        }
        wkMat3d slopeA = wkEllipsoidSlope(&squaresA, &a, isNearer);
        wkMat3d slopeB = wkEllipsoidSlope(&squaresB, &b, isNearer);
        wkMat3d k = {wkAdd(slopeA.x, slopeB.x), wkAdd(slopeA.y, slopeB.y),
                     wkAdd(slopeA.z, slopeB.z)};
        x = wkScale(xx, wkSolveShifted(k, wkMaxD(wx, 0.0), isNearer ? w : center));
        nearest = pass == 1 ? INFINITY : ww;
    }
    return wk_meetingUnknown;
}

typedef struct newtonRow {
    newtonFcn* newton;
    bool doesDecide;
} newtonRow;

// clang-format off
static const newtonRow newtonTable[WK_CONVEX_TYPE_COUNT][WK_CONVEX_TYPE_COUNT] = {
    [wk_shapeBox][wk_shapeCylinder]        = {newtonBoxCylinder,        true},
    [wk_shapeBox][wk_shapeCone]            = {newtonBoxCone,            true},
    [wk_shapeBox][wk_shapeEllipsoid]       = {newtonBoxEllipsoid,       true},
    [wk_shapeCylinder][wk_shapeCylinder]   = {newtonCylinderCylinder,   true},
    [wk_shapeCylinder][wk_shapeCone]       = {newtonCylinderCone,       true},
    [wk_shapeCylinder][wk_shapeEllipsoid]  = {newtonCylinderEllipsoid,  true},
    [wk_shapeCylinder][wk_shapeHull]       = {newtonCylinderHull,       false},
    [wk_shapeCone][wk_shapeCone]           = {newtonConeCone,           false},
    [wk_shapeCone][wk_shapeEllipsoid]      = {newtonConeEllipsoid,      true},
    [wk_shapeCone][wk_shapeHull]           = {newtonConeHull,           false},
    [wk_shapeEllipsoid][wk_shapeEllipsoid] = {newtonEllipsoidEllipsoid, true},
    [wk_shapeEllipsoid][wk_shapeHull]      = {newtonEllipsoidHull,      true},
};
// clang-format on

wkMeeting wkNewtonDistance(const wkPair* pair, double gap, wkSolution* solution)
{
    newtonFcn* newton = newtonTable[pair->a->type][pair->b->type].newton;
    return newton != NULL ? newton(pair, gap, solution) : wk_meetingUnknown;
}

bool wkDoesDecide(const wkPair* pair)
{
    return newtonTable[pair->a->type][pair->b->type].doesDecide;
}
