// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// A ray along an axis against the eight boxes of a node: five comparisons.

#include "simd/eight.h"
#include "tree/mesh/crossing.h"

// Boxes that the column hits. Empty slots are too far away to be hit.
WK_FORCE_FN unsigned meetSides(const wkBoxNode* node, const wkColumn* c)
{
    int u = c->u, v = c->v;
    return wkNotAbove8(wkLoad8(node->lower[u]), wkSplat8(c->up[u])) &
           wkNotAbove8(wkSplat8(c->down[u]), wkLoad8(node->upper[u])) &
           wkNotAbove8(wkLoad8(node->lower[v]), wkSplat8(c->up[v])) &
           wkNotAbove8(wkSplat8(c->down[v]), wkLoad8(node->upper[v]));
}

WK_FORCE_FN unsigned meetUpward(const wkTree* tree, uint32_t node, const wkColumn* c)
{
    const wkBoxNode* boxes = wkTreeBoxes(tree, node);
    return meetSides(boxes, c) & wkNotAbove8(wkSplat8(c->down[c->w]), wkLoad8(boxes->upper[c->w]));
}

WK_FORCE_FN unsigned meetDownward(const wkTree* tree, uint32_t node, const wkColumn* c)
{
    const wkBoxNode* boxes = wkTreeBoxes(tree, node);
    return meetSides(boxes, c) & wkNotAbove8(wkLoad8(boxes->lower[c->w]), wkSplat8(c->up[c->w]));
}

extern wkCountCrossingsFcn WK_KERNEL(wkCountCrossings);
wkCrossings WK_KERNEL(wkCountCrossings)(const wkMesh* mesh, const wkColumn* column)
{
    return column->isUpward ? wkWalkColumn(mesh, column, meetUpward)
                            : wkWalkColumn(mesh, column, meetDownward);
}
