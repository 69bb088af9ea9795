// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Makes points of a depth image on a GPU, a thread for each pixel that is read. Points have the bits of those of
// wkDepthImage_Points; pixels that this leaves out are NaN, so that the index of a point tells its pixel. Points on the robot
// itself become NaN, too, where its spheres are given: they are decided in double precision, by the function of the CPU's
// filter (point_item.h), after a warp has found which spheres reach the box around its points.

#include "cuda/host_answer.h"
#include "sense/depth_item.h"
#include "sense/filter/point_item.h"

#include <cuda_runtime_api.h>

#ifdef __cplusplus
extern "C" {
#endif

// A sphere of the robot itself, in the frame of the camera, with its padding.
typedef struct wkDeviceOwn {
    wkSphere3d sphere; // decides
    float x, y, z;     // a sphere around it, for all rounding of floats
    float squaredRadius;
} wkDeviceOwn;

// What the blocks of a launch have counted. Cleared before the first launch; the last block clears it for the next one.
typedef struct wkOwnCounts {
    uint32_t own;  // points on the robot itself
    uint32_t left; // other finite points
    uint32_t ends; // blocks that have ended
} wkOwnCounts;

// The same as they are at the end of a launch.
typedef struct wkOwnAnswer {
    uint32_t own, left;
} wkOwnAnswer;

#define WK_OWN_WORDS WK_ANSWER_WORDS(wkOwnAnswer)

// All pointers, and the pixels of the image, are to memory of the device.
typedef struct wkDeviceDepth {
    wkDepthImage image;
    wkPixelRequest request;
    const wkSlope* rays;           // of all pixels, row by row
    int32_t columnCount, rowCount; // pixels that are read
    wkPixelPoint* points;          // columnCount * rowCount
    const wkDeviceOwn* own; // NULL: no point is left out for the robot, and nothing is counted
    int32_t ownCount;
    wkOwnCounts* counts;
    wkAnswerWord* answer; // on the host: WK_OWN_WORDS
    uint32_t serial;      // of the launch
} wkDeviceDepth;

cudaError_t wkLaunchUnproject(const wkDeviceDepth* depth, cudaStream_t stream);

#ifdef __cplusplus
}
#endif
