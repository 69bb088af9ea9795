// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The pairs of cores whose depth is found without EPA.

#include "solve/depth_list/depth_list.h"

#include "whisker/detail/counts.h"

// clang-format off
wkDepthFcn* const wkDepthTable[WK_CONVEX_TYPE_COUNT][WK_CONVEX_TYPE_COUNT] = {
    [wk_shapeCapsule][wk_shapeCone]        = wkGlobalDepth,
    [wk_shapeCapsule][wk_shapeEllipsoid]   = wkGlobalDepth,
    [wk_shapeCapsule][wk_shapeHull]        = wkDepthSegmentHull,

    [wk_shapeBox][wk_shapeCylinder]        = wkDepthBoxCylinder,
    [wk_shapeBox][wk_shapeCone]            = wkDepthBoxCone,
    [wk_shapeBox][wk_shapeEllipsoid]       = wkDepthBoxEllipsoid,
    [wk_shapeBox][wk_shapeTriangle]        = wkDepthBoxTriangle,
    [wk_shapeBox][wk_shapeHull]            = wkDepthBoxHull,

    [wk_shapeCylinder][wk_shapeCylinder]   = wkDepthRound,
    [wk_shapeCylinder][wk_shapeCone]       = wkDepthRound,
    [wk_shapeCylinder][wk_shapeEllipsoid]  = wkDepthCylinderEllipsoid,
    [wk_shapeCylinder][wk_shapeHull]       = wkDepthCylinderHull,

    [wk_shapeCone][wk_shapeCone]           = wkDepthRound,
    [wk_shapeCone][wk_shapeEllipsoid]      = wkGlobalDepth,
    [wk_shapeCone][wk_shapeHull]           = wkDepthConeHull,

    [wk_shapeEllipsoid][wk_shapeEllipsoid] = wkGlobalDepth,
    [wk_shapeEllipsoid][wk_shapeHull]      = wkDepthEllipsoidHull,

    [wk_shapeHull][wk_shapeHull]           = wkDepthHullHull,
};
// clang-format on
