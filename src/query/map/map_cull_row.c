// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Candidates of a map are culled by its cells.

#include "query/map/map_query.h"
#include "query/pair/content_cull.h"

static void placeForBoxes(wkBoxCull* cull, const wkPose* pose)
{
    wkMapCull_Init(&cull->map, cull->shape, pose);
}

static void placeForGroups(wkGroupCull* cull, const wkPose* pose)
{
    wkMapBoxCull_Init(&cull->map, cull->shape, pose);
}

static void placeForBodies(wkBodyCull* cull, const wkPose* pose)
{
    wkMapCandidates_Init(&cull->map, cull->shape, pose);
}

static bool passBox(wkBoxCull* cull, const wkAabb* box, double reach)
{
    // a count of 0 afterwards: the cells are not known
    cull->map.nearCubes.count = 0;
    bool passes = wkMapCull_Passes(&cull->map, box, reach);
    cull->knowsNear = cull->map.nearCubes.count > 0;
    return passes;
}

static unsigned passGroup(const wkGroupCull* cull, const wkEightBoxes* boxes, wkVec3d origin,
                          double reach, unsigned lanes)
{
    return wkMapBoxCull_Pass(&cull->map, boxes, origin, reach, lanes);
}

static unsigned passBodies(const wkBodyCull* cull, const wkCandidateBody* bodies, int count,
                           double reach)
{
    return wkMapCandidates_Bodies(&cull->map, bodies, count, reach);
}

static wkCollideResult collide(const wkBoxCull* cull, const wkShape* a, const wkPose* poseA,
                               const wkShape* b, const wkPose* poseB,
                               const wkCollideRequest* request)
{
    return wkCollideNearMap(a, poseA, b, poseB, request, &cull->map.nearCubes);
}

static double firstReach(const wkShape* shape)
{
    return wkOctree_Def(shape->map.octree).resolution;
}

const wkCullRow wkMapCullRow = {
    .placeForBoxes = placeForBoxes,
    .placeForGroups = placeForGroups,
    .placeForBodies = placeForBodies,
    .passBox = passBox,
    .passGroup = passGroup,
    .passBodies = passBodies,
    .collide = collide,
    .firstReach = firstReach,
};
