// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The source of a scene query: a shape, an object, the scene itself or another scene. Exact queries are
// the same for all of them.

#include "query/pair/content_cull.h"
#include "scene/scene_search.h"

typedef enum wkQuerySourceKind {
    wk_querySourceShape,
    wk_querySourceObject,
    wk_querySourcePairs,
    wk_querySourceScene,
} wkQuerySourceKind;

typedef struct wkQuerySource {
    wkQuerySourceKind kind;
    const wkScene* sceneA; // NULL: a shape that is in no scene
    const wkScene* sceneB;
    const wkShape* shape;
    wkPose pose;
    int32_t slotIndex;
} wkQuerySource;

// Makes sources; false when an argument is not valid, or when geometry changed after it was added to a scene.
bool wkAskAsShape(const wkScene* scene, const wkShape* shape, wkPose pose, wkQuerySource* source);
bool wkAskAsObject(const wkScene* scene, wkObjectId id, wkQuerySource* source);
bool wkAskAsScenes(const wkScene* a, const wkScene* b, wkQuerySource* source);

// Runs the search for that kind of source. Returns false when the search was stopped.
bool wkSearchFor(wkSearch* search, const wkQuerySource* source);

// Shape, pose and id of the first of a pair of candidates.
WK_FN const wkShape* wkShapeOfA(const wkQuerySource* source, int32_t slotIndex)
{
    return slotIndex == WK_QUERY_SOURCE ? source->shape : &source->sceneA->table.shapes[slotIndex];
}

WK_FN wkPose wkPoseOfA(const wkQuerySource* source, int32_t slotIndex)
{
    return slotIndex == WK_QUERY_SOURCE ? source->pose
                                        : source->sceneA->table.bodies[slotIndex].pose;
}

WK_FN wkObjectId wkIdOfA(const wkQuerySource* source, int32_t slotIndex)
{
    return slotIndex == WK_QUERY_SOURCE ? wk_nullObjectId : wkIdOfSlot(source->sceneA, slotIndex);
}

// Returns the shape of a pair whose content culls the other one by its box; NULL: only the exact query decides.
WK_FN const wkShape* wkCullingShapeOf(const wkQuerySource* source, int32_t slotA, int32_t slotB)
{
    const wkShape* a = wkShapeOfA(source, slotA);
    const wkShape* culling = wkCullingShape(a, &source->sceneB->table.shapes[slotB]);
    // a shape that is in no scene has no box yet
    return slotA == WK_QUERY_SOURCE && culling != a ? NULL : culling;
}

// Whether a pair with such a shape may be within reach: false when none of its content is near the bounds of
// the other shape. The cull is reused from pair to pair and starts without a shape.
bool wkContentMayReach(const wkQuerySource* source, int32_t slotA, int32_t slotB,
                       const wkShape* culling, double reach, wkBoxCull* cull);

// The same for all pairs.
WK_FN bool wkMayReach(const wkQuerySource* source, int32_t slotA, int32_t slotB, double reach,
                      wkBoxCull* cull)
{
    cull->knowsNear = false;
    const wkShape* culling = wkCullingShapeOf(source, slotA, slotB);
    return culling == NULL || wkContentMayReach(source, slotA, slotB, culling, reach, cull);
}
