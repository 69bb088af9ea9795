// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What groups of eight lanes do with a point and a hierarchy of spheres (point_scan.h): a descent gives a bound of the
// distance, a walk finds the nearest sphere or marks those that the point touches. C++ and CUDA.

#include "cuda/launch.h"
#include "cuda/point_scan.h"

// Threads of a block.
#define WK_SCAN_THREADS 256

// Lanes that walk together, one for each slot of a node, and such groups of a block.
#define WK_SCAN_LANES WK_SPHERE_WIDTH
#define WK_SCAN_GROUPS (WK_SCAN_THREADS / WK_SCAN_LANES)

// Nodes that wait: of each level on the way down, all slots but one.
#define WK_SCAN_STACK (WK_SPHERE_MAX_DEPTH * WK_SPHERE_WIDTH)

// Nearest pairs of a block.
struct wkBlockBests {
    wkScanBest best[WK_DEVICE_TARGETS];
    unsigned locks[WK_DEVICE_TARGETS]; // of these
};

// A point in the frame of a tree.
struct wkWalkPoint {
    wkVec3d exact;
    float x, y, z;
    float rounding; // of its distance from anything in the tree
};

static __device__ __forceinline__ float wkMaxFloat(float a, float b)
{
    return a > b ? a : b;
}

static __device__ __forceinline__ wkWalkPoint wkPlacePoint(const wkDeviceScan* scan,
                                                           const wkDeviceTree* tree,
                                                           wkVec3d position)
{
    wkWalkPoint point;
    point.exact = wkFrameLocal(&tree->frame, position);
    point.x = (float)point.exact.x;
    point.y = (float)point.exact.y;
    point.z = (float)point.exact.z;
    float largest = wkMaxFloat(wkMaxFloat(fabsf(point.x), fabsf(point.y)), fabsf(point.z));
    point.rounding = WK_SCAN_ROUNDING * (largest + scan->size);
    return point;
}

// The lanes of a group of eight: the first of them, and their bits of a warp.
static __device__ __forceinline__ int wkFirstLane(void)
{
    return (int)(threadIdx.x % WK_WARP / WK_SCAN_LANES * WK_SCAN_LANES);
}

static __device__ __forceinline__ unsigned wkLaneMask(void)
{
    return 0xffu << wkFirstLane();
}

// Returns the slot of the node whose sphere is nearest to a point, of those that are not empty; each lane has one.
static __device__ __forceinline__ int wkNearestSlot(float distance, float* least)
{
    *least = distance;
    for (int lane = WK_SCAN_LANES / 2; lane > 0; lane /= 2) {
        float other = __shfl_xor_sync(wkLaneMask(), *least, lane);
        *least = other < *least ? other : *least;
    }
    unsigned bits = __ballot_sync(wkLaneMask(), distance == *least) & wkLaneMask();
    return __ffs((int)bits) - 1 - wkFirstLane();
}

// Follows the nearest slots of a hierarchy from its root down to a sphere. Returns its distance, which may be NaN.
static __device__ float wkDescend(const wkSphereNode* nodes, const wkWalkPoint* point)
{
    int slot = (int)(threadIdx.x % WK_SCAN_LANES);
    uint32_t link = 0;
    float least = 0.0f;
    while (!wkIsSphereSlot(link)) {
        const wkSphereNode* node = &nodes[link];
        float x = point->x - node->x[slot], y = point->y - node->y[slot];
        float z = point->z - node->z[slot];
        uint32_t next = node->link[slot];
        bool isEmpty = next == WK_SPHERE_EMPTY;
        float distance = isEmpty ? INFINITY : sqrtf(x * x + y * y + z * z) - node->radius[slot];
        int best = wkNearestSlot(distance, &least);
        if (best < 0 || least == INFINITY) {
            return NAN;
        }
        link = __shfl_sync(wkLaneMask(), next, wkFirstLane() + best);
    }
    return least;
}

static __device__ __forceinline__ void wkClearBest(wkScanBest* best, double bound)
{
    best->distance = bound;
    best->point = WK_SCAN_NONE;
    best->sphere = 0;
}

// The better of the pairs of all lanes in a mask that exchange with `width` neighbours.
static __device__ __forceinline__ wkScanBest wkBestOfLanes(unsigned mask, int width,
                                                           wkScanBest best)
{
    for (int lane = width / 2; lane > 0; lane /= 2) {
        wkScanBest other;
        other.distance = __shfl_xor_sync(mask, best.distance, lane);
        other.point = __shfl_xor_sync(mask, (long long)best.point, lane);
        other.sphere = __shfl_xor_sync(mask, best.sphere, lane);
        best = wkIsBetterPair(&other, &best) ? other : best;
    }
    return best;
}

// The bound that all blocks share, which only ever falls.
static __device__ __forceinline__ float wkSharedBound(const wkDeviceScan* scan, int32_t target)
{
    uint32_t own = wkOrderFloat(wkRoundUp(scan->bound));
    uint32_t shared = *(const volatile uint32_t*)&scan->state->bounds[target];
    return wkFloatOfOrder(shared < own ? shared : own);
}

// Takes a pair if it is better than the best of the block.
static __device__ void wkTakePair(wkBlockBests* block, int32_t target, wkScanBest found)
{
    for (bool isDone = false; !isDone;) {
        if (atomicCAS(&block->locks[target], 0u, 1u) == 0u) {
            __threadfence_block();
            if (wkIsBetterPair(&found, &block->best[target])) {
                block->best[target] = found;
            }
            __threadfence_block();
            atomicExch(&block->locks[target], 0u);
            isDone = true;
        }
    }
}

// Walks through a hierarchy with a point.
// @param radius of the point
// @param index of the point among those of the launch
template <bool isMarking>
static __device__ void wkWalk(const wkDeviceScan* scan, wkBlockBests* block, uint32_t* stack,
                              int32_t target, const wkWalkPoint* p, double radius, int64_t index)
{
    const wkDeviceTree* tree = &scan->trees[target / WK_SPHERE_KIND_COUNT];
    const wkDeviceSpheres* set = &tree->kinds[target % WK_SPHERE_KIND_COUNT];
    const wkSphereNode* nodes = set->nodes;
    float bound = wkRoundUp(scan->bound), margin = wkRoundUp(radius) + p->rounding;
    wkScanBest best;
    wkClearBest(&best, scan->bound);

    unsigned mask = wkLaneMask();
    int slot = (int)(threadIdx.x % WK_SCAN_LANES), shift = wkFirstLane();
    int count = 1;
    uint32_t next = 0;
    while (count > 0) {
        const wkSphereNode* node = &nodes[next];
        uint32_t link = node->link[slot];
        float x = p->x - node->x[slot], y = p->y - node->y[slot], z = p->z - node->z[slot];
        if (!isMarking) { // read with the node, so that it costs no time
            float shared = wkSharedBound(scan, target);
            bound = shared < bound ? shared : bound;
        }
        // slots without a sphere have a reach of minus infinity, and nothing is near to them
        float reach = margin + bound + node->radius[slot];
        bool isNear = reach >= 0.0f && x * x + y * y + z * z <= reach * reach;
        if (isNear && wkIsSphereSlot(link)) {
            wkScanBest found;
            found.sphere = (int32_t)(link & ~WK_SPHERE_LEAF);
            found.point = scan->firstPoint + index;
            found.distance = wkDistanceToSphere(&set->spheres[found.sphere], p->exact) - radius;
            if (isMarking) {
                if (found.distance <= scan->bound) {
                    tree->touched[found.sphere] = 1;
                }
            } else {
                best = wkIsBetterPair(&found, &best) ? found : best;
                float limit = wkRoundUp(best.distance);
                if (limit < bound) {
                    bound = limit;
                    atomicMin(&scan->state->bounds[target], wkOrderFloat(limit));
                }
            }
        }
        // nodes that are near go onto the stack, in the order of their slots
        unsigned bits = __ballot_sync(mask, isNear && !wkIsSphereSlot(link)) >> shift & 0xffu;
        --count;
        if ((bits >> slot & 1u) != 0) {
            stack[count + __popc(bits & ((1u << slot) - 1u))] = link;
        }
        count += __popc(bits);
        __syncwarp(mask);
        next = count > 0 ? stack[count - 1] : 0;
        __syncwarp(mask);
    }
    if (!isMarking) {
        best = wkBestOfLanes(mask, WK_SCAN_LANES, best);
        if (slot == 0 && best.point != WK_SCAN_NONE) {
            wkTakePair(block, target, best);
        }
    }
}
