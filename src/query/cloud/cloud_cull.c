// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Candidates of a cloud are culled by its points. The SIMD kernels do the work.

#include "query/cloud/cloud_cull.h"

#include "base/isa_table.h"
#include "query/pair/content_cull.h"
#include "solve/pair.h"
#include "tree/cloud/cloud_impl.h"

WK_DEFINE_LANES(wkCullByCloudFcn, wkCullByCloud)

void wkCloudCull_Init(wkCloudCull* cull, const wkShape* cloud, const wkPose* pose)
{
    cull->tree = wkCloudTree(cloud->cloud);
    cull->groups = wkCloudGroups(cloud->cloud);
    cull->pointRadius = cloud->cloud->maxRadius;
    cull->worldFromCloud = wkMatFromQuat(wkTameQuat(pose->rotation));
    cull->position = pose->position;
    cull->wider = wkPositive(wkShapeRadius(cloud));
    // not from the matrix, whose diagonal is 1 for small angles as well
    cull->isStraight =
        pose->rotation.x == 0.0 && pose->rotation.y == 0.0 && pose->rotation.z == 0.0;
    cull->isEmpty = cloud->cloud->pointCount == 0;
}

unsigned wkCloudCull_Pass(const wkCloudCull* cull, const wkEightBoxes* boxes, wkVec3d origin,
                          double reach, unsigned lanes)
{
    // an empty cloud is at the largest distance, which a request may ask for
    return lanes == 0 || cull->isEmpty
               ? lanes
               : wkCullByCloudOfMachine()(cull, boxes, origin, wkPositive(reach), lanes);
}

static void placeForBoxes(wkBoxCull* cull, const wkPose* pose)
{
    wkCloudCull_Init(&cull->cloud, cull->shape, pose);
}

static void placeForGroups(wkGroupCull* cull, const wkPose* pose)
{
    wkCloudCull_Init(&cull->cloud, cull->shape, pose);
}

static void placeForBodies(wkBodyCull* cull, const wkPose* pose)
{
    wkCloudCull_Init(&cull->cloud, cull->shape, pose);
}

// Puts a box of the world into a lane, relative to the cloud.
static void putBox(const wkCloudCull* cull, const wkAabb* box, int lane, wkEightBoxes* boxes)
{
    wkVec3d lower = wkSub(box->lower, cull->position), upper = wkSub(box->upper, cull->position);
    const double below[3] = {lower.x, lower.y, lower.z}, above[3] = {upper.x, upper.y, upper.z};
    for (int k = 0; k < 3; ++k) {
        boxes->lower[k][lane] = wkRoundDown(below[k]);
        boxes->upper[k][lane] = wkRoundUp(above[k]);
    }
}

static bool passBox(wkBoxCull* cull, const wkAabb* box, double reach)
{
    wkEightBoxes boxes;
    for (int lane = 0; lane < WK_GROUP; ++lane) {
        putBox(&cull->cloud, box, lane, &boxes);
    }
    cull->knowsNear = false; // the points near the box are not listed
    return wkCloudCull_Pass(&cull->cloud, &boxes, cull->cloud.position, reach, 1u) != 0;
}

static unsigned passGroup(const wkGroupCull* cull, const wkEightBoxes* boxes, wkVec3d origin,
                          double reach, unsigned lanes)
{
    return wkCloudCull_Pass(&cull->cloud, boxes, origin, reach, lanes);
}

static unsigned passBodies(const wkBodyCull* cull, const wkCandidateBody* bodies, int count,
                           double reach)
{
    wkEightBoxes boxes;
    for (int lane = 0; lane < WK_GROUP; ++lane) {
        putBox(&cull->cloud, &bodies[lane < count ? lane : 0].around, lane, &boxes);
    }
    return wkCloudCull_Pass(&cull->cloud, &boxes, cull->cloud.position, reach, (1u << count) - 1u);
}

// A share of the size of the cloud, and its points: as the cells of a map that holds it.
#define REACH_SHARE 0.005

static double firstReach(const wkShape* shape)
{
    wkAabb bounds = shape->cloud->bounds;
    bool isEmpty = shape->cloud->pointCount == 0;
    return isEmpty ? 1.0 : REACH_SHARE * wkMaxAbs(wkSub(bounds.upper, bounds.lower)) + 1e-9;
}

const wkCullRow wkCloudCullRow = {
    .placeForBoxes = placeForBoxes,
    .placeForGroups = placeForGroups,
    .placeForBodies = placeForBodies,
    .passBox = passBox,
    .passGroup = passGroup,
    .passBodies = passBodies,
    .firstReach = firstReach,
};
