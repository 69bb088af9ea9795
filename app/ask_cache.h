// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Cache of meshes, maps and clouds from files that questions refer to.

#include "whisker/io.h"

typedef struct wkAskCache wkAskCache;

// Returns NULL when out of memory; a NULL cache keeps nothing.
wkAskCache* wkAskCache_Create(void);

void wkAskCache_Destroy(wkAskCache* cache);

// Return a mesh, map or cloud from a file, which is loaded if it is not cached or has changed. It stays until two
// others have been requested.
// @param mesh the result; when `isOwned` is set it belongs to the caller
wkResult wkAskCache_Load(wkAskCache* cache, const char* path, const wkLoadDef* options,
                         wkLoadInfo* info, const wkMesh** mesh, bool* isOwned);
wkResult wkAskCache_LoadMap(wkAskCache* cache, const char* path, const wkOctree** octree,
                            bool* isOwned);

// The same for clouds of points, and for spheres: rows of x, y, z and a radius, of whose options `allowsEmpty`
// matters.
wkResult wkAskCache_LoadCloud(wkAskCache* cache, const char* path, const wkLoadDef* options,
                              wkLoadInfo* info, const wkCloud** cloud, bool* isOwned);
wkResult wkAskCache_LoadSpheres(wkAskCache* cache, const char* path, const wkLoadDef* options,
                                wkLoadInfo* info, const wkCloud** cloud, bool* isOwned);

// Reads a table of spheres as a cloud.
wkResult wkLoadSpheres(const char* path, bool allowsEmpty, wkCloud** cloud);
