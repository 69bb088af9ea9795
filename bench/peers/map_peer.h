// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What a library must offer to be measured on occupancy maps.

#include "whisker/octree.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct wkMapPeer {
    const char* name;    // "octomap"
    const char* variant; // "discrete"
    bool isExact;        // which of our modes gives the same map
    // An empty map, and the scan as the library wants it; not timed.
    void* (*open)(double resolution, const wkScan* scan);
    void (*insert)(void* handle, bool isExact);             // takes the scan in once more
    long (*countWrong)(void* handle, const wkOctree* ours); // leaves that are not as ours
    double (*countBytes)(void* handle);
    void (*close)(void* handle);     // NULL is fine
    void* (*read)(const char* path); // a map from a .bt or .ot file; NULL when it cannot be read
} wkMapPeer;

// Ends with a name of NULL.
extern const wkMapPeer wkMapPeers[];

#ifdef __cplusplus
}
#endif
