// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The four kinds of askers, and the search for each.

#include "scene/asker.h"

#include "geom/check.h"

#include <string.h>

static wkAsker makeAsker(wkAskerKind kind, const wkScene* sceneA, const wkScene* sceneB)
{
    wkAsker asker;
    memset(&asker, 0, sizeof asker);
    asker.kind = kind;
    asker.sceneA = sceneA;
    asker.sceneB = sceneB;
    asker.place = WK_ASKER;
    return asker;
}

bool wkAskAsShape(const wkScene* scene, const wkShape* shape, wkPose pose, wkAsker* asker)
{
    if (scene == NULL || shape == NULL || wkShape_Check(shape) != wk_ok || !wkIsValidPose(pose) ||
        !wkIsSoundPoint(pose.position) || !wkIsFreshScene(scene, "scene")) {
        return false;
    }
    *asker = makeAsker(wk_askerShape, NULL, scene);
    asker->shape = shape;
    asker->pose = pose;
    return true;
}

bool wkAskAsObject(const wkScene* scene, wkObjectId id, wkAsker* asker)
{
    int32_t place = scene != NULL ? wkFindPlace(scene, id, "scene") : -1;
    if (place < 0 || !wkIsFreshScene(scene, "scene")) {
        return false;
    }
    *asker = makeAsker(wk_askerObject, scene, scene);
    asker->place = place;
    return true;
}

bool wkAskAsScenes(const wkScene* a, const wkScene* b, wkAsker* asker)
{
    if (a == NULL || b == NULL || !wkIsFreshScene(a, "scene") ||
        (a != b && !wkIsFreshScene(b, "scene"))) {
        return false;
    }
    *asker = makeAsker(a == b ? wk_askerPairs : wk_askerScene, a, b);
    return true;
}

static bool searchForShape(wkSearch* search, const wkAsker* asker)
{
    wkAabb bounds = wkBoundsForGaps(asker->shape, &asker->pose);
    return wkSearchBox(search, asker->sceneB, &bounds);
}

static bool searchForObject(wkSearch* search, const wkAsker* asker)
{
    return wkSearchObject(search, asker->sceneB, asker->place);
}

static bool searchForPairs(wkSearch* search, const wkAsker* asker)
{
    return wkSearchPairs(search, asker->sceneB);
}

static bool searchForScene(wkSearch* search, const wkAsker* asker)
{
    return wkSearchScenes(search, asker->sceneA, asker->sceneB);
}

bool wkSearchFor(wkSearch* search, const wkAsker* asker)
{
    static bool (*const ways[])(wkSearch*, const wkAsker*) = {
        [wk_askerShape] = searchForShape,
        [wk_askerObject] = searchForObject,
        [wk_askerPairs] = searchForPairs,
        [wk_askerScene] = searchForScene,
    };
    return ways[asker->kind](search, asker);
}

bool wkMapsMayReach(const wkAsker* asker, int32_t placeA, int32_t placeB, double reach,
                    wkMapSieve* sieve)
{
    const wkShape* a = wkShapeOfA(asker, placeA);
    const wkShape* b = &asker->sceneB->table.shapes[placeB];
    bool isMapA = a->type == wk_shapeOctree;
    // two maps are walked together, and a shape that is in no scene has no box yet
    if ((isMapA && b->type == wk_shapeOctree) || (!isMapA && placeA == WK_ASKER)) {
        return true;
    }
    const wkShape* map = isMapA ? a : b;
    if (sieve->map != map) {
        wkPose pose = isMapA ? wkPoseOfA(asker, placeA) : asker->sceneB->table.bodies[placeB].pose;
        wkMapSieve_Init(sieve, map, &pose);
    }
    wkAabb box = isMapA ? wkBoxInWorld(asker->sceneB, placeB) : wkBoxInWorld(asker->sceneA, placeA);
    return wkMapSieve_Passes(sieve, &box, reach);
}
