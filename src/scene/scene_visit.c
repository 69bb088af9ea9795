// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Reports candidate pairs, found by their bounds, to the caller.

#include "base/error.h"
#include "scene/scene_search.h"

// Converts slots to ids for the caller.
typedef struct visit {
    const wkScene* sceneA;
    const wkScene* sceneB;
    wkPairFcn* fcn;
    void* context;
} visit;

static bool passOn(int32_t slotA, int32_t slotB, void* context)
{
    const visit* v = (const visit*)context;
    wkObjectId a = slotA == WK_QUERY_SOURCE ? wk_nullObjectId : wkIdOfSlot(v->sceneA, slotA);
    return v->fcn(a, wkIdOfSlot(v->sceneB, slotB), v->context);
}

static wkResult startVisit(const wkSceneRequest* request, visit* v, wkSearch* search)
{
    request = wkSceneRequestOf(request);
    if (request == NULL || v->sceneB == NULL || v->fcn == NULL) {
        return wkFail(wk_errorArgument, "scene: scene or fcn is NULL, or the request was not "
                                        "started from wkDefaultSceneRequest()");
    }
    bool isFresh =
        wkIsFreshScene(v->sceneB, "scene") &&
        (v->sceneA == NULL || v->sceneA == v->sceneB || wkIsFreshScene(v->sceneA, "scene"));
    *search = wkMakeSearch(request, request->margin, true, passOn, v);
    return isFresh ? wk_ok : wk_errorState;
}

wkResult wkScene_VisitPairs(const wkScene* scene, const wkSceneRequest* request, wkPairFcn* fcn,
                            void* context)
{
    visit v = {scene, scene, fcn, context};
    wkSearch search;
    wkResult result = startVisit(request, &v, &search);
    if (result == wk_ok) {
        wkSearchPairs(&search, scene);
    }
    return result;
}

wkResult wkScene_VisitBox(const wkScene* scene, wkAabb box, const wkSceneRequest* request,
                          wkPairFcn* fcn, void* context)
{
    visit v = {NULL, scene, fcn, context};
    wkSearch search;
    wkResult result = startVisit(request, &v, &search);
    double sum = wkSumAbs(box.lower) + wkSumAbs(box.upper);
    if (result == wk_ok && sum != sum) {
        return wkFail(wk_errorNotFinite, "wkScene_VisitBox: a side of the box is NaN");
    }
    bool isEmpty =
        box.lower.x > box.upper.x || box.lower.y > box.upper.y || box.lower.z > box.upper.z;
    if (result == wk_ok && !isEmpty) {
        wkSearchBox(&search, scene, &box);
    }
    return result;
}

wkResult wkScene_VisitObject(const wkScene* scene, wkObjectId id, const wkSceneRequest* request,
                             wkPairFcn* fcn, void* context)
{
    visit v = {scene, scene, fcn, context};
    wkSearch search;
    wkResult result = startVisit(request, &v, &search);
    if (result != wk_ok) {
        return result;
    }
    int32_t slotIndex = wkFindSlot(scene, id, "wkScene_VisitObject");
    if (slotIndex < 0) {
        return wk_errorArgument;
    }
    wkSearchObject(&search, scene, slotIndex);
    return wk_ok;
}

wkResult wkScene_VisitScene(const wkScene* a, const wkScene* b, const wkSceneRequest* request,
                            wkPairFcn* fcn, void* context)
{
    visit v = {a, b, fcn, context};
    wkSearch search;
    wkResult result = startVisit(request, &v, &search);
    if (result == wk_ok && a == NULL) {
        return wkFail(wk_errorArgument, "wkScene_VisitScene: a is NULL");
    }
    if (result == wk_ok) {
        wkSearchScenes(&search, a, b);
    }
    return result;
}
