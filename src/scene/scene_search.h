// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Searches for pairs whose bounds are near enough and whose filters agree: by the broad phase for objects
// whose boxes are up to date there, one by one for waiting objects.

#include "scene/scene_impl.h"

// Receives a candidate pair by slots; a shape that is in no scene has the slot WK_QUERY_SOURCE.
// @return false to stop
typedef bool wkCandidateFcn(int32_t slotA, int32_t slotB, void* context);

#define WK_QUERY_SOURCE (-1)

typedef struct wkSearch {
    const wkSceneRequest* request;
    // Pairs whose bounds are further apart (wkFloatBoxGap) are culled.
    double limit;
    // The signed distance of interest, where below zero: pairs of convex shapes whose bounds overlap by less
    // are culled as well. Depths of other shapes are local, and their bounds do not limit them
    // (wkLimitSearch).
    double depthLimit;
    bool isFixed; // the limit is not lowered during the search
    wkCandidateFcn* fcn;
    void* context;

    // The fields below are set during the search.
    const wkScene* sceneA; // NULL: the source is in no scene
    const wkScene* sceneB;
    const wkScene* in; // of the two, the one that is searched for the row below
    wkObjectRow row;   // in the coordinates of that scene
    wkFloatBox box;    // of that row
    bool isConvex;     // the shape of that row
    int32_t slotIndex; // of that row
    int32_t before;    // only waiting objects in lower slots are tested; INT32_MAX: all
    bool isOrdered;    // the same for objects of the broad phase
    bool isBySlot;     // the object in the lower slot is A
    bool skipsWaiting;
    bool someWait;  // in either scene
    double visited; // boxes up to this distance have been visited; NaN: none
    const wkShape*
        culling; // the shape of that row, if its content culls candidates; NULL otherwise
    const wkPose* cullingPose;
} wkSearch;

// Returns a readable request: the caller's, or the default.
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
                       .visited = NAN};
    return search;
}

// Culls pairs further apart than a signed distance from now on.
WK_FN void wkLimitSearch(wkSearch* search, double distance)
{
    search->limit = wkMaxD(distance, 0.0);
    search->depthLimit = distance;
}

// Search for objects near a box given in the world; near an object; for pairs of one scene; of two scenes.
// Return false when the search was stopped.
bool wkSearchBox(wkSearch* search, const wkScene* scene, const wkAabb* box);
bool wkSearchObject(wkSearch* search, const wkScene* scene, int32_t slotIndex);
bool wkSearchPairs(wkSearch* search, const wkScene* scene);
bool wkSearchScenes(wkSearch* search, const wkScene* a, const wkScene* b);

// Searches objects whose bounds a ray hits before the limit. The ray is valid, its direction normalized.
bool wkSearchRay(wkSearch* search, const wkScene* scene, const wkRay* ray);

// Visits boxes near a box, for broad phases that have box visits alone. The visitor may receive a box
// several times; boxes up to the distance `search->visited` have been visited already.
bool wkVisitNearByBoxes(wkSearch* search, wkDynVisitFcn* fcn);

// Visits boxes near the content of `search->culling`, for broad phases with groups; each once where the search is
// fixed, otherwise possibly several times.
bool wkVisitGroups(wkSearch* search, wkDynVisitFcn* fcn);
