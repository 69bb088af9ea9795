// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Tells at once that no cell of a map is near a box: by far the most bodies in front of a map are told
// apart this way, before anything else about them is looked at.

#include "query/map/map_walk.h"
#include "whisker/shape.h"

// A map at its place, for many boxes.
typedef struct wkMapCull {
    const wkShape* map; // NULL: none yet
    const wkMapLanes* lanes;
    wkMapView view;
    wkMat3d worldFromMap;
    wkVec3d position;
    double wider; // margins of the map
    bool isStraight;
    wkCubes near; // the last box that passed
} wkMapCull;

void wkMapCull_Init(wkMapCull* cull, const wkShape* map, const wkPose* pose);

// False when every cell is further than `reach` from a box of the world. Else all cells that are not
// are in `near`, unless that is left without any.
bool wkMapCull_Passes(wkMapCull* cull, const wkAabb* box, double reach);
