// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The closest pair: candidates by their bounds, nearer ones first where the broad phase can tell;
// what is further than the best pair so far is left out. Once something touches, all pairs that touch
// are measured, but for convex ones whose bounds overlap by less: the depths of other shapes are local
// and may be larger than those of all bounds around them.

#include "scene/near_pairs.h"

#include <float.h>
#include <string.h>

// Pairs with a map that are measured at once: cells are told apart by how far away they are only when
// there is a pair to compare with.
#define MEASURED_FIRST 4

typedef struct distanceRun {
    const wkAsker* asker;
    const wkSceneRequest* request;
    wkDistanceRequest closer;
    double best; // signed distance of the closest pair so far, or the cutoff
    wkSearch* search;
    wkNearPairs pairs;
    wkSceneDistanceResult result;
} distanceRun;

static bool measurePair(distanceRun* run, int32_t placeA, int32_t placeB)
{
    const wkAsker* asker = run->asker;
    const wkObjectTable* table = &asker->sceneB->table;
    const wkShape *a = wkShapeOfA(asker, placeA), *b = &table->shapes[placeB];
    ++run->result.pairCount;
    run->closer.cutoff = wkIsConvex(a) && wkIsConvex(b) ? run->best : run->search->limit;
    wkDistanceResult d =
        wkDistance(a, wkPoseOfA(asker, placeA), b, table->bodies[placeB].pose, &run->closer);
    // an empty mesh or map is as far away as a number can say, and no pair with anything
    bool isThere = d.distance < DBL_MAX && d.distance <= run->best;
    bool isBest = isThere && (run->result.b == 0 || d.distance < run->best);
    if (isBest) {
        run->result.a = wkIdOfA(asker, placeA);
        run->result.b = wkIdOfPlace(asker->sceneB, placeB);
        run->result.closest = d;
        run->best = d.distance;
        wkLimitSearch(run->search, d.distance);
    }
    // nothing is closer than touching, unless depths are asked for
    return run->request->isSigned || d.distance > 0.0;
}

// The pairs that wait for a look at their map.
static bool measureWaiting(distanceRun* run)
{
    wkNearPairs* pairs = &run->pairs;
    unsigned near = wkNearPairs_Take(pairs, run->search->limit);
    for (; near != 0; near &= near - 1) {
        int i = __builtin_ctz(near);
        if (!measurePair(run, pairs->placesA[i], pairs->placesB[i])) {
            return false;
        }
    }
    return true;
}

static bool takePair(int32_t placeA, int32_t placeB, void* context)
{
    distanceRun* run = (distanceRun*)context;
    wkNearPairs* pairs = &run->pairs;
    const wkShape* map = wkMapOfPair(run->asker, placeA, placeB);
    if (map == NULL || run->result.pairCount < MEASURED_FIRST) {
        return measurePair(run, placeA, placeB);
    }
    if (pairs->near.map != map && !measureWaiting(run)) {
        return false;
    }
    wkNearPairs_Add(pairs, map, run->asker, placeA, placeB);
    return pairs->count < WK_NEAR_BODIES || measureWaiting(run);
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

static wkSceneDistanceResult measure(bool isValid, const wkAsker* asker,
                                     const wkSceneRequest* request)
{
    distanceRun run;
    memset(&run, 0, sizeof run);
    request = wkSceneRequestOf(request);
    if (!isValid || request == NULL) {
        run.result.closest = noPair(-INFINITY, wk_statusInvalid);
        return run.result;
    }
    run.asker = asker;
    run.request = request;
    run.closer = wkDefaultDistanceRequest();
    run.closer.isSigned = request->isSigned;
    run.result.closest = noPair(request->cutoff, wk_statusBound);
    wkSearch search = wkMakeSearch(request, request->cutoff, false, takePair, &run);
    run.best = request->cutoff;
    run.search = &search;
    wkLimitSearch(&search, run.best);
    if (wkSearchFor(&search, asker)) {
        measureWaiting(&run);
    }
    return run.result;
}

wkSceneDistanceResult wkScene_DistancePairs(const wkScene* scene, const wkSceneRequest* request)
{
    wkAsker asker;
    bool isValid = wkAskAsScenes(scene, scene, &asker);
    return measure(isValid, &asker, request);
}

wkSceneDistanceResult wkScene_DistanceShape(const wkScene* scene, const wkShape* shape, wkPose pose,
                                            const wkSceneRequest* request)
{
    wkAsker asker;
    bool isValid = wkAskAsShape(scene, shape, pose, &asker);
    return measure(isValid, &asker, request);
}

wkSceneDistanceResult wkScene_DistanceObject(const wkScene* scene, wkObjectId id,
                                             const wkSceneRequest* request)
{
    wkAsker asker;
    bool isValid = wkAskAsObject(scene, id, &asker);
    return measure(isValid, &asker, request);
}

wkSceneDistanceResult wkScene_DistanceScene(const wkScene* a, const wkScene* b,
                                            const wkSceneRequest* request)
{
    wkAsker asker;
    bool isValid = wkAskAsScenes(a, b, &asker);
    return measure(isValid, &asker, request);
}
