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
    wkAabb bounds = wkBoundsForGaps(asker->shape, asker->pose);
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
