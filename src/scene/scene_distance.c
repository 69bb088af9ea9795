// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The closest pair: candidates by their bounds, nearest first where the broad phase can order them;
// candidates further than the best pair so far are skipped. Once a pair touches, all pairs that touch
// are measured except convex ones whose bounds overlap by less: depths of other shapes are local and
// may exceed the overlap of their bounds.

#include "scene/candidate_pairs.h"

#include <float.h>
#include <string.h>

// Pairs that content could cull and that are measured without queueing: a distance can cull only once there
// is a pair to compare with.
#define MEASURED_FIRST 4

typedef struct distanceRun {
    const wkQuerySource* source;
    const wkSceneRequest* request;
    wkDistanceRequest closer;
    double best; // signed distance of the closest pair so far, or the cutoff
    wkSearch* search;
    wkCandidatePairs pairs;
    wkSceneDistanceResult result;
} distanceRun;

static bool measurePair(distanceRun* run, int32_t slotA, int32_t slotB)
{
    const wkQuerySource* source = run->source;
    const wkObjectTable* table = &source->sceneB->table;
    const wkShape *a = wkShapeOfA(source, slotA), *b = &table->shapes[slotB];
    ++run->result.pairCount;
    run->closer.cutoff = run->best;
    wkDistanceResult d =
        wkDistance(a, wkPoseOfA(source, slotA), b, table->bodies[slotB].pose, &run->closer);
    // an empty mesh or map is at the largest distance and forms no pair
    bool isThere = d.distance < DBL_MAX && d.distance <= run->best;
    bool isBest = isThere && (wkObjectId_IsNull(run->result.b) || d.distance < run->best);
    if (isBest) {
        run->result.a = wkIdOfA(source, slotA);
        run->result.b = wkIdOfSlot(source->sceneB, slotB);
        run->result.closest = d;
        run->best = d.distance;
        wkLimitSearch(run->search, d.distance);
    }
    // nothing is closer than touching, unless depths are requested
    return run->request->isSigned || d.distance > 0.0;
}

// Measures the queued pairs.
static bool measureWaiting(distanceRun* run)
{
    wkCandidatePairs* pairs = &run->pairs;
    unsigned candidates = wkCandidatePairs_Take(pairs, run->search->limit);
    for (; candidates != 0; candidates &= candidates - 1) {
        int i = __builtin_ctz(candidates);
        if (!measurePair(run, pairs->slotsA[i], pairs->slotsB[i])) {
            return false;
        }
    }
    return true;
}

static bool takePair(int32_t slotA, int32_t slotB, void* context)
{
    distanceRun* run = (distanceRun*)context;
    wkCandidatePairs* pairs = &run->pairs;
    const wkShape* culling = wkCullingShapeOf(run->source, slotA, slotB);
    if (culling == NULL || run->result.pairCount < MEASURED_FIRST) {
        return measurePair(run, slotA, slotB);
    }
    if (pairs->cull.shape != culling && !measureWaiting(run)) {
        return false;
    }
    wkCandidatePairs_Add(pairs, culling, run->source, slotA, slotB);
    return pairs->count < WK_CANDIDATE_BODIES || measureWaiting(run);
}

static wkDistanceResult noPair(double cutoff, wkStatus status)
{
    wkDistanceResult none;
    memset(&none, 0, sizeof none);
    none.distance = cutoff;
    none.normal = wkVec(0.0, 0.0, 1.0);
    none.status = status;
    none.partA = -1;
    none.partB = -1;
    return none;
}

static wkSceneDistanceResult measure(bool isValid, const wkQuerySource* source,
                                     const wkSceneRequest* request)
{
    distanceRun run;
    memset(&run, 0, sizeof run);
    request = wkSceneRequestOf(request);
    if (!isValid || request == NULL) {
        run.result.closest = noPair(-INFINITY, wk_statusInvalid);
        return run.result;
    }
    run.source = source;
    run.request = request;
    run.closer = wkDefaultDistanceRequest();
    run.closer.isSigned = request->isSigned;
    run.result.closest = noPair(request->cutoff, wk_statusBound);
    wkSearch search = wkMakeSearch(request, request->cutoff, false, takePair, &run);
    run.best = request->cutoff;
    run.search = &search;
    wkLimitSearch(&search, run.best);
    if (wkSearchFor(&search, source)) {
        measureWaiting(&run);
    }
    return run.result;
}

wkSceneDistanceResult wkScene_DistancePairs(const wkScene* scene, const wkSceneRequest* request)
{
    wkQuerySource source;
    bool isValid = wkAskAsScenes(scene, scene, &source);
    return measure(isValid, &source, request);
}

wkSceneDistanceResult wkScene_DistanceShape(const wkScene* scene, const wkShape* shape, wkPose pose,
                                            const wkSceneRequest* request)
{
    wkQuerySource source;
    bool isValid = wkAskAsShape(scene, shape, pose, &source);
    return measure(isValid, &source, request);
}

wkSceneDistanceResult wkScene_DistanceObject(const wkScene* scene, wkObjectId id,
                                             const wkSceneRequest* request)
{
    wkQuerySource source;
    bool isValid = wkAskAsObject(scene, id, &source);
    return measure(isValid, &source, request);
}

wkSceneDistanceResult wkScene_DistanceScene(const wkScene* a, const wkScene* b,
                                            const wkSceneRequest* request)
{
    wkQuerySource source;
    bool isValid = wkAskAsScenes(a, b, &source);
    return measure(isValid, &source, request);
}
