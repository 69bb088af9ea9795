// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The cells that a robot meets are kept in a map of their own, which unites and prunes them by
// itself: each has the log-odds it was met with, unknown ones minus infinity, and what is unknown
// there was not met. A copy of it, which costs little, undoes an addition that fails.

#include "math/frame.h"
#include "tree/octree/octree_impl.h"
#include "whisker/cost.h"

// Unknown cells that were met.
#define WK_MET_UNKNOWN (-INFINITY)

struct wkCost {
    wkCostDef def;
    wkOctree* met; // NULL before the first addition
};

// What one call adds, in the frame of the map.
typedef struct wkCostTask {
    const wkCostDef* def;
    const wkOctree* octree;
    wkOctree* met;
    const wkShape* shape;
    wkShape piece;      // a cube of the map, with its margins
    float below;        // known cells above this count
    float unknownWorth; // log-odds that unknown cells are taken for
    int64_t workLeft;   // cubes that may still be looked at
} wkCostTask;

// An addition that is done whole or not at all.
typedef struct wkCostEdit {
    wkCost* cost;
    wkOctree* before; // what was met before; NULL: nothing
    wkCostTask task;
} wkCostEdit;

// Begins an addition of shapes, one after the other in `task.shape`, in front of a map.
// @return what is wrong with the map
wkResult wkCostBegin(wkCost* cost, const wkShape* map, wkCostEdit* edit);

// Ends it: what was added stays, or nothing when `result` is a failure.
// @return `result`
wkResult wkCostEnd(wkCostEdit* edit, wkResult result);

// Poses must be valid and leave a shape where a map can be asked about it.
wkResult wkCostCheckPoses(wkPose mapPose, const wkPose* poses, int32_t count);

// Where a pose is in the frame of the map, of unit length.
wkPose wkPlaceInMap(wkPose mapPose, wkPose pose);

// Metres that a shape may be grown by on its way.
double wkCostInflation(const wkCostTask* task);

// Adds the cells within `growth` of the shape, beyond the margin.
// @return wk_errorMemory or wk_errorRange: some of them were added
wkResult wkCostAddPose(wkCostTask* task, const wkPose* atPose, double inflation);

// Adds the cells on the way between two places, both included.
wkResult wkCostAddWay(wkCostTask* task, const wkPose* from, const wkPose* to);

// What is said when there is more to do than allowed.
wkResult wkCostFailWork(const wkCostTask* task);
