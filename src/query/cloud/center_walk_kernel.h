// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The walk over the hierarchies of two clouds for the distance of centres. Boxes of nodes contain spheres; where all
// spheres of a cloud have one radius, the boxes of their centres are smaller by it.

#include "base/cpu.h"
#include "query/tree/distance_walk.h"

typedef struct wkCenterWalk {
    wkTreesWalk trees; // first: leaves are visited with it; both trees have boxes
    float radiusA;     // of all spheres of A; 0: they have radii of their own
    float radiusB;
} wkCenterWalk;

// Compiled once per instruction set. All give the same walk: bounds are rounded alike.
typedef void wkWalkCentersFcn(wkCenterWalk* walk);
wkWalkCentersFcn* wkWalkCentersOf(wkIsa isa);
wkWalkCentersFcn* wkWalkCentersOfMachine(void);
