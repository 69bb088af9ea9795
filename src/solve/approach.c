// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Newton's method for distances, stamped for each pair of cores with feet or radii.

#include "solve/approach.h"

#include "solve/approach_ellipsoid.h"
#include "solve/approach_feet.h"
#include "solve/approach_hull.h"

typedef wkMeeting approachFcn(const wkPair* pair, double gap, wkSolution* out);

#define WK_DEFINE_FEET(A, B)                                                                       \
    static wkMeeting approach##A##B(const wkPair* pair, double gap, wkSolution* out)               \
    {                                                                                              \
        wkFeetRule rule = {wkFoot##A, wkFoot##B, {wkSupport##A, wkSupport##B}};                    \
        return wkApproachFeet(rule, pair, gap, out);                                               \
    }
WK_DEFINE_FEET(Box, Cylinder)
WK_DEFINE_FEET(Box, Cone)
WK_DEFINE_FEET(Cylinder, Cylinder)
WK_DEFINE_FEET(Cylinder, Cone)
WK_DEFINE_FEET(Cone, Cone)

#define WK_DEFINE_HULL(A)                                                                          \
    static wkMeeting approach##A##Hull(const wkPair* pair, double gap, wkSolution* out)            \
    {                                                                                              \
        return wkApproachHull(wkFoot##A, wkSupport##A, pair, gap, out);                            \
    }
WK_DEFINE_HULL(Cylinder)
WK_DEFINE_HULL(Cone)

#define WK_DEFINE_ELLIPSOID(A)                                                                     \
    static wkMeeting approach##A##Ellipsoid(const wkPair* pair, double gap, wkSolution* out)       \
    {                                                                                              \
        wkEllipsoidRule rule = {wkFoot##A, {wkSupport##A, wkSupportEllipsoid}};                    \
        return wkApproachEllipsoid(rule, pair, gap, out);                                          \
    }
WK_DEFINE_ELLIPSOID(Box)
WK_DEFINE_ELLIPSOID(Cylinder)
WK_DEFINE_ELLIPSOID(Cone)

static wkMeeting approachEllipsoidHull(const wkPair* pair, double gap, wkSolution* out)
{
    return wkApproachEllipsoidHull(pair, gap, out);
}

// Whether two ellipsoids have a point in common.
static wkMeeting meetBetween(const wkPair* pair, wkVec3d point, wkSolution* out)
{
    wkVec3d inB = wkFrameLocal(&pair->bInA, point);
    double depthA = wkEllipsoidDepth(pair->a->ellipsoid.radii, point);
    double depthB = wkEllipsoidDepth(pair->b->ellipsoid.radii, inB);
    return wkMeetInBoth(pair, point, depthA, depthB, out);
}

static wkMeeting approachEllipsoidEllipsoid(const wkPair* pair, double gap, wkSolution* out)
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
        wkMat3d turnA = wkEllipsoidTurn(&squaresA, &a, isNearer);
        wkMat3d turnB = wkEllipsoidTurn(&squaresB, &b, isNearer);
        wkMat3d k = {wkAdd(turnA.x, turnB.x), wkAdd(turnA.y, turnB.y), wkAdd(turnA.z, turnB.z)};
        x = wkScale(xx, wkSolveShifted(k, wkMaxD(wx, 0.0), isNearer ? w : center));
        nearest = pass == 1 ? INFINITY : ww;
    }
    return wk_meetingUnknown;
}

typedef struct approachRow {
    approachFcn* approach;
    bool doesDecide;
} approachRow;

// clang-format off
static const approachRow approachTable[WK_CONVEX_TYPE_COUNT][WK_CONVEX_TYPE_COUNT] = {
    [wk_shapeBox][wk_shapeCylinder]        = {approachBoxCylinder,        true},
    [wk_shapeBox][wk_shapeCone]            = {approachBoxCone,            true},
    [wk_shapeBox][wk_shapeEllipsoid]       = {approachBoxEllipsoid,       true},
    [wk_shapeCylinder][wk_shapeCylinder]   = {approachCylinderCylinder,   true},
    [wk_shapeCylinder][wk_shapeCone]       = {approachCylinderCone,       true},
    [wk_shapeCylinder][wk_shapeEllipsoid]  = {approachCylinderEllipsoid,  true},
    [wk_shapeCylinder][wk_shapeHull]       = {approachCylinderHull,       false},
    [wk_shapeCone][wk_shapeCone]           = {approachConeCone,           false},
    [wk_shapeCone][wk_shapeEllipsoid]      = {approachConeEllipsoid,      true},
    [wk_shapeCone][wk_shapeHull]           = {approachConeHull,           false},
    [wk_shapeEllipsoid][wk_shapeEllipsoid] = {approachEllipsoidEllipsoid, true},
    [wk_shapeEllipsoid][wk_shapeHull]      = {approachEllipsoidHull,      true},
};
// clang-format on

wkMeeting wkApproach(const wkPair* pair, double gap, wkSolution* solution)
{
    approachFcn* approach = approachTable[pair->a->type][pair->b->type].approach;
    return approach != NULL ? approach(pair, gap, solution) : wk_meetingUnknown;
}

bool wkDoesDecide(const wkPair* pair)
{
    return approachTable[pair->a->type][pair->b->type].doesDecide;
}
