// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Rays of a pinhole camera.

#include "whisker/whisker.h"

#ifdef __cplusplus
extern "C" {
#endif

// The size of the depth images.
#define WK_IMAGE_WIDTH 640
#define WK_IMAGE_HEIGHT 480
#define WK_IMAGE_RAYS (WK_IMAGE_WIDTH * WK_IMAGE_HEIGHT)

// One ray per pixel, row by row; `up` is along z. The view is 63 degrees wide.
void wkMakeCameraRays(wkVec3d eye, wkVec3d target, wkRay* rays);

#ifdef __cplusplus
}
#endif
