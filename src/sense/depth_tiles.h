// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The objects of a scene as one camera sees them, and which of them the pixels of a tile can see.

#include "query/ray/ray_target.h"
#include "whisker/scene.h"

// An object in front of a camera.
typedef struct wkDepthTarget {
    wkRayTarget rays;
    wkShape shape;
    const void* user;
    wkVec3d center;  // of a box around it, in the frame of the camera
    wkVec3d axes[3]; // half edges of that box
    double nearest;  // lower bound of its depths
    bool isBounded;  // false: the box is not set
} wkDepthTarget;

// A rectangle of slopes, which are directions as points (x, y) at depth 1.
typedef struct wkSlopeRect {
    double lowerX, upperX;
    double lowerY, upperY;
} wkSlopeRect;

// By `nearest`, the nearest first.
typedef struct wkDepthTargets {
    wkDepthTarget* items;
    wkSlopeRect* rects; // where each may be seen
    int32_t count;
    wkVec3d eye;      // of the camera in the world
    wkMat3d rotation; // of the camera
    void* memory;
    size_t byteCount;
} wkDepthTargets;

// Scenes with more objects are left to the broad phase.
#define WK_MAX_DEPTH_TARGETS 16384

// Collects what may be seen up to a depth.
// @return false without memory
bool wkDepthTargets_Create(const wkScene* scene, wkPose pose, double farthest,
                           wkDepthTargets* targets);
void wkDepthTargets_Destroy(wkDepthTargets* targets);

// A target that pixels of a tile can see.
typedef struct wkTileTarget {
    const wkDepthTarget* target;
    double nearest; // lower bound of its depths in the tile
} wkTileTarget;

// What pixels can see whose slopes are in the rectangle, the nearest first.
// @return number of them; -1: more than the capacity
int32_t wkDepthTargets_Cull(const wkDepthTargets* targets, const wkSlopeRect* tile,
                            wkTileTarget* inCamera, int32_t capacity);
