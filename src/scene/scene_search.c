// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Searches the objects of a scene for one row, a box with its filter, or for sets of rows.

#include "scene/scene_search.h"

#include "base/cookie.h"
#include "query/pair/content_cull.h"

#include <string.h>

wkSceneRequest wkDefaultSceneRequest(void)
{
    wkSceneRequest request;
    memset(&request, 0, sizeof request);
    request.cutoff = INFINITY;
    request.isSigned = true;
    request.category = UINT32_MAX;
    request.mask = UINT32_MAX;
    request.cookie = WK_COOKIE(wkSceneRequest);
    return request;
}

const wkSceneRequest* wkSceneRequestOf(const wkSceneRequest* request)
{
    static const wkSceneRequest defaultRequest = {.cutoff = INFINITY,
                                                  .isSigned = true,
                                                  .category = UINT32_MAX,
                                                  .mask = UINT32_MAX,
                                                  .cookie = WK_COOKIE(wkSceneRequest)};
    if (request == NULL) {
        return &defaultRequest;
    }
    if (!WK_HAS_COOKIE(request, wkSceneRequest)) {
        WK_FAIL_COOKIE(request, wkSceneRequest);
        return NULL;
    }
    bool isValid = request->margin == request->margin && request->cutoff == request->cutoff;
    return isValid ? request : NULL;
}

static bool doFiltersAgree(const wkObjectRow* a, const wkObjectRow* b)
{
    return (a->category & b->mask) != 0 && (b->category & a->mask) != 0;
}

// Reports a pair in the order of the query; pairs within one scene are ordered by slot, so that the order
// does not depend on the broad phase.
static bool reportPair(const wkSearch* search, int32_t slotIndex, int32_t other)
{
    bool isSwapped = search->in != search->sceneB || (search->isBySlot && slotIndex > other);
    int32_t a = isSwapped ? other : slotIndex, b = isSwapped ? slotIndex : other;
    const wkSceneRequest* request = search->request;
    if (request->accepts != NULL) {
        wkObjectId idA = a == WK_QUERY_SOURCE ? wk_nullObjectId : wkIdOfSlot(search->sceneA, a);
        if (!request->accepts(idA, wkIdOfSlot(search->sceneB, b), request->acceptsContext)) {
            return true;
        }
    }
    return search->fcn(a, b, search->context);
}

static bool isConvexAt(const wkScene* scene, int32_t slotIndex)
{
    return wkIsConvex(&scene->table.shapes[slotIndex]);
}

// Tests an object of the searched scene against the row.
static bool classifyObject(const wkSearch* search, int32_t other)
{
    const wkObjectRow* row = &search->in->table.rows[other];
    wkFloatBox box = wkBoxOfRow(row);
    double gap = wkFloatBoxGap(&search->box, &box);
    if (gap > search->limit || gap <= search->visited || !doFiltersAgree(&search->row, row)) {
        return true;
    }
    if (gap > search->depthLimit && search->isConvex && isConvexAt(search->in, other)) {
        return true;
    }
    return reportPair(search, search->slotIndex, other);
}

static bool isItself(const wkSearch* search, int32_t other)
{
    return other == search->slotIndex && search->sceneA == search->sceneB;
}

static bool isWaiting(const wkScene* scene, int32_t slotIndex)
{
    return scene->table.slots[slotIndex].waiting >= 0;
}

static bool classifyKnown(int32_t other, void* context)
{
    const wkSearch* search = (const wkSearch*)context;
    bool isOut = isItself(search, other) || (search->isOrdered && other > search->slotIndex) ||
                 isWaiting(search->in, other);
    return isOut || classifyObject(search, other);
}

static bool classifyWaiting(const wkSearch* search)
{
    const wkScene* scene = search->in;
    for (int32_t i = 0; i < scene->waitingCount; ++i) {
        int32_t other = scene->table.waiting[i];
        bool isOut = isItself(search, other) || other >= search->before;
        if (!isOut && !classifyObject(search, other)) {
            return false;
        }
    }
    return true;
}

static bool searchRow(wkSearch* search)
{
    const wkScene* scene = search->in;
    if (!search->skipsWaiting && !classifyWaiting(search)) {
        return false;
    }
    if (search->culling != NULL && scene->row->hasGroups != NULL &&
        scene->row->hasGroups(scene->broad)) {
        return wkVisitGroups(search, classifyKnown);
    }
    if (search->isFixed) {
        wkFloatBox box = wkGrownFloatBox(search->box, wkMaxD(search->limit, 0.0));
        return scene->row->visitBox(scene->broad, &box, classifyKnown, search);
    }
    if (scene->row->visitNear != NULL) {
        return scene->row->visitNear(scene->broad, &search->box, &search->limit, classifyKnown,
                                     search);
    }
    return wkVisitNearByBoxes(search, classifyKnown);
}

// Sets the row to that of an object of `from`, in the coordinates of the searched scene.
static void takeRow(wkSearch* search, const wkScene* from, int32_t slotIndex)
{
    search->row = from->table.rows[slotIndex];
    search->box = wkBoxOfRow(&search->row);
    search->slotIndex = slotIndex;
    search->isConvex = isConvexAt(from, slotIndex);
    const wkShape* shape = &from->table.shapes[slotIndex];
    search->culling = wkIsCulledByContent(shape) ? shape : NULL;
    search->cullingPose = &from->table.bodies[slotIndex].pose;
    wkVec3d shift = wkSub(from->def.origin, search->in->def.origin);
    if (wkMaxAbs(shift) > 0.0) {
        const float* lower = search->row.lower;
        const float* upper = search->row.upper;
        wkAabb box = {wkVec((double)lower[0], (double)lower[1], (double)lower[2]),
                      wkVec((double)upper[0], (double)upper[1], (double)upper[2])};
        search->box = wkFloatBoxAround(&box, wkNeg(shift));
    }
}

bool wkSearchBox(wkSearch* search, const wkScene* scene, const wkAabb* box)
{
    search->sceneA = NULL;
    search->sceneB = scene;
    search->in = scene;
    search->slotIndex = WK_QUERY_SOURCE;
    search->before = INT32_MAX;
    search->box = wkFloatBoxAround(box, scene->def.origin);
    search->row.category = search->request->category;
    search->row.mask = search->request->mask;
    return searchRow(search);
}

bool wkSearchObject(wkSearch* search, const wkScene* scene, int32_t slotIndex)
{
    search->sceneA = scene;
    search->sceneB = scene;
    search->in = scene;
    search->before = INT32_MAX;
    takeRow(search, scene, slotIndex);
    return searchRow(search);
}

// Tests a pair from the broad phase, of one scene or of two.
static bool classifyKnownPair(int32_t a, int32_t b, void* context)
{
    const wkSearch* search = (const wkSearch*)context;
    const wkObjectRow* rowA = &search->sceneA->table.rows[a];
    const wkObjectRow* rowB = &search->sceneB->table.rows[b];
    wkFloatBox boxA = wkBoxOfRow(rowA), boxB = wkBoxOfRow(rowB);
    bool isNear = search->limit == 0.0 ? wkDoFloatBoxesMeet(&boxA, &boxB)
                                       : wkFloatBoxGap(&boxA, &boxB) <= search->limit;
    if (!isNear || !doFiltersAgree(rowA, rowB) ||
        (search->someWait && (isWaiting(search->sceneA, a) || isWaiting(search->sceneB, b)))) {
        return true;
    }
    if (search->depthLimit < 0.0 && isConvexAt(search->sceneA, a) &&
        isConvexAt(search->sceneB, b) && wkFloatBoxGap(&boxA, &boxB) > search->depthLimit) {
        return true;
    }
    return reportPair(search, a, b);
}

// Searches with every object, or every waiting one, as a row against the other scene or its own.
static bool searchRows(wkSearch* search, const wkScene* from, bool onlyWaiting)
{
    int32_t count = onlyWaiting ? from->waitingCount : from->slotCount;
    bool isOne = search->sceneA == search->sceneB;
    for (int32_t i = 0; i < count; ++i) {
        int32_t slotIndex = onlyWaiting ? from->table.waiting[i] : i;
        if (from->table.slots[slotIndex].next != WK_SLOT_IN_USE) {
            continue;
        }
        takeRow(search, from, slotIndex);
        search->before = isOne ? slotIndex : INT32_MAX;
        search->isOrdered = isOne && !onlyWaiting;
        search->visited = NAN;
        if (!searchRow(search)) {
            return false;
        }
    }
    return true;
}

bool wkSearchPairs(wkSearch* search, const wkScene* scene)
{
    search->sceneA = scene;
    search->sceneB = scene;
    search->in = scene;
    search->isBySlot = true;
    search->someWait = scene->waitingCount > 0;
    const wkBroadRow* row = scene->row;
    bool isStopped;
    if (search->isFixed && search->limit <= 0.0) {
        isStopped = !row->visitPairs(scene->broad, classifyKnownPair, search);
    } else if (row->visitNearPairs != NULL) {
        isStopped = !row->visitNearPairs(scene->broad, &search->limit, classifyKnownPair, search);
    } else {
        return searchRows(search, scene, false);
    }
    return !isStopped && searchRows(search, scene, true);
}

// Searches all pairs whose boxes in the broad phases are up to date.
static bool searchKnown(wkSearch* search)
{
    const wkScene *a = search->sceneA, *b = search->sceneB;
    bool isFixed = search->isFixed && search->limit <= 0.0;
    return isFixed ? a->row->visitPairsOf(a->broad, b->broad, classifyKnownPair, search)
                   : a->row->visitNearPairsOf(a->broad, b->broad, &search->limit, classifyKnownPair,
                                              search);
}

bool wkSearchScenes(wkSearch* search, const wkScene* a, const wkScene* b)
{
    if (a == b) {
        return wkSearchPairs(search, a);
    }
    search->sceneA = a;
    search->sceneB = b;
    search->in = b;
    search->someWait = a->waitingCount > 0 || b->waitingCount > 0;
    bool isAlike = a->row == b->row && a->row->isMatch != NULL &&
                   a->row->isMatch(a->broad, b->broad) &&
                   wkMaxAbs(wkSub(a->def.origin, b->def.origin)) == 0.0;
    if (isAlike) {
        if (!searchKnown(search) || !searchRows(search, a, true)) {
            return false;
        }
        // waiting objects of A have been tested against all of B
        search->in = a;
        search->skipsWaiting = true;
        return searchRows(search, b, true);
    }
    // iterate over the smaller scene
    bool isSwapped = a->objectCount > b->objectCount;
    search->in = isSwapped ? a : b;
    return searchRows(search, isSwapped ? b : a, false);
}
