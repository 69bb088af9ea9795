// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// One row per shape that is a hierarchy.

#include "tree/tree_shape.h"

#include "base/error.h"

static bool isNeverSound(const wkShape* shape)
{
    (void)shape;
    return false;
}

static wkResult refuseHeightField(const wkShape* shape)
{
    (void)shape;
    return wkFail(wk_errorUnsupported, "heightfield: not in this build");
}

// clang-format off
const wkTreeShapeRow wkTreeShapeTable[wk_shapeTypeCount - WK_CONVEX_TYPE_COUNT] = {
    [wk_shapeMesh - WK_CONVEX_TYPE_COUNT]        = {"mesh",        wkMeshIsSound, wkMeshCheck,       wkMeshView},
    [wk_shapeHeightField - WK_CONVEX_TYPE_COUNT] = {"heightfield", isNeverSound,  refuseHeightField, NULL},
};
// clang-format on
