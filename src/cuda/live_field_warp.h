// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Spheres that the look-ups of a warp leave open, tested by all of its lanes together: few lanes have such a sphere, and
// tiles, bricks and points of different spheres are of such different numbers that lanes with one each wait for each other
// most of the time. Lanes take tiles first, then the bricks of these tiles, whichever tile they are in, then points.
// C++ and CUDA.

#include "cuda/launch.h"
#include "cuda/live_field_item.h"

#define WK_LIVE_LANES 0xffffffffu // all of them

// Returns the sum of the values of this lane and those before.
static __device__ __forceinline__ int32_t wkSumOfLanes(int32_t value)
{
    int lane = (int)(threadIdx.x % WK_WARP);
    for (int step = 1; step < WK_WARP; step *= 2) {
        int32_t other = __shfl_sync(WK_LIVE_LANES, value, lane >= step ? lane - step : lane);
        value += lane >= step ? other : 0;
    }
    return value;
}

// Returns the number of lanes whose sums are at most a number, where sums do not fall from lane to lane.
static __device__ __forceinline__ int wkLanesUpTo(int32_t sum, int32_t number)
{
    int count = 0;
    for (int step = WK_WARP / 2; step > 0; step /= 2) {
        count += __shfl_sync(WK_LIVE_LANES, sum, count + step - 1) <= number ? step : 0;
    }
    return count;
}

// Returns the index of a set bit of a word, which has more than `before` of them, `before` bits up.
static __device__ __forceinline__ int wkBitAfter(uint64_t bits, int before)
{
    int low = __popc((unsigned)bits), index = 0;
    unsigned half = (unsigned)bits;
    if (before >= low) {
        before -= low;
        half = (unsigned)(bits >> 32);
        index = 32;
    }
    for (int step = 16; step > 0; step /= 2) {
        int count = __popc(half & ((1u << step) - 1u));
        if (before >= count) {
            before -= count;
            half >>= step;
            index += step;
        }
    }
    return index;
}

// A sphere that a warp tests; the same in all lanes.
struct wkWarpSphere {
    wkLiveSearch search;
    float x, y, z, radius;
};

// Returns the points of a brick, none where the sphere does not reach it.
static __device__ __forceinline__ wkLiveRange wkReachedPoints(const wkLiveField* field,
                                                              const wkWarpSphere* sphere,
                                                              int32_t tile, int part)
{
    const wkFieldGrid* grid = &field->grid;
    const wkLiveSearch* search = &sphere->search;
    int32_t acrossX = grid->count[0] / WK_LIVE_TILE, acrossY = grid->count[1] / WK_LIVE_TILE;
    int32_t tileX = tile % acrossX, tileY = tile / acrossX % acrossY,
            tileZ = tile / acrossX / acrossY;
    float x = wkBeyondBrick(search->at[0], tileX * WK_LIVE_SPLIT + part % WK_LIVE_SPLIT);
    float y =
        wkBeyondBrick(search->at[1], tileY * WK_LIVE_SPLIT + part / WK_LIVE_SPLIT % WK_LIVE_SPLIT);
    float z = wkBeyondBrick(search->at[2],
                            tileZ * WK_LIVE_SPLIT + part / (WK_LIVE_SPLIT * WK_LIVE_SPLIT));
    wkLiveRange none = {0, 0};
    bool isReached = x * x + y * y + z * z <= search->limit * search->limit;
    return isReached ? field->ranges[tile * WK_LIVE_PARTS + part] : none;
}

// Tests the points of the ranges of all lanes.
static __device__ __forceinline__ bool
wkTouchesInRanges(const wkLiveField* field, const wkWarpSphere* sphere, wkLiveRange range)
{
    uint32_t lane = threadIdx.x % WK_WARP;
    bool isTouching = false;
    WK_KEEP_LOOP
    for (unsigned left = __ballot_sync(WK_LIVE_LANES, range.count > 0); left != 0;
         left &= left - 1) {
        int from = __ffs((int)left) - 1;
        uint32_t first = __shfl_sync(WK_LIVE_LANES, range.first, from);
        uint32_t count = __shfl_sync(WK_LIVE_LANES, range.count, from);
        WK_KEEP_LOOP
        for (uint32_t i = lane; i < count && !isTouching; i += WK_WARP) {
            isTouching = wkTouchesLivePoint(wkLoadLivePoint(field->points, first + i), sphere->x,
                                            sphere->y, sphere->z, sphere->radius);
        }
    }
    return __ballot_sync(WK_LIVE_LANES, isTouching) != 0;
}

// Tests the bricks of the tiles of all lanes.
// @param tile of this lane, and the bits of its bricks
static __device__ __forceinline__ bool wkTouchesInBricks(const wkLiveField* field,
                                                         const wkWarpSphere* sphere, int32_t tile,
                                                         uint64_t bricks)
{
    int32_t lane = (int32_t)(threadIdx.x % WK_WARP);
    int32_t count = __popc((unsigned)bricks) + __popc((unsigned)(bricks >> 32));
    int32_t sum = wkSumOfLanes(count), all = __shfl_sync(WK_LIVE_LANES, sum, WK_WARP - 1);
    WK_KEEP_LOOP
    for (int32_t first = 0; first < all; first += WK_WARP) {
        int32_t index = first + lane, owner = wkLanesUpTo(sum, index);
        owner = owner < WK_WARP ? owner : WK_WARP - 1;
        int32_t before = index - __shfl_sync(WK_LIVE_LANES, sum - count, owner);
        uint64_t itsBricks = __shfl_sync(WK_LIVE_LANES, bricks, owner);
        int32_t itsTile = __shfl_sync(WK_LIVE_LANES, tile, owner);
        wkLiveRange range = {0, 0};
        if (index < all) {
            range = wkReachedPoints(field, sphere, itsTile, wkBitAfter(itsBricks, before));
        }
        if (wkTouchesInRanges(field, sphere, range)) {
            return true;
        }
    }
    return false;
}

static __device__ __forceinline__ bool wkTouchesByWarp(const wkLiveField* field,
                                                       const wkWarpSphere* sphere)
{
    const wkLiveSearch* search = &sphere->search;
    const wkFieldGrid* grid = &field->grid;
    int32_t acrossX = grid->count[0] / WK_LIVE_TILE, acrossY = grid->count[1] / WK_LIVE_TILE;
    int32_t start[3], count[3];
    for (int axis = 0; axis < 3; ++axis) {
        start[axis] = search->first[axis] / WK_LIVE_SPLIT;
        count[axis] = search->last[axis] / WK_LIVE_SPLIT - start[axis] + 1;
    }
    int32_t all = count[0] * count[1] * count[2];
    WK_KEEP_LOOP
    for (int32_t first = 0; first < all; first += WK_WARP) {
        int32_t index = first + (int32_t)(threadIdx.x % WK_WARP);
        int32_t tile[3] = {start[0] + index % count[0], start[1] + index / count[0] % count[1],
                           start[2] + index / count[0] / count[1]};
        uint64_t bricks = index < all ? wkLiveBricksIn(field, search, tile) : 0;
        if (wkTouchesInBricks(field, sphere, tile[0] + acrossX * (tile[1] + acrossY * tile[2]),
                              bricks)) {
            return true;
        }
    }
    return false;
}

// Returns bits of the lanes whose spheres touch, as wkLiveField_Touches has it, in all lanes. All lanes of the warp call it.
// @param open bits of the lanes whose spheres are to be tested; the same in all lanes
// @param x, y, z, radius of the sphere of this lane
static __device__ __forceinline__ unsigned wkLiveField_TouchesOfWarp(const wkLiveField* field,
                                                                     unsigned open, float x,
                                                                     float y, float z, float radius)
{
    unsigned touching = 0;
    WK_KEEP_LOOP
    for (; open != 0; open &= open - 1) {
        int from = __ffs((int)open) - 1;
        float center[3] = {__shfl_sync(WK_LIVE_LANES, x, from), __shfl_sync(WK_LIVE_LANES, y, from),
                           __shfl_sync(WK_LIVE_LANES, z, from)};
        wkWarpSphere sphere;
        sphere.x = center[0];
        sphere.y = center[1];
        sphere.z = center[2];
        sphere.radius = __shfl_sync(WK_LIVE_LANES, radius, from);
        bool isTouching = !wkBeginLiveSearch(field, center, sphere.radius, &sphere.search) ||
                          wkTouchesByWarp(field, &sphere);
        touching |= isTouching ? 1u << from : 0u;
    }
    return touching;
}
