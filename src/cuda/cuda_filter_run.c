// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Runs filters on a GPU. The library checks requests, places steps and lays out grids (whisker/detail/device.h); after
// each step that leaves fewer points, their number comes back, as keys of what follows depend on it.

#include "cuda/cuda_filter.h"

#include "base/cookie.h"
#include "cuda/point_scan.h"
#include "whisker/detail/device.h"

#include <string.h>

// Passes that divide cubes with many points. More than floats need where cubes of a pass are 3 times smaller, with 2^28
// points; with a million, they are 127 times smaller.
#define MOST_PASSES 180

wkCudaFilterRequest wkDefaultCudaFilterRequest(void)
{
    wkCudaFilterRequest request = {.cookie = WK_COOKIE(wkCudaFilterRequest),
                                   .filter = wkDefaultFilterRequest(),
                                   .wantsMarks = true};
    return request;
}

// A run, and how far it has come.
typedef struct filterRun {
    wkCudaFilter* filter;
    const wkFilterRequest* request;
    wkCloudLayout layout;
    wkDevicePoints points; // those that are left
    int32_t step;          // the next one
    bool isStarted;        // points have marks
    wkFilterResult* result;
} filterRun;

// The robot of a step; NULL: none.
static const wkFilterRobot* robotOf(const wkFilterStep* step)
{
    return step->type == wk_filterDistance ? &step->distance.robot
           : step->type == wk_filterSelf   ? &step->self.robot
                                           : NULL;
}

// Refuses by name what the GPU does not do.
static wkResult checkStep(const wkFilterStep* step, int32_t s)
{
    const wkFilterRobot* robot = robotOf(step);
    return robot == NULL || robot->bodyCount == 0
               ? wk_ok
               : wkFailCuda(wk_errorUnsupported,
                            "cuda filter: step %d, %s: bodies of a robot decide on the CPU alone",
                            (int)s, wkFilterTypeName(step->type));
}

static wkResult checkCapacity(const wkCudaFilter* filter, const wkFilterRequest* request)
{
    int64_t sphereCount = 0;
    for (int32_t s = 0; s < request->stepCount; ++s) {
        const wkFilterRobot* robot = robotOf(&request->steps[s]);
        sphereCount += robot != NULL ? robot->sphereCount : 0;
        wkResult result = checkStep(&request->steps[s], s);
        if (result != wk_ok) {
            return result;
        }
    }
    if (request->points.count > filter->pointCapacity) {
        return wkFailCuda(wk_errorRange, "cuda filter: %lld points, pointCapacity is %d",
                          (long long)request->points.count, (int)filter->pointCapacity);
    }
    if (sphereCount > filter->sphereCapacity) {
        return wkFailCuda(wk_errorRange,
                          "cuda filter: the robots have %lld spheres, sphereCapacity is %d",
                          (long long)sphereCount, (int)filter->sphereCapacity);
    }
    return wk_ok;
}

static wkResult checkRun(const wkCudaFilter* filter, const wkCudaFilterRequest* request,
                         wkCloudLayout* layout)
{
    if (!WK_HAS_COOKIE(request, wkCudaFilterRequest)) {
        return WK_FAIL_COOKIE(request, wkCudaFilterRequest);
    }
    if (filter == NULL) {
        return wkFailCuda(wk_errorArgument, "cuda filter: filter is NULL");
    }
    wkResult result = wkCheckCudaMemory("cuda filter: pointsIn", request->pointsIn);
    result = result == wk_ok ? wkFilterRequest_LayOut(&request->filter, layout) : result;
    result = result == wk_ok ? checkCapacity(filter, &request->filter) : result;
    return result == wk_ok && layout->count > 0
               ? wkCheckCudaNumbers(filter->cuda, "cuda filter: points", request->pointsIn,
                                    layout->data, 1)
               : result;
}

// Takes positions of a piece.
static wkResult readPiece(void* context, const wkCloudLayout* piece, int64_t first)
{
    const filterRun* run = (const filterRun*)context;
    return wkTakeCudaError(
        wkLaunchReadPoints(piece, run->points.positions + first, run->filter->feed.kernels),
        "reading points");
}

// Sends points and indices, and clears what kernels count.
static wkResult sendPoints(filterRun* run, wkCudaMemory memory)
{
    wkCudaFilter* f = run->filter;
    const wkFilterRequest* request = run->request;
    cudaStream_t stream = f->feed.kernels;
    cudaError_t error = cudaMemsetAsync(run->points.figures, 0, sizeof(wkDeviceFigures), stream);
    if (error == cudaSuccess && request->indices != NULL) {
        error = cudaMemsetAsync(run->points.marks, wk_markNone, (size_t)run->layout.count, stream);
        if (error == cudaSuccess) {
            error = cudaMemcpyAsync(f->given, request->indices,
                                    (size_t)request->indexCount * sizeof *f->given,
                                    cudaMemcpyHostToDevice, stream);
        }
        run->points.indices = f->given;
    }
    wkResult result = wkTakeCudaError(error, "sending indices");
    if (result != wk_ok || run->layout.count == 0) {
        return result;
    }
    return memory == wk_memoryDevice ? readPiece(run, &run->layout, 0)
                                     : wkPointFeed_Run(&f->feed, &run->layout, readPiece, run);
}

// Reads what kernels have counted, and waits for them.
static wkResult readFigures(filterRun* run)
{
    cudaStream_t stream = run->filter->feed.kernels;
    cudaError_t error = cudaMemcpyAsync(run->filter->pinnedFigures, run->points.figures,
                                        sizeof(wkDeviceFigures), cudaMemcpyDeviceToHost, stream);
    error = error == cudaSuccess ? cudaStreamSynchronize(stream) : error;
    return wkTakeCudaError(error, "filtering points");
}

// Finds the first finite point; zero without one.
static wkResult findFirst(filterRun* run, wkVec3d* origin)
{
    wkCudaFilter* f = run->filter;
    cudaStream_t stream = f->feed.kernels;
    uint32_t* first = &run->points.figures->firstFinite;
    *origin = (wkVec3d){0.0, 0.0, 0.0};
    if (run->points.count == 0) {
        return wk_ok;
    }
    cudaError_t error = cudaMemsetAsync(first, 0xff, sizeof *first, stream);
    error = error == cudaSuccess ? wkLaunchFindFirst(&run->points, stream) : error;
    wkResult result = wkTakeCudaError(error, "finding a point");
    result = result == wk_ok ? readFigures(run) : result;
    uint32_t found = f->pinnedFigures->firstFinite;
    if (result != wk_ok || found == UINT32_MAX) {
        return result;
    }
    int32_t index = run->request->indices != NULL ? run->request->indices[found] : (int32_t)found;
    error = cudaMemcpyAsync(f->pinnedOrigin, run->points.positions + index, sizeof *origin,
                            cudaMemcpyDeviceToHost, stream);
    error = error == cudaSuccess ? cudaStreamSynchronize(stream) : error;
    *origin = *f->pinnedOrigin;
    return wkTakeCudaError(error, "finding a point");
}

// Places the steps in the frame of the points, and sends them with the spheres of their robots.
static wkResult sendSteps(filterRun* run)
{
    wkCudaFilter* f = run->filter;
    const wkFilterRequest* request = run->request;
    size_t sphereCount = 0;
    memset(f->pinnedItems, 0, WK_MAX_FILTER_STEPS * sizeof *f->pinnedItems);
    for (int32_t s = 0; s < request->stepCount; ++s) {
        wkPointItem* item = &f->pinnedItems[s];
        wkSphere3d* spheres = f->pinnedSpheres + sphereCount;
        if (wkFilterStep_Place(&request->steps[s], request->pose, run->points.origin, spheres,
                               item)) {
            item->spheres = f->spheres + sphereCount;
            sphereCount += (size_t)item->sphereCount;
        }
    }
    cudaError_t error =
        cudaMemcpyAsync(f->items, f->pinnedItems, WK_MAX_FILTER_STEPS * sizeof *f->items,
                        cudaMemcpyHostToDevice, f->feed.kernels);
    if (error == cudaSuccess && sphereCount > 0) {
        error = cudaMemcpyAsync(f->spheres, f->pinnedSpheres, sphereCount * sizeof *f->spheres,
                                cudaMemcpyHostToDevice, f->feed.kernels);
    }
    return wkTakeCudaError(error, "sending steps");
}

// Goes on with the points that are kept. Their number is in figures that have been read.
static wkResult proceed(filterRun* run)
{
    wkCudaFilter* f = run->filter;
    int32_t keptCount = f->pinnedFigures->keptCount;
    int32_t* kept = run->points.indices == f->kept[0] ? f->kept[1] : f->kept[0];
    wkResult result =
        wkTakeCudaError(wkLaunchPack(&run->points, kept, f->feed.kernels), "collecting points");
    run->points.indices = kept;
    run->points.count = keptCount;
    return result;
}

static bool decidesEach(const wkFilterStep* step)
{
    return step->type == wk_filterRange || step->type == wk_filterBox || robotOf(step) != NULL;
}

// Decides each point by itself, from the next step on. The first call looks for points that are not finite.
static wkResult applyTests(filterRun* run)
{
    const wkFilterRequest* request = run->request;
    wkDeviceTests tests = {.points = run->points,
                           .items = run->filter->items,
                           .firstStep = run->step,
                           .endStep = run->step,
                           .isFirst = !run->isStarted};
    while (tests.endStep < request->stepCount && decidesEach(&request->steps[tests.endStep])) {
        ++tests.endStep;
    }
    bool isNeeded = !run->isStarted || tests.endStep > tests.firstStep;
    run->step = tests.endStep;
    run->isStarted = true;
    if (!isNeeded || run->points.count == 0) {
        return wk_ok;
    }
    wkResult result =
        wkTakeCudaError(wkLaunchTests(&tests, run->filter->feed.kernels), "applying steps");
    result = result == wk_ok ? readFigures(run) : result;
    return result == wk_ok ? proceed(run) : result;
}

// Reads the points that are left for a step that decides them together, and their bounds.
static wkResult readSet(filterRun* run, wkFilterBounds* bounds)
{
    cudaStream_t stream = run->filter->feed.kernels;
    wkDeviceFigures* figures = run->points.figures;
    cudaError_t error = cudaMemsetAsync(figures->lower, 0xff, 2 * sizeof figures->lower, stream);
    error = error == cudaSuccess ? wkLaunchReadSet(&run->points, stream) : error;
    wkResult result = wkTakeCudaError(error, "bounding points");
    result = result == wk_ok ? readFigures(run) : result;
    const wkDeviceFigures* found = run->filter->pinnedFigures;
    for (int axis = 0; axis < 3; ++axis) {
        bounds->lower[axis] = wkFloatOfOrder(found->lower[axis]);
        bounds->upper[axis] = wkFloatOfOrder(~found->upper[axis]);
    }
    bounds->count = run->points.count;
    return result;
}

// Submits the sorting of entries by their bits from the index on.
static cudaError_t sortEntries(const filterRun* run, int lowest, int highest, uint64_t** sorted)
{
    wkCudaFilter* f = run->filter;
    wkRadixSort sort = {.entries = f->entries,
                        .spare = f->spare,
                        .counts = f->sortCounts,
                        .count = run->points.count,
                        .lowest = lowest,
                        .highest = highest};
    return wkLaunchSort(&sort, f->feed.kernels, sorted);
}

static bool hasCentroids(const wkFilterStep* step)
{
    return step->type == wk_filterVoxel && step->voxel.hasCentroids;
}

// Clears the sums of voxels, which are in memory that is of no use to this step.
static cudaError_t clearSums(const filterRun* run, wkDeviceVoxels* voxels)
{
    wkCudaFilter* f = run->filter;
    size_t count = (size_t)run->points.count;
    voxels->sums = (double*)(void*)f->written;
    voxels->counts = (uint32_t*)(void*)f->ids;
    voxels->firsts = (int32_t*)(void*)f->means;
    voxels->centroids = f->centroids;
    cudaError_t error =
        cudaMemsetAsync(voxels->sums, 0, 3 * count * sizeof *voxels->sums, f->feed.kernels);
    return error == cudaSuccess
               ? cudaMemsetAsync(voxels->counts, 0, count * sizeof *voxels->counts, f->feed.kernels)
               : error;
}

static wkResult applyVoxel(filterRun* run, const wkFilterStep* step, const wkFilterBounds* bounds,
                           wkFilterStepInfo* info)
{
    cudaStream_t stream = run->filter->feed.kernels;
    uint64_t* sorted = NULL;
    wkDeviceVoxels voxels = {.points = run->points,
                             .indexBits = wkIndexBits(run->points.count),
                             .entries = run->filter->entries,
                             .hasCentroids = hasCentroids(step)};
    int keyBits = wkFilterBounds_VoxelGrid(bounds, step->voxel.size, &voxels.grid);
    voxels.hasKeys = keyBits != 0;
    info->reach = wkFilterBounds_VoxelReach(bounds, step->voxel.size);
    int highest = voxels.hasKeys ? voxels.indexBits + WK_VOXEL_RANK_BITS + keyBits : 64;
    voxels.shift = wkVoxelShift(&voxels.grid, voxels.indexBits);
    cudaError_t error = voxels.hasCentroids ? clearSums(run, &voxels) : cudaSuccess;
    error = error == cudaSuccess ? wkLaunchVoxelEntries(&voxels, stream) : error;
    error = error == cudaSuccess ? sortEntries(run, voxels.indexBits, highest, &sorted) : error;
    voxels.sorted = sorted;
    error = error == cudaSuccess ? wkLaunchKeepVoxels(&voxels, stream) : error;
    return wkTakeCudaError(error, "finding voxels");
}

// Submits the centroids of the voxels of a step whose points are counted.
static wkResult writeCentroids(const filterRun* run)
{
    const wkCudaFilter* f = run->filter;
    const wkDeviceVoxels voxels = {.points = run->points,
                                   .sums = (double*)(void*)f->written,
                                   .counts = (uint32_t*)(void*)f->ids,
                                   .firsts = (int32_t*)(void*)f->means,
                                   .centroids = f->centroids};
    return wkTakeCudaError(wkLaunchCentroids(&voxels, f->feed.kernels), "computing centroids");
}

// Lays out the nodes above sorted points.
static void layOutNodes(wkDeviceNeighbors* n)
{
    int64_t childCount = ((int64_t)n->points.count + WK_POINT_WIDTH - 1) / WK_POINT_WIDTH;
    int64_t start = 0;
    do {
        childCount = (childCount + WK_POINT_WIDTH - 1) / WK_POINT_WIDTH;
        n->starts[n->levelCount++] = (int32_t)start;
        start += childCount;
    } while (childCount > 1);
}

// Divides cubes of the curve that many points share until none of them can be divided: each pass leaves cubes that are some
// times smaller, and floats end.
static wkResult sortCrowds(filterRun* run, uint64_t** sorted)
{
    wkCudaFilter* f = run->filter;
    cudaStream_t stream = f->feed.kernels;
    wkDeviceFigures* figures = run->points.figures;
    int indexBits = wkIndexBits(run->points.count), most = (64 - 2 * indexBits) / 3;
    wkDeviceCrowds crowds = {.points = run->points,
                             .indexBits = indexBits,
                             .cubeBits = most < WK_CURVE_BITS ? most : WK_CURVE_BITS,
                             .halves = (uint32_t*)(void*)f->means};
    wkResult result = wk_ok;
    for (int pass = 0; pass < MOST_PASSES && result == wk_ok; ++pass) {
        crowds.sorted = *sorted;
        crowds.entries = *sorted == f->entries ? f->spare : f->entries;
        size_t bytes = (size_t)run->points.count * sizeof *crowds.halves;
        cudaError_t error = cudaMemsetAsync(crowds.halves, 0, bytes, stream);
        if (error == cudaSuccess) {
            error = cudaMemsetAsync(&figures->hasCrowds, 0, sizeof figures->hasCrowds, stream);
        }
        error = error == cudaSuccess ? wkLaunchBoundCrowds(&crowds, stream) : error;
        result = wkTakeCudaError(error, "sorting points");
        result = result == wk_ok ? readFigures(run) : result;
        if (result != wk_ok || f->pinnedFigures->hasCrowds == 0) {
            return result;
        }
        error = wkLaunchDivideCrowds(&crowds, stream);
        if (error == cudaSuccess) {
            wkRadixSort sort = {.entries = crowds.entries,
                                .spare = *sorted,
                                .counts = f->sortCounts,
                                .count = run->points.count,
                                .lowest = indexBits,
                                .highest = 2 * indexBits + 3 * crowds.cubeBits};
            error = wkLaunchSort(&sort, stream, sorted);
        }
        result = wkTakeCudaError(error, "sorting points");
    }
    return result;
}

// Submits the hierarchy of the points that are left.
static wkResult buildTree(filterRun* run, const wkFilterBounds* bounds, wkDeviceNeighbors* n)
{
    wkCudaFilter* f = run->filter;
    cudaStream_t stream = f->feed.kernels;
    uint64_t* sorted = NULL;
    *n = (wkDeviceNeighbors){.points = run->points,
                             .indexBits = wkIndexBits(run->points.count),
                             .entries = f->entries,
                             .x = f->sorted[0],
                             .y = f->sorted[1],
                             .z = f->sorted[2],
                             .ids = f->ids,
                             .nodes = f->nodes,
                             .means = f->means,
                             .sums = f->sums};
    wkFilterBounds_CurveGrid(bounds, &n->grid);
    layOutNodes(n);
    cudaError_t error = wkLaunchCurveEntries(n, stream);
    if (error == cudaSuccess) {
        error = sortEntries(run, n->indexBits, n->indexBits + 3 * n->grid.bits, &sorted);
    }
    wkResult result = wkTakeCudaError(error, "sorting points");
    result = result == wk_ok ? sortCrowds(run, &sorted) : result;
    n->sorted = sorted;
    return result == wk_ok ? wkTakeCudaError(wkLaunchPointTree(n, stream), "sorting points")
                           : result;
}

static wkResult applyRadius(filterRun* run, const wkFilterStep* step, const wkFilterBounds* bounds,
                            wkFilterStepInfo* info)
{
    (void)info;
    wkDeviceNeighbors n;
    wkResult result = buildTree(run, bounds, &n);
    n.squaredRadius = wkSquaredRadius(step->radius.radius);
    n.wanted = step->radius.neighborCount + 1;
    return result == wk_ok ? wkTakeCudaError(wkLaunchCountNeighbors(&n, run->filter->feed.kernels),
                                             "counting neighbours")
                           : result;
}

// Reads sums of mean distances, and waits for them.
static wkResult readSums(filterRun* run, wkMeanSums* sums)
{
    wkCudaFilter* f = run->filter;
    cudaStream_t stream = f->feed.kernels;
    int32_t count = (run->points.count + WK_MEAN_BLOCK - 1) / WK_MEAN_BLOCK;
    cudaError_t error = cudaMemcpyAsync(f->pinnedSums, f->sums, (size_t)count * sizeof *f->sums,
                                        cudaMemcpyDeviceToHost, stream);
    error = error == cudaSuccess ? cudaStreamSynchronize(stream) : error;
    *sums = (wkMeanSums){0.0, 0.0};
    for (int32_t i = 0; i < count && error == cudaSuccess; ++i) {
        *sums = wkAddMeanSums(*sums, f->pinnedSums[i]);
    }
    return wkTakeCudaError(error, "reading mean distances");
}

static wkResult applyStatistical(filterRun* run, const wkFilterStep* step,
                                 const wkFilterBounds* bounds, wkFilterStepInfo* info)
{
    cudaStream_t stream = run->filter->feed.kernels;
    int32_t count = run->points.count, asked = step->statistical.neighborCount;
    wkDeviceNeighbors n;
    wkMeanSums sums;
    wkResult result = buildTree(run, bounds, &n);
    n.wanted = asked + 1 < count ? asked + 1 : count; // the point itself is one of them
    if (result == wk_ok) {
        result = wkTakeCudaError(wkLaunchMeanDistances(&n, stream), "finding neighbours");
    }
    result = result == wk_ok ? readSums(run, &sums) : result;
    if (result != wk_ok) {
        return result;
    }
    n.threshold = info->threshold = wkMeanThreshold(sums, count, step->statistical.sigmas);
    return wkTakeCudaError(wkLaunchKeepNear(&n, stream), "finding neighbours");
}

typedef wkResult applyFcn(filterRun* run, const wkFilterStep* step, const wkFilterBounds* bounds,
                          wkFilterStepInfo* info);

static applyFcn* const rows[] = {
    [wk_filterVoxel] = applyVoxel,
    [wk_filterStatistical] = applyStatistical,
    [wk_filterRadius] = applyRadius,
};

// Applies the next step, which decides all points together.
static wkResult applySetStep(filterRun* run)
{
    const wkFilterStep* step = &run->request->steps[run->step];
    wkFilterStepInfo* info = &run->result->steps[run->step];
    uint8_t removedMark = (uint8_t)(wk_markRemoved + run->step++);
    info->examinedCount = run->points.count;
    if (run->points.count == 0) {
        return wk_ok;
    }
    wkFilterBounds bounds;
    wkResult result = readSet(run, &bounds);
    result = result == wk_ok ? rows[step->type](run, step, &bounds, info) : result;
    if (result == wk_ok) {
        result = wkTakeCudaError(
            wkLaunchFinish(&run->points, removedMark, run->filter->feed.kernels), "marking points");
    }
    result = result == wk_ok ? readFigures(run) : result;
    if (result == wk_ok && hasCentroids(step)) {
        result = writeCentroids(run);
    }
    if (result == wk_ok) {
        info->removedCount = run->points.count - run->filter->pinnedFigures->keptCount;
        result = proceed(run);
    }
    return result;
}

static wkResult applySteps(filterRun* run)
{
    wkResult result = applyTests(run);
    while (result == wk_ok && run->step < run->request->stepCount) {
        result = applySetStep(run);
        result = result == wk_ok ? applyTests(run) : result;
    }
    return result;
}

// Whether the last step, which alone may, computes centroids.
static bool endsWithCentroids(const wkFilterRequest* request)
{
    return request->stepCount > 0 && hasCentroids(&request->steps[request->stepCount - 1]);
}

// Submits what is wanted of the result, and waits for everything.
static wkResult readResult(const filterRun* run, const wkCudaFilterRequest* wanted)
{
    wkCudaFilter* f = run->filter;
    cudaStream_t stream = f->feed.kernels;
    const wkDevicePoints* left = &run->points;
    size_t count = (size_t)left->count, each = run->layout.isDouble ? 24 : 12;
    cudaError_t error = cudaSuccess;
    if (count > 0) {
        error = wkLaunchWritePoints(left, run->layout.isDouble, f->written, stream);
    }
    if (error == cudaSuccess && wanted->wantsPoints) {
        error = cudaMemcpyAsync(f->pinnedPoints, f->written, count * each, cudaMemcpyDeviceToHost,
                                stream);
    }
    if (error == cudaSuccess && wanted->wantsMarks) {
        error = cudaMemcpyAsync(f->pinnedMarks, left->marks, (size_t)run->layout.count,
                                cudaMemcpyDeviceToHost, stream);
        if (error == cudaSuccess && count > 0) {
            error = cudaMemcpyAsync(f->pinnedKept, left->indices, count * sizeof *f->pinnedKept,
                                    cudaMemcpyDeviceToHost, stream);
        }
    }
    if (error == cudaSuccess && endsWithCentroids(run->request) && count > 0) {
        error = cudaMemcpyAsync(f->pinnedCentroids, f->centroids, count * sizeof(float[3]),
                                cudaMemcpyDeviceToHost, stream);
    }
    error = error == cudaSuccess ? cudaStreamSynchronize(stream) : error;
    return wkTakeCudaError(error, "reading kept points");
}

// The kept points, one after the other.
static wkCloudView viewOf(const filterRun* run, const char* data)
{
    wkCloudView view = wkMakeCloudView(data, run->points.count);
    view.isDouble = run->layout.isDouble;
    return view;
}

static void fillResult(const filterRun* run, const wkCudaFilterRequest* wanted,
                       wkCudaFilterResult* result)
{
    const wkCudaFilter* f = run->filter;
    const wkFilterRequest* request = run->request;
    wkFilterResult* filter = &result->filter;
    filter->pointCount = (int32_t)run->layout.count;
    filter->examinedCount = request->indices != NULL ? request->indexCount : filter->pointCount;
    filter->keptCount = run->points.count;
    filter->stepCount = request->stepCount;
    bool wasCounted = filter->examinedCount > 0;
    filter->notFiniteCount = wasCounted ? f->pinnedFigures->notFiniteCount : 0;
    for (int32_t s = 0; s < request->stepCount && wasCounted; ++s) {
        const wkDeviceStep* counted = &f->pinnedFigures->steps[s];
        wkFilterStepInfo* info = &filter->steps[s];
        bool isSelf = request->steps[s].type == wk_filterSelf;
        if (decidesEach(&request->steps[s])) {
            info->examinedCount = counted->examinedCount;
            info->removedCount = counted->removedCount;
            info->ownCount = isSelf ? counted->ownCount : 0;
            info->shadowCount = isSelf ? counted->shadowCount : 0;
        }
    }
    filter->origin = request->stepCount > 0 ? run->points.origin : filter->origin;
    filter->kept = wanted->wantsMarks ? f->pinnedKept : NULL;
    filter->marks = wanted->wantsMarks ? f->pinnedMarks : NULL;
    result->onDevice = viewOf(run, f->written);
    if (endsWithCentroids(request)) {
        filter->centroids = f->pinnedCentroids;
        result->centroidsOnDevice = wkMakeCloudView(f->centroids, run->points.count);
    }
    if (wanted->wantsPoints) {
        result->onHost = viewOf(run, f->pinnedPoints);
    }
}

// Submits everything, and waits for it.
static wkResult runSteps(filterRun* run, const wkCudaFilterRequest* wanted)
{
    wkResult result = sendPoints(run, wanted->pointsIn);
    if (result == wk_ok &&
        !wkFilterRequest_Origin(run->request, run->layout.isDouble, &run->points.origin)) {
        result = findFirst(run, &run->points.origin);
    }
    run->points.areFloats = !run->layout.isDouble && !(wkMaxAbs(run->points.origin) > 0.0);
    result = result == wk_ok ? sendSteps(run) : result;
    result = result == wk_ok ? applySteps(run) : result;
    return result == wk_ok ? readResult(run, wanted) : result;
}

wkResult wkCudaFilter_Run(wkCudaFilter* filter, const wkCudaFilterRequest* request,
                          wkCudaFilterResult* result)
{
    if (result == NULL) {
        return wkFailCuda(wk_errorArgument, "cuda filter: result is NULL");
    }
    memset(result, 0, sizeof *result);
    filterRun run = {.filter = filter, .result = &result->filter};
    wkResult checked = checkRun(filter, request, &run.layout);
    checked = checked == wk_ok ? wkUseCuda(filter->cuda) : checked;
    if (checked != wk_ok) {
        return checked;
    }
    run.request = &request->filter;
    run.points = filter->points;
    run.points.count =
        run.request->indices != NULL ? run.request->indexCount : (int32_t)run.layout.count;
    wkResult done = runSteps(&run, request);
    if (done != wk_ok) {
        cudaStreamSynchronize(filter->feed.kernels); // nothing runs when the next run begins
        cudaStreamSynchronize(filter->feed.copies);
        memset(result, 0, sizeof *result);
        return done;
    }
    fillResult(&run, request, result);
    return wk_ok;
}
