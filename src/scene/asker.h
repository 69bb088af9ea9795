// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Who asks a scene: a shape, an object, the scene itself or another one. Exact queries are the same
// for all of them.

#include "query/map_sieve.h"
#include "scene/search.h"

typedef enum wkAskerKind {
    wk_askerShape,
    wk_askerObject,
    wk_askerPairs,
    wk_askerScene,
} wkAskerKind;

typedef struct wkAsker {
    wkAskerKind kind;
    const wkScene* sceneA; // NULL: a shape that is in no scene
    const wkScene* sceneB;
    const wkShape* shape;
    wkPose pose;
    int32_t place;
} wkAsker;

// Askers; false when an argument is not valid, or when geometry has changed under a scene.
bool wkAskAsShape(const wkScene* scene, const wkShape* shape, wkPose pose, wkAsker* asker);
bool wkAskAsObject(const wkScene* scene, wkObjectId id, wkAsker* asker);
bool wkAskAsScenes(const wkScene* a, const wkScene* b, wkAsker* asker);

// Runs the search that fits. Searches that were stopped return false.
bool wkSearchFor(wkSearch* search, const wkAsker* asker);

// The first of a pair of candidates, and its id.
WK_FN const wkShape* wkShapeOfA(const wkAsker* asker, int32_t place)
{
    return place == WK_ASKER ? asker->shape : &asker->sceneA->table.shapes[place];
}

WK_FN wkPose wkPoseOfA(const wkAsker* asker, int32_t place)
{
    return place == WK_ASKER ? asker->pose : asker->sceneA->table.bodies[place].pose;
}

WK_FN wkObjectId wkIdOfA(const wkAsker* asker, int32_t place)
{
    return place == WK_ASKER ? 0 : wkIdOfPlace(asker->sceneA, place);
}

// Whether a pair with a map in it may be within reach: false when no cell is near the bounds of the
// other one. The sieve is kept from pair to pair, without a map at first.
bool wkMapsMayReach(const wkAsker* asker, int32_t placeA, int32_t placeB, double reach,
                    wkMapSieve* sieve);

// The same for all pairs.
WK_FN bool wkMayReach(const wkAsker* asker, int32_t placeA, int32_t placeB, double reach,
                      wkMapSieve* sieve)
{
    sieve->near.count = 0;
    bool hasMap = wkShapeOfA(asker, placeA)->type == wk_shapeOctree ||
                  asker->sceneB->table.shapes[placeB].type == wk_shapeOctree;
    return !hasMap || wkMapsMayReach(asker, placeA, placeB, reach, sieve);
}
