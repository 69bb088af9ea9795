// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Boxes of a crowd in front of a map: tells at once that no cell is near them, for eight boxes at a
// time. Where these are groups of others, whole crowds are told apart before anything else about
// them is looked at.

#include "bv/eight_boxes.h"
#include "query/map/map_walk.h"
#include "whisker/shape.h"

// A map at its place, for many boxes; as long as nobody writes to the map.
typedef struct wkMapBoxCull {
    const wkShape* map; // NULL: none yet
    wkMapView view;
    const wkOctreeEntryGrid* entryGrid; // NULL: begin at the root
    wkMat3d worldFromMap;
    wkVec3d position;
    double wider; // margins of the map
    bool isStraight;
} wkMapBoxCull;

void wkMapBoxCull_Init(wkMapBoxCull* cull, const wkShape* map, const wkPose* pose);

// Those of the boxes in `lanes` that a cell is within `reach` of, or nearly so; a bit for each. The
// boxes are as seen from `origin`.
unsigned wkMapBoxCull_Pass(const wkMapBoxCull* cull, const wkEightBoxes* boxes, wkVec3d origin,
                           double reach, unsigned lanes);

// Compiled once per instruction set.
typedef unsigned wkCullBoxesFcn(const wkMapBoxCull* cull, const wkEightBoxes* boxes, wkVec3d origin,
                                double reach, unsigned lanes);
wkCullBoxesFcn* wkCullBoxesOf(wkIsa isa);
wkCullBoxesFcn* wkCullBoxesOfMachine(void);
