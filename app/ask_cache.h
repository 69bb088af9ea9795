// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Meshes and maps of files that questions name, kept for the questions that follow.

#include "whisker/io.h"

typedef struct wkAskCache wkAskCache;

// NULL when there is no memory; a NULL cache keeps nothing.
wkAskCache* wkAskCache_Create(void);

void wkAskCache_Destroy(wkAskCache* cache);

// A mesh or a map from a file, loaded when it is not there or the file has changed since. It stays
// until two others have been asked for.
// @param mesh what was found; when `isOwned` is set it belongs to the caller
wkResult wkAskCache_Load(wkAskCache* cache, const char* path, const wkLoadOptions* options,
                         const wkMesh** mesh, bool* isOwned);
wkResult wkAskCache_LoadMap(wkAskCache* cache, const char* path, const wkOctree** octree,
                            bool* isOwned);
