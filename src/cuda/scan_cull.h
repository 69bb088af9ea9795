// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Which points can be near to which hierarchies of spheres (point_scan.h): a thread compares its points with the box and the
// cylinder of each tree, then what is left with the root of each hierarchy. C++ and CUDA.

#include "cuda/load_point.h"
#include "cuda/scan_walk.h"

// Points of each thread that are culled together, and those of a tile.
#define WK_SCAN_POINTS_EACH 4
#define WK_SCAN_TILE (WK_SCAN_THREADS * WK_SCAN_POINTS_EACH)

// Pairs of a point and a tree whose roots are compared together. What does not fit waits for its turn.
#define WK_SCAN_QUEUE 2048

// A point as it is loaded, so that what comes next need not wait for it.
struct wkLoadedPoint {
    float x, y, z; // in the frame of the points where these are plain, else relative to the origin
    float radius;  // 0 where points are plain
};

// A point relative to the origin.
struct wkScanPoint {
    float x, y, z;
    float slack; // its radius, and the rounding of its distances
    float
        mark; // 0; NaN: the point is not finite, or there is none, and no comparison is true for it
};

// What every point is compared with, of a tree: kept by each block where it is read fastest.
struct wkTreeBox {
    float4 rows[3]; // rotation, and what follows it
    wkDeviceBounds around;
    float bound; // the larger one of those of both hierarchies
};

// A box in the frame of the points, relative to the origin.
struct wkScanBox {
    float lower[3], upper[3]; // lower above upper: nothing is in it
};

// The spheres of the root of a hierarchy, relative to the middle of the box, and what is around them.
struct wkRootSpheres {
    float4 slots[WK_SPHERE_WIDTH]; // radius minus infinity: nothing is there
    wkDeviceBounds around;
    float bound; // of the distance
};

// What the threads of a block share.
struct wkScanBlock {
    wkTreeBox boxes[WK_DEVICE_TREES];
    wkScanBox extents[WK_DEVICE_TREES]; // around the spheres of each tree
    wkScanBox reach;                    // around all that points can be near to
    wkRootSpheres roots[WK_DEVICE_TARGETS];
    wkBlockBests bests;
    uint32_t guesses[WK_DEVICE_TREES][WK_SCAN_WARPS];     // the nearest point of each warp
    uint16_t list[WK_SCAN_QUEUE];                         // tree, and point within the tile
    unsigned collected;                                   // those that do not fit are counted, too
    uint16_t queue[WK_SCAN_QUEUE * WK_SPHERE_KIND_COUNT]; // hierarchy, and point within the tile
    unsigned queued;
    wkWalks walks;
    wkScanAnswer answer;     // of the last block
    uint32_t hints[WK_WARP]; // bounds by the last scan, of each hierarchy
    bool hasHints;           // for all hierarchies
    bool isLast;             // all other blocks have ended
};

// Finds the address of a point whose coordinates are aligned.
static __device__ __forceinline__ const char* wkPointAt(const wkDeviceScan* scan, int64_t index)
{
    return scan->layout.data + index * scan->layout.stride;
}

static __device__ __forceinline__ float wkFloatOnAxis(const wkDeviceScan* scan, const char* point,
                                                      int axis)
{
    return *(const float*)(point + scan->layout.offsets[axis]);
}

// @param isPlain coordinates are aligned floats, and there are no radii
template <bool isPlain>
static __device__ __forceinline__ wkVec3d wkPositionOf(const wkDeviceScan* scan, int64_t index)
{
    if (!isPlain) {
        return wkLoadPosition(&scan->layout, scan->isAligned, index);
    }
    const char* point = wkPointAt(scan, index);
    return wkVec((double)wkFloatOnAxis(scan, point, 0), (double)wkFloatOnAxis(scan, point, 1),
                 (double)wkFloatOnAxis(scan, point, 2));
}

// Returns the radius of a point as a float, and notes one that is not valid.
static __device__ __forceinline__ float wkLoadRadius(const wkDeviceScan* scan, int64_t index)
{
    float own = wkScanOwnRadius(&scan->layout, index);
    if (!wkIsScanRadius(own)) {
        atomicMin(&scan->state->badPoint, (unsigned long long)(scan->firstPoint + index));
        return 0.0f;
    }
    return wkRoundUp((double)own + scan->radius);
}

// @param isFinite becomes true where it is known that the point is finite
template <bool isPlain>
static __device__ __forceinline__ wkLoadedPoint wkLoadPoint(const wkDeviceScan* scan, int64_t index,
                                                            bool* isFinite)
{
    wkLoadedPoint p;
    if (isPlain) {
        const char* point = wkPointAt(scan, index);
        p.x = wkFloatOnAxis(scan, point, 0);
        p.y = wkFloatOnAxis(scan, point, 1);
        p.z = wkFloatOnAxis(scan, point, 2);
        p.radius = 0.0f;
    } else {
        wkVec3d at = wkPositionOf<isPlain>(scan, index);
        p.x = (float)(at.x - (double)scan->origin[0]);
        p.y = (float)(at.y - (double)scan->origin[1]);
        p.z = (float)(at.z - (double)scan->origin[2]);
        p.radius = wkLoadRadius(scan, index);
        *isFinite = *isFinite || (isfinite(at.x) && isfinite(at.y) && isfinite(at.z));
    }
    return p;
}

static __device__ __forceinline__ wkLoadedPoint wkNoPoint(void)
{
    wkLoadedPoint none = {NAN, 0.0f, 0.0f, 0.0f};
    return none;
}

// Returns the index of a point of a tile of the block. The points of a warp are dealt out to each block in turn: those that
// are near to a robot are near to each other, and would keep a few blocks busy.
static __device__ __forceinline__ int64_t wkPointOfTile(int64_t tile, unsigned at)
{
    int64_t warp = tile * (WK_SCAN_TILE / WK_WARP) + at / WK_WARP;
    return (warp * gridDim.x + blockIdx.x) * WK_WARP + at % WK_WARP;
}

template <bool isPlain>
static __device__ __forceinline__ void wkLoadTile(const wkDeviceScan* scan, int64_t tile,
                                                  wkLoadedPoint* points, bool* isFinite)
{
    WK_UNROLL
    for (int i = 0; i < WK_SCAN_POINTS_EACH; ++i) {
        int64_t index = wkPointOfTile(tile, (unsigned)i * WK_SCAN_THREADS + threadIdx.x);
        points[i] =
            index < scan->layout.count ? wkLoadPoint<isPlain>(scan, index, isFinite) : wkNoPoint();
    }
}

// @param isFinite becomes true where the point is finite
template <bool isPlain>
static __device__ __forceinline__ wkScanPoint wkPlacePoint(const wkDeviceScan* scan,
                                                           const wkLoadedPoint* loaded,
                                                           bool* isFinite)
{
    wkScanPoint p = {loaded->x, loaded->y, loaded->z, 0.0f, 0.0f};
    if (isPlain) { // the origin has the digits of floats
        p.x -= scan->origin[0];
        p.y -= scan->origin[1];
        p.z -= scan->origin[2];
    }
    p.mark = 0.0f * p.x + 0.0f * p.y + 0.0f * p.z;
    if (isPlain) {
        *isFinite = *isFinite || p.mark == 0.0f;
    }
    float largest = fmaxf(fmaxf(fabsf(p.x), fabsf(p.y)), fabsf(p.z));
    float radius = isPlain ? wkRoundUp(scan->radius) : loaded->radius;
    p.slack = radius + WK_SCAN_ROUNDING * (largest + scan->size);
    return p;
}

static __device__ __forceinline__ float wkPlaceOnAxis(float4 row, const wkScanPoint* p)
{
    return fmaf(row.x, p->x, fmaf(row.y, p->y, fmaf(row.z, p->z, row.w)));
}

static __device__ __forceinline__ float wkSquareOutside(float value, float limit)
{
    float outside = fmaxf(fabsf(value) - limit, 0.0f);
    return outside * outside;
}

static __device__ __forceinline__ float wkSquareToCylinder(const wkDeviceBounds* around, float x,
                                                           float y)
{
    float square = fmaf(x, x, y * y);
    return wkSquareOutside(square * rsqrtf(square),
                           around->radius); // NaN on the axis: nothing outside
}

// Whether the square of the distance of a place, relative to the middle, from what is around spheres can be within a limit. Few
// places come so far that the cylinder is compared.
static __device__ __forceinline__ bool wkIsNearBounds(const wkDeviceBounds* around, float x,
                                                      float y, float z, float mark, float limit)
{
    float along = wkSquareOutside(z, around->half[2]) + mark;
    float across = wkSquareOutside(x, around->half[0]) + wkSquareOutside(y, around->half[1]);
    return along + across <= limit && along + wkSquareToCylinder(around, x, y) <= limit;
}

static __device__ __forceinline__ bool wkIsNearTree(const wkTreeBox* box, const wkScanPoint* p)
{
    float reach = fmaxf(box->bound + p->slack, 0.0f);
    return wkIsNearBounds(&box->around, wkPlaceOnAxis(box->rows[0], p),
                          wkPlaceOnAxis(box->rows[1], p), wkPlaceOnAxis(box->rows[2], p), p->mark,
                          reach * reach);
}

// The square of the distance from what is around the spheres of a tree; NaN for a point that is marked.
static __device__ __forceinline__ float wkSquareToTree(const wkTreeBox* box, const wkScanPoint* p)
{
    const wkDeviceBounds* around = &box->around;
    float x = wkPlaceOnAxis(box->rows[0], p), y = wkPlaceOnAxis(box->rows[1], p);
    float z = wkPlaceOnAxis(box->rows[2], p);
    float across = wkSquareOutside(x, around->half[0]) + wkSquareOutside(y, around->half[1]);
    return fmaxf(across, wkSquareToCylinder(around, x, y)) + wkSquareOutside(z, around->half[2]) +
           p->mark;
}

// Whether a point may be near to any tree.
static __device__ __forceinline__ bool wkIsInReach(const wkScanBox* reach, const wkScanPoint* p)
{
    return p->x + p->slack >= reach->lower[0] && p->x - p->slack <= reach->upper[0] &&
           p->y + p->slack >= reach->lower[1] && p->y - p->slack <= reach->upper[1] &&
           p->z + p->slack >= reach->lower[2] && p->z - p->slack <= reach->upper[2];
}

// Returns a bit for each tree that a point may be near to, eight for each point of the thread. Most points are far from all
// trees, with those around them.
template <bool isPlain>
static __device__ __forceinline__ uint32_t wkCullTile(const wkDeviceScan* scan,
                                                      const wkScanBlock* block,
                                                      const wkLoadedPoint* loaded, bool* isFinite)
{
    wkScanPoint points[WK_SCAN_POINTS_EACH];
    bool isInReach[WK_SCAN_POINTS_EACH], isAny = false; // the same for all lanes
    WK_UNROLL
    for (int i = 0; i < WK_SCAN_POINTS_EACH; ++i) {
        points[i] = wkPlacePoint<isPlain>(scan, &loaded[i], isFinite);
        isInReach[i] = __any_sync(WK_ALL_LANES, wkIsInReach(&block->reach, &points[i]));
        isAny = isAny || isInReach[i];
    }
    uint32_t near = 0;
    WK_KEEP_LOOP
    for (int32_t tree = 0; isAny && tree < scan->treeCount; ++tree) {
        wkTreeBox box = block->boxes[tree];
        WK_UNROLL
        for (int i = 0; i < WK_SCAN_POINTS_EACH; ++i) {
            if (isInReach[i] && wkIsNearTree(&box, &points[i])) {
                near |= 1u << (i * WK_DEVICE_TREES + tree);
            }
        }
    }
    return near;
}

// Whether a point can be nearer to the spheres of a hierarchy than its bound.
static __device__ __forceinline__ bool wkIsNearRoot(const wkRootSpheres* root, float x, float y,
                                                    float z, float slack)
{
    float reach = fmaxf(root->bound + slack, 0.0f);
    if (!wkIsNearBounds(&root->around, x, y, z, 0.0f, reach * reach)) {
        return false;
    }
    WK_KEEP_LOOP
    for (int slot = 0; slot < WK_SPHERE_WIDTH; ++slot) {
        float4 s = root->slots[slot];
        float dx = x - s.x, dy = y - s.y, dz = z - s.z, all = root->bound + slack + s.w;
        if (all >= 0.0f && fmaf(dx, dx, fmaf(dy, dy, dz * dz)) <= all * all) {
            return true;
        }
    }
    return false;
}

// Puts the trees that the points of a thread can be near to into a list, as long as there is space.
// @param near bits of wkCullTile; those that are in the list are cleared
// @return whether anything was put there or is left
static __device__ __forceinline__ bool wkCollect(wkScanBlock* block, uint32_t* near)
{
    bool isBusy = *near != 0;
    WK_KEEP_LOOP
    for (; *near != 0; *near &= *near - 1u) {
        unsigned bit = (unsigned)__ffs((int)*near) - 1u, tree = bit % WK_DEVICE_TREES;
        unsigned at = bit / WK_DEVICE_TREES * WK_SCAN_THREADS + threadIdx.x;
        unsigned slot = atomicAdd(&block->collected, 1u);
        if (slot >= WK_SCAN_QUEUE) {
            return true;
        }
        block->list[slot] = (uint16_t)(tree * WK_SCAN_TILE + at);
    }
    return isBusy;
}

// Puts the hierarchies of the trees in the list that points can be near to into the queue: a thread for each entry.
template <bool isMarking, bool isPlain>
static __device__ void wkMeetRoots(const wkDeviceScan* scan, wkScanBlock* block, int64_t tile)
{
    unsigned count = block->collected < WK_SCAN_QUEUE ? block->collected : WK_SCAN_QUEUE;
    WK_KEEP_LOOP
    for (unsigned i = threadIdx.x; i < count; i += WK_SCAN_THREADS) {
        unsigned tree = block->list[i] / WK_SCAN_TILE, at = block->list[i] % WK_SCAN_TILE;
        const wkTreeBox* box = &block->boxes[tree];
        bool isFinite = false;
        wkLoadedPoint loaded = wkLoadPoint<isPlain>(scan, wkPointOfTile(tile, at), &isFinite);
        wkScanPoint p = wkPlacePoint<isPlain>(scan, &loaded, &isFinite);
        float x = wkPlaceOnAxis(box->rows[0], &p), y = wkPlaceOnAxis(box->rows[1], &p);
        float z = wkPlaceOnAxis(box->rows[2], &p);
        WK_KEEP_LOOP
        for (unsigned kind = 0; kind < (isMarking ? 1u : WK_SPHERE_KIND_COUNT); ++kind) {
            unsigned target = tree * WK_SPHERE_KIND_COUNT + kind;
            if (wkIsNearRoot(&block->roots[target], x, y, z, p.slack)) {
                block->queue[atomicAdd(&block->queued, 1u)] =
                    (uint16_t)(target * WK_SCAN_TILE + at);
            }
        }
    }
}
