// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Depth images as the lanes of a batch see them.

#include "batch/batch_impl.h"
#include "sense/depth_view.h"

// From the frame that lanes compute in to that of a camera.
typedef struct wkBatchCamera {
    float rows[3][3]; // rows
    float origin[3];
    float slack; // what floats may do to a place
    const wkDepthView* view;
} wkBatchCamera;

typedef struct wkBatchCameras {
    int32_t count;
    bool isUnobservedFree; // what no camera has seen may be touched
    wkBatchCamera cameras[WK_BATCH_CAMERAS];
} wkBatchCameras;

// As the images are now.
void wkSetBatchCameras(const wkBatch* batch, wkBatchCameras* cameras);

// What all images together, and the policy of the batch, say about a sphere that lanes have placed.
wkVerdict wkCheckDepthInLanes(const wkBatch* batch, const float center[3], float radius);
