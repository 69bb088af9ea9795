// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Finds the nearest points of two clouds on a GPU (Kaldestad, Hovland and Anisi 2012). Floats rule out, doubles answer, as
// on the CPU, and the nearest pair is the least by wkAreCentersBefore: the result does not depend on the order in which
// blocks run. A is the cloud with fewer points, and all computations are in its frame.
//
// Exhaustive: floats give a lower bound of the square of each point of B from all points of A, and an upper bound of the
// least square of all. Points of B whose lower bound is not above that are compared with all of A in doubles.
//
// By hierarchy: a sample of B gives an upper bound; leaves of B that the boxes of A do not rule out go into a queue, and
// groups of eight lanes walk through the hierarchy of A with a leaf each.

#include "cuda/host_answer.h"
#include "query/cloud/center_item.h"

#include <cuda_runtime_api.h>

#ifdef __cplusplus
extern "C" {
#endif

// Levels of nodes, at most: 2^28 points have 2^25 groups, and eight boxes of a level are one of the next.
#define WK_DEVICE_LEVELS 9

// Ranks where there is no pair: any pair at the distance of the cutoff comes before it.
#define WK_CENTER_NONE INT32_MAX

// The boxes of eight groups or nodes, around the points without their radii. Slots that are empty hold no point.
typedef struct wkCenterNode {
    float lower[3][WK_TREE_WIDTH];
    float upper[3][WK_TREE_WIDTH];
} wkCenterNode;

// A cloud. All pointers are to memory of the device.
typedef struct wkDeviceCloud {
    const wkPointGroup* groups;
    wkCenterNode* nodes;
    int32_t pointCount;
    int32_t levelCount;
    int32_t firsts
        [WK_DEVICE_LEVELS]; // first node of each level; the lowest one, whose slots are groups, comes first
    int32_t counts[WK_DEVICE_LEVELS]; // slots of each level that are not empty
} wkDeviceCloud;

// A box in the frame of A.
typedef struct wkCenterBox {
    float lower[3];
    float upper[3];
} wkCenterBox;

// What a search reads and writes, in the memory of the device.
typedef struct wkCenterState {
    unsigned long long
        bound; // upper bound of the least square: the bits of a double, which have the same order
    uint32_t queueCount;
} wkCenterState;

// Words of the pair that a search finds.
#define WK_CENTER_WORDS WK_ANSWER_WORDS(wkCenterPair)

// Memory of a search, of the device: for each point of B and for each block of threads.
typedef struct wkCenterScratch {
    wkCenterState* state;
    float* locals; // x, then y, then z of all points of B, relative to the origin
    uint32_t*
        lows; // lower bounds of the squares of points of B: bits of floats; UINT32_MAX: above the bound
    wkCenterBox* boxes; // of the leaves of B in the queue, in the memory of `locals`
    int32_t* queue;     // points, or leaves, of B
    wkCenterPair* bests;
} wkCenterScratch;

typedef struct wkDeviceCenters {
    wkDeviceCloud a; // not empty, and not more points than B
    wkDeviceCloud b;
    wkFrame bInA;
    double origin[3];     // of floats: the middle of A
    double reach;         // not less than the distance of a point of A from the origin
    double cutoffSquare;  // pairs that are further apart do not matter
    int32_t blockCount;   // of kernels whose blocks keep a pair each
    uint32_t serial;      // of the search
    wkAnswerWord* answer; // on the host: WK_CENTER_WORDS
    wkCenterScratch scratch;
} wkDeviceCenters;

// Computes the boxes of a level from those below.
cudaError_t wkLaunchCenterBoxes(const wkDeviceCloud* cloud, int32_t level, cudaStream_t stream);

// Moves B to the origin, and clears the state.
cudaError_t wkLaunchCentersMove(const wkDeviceCenters* centers, cudaStream_t stream);

// Compares all pairs in floats: lower bounds of the points of B, upper bound of all.
cudaError_t wkLaunchCentersCompare(const wkDeviceCenters* centers, cudaStream_t stream);

// Puts the points of B that may be the nearest into the queue.
cudaError_t wkLaunchCentersPick(const wkDeviceCenters* centers, cudaStream_t stream);

// Compares them with all of A in doubles.
cudaError_t wkLaunchCentersDecide(const wkDeviceCenters* centers, cudaStream_t stream);

// Clears the state.
cudaError_t wkLaunchCentersClear(const wkDeviceCenters* centers, cudaStream_t stream);

// Lowers the bound by the points of a sample of B.
cudaError_t wkLaunchCentersGuess(const wkDeviceCenters* centers, cudaStream_t stream);

// Puts the leaves of B that may have the nearest point into the queue.
cudaError_t wkLaunchCentersCull(const wkDeviceCenters* centers, cudaStream_t stream);

// Walks through the hierarchy of A with them.
cudaError_t wkLaunchCentersWalk(const wkDeviceCenters* centers, cudaStream_t stream);

// Finds and answers the best pair of all blocks of wkLaunchCentersDecide or wkLaunchCentersWalk.
cudaError_t wkLaunchCentersReduce(const wkDeviceCenters* centers, cudaStream_t stream);

#ifdef __cplusplus
}
#endif
