// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The candidate interface of a scene, for the layers above.

#include "scene/candidates.h"

#include "scene/scene_search.h"

typedef struct visit {
    const wkScene* scene;
    wkCandidateVisitFcn* fcn;
    void* context;
} visit;

static bool report(const visit* v, int32_t slotIndex)
{
    wkCandidate candidate = {slotIndex, wkBoxOfRow(&v->scene->table.rows[slotIndex])};
    return v->fcn(&candidate, v->context);
}

static bool reportKnown(int32_t slotIndex, void* context)
{
    const visit* v = (const visit*)context;
    return v->scene->table.slots[slotIndex].waiting >= 0 || report(v, slotIndex);
}

bool wkScene_VisitCandidates(const wkScene* scene, const wkFloatBox* box, wkCandidateVisitFcn* fcn,
                             void* context)
{
    visit v = {scene, fcn, context};
    for (int32_t i = 0; i < scene->waitingCount; ++i) {
        if (!report(&v, scene->table.waiting[i])) {
            return false;
        }
    }
    return scene->row->visitBox(scene->broad, box, reportKnown, &v);
}

typedef struct nearVisit {
    wkNearSearch* caller;
    wkSearch search;
} nearVisit;

static bool reportNear(int32_t source, int32_t slotIndex, void* context)
{
    (void)source;
    nearVisit* v = (nearVisit*)context;
    wkCandidate candidate = {slotIndex, wkBoxOfRow(&v->search.sceneB->table.rows[slotIndex])};
    bool goesOn = v->caller->fcn(&candidate, v->caller->context);
    v->search.limit = v->caller->limit;
    v->search.depthLimit = v->caller->depthLimit;
    return goesOn;
}

bool wkScene_VisitNear(const wkScene* scene, const wkAabb* box, wkNearSearch* caller)
{
    nearVisit v;
    v.caller = caller;
    v.search = wkMakeSearch(wkSceneRequestOf(NULL), caller->limit, false, reportNear, &v);
    v.search.depthLimit = caller->depthLimit;
    v.search.isConvex = caller->isConvex;
    return wkSearchBox(&v.search, scene, box);
}

wkSceneObject wkScene_ObjectAt(const wkScene* scene, int32_t slotIndex)
{
    const wkObjectTable* table = &scene->table;
    const wkObjectSlot* slot = &table->slots[slotIndex];
    const wkObjectBody* body = &table->bodies[slotIndex];
    wkSceneObject object = {
        .shape = slot->next == WK_SLOT_IN_USE ? &table->shapes[slotIndex] : NULL,
        .pose = &body->pose,
        .extent = &table->extents[slotIndex],
        .around = &body->around,
        .isEmpty = slot->isEmpty,
    };
    return object;
}

wkFloatBox wkScene_BoxAt(const wkScene* scene, int32_t slotIndex)
{
    return wkBoxOfRow(&scene->table.rows[slotIndex]);
}

wkAabb wkScene_WorldBoxAt(const wkScene* scene, int32_t slotIndex)
{
    return wkBoxInWorld(scene, slotIndex);
}

uint64_t wkScene_StampAt(const wkScene* scene, int32_t slotIndex)
{
    return scene->table.slots[slotIndex].stamp;
}

int32_t wkScene_SlotCount(const wkScene* scene)
{
    return scene->slotCount;
}

bool wkScene_HasObjects(const wkScene* scene)
{
    return scene->objectCount > 0;
}

wkVec3d wkScene_Origin(const wkScene* scene)
{
    return scene->def.origin;
}

int32_t wkScene_FindStale(const wkScene* scene)
{
    for (int32_t i = 0; i < scene->markCount; ++i) {
        if (WK_UNLIKELY(wkIsMarkStale(&scene->table.marks[i].content))) {
            return scene->table.marks[i].slotIndex;
        }
    }
    return -1;
}

int32_t wkScene_SlotCapacity(const wkScene* scene)
{
    return scene->table.capacity;
}

void wkScene_SetUserAt(wkScene* scene, int32_t slotIndex, void* user)
{
    scene->table.bodies[slotIndex].user = user;
}
