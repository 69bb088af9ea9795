// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The kernels of device_scan.h.

#include "cuda/device_scan.h"

#include "cuda/launch.h"

#define THREADS 256
#define BRICK_BITS 3 // of a key, that number a cell in its brick
#define LOW_BITS ((1 << BRICK_BITS) - 1)
#define GOLDEN UINT64_C(0x9e3779b97f4a7c15) // 2^64 over the golden ratio: spreads neighbours
#define NO_SLOT 0xffffffffu
#define ALL_LANES 0xffffffffu

static unsigned blocksOf(int64_t threadCount)
{
    return (unsigned)((threadCount + THREADS - 1) / THREADS);
}

static __device__ uint64_t nameOf(const int32_t key[3])
{
    wkCellKey brick = {(uint16_t)(key[0] >> BRICK_BITS), (uint16_t)(key[1] >> BRICK_BITS),
                       (uint16_t)(key[2] >> BRICK_BITS)};
    return wkMortonOfKey(brick);
}

// The number of a cell in its brick: the lowest bits of its key, interleaved.
static __device__ unsigned cellOf(const int32_t key[3])
{
    wkCellKey low = {(uint16_t)(key[0] & LOW_BITS), (uint16_t)(key[1] & LOW_BITS),
                     (uint16_t)(key[2] & LOW_BITS)};
    return (unsigned)wkMortonOfKey(low);
}

// The slot of the brick of a cell, which is made where there is none. NO_SLOT: there are more bricks than the capacity,
// and the scan is refused.
static __device__ uint32_t slotOf(const wkDeviceScanJob* job, const int32_t key[3])
{
    uint64_t name = nameOf(key);
    uint32_t mask = (1u << job->slotBits) - 1u, slot = (uint32_t)(name * GOLDEN >> 32) & mask;
    bool isFull = *(volatile const uint32_t*)&job->figures->isFull != 0;
    for (uint32_t i = 0; i <= mask && !isFull; ++i, slot = (slot + 1) & mask) {
        uint64_t found = *(volatile const uint64_t*)&job->names[slot];
        if (found == WK_NO_BRICK) {
            found = atomicCAS((unsigned long long*)&job->names[slot],
                              (unsigned long long)WK_NO_BRICK, (unsigned long long)name);
            if (found == WK_NO_BRICK) {
                isFull = atomicAdd(&job->figures->brickCount, 1u) >= job->capacity;
                found = name;
            }
        }
        if (found == name && !isFull) {
            return slot;
        }
    }
    job->figures->isFull = 1u;
    return NO_SLOT;
}

// Sets the bit of a cell.
// @return whether this thread has set it
static __device__ __forceinline__ bool setBit(uint32_t* words, unsigned cell)
{
    uint32_t bit = 1u << cell % 32;
    volatile uint32_t* word = &words[cell / 32];
    return (*word & bit) == 0 && (atomicOr(&words[cell / 32], bit) & bit) == 0;
}

static __device__ bool isFinitePoint(const float p[3])
{
    return isfinite(p[0]) && isfinite(p[1]) && isfinite(p[2]);
}

// What becomes of a point.
struct takenPoint {
    bool isUsed, isFar, isNotFinite;
    bool isEnd;   // of a ray
    bool isPoint; // the ray goes to the point itself
};

// Handles a point that is in a cell of the map.
static __device__ takenPoint takeInsider(const wkDeviceScanJob* job, const float point[3],
                                         const int32_t key[3])
{
    float end[3] = {point[0], point[1], point[2]};
    takenPoint taken = {true, false, false, true, job->isExact};
    taken.isFar = isfinite(job->source.maxRange) && wkCutGridRay(&job->source, end);
    if (!job->isExact) {
        uint32_t slot = slotOf(job, key);
        taken.isEnd =
            slot != NO_SLOT && setBit(job->ended + (size_t)slot * WK_BRICK_WORDS, cellOf(key));
    }
    return taken;
}

// Handles a point that is in no cell: the range may end before the border of the map.
static __device__ takenPoint takeOutsider(const wkDeviceScanJob* job, const float point[3])
{
    float end[3] = {point[0], point[1], point[2]};
    int32_t key[3] = {0, 0, 0};
    takenPoint taken = {false, false, !isFinitePoint(point), false, true};
    if (!taken.isNotFinite && wkCutGridRay(&job->source, end)) {
        taken.isUsed = taken.isFar = taken.isEnd = wkKeyOfPoint(&job->source, end, key);
    }
    return taken;
}

// Adds the number of lanes to a count.
static __device__ __forceinline__ void countLanes(uint32_t* count, bool isCounted)
{
    unsigned lanes = __ballot_sync(ALL_LANES, isCounted);
    if (lanes != 0 && threadIdx.x % WK_WARP == 0) {
        atomicAdd(count, (uint32_t)__popc(lanes));
    }
}

static __global__ void __launch_bounds__(THREADS) takePoints(wkDeviceScanJob job)
{
    int64_t at = (int64_t)blockIdx.x * THREADS + threadIdx.x;
    unsigned lane = threadIdx.x % WK_WARP;
    bool isThere = at < job.count;
    float point[3] = {0.0f, 0.0f, 0.0f};
    takenPoint taken = {false, false, false, false, false};
    if (isThere) {
        const float* from = job.points + at * job.step;
        int32_t key[3] = {0, 0, 0};
        point[0] = from[0];
        point[1] = from[1];
        point[2] = from[2];
        if (job.source.isMoved) {
            wkMovePoint(&job.source, point, point);
        }
        taken = wkKeyOfPoint(&job.source, point, key) ? takeInsider(&job, point, key)
                                                      : takeOutsider(&job, point);
    }
    countLanes(&job.figures->usedCount, taken.isUsed);
    countLanes(&job.figures->farCount, taken.isFar);
    countLanes(&job.figures->notFiniteCount, taken.isNotFinite);
    countLanes(&job.figures->outsideCount, isThere && !taken.isUsed && !taken.isNotFinite);
    unsigned ends = __ballot_sync(ALL_LANES, taken.isEnd);
    uint32_t first = 0;
    if (ends != 0 && lane == 0) {
        first = atomicAdd(job.endCount, (uint32_t)__popc(ends));
    }
    first = __shfl_sync(ALL_LANES, first, 0);
    if (taken.isEnd) {
        wkDeviceEnd end = {{point[0], point[1], point[2]}, taken.isPoint};
        job.ends[first + (uint32_t)__popc(ends & ((1u << lane) - 1u))] = end;
    }
}

// Marks the cells that a ray crosses.
static __device__ void traceRay(const wkDeviceScanJob* job, wkGridRay* ray)
{
    const int32_t* start = job->source.originKey;
    int32_t key[3] = {start[0], start[1], start[2]};
    uint32_t slot = slotOf(job, key);
    while (slot != NO_SLOT) {
        setBit(job->bricks[slot].crossed, cellOf(key));
        int axis = wkStepGridRay(ray);
        int32_t before = key[axis];
        key[axis] += ray->step[axis];
        bool isOutside = key[axis] < 0 || key[axis] >= WK_KEY_COUNT;
        if (isOutside || wkIsSameCell(key, ray->end) || wkIsBeyondEnd(ray)) {
            return;
        }
        if ((before ^ key[axis]) > LOW_BITS) {
            slot = slotOf(job, key);
        }
    }
}

static __global__ void __launch_bounds__(THREADS) traceEnds(wkDeviceScanJob job)
{
    int64_t at = (int64_t)blockIdx.x * THREADS + threadIdx.x;
    if (at >= *job.endCount) {
        return;
    }
    wkDeviceEnd end = job.ends[at];
    float point[3] = {end.point[0], end.point[1], end.point[2]};
    int32_t key[3] = {0, 0, 0};
    bool isInside = wkKeyOfPoint(&job.source, point, key);
    for (int axis = 0; axis < 3 && end.isPoint == 0; ++axis) {
        point[axis] = (float)wkMiddleOfKey(&job.source, key[axis]);
    }
    bool isFar = wkCutGridRay(&job.source, point);
    if (!isFar && isInside) {
        uint32_t slot = slotOf(&job, key);
        if (slot != NO_SLOT) {
            setBit(job.bricks[slot].hit, cellOf(key));
        }
    }
    wkGridRay ray;
    if (!job.keepsFree && wkStartGridRay(&job.source, point, &ray)) {
        traceRay(&job, &ray);
    }
}

static __global__ void __launch_bounds__(THREADS) listBricks(wkDeviceScanJob job)
{
    int64_t slot = (int64_t)blockIdx.x * THREADS + threadIdx.x;
    if (slot >= (int64_t)1 << job.slotBits || job.names[slot] == WK_NO_BRICK) {
        return;
    }
    const wkDeviceBrick* brick = &job.bricks[slot];
    uint32_t any = 0;
    for (int i = 0; i < WK_BRICK_WORDS; ++i) {
        any |= brick->crossed[i] | brick->hit[i];
    }
    if (any != 0) {
        uint32_t index = atomicAdd(&job.figures->listCount, 1u);
        if (index < job.capacity) {
            job.entries[index] = job.names[slot] << job.slotBits | (uint64_t)slot;
        }
    }
}

struct gatherArguments {
    wkDeviceScanJob job;
    const uint64_t* sorted;
    int32_t count;
    wkDeviceBrick* bricks;
    uint64_t* names;
};

// A thread for each word of a brick.
static __global__ void __launch_bounds__(THREADS) gatherBricks(gatherArguments gather)
{
    int64_t at = (int64_t)blockIdx.x * THREADS + threadIdx.x, index = at / (2 * WK_BRICK_WORDS);
    if (index >= gather.count) {
        return;
    }
    int word = (int)(at % (2 * WK_BRICK_WORDS));
    uint64_t entry = gather.sorted[index];
    uint64_t slot = entry & (((uint64_t)1 << gather.job.slotBits) - 1);
    const uint32_t* from = (const uint32_t*)&gather.job.bricks[slot];
    uint32_t* to = (uint32_t*)&gather.bricks[index];
    to[word] = from[word];
    if (word == 0) {
        gather.names[index] = entry >> gather.job.slotBits;
    }
}

cudaError_t wkLaunchTakePoints(const wkDeviceScanJob* job, cudaStream_t stream)
{
    return wkLaunch(takePoints, blocksOf(job->count), THREADS, stream, *job);
}

cudaError_t wkLaunchTraceEnds(const wkDeviceScanJob* job, cudaStream_t stream)
{
    return wkLaunch(traceEnds, blocksOf(job->count), THREADS, stream, *job);
}

cudaError_t wkLaunchListBricks(const wkDeviceScanJob* job, cudaStream_t stream)
{
    return wkLaunch(listBricks, blocksOf((int64_t)1 << job->slotBits), THREADS, stream, *job);
}

cudaError_t wkLaunchGatherBricks(const wkDeviceScanJob* job, const uint64_t* sorted, int32_t count,
                                 wkDeviceBrick* bricks, uint64_t* names, cudaStream_t stream)
{
    gatherArguments gather = {*job, sorted, count, bricks, names};
    return wkLaunch(gatherBricks, blocksOf((int64_t)count * 2 * WK_BRICK_WORDS), THREADS, stream,
                    gather);
}
