// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What a library must offer to be measured on point clouds.

#include "../tests/scenes/mesh_models.h"

#ifdef __cplusplus
extern "C" {
#endif

// A body and what is asked about it and points that are spheres.
typedef struct wkCloudQuestion {
    wkShape shape;
    const wkModel* model; // triangles of a mesh; NULL: a convex shape
    double reach;         // radius of the sphere about the origin of the shape that holds it
    double pointRadius;
    bool isVerdict; // whether it touches a point; else the distance from the nearest
} wkCloudQuestion;

typedef struct wkCloudPeer {
    const char* name;
    const char* variant;
    bool isExact; // points are points; else cells hold them, and answers are not compared

    // An index of finite points, x, y and z of each, which stay valid; timed in rows about building.
    void* (*build)(const float* points, int32_t count);

    // A body as the library has it; NULL: it cannot be asked.
    void* (*prepare)(const wkCloudQuestion* question);

    // Distance at a pose; of a verdict, any number up to 0 where a point is touched.
    double (*ask)(void* index, void* body, wkPose pose);

    void (*release)(void* body);
    void (*destroy)(void* index);
} wkCloudPeer;

// Ends with a name of NULL.
extern const wkCloudPeer wkCloudPeers[];

#ifdef __cplusplus
}
#endif
