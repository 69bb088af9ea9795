// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Colliding pairs: an exact query for each candidate, until one is enough or the buffer is full.

#include "scene/query_source.h"

#include <string.h>

typedef struct collideRun {
    const wkQuerySource* source;
    const wkSceneRequest* request;
    wkCollideRequest closer;
    wkContact contact;
    wkBoxCull cull;
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

static wkCollideResult checkExactly(const collideRun* run, int32_t slotA, int32_t slotB)
{
    const wkQuerySource* source = run->source;
    const wkObjectTable* table = &source->sceneB->table;
    const wkShape *a = wkShapeOfA(source, slotA), *b = &table->shapes[slotB];
    wkPose poseA = wkPoseOfA(source, slotA);
    const wkPose* poseB = &table->bodies[slotB].pose;
    return wkCollidePassed(&run->cull, a, &poseA, b, poseB, &run->closer);
}

static bool collidePair(int32_t slotA, int32_t slotB, void* context)
{
    collideRun* run = (collideRun*)context;
    const wkQuerySource* source = run->source;
    if (!wkMayReach(source, slotA, slotB, wkPositive(run->closer.margin), &run->cull)) {
        return true;
    }
    ++run->result.pairCount;
    wkCollideResult touch = checkExactly(run, slotA, slotB);
    if (!touch.isTouching) {
        return true;
    }
    keepHit(run, wkIdOfA(source, slotA), wkIdOfSlot(source->sceneB, slotB), touch.status);
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

static wkSceneCollideResult collide(bool isValid, const wkQuerySource* source,
                                    const wkSceneRequest* request)
{
    request = wkSceneRequestOf(request);
    if (!isValid || request == NULL) {
        return invalidCollide();
    }
    collideRun run;
    run.source = source;
    run.request = request;
    run.cull.shape = NULL;
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
    wkSearchFor(&search, source);
    return run.result;
}

wkSceneCollideResult wkScene_CollidePairs(const wkScene* scene, const wkSceneRequest* request)
{
    wkQuerySource source;
    bool isValid = wkAskAsScenes(scene, scene, &source);
    return collide(isValid, &source, request);
}

wkSceneCollideResult wkScene_CollideShape(const wkScene* scene, const wkShape* shape, wkPose pose,
                                          const wkSceneRequest* request)
{
    wkQuerySource source;
    bool isValid = wkAskAsShape(scene, shape, pose, &source);
    return collide(isValid, &source, request);
}

wkSceneCollideResult wkScene_CollideObject(const wkScene* scene, wkObjectId id,
                                           const wkSceneRequest* request)
{
    wkQuerySource source;
    bool isValid = wkAskAsObject(scene, id, &source);
    return collide(isValid, &source, request);
}

wkSceneCollideResult wkScene_CollideScene(const wkScene* a, const wkScene* b,
                                          const wkSceneRequest* request)
{
    wkQuerySource source;
    bool isValid = wkAskAsScenes(a, b, &source);
    return collide(isValid, &source, request);
}
