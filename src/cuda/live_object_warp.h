// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A sphere that look-ups leave open, compared with the objects of its field by all lanes of a warp: lanes take large
// objects, then the lists of tiles. C++ and CUDA.

#include "cuda/live_field_warp.h"
#include "cuda/live_object_item.h"

static __device__ __forceinline__ bool wkTouchesObjectAt(const wkLiveObjects& objects,
                                                         uint32_t index, const wkWarpSphere& sphere)
{
    const wkLiveObject object = objects.objects[index];
    return wkTouchesLiveObject(&object, sphere.x, sphere.y, sphere.z, sphere.radius);
}

// Tests the objects of the tiles that a sphere reaches. Bounds of objects and of the sphere both have the cell of any
// position where they touch, so one of these tiles lists the object.
static __device__ __forceinline__ bool wkTouchesListedObjects(const wkLiveField* field,
                                                              const wkLiveObjects& objects,
                                                              const wkWarpSphere& sphere)
{
    const wkFieldGrid* grid = &field->grid;
    int32_t acrossX = grid->count[0] / WK_LIVE_TILE, acrossY = grid->count[1] / WK_LIVE_TILE;
    float limit = sphere.radius * grid->perMetre * 1.00001f + 0.001f;
    int32_t start[3], count[3];
    for (int axis = 0; axis < 3; ++axis) {
        float at = sphere.search.at[axis];
        start[axis] = wkLiveCell(grid, axis, at - limit) / WK_LIVE_TILE;
        count[axis] = wkLiveCell(grid, axis, at + limit) / WK_LIVE_TILE - start[axis] + 1;
    }
    int32_t all = count[0] * count[1] * count[2];
    bool isTouching = false;
    WK_KEEP_LOOP
    for (int32_t first = 0; first < all; first += WK_WARP) {
        int32_t index = first + (int32_t)(threadIdx.x % WK_WARP);
        int32_t x = start[0] + index % count[0], y = start[1] + index / count[0] % count[1];
        int32_t z = start[2] + index / count[0] / count[1];
        wkLiveRange range = {0, 0};
        if (index < all) {
            range = objects.tiles[x + acrossX * (y + acrossY * z)];
        }
        WK_KEEP_LOOP
        for (uint32_t i = 0; i < range.count && !isTouching; ++i) {
            isTouching = wkTouchesObjectAt(objects, objects.list[range.first + i], sphere);
        }
        if (__any_sync(WK_LIVE_LANES, isTouching)) {
            return true;
        }
    }
    return false;
}

static __device__ __forceinline__ bool wkTouchesLargeObjects(const wkLiveObjects& objects,
                                                             const wkWarpSphere& sphere)
{
    bool isTouching = false;
    WK_KEEP_LOOP
    for (int32_t i = objects.largeFirst + (int32_t)(threadIdx.x % WK_WARP);
         i < objects.largeEnd && !isTouching; i += WK_WARP) {
        isTouching = wkTouchesObjectAt(objects, (uint32_t)i, sphere);
    }
    return __any_sync(WK_LIVE_LANES, isTouching) != 0;
}

// Returns bits of the lanes whose spheres touch objects. Arguments are those of wkLiveField_TouchesOfWarp, which tests
// points. Not inlined: kernels that call it have many registers in use.
static __device__ __noinline__ unsigned wkLiveObjects_TouchesOfWarp(const wkLiveField* field,
                                                                    const wkLiveObjects* objects,
                                                                    unsigned open, float x, float y,
                                                                    float z, float radius)
{
    unsigned touching = 0;
    open = wkHasLiveObjects(objects) ? open : 0u;
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
                          wkTouchesLargeObjects(*objects, sphere) ||
                          wkTouchesListedObjects(field, *objects, sphere);
        touching |= isTouching ? 1u << from : 0u;
    }
    return touching;
}

// Returns bits of the lanes whose spheres touch points or, where calls have any, objects of the field.
template <bool hasObjects>
static __device__ __forceinline__ unsigned
wkTouchesLiveOfWarp(const wkLiveField* field, const wkLiveObjects* objects, unsigned open, float x,
                    float y, float z, float radius)
{
    unsigned touching = wkLiveField_TouchesOfWarp(field, open, x, y, z, radius);
    if (hasObjects) {
        touching |= wkLiveObjects_TouchesOfWarp(field, objects, open & ~touching, x, y, z, radius);
    }
    return touching;
}
