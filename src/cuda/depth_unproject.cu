// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The kernel of depth_unproject.h.

#include "cuda/depth_unproject.h"

#include "cuda/launch.h"
#include "cuda/order_float.h"

#define THREADS 256
#define ALL_LANES 0xffffffffu

// The box around the finite points of a warp. Without any, it is empty: no comparison with it finds it near.
struct warpBox {
    float lower[3], upper[3];
};

static __device__ __forceinline__ float leastOfWarp(float value)
{
    return wkFloatOfOrder(__reduce_min_sync(ALL_LANES, wkOrderFloat(value)));
}

static __device__ __forceinline__ warpBox boxOfWarp(const wkPixelPoint* point, bool isFinite)
{
    const float at[3] = {point->x, point->y, point->z};
    warpBox box;
    WK_UNROLL
    for (int axis = 0; axis < 3; ++axis) {
        box.lower[axis] = leastOfWarp(isFinite ? at[axis] : INFINITY);
        // an order of floats that fall is one that rises of their opposites
        box.upper[axis] = -leastOfWarp(isFinite ? -at[axis] : INFINITY);
    }
    return box;
}

static __device__ __forceinline__ float beyond(float lower, float upper, float value)
{
    return fmaxf(fmaxf(lower - value, value - upper), 0.0f);
}

static __device__ __forceinline__ bool isNearBox(const wkDeviceOwn* own, const warpBox* box)
{
    float x = beyond(box->lower[0], box->upper[0], own->x);
    float y = beyond(box->lower[1], box->upper[1], own->y);
    float z = beyond(box->lower[2], box->upper[2], own->z);
    return x * x + y * y + z * z <= own->squaredRadius;
}

// Whether the point of the lane is on the robot itself. Lanes take a sphere each to find those near the points of the warp;
// then each point is compared with these.
static __device__ bool isOnRobot(const wkDeviceDepth* depth, const wkPixelPoint* point,
                                 bool isFinite)
{
    if (!__any_sync(ALL_LANES, isFinite)) {
        return false;
    }
    warpBox box = boxOfWarp(point, isFinite);
    wkVec3d exact = wkVec((double)point->x, (double)point->y, (double)point->z);
    int32_t lane = (int32_t)(threadIdx.x % WK_WARP);
    bool isOwn = false;
    WK_KEEP_LOOP
    for (int32_t first = 0; first < depth->ownCount; first += WK_WARP) {
        bool isNear = first + lane < depth->ownCount && isNearBox(&depth->own[first + lane], &box);
        unsigned near = __ballot_sync(ALL_LANES, isNear);
        WK_KEEP_LOOP
        for (; near != 0; near &= near - 1u) {
            const wkDeviceOwn* own = &depth->own[first + __ffs((int)near) - 1];
            isOwn = isOwn || (isFinite && wkIsInSpheres(&own->sphere, 1, exact));
        }
    }
    return isOwn;
}

// Counts the points of the block; the last block tells the host.
static __device__ void countOwn(const wkDeviceDepth* depth, bool isOwn, bool isLeft)
{
    __shared__ uint32_t own, left;
    if (threadIdx.x == 0) {
        own = left = 0;
    }
    __syncthreads();
    unsigned owns = __ballot_sync(ALL_LANES, isOwn), lefts = __ballot_sync(ALL_LANES, isLeft);
    if (threadIdx.x % WK_WARP == 0) {
        atomicAdd(&own, (uint32_t)__popc(owns));
        atomicAdd(&left, (uint32_t)__popc(lefts));
    }
    __syncthreads();
    if (threadIdx.x != 0) {
        return;
    }
    wkOwnCounts* counts = depth->counts;
    if (own != 0) {
        atomicAdd(&counts->own, own);
    }
    if (left != 0) {
        atomicAdd(&counts->left, left);
    }
    __threadfence();
    if (atomicAdd(&counts->ends, 1u) != gridDim.x - 1) {
        return;
    }
    __threadfence();
    wkOwnAnswer answer = {*(const volatile uint32_t*)&counts->own,
                          *(const volatile uint32_t*)&counts->left};
    wkWriteAnswer(depth->answer, &answer, WK_OWN_WORDS, depth->serial, 0, 1);
    counts->own = counts->left = counts->ends = 0;
}

template <bool hasOwn>
static __global__ void __launch_bounds__(THREADS) unproject(wkDeviceDepth depth)
{
    int32_t at = (int32_t)(blockIdx.x * THREADS + threadIdx.x);
    bool isThere = at < depth.columnCount * depth.rowCount;
    wkPixelPoint point = {NAN, NAN, NAN};
    if (isThere) {
        int32_t u = at % depth.columnCount * depth.request.step;
        int32_t v = at / depth.columnCount * depth.request.step;
        wkSlope ray = depth.rays[v * depth.image.camera.width + u];
        point = wkPointOfPixel(&depth.image, &depth.request, ray, u, v);
    }
    if (hasOwn) { // by all lanes
        bool isFinite = isfinite(point.x) && isfinite(point.y) && isfinite(point.z);
        bool isOwn = isOnRobot(&depth, &point, isFinite);
        countOwn(&depth, isOwn, isFinite && !isOwn);
        if (isOwn) {
            point.x = point.y = point.z = NAN;
        }
    }
    if (isThere) {
        depth.points[at] = point;
    }
}

cudaError_t wkLaunchUnproject(const wkDeviceDepth* depth, cudaStream_t stream)
{
    unsigned count = (unsigned)depth->columnCount * (unsigned)depth->rowCount;
    return wkLaunch(depth->own != NULL ? unproject<true> : unproject<false>, (count + THREADS - 1) / THREADS, THREADS, stream, *depth);
}
