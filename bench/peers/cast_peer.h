// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What a library must offer to be measured on casts: Whisker itself is one of them.

#include "../tests/scenes/mesh_models.h"
#include "peers/peer.h"

#ifdef __cplusplus
extern "C" {
#endif

// A moves from one pose to another, B stands.
typedef struct wkCastWay {
    wkPose start;
    wkPose end;
    wkPose standing; // of B
} wkCastWay;

// A set of questions about one pair of bodies: the first time of contact, from 0 to 1.
typedef struct wkCastJob {
    wkShape a;
    wkShape b;
    const wkModel* modelA; // triangles of a mesh; NULL: a convex shape
    const wkModel* modelB;
    const wkCastWay* ways;
    int count;
    bool isScrew; // else a line, and a rotation about a constant axis
} wkCastJob;

// The answer is the time; infinity: no contact. NaN: it gave up.
typedef struct wkCastPeer {
    const char* name;    // "fcl"
    const char* variant; // "libccd"; NULL when there is one way only
    // Prepares shapes and poses, not timed; NULL when the library cannot answer such a job.
    void* (*open)(const wkCastJob* job, wkAnswer* answers);
    void (*pass)(void* handle); // answers every question once
    void (*close)(void* handle);
} wkCastPeer;

// The peers of this program, those of one name next to each other; ends with a name of NULL.
extern const wkCastPeer wkCastPeers[];

// Whisker itself, and its distance at the start of each way, for which the answer is that distance.
extern const wkCastPeer wkOurCastSide;
extern const wkCastPeer wkOurStartSide;

// Time of contact that libraries have to come close to: what FCL does by default.
#define WK_CAST_TOLERANCE 1e-4

#ifdef __cplusplus
}
#endif
