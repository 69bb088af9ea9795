// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Culls boxes that have no cell of a map nearby, eight boxes at a time. Where these bound groups of other
// boxes, whole groups are culled before any other test.

#include "bv/eight_boxes.h"
#include "query/map/map_walk.h"
#include "whisker/shape.h"

// A map at its pose, for many boxes; valid until the map is written to.
typedef struct wkMapBoxCull {
    const wkShape* map; // NULL: none yet
    wkMapView view;
    const wkOctreeEntryGrid* entryGrid;
    wkMat3d worldFromMap;
    wkVec3d position;
    double wider; // margins of the map
    bool isStraight;
} wkMapBoxCull;

void wkMapBoxCull_Init(wkMapBoxCull* cull, const wkShape* map, const wkPose* pose);

// Returns a bit for each box in `lanes` that has a cell within `reach`, or nearly so. The boxes are relative
// to `origin`.
unsigned wkMapBoxCull_Pass(const wkMapBoxCull* cull, const wkEightBoxes* boxes, wkVec3d origin,
                           double reach, unsigned lanes);

// Compiled once per instruction set.
typedef unsigned wkCullBoxesFcn(const wkMapBoxCull* cull, const wkEightBoxes* boxes, wkVec3d origin,
                                double reach, unsigned lanes);
wkCullBoxesFcn* wkCullBoxesOf(wkIsa isa);
wkCullBoxesFcn* wkCullBoxesOfMachine(void);
