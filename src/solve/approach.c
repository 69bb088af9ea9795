// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Newton's method for distances, stamped for each pair of cores with feet or radii.

#include "solve/approach.h"

#include "solve/approach_ellipsoid.h"
#include "solve/approach_feet.h"

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

#define WK_DEFINE_ELLIPSOID(A)                                                                     \
    static wkMeeting approach##A##Ellipsoid(const wkPair* pair, double gap, wkSolution* out)       \
    {                                                                                              \
        wkEllipsoidRule rule = {wkFoot##A, {wkSupport##A, wkSupportEllipsoid}};                    \
        return wkApproachEllipsoid(rule, pair, gap, out);                                          \
    }
WK_DEFINE_ELLIPSOID(Box)
WK_DEFINE_ELLIPSOID(Cylinder)
WK_DEFINE_ELLIPSOID(Cone)

// The first step leaves out how the supports move, which is more right far from the solution.
static wkMeeting approachEllipsoidEllipsoid(const wkPair* pair, double gap, wkSolution* out)
{
    static const wkMat3d axes = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
    wkVec3d center = pair->bInA.position, x = center;
    wkMat3d squaresA = wkMatOfSquares(&axes, pair->a->ellipsoid.radii);
    wkMat3d squaresB = wkMatOfSquares(&pair->bInA.rotation, pair->b->ellipsoid.radii);
    for (int pass = 1; pass <= WK_ELLIPSOID_PASSES; ++pass) {
        double xx = wkDot(x, x);
        wkEllipsoidJet a = wkMakeEllipsoidJet(&squaresA, x, xx);
        wkEllipsoidJet b = wkMakeEllipsoidJet(&squaresB, x, xx);
        wkVec3d w = wkSub(center, wkAdd(a.h, b.h));
        double ww = wkDot(w, w), wx = wkDot(w, x);
        if (ww * xx - wx * wx <= WK_ELLIPSOID_SAME * ww * xx) {
            double length = sqrt(xx);
            out->distance = wx / length;
            out->pointA = a.h;
            out->pointB = wkSub(center, b.h);
            out->normal = wkScale(1.0 / length, x);
            out->status = wk_statusExact;
            out->iterations = pass;
            return wkIsProven(pair, sqrt(ww), out->distance, gap) ? wk_meetingApart
                                                                  : wk_meetingUnknown;
        }
        wkMat3d k = {wkAdd(a.j.x, b.j.x), wkAdd(a.j.y, b.j.y), wkAdd(a.j.z, b.j.z)};
        wkVec3d y;
        if (!(wkSolveShifted(k, wkMaxD(wx, 0.0), w, &y) > 0.0)) {
            return wk_meetingUnknown;
        }
        x = wkScale(xx, y);
    }
    return wk_meetingUnknown;
}

// clang-format off
static approachFcn* const approachTable[wk_shapeTypeCount][wk_shapeTypeCount] = {
    [wk_shapeBox][wk_shapeCylinder]        = approachBoxCylinder,
    [wk_shapeBox][wk_shapeCone]            = approachBoxCone,
    [wk_shapeBox][wk_shapeEllipsoid]       = approachBoxEllipsoid,
    [wk_shapeCylinder][wk_shapeCylinder]   = approachCylinderCylinder,
    [wk_shapeCylinder][wk_shapeCone]       = approachCylinderCone,
    [wk_shapeCylinder][wk_shapeEllipsoid]  = approachCylinderEllipsoid,
    [wk_shapeCone][wk_shapeCone]           = approachConeCone,
    [wk_shapeCone][wk_shapeEllipsoid]      = approachConeEllipsoid,
    [wk_shapeEllipsoid][wk_shapeEllipsoid] = approachEllipsoidEllipsoid,
};
// clang-format on

wkMeeting wkApproach(const wkPair* pair, double gap, wkSolution* solution)
{
    approachFcn* approach = approachTable[pair->a->type][pair->b->type];
    return approach != NULL ? approach(pair, gap, solution) : wk_meetingUnknown;
}
