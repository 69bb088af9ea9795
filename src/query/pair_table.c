// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The pair table: one row per pair of types, typeA <= typeB. The entry points swap.

#include "query/pair_table.h"

#include "solve/pairs.h"

// clang-format off
const wkPairRow wkPairTable[wk_shapeTypeCount][wk_shapeTypeCount] = {
    [wk_shapeSphere][wk_shapeSphere]            = {wkNearSphereSphere,          NULL,                    wkGapSphereSphere,    "closed form"},
    [wk_shapeSphere][wk_shapeCapsule]           = {wkNearSphereCapsule,         NULL,                    wkGapSphereCapsule,   "closed form"},
    [wk_shapeSphere][wk_shapeBox]               = {wkNearSphereBox,             NULL,                    wkGapSphereBox,       "closed form"},
    [wk_shapeSphere][wk_shapeCylinder]          = {wkNearSphereCylinder,        NULL,                    wkGapSphereCylinder,  "closed form"},
    [wk_shapeSphere][wk_shapeCone]              = {wkNearSphereCone,            NULL,                    wkGapSphereCone,      "closed form"},
    [wk_shapeSphere][wk_shapeEllipsoid]         = {wkNearSphereEllipsoid,       NULL,                    wkGapSphereEllipsoid, "closed form"},
    [wk_shapeSphere][wk_shapeTriangle]          = {wkNearSphereTriangle,        NULL,                    wkGapSphereTriangle,  "closed form"},
    [wk_shapeSphere][wk_shapeHull]              = {NULL,                        wkSolvePointHull,        NULL,                 "planes, GJK"},
    [wk_shapeSphere][wk_shapeHalfspace]         = {wkNearAnyHalfspace,          NULL,                    wkGapAnyHalfspace,    "closed form"},
    [wk_shapeSphere][wk_shapePlane]             = {wkNearAnyPlane,              NULL,                    wkGapAnyPlane,        "closed form"},
    [wk_shapeCapsule][wk_shapeCapsule]          = {wkNearCapsuleCapsule,        NULL,                    wkGapCapsuleCapsule,  "closed form"},
    [wk_shapeCapsule][wk_shapeBox]              = {wkNearCapsuleBox,            NULL,                    wkGapCapsuleBox,      "closed form"},
    [wk_shapeCapsule][wk_shapeCylinder]         = {wkNearCapsuleCylinder,       NULL,                    wkGapCapsuleCylinder, "closed form"},
    [wk_shapeCapsule][wk_shapeCone]             = {NULL,                        wkGjkSegmentCone,        NULL,                 "GJK, EPA"},
    [wk_shapeCapsule][wk_shapeEllipsoid]        = {NULL,                        wkGjkSegmentEllipsoid,   NULL,                 "GJK, EPA"},
    [wk_shapeCapsule][wk_shapeTriangle]         = {NULL,                        wkGjkSegmentTriangle,    NULL,                 "GJK, EPA"},
    [wk_shapeCapsule][wk_shapeHull]             = {NULL,                        wkGjkSegmentHull,        NULL,                 "GJK, EPA"},
    [wk_shapeCapsule][wk_shapeHalfspace]        = {wkNearAnyHalfspace,          NULL,                    wkGapAnyHalfspace,    "closed form"},
    [wk_shapeCapsule][wk_shapePlane]            = {wkNearAnyPlane,              NULL,                    wkGapAnyPlane,        "closed form"},
    [wk_shapeBox][wk_shapeBox]                  = {NULL,                        wkSolveBoxBox,           NULL,                 "separating axes, GJK"},
    [wk_shapeBox][wk_shapeCylinder]             = {NULL,                        wkGjkBoxCylinder,        NULL,                 "GJK, EPA"},
    [wk_shapeBox][wk_shapeCone]                 = {NULL,                        wkGjkBoxCone,            NULL,                 "GJK, EPA"},
    [wk_shapeBox][wk_shapeEllipsoid]            = {NULL,                        wkGjkBoxEllipsoid,       NULL,                 "GJK, EPA"},
    [wk_shapeBox][wk_shapeTriangle]             = {NULL,                        wkGjkBoxTriangle,        NULL,                 "GJK, EPA"},
    [wk_shapeBox][wk_shapeHull]                 = {NULL,                        wkGjkBoxHull,            NULL,                 "GJK, EPA"},
    [wk_shapeBox][wk_shapeHalfspace]            = {wkNearAnyHalfspace,          NULL,                    wkGapAnyHalfspace,    "closed form"},
    [wk_shapeBox][wk_shapePlane]                = {wkNearAnyPlane,              NULL,                    wkGapAnyPlane,        "closed form"},
    [wk_shapeCylinder][wk_shapeCylinder]        = {NULL,                        wkGjkCylinderCylinder,   NULL,                 "GJK, EPA"},
    [wk_shapeCylinder][wk_shapeCone]            = {NULL,                        wkGjkCylinderCone,       NULL,                 "GJK, EPA"},
    [wk_shapeCylinder][wk_shapeEllipsoid]       = {NULL,                        wkGjkCylinderEllipsoid,  NULL,                 "GJK, EPA"},
    [wk_shapeCylinder][wk_shapeTriangle]        = {NULL,                        wkGjkCylinderTriangle,   NULL,                 "GJK, EPA"},
    [wk_shapeCylinder][wk_shapeHull]            = {NULL,                        wkGjkCylinderHull,       NULL,                 "GJK, EPA"},
    [wk_shapeCylinder][wk_shapeHalfspace]       = {wkNearAnyHalfspace,          NULL,                    wkGapAnyHalfspace,    "closed form"},
    [wk_shapeCylinder][wk_shapePlane]           = {wkNearAnyPlane,              NULL,                    wkGapAnyPlane,        "closed form"},
    [wk_shapeCone][wk_shapeCone]                = {NULL,                        wkGjkConeCone,           NULL,                 "GJK, EPA"},
    [wk_shapeCone][wk_shapeEllipsoid]           = {NULL,                        wkGjkConeEllipsoid,      NULL,                 "GJK, EPA"},
    [wk_shapeCone][wk_shapeTriangle]            = {NULL,                        wkGjkConeTriangle,       NULL,                 "GJK, EPA"},
    [wk_shapeCone][wk_shapeHull]                = {NULL,                        wkGjkConeHull,           NULL,                 "GJK, EPA"},
    [wk_shapeCone][wk_shapeHalfspace]           = {wkNearAnyHalfspace,          NULL,                    wkGapAnyHalfspace,    "closed form"},
    [wk_shapeCone][wk_shapePlane]               = {wkNearAnyPlane,              NULL,                    wkGapAnyPlane,        "closed form"},
    [wk_shapeEllipsoid][wk_shapeEllipsoid]      = {NULL,                        wkGjkEllipsoidEllipsoid, NULL,                 "GJK, EPA"},
    [wk_shapeEllipsoid][wk_shapeTriangle]       = {NULL,                        wkGjkEllipsoidTriangle,  NULL,                 "GJK, EPA"},
    [wk_shapeEllipsoid][wk_shapeHull]           = {NULL,                        wkGjkEllipsoidHull,      NULL,                 "GJK, EPA"},
    [wk_shapeEllipsoid][wk_shapeHalfspace]      = {wkNearAnyHalfspace,          NULL,                    wkGapAnyHalfspace,    "closed form"},
    [wk_shapeEllipsoid][wk_shapePlane]          = {wkNearAnyPlane,              NULL,                    wkGapAnyPlane,        "closed form"},
    [wk_shapeTriangle][wk_shapeTriangle]        = {NULL,                        wkGjkTriangleTriangle,   NULL,                 "GJK, EPA"},
    [wk_shapeTriangle][wk_shapeHull]            = {NULL,                        wkGjkTriangleHull,       NULL,                 "GJK, EPA"},
    [wk_shapeTriangle][wk_shapeHalfspace]       = {wkNearAnyHalfspace,          NULL,                    wkGapAnyHalfspace,    "closed form"},
    [wk_shapeTriangle][wk_shapePlane]           = {wkNearAnyPlane,              NULL,                    wkGapAnyPlane,        "closed form"},
    [wk_shapeHull][wk_shapeHull]                = {NULL,                        wkGjkHullHull,           NULL,                 "GJK, EPA"},
    [wk_shapeHull][wk_shapeHalfspace]           = {wkNearAnyHalfspace,          NULL,                    wkGapAnyHalfspace,    "closed form"},
    [wk_shapeHull][wk_shapePlane]               = {wkNearAnyPlane,              NULL,                    wkGapAnyPlane,        "closed form"},
    [wk_shapeHalfspace][wk_shapeHalfspace]      = {wkNearHalfspaceHalfspace,    NULL,                    NULL,                 "closed form"},
    [wk_shapeHalfspace][wk_shapePlane]          = {wkNearHalfspacePlane,        NULL,                    NULL,                 "closed form"},
    [wk_shapePlane][wk_shapePlane]              = {wkNearPlanePlane,            NULL,                    NULL,                 "closed form"},
};
// clang-format on

const char* wkPairMethodName(wkShapeType a, wkShapeType b)
{
    bool isKnown =
        (unsigned)a < (unsigned)wk_shapeTypeCount && (unsigned)b < (unsigned)wk_shapeTypeCount;
    const char* method = NULL;
    if (isKnown) {
        method = a <= b ? wkPairTable[a][b].method : wkPairTable[b][a].method;
    }
    return method != NULL ? method : "none";
}
