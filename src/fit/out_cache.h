// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Cache of distances at the centers of lattice cubes, shared by the checks of all spheres.

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
    wkOutEntry* entries; // NULL: nothing is cached
    int32_t count;
} wkOutCache;

// Creates the cache. When out of memory, the cache stays empty and every distance is computed.
void wkOutCache_Create(const wkFitSurface* surface, wkOutCache* cache);
void wkOutCache_Destroy(wkOutCache* cache);

double wkOutCube_Edge(const wkFitSurface* surface, int32_t level);
wkVec3d wkOutCube_Middle(const wkFitSurface* surface, const wkOutCube* cube);

// Returns the signed distance of the center of a cube from the bodies, never below the true one.
double wkOutCache_Distance(wkOutCache* cache, const wkOutCube* cube);
