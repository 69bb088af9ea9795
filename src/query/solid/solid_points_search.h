// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A search for the points of a cloud that are inside a solid: what both of its ways share.

#include "query/solid/solid_points.h"

#include "query/tree/box_bounds.h"
#include "tree/bvh/slot_box.h"

typedef struct wkPointSearch {
    const wkBodyQuestion* question;
    const wkTreeShapeRow* solid;
    wkFloatRotation aFromB;
    wkCenteredBox solidBox; // the bounds of the solid
    float limit;            // of squared gaps between boxes that touch, rounding included
    wkBoxWalk boxWalk;      // over the triangles, from the box of a node
    double slack;           // rounding of depths
    double size;            // half the diagonal of the bounds
    double deepest;         // depth of the deepest centre inside plus its radius
    int32_t item;           // that point, or any point inside; -1: none
    int32_t visitCount;
} wkPointSearch;

WK_FN wkVec3d wkSearchedPoint(const wkPointSearch* s, int32_t index)
{
    const wkPointGroup* group = &s->question->viewA.groups[index / WK_TREE_WIDTH];
    int i = index % WK_TREE_WIDTH;
    return wkVec((double)group->x[i], (double)group->y[i], (double)group->z[i]);
}

WK_FN double wkSearchedRadius(const wkPointSearch* s, int32_t index)
{
    wkItem item;
    wkViewItem(&s->question->viewA, index, &item);
    return item.shape.sphere.radius;
}

// Whether the solid contains a point of its own frame.
WK_FN bool wkSearchContains(const wkPointSearch* s, wkVec3d local)
{
    return s->solid->contains(s->question->viewB.source, local);
}

// Finds the slots of a node of the cloud whose boxes touch the bounds of the solid.
WK_FN unsigned wkFindNearSlots(const wkPointSearch* s, uint32_t node)
{
    wkBounds bounds;
    return wkBoundBoxes(&s->aFromB, &s->solidBox, wkTreeBoxes(&s->question->viewA.tree, node),
                        s->limit, &bounds);
}

// Whether triangles may be near the box of a slot.
bool wkIsNearSurface(wkPointSearch* search, const wkObb* box);

// Finds any point inside the solid, where the distance of each sphere from its surface is at least `clear`, negative
// where they overlap.
void wkFindInside(wkPointSearch* search, double clear);
