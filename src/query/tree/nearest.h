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

// Nearest to `point`, up to `cutoff` away. All in the frame of the tree; rounding and padding do not
// count.
wkNearest wkNearestOfTree(const wkTreeView* view, wkVec3d point, double cutoff);

// Least coordinate along a unit direction in A's frame, where `frame` places the tree.
wkNearest wkLowestOfTree(const wkTreeView* view, const wkFrame* frame, wkVec3d direction);
