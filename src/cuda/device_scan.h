// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Cells that rays of a scan cross and hit, found on a GPU, as bricks of 8 x 8 x 8 cells with a bit for each (octree_brick.h).
// Bricks are in a table with open addressing by their names. Points become ends of rays: the first one of a cell to set its
// bit is its end, and others need no ray of their own, so that which of them it is makes no difference. A thread traces
// each ray, by the functions of the CPU (octree_ray_item.h), and looks a brick up when it enters it. At last the names of
// bricks are sorted, and bricks are written in this order: bits do not depend on the order in which they were set.

#include "tree/octree/octree_ray_item.h"

#include <cuda_runtime_api.h>

#ifdef __cplusplus
extern "C" {
#endif

#define WK_BRICK_WORDS 16 // of 32 bits, for 512 cells

// A brick, as it is sent to the host.
typedef struct wkDeviceBrick {
    uint32_t crossed[WK_BRICK_WORDS];
    uint32_t hit[WK_BRICK_WORDS];
} wkDeviceBrick;

// The bits of a brick that are a name above the number of a slot: a name has 39 bits.
#define WK_BRICK_NAME_BITS 39

// A slot without a brick.
#define WK_NO_BRICK UINT64_MAX

// What kernels have counted.
typedef struct wkDeviceScanFigures {
    uint32_t usedCount;
    uint32_t notFiniteCount;
    uint32_t outsideCount;
    uint32_t farCount;
    uint32_t brickCount; // of the table
    uint32_t listCount;  // of those, with a cell that is crossed or hit
    uint32_t isFull;     // there are more bricks than the capacity
} wkDeviceScanFigures;

// An end of a ray.
typedef struct wkDeviceEnd {
    float point[3];
    uint32_t
        isPoint; // the ray goes to the point, which does not share it; else to the middle of its cell
} wkDeviceEnd;

// A scan. All pointers are to memory of the device.
typedef struct wkDeviceScanJob {
    wkGridRaySource source;
    bool isExact;
    bool keepsFree;
    const float* points; // the first point of this launch
    int64_t step;        // floats from one point to the next
    int32_t count;       // of points
    wkDeviceEnd* ends;   // memory for as many as points
    uint32_t* endCount;  // 0 before
    uint64_t* names;     // of bricks, by slot
    wkDeviceBrick* bricks;
    uint32_t* ended; // WK_BRICK_WORDS for each slot: cells that have an end
    int slotBits;    // there are 2^slotBits slots
    wkDeviceScanFigures* figures;
    uint64_t* entries; // names above slots, in any order
    uint32_t capacity; // of entries, and of bricks
} wkDeviceScanJob;

// Turns points into ends of rays.
cudaError_t wkLaunchTakePoints(const wkDeviceScanJob* job, cudaStream_t stream);

// Traces the rays, and marks the cells that they hit.
cudaError_t wkLaunchTraceEnds(const wkDeviceScanJob* job, cudaStream_t stream);

// Writes an entry for each brick with a cell that is crossed or hit.
cudaError_t wkLaunchListBricks(const wkDeviceScanJob* job, cudaStream_t stream);

// Writes bricks and their names in the order of sorted entries.
cudaError_t wkLaunchGatherBricks(const wkDeviceScanJob* job, const uint64_t* sorted, int32_t count,
                                 wkDeviceBrick* bricks, uint64_t* names, cudaStream_t stream);

#ifdef __cplusplus
}
#endif
