// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Depth images in the layout of the SIMD kernels of a batch.

#include "batch/batch_impl.h"
#include "sense/depth_view.h"

// Transform from the frame of the kernels to that of a camera.
typedef struct wkBatchCamera {
    float rows[3][3]; // rows
    float origin[3];
    float slack; // bound on the rounding of a position
    const wkDepthView* view;
} wkBatchCamera;

typedef struct wkBatchCameras {
    int32_t count;
    bool isUnobservedFree; // space that no camera has observed may be touched
    wkBatchCamera cameras[WK_BATCH_CAMERAS];
} wkBatchCameras;

// Takes the current images.
void wkSetBatchCameras(const wkBatch* batch, wkBatchCameras* cameras);

// Returns the verdict of all images and of the policy of the batch for a sphere placed by the kernels.
wkVerdict wkCheckDepthInLanes(const wkBatch* batch, const float center[3], float radius);
