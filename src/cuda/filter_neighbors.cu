// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Kernels of device_filter.h: the hierarchy of boxes around points along a curve, as point_tree.c builds it, and searches
// for neighbours in it. Threads of a warp have consecutive points of the curve, and visit nearly the same boxes.

#include "cuda/device_filter.h"

#include "cuda/launch.h"

#define THREADS WK_FILTER_THREADS
#define WIDTH WK_POINT_WIDTH

// Nodes that wait: fifteen on each level but the last, and one.
#define STACK_CAPACITY (WK_POINT_LEVELS * WIDTH)

static unsigned blocksOf(int64_t threadCount)
{
    return (unsigned)((threadCount + THREADS - 1) / THREADS);
}

static __global__ void __launch_bounds__(THREADS) writeEntries(wkDeviceNeighbors neighbors)
{
    int64_t at = (int64_t)blockIdx.x * THREADS + threadIdx.x;
    const wkDevicePoints* points = &neighbors.points;
    if (at < points->count) {
        const float point[3] = {points->x[at], points->y[at], points->z[at]};
        neighbors.entries[at] =
            wkCurvePosition(&neighbors.grid, point) << neighbors.indexBits | (uint32_t)at;
    }
}

// A thread for each point of the leaves.
static __global__ void __launch_bounds__(THREADS) storePoints(wkDeviceNeighbors neighbors)
{
    int64_t at = (int64_t)blockIdx.x * THREADS + threadIdx.x;
    const wkDevicePoints* points = &neighbors.points;
    if (at < points->count) {
        uint64_t mask = ((uint64_t)1 << neighbors.indexBits) - 1;
        int32_t id = (int32_t)(neighbors.sorted[at] & mask);
        neighbors.ids[at] = id;
        neighbors.x[at] = points->x[id];
        neighbors.y[at] = points->y[id];
        neighbors.z[at] = points->z[id];
    } else if (at < ((int64_t)points->count + WIDTH - 1) / WIDTH * WIDTH) {
        neighbors.x[at] = neighbors.y[at] = neighbors.z[at] = NAN;
    }
}

struct levelArguments {
    wkDeviceNeighbors neighbors;
    int32_t level;
    int32_t childCount;
};

// A thread for each child of a level, missing ones included, whose boxes are empty and reached by nothing. NaN is neither
// below nor above, so that points which fill a leaf up change no bounds.
static __global__ void __launch_bounds__(THREADS) boundLevel(levelArguments arguments)
{
    int64_t child = (int64_t)blockIdx.x * THREADS + threadIdx.x;
    const wkDeviceNeighbors* n = &arguments.neighbors;
    if (child >= ((int64_t)arguments.childCount + WIDTH - 1) / WIDTH * WIDTH) {
        return;
    }
    wkPointNode* node = &n->nodes[n->starts[arguments.level] + child / WIDTH];
    const float* points[3] = {n->x, n->y, n->z};
    for (int axis = 0; axis < 3; ++axis) {
        float low = INFINITY, high = -INFINITY;
        if (child < arguments.childCount) {
            const float *lows = points[axis] + child * WIDTH, *highs = lows;
            if (arguments.level > 0) {
                const wkPointNode* below = &n->nodes[n->starts[arguments.level - 1] + child];
                lows = below->lower[axis];
                highs = below->upper[axis];
            }
            for (int i = 0; i < WIDTH; ++i) {
                low = lows[i] < low ? lows[i] : low;
                high = highs[i] > high ? highs[i] : high;
            }
        }
        node->lower[axis][child % WIDTH] = low;
        node->upper[axis][child % WIDTH] = high;
    }
}

static __device__ __forceinline__ float above(float value)
{
    return value > 0.0f ? value : 0.0f;
}

// Squared distance to the box of a child: rounded as those of points are, so that no point in it is nearer.
static __device__ __forceinline__ float squareToBox(const wkPointNode* node, int i,
                                                    const float p[3])
{
    float sum = 0.0f;
    for (int axis = 0; axis < 3; ++axis) {
        float before = node->lower[axis][i] - p[axis], behind = p[axis] - node->upper[axis][i];
        float past = above(before > behind ? before : behind);
        sum = sum + past * past;
    }
    return sum;
}

// Points of a leaf within the radius.
static __device__ __forceinline__ int32_t countLeaf(const wkDeviceNeighbors* n, int64_t first,
                                                    const float p[3])
{
    int32_t count = 0;
    for (int64_t i = first; i < first + WIDTH; ++i) {
        float x = n->x[i] - p[0], y = n->y[i] - p[1], z = n->z[i] - p[2];
        count += x * x + y * y + z * z <= n->squaredRadius;
    }
    return count;
}

static __device__ bool hasNeighbors(const wkDeviceNeighbors* n, int64_t at)
{
    const float p[3] = {n->x[at], n->y[at], n->z[at]};
    if (countLeaf(n, at / WIDTH * WIDTH, p) >= n->wanted) {
        return true;
    }
    int32_t stack[STACK_CAPACITY], waiting = 1;
    int64_t found = 0;
    // the lowest bits are the level of a node
    stack[0] = n->levelCount - 1;
    while (waiting > 0) {
        int32_t top = stack[--waiting], level = top % WK_POINT_LEVELS;
        int32_t number = top / WK_POINT_LEVELS;
        const wkPointNode* node = &n->nodes[n->starts[level] + number];
        for (int i = 0; i < WIDTH; ++i) {
            if (!(squareToBox(node, i, p) <= n->squaredRadius)) {
                continue;
            }
            int32_t child = number * WIDTH + i;
            if (level > 0) {
                stack[waiting++] = child * WK_POINT_LEVELS + level - 1;
                continue;
            }
            found += countLeaf(n, (int64_t)child * WIDTH, p);
            if (found >= n->wanted) {
                return true;
            }
        }
    }
    return false;
}

static __global__ void __launch_bounds__(THREADS) countNeighbors(wkDeviceNeighbors neighbors)
{
    int64_t at = (int64_t)blockIdx.x * THREADS + threadIdx.x;
    if (at < neighbors.points.count) {
        neighbors.points.isKept[neighbors.ids[at]] = hasNeighbors(&neighbors, at);
    }
}

cudaError_t wkLaunchCurveEntries(const wkDeviceNeighbors* neighbors, cudaStream_t stream)
{
    return wkLaunch(writeEntries, blocksOf(neighbors->points.count), THREADS, stream, *neighbors);
}

cudaError_t wkLaunchPointTree(const wkDeviceNeighbors* neighbors, cudaStream_t stream)
{
    int64_t childCount = ((int64_t)neighbors->points.count + WIDTH - 1) / WIDTH;
    cudaError_t error =
        wkLaunch(storePoints, blocksOf(childCount * WIDTH), THREADS, stream, *neighbors);
    for (int32_t level = 0; level < neighbors->levelCount && error == cudaSuccess; ++level) {
        levelArguments arguments = {*neighbors, level, (int32_t)childCount};
        childCount = (childCount + WIDTH - 1) / WIDTH;
        error = wkLaunch(boundLevel, blocksOf(childCount * WIDTH), THREADS, stream, arguments);
    }
    return error;
}

cudaError_t wkLaunchCountNeighbors(const wkDeviceNeighbors* neighbors, cudaStream_t stream)
{
    return wkLaunch(countNeighbors, blocksOf(neighbors->points.count), THREADS, stream, *neighbors);
}
