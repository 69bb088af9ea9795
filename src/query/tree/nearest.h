// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The point of a tree's surface that is nearest to a point or furthest along a direction.

#include "query/tree/tree_query.h"

typedef struct wkNearest {
    double distance; // infinite: nothing within the cutoff
    wkVec3d point;
    int32_t item;
} wkNearest;

// Finds the point nearest to `point`, up to `cutoff` away. All in the frame of the tree; rounding and
// padding are ignored.
wkNearest wkNearestOfTree(const wkTreeView* view, wkVec3d point, double cutoff);

// The same for distances that matter only from `least` on: below it, some point that is as near.
wkNearest wkNearestFrom(const wkTreeView* view, wkVec3d point, double least);

// Finds the least coordinate along a unit direction in A's frame, where `frame` is the pose of the tree.
wkNearest wkLowestOfTree(const wkTreeView* view, const wkFrame* frame, wkVec3d direction);
