// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Kernels of device_filter.h: the hierarchy of boxes around points along a curve, as point_tree.c builds it, and searches
// for neighbours in it. Threads of a warp have consecutive points of the curve, and visit nearly the same boxes.

#include "cuda/device_filter.h"

#include "cuda/launch.h"

#include <float.h>

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

static __device__ __forceinline__ float squareTo(const wkDeviceNeighbors* n, int64_t i,
                                                 const float p[3])
{
    float x = n->x[i] - p[0], y = n->y[i] - p[1], z = n->z[i] - p[2];
    return x * x + y * y + z * z;
}

// Visits the leaves with a box within a squared distance, until `visit` of one returns false.
template <typename Visit>
static __device__ __forceinline__ void visitLeaves(const wkDeviceNeighbors* n, const float p[3],
                                                   float reach, Visit visit)
{
    // the lowest bits are the level of a node
    int32_t stack[STACK_CAPACITY], waiting = 1;
    stack[0] = n->levelCount - 1;
    while (waiting > 0) {
        int32_t top = stack[--waiting], level = top % WK_POINT_LEVELS;
        int32_t number = top / WK_POINT_LEVELS;
        const wkPointNode* node = &n->nodes[n->starts[level] + number];
        for (int i = 0; i < WIDTH; ++i) {
            if (!(squareToBox(node, i, p) <= reach)) {
                continue;
            }
            int32_t child = number * WIDTH + i;
            if (level > 0) {
                stack[waiting++] = child * WK_POINT_LEVELS + level - 1;
            } else if (!visit((int64_t)child * WIDTH)) {
                return;
            }
        }
    }
}

// Counts points within a squared distance.
// @param most the count ends when it is above
static __device__ int64_t countWithin(const wkDeviceNeighbors* n, const float p[3], float reach,
                                      int64_t most)
{
    int64_t found = 0;
    visitLeaves(n, p, reach, [&](int64_t first) {
        for (int64_t i = first; i < first + WIDTH; ++i) {
            found += squareTo(n, i, p) <= reach;
        }
        return found <= most;
    });
    return found;
}

static __device__ bool hasNeighbors(const wkDeviceNeighbors* n, int64_t at)
{
    const float p[3] = {n->x[at], n->y[at], n->z[at]};
    int32_t near = 0;
    for (int64_t i = at / WIDTH * WIDTH; i < at / WIDTH * WIDTH + WIDTH; ++i) {
        near += squareTo(n, i, p) <= n->squaredRadius;
    }
    return near >= n->wanted ||
           countWithin(n, p, n->squaredRadius, (int64_t)n->wanted - 1) >= n->wanted;
}

static __global__ void __launch_bounds__(THREADS) countNeighbors(wkDeviceNeighbors neighbors)
{
    int64_t at = (int64_t)blockIdx.x * THREADS + threadIdx.x;
    if (at < neighbors.points.count) {
        neighbors.points.isKept[neighbors.ids[at]] = hasNeighbors(&neighbors, at);
    }
}

static __device__ __forceinline__ uint32_t bitsOf(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static __device__ __forceinline__ float floatOf(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

// The squared distance of the furthest of as many consecutive points as are wanted, about a point: as many are no
// further.
static __device__ float boundOfRun(const wkDeviceNeighbors* n, int64_t at, const float p[3])
{
    int64_t first = at - n->wanted / 2, last = (int64_t)n->points.count - n->wanted;
    first = first < 0 ? 0 : first > last ? last : first;
    float furthest = 0.0f;
    for (int64_t i = first; i < first + n->wanted; ++i) {
        float square = squareTo(n, i, p);
        furthest = square > furthest ? square : furthest;
    }
    return furthest;
}

// Steps of the search that assume evenly spread points of a surface; later ones halve the range.
#define EVEN_STEPS 6

// The squared distance of the last of the nearest points that are wanted; infinite where those of fewer are finite. The
// bits of floats that are 0 or more have their order.
static __device__ float lastSquare(const wkDeviceNeighbors* n, int64_t at, const float p[3])
{
    const int64_t wanted = n->wanted, most = 4 * wanted + WIDTH;
    float high = boundOfRun(n, at, p);
    int64_t highCount = wanted, lowCount = 0;
    if (!(high < INFINITY)) {
        high = FLT_MAX;
        if (countWithin(n, p, high, wanted - 1) < wanted) {
            return INFINITY;
        }
    }
    highCount = countWithin(n, p, high, most);
    if (countWithin(n, p, 0.0f, wanted - 1) >= wanted) {
        return 0.0f;
    }
    // fewer than wanted are up to `low`, and enough are up to `high`
    float low = 0.0f;
    for (int step = 0; highCount != wanted && bitsOf(high) - bitsOf(low) > 1; ++step) {
        float share = (float)(wanted - lowCount) / (float)(highCount - lowCount);
        float middle = low + (high - low) * share;
        if (step >= EVEN_STEPS || !(middle > low) || !(middle < high)) {
            middle = floatOf(bitsOf(low) + (bitsOf(high) - bitsOf(low)) / 2);
        }
        int64_t count = countWithin(n, p, middle, most);
        if (count < wanted) {
            low = middle;
            lowCount = count;
        } else {
            high = middle;
            highCount = count;
        }
    }
    if (highCount != wanted) {
        return high;
    }
    float last = 0.0f;
    visitLeaves(n, p, high, [&](int64_t first) {
        for (int64_t i = first; i < first + WIDTH; ++i) {
            float square = squareTo(n, i, p);
            last = square <= high && square > last ? square : last;
        }
        return true;
    });
    return last;
}

// Sums are exact in any order: see wkDistanceShift. Of points that are as far as the last one, any may be left out.
static __device__ float meanDistance(const wkDeviceNeighbors* n, int64_t at)
{
    const float p[3] = {n->x[at], n->y[at], n->z[at]};
    int32_t others = n->wanted - 1, nearer = 0;
    float last = lastSquare(n, at, p);
    if (others == 0 || last == INFINITY || last == 0.0f) {
        return last == INFINITY && others > 0 ? INFINITY : 0.0f;
    }
    double shift = wkDistanceShift(last), sum = 0.0;
    // as many points as there are may be as far as the last one, such as equal ones: they are not visited
    visitLeaves(n, p, floatOf(bitsOf(last) - 1), [&](int64_t first) {
        for (int64_t i = first; i < first + WIDTH; ++i) {
            float square = squareTo(n, i, p);
            if (square < last) {
                sum += wkRoundedDistance(square, shift);
                ++nearer;
            }
        }
        return true;
    });
    sum += (double)(n->wanted - nearer) * wkRoundedDistance(last, shift);
    return (float)(sum / (double)others);
}

static __global__ void __launch_bounds__(THREADS) findMeans(wkDeviceNeighbors neighbors)
{
    int64_t at = (int64_t)blockIdx.x * THREADS + threadIdx.x;
    if (at < neighbors.points.count) {
        neighbors.means[neighbors.ids[at]] = meanDistance(&neighbors, at);
    }
}

// A thread for each block of means.
static __global__ void __launch_bounds__(THREADS) sumMeans(wkDeviceNeighbors neighbors)
{
    int64_t at = (int64_t)blockIdx.x * THREADS + threadIdx.x, first = at * WK_MEAN_BLOCK;
    if (first < neighbors.points.count) {
        int64_t left = neighbors.points.count - first;
        int32_t count = (int32_t)(left < WK_MEAN_BLOCK ? left : WK_MEAN_BLOCK);
        neighbors.sums[at] = wkSumMeans(neighbors.means + first, count);
    }
}

static __global__ void __launch_bounds__(THREADS) keepNear(wkDeviceNeighbors neighbors)
{
    int64_t at = (int64_t)blockIdx.x * THREADS + threadIdx.x;
    if (at < neighbors.points.count) {
        neighbors.points.isKept[at] = !((double)neighbors.means[at] > neighbors.threshold);
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

cudaError_t wkLaunchMeanDistances(const wkDeviceNeighbors* neighbors, cudaStream_t stream)
{
    int64_t count = neighbors->points.count, blocks = (count + WK_MEAN_BLOCK - 1) / WK_MEAN_BLOCK;
    cudaError_t error = wkLaunch(findMeans, blocksOf(count), THREADS, stream, *neighbors);
    return error == cudaSuccess ? wkLaunch(sumMeans, blocksOf(blocks), THREADS, stream, *neighbors)
                                : error;
}

cudaError_t wkLaunchKeepNear(const wkDeviceNeighbors* neighbors, cudaStream_t stream)
{
    return wkLaunch(keepNear, blocksOf(neighbors->points.count), THREADS, stream, *neighbors);
}
