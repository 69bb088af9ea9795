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
        !wkIsSoundPoint(pose.position)) {
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
    if (place < 0) {
        return false;
    }
    *asker = makeAsker(wk_askerObject, scene, scene);
    asker->place = place;
    return true;
}

bool wkAskAsScenes(const wkScene* a, const wkScene* b, wkAsker* asker)
{
    if (a == NULL || b == NULL) {
        return false;
    }
    *asker = makeAsker(a == b ? wk_askerPairs : wk_askerScene, a, b);
    return true;
}

static void searchForShape(wkSearch* search, const wkAsker* asker)
{
    wkAabb bounds = wkBoundsForGaps(asker->shape, &asker->pose);
    wkSearchBox(search, asker->sceneB, &bounds);
}

static void searchForObject(wkSearch* search, const wkAsker* asker)
{
    wkSearchObject(search, asker->sceneB, asker->place);
}

static void searchForPairs(wkSearch* search, const wkAsker* asker)
{
    wkSearchPairs(search, asker->sceneB);
}

static void searchForScene(wkSearch* search, const wkAsker* asker)
{
    wkSearchScenes(search, asker->sceneA, asker->sceneB);
}

void wkSearchFor(wkSearch* search, const wkAsker* asker)
{
    static void (*const ways[])(wkSearch*, const wkAsker*) = {
        [wk_askerShape] = searchForShape,
        [wk_askerObject] = searchForObject,
        [wk_askerPairs] = searchForPairs,
        [wk_askerScene] = searchForScene,
    };
    ways[asker->kind](search, asker);
}

// The box of an object in the world.
static wkAabb boxInWorld(const wkScene* scene, int32_t place)
{
    const wkObjectRow* row = &scene->table.rows[place];
    wkVec3d origin = scene->def.origin;
    wkAabb box = {
        wkAdd(origin, wkVec((double)row->lower[0], (double)row->lower[1], (double)row->lower[2])),
        wkAdd(origin, wkVec((double)row->upper[0], (double)row->upper[1], (double)row->upper[2]))};
    return box;
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
    wkAabb box = isMapA ? boxInWorld(asker->sceneB, placeB) : boxInWorld(asker->sceneA, placeA);
    return wkMapSieve_Passes(sieve, &box, reach);
}
