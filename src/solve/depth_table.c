// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The pairs of cores whose depth has a closed form.

#include "solve/depth.h"

// clang-format off
wkDepthFcn* const wkDepthTable[wk_shapeTypeCount][wk_shapeTypeCount] = {
    [wk_shapeBox][wk_shapeCylinder] = wkDepthBoxCylinder,
};
// clang-format on
