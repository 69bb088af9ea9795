// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The search for pairs whose bounds are near enough and whose filters agree: by the broad phase for
// the objects that it knows rightly, one by one for those that wait.

#include "scene/scene_impl.h"

// A pair worth a closer look, by places; the place of a shape that is in no scene is WK_QUERY_SOURCE.
// @return false to stop
typedef bool wkCandidateFcn(int32_t slotA, int32_t slotB, void* context);

#define WK_QUERY_SOURCE (-1)

typedef struct wkSearch {
    const wkSceneRequest* request;
    // Pairs whose bounds are further apart (wkFloatBoxGap) are left out.
    double limit;
    // The signed distance that matters, where it is below zero: pairs of convex shapes whose bounds
    // overlap by less are left out as well. The depths of other shapes are local, and bounds say
    // nothing about them (wkLimitSearch).
    double depthLimit;
    bool isFixed; // nobody lowers the limit on the way
    wkCandidateFcn* fcn;
    void* context;

    // What follows is set on the way.
    const wkScene* sceneA; // NULL: the source is in no scene
    const wkScene* sceneB;
    const wkScene* in; // of the two, the one that is searched for the row below
    wkObjectRow row;   // in the coordinates of that scene
    wkFloatBox box;    // of that row
    bool isConvex;     // the shape of that row
    int32_t slotIndex; // of that row
    int32_t before;    // of those waiting, only objects at lower places; INT32_MAX: all
    bool isOrdered;    // of the others too
    bool isBySlot;     // the object at the lower place is A
    bool skipsWaiting;
    bool someWait;      // in either scene
    double seen;        // nearer ones have been looked at; NaN: none
    const wkShape* map; // when that row is one
    const wkPose* mapPose;
} wkSearch;

// Whether the depth of a shape in another one is bounded by their bounds; depths of other shapes are local.
WK_FN bool wkIsConvex(const wkShape* shape)
{
    return (unsigned)shape->type < WK_CONVEX_TYPE_COUNT;
}

// A request that can be read: the caller's, or the usual one.
const wkSceneRequest* wkSceneRequestOf(const wkSceneRequest* request);

WK_FN wkSearch wkMakeSearch(const wkSceneRequest* request, double limit, bool isFixed,
                            wkCandidateFcn* fcn, void* context)
{
    wkSearch search = {.request = request,
                       .limit = limit,
                       .depthLimit = INFINITY,
                       .isFixed = isFixed,
                       .fcn = fcn,
                       .context = context,
                       .seen = NAN};
    return search;
}

// From now on, pairs further apart than a signed distance are of no interest.
WK_FN void wkLimitSearch(wkSearch* search, double distance)
{
    search->limit = wkMaxD(distance, 0.0);
    search->depthLimit = distance;
}

// Objects near a box given in the world; near an object; pairs of a scene; pairs of two. Searches
// that were stopped return false.
bool wkSearchBox(wkSearch* search, const wkScene* scene, const wkAabb* box);
bool wkSearchObject(wkSearch* search, const wkScene* scene, int32_t slotIndex);
bool wkSearchPairs(wkSearch* search, const wkScene* scene);
bool wkSearchScenes(wkSearch* search, const wkScene* a, const wkScene* b);

// Objects whose bounds a ray meets before the limit. The ray is valid, its direction of unit length.
bool wkSearchRay(wkSearch* search, const wkScene* scene, const wkRay* ray);

// Boxes near a box for broad phases that know visits of boxes alone. The visitor may see a box
// several times; `search->seen` tells how near those were that it has seen.
bool wkVisitNearByBoxes(wkSearch* search, wkDynVisitFcn* fcn);

// Boxes near the cells of `search->map`, each once, for broad phases with groups.
bool wkVisitGroups(wkSearch* search, wkDynVisitFcn* fcn);
