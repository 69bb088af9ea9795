// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What a library must offer to be measured on filters of point clouds.

#include "whisker/cloud_filter.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct wkFilterPeer {
    const char* name; // "pcl"
    // Takes finite points as the library wants them: four floats each, the last is 1. Not timed.
    void* (*open)(const float* points, int32_t count);
    // Applies a filter; returns the number of points that are kept, -1: it has none of this kind.
    int32_t (*apply)(void* handle, const wkFilterStep* step);
    const int32_t* (*kept)(void* handle);                           // indices; not of voxels
    void (*centroid)(void* handle, int32_t index, float center[3]); // of the voxels
    void (*close)(void* handle);
} wkFilterPeer;

// Ends with a name of NULL.
extern const wkFilterPeer wkFilterPeers[];

#ifdef __cplusplus
}
#endif
