// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A map against the items of a hierarchy with boxes that is not a solid: A.

#include "query/map/cell_item.h"

// Whether the functions below apply to a hierarchy; others are evaluated as a whole, cell by cell.
WK_FN bool wkHasCellItems(const wkTreeView* view)
{
    return !view->isSolid && view->tree.kind == wk_volumeAabb;
}

// Finds the closest pair of a cell and an item.
void wkSearchCellItems(const wkBodyQuestion* question, wkCellAsk* ask, wkBodyAnswer* answer);

// Finds the item closest to one cell, up to `reach` away; infinite distance when there is none.
void wkAskCellItems(wkCellAsk* ask, const wkBodyQuestion* question, wkVec3d half, wkVec3d center,
                    double reach, wkDistanceResult* found);
