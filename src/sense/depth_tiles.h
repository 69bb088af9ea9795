// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The objects of a scene in the view of one camera, and the objects that the pixels of a tile can see.

#include "query/ray/ray_target.h"
#include "whisker/scene.h"

// An object in the frame of a camera.
typedef struct wkDepthTarget {
    wkRayTarget rays;
    wkShape shape;
    const void* user;
    wkVec3d center;  // of a box around it, in the frame of the camera
    wkVec3d axes[3]; // half edges of that box
    double nearest;  // lower bound on its depths
    bool isBounded;  // false: the box is not set
} wkDepthTarget;

// A rectangle of slopes, which are directions as points (x, y) at depth 1.
typedef struct wkSlopeRect {
    double lowerX, upperX;
    double lowerY, upperY;
} wkSlopeRect;

// Sorted by `nearest`, ascending.
typedef struct wkDepthTargets {
    wkDepthTarget* items;
    wkSlopeRect* rects; // where each may be visible
    int32_t count;
    wkVec3d eye;      // position of the camera in the world
    wkMat3d rotation; // of the camera
    void* memory;
    size_t byteCount;
} wkDepthTargets;

// Maximum number of objects; scenes with more use the broad phase.
#define WK_MAX_DEPTH_TARGETS 16384

// Collects the objects that may be visible up to a depth.
// @return false without memory
bool wkDepthTargets_Create(const wkScene* scene, wkPose pose, double farthest,
                           wkDepthTargets* targets);
void wkDepthTargets_Destroy(wkDepthTargets* targets);

// A target that pixels of a tile may see.
typedef struct wkTileTarget {
    const wkDepthTarget* target;
    double nearest; // lower bound on its depths in the tile
} wkTileTarget;

// Finds targets that may be visible to pixels with slopes in the rectangle, the nearest first.
// @return number of targets; -1: more than the capacity
int32_t wkDepthTargets_Cull(const wkDepthTargets* targets, const wkSlopeRect* tile,
                            wkTileTarget* inCamera, int32_t capacity);
