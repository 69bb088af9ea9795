// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Detects that no cell of a map is near a box: by far the most bodies near a map are culled this way,
// before any other test.

#include "query/map/map_walk.h"
#include "whisker/shape.h"

// A map at its pose, for many boxes.
typedef struct wkMapCull {
    const wkShape* map; // NULL: none yet
    const wkMapLanes* lanes;
    wkMapView view;
    wkMat3d worldFromMap;
    wkVec3d position;
    double wider; // margins of the map
    bool isStraight;
    wkCubes nearCubes; // cells near the last box that passed
} wkMapCull;

void wkMapCull_Init(wkMapCull* cull, const wkShape* map, const wkPose* pose);

// Returns false when every cell is further than `reach` from a box of the world. Otherwise all cells within
// reach are in `near`, unless that is left empty.
bool wkMapCull_Passes(wkMapCull* cull, const wkAabb* box, double reach);
