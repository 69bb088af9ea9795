// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Culls candidates by the content of a shape. The cells of a map and the points of a cloud fill little of the bounds,
// so most bodies that meet these are near none of them, and are culled before any exact query. The row of a shape class
// says how; classes without one are bounded well enough by a box. There are three ways, for one box at a time,
// for groups of eight boxes, and for several bodies at once.

#include "bv/eight_boxes.h"
#include "query/cloud/cloud_cull.h"
#include "query/map/map_candidates.h"
#include "query/map/map_cull.h"
#include "query/map/map_cull_boxes.h"
#include "query/pair/shape_class.h"

// A shape at its pose that culls boxes of the world, one at a time.
typedef struct wkBoxCull {
    const wkShape* shape; // NULL: none yet
    bool knowsNear;       // the content near the last box that passed is known
    wkMapCull map;
    wkCloudCull cloud;
} wkBoxCull;

// The same that culls eight boxes at a time. Valid until the shape is written to.
typedef struct wkGroupCull {
    const wkShape* shape;
    wkMapBoxCull map;
    wkCloudCull cloud;
} wkGroupCull;

// The same that culls several bodies at once. Valid until the shape is written to.
typedef struct wkBodyCull {
    const wkShape* shape; // NULL: none yet
    wkMapCandidates map;
    wkCloudCull cloud;
} wkBodyCull;

struct wkCullRow {
    // places the shape of a cull
    void (*placeForBoxes)(wkBoxCull* cull, const wkPose* pose);
    void (*placeForGroups)(wkGroupCull* cull, const wkPose* pose);
    void (*placeForBodies)(wkBodyCull* cull, const wkPose* pose);
    // false when all content is further than `reach` from a box of the world
    bool (*passBox)(wkBoxCull* cull, const wkAabb* box, double reach);
    // a bit for each box in `lanes` with content within reach; the boxes are relative to `origin`
    unsigned (*passGroup)(const wkGroupCull* cull, const wkEightBoxes* boxes, wkVec3d origin,
                          double reach, unsigned lanes);
    // a bit for each body that is, or may be, within reach
    unsigned (*passBodies)(const wkBodyCull* cull, const wkCandidateBody* bodies, int count,
                           double reach);
    // wkCollide for a pair whose second body passed last, where the content near it is known; NULL: it never is
    wkCollideResult (*collide)(const wkBoxCull* cull, const wkShape* a, const wkPose* poseA,
                               const wkShape* b, const wkPose* poseB,
                               const wkCollideRequest* request);
    // the distance from the content at which a search for the closest body starts
    double (*firstReach)(const wkShape* shape);
};

// Whether candidates are culled by the content of a shape.
WK_FN bool wkIsCulledByContent(const wkShape* shape)
{
    return wkShapeClassOf(shape)->cull != NULL;
}

// Whether bodies are culled in groups of eight. Culling them one by one pays where that lists the content near each.
WK_FN bool wkIsCulledInGroups(const wkShape* shape)
{
    const wkCullRow* row = wkShapeClassOf(shape)->cull;
    return row != NULL && row->collide == NULL;
}

// Returns the shape of a pair whose content culls the other one; NULL: neither, or both, which are walked
// together.
WK_FN const wkShape* wkCullingShape(const wkShape* a, const wkShape* b)
{
    bool isA = wkIsCulledByContent(a), isB = wkIsCulledByContent(b);
    return isA == isB ? NULL : isA ? a : b;
}

WK_FN void wkBoxCull_Place(wkBoxCull* cull, const wkShape* shape, const wkPose* pose)
{
    cull->shape = shape;
    cull->knowsNear = false;
    wkShapeClassOf(shape)->cull->placeForBoxes(cull, pose);
}

WK_FN bool wkBoxCull_Passes(wkBoxCull* cull, const wkAabb* box, double reach)
{
    return wkShapeClassOf(cull->shape)->cull->passBox(cull, box, reach);
}

// Runs wkCollide on a pair, faster where the content near it is known. NULL: no cull passed the pair.
WK_FN wkCollideResult wkCollidePassed(const wkBoxCull* cull, const wkShape* a, const wkPose* poseA,
                                      const wkShape* b, const wkPose* poseB,
                                      const wkCollideRequest* request)
{
    bool knowsNear = cull != NULL && cull->knowsNear;
    return knowsNear ? wkShapeClassOf(cull->shape)->cull->collide(cull, a, poseA, b, poseB, request)
                     : wkCollide(a, *poseA, b, *poseB, request);
}

WK_FN void wkGroupCull_Place(wkGroupCull* cull, const wkShape* shape, const wkPose* pose)
{
    cull->shape = shape;
    wkShapeClassOf(shape)->cull->placeForGroups(cull, pose);
}

WK_FN unsigned wkGroupCull_Pass(const wkGroupCull* cull, const wkEightBoxes* boxes, wkVec3d origin,
                                double reach, unsigned lanes)
{
    return wkShapeClassOf(cull->shape)->cull->passGroup(cull, boxes, origin, reach, lanes);
}

WK_FN void wkBodyCull_Place(wkBodyCull* cull, const wkShape* shape, const wkPose* pose)
{
    cull->shape = shape;
    wkShapeClassOf(shape)->cull->placeForBodies(cull, pose);
}

WK_FN unsigned wkBodyCull_Pass(const wkBodyCull* cull, const wkCandidateBody* bodies, int count,
                               double reach)
{
    return wkShapeClassOf(cull->shape)->cull->passBodies(cull, bodies, count, reach);
}

// Returns the distance from the content of a shape at which a search for the closest body starts.
WK_FN double wkFirstReach(const wkShape* shape)
{
    return wkShapeClassOf(shape)->cull->firstReach(shape);
}

// The rows of maps and of clouds.
extern const wkCullRow wkMapCullRow;
extern const wkCullRow wkCloudCullRow;
