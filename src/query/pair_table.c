// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The pair table: one row per pair of types, typeA <= typeB. The entry points swap.

#include "query/pair_table.h"

#include "solve/pairs.h"

// clang-format off
const wkPairRow wkPairTable[wk_shapeTypeCount][wk_shapeTypeCount] = {
    [wk_shapeSphere][wk_shapeSphere]            = {wkAnswerSphereSphere,        NULL,                   "closed form"},
    [wk_shapeSphere][wk_shapeCapsule]           = {wkAnswerSphereCapsule,       NULL,                   "closed form"},
    [wk_shapeSphere][wk_shapeBox]               = {wkAnswerSphereBox,           NULL,                   "closed form"},
    [wk_shapeSphere][wk_shapeCylinder]          = {wkAnswerSphereCylinder,      NULL,                   "closed form"},
    [wk_shapeSphere][wk_shapeCone]              = {wkAnswerSphereCone,          NULL,                   "closed form"},
    [wk_shapeSphere][wk_shapeEllipsoid]         = {wkAnswerSphereEllipsoid,     NULL,                   "closed form"},
    [wk_shapeSphere][wk_shapeTriangle]          = {wkAnswerSphereTriangle,      NULL,                   "closed form"},
    [wk_shapeSphere][wk_shapeHull]              = {NULL,                        wkGjkPointHull,         "GJK, EPA"},
    [wk_shapeSphere][wk_shapeHalfspace]         = {wkAnswerAnyHalfspace,        NULL,                   "closed form"},
    [wk_shapeSphere][wk_shapePlane]             = {wkAnswerAnyPlane,            NULL,                   "closed form"},
    [wk_shapeCapsule][wk_shapeCapsule]          = {wkAnswerCapsuleCapsule,      NULL,                   "closed form"},
    [wk_shapeCapsule][wk_shapeBox]              = {NULL,                        wkGjkSegmentBox,        "GJK, EPA"},
    [wk_shapeCapsule][wk_shapeCylinder]         = {NULL,                        wkGjkSegmentCylinder,   "GJK, EPA"},
    [wk_shapeCapsule][wk_shapeCone]             = {NULL,                        wkGjkSegmentCone,       "GJK, EPA"},
    [wk_shapeCapsule][wk_shapeEllipsoid]        = {NULL,                        wkGjkSegmentEllipsoid,  "GJK, EPA"},
    [wk_shapeCapsule][wk_shapeTriangle]         = {NULL,                        wkGjkSegmentTriangle,   "GJK, EPA"},
    [wk_shapeCapsule][wk_shapeHull]             = {NULL,                        wkGjkSegmentHull,       "GJK, EPA"},
    [wk_shapeCapsule][wk_shapeHalfspace]        = {wkAnswerAnyHalfspace,        NULL,                   "closed form"},
    [wk_shapeCapsule][wk_shapePlane]            = {wkAnswerAnyPlane,            NULL,                   "closed form"},
    [wk_shapeBox][wk_shapeBox]                  = {NULL,                        wkSolveBoxBox,          "separating axes, GJK"},
    [wk_shapeBox][wk_shapeCylinder]             = {NULL,                        wkGjkBoxCylinder,       "GJK, EPA"},
    [wk_shapeBox][wk_shapeCone]                 = {NULL,                        wkGjkBoxCone,           "GJK, EPA"},
    [wk_shapeBox][wk_shapeEllipsoid]            = {NULL,                        wkGjkBoxEllipsoid,      "GJK, EPA"},
    [wk_shapeBox][wk_shapeTriangle]             = {NULL,                        wkGjkBoxTriangle,       "GJK, EPA"},
    [wk_shapeBox][wk_shapeHull]                 = {NULL,                        wkGjkBoxHull,           "GJK, EPA"},
    [wk_shapeBox][wk_shapeHalfspace]            = {wkAnswerAnyHalfspace,        NULL,                   "closed form"},
    [wk_shapeBox][wk_shapePlane]                = {wkAnswerAnyPlane,            NULL,                   "closed form"},
    [wk_shapeCylinder][wk_shapeCylinder]        = {NULL,                        wkGjkCylinderCylinder,  "GJK, EPA"},
    [wk_shapeCylinder][wk_shapeCone]            = {NULL,                        wkGjkCylinderCone,      "GJK, EPA"},
    [wk_shapeCylinder][wk_shapeEllipsoid]       = {NULL,                        wkGjkCylinderEllipsoid, "GJK, EPA"},
    [wk_shapeCylinder][wk_shapeTriangle]        = {NULL,                        wkGjkCylinderTriangle,  "GJK, EPA"},
    [wk_shapeCylinder][wk_shapeHull]            = {NULL,                        wkGjkCylinderHull,      "GJK, EPA"},
    [wk_shapeCylinder][wk_shapeHalfspace]       = {wkAnswerAnyHalfspace,        NULL,                   "closed form"},
    [wk_shapeCylinder][wk_shapePlane]           = {wkAnswerAnyPlane,            NULL,                   "closed form"},
    [wk_shapeCone][wk_shapeCone]                = {NULL,                        wkGjkConeCone,          "GJK, EPA"},
    [wk_shapeCone][wk_shapeEllipsoid]           = {NULL,                        wkGjkConeEllipsoid,     "GJK, EPA"},
    [wk_shapeCone][wk_shapeTriangle]            = {NULL,                        wkGjkConeTriangle,      "GJK, EPA"},
    [wk_shapeCone][wk_shapeHull]                = {NULL,                        wkGjkConeHull,          "GJK, EPA"},
    [wk_shapeCone][wk_shapeHalfspace]           = {wkAnswerAnyHalfspace,        NULL,                   "closed form"},
    [wk_shapeCone][wk_shapePlane]               = {wkAnswerAnyPlane,            NULL,                   "closed form"},
    [wk_shapeEllipsoid][wk_shapeEllipsoid]      = {NULL,                        wkGjkEllipsoidEllipsoid,"GJK, EPA"},
    [wk_shapeEllipsoid][wk_shapeTriangle]       = {NULL,                        wkGjkEllipsoidTriangle, "GJK, EPA"},
    [wk_shapeEllipsoid][wk_shapeHull]           = {NULL,                        wkGjkEllipsoidHull,     "GJK, EPA"},
    [wk_shapeEllipsoid][wk_shapeHalfspace]      = {wkAnswerAnyHalfspace,        NULL,                   "closed form"},
    [wk_shapeEllipsoid][wk_shapePlane]          = {wkAnswerAnyPlane,            NULL,                   "closed form"},
    [wk_shapeTriangle][wk_shapeTriangle]        = {NULL,                        wkGjkTriangleTriangle,  "GJK, EPA"},
    [wk_shapeTriangle][wk_shapeHull]            = {NULL,                        wkGjkTriangleHull,      "GJK, EPA"},
    [wk_shapeTriangle][wk_shapeHalfspace]       = {wkAnswerAnyHalfspace,        NULL,                   "closed form"},
    [wk_shapeTriangle][wk_shapePlane]           = {wkAnswerAnyPlane,            NULL,                   "closed form"},
    [wk_shapeHull][wk_shapeHull]                = {NULL,                        wkGjkHullHull,          "GJK, EPA"},
    [wk_shapeHull][wk_shapeHalfspace]           = {wkAnswerAnyHalfspace,        NULL,                   "closed form"},
    [wk_shapeHull][wk_shapePlane]               = {wkAnswerAnyPlane,            NULL,                   "closed form"},
    [wk_shapeHalfspace][wk_shapeHalfspace]      = {wkAnswerHalfspaceHalfspace,  NULL,                   "closed form"},
    [wk_shapeHalfspace][wk_shapePlane]          = {wkAnswerHalfspacePlane,      NULL,                   "closed form"},
    [wk_shapePlane][wk_shapePlane]              = {wkAnswerPlanePlane,          NULL,                   "closed form"},
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
