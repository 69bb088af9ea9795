// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Distances at the middles of cubes of a lattice: what is computed for one sphere serves the next.

#include "fit/fit_surface.h"

// A cube: its edge is the extent of the surface, halved `level` times.
typedef struct wkOutCube {
    int32_t level;
    int64_t x, y, z;
} wkOutCube;

typedef struct wkOutEntry {
    uint64_t key; // 0: empty
    double distance;
} wkOutEntry;

typedef struct wkOutCache {
    const wkFitSurface* surface;
    wkOutEntry* entries; // NULL: nothing is kept
    int32_t count;
} wkOutCache;

// Where there is no memory, nothing is kept.
void wkOutCache_Create(const wkFitSurface* surface, wkOutCache* cache);
void wkOutCache_Destroy(wkOutCache* cache);

double wkOutCube_Edge(const wkFitSurface* surface, int32_t level);
wkVec3d wkOutCube_Middle(const wkFitSurface* surface, const wkOutCube* cube);

// Signed distance of the middle of a cube from the bodies, not below the truth.
double wkOutCache_Distance(wkOutCache* cache, const wkOutCube* cube);
