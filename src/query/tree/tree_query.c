// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Converts a caller's arguments to a search over a hierarchy, and the results back into the world.

#include "query/tree/tree_query.h"

#include "query/pair/pair_contacts.h"
#include "query/pair/point.h"
#include "query/pair/question.h"
#include "query/pair/shape_order.h"
#include "query/solid/solid.h"

#include <float.h>

// Poses of the two bodies, for the results.
typedef struct places {
    wkMat3d worldFromA;
    wkVec3d positionA;
    bool isSwapped;
} places;

static bool isValid(const wkShape* shape)
{
    return wkIsTreeType(shape->type) ? wkTreeShapeRowOf(shape)->isValid(shape)
                                     : wkConvexRowOf(shape)->isValid(shape);
}

// Puts the pair in canonical order and prepares both bodies.
// @return false when a shape or a pose is not valid
static bool placeBodies(const wkShape* a, const wkPose* poseA, const wkShape* b,
                        const wkPose* poseB, wkTreeQuestion* q, places* p)
{
    if (a == NULL || b == NULL || !isValid(a) || !isValid(b) || !wkAreValidPoses(poseA, poseB)) {
        return false;
    }
    p->isSwapped = wkAreBodiesSwapped(a, poseA, b, poseB);
    q->a = p->isSwapped ? b : a;
    q->b = p->isSwapped ? a : b;
    const wkPose* first = p->isSwapped ? poseB : poseA;
    const wkPose* second = p->isSwapped ? poseA : poseB;
    q->bInA = wkRelativeFrame(first, second, &p->worldFromA);
    p->positionA = first->position;
    q->poseA = first;
    q->poseB = second;

    wkTreeShapeRowOf(q->b)->view(q->b, &q->viewB);
    double reach = q->viewB.reach + wkMaxAbs(q->bInA.position);
    if (wkIsTreeType(q->a->type)) {
        wkTreeShapeRowOf(q->a)->view(q->a, &q->viewA);
        reach += q->viewA.reach;
    }
    q->slack = WK_ROUNDING * reach;
    if (q->viewB.item != NULL) {
        wkQuat rotation = wkRelativeQuat(wkTameQuat(first->rotation), wkTameQuat(second->rotation));
        q->bPoseInA = (wkPose){q->bInA.position, wkNormalizeQuat(rotation)};
    }

    // items are queried in the frame of A, where they must remain valid
    return wkMaxAbs(q->bInA.position) <= 0.1 * WK_MAX_LENGTH;
}

void wkSearchSurfaces(const wkTreeQuestion* q, wkTreeAnswer* answer)
{
    answer->closest =
        (wkDistanceResult){.distance = DBL_MAX, .status = wk_statusExact, .partA = -1, .partB = -1};
    answer->contactCount = 0;
    answer->visitCount = 0;
    answer->isExact = q->a->type == wk_shapeHalfspace;
    bool isTree = wkIsTreeType(q->a->type);
    if (q->viewB.itemCount == 0 || (isTree && q->viewA.itemCount == 0)) {
        return; // a body is empty
    }
    bool hasShapes = q->viewB.item != NULL || (isTree && q->viewA.item != NULL);
    if (hasShapes) {
        (isTree ? wkSearchTreeItems : wkSearchShapeItems)(q, answer);
    } else {
        (isTree ? wkSearchTrees : wkSearchShape)(q, answer);
    }
}

static void search(const wkTreeQuestion* q, wkTreeAnswer* answer)
{
    if (q->viewA.isSolid || q->viewB.isSolid) {
        wkSearchSolids(q, answer);
    } else {
        wkSearchSurfaces(q, answer);
    }
}

// Exact results are exact for solids with their lids; other statuses are more important than that.
static wkStatus statusOf(const wkTreeQuestion* q, wkStatus status)
{
    bool hasLids = wkHasLids(&q->viewA) || wkHasLids(&q->viewB);
    return hasLids && status == wk_statusExact ? wk_statusNotWatertight : status;
}

// The caller's index of an item.
static int64_t partOf(const wkShape* shape, const wkTreeView* view, int64_t part)
{
    int32_t item = wkItemOfPart(part);
    return wkIsTreeType(shape->type) && item >= 0 ? wkPartOf(view, item) : -1;
}

// A contact with the caller's indices, which break ties whatever the hierarchy is.
static wkContact contactOf(const wkTreeQuestion* q, const wkDistanceResult* found)
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
static bool isEarlier(const wkTreeQuestion* q, const wkDistanceResult* found,
                      const wkDistanceResult* kept)
{
    int64_t foundA = partOf(q->a, &q->viewA, found->partA);
    int64_t keptA = partOf(q->a, &q->viewA, kept->partA);
    return foundA != keptA
               ? foundA < keptA
               : partOf(q->b, &q->viewB, found->partB) < partOf(q->b, &q->viewB, kept->partB);
}

wkStep wkTakeAnswer(const wkTreeQuestion* q, const wkDistanceResult* found, wkTreeAnswer* answer)
{
    double distance = found->distance - q->slack, best = answer->closest.distance;
    // a result closer by less than the tolerance was not evaluated in full: it may be a bound
    bool isCloser = distance < best && !(distance > wkLowered(best, q->tolerance));
    if (isCloser || (distance == best && isEarlier(q, found, &answer->closest))) {
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

static wkVec3d pointInWorld(const places* p, wkVec3d point)
{
    return wkAdd(wkMulMV(&p->worldFromA, point), p->positionA);
}

// The result further apart than the cutoff; without any items, the largest distance.
static void answerFar(const wkTreeQuestion* q, wkDistanceResult* r)
{
    r->distance = wkMinD(nextafter(q->cutoff, INFINITY), DBL_MAX);
    r->normal = wkNormalizeOr(q->bInA.position, wkVec(0.0, 0.0, 1.0));
    r->pointA = wkVec(0.0, 0.0, 0.0);
    r->pointB = wkScale(fabs(r->distance) < 1e60 ? r->distance : 0.0, r->normal);
    r->status = wk_statusBound;
}

static double radiiOf(const wkTreeQuestion* q)
{
    return wkShapeRadius(q->a) + wkShapeRadius(q->b);
}

wkDistanceResult wkDistanceOfTrees(const wkShape* a, const wkPose* poseA, const wkShape* b,
                                   const wkPose* poseB, const wkDistanceRequest* request)
{
    wkTreeQuestion q = {
        .cutoff = request->cutoff,
        .enough = request->isSigned ? -INFINITY : 0.0,
        .tolerance = wkMinD(wkPositive(request->tolerance), 1e100),
        .isSigned = request->isSigned,
        .isCommon = !request->isSigned,
        .front = request->front,
    };
    places p;
    if (!placeBodies(a, poseA, b, poseB, &q, &p) || request->cutoff != request->cutoff) {
        return wkInvalidAnswer();
    }
    // depths in solids with negative margins need a full query: bounds above the cutoff would hide them
    bool isSolid = q.viewA.isSolid || q.viewB.isSolid;
    q.cutoff = isSolid && radiiOf(&q) < 0.0 ? wkMaxD(q.cutoff, -radiiOf(&q)) : q.cutoff;
    wkTreeAnswer answer;
    search(&q, &answer);
    q.cutoff = request->cutoff;
    wkDistanceResult r = answer.closest;
    r.distance = q.isCommon ? wkPositive(r.distance) : r.distance;
    // also where solids with negative margins are apart because their cores overlap by less
    if (!answer.isExact && r.distance < (isSolid ? wkMaxD(0.0, -radiiOf(&q)) : 0.0)) {
        r.status = wk_statusLocal;
    }
    if (!(r.distance < DBL_MAX) || r.distance > q.cutoff) {
        answerFar(&q, &r);
    } else if (q.tolerance > 0.0) {
        r.status = r.distance > 0.0 ? wk_statusBound : r.status;
        r.distance = wkLowered(r.distance, q.tolerance);
    }
    r.status = statusOf(&q, r.status);
    r.pointA = pointInWorld(&p, r.pointA);
    r.pointB = pointInWorld(&p, r.pointB);
    r.normal = wkMulMV(&p.worldFromA, r.normal);
    r.partA = partOf(q.a, &q.viewA, answer.closest.partA);
    r.partB = partOf(q.b, &q.viewB, answer.closest.partB);
    r.iterations = answer.visitCount;
    return p.isSwapped ? wkSwapAnswer(r) : r;
}

// Transforms the contacts within the margin into the world and returns their number.
static int32_t finishContacts(const wkTreeQuestion* q, const places* p, int32_t count,
                              double margin)
{
    wkSortContacts(q->contacts, count);
    while (count > 0 && -q->contacts[count - 1].depth > margin) {
        --count;
    }
    for (int32_t i = 0; i < count; ++i) {
        wkContactIntoWorld(&q->contacts[i], &p->worldFromA, p->positionA, p->isSwapped);
    }
    return count;
}

wkCollideResult wkCollideTrees(const wkShape* a, const wkPose* poseA, const wkShape* b,
                               const wkPose* poseB, const wkCollideRequest* request)
{
    wkCollideResult result = {true, wk_statusInvalid, 0, 0};
    bool wantsContacts = request->contacts != NULL && request->contactCapacity > 0;
    wkTreeQuestion q = {
        .cutoff = request->margin,
        .enough = wantsContacts ? -INFINITY : request->margin,
        .isSigned = wantsContacts,
        .front = request->front,
        .contacts = wantsContacts ? request->contacts : NULL,
        .contactCapacity = request->contactCapacity,
        .stopsWhenFull = request->stopsWhenFull,
    };
    places p;
    if (!placeBodies(a, poseA, b, poseB, &q, &p) || request->margin != request->margin) {
        return result;
    }
    // depths between solids need a full query, touching or not
    bool isDeep = (q.viewA.isSolid || q.viewB.isSolid) && !(q.cutoff + radiiOf(&q) >= 0.0);
    q.isSigned = wantsContacts || isDeep;
    q.cutoff = isDeep ? -radiiOf(&q) : q.cutoff;
    q.stopsWhenFull = q.stopsWhenFull && !isDeep;
    wkTreeAnswer answer;
    search(&q, &answer);
    result.contactCount = finishContacts(&q, &p, answer.contactCount, request->margin);
    result.isTouching = answer.closest.distance <= request->margin;
    result.status = statusOf(&q, wk_statusExact);
    result.iterations = answer.visitCount;
    return result;
}
