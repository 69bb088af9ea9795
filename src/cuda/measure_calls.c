// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Costs of the caller's own batches and sphere trees, on the CPU and on the GPU.

#include "cuda/cost_line.h"
#include "cuda/cuda_batch.h"

#include "whisker/detail/library.h"

#include <inttypes.h>
#include <string.h>

// Work that the CPU and the GPU do alike.
typedef struct callCosts {
    wkTimedFcn* onCpu;
    wkTimedFcn* onGpu;
    void* context;
    int64_t count;
    const wkCudaCostsDef* def;
} callCosts;

// @param what the items are, for messages
static wkResult measureBoth(callCosts* calls, const char* what, wkCpuGpuCost* cost)
{
    wkCudaCostsDef defaults;
    wkResult result = wkTakeCostsDef(&calls->def, &defaults);
    if (result == wk_ok && calls->count < WK_LEAST_ITEMS) {
        result = wkFailCuda(wk_errorRange, "cuda costs: %" PRId64 " %s, must be %d or more",
                            calls->count, what, WK_LEAST_ITEMS);
    }
    double seconds = calls->def != NULL ? calls->def->runSeconds : 0.0;
    if (result == wk_ok) {
        result = wkMeasureLine(calls->onCpu, calls->context, calls->count, seconds, &cost->cpu);
    }
    if (result == wk_ok) {
        result = wkMeasureLine(calls->onGpu, calls->context, calls->count, seconds, &cost->gpu);
    }
    if (result != wk_ok) {
        memset(cost, 0, sizeof *cost);
    }
    return result;
}

typedef struct stateCalls {
    wkCudaBatch* batch;
    const double* configurations;
    uint8_t* verdicts;
} stateCalls;

static wkResult checkOnCpu(void* context, int64_t count)
{
    const stateCalls* s = (const stateCalls*)context;
    return wkBatch_CheckStates(s->batch->batch, NULL, s->configurations, count, s->verdicts);
}

static wkResult checkOnGpu(void* context, int64_t count)
{
    const stateCalls* s = (const stateCalls*)context;
    return wkCudaBatch_CheckStates(s->batch, s->configurations, count, NULL, s->verdicts);
}

wkResult wkCudaBatch_MeasureCosts(wkCudaBatch* batch, const double* configurations, int64_t count,
                                  const wkCudaCostsDef* def, wkCpuGpuCost* cost)
{
    if (cost == NULL) {
        return wkFailCuda(wk_errorArgument, "cuda costs: cost is NULL");
    }
    memset(cost, 0, sizeof *cost);
    if (batch == NULL || configurations == NULL) {
        return wkFailCuda(wk_errorArgument, "cuda costs: %s is NULL",
                          batch == NULL ? "batch" : "configurations");
    }
    stateCalls states = {.batch = batch, .configurations = configurations};
    callCosts calls = {checkOnCpu, checkOnGpu, &states, count, def};
    size_t byteCount = count > 0 ? (size_t)count : 1;
    states.verdicts = (uint8_t*)wkAllocate(byteCount);
    wkResult result = states.verdicts != NULL ? measureBoth(&calls, "configurations", cost)
                                              : wkFailCuda(wk_errorMemory, "cuda costs: no memory");
    wkRelease(states.verdicts, byteCount);
    return result;
}

typedef struct pointCalls {
    wkCudaTrees* trees;
    const wkPlacedSphereTree* placed;
    int32_t placedCount;
    wkCloudView points;
    wkPose pose;
    wkSphereTreeRequest request;
    wkSphereTreeResult* results;
} pointCalls;

static wkResult compareOnCpu(void* context, int64_t count)
{
    pointCalls* p = (pointCalls*)context;
    p->points.count = count;
    return wkPlacedSphereTree_PointDistances(p->placed, p->placedCount, &p->points, p->pose,
                                             &p->request, p->results);
}

static wkResult compareOnGpu(void* context, int64_t count)
{
    pointCalls* p = (pointCalls*)context;
    p->points.count = count;
    return wkCudaTrees_PointDistances(p->trees, p->placed, p->placedCount, &p->points,
                                      wk_memoryHost, p->pose, &p->request, p->results);
}

wkResult wkCudaTrees_MeasureCosts(wkCudaTrees* trees, const wkPlacedSphereTree* placed,
                                  int32_t placedCount, const wkCloudView* points, wkPose pose,
                                  const wkSphereTreeRequest* request, const wkCudaCostsDef* def,
                                  wkCpuGpuCost* cost)
{
    if (cost == NULL) {
        return wkFailCuda(wk_errorArgument, "cuda costs: cost is NULL");
    }
    memset(cost, 0, sizeof *cost);
    if (trees == NULL || placed == NULL || points == NULL || placedCount < 1) {
        return wkFailCuda(wk_errorArgument,
                          "cuda costs: trees, placed or points is NULL, or placedCount is %d",
                          (int)placedCount);
    }
    pointCalls work = {trees, placed, placedCount, *points, pose, wkDefaultSphereTreeRequest(),
                       NULL};
    work.request = request != NULL ? *request : work.request;
    work.request.allowsEmpty = true; // the first points may not be finite
    callCosts calls = {compareOnCpu, compareOnGpu, &work, points->count, def};
    size_t byteCount = (size_t)placedCount * sizeof *work.results;
    work.results = (wkSphereTreeResult*)wkAllocate(byteCount);
    wkResult result = work.results != NULL ? measureBoth(&calls, "points", cost)
                                           : wkFailCuda(wk_errorMemory, "cuda costs: no memory");
    wkRelease(work.results, byteCount);
    return result;
}
