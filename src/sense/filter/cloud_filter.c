// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Runs of filters: checks, memory, the loop over points, and results.

#include "base/block.h"
#include "base/cookie.h"
#include "base/error.h"
#include "base/isa_table.h"
#include "base/memory.h"
#include "sense/filter/filter_impl.h"
#include "whisker/detail/library.h"

WK_DEFINE_LANES(const wkFilterLanes, wkFilterLanes)

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

// Indices of the last result of a filter would be overwritten while they are read.
static wkResult checkOwner(const wkCloudFilter* filter, const wkFilterRequest* request)
{
    uintptr_t memory = (uintptr_t)filter->memory, indices = (uintptr_t)request->indices;
    if (indices >= memory && indices < memory + filter->byteCount) {
        return wkFail(wk_errorArgument,
                      "filter: indices belong to this filter; use another one for the next run");
    }
    return wk_ok;
}

static wkResult checkRequest(const wkFilterRequest* request, wkCloudLayout* layout)
{
    if (!WK_HAS_COOKIE(request, wkFilterRequest)) {
        return WK_FAIL_COOKIE(request, wkFilterRequest);
    }
    wkResult result = wkLayOutCloud(&request->points, layout);
    result = result == wk_ok ? checkIndices(request) : result;
    return result == wk_ok ? wkCheckFilterSteps(request) : result;
}

// Origin of the lanes: zero, where given floats are exact, unless they are few digits of large numbers.
static void chooseOrigin(wkFilterRun* run)
{
    run->origin = wkVec(0.0, 0.0, 0.0);
    if (run->request->stepCount > 0) {
        wkFrame frame = wkFrameFromPose(run->request->pose);
        wkVec3d center = wkFrameLocal(&frame, wkFilterStepCenter(&run->request->steps[0]));
        if (run->layout.isDouble || wkMaxAbs(center) > FAR_AWAY) {
            run->origin = center;
        }
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

// Lays out the arrays of a run in the memory of the filter.
static bool placeRun(wkCloudFilter* filter, wkFilterRun* run)
{
    const wkFilterRequest* request = run->request;
    uint64_t bytes = 0, chunkCount = (uint64_t)run->chunkCount;
    uint64_t marks = wkReserve(&bytes, (uint64_t)request->points.count);
    uint64_t kept = wkReserve(&bytes, chunkCount * WK_CHUNK_CAPACITY * sizeof(int32_t));
    uint64_t chunks = wkReserve(&bytes, chunkCount * sizeof(wkChunkInfo));
    uint64_t tests = wkReserve(&bytes, WK_MAX_FILTER_STEPS * sizeof(wkPointTest));
    wkSphereGridOffsets grids[WK_MAX_FILTER_STEPS];
    for (int32_t s = 0; s < request->stepCount; ++s) {
        int32_t sphereCount = wkFilterSphereCount(&request->steps[s]);
        if (sphereCount > 0) {
            grids[s] = wkReserveSphereGrid(sphereCount, &bytes);
        }
    }
    if (!growFilter(filter, bytes)) {
        return false;
    }
    char* memory = (char*)filter->memory;
    run->marks = (uint8_t*)(memory + marks);
    run->kept = (int32_t*)(memory + kept);
    run->chunks = (wkChunkInfo*)(memory + chunks);
    run->tests = (wkPointTest*)(memory + tests);
    memset(run->tests, 0, WK_MAX_FILTER_STEPS * sizeof(wkPointTest));
    for (int32_t s = 0; s < request->stepCount; ++s) {
        int32_t sphereCount = wkFilterSphereCount(&request->steps[s]);
        if (sphereCount > 0) {
            wkPlaceSphereGrid(memory, grids[s], sphereCount, &run->tests[s].grid);
        }
    }
    return true;
}

// Moves the indices of all chunks together, and adds up their figures.
static void collect(const wkFilterRun* run, wkFilterResult* result)
{
    for (int32_t c = 0; c < run->chunkCount; ++c) {
        const wkChunkInfo* chunk = &run->chunks[c];
        memmove(run->kept + result->keptCount, run->kept + (size_t)c * WK_CHUNK_CAPACITY,
                (size_t)chunk->keptCount * sizeof(int32_t));
        result->keptCount += chunk->keptCount;
        result->notFiniteCount += chunk->notFiniteCount;
        for (int32_t s = 0; s < run->request->stepCount; ++s) {
            bool isSelf = run->request->steps[s].type == wk_filterSelf;
            result->steps[s].examinedCount += chunk->steps[s].examinedCount;
            result->steps[s].removedCount += chunk->steps[s].removedCount;
            result->steps[s].ownCount += isSelf ? chunk->steps[s].ownCount : 0;
        }
    }
    result->pointCount = (int32_t)run->request->points.count;
    result->examinedCount = run->examinedCount;
    result->stepCount = run->request->stepCount;
    result->kept = run->kept;
    result->marks = run->marks;
}

wkResult wkCloudFilter_Run(wkCloudFilter* filter, const wkFilterRequest* request,
                           wkFilterResult* result)
{
    if (filter == NULL || result == NULL) {
        return wkFail(wk_errorArgument, "filter: %s is NULL", filter == NULL ? "filter" : "result");
    }
    memset(result, 0, sizeof *result);
    wkFilterRun run = {.request = request, .lanes = wkFilterLanesOfMachine()};
    wkResult checked = checkRequest(request, &run.layout);
    checked = checked == wk_ok ? checkOwner(filter, request) : checked;
    if (checked != wk_ok) {
        return checked;
    }
    run.examinedCount =
        request->indices != NULL ? request->indexCount : (int32_t)request->points.count;
    run.chunkCount = (run.examinedCount + WK_FILTER_CHUNK - 1) / WK_FILTER_CHUNK;
    chooseOrigin(&run);
    if (!placeRun(filter, &run)) {
        return wkFail(wk_errorMemory, "filter: no memory for %lld points",
                      (long long)request->points.count);
    }
    for (int32_t s = 0; s < request->stepCount; ++s) {
        wkPreparePointTest(&run, &request->steps[s], &run.tests[s]);
    }
    if (request->indices != NULL) {
        memset(run.marks, wk_markNone, (size_t)request->points.count);
    }
    wkRunTasks(request->parallel, wkFilterChunk, &run, run.chunkCount);
    collect(&run, result);
    return wk_ok;
}
