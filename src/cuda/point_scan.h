// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Compares points with hierarchies of spheres on a GPU (Kaluschke et al. 2014), in one kernel. Bounds of the distances come
// first: the points that were nearest in the last scan give them where they are about as far as they were, as they are for
// a robot on its way; else some blocks guess them from a sample of the points, and all wait a moment. Then threads cull points by the box and the
// cylinder of every tree, and by the spheres at the root of its hierarchies, and groups of lanes walk through these with what is left.
// All blocks share a bound of each distance. Floats rule out, doubles answer, as on the CPU (points_scan.h), and
// the nearest pair is the least by distance, point and sphere: the result does not depend on the order in which blocks
// run. The last block that ends finds the best of all and writes it to the memory of the host. Where spheres are marked,
// bounds stay 0 and every sphere that a point touches gets its mark, in whatever order.

#include "cuda/host_answer.h"
#include "cuda/order_float.h"
#include "fit/sphere_tree/scan_item.h"

#include <cuda_runtime_api.h>

#ifdef __cplusplus
extern "C" {
#endif

// Trees of a scan, at most, and their hierarchies: their places are parameters of the kernel, which have 4 KB.
#define WK_DEVICE_TREES 8
#define WK_DEVICE_TARGETS (WK_DEVICE_TREES * WK_SPHERE_KIND_COUNT)

// Blocks of threads for each multiprocessor: registers suffice for as many, so that all of them run at once.
#define WK_SCAN_BLOCKS_EACH 3

// What is around the spheres of a hierarchy: a box, and a cylinder about the third of its axes, with the same ends. Links
// of robots are long, and their bounding spheres leave much to walk through.
typedef struct wkDeviceBounds {
    float half[3]; // half of the sides of the box; minus infinity: there are no spheres
    float radius;  // of the cylinder
} wkDeviceBounds;

// A hierarchy in the memory of the device.
typedef struct wkDeviceSpheres {
    const wkSphereNode* nodes; // NULL: there is no tree
    const wkSphereF* spheres;
    wkDeviceBounds bounds;
} wkDeviceSpheres;

// A tree among the points. Kernels place points relative to the middle of the box around its spheres, with the axes of the
// tree in the order `axes`.
typedef struct wkDeviceTree {
    wkFrame frame;         // of the tree in the frame of the points
    float rows[3][3];      // rotation
    float shift[3];        // what follows it: from the origin of the scan to the middle
    float middle[3];       // in the frame of the tree
    int32_t axes[3];       //
    wkDeviceBounds bounds; // of both hierarchies
    wkDeviceSpheres kinds[WK_SPHERE_KIND_COUNT];
    uint8_t* touched; // of its inner spheres, where they are marked
} wkDeviceTree;

// What the blocks of a scan share. Cleared before the first scan; the last block of a scan clears it for the next one.
typedef struct wkScanState {
    uint32_t bounds[WK_DEVICE_TARGETS];     // of each distance, as wkOrderFloat has them
    uint32_t findCounts[WK_DEVICE_TARGETS]; // pairs that blocks have found
    uint32_t guessCount;                    // blocks that have guessed
    uint32_t endCount;                      // blocks that have ended
    uint32_t hasFinite;                     // a point is finite
    unsigned long long badPoint;            // first point whose radius is not valid
    wkScanBest best[WK_DEVICE_TARGETS];     // of the launches before this one
    wkScanBest last[WK_DEVICE_TARGETS];     // of the scan before this one
} wkScanState;

// What a scan finds.
typedef struct wkScanAnswer {
    wkScanBest best[WK_DEVICE_TARGETS];
    unsigned long long badPoint; // WK_SCAN_NO_BAD_POINT: none
    uint32_t hasFinite;
} wkScanAnswer;

#define WK_SCAN_WORDS WK_ANSWER_WORDS(wkScanAnswer)

#define WK_SCAN_NO_BAD_POINT UINT64_MAX

// Pointers are to memory of the device, unless said otherwise.
typedef struct wkDeviceScan {
    wkCloudLayout layout; // of the points of this launch
    int64_t firstPoint;   // index of the first of them among all
    double radius;        // added to that of each point
    double bound;         // pairs that are further apart do not matter
    float origin[3];      // of the floats, in the frame of the points
    float size;           // largest number that occurs in a tree: the scale of rounding
    int32_t treeCount;
    int32_t blockCount;
    int64_t sampleStep; // set by the launch
    bool isAligned;     // coordinates are at multiples of their size
    bool isLast;        // the launch is the last one of the scan
    uint32_t serial;    // of the scan
    wkScanState* state;
    wkScanBest* finds;                   // of each hierarchy: blockCount
    wkAnswerWord* answer;                // on the host: WK_SCAN_WORDS
    wkDeviceTree trees[WK_DEVICE_TREES]; // last: what all threads read first is side by side
} wkDeviceScan;

// Clears states, before the first scan or after one that failed.
cudaError_t wkLaunchScanClear(wkScanState* states, int32_t count, cudaStream_t stream);

// Compares the points.
cudaError_t wkLaunchScan(const wkDeviceScan* scan, cudaStream_t stream);

// Marks the inner spheres that a point touches: those within `bound` of the scan, which is 0.
cudaError_t wkLaunchMark(const wkDeviceScan* scan, cudaStream_t stream);

#ifdef __cplusplus
}
#endif
