// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// One row per shape that is a hierarchy.

#include "tree/bvh/tree_shape.h"

#include "tree/height_field/height_field_impl.h"
#include "tree/mesh/crossing.h"

// clang-format off
const wkTreeShapeRow wkTreeShapeTable[WK_TREE_TYPE_COUNT] = {
    [wk_shapeMesh - WK_CONVEX_TYPE_COUNT]        = {"mesh",        wkMeshIsValid,  wkMeshCheck,  wkMeshView,  wkMeshContains,  wkMeshMass,  wkMeshTriangulate},
    [wk_shapeHeightField - WK_CONVEX_TYPE_COUNT] = {"heightfield", wkFieldIsValid, wkFieldCheck, wkFieldView, wkFieldContains, wkFieldMass, wkFieldTriangulate},
};
// clang-format on
