// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The first hit of a ray in a scene, and whether there is any.

#include "scene/scene_search.h"

#include <string.h>

typedef struct rayRun {
    const wkScene* scene;
    wkRay ray;
    wkSearch* search;
    wkSceneRayResult result;
    bool isHit;
} rayRun;

// Prepares a ray and the result for a ray that is not valid or that hits nothing.
static bool startRun(const wkScene* scene, const wkSceneRequest* request, rayRun* run)
{
    wkShape point = wkMakeSphere(0.0);
    wkRay nowhere = run->ray;
    nowhere.maxDistance = run->ray.maxDistance >= 0.0 ? 0.0 : run->ray.maxDistance;
    run->result.hit = wkShape_RayCast(&point, wkMakePose(0.0, 0.0, 0.0), nowhere);
    bool isValid = run->result.hit.status != wk_statusInvalid && scene != NULL && request != NULL &&
                   wkIsFreshScene(scene, "scene");
    run->result.hit.status = isValid ? wk_statusExact : wk_statusInvalid;
    run->result.hit.isHit = !isValid;
    run->ray.direction = wkNormalizeOr(run->ray.direction, wkVec(0.0, 0.0, 1.0));
    run->scene = scene;
    return isValid;
}

static bool castAt(int32_t none, int32_t slotIndex, void* context)
{
    (void)none;
    rayRun* run = (rayRun*)context;
    const wkObjectTable* table = &run->scene->table;
    run->ray.maxDistance = run->search->limit;
    wkRayResult hit =
        wkShape_RayCast(&table->shapes[slotIndex], table->bodies[slotIndex].pose, run->ray);
    if (hit.isHit && (wkObjectId_IsNull(run->result.id) || hit.distance < run->search->limit)) {
        run->result.id = wkIdOfSlot(run->scene, slotIndex);
        run->result.hit = hit;
        run->search->limit = hit.distance;
    }
    return true;
}

static bool testObject(int32_t none, int32_t slotIndex, void* context)
{
    (void)none;
    rayRun* run = (rayRun*)context;
    const wkObjectTable* table = &run->scene->table;
    run->isHit =
        wkShape_RayHits(&table->shapes[slotIndex], table->bodies[slotIndex].pose, run->ray);
    return !run->isHit;
}

wkSceneRayResult wkScene_RayCast(const wkScene* scene, wkRay ray, const wkSceneRequest* request)
{
    rayRun run;
    memset(&run, 0, sizeof run);
    run.ray = ray;
    request = wkSceneRequestOf(request);
    if (startRun(scene, request, &run)) {
        wkSearch search = wkMakeSearch(request, ray.maxDistance, false, castAt, &run);
        run.search = &search;
        wkSearchRay(&search, scene, &run.ray);
    }
    return run.result;
}

bool wkScene_RayHits(const wkScene* scene, wkRay ray, const wkSceneRequest* request)
{
    rayRun run;
    memset(&run, 0, sizeof run);
    run.ray = ray;
    request = wkSceneRequestOf(request);
    if (!startRun(scene, request, &run)) {
        return true;
    }
    wkSearch search = wkMakeSearch(request, ray.maxDistance, true, testObject, &run);
    wkSearchRay(&search, scene, &run.ray);
    return run.isHit;
}
