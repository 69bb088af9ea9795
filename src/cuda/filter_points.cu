// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Kernels of device_filter.h: reading points, steps that decide each by itself, and what is left of them.

#include "cuda/device_filter.h"

#include "cuda/kept_points.h"
#include "cuda/launch.h"
#include "cuda/point_scan.h"

#define THREADS WK_FILTER_THREADS
#define ALL_LANES 0xffffffffu

static unsigned blocksOf(int64_t threadCount)
{
    return (unsigned)((threadCount + THREADS - 1) / THREADS);
}

struct pointsToRead {
    wkCloudLayout layout;
    wkVec3d* positions;
};

static __global__ void __launch_bounds__(THREADS) readPoints(pointsToRead read)
{
    int64_t at = (int64_t)blockIdx.x * THREADS + threadIdx.x;
    if (at >= read.layout.count) {
        return;
    }
    const char* bytes = read.layout.data + at * read.layout.stride;
    double p[3];
    for (int axis = 0; axis < 3; ++axis) {
        const char* coordinate = bytes + read.layout.offsets[axis];
        p[axis] = read.layout.isDouble ? wkDoubleAt(coordinate) : (double)wkFloatAt(coordinate);
    }
    read.positions[at] = wkVec(p[0], p[1], p[2]);
}

static __device__ __forceinline__ int32_t indexOf(const wkDevicePoints* points, int32_t i)
{
    return points->indices != NULL ? points->indices[i] : i;
}

static __global__ void __launch_bounds__(THREADS) findFirst(wkDevicePoints points)
{
    int64_t at = (int64_t)blockIdx.x * THREADS + threadIdx.x;
    bool isFinite =
        at < points.count && wkIsFiniteVec(points.positions[indexOf(&points, (int32_t)at)]);
    unsigned found = __ballot_sync(ALL_LANES, isFinite);
    if (found != 0 && threadIdx.x % WK_WARP == 0) {
        atomicMin(&points.figures->firstFinite, (uint32_t)at + (uint32_t)(__ffs((int)found) - 1));
    }
}

// Adds the number of lanes to a count of the block.
static __device__ __forceinline__ void countLanes(int32_t* count, unsigned lanes)
{
    if (lanes != 0 && threadIdx.x % WK_WARP == 0) {
        atomicAdd(count, (int32_t)__popc(lanes));
    }
}

// Counts of a block: figures of the steps, points that are not finite, and those that are kept.
struct blockFigures {
    wkDeviceStep steps[WK_MAX_FILTER_STEPS];
    int32_t notFiniteCount;
    int32_t keptCount;
};
#define FIGURE_COUNT ((unsigned)(sizeof(blockFigures) / sizeof(int32_t)))

// Applies one step to the points of a warp that are left.
// @return whether the point of this lane is kept
static __device__ bool applyStep(const wkDeviceTests* tests, int32_t step, wkVec3d point,
                                 bool isAsked, uint8_t* mark, wkDeviceStep* figures)
{
    const wkPointItem* item = &tests->items[step];
    bool isInside = isAsked && wkIsInItem(item, point);
    bool isShadow = isAsked && !isInside && wkIsInItemShadow(item, point);
    bool isRemoved = (isInside && !item->keepsInside) ||
                     (isAsked && !isInside && !item->keepsOutside) ||
                     (isShadow && !item->keepsShadow);
    if (isRemoved) {
        *mark = (uint8_t)(wk_markRemoved + step);
    } else if (isShadow) {
        *mark = item->markShadow;
    } else if (isInside && item->markInside != wk_markKept) {
        *mark = item->markInside;
    }
    countLanes(&figures->examinedCount, __ballot_sync(ALL_LANES, isAsked));
    countLanes(&figures->removedCount, __ballot_sync(ALL_LANES, isRemoved));
    countLanes(&figures->ownCount, __ballot_sync(ALL_LANES, isInside));
    countLanes(&figures->shadowCount, __ballot_sync(ALL_LANES, isShadow));
    return isAsked && !isRemoved;
}

static __global__ void __launch_bounds__(THREADS) testPoints(wkDeviceTests tests)
{
    __shared__ blockFigures figures;
    int32_t* counts = (int32_t*)&figures;
    if (threadIdx.x < FIGURE_COUNT) {
        counts[threadIdx.x] = 0;
    }
    __syncthreads();
    const wkDevicePoints* points = &tests.points;
    int64_t at = (int64_t)blockIdx.x * THREADS + threadIdx.x;
    bool isThere = at < points->count;
    int32_t index = isThere ? indexOf(points, (int32_t)at) : 0;
    wkVec3d point = wkVec(0.0, 0.0, 0.0);
    if (isThere) {
        point = wkSub(points->positions[index], points->origin);
    }
    bool isKept = isThere && wkIsFinitePoint(point);
    uint8_t mark = isKept ? wk_markKept : wk_markNotFinite;
    if (isThere && !tests.isFirst) {
        mark = points->marks[index];
    }
    countLanes(&figures.notFiniteCount, __ballot_sync(ALL_LANES, isThere && !isKept));
    for (int32_t s = tests.firstStep; s < tests.endStep && __any_sync(ALL_LANES, isKept); ++s) {
        isKept = applyStep(&tests, s, point, isKept, &mark, &figures.steps[s]);
    }
    if (isThere) {
        points->marks[index] = mark;
        points->isKept[at] = isKept;
    }
    countLanes(&figures.keptCount, __ballot_sync(ALL_LANES, isKept));
    __syncthreads();
    if (threadIdx.x < FIGURE_COUNT - 1 && counts[threadIdx.x] != 0) {
        atomicAdd((int32_t*)points->figures + threadIdx.x, counts[threadIdx.x]);
    }
    if (threadIdx.x == 0) {
        points->blockCounts[blockIdx.x] = figures.keptCount;
    }
}

struct finishArguments {
    wkDevicePoints points;
    uint8_t removedMark;
};

static __global__ void __launch_bounds__(THREADS) finishStep(finishArguments finish)
{
    __shared__ int32_t keptCount;
    if (threadIdx.x == 0) {
        keptCount = 0;
    }
    __syncthreads();
    const wkDevicePoints* points = &finish.points;
    int64_t at = (int64_t)blockIdx.x * THREADS + threadIdx.x;
    bool isThere = at < points->count, isKept = isThere && points->isKept[at] != 0;
    if (isThere && !isKept) {
        points->marks[indexOf(points, (int32_t)at)] = finish.removedMark;
    }
    countLanes(&keptCount, __ballot_sync(ALL_LANES, isKept));
    __syncthreads();
    if (threadIdx.x == 0) {
        points->blockCounts[blockIdx.x] = keptCount;
    }
}

// Replaces the counts of blocks by those of the blocks before; one block of threads, each with consecutive counts.
static __global__ void __launch_bounds__(THREADS) sumBlocks(wkDevicePoints points)
{
    __shared__ int32_t sums[THREADS];
    int32_t blockCount = (int32_t)(((int64_t)points.count + THREADS - 1) / THREADS);
    int32_t each = (blockCount + THREADS - 1) / THREADS, first = each * (int32_t)threadIdx.x;
    int32_t end = first + each < blockCount ? first + each : blockCount, sum = 0;
    for (int32_t i = first; i < end; ++i) {
        sum += points.blockCounts[i];
    }
    sums[threadIdx.x] = sum;
    __syncthreads();
    for (unsigned reach = 1; reach < THREADS; reach *= 2) {
        int32_t before = threadIdx.x >= reach ? sums[threadIdx.x - reach] : 0;
        __syncthreads();
        sums[threadIdx.x] += before;
        __syncthreads();
    }
    int32_t before = sums[threadIdx.x] - sum;
    for (int32_t i = first; i < end; ++i) {
        int32_t here = points.blockCounts[i];
        points.blockCounts[i] = before;
        before += here;
    }
    if (threadIdx.x == THREADS - 1) {
        points.figures->keptCount = sums[threadIdx.x];
    }
}

struct packArguments {
    wkDevicePoints points;
    int32_t* kept;
};

static __global__ void __launch_bounds__(THREADS) packKept(packArguments pack)
{
    __shared__ int32_t counts[THREADS / WK_WARP];
    wkKeptPoint point = wkFindKeptPoint(&pack.points, counts);
    if (point.isKept) {
        pack.kept[point.before] = indexOf(&pack.points, (int32_t)point.at);
    }
}

// The least of a number of all threads of a block, added to a bound.
static __device__ void lowerBound(uint32_t* bound, uint32_t value)
{
    for (int reach = WK_WARP / 2; reach > 0; reach /= 2) {
        uint32_t other = __shfl_xor_sync(ALL_LANES, value, reach);
        value = other < value ? other : value;
    }
    if (threadIdx.x % WK_WARP == 0) {
        atomicMin(bound, value);
    }
}

// Coordinates as the CPU's lanes have them: floats of the view stay as they are, other numbers become floats.
static __device__ __forceinline__ float narrowCoordinate(const wkDevicePoints* points,
                                                         double coordinate)
{
    return points->areFloats ? (float)coordinate : wkNarrowCoordinate(coordinate);
}

static __global__ void __launch_bounds__(THREADS) readSet(wkDevicePoints points)
{
    int64_t at = (int64_t)blockIdx.x * THREADS + threadIdx.x;
    bool isThere = at < points.count;
    float p[3] = {0.0f, 0.0f, 0.0f};
    if (isThere) {
        wkVec3d point = wkSub(points.positions[indexOf(&points, (int32_t)at)], points.origin);
        points.x[at] = p[0] = narrowCoordinate(&points, point.x);
        points.y[at] = p[1] = narrowCoordinate(&points, point.y);
        points.z[at] = p[2] = narrowCoordinate(&points, point.z);
    }
    for (int axis = 0; axis < 3; ++axis) {
        uint32_t order = wkOrderFloat(p[axis]);
        lowerBound(&points.figures->lower[axis], isThere ? order : 0xffffffffu);
        lowerBound(&points.figures->upper[axis], isThere ? ~order : 0xffffffffu);
    }
}

struct writeArguments {
    wkDevicePoints points;
    bool areDoubles;
    void* to;
};

static __global__ void __launch_bounds__(THREADS) writePoints(writeArguments write)
{
    int64_t at = (int64_t)blockIdx.x * THREADS + threadIdx.x;
    if (at >= write.points.count) {
        return;
    }
    wkVec3d point = write.points.positions[indexOf(&write.points, (int32_t)at)];
    if (write.areDoubles) {
        double* to = (double*)write.to + 3 * at;
        to[0] = point.x;
        to[1] = point.y;
        to[2] = point.z;
    } else {
        float* to = (float*)write.to + 3 * at;
        to[0] = (float)point.x;
        to[1] = (float)point.y;
        to[2] = (float)point.z;
    }
}

cudaError_t wkLaunchReadPoints(const wkCloudLayout* layout, wkVec3d* positions, cudaStream_t stream)
{
    pointsToRead read = {*layout, positions};
    return wkLaunch(readPoints, blocksOf(layout->count), THREADS, stream, read);
}

cudaError_t wkLaunchFindFirst(const wkDevicePoints* points, cudaStream_t stream)
{
    return wkLaunch(findFirst, blocksOf(points->count), THREADS, stream, *points);
}

cudaError_t wkLaunchTests(const wkDeviceTests* tests, cudaStream_t stream)
{
    cudaError_t error =
        wkLaunch(testPoints, blocksOf(tests->points.count), THREADS, stream, *tests);
    return error == cudaSuccess ? wkLaunch(sumBlocks, 1, THREADS, stream, tests->points) : error;
}

cudaError_t wkLaunchFinish(const wkDevicePoints* points, uint8_t removedMark, cudaStream_t stream)
{
    finishArguments finish = {*points, removedMark};
    cudaError_t error = wkLaunch(finishStep, blocksOf(points->count), THREADS, stream, finish);
    return error == cudaSuccess ? wkLaunch(sumBlocks, 1, THREADS, stream, *points) : error;
}

cudaError_t wkLaunchPack(const wkDevicePoints* points, int32_t* kept, cudaStream_t stream)
{
    packArguments pack = {*points, kept};
    return wkLaunch(packKept, blocksOf(points->count), THREADS, stream, pack);
}

cudaError_t wkLaunchReadSet(const wkDevicePoints* points, cudaStream_t stream)
{
    return wkLaunch(readSet, blocksOf(points->count), THREADS, stream, *points);
}

cudaError_t wkLaunchWritePoints(const wkDevicePoints* points, bool areDoubles, void* to,
                                cudaStream_t stream)
{
    writeArguments write = {*points, areDoubles, to};
    return wkLaunch(writePoints, blocksOf(points->count), THREADS, stream, write);
}
