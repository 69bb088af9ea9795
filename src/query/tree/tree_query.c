// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Queries about pairs that include a hierarchy: what they have of their own.

#include "query/tree/tree_query.h"

#include "query/pair/point.h"
#include "query/solid/solid.h"

#include <string.h>

// The frame of A is home.
static void setFrames(wkBodyQuestion* q)
{
    q->bInA = wkRelativeFrame(q->poseA, q->poseB, &q->worldFromHome);
    q->homePosition = q->poseA->position;
    q->positionA = wkVec(0.0, 0.0, 0.0);
    q->positionB = q->bInA.position;
    wkTreeShapeRowOf(q->b)->view(q->b, &q->viewB);
    double reach = q->viewB.reach + wkMaxAbs(q->bInA.position);
    if (wkIsTreeType(q->a->type)) {
        wkTreeShapeRowOf(q->a)->view(q->a, &q->viewA);
        reach += q->viewA.reach;
    } else {
        memset(&q->viewA, 0, sizeof q->viewA);
    }
    q->slack = WK_ROUNDING * reach;
    if (q->viewB.item != NULL && q->viewB.groups == NULL) {
        wkQuat rotation =
            wkRelativeQuat(wkTameQuat(q->poseA->rotation), wkTameQuat(q->poseB->rotation));
        q->bPoseInA = (wkPose){q->bInA.position, wkNormalizeQuat(rotation)};
    }
}

void wkSearchSurfaces(const wkBodyQuestion* q, wkBodyAnswer* answer)
{
    *answer = wkNoAnswer();
    answer->isExact = q->a->type == wk_shapeHalfspace;
    bool isTree = wkIsTreeType(q->a->type);
    if (q->viewB.itemCount == 0 || (isTree && q->viewA.itemCount == 0)) {
        return; // a body is empty
    }
    bool hasShapes = q->viewB.item != NULL || (isTree && q->viewA.item != NULL);
    if (isTree && wkCanSearchTreePoints(q)) {
        wkSearchTreePoints(q, answer);
    } else if (hasShapes) {
        (isTree ? wkSearchTreeItems : wkSearchShapeItems)(q, answer);
    } else {
        (isTree ? wkSearchTrees : wkSearchShape)(q, answer);
    }
}

static void search(const wkBodyQuestion* q, wkBodyAnswer* answer)
{
    if (q->viewA.isSolid || q->viewB.isSolid) {
        wkSearchSolids(q, answer);
    } else {
        wkSearchSurfaces(q, answer);
    }
}

// The caller's index of an item.
static int64_t partOf(const wkShape* shape, const wkTreeView* view, int64_t part)
{
    int32_t item = wkItemOfPart(part);
    return wkIsTreeType(shape->type) && item >= 0 ? wkPartOf(view, item) : -1;
}

// A contact with the caller's indices, which break ties whatever the hierarchy is.
static wkContact contactOf(const wkBodyQuestion* q, const wkDistanceResult* found)
{
    wkContact contact = {
        .point = wkMiddle(found->pointA, found->pointB),
        .normal = found->normal,
        .depth = -found->distance,
        .partA = partOf(q->a, &q->viewA, found->partA),
        .partB = partOf(q->b, &q->viewB, found->partB),
    };
    return contact;
}

// Of equally close results, the one whose item is first in the caller's order stays, so that the
// result does not depend on the order of the walk.
static bool isEarlier(const wkBodyQuestion* q, const wkDistanceResult* found,
                      const wkDistanceResult* kept)
{
    int64_t foundA = partOf(q->a, &q->viewA, found->partA);
    int64_t keptA = partOf(q->a, &q->viewA, kept->partA);
    return foundA != keptA
               ? foundA < keptA
               : partOf(q->b, &q->viewB, found->partB) < partOf(q->b, &q->viewB, kept->partB);
}

wkStep wkTakeAnswer(const wkBodyQuestion* q, const wkDistanceResult* found, wkBodyAnswer* answer)
{
    double distance = found->distance - q->slack, best = answer->closest.distance;
    if (wkIsCloser(q, distance, best) ||
        (distance == best && isEarlier(q, found, &answer->closest))) {
        answer->closest = *found;
        answer->closest.distance = distance;
    }
    if (!(distance > q->cutoff) && q->contacts != NULL) {
        wkContact contact = contactOf(q, found);
        contact.depth = -distance;
        answer->contactCount =
            wkAddContact(q->contacts, answer->contactCount, q->contactCapacity, &contact);
        if (q->stopsWhenFull && answer->contactCount == q->contactCapacity) {
            return wk_stepStop;
        }
    }
    return answer->closest.distance <= q->enough ? wk_stepStop : wk_stepOn;
}

static double radiiOf(const wkBodyQuestion* q)
{
    return wkShapeRadius(q->a) + wkShapeRadius(q->b);
}

static bool isAnySolid(const wkBodyQuestion* q)
{
    return q->viewA.isSolid || q->viewB.isSolid;
}

// Exact results are exact for solids with their lids; other statuses are more important than that.
static wkStatus withLids(const wkBodyQuestion* q, wkStatus status)
{
    bool hasLids = wkHasLids(&q->viewA) || wkHasLids(&q->viewB);
    return hasLids && status == wk_statusExact ? wk_statusNotWatertight : status;
}

static wkStatus distanceStatus(const wkBodyQuestion* q, const wkBodyAnswer* answer, double distance)
{
    // also where solids with negative margins are apart because their cores overlap by less
    double limit = isAnySolid(q) ? wkMaxD(0.0, -radiiOf(q)) : 0.0;
    bool isLocal = !answer->isExact && distance < limit;
    return withLids(q, isLocal ? wk_statusLocal : answer->closest.status);
}

static wkStatus verdictStatus(const wkBodyQuestion* q, const wkBodyAnswer* answer, double margin)
{
    (void)answer, (void)margin;
    return withLids(q, wk_statusExact);
}

static void nameParts(const wkBodyQuestion* q, const wkBodyAnswer* answer, wkDistanceResult* r)
{
    r->partA = partOf(q->a, &q->viewA, answer->closest.partA);
    r->partB = partOf(q->b, &q->viewB, answer->closest.partB);
}

// Depths in solids with negative margins need a full query: bounds above the cutoff would hide them. A tolerance
// would, too: cores that touch are found at the positive distance by which the margins shrink them, and a result
// beyond the caller's cutoff says nothing about those within.
static void widen(wkBodyQuestion* q)
{
    if (isAnySolid(q) && radiiOf(q) < 0.0) {
        q->cutoff = wkMaxD(q->cutoff, -radiiOf(q));
        q->tolerance = 0.0;
    }
}

// Depths between solids need a full query, touching or not.
static void prepare(wkBodyQuestion* q)
{
    if (isAnySolid(q) && !(q->cutoff + radiiOf(q) >= 0.0)) {
        q->isSigned = true;
        q->cutoff = -radiiOf(q);
        q->stopsWhenFull = false;
    }
}

const wkBodyRow wkTreeBodyRow = {
    .setFrames = setFrames,
    .widen = widen,
    .prepare = prepare,
    .search = search,
    .decide = search,
    .distanceStatus = distanceStatus,
    .verdictStatus = verdictStatus,
    .nameParts = nameParts,
};
