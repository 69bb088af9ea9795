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

bool wkMapsMayReach(const wkQuerySource* source, int32_t slotA, int32_t slotB, double reach,
                    wkMapCull* cull)
{
    const wkShape* a = wkShapeOfA(source, slotA);
    const wkShape* b = &source->sceneB->table.shapes[slotB];
    bool isMapA = a->type == wk_shapeOctree;
    // two maps are traversed together, and a shape that is in no scene has no box yet
    if ((isMapA && b->type == wk_shapeOctree) || (!isMapA && slotA == WK_QUERY_SOURCE)) {
        return true;
    }
    const wkShape* map = isMapA ? a : b;
    if (cull->map != map) {
        wkPose pose = isMapA ? wkPoseOfA(source, slotA) : source->sceneB->table.bodies[slotB].pose;
        wkMapCull_Init(cull, map, &pose);
    }
    wkAabb box = isMapA ? wkBoxInWorld(source->sceneB, slotB) : wkBoxInWorld(source->sceneA, slotA);
    return wkMapCull_Passes(cull, &box, reach);
}
