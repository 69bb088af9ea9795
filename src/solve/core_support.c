// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Support functions by type.

#include "solve/core_support.h"

#include "whisker/detail/counts.h"

// clang-format off
wkSupportFcn* const wkCoreSupportTable[WK_CONVEX_TYPE_COUNT] = {
    [wk_shapeSphere]    = wkSupportPoint,
    [wk_shapeCapsule]   = wkSupportSegment,
    [wk_shapeBox]       = wkSupportBox,
    [wk_shapeCylinder]  = wkSupportCylinder,
    [wk_shapeCone]      = wkSupportCone,
    [wk_shapeEllipsoid] = wkSupportEllipsoid,
    [wk_shapeTriangle]  = wkSupportTriangle,
    [wk_shapeHull]      = wkSupportHull,
};
// clang-format on
