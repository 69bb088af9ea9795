// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The pair table: one row per pair of convex types, typeA <= typeB, and one per pair of kinds where a
// shape is not convex. Walks use the rows of convex types at their leaves. The entry points swap.

#include "query/pair/pair_table.h"

#include "query/pair/body_question.h"
#include "query/pair/question.h"
#include "query/pair/shape_class.h"
#include "solve/closed_form/closed_form_list.h"

#include "whisker/detail/counts.h"

// Distance, contact and verdict in closed form; two surfaces are rare enough to use the first alone.
#define WK_CLOSED_FORM(PAIR)                                                                       \
    {                                                                                              \
        .closest = wkClosest##PAIR, .touch = wkTouch##PAIR, .gap = wkGap##PAIR,                    \
        .method = "closed form"                                                                    \
    }
#define WK_SURFACES(PAIR)                                                                          \
    {                                                                                              \
        .closest = wkClosest##PAIR, .method = "closed form"                                        \
    }
#define WK_SOLVED(SOLVER, METHOD)                                                                  \
    {                                                                                              \
        .solve = SOLVER, .method = METHOD                                                          \
    }

// clang-format off
const wkPairRow wkPairTable[WK_CONVEX_TYPE_COUNT][WK_CONVEX_TYPE_COUNT] = {
    [wk_shapeSphere][wk_shapeSphere]            = WK_CLOSED_FORM(SphereSphere),
    [wk_shapeSphere][wk_shapeCapsule]           = WK_CLOSED_FORM(SphereCapsule),
    [wk_shapeSphere][wk_shapeBox]               = WK_CLOSED_FORM(SphereBox),
    [wk_shapeSphere][wk_shapeCylinder]          = WK_CLOSED_FORM(SphereCylinder),
    [wk_shapeSphere][wk_shapeCone]              = WK_CLOSED_FORM(SphereCone),
    [wk_shapeSphere][wk_shapeEllipsoid]         = WK_CLOSED_FORM(SphereEllipsoid),
    [wk_shapeSphere][wk_shapeTriangle]          = WK_CLOSED_FORM(SphereTriangle),
    [wk_shapeSphere][wk_shapeHull]              = WK_SOLVED(wkSolvePointHull, "planes, GJK"),
    [wk_shapeSphere][wk_shapeHalfspace]         = WK_CLOSED_FORM(SphereHalfspace),
    [wk_shapeSphere][wk_shapePlane]             = WK_CLOSED_FORM(SpherePlane),
    [wk_shapeCapsule][wk_shapeCapsule]          = WK_CLOSED_FORM(CapsuleCapsule),
    [wk_shapeCapsule][wk_shapeBox]              = WK_CLOSED_FORM(CapsuleBox),
    [wk_shapeCapsule][wk_shapeCylinder]         = WK_CLOSED_FORM(CapsuleCylinder),
    [wk_shapeCapsule][wk_shapeCone]             = WK_CLOSED_FORM(CapsuleCone),
    [wk_shapeCapsule][wk_shapeEllipsoid]        = WK_CLOSED_FORM(CapsuleEllipsoid),
    [wk_shapeCapsule][wk_shapeTriangle]         = WK_SOLVED(wkGjkSegmentTriangle, "GJK, EPA"),
    [wk_shapeCapsule][wk_shapeHull]             = WK_SOLVED(wkSolveSegmentHull, "GJK, EPA"),
    [wk_shapeCapsule][wk_shapeHalfspace]        = WK_CLOSED_FORM(CapsuleHalfspace),
    [wk_shapeCapsule][wk_shapePlane]            = WK_CLOSED_FORM(CapsulePlane),
    [wk_shapeBox][wk_shapeBox]                  = WK_SOLVED(wkSolveBoxBox, "separating axes, GJK"),
    [wk_shapeBox][wk_shapeCylinder]             = WK_SOLVED(wkSolveBoxCylinder, "GJK, EPA"),
    [wk_shapeBox][wk_shapeCone]                 = WK_SOLVED(wkSolveBoxCone, "GJK, EPA"),
    [wk_shapeBox][wk_shapeEllipsoid]            = WK_SOLVED(wkGjkBoxEllipsoid, "GJK, EPA"),
    [wk_shapeBox][wk_shapeTriangle]             = WK_SOLVED(wkSolveBoxTriangle, "separating axes, GJK"),
    [wk_shapeBox][wk_shapeHull]                 = WK_SOLVED(wkSolveBoxHull, "GJK, EPA"),
    [wk_shapeBox][wk_shapeHalfspace]            = WK_CLOSED_FORM(BoxHalfspace),
    [wk_shapeBox][wk_shapePlane]                = WK_CLOSED_FORM(BoxPlane),
    [wk_shapeCylinder][wk_shapeCylinder]        = WK_SOLVED(wkGjkCylinderCylinder, "GJK, EPA"),
    [wk_shapeCylinder][wk_shapeCone]            = WK_SOLVED(wkGjkCylinderCone, "GJK, EPA"),
    [wk_shapeCylinder][wk_shapeEllipsoid]       = WK_SOLVED(wkGjkCylinderEllipsoid, "GJK, EPA"),
    [wk_shapeCylinder][wk_shapeTriangle]        = WK_SOLVED(wkGjkCylinderTriangle, "GJK, EPA"),
    [wk_shapeCylinder][wk_shapeHull]            = WK_SOLVED(wkGjkCylinderHull, "GJK, EPA"),
    [wk_shapeCylinder][wk_shapeHalfspace]       = WK_CLOSED_FORM(CylinderHalfspace),
    [wk_shapeCylinder][wk_shapePlane]           = WK_CLOSED_FORM(CylinderPlane),
    [wk_shapeCone][wk_shapeCone]                = WK_SOLVED(wkGjkConeCone, "GJK, EPA"),
    [wk_shapeCone][wk_shapeEllipsoid]           = WK_SOLVED(wkGjkConeEllipsoid, "GJK, EPA"),
    [wk_shapeCone][wk_shapeTriangle]            = WK_SOLVED(wkGjkConeTriangle, "GJK, EPA"),
    [wk_shapeCone][wk_shapeHull]                = WK_SOLVED(wkGjkConeHull, "GJK, EPA"),
    [wk_shapeCone][wk_shapeHalfspace]           = WK_CLOSED_FORM(ConeHalfspace),
    [wk_shapeCone][wk_shapePlane]               = WK_CLOSED_FORM(ConePlane),
    [wk_shapeEllipsoid][wk_shapeEllipsoid]      = WK_SOLVED(wkGjkEllipsoidEllipsoid, "GJK, EPA"),
    [wk_shapeEllipsoid][wk_shapeTriangle]       = WK_SOLVED(wkGjkEllipsoidTriangle, "GJK, EPA"),
    [wk_shapeEllipsoid][wk_shapeHull]           = WK_SOLVED(wkGjkEllipsoidHull, "GJK, EPA"),
    [wk_shapeEllipsoid][wk_shapeHalfspace]      = WK_CLOSED_FORM(EllipsoidHalfspace),
    [wk_shapeEllipsoid][wk_shapePlane]          = WK_CLOSED_FORM(EllipsoidPlane),
    [wk_shapeTriangle][wk_shapeTriangle]        = WK_SOLVED(wkSolveTriangleTriangle, "separating axes, GJK"),
    [wk_shapeTriangle][wk_shapeHull]            = WK_SOLVED(wkGjkTriangleHull, "GJK, EPA"),
    [wk_shapeTriangle][wk_shapeHalfspace]       = WK_CLOSED_FORM(TriangleHalfspace),
    [wk_shapeTriangle][wk_shapePlane]           = WK_CLOSED_FORM(TrianglePlane),
    [wk_shapeHull][wk_shapeHull]                = WK_SOLVED(wkGjkHullHull, "GJK, EPA"),
    [wk_shapeHull][wk_shapeHalfspace]           = WK_CLOSED_FORM(HullHalfspace),
    [wk_shapeHull][wk_shapePlane]               = WK_CLOSED_FORM(HullPlane),
    [wk_shapeHalfspace][wk_shapeHalfspace]      = WK_SURFACES(HalfspaceHalfspace),
    [wk_shapeHalfspace][wk_shapePlane]          = WK_SURFACES(HalfspacePlane),
    [wk_shapePlane][wk_shapePlane]              = WK_SURFACES(PlanePlane),
};
// clang-format on

static wkDistanceResult refuseDistance(const wkShape* a, const wkPose* poseA, const wkShape* b,
                                       const wkPose* poseB, const wkDistanceRequest* request)
{
    (void)a, (void)poseA, (void)b, (void)poseB, (void)request;
    return wkInvalidAnswer();
}

static wkCollideResult refuseCollide(const wkShape* a, const wkPose* poseA, const wkShape* b,
                                     const wkPose* poseB, const wkCollideRequest* request)
{
    (void)a, (void)poseA, (void)b, (void)poseB, (void)request;
    wkCollideResult result = {true, wk_statusInvalid, 0, 0};
    return result;
}

// clang-format off
#define WK_REFUSED      {.distance = refuseDistance,     .collide = refuseCollide,   .method = "none"}
#define WK_WALK(METHOD)  {.distance = wkDistanceByWalk, .collide = wkCollideByWalk, .method = METHOD}

// Rows where a shape is not convex, by the kinds of both.
static const wkPairRow kindTable[wk_kindCount][wk_kindCount] = {
    [wk_kindNone]   = {WK_REFUSED, WK_REFUSED, WK_REFUSED, WK_REFUSED},
    [wk_kindConvex] = {WK_REFUSED, WK_REFUSED, WK_WALK("walk over a hierarchy"), WK_WALK("walk over a map")},
    [wk_kindTree]   = {WK_REFUSED, WK_WALK("walk over a hierarchy"), WK_WALK("walk over two hierarchies"), WK_WALK("walk over a map and a hierarchy")},
    [wk_kindMap]    = {WK_REFUSED, WK_WALK("walk over a map"), WK_WALK("walk over a map and a hierarchy"), WK_WALK("walk over two maps")},
};
// clang-format on

const wkPairRow* wkPairRowOf(const wkShape* a, const wkShape* b)
{
    if (wkHasConvexType(a) && wkHasConvexType(b)) {
        return wkConvexPairRowOf(a, b);
    }
    return &kindTable[wkShapeClassOf(a)->kind][wkShapeClassOf(b)->kind];
}

const char* wkPairMethodName(wkShapeType a, wkShapeType b)
{
    wkShape shapeA = {.type = a}, shapeB = {.type = b};
    return wkPairRowOf(&shapeA, &shapeB)->method;
}
