// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Culls boxes of the world that have no sphere of a cloud nearby, eight boxes at a time. A sensor sees surfaces, so
// that most bodies within the bounds of a cloud are near none of its points.

#include "base/cpu.h"
#include "bv/eight_boxes.h"
#include "tree/bvh/tree_view.h"

// A cloud at its pose, for many boxes.
typedef struct wkCloudCull {
    wkTree tree;
    const wkPointGroup* groups; // points of the leaves
    double pointRadius;         // the largest
    wkMat3d worldFromCloud;
    wkVec3d position;
    double wider; // margins of the cloud
    bool isStraight;
    bool isEmpty;
} wkCloudCull;

void wkCloudCull_Init(wkCloudCull* cull, const wkShape* cloud, const wkPose* pose);

// Returns a bit for each box in `lanes` that has a sphere of the cloud within `reach` along each axis, or nearly so. The
// boxes are relative to `origin`.
unsigned wkCloudCull_Pass(const wkCloudCull* cull, const wkEightBoxes* boxes, wkVec3d origin,
                          double reach, unsigned lanes);

// Compiled once per instruction set.
typedef unsigned wkCullByCloudFcn(const wkCloudCull* cull, const wkEightBoxes* boxes,
                                  wkVec3d origin, double reach, unsigned lanes);
wkCullByCloudFcn* wkCullByCloudOf(wkIsa isa);
wkCullByCloudFcn* wkCullByCloudOfMachine(void);
