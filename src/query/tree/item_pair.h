// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Two convex items of any types, evaluated by the pair table.

#include "query/tree/tree_query.h"

// Loads an item with the rounding and padding of its hierarchy.
void wkLoadItem(const wkTreeView* view, const wkShape* tree, int32_t index, wkItem* item);

// Transforms an item by a pose.
void wkTransformItem(const wkPose* pose, wkItem* item);

// Loads an item of B of a question, in the frame of A.
void wkLoadItemOfB(const wkBodyQuestion* question, int32_t index, wkItem* item);

// A sphere around an item, in the frame of the item's pose.
typedef struct wkItemSphere {
    wkVec3d center;
    double radius; // negative where margins are
} wkItemSphere;

wkItemSphere wkSphereAroundItem(const wkItem* item);

// Whether two items are further apart than `reach`, by the spheres around them; false when in doubt.
WK_FN bool wkAreItemsFar(const wkItemSphere* a, const wkItemSphere* b, double reach)
{
    wkVec3d apart = wkSub(b->center, a->center);
    double size = wkMaxAbs(a->center) + wkMaxAbs(b->center) + fabs(a->radius) + fabs(b->radius);
    double limit = wkPositive(reach + (a->radius + b->radius)) + 1e-9 * size;
    return wkDot(apart, apart) > limit * limit;
}

// Evaluates two items, one of each body and both at home, up to `reach` apart; A comes first in the result, whose parts are
// not set.
void wkAskItemPair(const wkBodyQuestion* question, const wkItem* a, const wkItem* b, double reach,
                   wkDistanceResult* found);
