// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The pair table: one row per pair of types, typeA <= typeB. The entry points swap.

#include "query/pair_table.h"

#include "solve/pairs.h"

// clang-format off
const wkPairRow wkPairTable[wk_shapeTypeCount][wk_shapeTypeCount] = {
    [wk_shapeSphere][wk_shapeSphere]            = {wkPairSphereSphere,        "closed form"},
    [wk_shapeSphere][wk_shapeCapsule]           = {wkPairSphereCapsule,       "closed form"},
    [wk_shapeSphere][wk_shapeBox]               = {wkPairSphereBox,           "closed form"},
    [wk_shapeSphere][wk_shapeCylinder]          = {wkPairSphereCylinder,      "closed form"},
    [wk_shapeSphere][wk_shapeCone]              = {wkPairSphereCone,          "closed form"},
    [wk_shapeSphere][wk_shapeEllipsoid]         = {wkPairSphereEllipsoid,     "closed form"},
    [wk_shapeSphere][wk_shapeTriangle]          = {wkPairSphereTriangle,      "closed form"},
    [wk_shapeSphere][wk_shapeHull]              = {wkGjkPointHull,            "GJK, EPA"},
    [wk_shapeSphere][wk_shapeHalfspace]         = {wkPairAnyHalfspace,        "closed form"},
    [wk_shapeSphere][wk_shapePlane]             = {wkPairAnyPlane,            "closed form"},
    [wk_shapeCapsule][wk_shapeCapsule]          = {wkPairCapsuleCapsule,      "closed form"},
    [wk_shapeCapsule][wk_shapeBox]              = {wkGjkSegmentBox,           "GJK, EPA"},
    [wk_shapeCapsule][wk_shapeCylinder]         = {wkGjkSegmentCylinder,      "GJK, EPA"},
    [wk_shapeCapsule][wk_shapeCone]             = {wkGjkSegmentCone,          "GJK, EPA"},
    [wk_shapeCapsule][wk_shapeEllipsoid]        = {wkGjkSegmentEllipsoid,     "GJK, EPA"},
    [wk_shapeCapsule][wk_shapeTriangle]         = {wkGjkSegmentTriangle,      "GJK, EPA"},
    [wk_shapeCapsule][wk_shapeHull]             = {wkGjkSegmentHull,          "GJK, EPA"},
    [wk_shapeCapsule][wk_shapeHalfspace]        = {wkPairAnyHalfspace,        "closed form"},
    [wk_shapeCapsule][wk_shapePlane]            = {wkPairAnyPlane,            "closed form"},
    [wk_shapeBox][wk_shapeBox]                  = {wkPairBoxBox,              "separating axes, GJK"},
    [wk_shapeBox][wk_shapeCylinder]             = {wkGjkBoxCylinder,          "GJK, EPA"},
    [wk_shapeBox][wk_shapeCone]                 = {wkGjkBoxCone,              "GJK, EPA"},
    [wk_shapeBox][wk_shapeEllipsoid]            = {wkGjkBoxEllipsoid,         "GJK, EPA"},
    [wk_shapeBox][wk_shapeTriangle]             = {wkGjkBoxTriangle,          "GJK, EPA"},
    [wk_shapeBox][wk_shapeHull]                 = {wkGjkBoxHull,              "GJK, EPA"},
    [wk_shapeBox][wk_shapeHalfspace]            = {wkPairAnyHalfspace,        "closed form"},
    [wk_shapeBox][wk_shapePlane]                = {wkPairAnyPlane,            "closed form"},
    [wk_shapeCylinder][wk_shapeCylinder]        = {wkGjkCylinderCylinder,     "GJK, EPA"},
    [wk_shapeCylinder][wk_shapeCone]            = {wkGjkCylinderCone,         "GJK, EPA"},
    [wk_shapeCylinder][wk_shapeEllipsoid]       = {wkGjkCylinderEllipsoid,    "GJK, EPA"},
    [wk_shapeCylinder][wk_shapeTriangle]        = {wkGjkCylinderTriangle,     "GJK, EPA"},
    [wk_shapeCylinder][wk_shapeHull]            = {wkGjkCylinderHull,         "GJK, EPA"},
    [wk_shapeCylinder][wk_shapeHalfspace]       = {wkPairAnyHalfspace,        "closed form"},
    [wk_shapeCylinder][wk_shapePlane]           = {wkPairAnyPlane,            "closed form"},
    [wk_shapeCone][wk_shapeCone]                = {wkGjkConeCone,             "GJK, EPA"},
    [wk_shapeCone][wk_shapeEllipsoid]           = {wkGjkConeEllipsoid,        "GJK, EPA"},
    [wk_shapeCone][wk_shapeTriangle]            = {wkGjkConeTriangle,         "GJK, EPA"},
    [wk_shapeCone][wk_shapeHull]                = {wkGjkConeHull,             "GJK, EPA"},
    [wk_shapeCone][wk_shapeHalfspace]           = {wkPairAnyHalfspace,        "closed form"},
    [wk_shapeCone][wk_shapePlane]               = {wkPairAnyPlane,            "closed form"},
    [wk_shapeEllipsoid][wk_shapeEllipsoid]      = {wkGjkEllipsoidEllipsoid,   "GJK, EPA"},
    [wk_shapeEllipsoid][wk_shapeTriangle]       = {wkGjkEllipsoidTriangle,    "GJK, EPA"},
    [wk_shapeEllipsoid][wk_shapeHull]           = {wkGjkEllipsoidHull,        "GJK, EPA"},
    [wk_shapeEllipsoid][wk_shapeHalfspace]      = {wkPairAnyHalfspace,        "closed form"},
    [wk_shapeEllipsoid][wk_shapePlane]          = {wkPairAnyPlane,            "closed form"},
    [wk_shapeTriangle][wk_shapeTriangle]        = {wkGjkTriangleTriangle,     "GJK, EPA"},
    [wk_shapeTriangle][wk_shapeHull]            = {wkGjkTriangleHull,         "GJK, EPA"},
    [wk_shapeTriangle][wk_shapeHalfspace]       = {wkPairAnyHalfspace,        "closed form"},
    [wk_shapeTriangle][wk_shapePlane]           = {wkPairAnyPlane,            "closed form"},
    [wk_shapeHull][wk_shapeHull]                = {wkGjkHullHull,             "GJK, EPA"},
    [wk_shapeHull][wk_shapeHalfspace]           = {wkPairAnyHalfspace,        "closed form"},
    [wk_shapeHull][wk_shapePlane]               = {wkPairAnyPlane,            "closed form"},
    [wk_shapeHalfspace][wk_shapeHalfspace]      = {wkPairHalfspaceHalfspace,  "closed form"},
    [wk_shapeHalfspace][wk_shapePlane]          = {wkPairHalfspacePlane,      "closed form"},
    [wk_shapePlane][wk_shapePlane]              = {wkPairPlanePlane,          "closed form"},
};
// clang-format on

const char* wkPairMethodName(wkShapeType a, wkShapeType b)
{
    bool isKnown = (unsigned)a < (unsigned)wk_shapeTypeCount && (unsigned)b < (unsigned)wk_shapeTypeCount;
    const char* method = NULL;
    if (isKnown) {
        method = a <= b ? wkPairTable[a][b].method : wkPairTable[b][a].method;
    }
    return method != NULL ? method : "none";
}
