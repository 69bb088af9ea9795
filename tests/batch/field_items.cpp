// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

#include "field_items.h"

#include "batch/field_item.h"
#include "batch/field_sphere_item.h"

unsigned wkCheckCellInCpp(const wkFieldGrid* grid, const float center[3], float radius)
{
    wkFieldCell cell = wkFieldItem_Find(grid, center);
    unsigned isOpen = wkFieldItem_IsOpen(grid, cell, radius) ? 1u : 0u;
    return isOpen != 0 && wkFieldItem_IsTouching(grid, cell, radius) ? isOpen | 2u : isOpen;
}

wkVerdict wkCheckSphereInCpp(const wkField* field, int32_t side, const float center[3],
                             float radius)
{
    return wkFieldItem_CheckSphere(field, side, center, radius);
}
