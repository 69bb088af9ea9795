// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// One row per pair of classes. Walks use the convex rows of the pair table at their leaves.

#include "query/pair/shape_pair_class.h"

#include "query/map/map_query.h"
#include "query/tree/tree_query.h"

typedef enum bodyKind {
    bodyNone,
    bodyConvex,
    bodyTree,
    bodyMap,
    bodyKindCount,
} bodyKind;

static bodyKind kindOf(const wkShape* shape)
{
    if (shape == NULL) {
        return bodyNone;
    }
    if ((unsigned)shape->type - 1u < (unsigned)WK_CONVEX_TYPE_COUNT - 1u) {
        return bodyConvex;
    }
    if (wkIsTreeType(shape->type)) {
        return bodyTree;
    }
    return wkIsMapType(shape->type) ? bodyMap : bodyNone;
}

static wkDistanceResult refuseDistance(const wkShape* a, const wkPose* poseA, const wkShape* b,
                                       const wkPose* poseB, const wkDistanceRequest* request)
{
    (void)a, (void)poseA, (void)b, (void)poseB, (void)request;
    return wkInvalidAnswer();
}

static wkCollideResult refuseCollide(const wkShape* a, const wkPose* poseA, const wkShape* b,
                                     const wkPose* poseB, const wkCollideRequest* request)
{
    (void)a, (void)poseA, (void)b, (void)poseB, (void)request;
    wkCollideResult result = {true, wk_statusInvalid, 0, 0};
    return result;
}

// clang-format off
#define REFUSE    {refuseDistance,    refuseCollide,  "none"}
#define TREES(M)  {wkDistanceOfTrees, wkCollideTrees, M}
#define MAPS(M)   {wkDistanceOfMaps,  wkCollideMaps,  M}

static const wkBodies table[bodyKindCount][bodyKindCount] = {
    [bodyNone]   = {REFUSE, REFUSE, REFUSE, REFUSE},
    [bodyConvex] = {REFUSE, {NULL, NULL, NULL}, TREES("walk over a hierarchy"), MAPS("walk over a map")},
    [bodyTree]   = {REFUSE, TREES("walk over a hierarchy"), TREES("walk over two hierarchies"), MAPS("walk over a map and a hierarchy")},
    [bodyMap]    = {REFUSE, MAPS("walk over a map"), MAPS("walk over a map and a hierarchy"), MAPS("walk over two maps")},
};
// clang-format on

const wkBodies* wkBodiesOf(const wkShape* a, const wkShape* b)
{
    return &table[kindOf(a)][kindOf(b)];
}
