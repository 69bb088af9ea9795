// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Compares points with hierarchies of spheres on a GPU (Kaluschke et al. 2014). A tile of points is culled by the bounds
// of every hierarchy, one thread for each point; what is left goes into a queue, and groups of eight lanes walk through
// the hierarchies with it, a lane for each slot of a node. All blocks share a bound of each distance. Floats rule out,
// doubles answer, as on the CPU (points_scan.h), and the nearest pair is the least by distance, point and sphere: the
// result does not depend on the order in which blocks run. Where spheres are marked, bounds stay 0 and every sphere that
// a point touches gets its mark, in whatever order.

#include "fit/sphere_tree/scan_item.h"

#include <cuda_runtime_api.h>

#ifdef __cplusplus
extern "C" {
#endif

// Hierarchies of a scan, at most: two for each tree.
#define WK_DEVICE_TARGETS 128

// Blocks of threads for each multiprocessor: registers suffice for as many, so that all of them run at once.
#define WK_SCAN_BLOCKS_EACH 3

// A hierarchy in the memory of the device.
typedef struct wkDeviceTarget {
    wkPlacedSpheres at;
    double origin[3]; // of the floats, in the frame of the points
    float center[3];  // of its bounding sphere, relative to that
    float radius;     // minus infinity: nothing is there
    float size;       // largest number that occurs: the scale of rounding
    uint8_t* touched; // of its spheres, where they are marked
} wkDeviceTarget;

// All pointers are to memory of the device.
typedef struct wkDeviceScan {
    wkCloudLayout layout; // of the points of this launch
    int64_t firstPoint;   // index of the first of them among all
    double radius;        // added to that of each point
    const wkDeviceTarget* targets;
    int32_t targetCount;
    int32_t blockCount;
    uint32_t* bounds;             // of each distance, as wkOrderFloat has them
    wkScanBest* bests;            // of each block: of each hierarchy
    wkScanBest* best;             // of all blocks
    unsigned long long* badPoint; // first point whose radius is not valid; WK_SCAN_NONE: none
    uint32_t* hasFinite;          // a point is finite
    double bound;                 // pairs that are further apart do not matter
    bool isAligned;               // coordinates are at multiples of their size
} wkDeviceScan;

// Maps floats to integers of the same order.
WK_FN uint32_t wkOrderFloat(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return (bits & 0x80000000u) != 0 ? ~bits : bits | 0x80000000u;
}

WK_FN float wkFloatOfOrder(uint32_t order)
{
    uint32_t bits = (order & 0x80000000u) != 0 ? order & 0x7fffffffu : ~order;
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

// Sets the bounds and the best pairs of all blocks to `bound` of the scan.
cudaError_t wkLaunchScanClear(const wkDeviceScan* scan, cudaStream_t stream);

// Lowers the bounds by the distances of a sample of the points.
cudaError_t wkLaunchScanGuess(const wkDeviceScan* scan, cudaStream_t stream);

// Compares the points.
cudaError_t wkLaunchScan(const wkDeviceScan* scan, cudaStream_t stream);

// Marks the spheres that a point touches: those within `bound` of the scan, which is 0.
cudaError_t wkLaunchMark(const wkDeviceScan* scan, cudaStream_t stream);

// Finds the best of all blocks.
cudaError_t wkLaunchScanReduce(const wkDeviceScan* scan, cudaStream_t stream);

#ifdef __cplusplus
}
#endif
