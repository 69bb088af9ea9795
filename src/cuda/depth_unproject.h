// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Makes points of a depth image on a GPU, a thread for each pixel that is read. Points have the bits of those of
// wkDepthImage_Points; pixels that this leaves out are NaN, so that the index of a point tells its pixel.

#include "sense/depth_item.h"

#include <cuda_runtime_api.h>

#ifdef __cplusplus
extern "C" {
#endif

// All pointers, and the pixels of the image, are to memory of the device.
typedef struct wkDeviceDepth {
    wkDepthImage image;
    wkPixelRequest request;
    const wkSlope* rays;           // of all pixels, row by row
    int32_t columnCount, rowCount; // pixels that are read
    wkPixelPoint* points;          // columnCount * rowCount
} wkDeviceDepth;

cudaError_t wkLaunchUnproject(const wkDeviceDepth* depth, cudaStream_t stream);

#ifdef __cplusplus
}
#endif
