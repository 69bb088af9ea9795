// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The nearest points by the hierarchy of A. Its boxes are exact, and those of leaves of B are rounded outward: what the
// gap of two boxes lacks is the rounding of one difference and of the sum of squares, relative to the gap itself.

#include "cuda/centers_best.h"

#include "math/round.h"

// Lanes that walk together, one for each slot of a node, and such groups of a block.
#define LANES WK_TREE_WIDTH
#define GROUPS (WK_BEST_THREADS / LANES)

// Nodes that wait: of each level on the way down, all slots.
#define STACK (WK_DEVICE_LEVELS * WK_TREE_WIDTH)

// A node on the stack: its level, and its index within it.
#define LEVEL_SHIFT 28
#define INDEX_MASK ((1u << LEVEL_SHIFT) - 1u)

// Leaves of B of the first guess.
#define SAMPLES 4096

// Threads of kernels with a leaf or a node each.
#define LEAF_THREADS 128

// Bounds the rounding of the square of a gap.
#define ROUNDING 1e-6

static __device__ __forceinline__ float minFloat(float a, float b)
{
    return a < b ? a : b;
}

static __device__ __forceinline__ float maxFloat(float a, float b)
{
    return a > b ? a : b;
}

WK_FN int32_t groupsOf(const wkDeviceCloud* cloud)
{
    return cloud->counts[0];
}

// Boxes of a level of which each slot has eight boxes, or points, below it; a thread for each slot.
struct boxTask {
    wkDeviceCloud cloud;
    int32_t level;
};

static __device__ void makeSlot(const boxTask* task, int32_t index, float lower[3], float upper[3])
{
    const wkPointGroup* group = &task->cloud.groups[index];
    const wkCenterNode* below =
        &task->cloud.nodes[task->level > 0 ? task->cloud.firsts[task->level - 1] + index : 0];
    int32_t left = task->level > 0 ? task->cloud.counts[task->level - 1] - index * WK_TREE_WIDTH
                                   : WK_TREE_WIDTH;
    for (int axis = 0; axis < 3; ++axis) {
        const float* points = axis == 0 ? group->x : axis == 1 ? group->y : group->z;
        const float* lowers = task->level > 0 ? below->lower[axis] : points;
        const float* uppers = task->level > 0 ? below->upper[axis] : points;
        lower[axis] = lowers[0];
        upper[axis] = uppers[0];
        for (int32_t i = 1; i < WK_TREE_WIDTH && i < left; ++i) {
            lower[axis] = minFloat(lower[axis], lowers[i]);
            upper[axis] = maxFloat(upper[axis], uppers[i]);
        }
    }
}

static __global__ void makeBoxes(boxTask task)
{
    int32_t index = (int32_t)(blockIdx.x * LEAF_THREADS + threadIdx.x);
    if (index >= task.cloud.counts[task.level]) {
        return;
    }
    float lower[3], upper[3];
    makeSlot(&task, index, lower, upper);
    wkCenterNode* node = &task.cloud.nodes[task.cloud.firsts[task.level] + index / WK_TREE_WIDTH];
    for (int axis = 0; axis < 3; ++axis) {
        node->lower[axis][index % WK_TREE_WIDTH] = lower[axis];
        node->upper[axis][index % WK_TREE_WIDTH] = upper[axis];
    }
}

// The square of the gap between a box and that in a slot; NaN where floats do not tell.
static __device__ __forceinline__ float gapSquare(const wkCenterNode* node, int slot,
                                                  const wkCenterBox* box)
{
    float square = 0.0f;
    for (int axis = 0; axis < 3; ++axis) {
        float gap = maxFloat(node->lower[axis][slot] - box->upper[axis],
                             box->lower[axis] - node->upper[axis][slot]);
        gap = gap <= 0.0f ? 0.0f : gap;
        square += gap * gap;
    }
    return square;
}

// Gaps whose square is above it are further apart than the bound.
static __device__ __forceinline__ float limitOf(double bound)
{
    return wkRoundUp(bound * (1.0 + ROUNDING) + WK_CENTER_LEAST);
}

static __device__ __forceinline__ bool isNear(const wkCenterNode* node, int slot,
                                              const wkCenterBox* box, float limit)
{
    return !(gapSquare(node, slot, box) > limit); // near where it is NaN
}

static __device__ __forceinline__ wkCenterBox boxOfLeaf(const wkDeviceCenters* centers,
                                                        int32_t leaf)
{
    wkVec3d lower, upper;
    for (int i = 0; i < WK_TREE_WIDTH; ++i) { // slots behind the last point repeat it
        wkVec3d p = wkDeviceCenterOfB(centers, leaf * WK_TREE_WIDTH + i);
        lower = i == 0 ? p : wkMin(lower, p);
        upper = i == 0 ? p : wkMax(upper, p);
    }
    wkCenterBox box = {{wkRoundDown(lower.x), wkRoundDown(lower.y), wkRoundDown(lower.z)},
                       {wkRoundUp(upper.x), wkRoundUp(upper.y), wkRoundUp(upper.z)}};
    return box;
}

static __global__ void clearCenters(wkDeviceCenters centers)
{
    wkClearCenterState(&centers);
}

// The lanes of a group of eight, as bits of a warp, and the first of them.
static __device__ __forceinline__ int firstLane(void)
{
    return (int)(threadIdx.x % WK_WARP / LANES * LANES);
}

static __device__ __forceinline__ unsigned groupMask(void)
{
    return 0xffu << firstLane();
}

// Returns the slot with the least square; -1: none, since all are NaN. Each lane has one.
static __device__ int nearestSlot(float square)
{
    float least = square;
    for (int lane = LANES / 2; lane > 0; lane /= 2) {
        least = minFloat(least, __shfl_xor_sync(groupMask(), least, lane));
    }
    unsigned bits = __ballot_sync(groupMask(), square == least) >> firstLane() & 0xffu;
    return __ffs((int)bits) - 1;
}

// Follows the nearest boxes of A down to a group of points. -1: none.
static __device__ int32_t descend(const wkDeviceCloud* a, const wkCenterBox* box)
{
    int slot = (int)(threadIdx.x % LANES);
    int32_t index = 0;
    for (int32_t level = a->levelCount - 1; level >= 0; --level) {
        bool isEmpty = index * WK_TREE_WIDTH + slot >= a->counts[level];
        const wkCenterNode* node = &a->nodes[a->firsts[level] + index];
        int nearest = nearestSlot(isEmpty ? INFINITY : gapSquare(node, slot, box));
        if (nearest < 0 || index * WK_TREE_WIDTH + nearest >= a->counts[level]) {
            return -1;
        }
        index = index * WK_TREE_WIDTH + nearest;
    }
    return index;
}

// A group of lanes for the first point of each leaf of the sample.
static __global__ void __launch_bounds__(WK_BEST_THREADS) guessCenters(wkDeviceCenters centers)
{
    int32_t step = groupsOf(&centers.b) / SAMPLES + 1;
    int32_t sampleCount = (groupsOf(&centers.b) + step - 1) / step;
    int32_t groupCount = (int32_t)(gridDim.x * GROUPS);
    for (int32_t i = (int32_t)(blockIdx.x * GROUPS + threadIdx.x / LANES); i < sampleCount;
         i += groupCount) {
        wkVec3d b = wkDeviceCenterOfB(&centers, i * step * WK_TREE_WIDTH);
        float x = (float)b.x, y = (float)b.y, z = (float)b.z;
        wkCenterBox box = {{x, y, z}, {x, y, z}};
        int32_t group = descend(&centers.a, &box);
        if (group >= 0) {
            int32_t rank = group * WK_TREE_WIDTH + (int32_t)(threadIdx.x % LANES);
            wkVec3d a = wkGroupPosition(centers.a.groups, rank);
            wkLowerCenterBound(centers.scratch.state, wkCenterSquare(a, b));
        }
    }
}

// Whether a box is near to one in a slot of a node.
static __device__ bool isNearNode(const wkDeviceCloud* a, int32_t level, int32_t index,
                                  const wkCenterBox* box, float limit)
{
    const wkCenterNode* node = &a->nodes[a->firsts[level] + index];
    int32_t left = a->counts[level] - index * WK_TREE_WIDTH;
    for (int slot = 0; slot < WK_TREE_WIDTH && slot < left; ++slot) {
        if (isNear(node, slot, box, limit)) {
            return true;
        }
    }
    return false;
}

// Whether a box is near to one of the two highest levels.
static __device__ bool isNearCloud(const wkDeviceCloud* a, const wkCenterBox* box, float limit)
{
    int32_t top = a->levelCount - 1;
    const wkCenterNode* node = &a->nodes[a->firsts[top]];
    for (int slot = 0; slot < WK_TREE_WIDTH && slot < a->counts[top]; ++slot) {
        if (isNear(node, slot, box, limit) &&
            (top == 0 || isNearNode(a, top - 1, slot, box, limit))) {
            return true;
        }
    }
    return false;
}

// A thread for each leaf of B.
static __global__ void cullCenters(wkDeviceCenters centers)
{
    int32_t leaf = (int32_t)(blockIdx.x * LEAF_THREADS + threadIdx.x);
    if (leaf >= groupsOf(&centers.b)) {
        return;
    }
    wkCenterState* state = centers.scratch.state;
    wkCenterBox box = boxOfLeaf(&centers, leaf);
    if (isNearCloud(&centers.a, &box, limitOf(wkCenterBound(state)))) {
        uint32_t slot = atomicAdd(&state->queueCount, 1u);
        centers.scratch.queue[slot] = leaf;
        centers.scratch.boxes[slot] = box;
    }
}

// Compares the point of B of each lane with the points of a leaf of A.
static __device__ __forceinline__ void compareLeaf(const wkDeviceCloud* a, int32_t leaf, wkVec3d b,
                                                   int32_t rankB, wkCenterPair* best)
{
    int32_t first = leaf * WK_TREE_WIDTH, left = a->pointCount - first;
    for (int32_t i = 0; i < WK_TREE_WIDTH && i < left; ++i) {
        double square = wkCenterSquare(wkGroupPosition(a->groups, first + i), b);
        wkTakeCenterPair(best, square, first + i, rankB);
    }
}

// Tells all blocks the least square of a group of lanes, and returns the bound of all.
static __device__ double shareSquare(wkCenterState* state, double least)
{
    for (int lane = LANES / 2; lane > 0; lane /= 2) {
        double other = __shfl_xor_sync(groupMask(), least, lane);
        least = other < least ? other : least;
    }
    double bound = wkCenterBound(state);
    if (threadIdx.x % LANES == 0 && least < bound) {
        atomicMin(&state->bound, wkBitsOfSquare(least));
    }
    return least < bound ? least : bound;
}

// What a group of lanes shares: nodes that wait, and the boxes of its points.
struct groupOfLanes {
    uint32_t stack[STACK];
    wkCenterBox points[LANES];
};

// Whether a slot is near to a point of the leaf. The box of a leaf does not tell where its points are far from each other:
// one such box of a million points can be near to all of A.
static __device__ bool isNearPoint(const wkCenterNode* node, int slot, const groupOfLanes* group,
                                   float limit)
{
    for (int i = 0; i < LANES; ++i) {
        if (isNear(node, slot, &group->points[i], limit)) {
            return true;
        }
    }
    return false;
}

static __device__ wkCenterBox boxOfPoint(wkVec3d p)
{
    wkCenterBox box = {{wkRoundDown(p.x), wkRoundDown(p.y), wkRoundDown(p.z)},
                       {wkRoundUp(p.x), wkRoundUp(p.y), wkRoundUp(p.z)}};
    return box;
}

// A group of lanes walks through the hierarchy of A with a leaf of B.
static __device__ void walk(const wkDeviceCenters* centers, groupOfLanes* group, int32_t leaf,
                            const wkCenterBox* box, wkCenterPair* best)
{
    const wkDeviceCloud* a = &centers->a;
    uint32_t* stack = group->stack;
    int slot = (int)(threadIdx.x % LANES);
    int32_t rankB = leaf * WK_TREE_WIDTH + slot;
    rankB = rankB < centers->b.pointCount ? rankB : centers->b.pointCount - 1;
    wkVec3d b = wkDeviceCenterOfB(centers, rankB);
    float limit = limitOf(wkCenterBound(centers->scratch.state));
    unsigned mask = groupMask();
    group->points[slot] = boxOfPoint(b);
    __syncwarp(mask);
    int count = 1;
    uint32_t next = (uint32_t)(a->levelCount - 1) << LEVEL_SHIFT;
    while (count > 0) {
        int32_t level = (int32_t)(next >> LEVEL_SHIFT), index = (int32_t)(next & INDEX_MASK);
        const wkCenterNode* node = &a->nodes[a->firsts[level] + index];
        index *= WK_TREE_WIDTH;
        bool isIn = index + slot < a->counts[level] && isNear(node, slot, box, limit) &&
                    isNearPoint(node, slot, group, limit);
        unsigned bits = __ballot_sync(mask, isIn) >> firstLane() & 0xffu;
        --count;
        if (level == 0) {
            for (unsigned rest = bits; rest != 0; rest &= rest - 1u) {
                compareLeaf(a, index + __ffs((int)rest) - 1, b, rankB, best);
            }
            if (bits != 0) {
                limit = limitOf(shareSquare(centers->scratch.state, best->square));
            }
        } else {
            if (isIn) {
                stack[count + __popc(bits & ((1u << slot) - 1u))] =
                    (uint32_t)(level - 1) << LEVEL_SHIFT | (uint32_t)(index + slot);
            }
            count += __popc(bits);
        }
        __syncwarp(mask);
        next = count > 0 ? stack[count - 1] : 0;
        __syncwarp(mask);
    }
}

static __global__ void __launch_bounds__(WK_BEST_THREADS) walkCenters(wkDeviceCenters centers)
{
    __shared__ groupOfLanes groups[GROUPS];
    wkCenterPair best = wkNoCenters(&centers);
    uint32_t count = centers.scratch.state->queueCount, group = threadIdx.x / LANES;
    for (uint32_t i = blockIdx.x * GROUPS + group; i < count; i += gridDim.x * GROUPS) {
        wkCenterBox box = centers.scratch.boxes[i];
        walk(&centers, &groups[group], centers.scratch.queue[i], &box, &best);
    }
    wkKeepBestOfBlock(&centers, best);
}

static unsigned blocksForLeaves(int32_t count)
{
    return (unsigned)((count + LEAF_THREADS - 1) / LEAF_THREADS);
}

cudaError_t wkLaunchCenterBoxes(const wkDeviceCloud* cloud, int32_t level, cudaStream_t stream)
{
    boxTask task = {*cloud, level};
    return wkLaunch(makeBoxes, blocksForLeaves(cloud->counts[level]), LEAF_THREADS, stream, task);
}

cudaError_t wkLaunchCentersClear(const wkDeviceCenters* centers, cudaStream_t stream)
{
    return wkLaunch(clearCenters, 1, 1, stream, *centers);
}

cudaError_t wkLaunchCentersGuess(const wkDeviceCenters* centers, cudaStream_t stream)
{
    return wkLaunch(guessCenters, (unsigned)centers->blockCount, WK_BEST_THREADS, stream, *centers);
}

cudaError_t wkLaunchCentersCull(const wkDeviceCenters* centers, cudaStream_t stream)
{
    return wkLaunch(cullCenters, blocksForLeaves(groupsOf(&centers->b)), LEAF_THREADS, stream,
                    *centers);
}

cudaError_t wkLaunchCentersWalk(const wkDeviceCenters* centers, cudaStream_t stream)
{
    return wkLaunch(walkCenters, (unsigned)centers->blockCount, WK_BEST_THREADS, stream, *centers);
}
