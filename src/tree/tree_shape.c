// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// One row per shape that is a hierarchy.

#include "tree/tree_shape.h"

// clang-format off
const wkTreeShapeRow wkTreeShapeTable[wk_shapeTypeCount - WK_CONVEX_TYPE_COUNT] = {
    [wk_shapeMesh - WK_CONVEX_TYPE_COUNT]        = {"mesh",        wkMeshIsSound,  wkMeshCheck,  wkMeshView},
    [wk_shapeHeightField - WK_CONVEX_TYPE_COUNT] = {"heightfield", wkFieldIsSound, wkFieldCheck, wkFieldView},
};
// clang-format on
