// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Look-ups and checks of one sphere, compiled as C++: as other devices compile them.

#include "batch/field_view.h"

#ifdef __cplusplus
extern "C" {
#endif

// Looks up the cell of a sphere. @return whether it is open; bit 1: it is touching
unsigned wkCheckCellInCpp(const wkFieldGrid* grid, const float center[3], float radius);

// Returns wkFieldItem_CheckSphere.
wkVerdict wkCheckSphereInCpp(const wkField* field, int32_t side, const float center[3],
                             float radius);

#ifdef __cplusplus
}
#endif
