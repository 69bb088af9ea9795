// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Which pairs touch: a closer look at each candidate, until one is enough or the buffer is full.

#include "query/map_query.h"
#include "scene/asker.h"

#include <string.h>

typedef struct collideRun {
    const wkAsker* asker;
    const wkSceneRequest* request;
    wkCollideRequest closer;
    wkContact contact;
    wkMapSieve sieve;
    wkSceneCollideResult result;
} collideRun;

static void keepHit(collideRun* run, wkObjectId a, wkObjectId b, wkStatus status)
{
    wkSceneCollideResult* result = &run->result;
    if (!result->isTouching) {
        result->isTouching = true;
        result->a = a;
        result->b = b;
        result->status = status;
    }
    if (run->request->hits != NULL && result->hitCount < run->request->hitCapacity) {
        wkSceneHit* hit = &run->request->hits[result->hitCount++];
        hit->a = a;
        hit->b = b;
        hit->contact = run->contact;
        hit->status = status;
    }
}

static wkCollideResult lookCloser(const collideRun* run, int32_t placeA, int32_t placeB)
{
    const wkAsker* asker = run->asker;
    const wkObjectTable* table = &asker->sceneB->table;
    const wkShape *a = wkShapeOfA(asker, placeA), *b = &table->shapes[placeB];
    wkPose poseA = wkPoseOfA(asker, placeA);
    const wkPose* poseB = &table->bodies[placeB].pose;
    const wkCubes* near = &run->sieve.near;
    return near->count > 0 ? wkCollideNearMap(a, &poseA, b, poseB, &run->closer, near)
                           : wkCollide(a, poseA, b, *poseB, &run->closer);
}

static bool collidePair(int32_t placeA, int32_t placeB, void* context)
{
    collideRun* run = (collideRun*)context;
    const wkAsker* asker = run->asker;
    if (!wkMayReach(asker, placeA, placeB, wkPositive(run->closer.margin), &run->sieve)) {
        return true;
    }
    ++run->result.pairCount;
    wkCollideResult touch = lookCloser(run, placeA, placeB);
    if (!touch.isTouching) {
        return true;
    }
    keepHit(run, wkIdOfA(asker, placeA), wkIdOfPlace(asker->sceneB, placeB), touch.status);
    bool wantsHits = run->request->hits != NULL;
    return wantsHits && run->result.hitCount < run->request->hitCapacity;
}

static wkSceneCollideResult invalidCollide(void)
{
    wkSceneCollideResult result;
    memset(&result, 0, sizeof result);
    result.isTouching = true;
    result.status = wk_statusInvalid;
    return result;
}

static wkSceneCollideResult collide(bool isValid, const wkAsker* asker,
                                    const wkSceneRequest* request)
{
    request = wkSceneRequestOf(request);
    if (!isValid || request == NULL) {
        return invalidCollide();
    }
    collideRun run;
    run.asker = asker;
    run.request = request;
    run.sieve.map = NULL;
    memset(&run.contact, 0, sizeof run.contact);
    memset(&run.result, 0, sizeof run.result);
    run.result.status = wk_statusExact;
    run.closer = wkDefaultCollideRequest();
    run.closer.margin = request->margin;
    if (request->hits != NULL && request->wantsContacts) {
        run.closer.contacts = &run.contact;
        run.closer.contactCapacity = 1;
    }
    wkSearch search = wkMakeSearch(request, request->margin, true, collidePair, &run);
    wkLimitSearch(&search, request->margin);
    wkSearchFor(&search, asker);
    return run.result;
}

wkSceneCollideResult wkScene_CollidePairs(const wkScene* scene, const wkSceneRequest* request)
{
    wkAsker asker;
    bool isValid = wkAskAsScenes(scene, scene, &asker);
    return collide(isValid, &asker, request);
}

wkSceneCollideResult wkScene_CollideShape(const wkScene* scene, const wkShape* shape, wkPose pose,
                                          const wkSceneRequest* request)
{
    wkAsker asker;
    bool isValid = wkAskAsShape(scene, shape, pose, &asker);
    return collide(isValid, &asker, request);
}

wkSceneCollideResult wkScene_CollideObject(const wkScene* scene, wkObjectId id,
                                           const wkSceneRequest* request)
{
    wkAsker asker;
    bool isValid = wkAskAsObject(scene, id, &asker);
    return collide(isValid, &asker, request);
}

wkSceneCollideResult wkScene_CollideScene(const wkScene* a, const wkScene* b,
                                          const wkSceneRequest* request)
{
    wkAsker asker;
    bool isValid = wkAskAsScenes(a, b, &asker);
    return collide(isValid, &asker, request);
}
