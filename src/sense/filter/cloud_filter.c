// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Runs of filters: checks, memory, the loop over points, and results.

#include "base/block.h"
#include "base/cookie.h"
#include "base/error.h"
#include "base/isa_table.h"
#include "base/memory.h"
#include "sense/filter/filter_impl.h"
#include "whisker/detail/device.h"
#include "whisker/detail/library.h"

WK_DEFINE_LANES(const wkFilterLanes, wkFilterLanes)
WK_DEFINE_LANES(const wkChunkLanes, wkChunkLanes)

// Floats that are this far from zero are rounded by more than a tenth of a millimetre: lanes then compute relative
// to another origin.
#define FAR_AWAY 1000.0

wkResult wkCloudFilter_Create(wkCloudFilter** filter)
{
    if (filter == NULL) {
        return wkFail(wk_errorArgument, "filter: no pointer for the filter");
    }
    *filter = wkAlloc(sizeof **filter);
    if (*filter == NULL) {
        return wkFail(wk_errorMemory, "filter: no memory");
    }
    memset(*filter, 0, sizeof **filter);
    return wk_ok;
}

void wkCloudFilter_Destroy(wkCloudFilter* filter)
{
    if (filter != NULL) {
        wkFree(filter->memory, filter->byteCount);
        wkFree(filter, sizeof *filter);
    }
}

static wkResult checkIndices(const wkFilterRequest* request)
{
    if (request->indexCount < 0 || (request->indices == NULL && request->indexCount > 0)) {
        return wkFail(wk_errorArgument, "filter: indexCount is %d, and indices is %s",
                      (int)request->indexCount, request->indices == NULL ? "NULL" : "not NULL");
    }
    for (int32_t i = 0, least = 0; i < request->indexCount; ++i) {
        if (request->indices[i] < least || request->indices[i] >= request->points.count) {
            return wkFail(wk_errorRange,
                          "filter: indices[%d] is %d, must be ascending and below %lld", (int)i,
                          (int)request->indices[i], (long long)request->points.count);
        }
        least = request->indices[i] + 1;
    }
    return wk_ok;
}

// Whether some of these bytes are in the memory of a filter; without any, whether their address is.
static bool isOwn(const wkCloudFilter* filter, uintptr_t start, uintptr_t byteCount)
{
    uintptr_t memory = (uintptr_t)filter->memory, end = start + (byteCount > 0 ? byteCount : 1);
    return start < memory + filter->byteCount && memory < end;
}

static bool ownsPoints(const wkCloudFilter* filter, const wkCloudLayout* layout)
{
    if (layout->count == 0) {
        return false;
    }
    // the last point is before the first one where the stride is negative
    int64_t last = (layout->count - 1) * layout->stride;
    uintptr_t data = (uintptr_t)layout->data, bytes = (uintptr_t)layout->pointBytes;
    return last < 0 ? isOwn(filter, data + (uintptr_t)last, bytes - (uintptr_t)last)
                    : isOwn(filter, data, bytes + (uintptr_t)last);
}

// What the last run of a filter has returned would be overwritten while it is read, or freed before.
static wkResult checkOwner(const wkCloudFilter* filter, const wkFilterRequest* request,
                           const wkCloudLayout* layout)
{
    uintptr_t indexBytes = (uintptr_t)request->indexCount * sizeof *request->indices;
    bool ownsIndices = isOwn(filter, (uintptr_t)request->indices, indexBytes);
    if (ownsIndices || ownsPoints(filter, layout)) {
        return wkFail(wk_errorArgument,
                      "filter: %s belong to this filter; use another one for the next run",
                      ownsIndices ? "indices" : "points");
    }
    return wk_ok;
}

wkResult wkFilterRequest_LayOut(const wkFilterRequest* request, wkCloudLayout* layout)
{
    if (!WK_HAS_COOKIE(request, wkFilterRequest)) {
        return WK_FAIL_COOKIE(request, wkFilterRequest);
    }
    wkResult result = wkCloudView_LayOut(&request->points, layout);
    result = result == wk_ok ? checkIndices(request) : result;
    return result == wk_ok ? wkCheckFilterSteps(request) : result;
}

// The first point with finite coordinates; zero without one.
static wkVec3d firstFinite(const wkFilterRun* run)
{
    for (int32_t i = 0; i < run->count; ++i) {
        wkVec3d point = wkPointAt(run, wkPointIndex(run, i));
        if (wkIsFiniteVec(point)) {
            return point;
        }
    }
    return wkVec(0.0, 0.0, 0.0);
}

bool wkFilterRequest_Origin(const wkFilterRequest* request, bool isDouble, wkVec3d* origin)
{
    wkFrame frame = wkFrameFromPose(request->pose);
    int32_t s = 0;
    *origin = wkVec(0.0, 0.0, 0.0);
    while (s < request->stepCount && !wkIsPointTest(request->steps[s].type)) {
        ++s;
    }
    if (s == request->stepCount) {
        return !isDouble;
    }
    wkVec3d center = wkFrameLocal(&frame, wkFilterStepCenter(&request->steps[s]));
    if (isDouble || wkMaxAbs(center) > FAR_AWAY) {
        *origin = center;
    }
    return true;
}

// Origin of the lanes: zero, where given floats are exact, unless they are few digits of large numbers.
static void chooseOrigin(wkFilterRun* run)
{
    if (!wkFilterRequest_Origin(run->request, run->layout.isDouble, &run->origin)) {
        run->origin = firstFinite(run);
    }
    run->hasOrigin = wkMaxAbs(run->origin) > 0.0;
}

// Memory of a filter, at least this much. What was in it is lost.
static bool growFilter(wkCloudFilter* filter, uint64_t byteCount)
{
    if (byteCount <= filter->byteCount) {
        return true;
    }
    wkFree(filter->memory, filter->byteCount);
    filter->memory = wkAlloc((size_t)byteCount);
    filter->byteCount = filter->memory != NULL ? (size_t)byteCount : 0;
    return filter->memory != NULL;
}

static bool hasSetStep(const wkFilterRequest* request)
{
    bool has = false;
    for (int32_t s = 0; s < request->stepCount; ++s) {
        has |= !wkIsPointTest(request->steps[s].type);
    }
    return has;
}

// Lays out the arrays of a run in the memory of the filter.
static bool placeRun(wkCloudFilter* filter, wkFilterRun* run)
{
    const wkFilterRequest* request = run->request;
    uint64_t bytes = 0, chunkCount = (uint64_t)wkChunkCount(run->count);
    uint64_t marks = wkReserve(&bytes, (uint64_t)request->points.count);
    uint64_t keptBits = wkReserve(&bytes, chunkCount * (WK_FILTER_CHUNK / 8));
    uint64_t kept = wkReserve(&bytes, (uint64_t)run->count * sizeof(int32_t));
    uint64_t chunks = wkReserve(&bytes, chunkCount * sizeof(wkChunkInfo));
    uint64_t tests = wkReserve(&bytes, WK_MAX_FILTER_STEPS * sizeof(wkPointTest));
    uint64_t otherKept = 0;
    wkPointSetOffsets set;
    if (hasSetStep(request)) {
        otherKept = wkReserve(&bytes, (uint64_t)run->count * sizeof(int32_t));
        set = wkReservePointSet(run->count, &bytes);
    }
    wkRobotTestOffsets robots[WK_MAX_FILTER_STEPS];
    for (int32_t s = 0; s < request->stepCount; ++s) {
        const wkFilterRobot* robot = wkFilterStepRobot(&request->steps[s]);
        if (robot != NULL) {
            robots[s] = wkReserveRobotTest(robot, &bytes);
        }
    }
    if (!growFilter(filter, bytes)) {
        return false;
    }
    char* memory = (char*)filter->memory;
    run->marks = (uint8_t*)(memory + marks);
    run->keptBits = (uint64_t*)(void*)(memory + keptBits);
    run->kept = (int32_t*)(memory + kept);
    run->chunks = (wkChunkInfo*)(memory + chunks);
    run->tests = (wkPointTest*)(memory + tests);
    memset(run->tests, 0, WK_MAX_FILTER_STEPS * sizeof(wkPointTest));
    if (hasSetStep(request)) {
        run->otherKept = (int32_t*)(memory + otherKept);
        wkPlacePointSet(memory, set, run->count, &run->set);
    }
    for (int32_t s = 0; s < request->stepCount; ++s) {
        const wkFilterRobot* robot = wkFilterStepRobot(&request->steps[s]);
        if (robot != NULL) {
            wkPlaceRobotTest(memory, robots[s], robot, &run->tests[s].robot);
        }
    }
    return true;
}

// Adds up the figures of all chunks, and returns the number of kept points.
static int32_t addFigures(const wkFilterRun* run, wkFilterResult* result)
{
    int32_t keptCount = 0;
    for (int32_t c = 0; c < wkChunkCount(run->count); ++c) {
        wkChunkInfo* chunk = &run->chunks[c];
        chunk->firstKept = keptCount;
        keptCount += chunk->keptCount;
        result->notFiniteCount += chunk->notFiniteCount;
        for (int32_t s = run->firstStep; s < run->endStep; ++s) {
            bool isSelf = run->request->steps[s].type == wk_filterSelf;
            result->steps[s].examinedCount += chunk->steps[s].examinedCount;
            result->steps[s].removedCount += chunk->steps[s].removedCount;
            result->steps[s].ownCount += isSelf ? chunk->steps[s].ownCount : 0;
            result->steps[s].shadowCount += chunk->steps[s].shadowCount;
        }
    }
    return keptCount;
}

// Goes on with the points that were kept. All points of the view need no indices.
static void proceed(wkFilterRun* run, int32_t keptCount)
{
    if (run->indices != NULL || keptCount < run->count || run->endStep == run->request->stepCount) {
        wkRunTasks(run->request->parallel, wkChunkLanesOfMachine()->packChunk, run,
                   wkChunkCount(run->count));
        int32_t* other = run->otherKept;
        run->otherKept = run->kept;
        run->indices = run->kept;
        run->kept = other;
    }
    run->count = keptCount;
    run->isStarted = true;
    run->hasBounds = false;
}

// Applies tests, from the next step on, one block after the other. The first of them look for points not finite.
static void applyTests(wkFilterRun* run, wkFilterResult* result)
{
    const wkFilterRequest* request = run->request;
    run->firstStep = run->endStep;
    while (run->endStep < request->stepCount && wkIsPointTest(request->steps[run->endStep].type)) {
        ++run->endStep;
    }
    if (!run->isStarted || run->endStep > run->firstStep) {
        int32_t chunkCount = wkChunkCount(run->count);
        wkRunTasks(request->parallel, wkChunkLanesOfMachine()->filterChunk, run, chunkCount);
        proceed(run, addFigures(run, result));
        if (run->endStep == run->firstStep) {
            wkJoinBounds(run, chunkCount);
        }
    }
}

static bool hasCentroids(const wkFilterStep* step)
{
    return step->type == wk_filterVoxel && step->voxel.hasCentroids;
}

// Applies all steps: tests, and what decides all points together in between.
static void applySteps(wkFilterRun* run, wkFilterResult* result)
{
    applyTests(run, result);
    while (run->endStep < run->request->stepCount) {
        const wkFilterStep* step = &run->request->steps[run->endStep];
        wkFilterStepInfo* info = &result->steps[run->endStep];
        wkApplySetStep(run, step, info);
        run->firstStep = run->endStep;
        int32_t keptCount = addFigures(run, result);
        info->removedCount = run->count - keptCount;
        if (hasCentroids(step)) {
            wkRunTasks(run->request->parallel, wkSetLanesOfMachine()->writeCentroids, run,
                       wkChunkCount(run->count));
        }
        ++run->endStep;
        proceed(run, keptCount);
        applyTests(run, result);
    }
}

static void fillResult(const wkFilterRun* run, wkFilterResult* result)
{
    const wkFilterRequest* request = run->request;
    result->pointCount = (int32_t)request->points.count;
    result->examinedCount = request->indices != NULL ? request->indexCount : result->pointCount;
    result->keptCount = run->count;
    result->kept = run->indices;
    result->marks = run->marks;
    result->stepCount = request->stepCount;
    if (request->stepCount > 0) {
        const wkFilterStep* last = &request->steps[request->stepCount - 1];
        result->centroids = hasCentroids(last) ? run->set.centroids : NULL;
        result->origin = run->origin;
    }
}

wkResult wkCloudFilter_Run(wkCloudFilter* filter, const wkFilterRequest* request,
                           wkFilterResult* result)
{
    if (filter == NULL || result == NULL) {
        return wkFail(wk_errorArgument, "filter: %s is NULL", filter == NULL ? "filter" : "result");
    }
    memset(result, 0, sizeof *result);
    wkFilterRun run = {.request = request, .lanes = wkFilterLanesOfMachine()};
    wkResult checked = wkFilterRequest_LayOut(request, &run.layout);
    checked = checked == wk_ok ? checkOwner(filter, request, &run.layout) : checked;
    if (checked != wk_ok) {
        return checked;
    }
    run.indices = request->indices;
    run.count = request->indices != NULL ? request->indexCount : (int32_t)request->points.count;
    chooseOrigin(&run);
    if (!placeRun(filter, &run)) {
        return wkFail(wk_errorMemory, "filter: no memory for %lld points",
                      (long long)request->points.count);
    }
    for (int32_t s = 0; s < request->stepCount; ++s) {
        if (wkIsPointTest(request->steps[s].type)) {
            wkPreparePointTest(&run, &request->steps[s], &run.tests[s]);
        }
    }
    if (request->indices != NULL) {
        memset(run.marks, wk_markNone, (size_t)request->points.count);
    }
    applySteps(&run, result);
    fillResult(&run, result);
    return wk_ok;
}
