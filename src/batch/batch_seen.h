// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Depth images as the lanes of a batch see them.

#include "batch/batch.h"
#include "sense/depth_view.h"

// From the frame that lanes compute in to that of a camera.
typedef struct wkSeenCamera {
    float turn[3][3]; // rows
    float place[3];
    float slack; // what floats may do to a place
    const wkDepthView* view;
} wkSeenCamera;

typedef struct wkSeenCameras {
    int32_t count;
    bool isUnseenFree; // what no camera has seen may be touched
    wkSeenCamera cameras[WK_BATCH_CAMERAS];
} wkSeenCameras;

// As the images are now.
void wkSetSeenCameras(const wkBatch* batch, wkSeenCameras* cameras);

// What all images together, and the policy of the batch, say about a ball that lanes have placed.
wkVerdict wkCheckSeen(const wkBatch* batch, const float center[3], float radius);
