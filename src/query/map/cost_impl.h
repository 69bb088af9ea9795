// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The cells that a robot meets are stored in a separate map, which merges and prunes them by itself: each
// has the log-odds it was met with, unknown ones minus infinity; a cell that is unknown there was not
// met. A copy of that map, which is cheap, undoes an addition that fails.

#include "math/frame.h"
#include "tree/octree/octree_impl.h"
#include "whisker/cost.h"

// Unknown cells that were met.
#define WK_MET_UNKNOWN (-INFINITY)

struct wkCost {
    wkCostDef def;
    wkOctree* met; // NULL before the first addition
};

// Input of one addition, in the frame of the map.
typedef struct wkCostTask {
    const wkCostDef* def;
    const wkOctree* octree;
    wkOctree* met;
    const wkShape* shape;
    wkShape piece;      // a cube of the map, with its margins
    float below;        // known cells above this count
    float unknownWorth; // log-odds assumed for unknown cells
    int64_t workLeft;   // cubes that may yet be examined
} wkCostTask;

// An addition that completes or leaves nothing behind.
typedef struct wkCostEdit {
    wkCost* cost;
    wkOctree* before; // the cells met before; NULL: none
    wkCostTask task;
} wkCostEdit;

// Begins an addition of shapes, one after the other in `task.shape`, to a map.
// @return an error that names what is not valid in the map
wkResult wkCostBegin(wkCost* cost, const wkShape* map, wkCostEdit* edit);

// Ends it: keeps what was added, or restores the previous state when `result` is a failure.
// @return `result`
wkResult wkCostEnd(wkCostEdit* edit, wkResult result);

// Checks that poses are valid and keep a shape within the range of map queries.
wkResult wkCostCheckPoses(wkPose mapPose, const wkPose* poses, int32_t count);

// Transforms a pose into the frame of the map and normalizes its rotation.
wkPose wkPlaceInMap(wkPose mapPose, wkPose pose);

// Metres by which a shape may be inflated along a motion.
double wkCostInflation(const wkCostTask* task);

// Adds the cells within `inflation` of the shape, beyond the margin.
// @return wk_errorMemory or wk_errorRange: some of them were added
wkResult wkCostAddPose(wkCostTask* task, const wkPose* atPose, double inflation);

// Adds the cells along the motion between two poses, both included.
wkResult wkCostAddWay(wkCostTask* task, const wkPose* from, const wkPose* to);

// Reports that the work limit was exceeded.
wkResult wkCostFailWork(const wkCostTask* task);
