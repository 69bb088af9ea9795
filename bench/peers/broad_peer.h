// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What a library must offer to be measured on many boxes that move: Whisker itself is one of them.

#include "peers/peer.h"

#include "whisker/scene.h"

#ifdef __cplusplus
extern "C" {
#endif

// Boxes along the axes. In each frame all of them move, the library brings itself up to date and
// gives every pair of boxes that meet. Coordinates are exact in single precision and no two boxes
// just touch, so there is one right number of pairs.
typedef struct wkBroadJob {
    const wkVec3d* sizes; // of each box
    int boxCount;
    const wkVec3d* centers; // boxCount for each frame; the last frame leads back to the first
    int frameCount;
    wkBroadPhase broadPhase; // for Whisker alone
} wkBroadJob;

typedef struct wkBroadPeer {
    const char* name;    // "fcl"
    const char* variant; // "tree"
    // Prepares the boxes of the first frame, not timed; NULL when there is no memory.
    void* (*open)(const wkBroadJob* job);
    long (*step)(void* handle, int frame); // moves to a frame; the number of pairs there
    void (*close)(void* handle);
} wkBroadPeer;

// The peers of this program, those of one name next to each other; ends with a name of NULL.
extern const wkBroadPeer wkBroadPeers[];

// Whisker itself.
extern const wkBroadPeer wkOurBroadSide;

#ifdef __cplusplus
}
#endif
