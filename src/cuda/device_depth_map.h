// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Depth maps on a GPU. A map has the layout of the CPU (depth_map.h), with its arrays in the memory of the device: kernels
// fill them with the numbers of the CPU, and sets of spheres are checked against them.
//
// Update: a thread for each pixel computes what it proves, blocks of threads halve tiles of 64 x 64 pixels into blocks
// of 2 to 64, one block of threads halves the rest, and a thread for each entry fills the pyramid.
//
// Check: lanes of a warp look spheres up in the pyramid, in single precision. Sets whose spheres are all proven free are
// done; the others go into a queue, from which warps take one after the other. Lanes place the spheres that are left, and
// compare each with the pixel in the middle of those that it can reach; then the warp searches blocks of pixels, 32 at a
// time, in double precision, as the CPU decides. A verdict is the worst of what is found, or that up to the first
// sphere that suffices: it does not depend on the order in which warps run.

#include "sense/depth_mask_item.h"
#include "sense/depth_window_item.h"
#include "sense/proven_depth.h"

#include <cuda_runtime_api.h>

#ifdef __cplusplus
extern "C" {
#endif

// A frame. All pointers, and those of the map and the image, are to memory of the device.
typedef struct wkDeviceFrame {
    wkDepthMap map;
    wkDepthImage image;
    wkDepthRecipe recipe;
    const wkSourcePixels* sources; // of a rectified image
    const wkOwnSphere* own;        // spheres of the robot itself
    int32_t ownCount;
    wkMaskRule rule;
} wkDeviceFrame;

// Computes what all pixels prove.
cudaError_t wkLaunchProvePixels(const wkDeviceFrame* frame, cudaStream_t stream);

// Computes blocks of up to 64 x 64 pixels, and their surfaces.
cudaError_t wkLaunchHalveTiles(const wkDepthMap* map, cudaStream_t stream);

// Computes larger blocks.
cudaError_t wkLaunchHalveRest(const wkDepthMap* map, cudaStream_t stream);

// Fills the pyramid.
cudaError_t wkLaunchSpread(const wkDepthMap* map, cudaStream_t stream);

// Blocks of threads for each multiprocessor that search: registers suffice for as many.
#define WK_SEARCH_BLOCKS_EACH 7

// A set that look-ups do not prove free.
typedef struct wkOpenSet {
    uint32_t set;
    uint32_t firstSphere; // those before it are proven free
} wkOpenSet;

// Counts of sets.
typedef enum wkSetCount {
    wk_setsQueued,
    wk_setsTaken, // from the queue
    WK_SET_COUNTS,
} wkSetCount;

// Sets of spheres, all of the same size. All pointers are to memory of the device.
typedef struct wkDeviceSets {
    wkDepthMap map;
    wkWorldCamera camera;
    const wkViewSphere* spheres; // in the world, aligned to 16 bytes
    int32_t sphereCount;         // of each set, 1 or more
    int32_t setCount;
    int32_t blockCount;    // blocks of threads that search
    wkDepthVerdict stopAt; // a sphere with this verdict ends the search
    uint8_t* verdicts;     // one for each set
    wkOpenSet* queue;
    uint32_t* counts; // WK_SET_COUNTS: 0 before
} wkDeviceSets;

// Finds the sets that look-ups prove free, and puts the others into the queue.
cudaError_t wkLaunchProveSets(const wkDeviceSets* sets, cudaStream_t stream);

// Finds the verdicts of those in the queue.
cudaError_t wkLaunchSearchSets(const wkDeviceSets* sets, cudaStream_t stream);

#ifdef __cplusplus
}
#endif
