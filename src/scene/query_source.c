// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The four kinds of sources, and the search for each.

#include "scene/query_source.h"

#include "geom/check.h"

#include <string.h>

static wkQuerySource makeSource(wkQuerySourceKind kind, const wkScene* sceneA,
                                const wkScene* sceneB)
{
    wkQuerySource source;
    memset(&source, 0, sizeof source);
    source.kind = kind;
    source.sceneA = sceneA;
    source.sceneB = sceneB;
    source.slotIndex = WK_QUERY_SOURCE;
    return source;
}

bool wkAskAsShape(const wkScene* scene, const wkShape* shape, wkPose pose, wkQuerySource* source)
{
    if (scene == NULL || shape == NULL || wkShape_Check(shape) != wk_ok || !wkIsValidPose(pose) ||
        !wkIsValidPoint(pose.position) || !wkIsFreshScene(scene, "scene")) {
        return false;
    }
    *source = makeSource(wk_querySourceShape, NULL, scene);
    source->shape = shape;
    source->pose = pose;
    return true;
}

bool wkAskAsObject(const wkScene* scene, wkObjectId id, wkQuerySource* source)
{
    int32_t slotIndex = scene != NULL ? wkFindSlot(scene, id, "scene") : -1;
    if (slotIndex < 0 || !wkIsFreshScene(scene, "scene")) {
        return false;
    }
    *source = makeSource(wk_querySourceObject, scene, scene);
    source->slotIndex = slotIndex;
    return true;
}

bool wkAskAsScenes(const wkScene* a, const wkScene* b, wkQuerySource* source)
{
    if (a == NULL || b == NULL || !wkIsFreshScene(a, "scene") ||
        (a != b && !wkIsFreshScene(b, "scene"))) {
        return false;
    }
    *source = makeSource(a == b ? wk_querySourcePairs : wk_querySourceScene, a, b);
    return true;
}

static bool searchForShape(wkSearch* search, const wkQuerySource* source)
{
    wkAabb bounds = wkBoundsForGaps(source->shape, &source->pose);
    return wkSearchBox(search, source->sceneB, &bounds);
}

static bool searchForObject(wkSearch* search, const wkQuerySource* source)
{
    return wkSearchObject(search, source->sceneB, source->slotIndex);
}

static bool searchForPairs(wkSearch* search, const wkQuerySource* source)
{
    return wkSearchPairs(search, source->sceneB);
}

static bool searchForScene(wkSearch* search, const wkQuerySource* source)
{
    return wkSearchScenes(search, source->sceneA, source->sceneB);
}

bool wkSearchFor(wkSearch* search, const wkQuerySource* source)
{
    static bool (*const ways[])(wkSearch*, const wkQuerySource*) = {
        [wk_querySourceShape] = searchForShape,
        [wk_querySourceObject] = searchForObject,
        [wk_querySourcePairs] = searchForPairs,
        [wk_querySourceScene] = searchForScene,
    };
    return ways[source->kind](search, source);
}

bool wkContentMayReach(const wkQuerySource* source, int32_t slotA, int32_t slotB,
                       const wkShape* culling, double reach, wkBoxCull* cull)
{
    bool isB = culling == &source->sceneB->table.shapes[slotB];
    if (cull->shape != culling) {
        wkPose pose = isB ? source->sceneB->table.bodies[slotB].pose : wkPoseOfA(source, slotA);
        wkBoxCull_Place(cull, culling, &pose);
    }
    wkAabb box = isB ? wkBoxInWorld(source->sceneA, slotA) : wkBoxInWorld(source->sceneB, slotB);
    return wkBoxCull_Passes(cull, &box, reach);
}
