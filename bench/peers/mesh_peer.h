// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What a library must offer to be measured on meshes: Whisker itself is one of them.

#include "peers/peer.h"

#include "../tests/scenes/mesh_models.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum wkMeshQuery {
    wk_meshCollideFirst, // yes or no
    wk_meshCollideAll,   // every contact, with normal and depth
    wk_meshDistance,     // not signed, with witness points
    wk_meshBuild,        // the hierarchy of the fixed model, from its arrays
    wk_meshRay,          // the first hit of each ray on the fixed model
    wk_meshRayAny,       // whether there is one
    wk_meshQueryCount,
} wkMeshQuery;

// A set of questions about a model that moves against one that stays, or about rays on the latter.
typedef struct wkMeshJob {
    const wkModel* moving; // NULL for builds and rays
    const wkModel* fixed;
    const wkPose* poses; // of the moving model
    const wkRay* rays;
    int count;
    wkMeshQuery query;
    wkVolumeKind volume; // for Whisker alone
    wkSplitMethod split; // for Whisker alone
    wkFront* front;      // for Whisker alone; NULL: none
} wkMeshJob;

// The answer to one question, by query: 1 or 0; triangle pairs or contacts; distance, 0 when
// touching; 1 when built; distance along the ray, -1 without a hit; 1 or 0. NaN: it gave up.

// One way of one library to answer a job.
typedef struct wkMeshPeer {
    const char* name;    // "fcl"
    const char* variant; // the bounding volume, or the function
    // Prepares meshes and poses, not timed; NULL when the library cannot answer such a job.
    void* (*open)(const wkMeshJob* job, wkAnswer* answers);
    void (*pass)(void* handle); // answers every question once
    void (*close)(void* handle);
} wkMeshPeer;

// The peers of this program, those of one name next to each other; ends with a name of NULL.
extern const wkMeshPeer wkMeshPeers[];

// Whisker itself.
extern const wkMeshPeer wkOurMeshSide;

#ifdef __cplusplus
}
#endif
