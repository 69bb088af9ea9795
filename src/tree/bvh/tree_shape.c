// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// One row per shape that is a hierarchy. A program of the tests compiles this file with one more.

#include "tree/bvh/tree_shape.h"

#include "tree/height_field/height_field_impl.h"
#include "tree/mesh/crossing.h"

#ifdef WK_FURTHER_TREE_ROW
#include WK_FURTHER_TREE_ROW
#endif

const wkTreeShapeRow wkTreeShapeTable[WK_SHAPE_TYPE_LIMIT] = {
    [wk_shapeMesh] =
        {
            .name = "mesh",
            .facts = {.byteCount = sizeof(const wkMesh*),
                      .digest = wkMeshDigest,
                      .changes = wkMeshChanges,
                      .extent = wk_extentBox,
                      .isAttachable = true,
                      .tessellate = wkMeshTessellate},
            .isValid = wkMeshIsValid,
            .check = wkMeshCheck,
            .view = wkMeshView,
            .contains = wkMeshContains,
            .mass = wkMeshMass,
            .triangulate = wkMeshTriangulate,
        },
    [wk_shapeHeightField] =
        {
            .name = "heightfield",
            .facts = {.byteCount = sizeof(const wkHeightField*),
                      .digest = wkFieldDigest,
                      .extent = wk_extentBox,
                      .isAttachable = true,
                      .tessellate = wkFieldTessellate},
            .isValid = wkFieldIsValid,
            .check = wkFieldCheck,
            .view = wkFieldView,
            .contains = wkFieldContains,
            .mass = wkFieldMass,
            .triangulate = wkFieldTriangulate,
        },
    [wk_shapeCloud] =
        {
            .name = "cloud",
            .facts = {.byteCount = sizeof(const wkCloud*),
                      .digest = wkCloudDigest,
                      .extent = wk_extentBox},
            .hasShapes = true,
            .isValid = wkCloudIsValid,
            .check = wkCloudCheck,
            .view = wkCloudTreeView,
            .mass = wkCloudMass,
            .triangulate = wkCloudTriangulate,
        },
#ifdef WK_FURTHER_TREE_ROW
    WK_TREE_ROW,
#endif
};
