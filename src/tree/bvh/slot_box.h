// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The volume in any slot of any tree, as an oriented box around it.

#include "tree/bvh/tree.h"

WK_FN wkObb wkNodeBox(const wkBoxNode* node, int i)
{
    wkVec3d lower = wkVec(node->lower[0][i], node->lower[1][i], node->lower[2][i]);
    wkVec3d upper = wkVec(node->upper[0][i], node->upper[1][i], node->upper[2][i]);
    wkObb box = {{{{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}, wkMiddle(lower, upper)},
                 wkScale(0.5, wkSub(upper, lower))};
    return box;
}

WK_FN wkObb wkSlotBox(const wkTree* tree, wkSlot slot)
{
    if (tree->kind == wk_volumeAabb) {
        return wkNodeBox(wkTreeBoxes(tree, slot / WK_TREE_WIDTH), (int)(slot % WK_TREE_WIDTH));
    }
    return wkVolumeTable[tree->kind].box(wkTreeVolume(tree, slot));
}
