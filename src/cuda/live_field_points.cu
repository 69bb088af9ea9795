// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The kernels of live_field.h that sort points into bricks. The order within a brick, and of bricks in the list, is that
// in which threads come.

#include "cuda/launch.h"
#include "cuda/live_field_item.h"
#include "cuda/load_point.h"

#define THREADS 256
#define ALL_LANES 0xffffffffu

// Bricks of a thread that gives ranges, and threads for a tile.
#define BRICKS_EACH 4
#define TILE_THREADS (WK_LIVE_PARTS / BRICKS_EACH)

// What becomes of a point.
enum pointFate {
    pointTaken,
    pointNotFinite,
    pointBeyond,
    pointOwn,
    pointBad,
    pointNone,
};

static __device__ __forceinline__ void storePoint(wkLivePoint* points, uint32_t index,
                                                  wkLivePoint point)
{
    ((float4*)points)[index] = make_float4(point.x, point.y, point.z, point.radius);
}

// Returns how far a position is beyond the region along an axis, in cells.
static __device__ __forceinline__ float beyondRegion(const wkFieldGrid* grid, int axis, float value)
{
    float at = wkLivePosition(grid, axis, value);
    float below = 1.0f - at, above = at - (float)(grid->count[axis] - 1);
    float beyond = below > above ? below : above;
    return beyond > 0.0f ? beyond : 0.0f;
}

static __device__ __forceinline__ float radiusOf(const wkLiveTake* take, float own)
{
    return (float)((double)own + take->radius) * (1.0f + 0x1p-21f); // rounding of far points, too
}

static __device__ bool isOwn(const wkLiveTake* take, const wkLivePoint* point)
{
    for (int32_t i = 0; i < take->ownCount; ++i) {
        float4 own = ((const float4*)take->own)[i];
        float x = point->x - own.x, y = point->y - own.y, z = point->z - own.z;
        if (x * x + y * y + z * z < own.w) {
            return true;
        }
    }
    return false;
}

// Reads a point, in the frame of the field.
static __device__ pointFate readPoint(const wkLiveTake* take, int64_t at, wkLivePoint* point)
{
    wkVec3d given = wkLoadPosition(&take->layout, take->isAligned, at);
    if (!isfinite(given.x) || !isfinite(given.y) || !isfinite(given.z)) {
        return pointNotFinite;
    }
    float own = wkScanOwnRadius(&take->layout, at);
    if (!wkIsScanRadius(own)) {
        return pointBad;
    }
    wkVec3d local = wkFramePoint(&take->frame, given);
    point->x = (float)local.x;
    point->y = (float)local.y;
    point->z = (float)local.z;
    point->radius = radiusOf(take, own);
    const wkFieldGrid* grid = &take->build.field.grid;
    float x = beyondRegion(grid, 0, point->x), y = beyondRegion(grid, 1, point->y);
    float z = beyondRegion(grid, 2, point->z);
    float reach = take->build.reachPositions + point->radius * grid->perMetre * 1.00001f + 0.001f;
    // coordinates that are too large for floats are beyond: infinity is above any reach
    if (!(x * x + y * y + z * z <= reach * reach)) {
        return pointBeyond;
    }
    return isOwn(take, point) ? pointOwn : pointTaken;
}

// Returns the brick of a point, and sets the bit of its cell.
static __device__ __forceinline__ int32_t brickOf(const wkFieldGrid* grid, wkLivePoint point,
                                                  int32_t cell[3])
{
    cell[0] = wkLiveCell(grid, 0, wkLivePosition(grid, 0, point.x));
    cell[1] = wkLiveCell(grid, 1, wkLivePosition(grid, 1, point.y));
    cell[2] = wkLiveCell(grid, 2, wkLivePosition(grid, 2, point.z));
    int32_t brick[3] = {cell[0] / WK_LIVE_BRICK, cell[1] / WK_LIVE_BRICK, cell[2] / WK_LIVE_BRICK};
    return wkLiveBrick(grid, brick);
}

// Sets the bit of a cell. Most points are in cells that have one: reading is faster than an atomic operation.
static __device__ __forceinline__ void markCell(const wkLiveBuild* build, const int32_t cell[3])
{
    const wkFieldGrid* grid = &build->field.grid;
    uint32_t* word =
        &build->bits[(int64_t)build->bitPitch * (cell[1] + (int64_t)grid->count[1] * cell[2]) +
                     cell[0] / 32];
    uint32_t bit = 1u << (cell[0] % 32);
    if ((*word & bit) == 0) {
        atomicOr(word, bit);
    }
}

// Raises the largest radius by those of the lanes of a warp.
static __device__ __forceinline__ void raiseRadius(wkLiveStatus* status, float radius)
{
    uint32_t bits; // of floats that are not negative: in their order
    memcpy(&bits, &radius, sizeof bits);
    for (int step = 1; step < WK_WARP; step *= 2) {
        uint32_t other = __shfl_xor_sync(ALL_LANES, bits, step);
        bits = bits > other ? bits : other;
    }
    if (threadIdx.x % WK_WARP == 0 && status->largestRadius < bits) {
        atomicMax(&status->largestRadius, bits);
    }
}

// Counts the point of each lane in its brick and returns its rank. Neighbours in a frame are mostly in the same brick: one
// lane counts for all of them.
// @param brick -1: no point
static __device__ __forceinline__ uint32_t countPoint(uint32_t* counts, int32_t brick)
{
    unsigned lane = threadIdx.x % WK_WARP, same = __match_any_sync(ALL_LANES, brick);
    int first = __ffs((int)same) - 1;
    uint32_t start = 0;
    if ((int)lane == first && brick >= 0) {
        start = atomicAdd(&counts[brick], (uint32_t)__popc(same));
    }
    return __shfl_sync(ALL_LANES, start, first) + (uint32_t)__popc(same & ((1u << lane) - 1u));
}

// Adds the number of lanes that say so.
static __device__ __forceinline__ void countLanes(uint32_t* counter, bool isCounted)
{
    unsigned lanes = __ballot_sync(ALL_LANES, isCounted);
    if (lanes != 0 && threadIdx.x % WK_WARP == 0) {
        atomicAdd(counter, (uint32_t)__popc(lanes));
    }
}

static __global__ void __launch_bounds__(THREADS) takePoints(wkLiveTake take)
{
    const wkLiveBuild* build = &take.build;
    int64_t at = (int64_t)blockIdx.x * THREADS + threadIdx.x;
    wkLivePoint point = {0.0f, 0.0f, 0.0f, 0.0f};
    pointFate fate = at < take.layout.count ? readPoint(&take, at, &point) : pointNone;
    int64_t index = take.firstPoint + at;
    int32_t brick = -1;
    if (fate == pointTaken) {
        int32_t cell[3];
        brick = brickOf(&build->field.grid, point, cell);
        markCell(build, cell);
        storePoint(build->taken, (uint32_t)index, point);
    }
    uint32_t rank = countPoint(build->counts, brick);
    if (fate != pointNone) {
        build->ranks[index] = fate == pointTaken ? rank : WK_LIVE_NOT_TAKEN;
    }
    if (fate == pointBad) {
        atomicMax(&build->status->badMark, UINT32_MAX - (uint32_t)index);
    }
    // without radii of their own, all points have the same one, and one block says it
    if (take.layout.radiusOffset >= 0 || blockIdx.x == 0) {
        raiseRadius(build->status, fate == pointTaken ? point.radius : radiusOf(&take, 0.0f));
    }
    countLanes(&build->status->notFiniteCount, fate == pointNotFinite);
    countLanes(&build->status->beyondCount, fate == pointBeyond);
    countLanes(&build->status->ownCount, fate == pointOwn);
}

// Returns the sum of the values of the lanes before this one, and that of all.
static __device__ __forceinline__ uint32_t sumBefore(uint32_t value, uint32_t* all)
{
    int lane = (int)(threadIdx.x % WK_WARP);
    uint32_t sum = value;
    for (int step = 1; step < WK_WARP; step *= 2) {
        uint32_t other = __shfl_sync(ALL_LANES, sum, lane >= step ? lane - step : lane);
        sum += lane >= step ? other : 0u;
    }
    *all = __shfl_sync(ALL_LANES, sum, WK_WARP - 1);
    return sum - value;
}

// Counts of bricks, read at once.
struct __attribute__((aligned(16))) brickCounts {
    uint32_t each[BRICKS_EACH];
};

// Counts are cleared: the next frame begins with zeros.
static __global__ void __launch_bounds__(THREADS) placeRanges(wkLiveBuild build)
{
    int32_t first = ((int32_t)blockIdx.x * THREADS + (int32_t)threadIdx.x) * BRICKS_EACH;
    bool isThere = first < build.brickCount; // a multiple of what a tile has
    brickCounts counts = {{0, 0, 0, 0}};
    brickCounts* stored = (brickCounts*)&build.counts[first];
    if (isThere) {
        counts = *stored;
    }
    uint32_t sum = 0;
    uint64_t mask = 0;
    for (int i = 0; i < BRICKS_EACH; ++i) {
        sum += counts.each[i];
        mask |= (uint64_t)(counts.each[i] > 0 ? 1 : 0) << ((first + i) % WK_LIVE_PARTS);
    }
    for (int step = 1; step < TILE_THREADS; step *= 2) {
        mask |= __shfl_xor_sync(ALL_LANES, mask, step);
    }
    if (isThere && first % WK_LIVE_PARTS == 0) {
        build.masks[first / WK_LIVE_PARTS] = mask;
    }
    uint32_t all, start = 0, before = sumBefore(sum, &all);
    if (threadIdx.x % WK_WARP == 0 && all > 0) {
        start = atomicAdd(&build.status->takenCount, all);
    }
    start = __shfl_sync(ALL_LANES, start, 0) + before;
    if (sum == 0) {
        return;
    }
    for (int i = 0; i < BRICKS_EACH; ++i) {
        wkLiveRange range = {start, counts.each[i]};
        build.ranges[first + i] = range; // of no use without points
        start += counts.each[i];
    }
    brickCounts none = {{0, 0, 0, 0}};
    *stored = none;
}

static __global__ void __launch_bounds__(THREADS) listPoints(wkLiveBuild build)
{
    int32_t at = (int32_t)(blockIdx.x * THREADS + threadIdx.x);
    if (at >= build.pointCount || build.ranks[at] == WK_LIVE_NOT_TAKEN) {
        return;
    }
    wkLivePoint point = wkLoadLivePoint(build.taken, (uint32_t)at);
    int32_t cell[3];
    int32_t brick = brickOf(&build.field.grid, point, cell);
    storePoint(build.points, build.ranges[brick].first + build.ranks[at], point);
}

static unsigned blocksOf(int64_t threadCount)
{
    return (unsigned)((threadCount + THREADS - 1) / THREADS);
}

cudaError_t wkLaunchLiveTake(const wkLiveTake* take, cudaStream_t stream)
{
    return wkLaunch(takePoints, blocksOf(take->layout.count), THREADS, stream, *take);
}

cudaError_t wkLaunchLiveRanges(const wkLiveBuild* build, cudaStream_t stream)
{
    return wkLaunch(placeRanges, blocksOf(build->brickCount / BRICKS_EACH), THREADS, stream,
                    *build);
}

cudaError_t wkLaunchLiveList(const wkLiveBuild* build, cudaStream_t stream)
{
    return wkLaunch(listPoints, blocksOf(build->pointCount), THREADS, stream, *build);
}
