// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Small occupancy maps of every kind, and the boxes that they consist of: a query about a map must
// say what queries about its cells say.

#include "rng.h"
#include "whisker/whisker.h"

#ifdef __cplusplus
extern "C" {
#endif

// How a map looks; one row per kind in maps.c.
#define WK_MAP_KIND_COUNT 8

const char* wkMapKindName(int kind);

// Whether cubes as large as the whole map may be occupied.
bool wkMapIsVast(int kind);

// A map of that kind about the origin of its frame; NULL when memory is short. What is in it lies
// within about 16 cells of the origin, but for kinds that fill all of it.
wkOctree* wkMakeMap(int kind, double resolution, uint64_t seed);

// A piece of a map: a cell as a box, or one side of the space beyond the map as a half-space.
typedef struct wkMapPart {
    wkShape shape; // with the rounding and padding of the map
    wkPose pose;   // in the world
    int64_t id;    // of the cell; -1: beyond the map
    bool isUnknown;
} wkMapPart;

// All pieces that count, in no particular order, for a map that stands at `pose`.
// @return how many there are; no more than `capacity` are written
int32_t wkMapParts(const wkShape* map, wkPose pose, wkMapPart* parts, int32_t capacity);

#ifdef __cplusplus
}
#endif
