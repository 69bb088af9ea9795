// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What threads do with a point and a hierarchy of spheres (point_scan.h): a descent, of eight lanes, gives a bound of the
// distance; a walk, of one thread, finds the nearest sphere or marks those that the point touches. C++ and CUDA.

#include "cuda/launch.h"
#include "cuda/point_scan.h"

// Loops over registers: indices have to be constants. All others stay as they are: most parts of the kernel run once or
// twice for a query, and copies of them only make it larger.
#if defined(__CUDACC__)
#define WK_UNROLL _Pragma("unroll")
#define WK_KEEP_LOOP _Pragma("unroll 1")
#else
#define WK_UNROLL
#define WK_KEEP_LOOP
#endif

// Threads of a block.
#define WK_SCAN_THREADS 256

// Lanes that descend together, one for each slot of a node, and such groups of a block.
#define WK_SCAN_LANES WK_SPHERE_WIDTH
#define WK_SCAN_GROUPS (WK_SCAN_THREADS / WK_SCAN_LANES)

// Nodes that wait: of each level on the way down, all slots but one; and the slots of the last one.
#define WK_SCAN_STACK (WK_SPHERE_MAX_DEPTH * WK_SPHERE_WIDTH)

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

// Four slots of a node, loaded at once: threads wait for memory once for each half of a node.
struct wkHalfNode {
    float4 x, y, z, radius;
    uint32_t link[4];
};

static __device__ __forceinline__ wkHalfNode wkLoadHalf(const wkSphereNode* node, int half)
{
    const float4* links = (const float4*)node->link + half;
    wkHalfNode loaded = {((const float4*)node->x)[half],
                         ((const float4*)node->y)[half],
                         ((const float4*)node->z)[half],
                         ((const float4*)node->radius)[half],
                         {0, 0, 0, 0}};
    float4 link = *links;
    memcpy(loaded.link, &link, sizeof link);
    return loaded;
}

// A walk of one thread through a hierarchy with a point.
struct wkScanWalk {
    const wkDeviceScan* scan;
    wkBlockBests* block;
    const wkSphereF* spheres;
    uint8_t* touched;
    int32_t target;
    int64_t point; // index among all
    double radius;
    wkScanBest best;
    float bound;
};

static __device__ __forceinline__ bool wkIsNearSlot(float x, float y, float z, float reach)
{
    // slots without a sphere have a reach of minus infinity, and nothing is near to them
    return reach >= 0.0f && x * x + y * y + z * z <= reach * reach;
}

// Compares the point with a sphere, in doubles.
template <bool isMarking>
static __device__ void wkMeetSphere(wkScanWalk* walk, const wkWalkPoint* p, int32_t sphere)
{
    wkScanBest found;
    found.sphere = sphere;
    found.point = walk->point;
    found.distance = wkDistanceToSphere(&walk->spheres[sphere], p->exact) - walk->radius;
    if (isMarking) {
        if (found.distance <= walk->scan->bound) {
            walk->touched[sphere] = 1;
        }
    } else if (wkIsBetterPair(&found, &walk->best)) {
        walk->best = found;
        float limit = wkRoundUp(found.distance);
        if (limit < walk->bound) {
            walk->bound = limit;
            atomicMin(&walk->block->bounds[walk->target], wkOrderFloat(limit));
        }
    }
}

// Finds the sphere of a hierarchy that is nearest to a point, or marks those that the point touches.
// @param radius of the point
// @param index of the point among those of the launch
template <bool isMarking>
static __device__ void wkWalk(const wkDeviceScan* scan, wkBlockBests* block, int32_t target,
                              const wkWalkPoint* p, double radius, int64_t index)
{
    const wkDeviceTree* tree = &scan->trees[target / WK_SPHERE_KIND_COUNT];
    const wkDeviceSpheres* set = &tree->kinds[target % WK_SPHERE_KIND_COUNT];
    const wkSphereNode* nodes = set->nodes;
    wkScanWalk walk = {scan,          block,  set->spheres,
                       tree->touched, target, scan->firstPoint + index,
                       radius,        {},     wkBlockBound(block, target)};
    wkClearBest(&walk.best, scan->bound);
    float margin = wkRoundUp(radius) + p->rounding;
    uint32_t stack[WK_SCAN_STACK];
    int count = 1;
    stack[0] = 0;
    WK_KEEP_LOOP
    while (count > 0) {
        const wkSphereNode* node = &nodes[stack[--count]];
        float shared = wkBlockBound(block, target);
        walk.bound = shared < walk.bound ? shared : walk.bound;
        WK_KEEP_LOOP
        for (int half = 0; half < 2; ++half) {
            wkHalfNode h = wkLoadHalf(node, half);
            float reach = margin + walk.bound;
            bool isNear[4] = {
                wkIsNearSlot(p->x - h.x.x, p->y - h.y.x, p->z - h.z.x, reach + h.radius.x),
                wkIsNearSlot(p->x - h.x.y, p->y - h.y.y, p->z - h.z.y, reach + h.radius.y),
                wkIsNearSlot(p->x - h.x.z, p->y - h.y.z, p->z - h.z.z, reach + h.radius.z),
                wkIsNearSlot(p->x - h.x.w, p->y - h.y.w, p->z - h.z.w, reach + h.radius.w)};
            WK_UNROLL
            for (int i = 0; i < 4; ++i) {
                if (isNear[i]) {
                    stack[count++] = h.link[i];
                }
            }
        }
        // spheres wait on top of the stack, at most eight
        WK_KEEP_LOOP
        while (count > 0 && wkIsSphereSlot(stack[count - 1])) {
            wkMeetSphere<isMarking>(&walk, p, (int32_t)(stack[--count] & ~WK_SPHERE_LEAF));
        }
    }
    // the best of all is not above the bound
    if (!isMarking && walk.best.point != WK_SCAN_NONE &&
        walk.best.distance <= (double)wkBlockBound(block, target)) {
        wkTakePair(block, target, walk.best);
    }
}
