// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What groups of eight lanes do with a point and a hierarchy of spheres (point_scan.h), a lane for each slot of a node. A
// descent gives a bound of the distance. Walks find the nearest sphere, or mark those that the point touches: all groups of
// a block take nodes of all its walks from one stack, so that they stay busy until the last one ends. C++ and CUDA.

#include "cuda/launch.h"
#include "cuda/point_scan.h"

// Threads of a block.
#define WK_SCAN_THREADS 256

// Lanes that descend together, one for each slot of a node, and such groups of a block.
#define WK_SCAN_LANES WK_SPHERE_WIDTH
#define WK_SCAN_GROUPS (WK_SCAN_THREADS / WK_SCAN_LANES)

#define WK_SCAN_WARPS (WK_SCAN_THREADS / WK_WARP)

// Pairs of a point and a hierarchy that walk together.
#define WK_SCAN_PAIRS 128

// Nodes that wait: none of a level are left when those of the level above are taken, so that there are the roots, and for
// each level below at most the children of as many nodes as there are groups.
#define WK_SCAN_STACK (WK_SCAN_PAIRS + (WK_SPHERE_MAX_DEPTH - 1) * WK_SCAN_GROUPS * WK_SPHERE_WIDTH)

#define WK_ALL_LANES 0xffffffffu

// Nearest pairs of a block, and bounds of the distances, as wkOrderFloat has them. Walks use these: the bounds that all
// blocks share are in one line of memory, where thousands of reads would wait for each other.
struct wkBlockBests {
    wkScanBest best[WK_DEVICE_TARGETS];
    uint32_t bounds[WK_DEVICE_TARGETS];
    unsigned locks[WK_DEVICE_TARGETS]; // of the pairs
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

static __device__ __forceinline__ wkWalkPoint wkPlaceInTree(const wkDeviceScan* scan,
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
// @param isByCenters the centers of bounding spheres tell what is near, else their surfaces: neither is better for all
//        hierarchies
static __device__ float wkDescend(const wkSphereNode* nodes, const wkWalkPoint* point,
                                  bool isByCenters)
{
    int slot = (int)(threadIdx.x % WK_SCAN_LANES);
    uint32_t link = 0;
    float least = 0.0f;
    WK_KEEP_LOOP
    while (!wkIsSphereSlot(link)) {
        const wkSphereNode* node = &nodes[link];
        float x = point->x - node->x[slot], y = point->y - node->y[slot];
        float z = point->z - node->z[slot];
        uint32_t next = node->link[slot];
        bool isEmpty = next == WK_SPHERE_EMPTY;
        float radius = isByCenters && !wkIsSphereSlot(next) ? 0.0f : node->radius[slot];
        float distance = isEmpty ? INFINITY : sqrtf(x * x + y * y + z * z) - radius;
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
    WK_KEEP_LOOP
    for (int lane = width / 2; lane > 0; lane /= 2) {
        wkScanBest other;
        other.distance = __shfl_xor_sync(mask, best.distance, lane);
        other.point = __shfl_xor_sync(mask, (long long)best.point, lane);
        other.sphere = __shfl_xor_sync(mask, best.sphere, lane);
        best = wkIsBetterPair(&other, &best) ? other : best;
    }
    return best;
}

static __device__ __forceinline__ float wkBlockBound(const wkBlockBests* block, int32_t target)
{
    return wkFloatOfOrder(*(const volatile uint32_t*)&block->bounds[target]);
}

// Takes a pair if it is better than the best of the block.
static __device__ void wkTakePair(wkBlockBests* block, int32_t target, wkScanBest found)
{
    WK_KEEP_LOOP
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

// A point and a hierarchy that it is compared with.
struct wkScanPair {
    wkWalkPoint at; // in the frame of the tree
    float margin;   // what is added to bounds: the radius of the point, and rounding
    int32_t target;
    double radius; // of the point
    int64_t point; // index among all
};

// Walks of a block, in shared memory.
struct wkWalks {
    // those of the scan: lanes that read parameters of a kernel at different addresses wait for each other
    wkDeviceTree trees[WK_DEVICE_TREES];
    wkScanPair pairs[WK_SCAN_PAIRS];
    // nodes that wait
    uint32_t links[WK_SCAN_STACK];
    float distances[WK_SCAN_STACK]; // the least ones of points from what is in the nodes
    uint8_t numbers[WK_SCAN_STACK]; // of pairs
    int32_t pushed[WK_SCAN_WARPS];  // nodes, by each warp
};

static __device__ __forceinline__ const wkDeviceSpheres* wkSpheresOfPair(const wkWalks* walks,
                                                                         const wkScanPair* pair)
{
    const wkDeviceTree* tree = &walks->trees[pair->target / WK_SPHERE_KIND_COUNT];
    return &tree->kinds[pair->target % WK_SPHERE_KIND_COUNT];
}

// Compares a point with a sphere, in doubles.
// @param bound of the block
template <bool isMarking>
static __device__ __forceinline__ void wkMeetSphere(const wkDeviceScan* scan, const wkWalks* walks,
                                                    wkBlockBests* bests, const wkScanPair* pair,
                                                    int32_t sphere, float bound)
{
    const wkDeviceSpheres* set = wkSpheresOfPair(walks, pair);
    wkScanBest found;
    found.sphere = sphere;
    found.point = pair->point;
    found.distance = wkDistanceToSphere(&set->spheres[sphere], pair->at.exact) - pair->radius;
    if (isMarking) {
        if (found.distance <= scan->bound) {
            walks->trees[pair->target / WK_SPHERE_KIND_COUNT].touched[sphere] = 1;
        }
    } else if (found.distance <= (double)bound) { // that of the best of all is not above any bound
        atomicMin(&bests->bounds[pair->target], wkOrderFloat(wkRoundUp(found.distance)));
        wkTakePair(bests, pair->target, found);
    }
}

// Returns the position of the node of this lane above those of its warp that are pushed before it: those of a group are side by
// side, its nearest one on top.
// @param pushed lanes of the warp with a node
// @param distance of the node; infinity: the lane has none
static __device__ __forceinline__ int wkPlaceInWarp(unsigned pushed, float distance)
{
    int lane = (int)(threadIdx.x % WK_WARP);
    float least = distance;
    int nearest = wkFirstLane() + wkNearestSlot(distance, &least);
    unsigned ofGroup = pushed & wkLaneMask(), before = ofGroup & ((1u << lane) - 1u);
    // the first group has taken the topmost node: its children come last
    unsigned ofLater = pushed & ~wkLaneMask() & ~(wkLaneMask() - 1u);
    return __popc(ofLater) +
           (lane == nearest ? __popc(ofGroup) - 1 : __popc(before & ~(1u << nearest)));
}

// Puts the nodes of lanes onto the stack. Those of the first warp come last.
// @param height of the stack without the nodes that were taken
// @return the new one
static __device__ __forceinline__ int32_t wkPushNodes(wkWalks* walks, int32_t height, uint32_t link,
                                                      float distance, uint8_t number)
{
    bool isPushed = distance < INFINITY;
    int32_t warp = (int32_t)(threadIdx.x / WK_WARP), all = height, position = height;
    unsigned pushed = __ballot_sync(WK_ALL_LANES, isPushed);
    if (threadIdx.x % WK_WARP == 0) {
        walks->pushed[warp] = __popc(pushed);
    }
    __syncthreads();
    WK_UNROLL
    for (int32_t i = 0; i < WK_SCAN_WARPS; ++i) {
        all += walks->pushed[i];
        position += i > warp ? walks->pushed[i] : 0;
    }
    position += wkPlaceInWarp(pushed, distance);
    if (isPushed) {
        walks->links[position] = link;
        walks->distances[position] = distance;
        walks->numbers[position] = number;
    }
    return all;
}

// Takes the nodes on top of the stack, one for each group of the block.
// @param height of the stack
// @return the new one
template <bool isMarking>
static __device__ __forceinline__ int32_t wkStepWalks(const wkDeviceScan* scan, wkWalks* walks,
                                                      wkBlockBests* bests, int32_t height)
{
    int slot = (int)(threadIdx.x % WK_SCAN_LANES);
    int32_t at = height - 1 - (int32_t)(threadIdx.x / WK_SCAN_LANES);
    uint8_t number = at >= 0 ? walks->numbers[at] : 0;
    const wkScanPair* pair = &walks->pairs[number];
    float bound = at >= 0 ? wkBlockBound(bests, pair->target) : -INFINITY;
    // the lanes of a group go by the same bound, which others may lower meanwhile
    bound = __shfl_sync(WK_ALL_LANES, bound, wkFirstLane());
    uint32_t link = WK_SPHERE_EMPTY;
    float distance = INFINITY, reach = bound + pair->margin;
    if (at >= 0 && walks->distances[at] <= reach) {
        const wkSphereNode* node = &wkSpheresOfPair(walks, pair)->nodes[walks->links[at]];
        float x = pair->at.x - node->x[slot], y = pair->at.y - node->y[slot];
        float z = pair->at.z - node->z[slot];
        link = node->link[slot];
        distance = sqrtf(x * x + y * y + z * z) - node->radius[slot];
    }
    bool isNear = link != WK_SPHERE_EMPTY && distance <= reach;
    bool isSphere = isNear && wkIsSphereSlot(link);
    int32_t left = height > WK_SCAN_GROUPS ? height - WK_SCAN_GROUPS : 0;
    left = wkPushNodes(walks, left, link, isNear && !isSphere ? distance : INFINITY, number);
    if (isSphere) {
        int32_t sphere = (int32_t)(link & ~WK_SPHERE_LEAF);
        wkMeetSphere<isMarking>(scan, walks, bests, pair, sphere, bound);
    }
    __syncthreads();
    return left;
}

// Walks with some pairs of the block.
template <bool isMarking>
static __device__ __forceinline__ void wkWalk(const wkDeviceScan* scan, wkWalks* walks,
                                              wkBlockBests* bests, int32_t count)
{
    if ((int32_t)threadIdx.x < count) {
        walks->links[threadIdx.x] = 0; // the root
        walks->distances[threadIdx.x] = -INFINITY;
        walks->numbers[threadIdx.x] = (uint8_t)threadIdx.x;
    }
    __syncthreads();
    WK_KEEP_LOOP
    for (int32_t height = count; height > 0;) {
        height = wkStepWalks<isMarking>(scan, walks, bests, height);
    }
}
