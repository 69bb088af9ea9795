// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Maps as shapes, and what queries about pairs that include one have of their own.

#include "query/map/map_query.h"

#include "base/error.h"
#include "geom/check.h"
#include "query/pair/point.h"
#include "solve/order.h"

#include <float.h>

static bool hasValidRules(const wkMapShape* map)
{
    return map->octree != NULL && map->occupiedProbability >= 0.0 &&
           map->occupiedProbability < 1.0 && map->unknown >= wk_unknownFree &&
           map->unknown <= wk_unknownReported;
}

bool wkMapIsValid(const wkShape* shape)
{
    return hasValidRules(&shape->map) && wkHasValidMargins(shape, 0.0);
}

wkResult wkMapCheck(const wkShape* shape)
{
    const wkMapShape* map = &shape->map;
    if (map->octree == NULL) {
        return wkFail(wk_errorArgument, "octree: is NULL");
    }
    if (map->occupiedProbability != map->occupiedProbability) {
        return wkFail(wk_errorNotFinite, "octree: occupiedProbability is not a number");
    }
    if (!(map->occupiedProbability >= 0.0 && map->occupiedProbability < 1.0)) {
        return wkFail(wk_errorRange, "octree: occupiedProbability is %g, must be 0 to below 1",
                      map->occupiedProbability);
    }
    if (!hasValidRules(map)) {
        return wkFail(wk_errorRange, "octree: unknown is %d, which is no rule", (int)map->unknown);
    }
    return wkCheckMargins("octree", shape);
}

// nextafterf towards minus infinity; the library function takes longer than the rest of a view.
static float nextBelow(float value)
{
    if (!(value != 0.0f && value > -INFINITY)) {
        return value == 0.0f ? -0x1p-149f : value;
    }
    union {
        float number;
        uint32_t bits;
    } next = {value};
    next.bits += value > 0.0f ? -1u : 1u;
    return next.number;
}

wkMapView wkViewOfMap(const wkShape* shape)
{
    const wkMapShape* map = &shape->map;
    bool isGiven = map->occupiedProbability > 0.0;
    float threshold = isGiven ? wkLogOddsOf(map->occupiedProbability) : map->octree->occupied;
    wkMapView view = {
        .octree = map->octree,
        .below = nextBelow(threshold),
        .wantsOccupied = true,
        .wantsUnknown = map->unknown != wk_unknownFree,
    };
    return view;
}

wkShape wkBeyondMap(const wkShape* map, int side)
{
    double sign = side % 2 == 0 ? 1.0 : -1.0;
    int axis = side / 2;
    wkShape beyond = {
        .type = wk_shapeHalfspace, .rounding = map->rounding, .padding = map->padding};
    beyond.halfspace.normal =
        wkVec(axis == 0 ? sign : 0.0, axis == 1 ? sign : 0.0, axis == 2 ? sign : 0.0);
    beyond.halfspace.offset = -WK_MIDDLE_KEY * map->map.octree->def.resolution;
    return beyond;
}

double wkMapReach(const wkBodyQuestion* q, const wkBodyAnswer* answer)
{
    if (q->contacts == NULL) {
        return wkReachBelow(q, answer->closest.distance);
    }
    bool isFull = answer->contactCount == q->contactCapacity && !q->wantsAll;
    return isFull ? wkMinD(q->cutoff, -q->contacts[0].depth) : q->cutoff;
}

wkStep wkTakeCell(const wkBodyQuestion* q, const wkDistanceResult* found, bool isUnknown,
                  wkBodyAnswer* answer)
{
    ++answer->visitCount;
    // beyond the reach it is only a bound, and minus the slack it may round to a distance within
    if (found->status == wk_statusBound && found->distance > wkMapReach(q, answer) + q->slack) {
        return wk_stepOn;
    }
    double distance = found->distance - q->slack, best = answer->closest.distance;
    if (wkIsCloser(q, distance, best) || (distance == best && answer->isUnknown && !isUnknown)) {
        answer->closest = *found;
        answer->closest.distance = distance;
        answer->isUnknown = isUnknown;
    }
    if (distance > q->cutoff) {
        return wk_stepOn;
    }
    answer->isOccupiedTouched |= !isUnknown;
    if (q->contacts != NULL) {
        wkContact contact = {wkMiddle(found->pointA, found->pointB), found->normal, -distance,
                             found->partA, found->partB};
        answer->contactCount =
            wkAddContact(q->contacts, answer->contactCount, q->contactCapacity, &contact);
        if (q->stopsWhenFull && answer->contactCount == q->contactCapacity) {
            return wk_stepStop;
        }
    }
    return answer->closest.distance <= q->enough ? wk_stepStop : wk_stepOn;
}

// The rotation of A in the frame of B, normalized.
static wkQuat relativeRotation(wkQuat a, wkQuat b)
{
    wkQuat relative = wkRelativeQuat(wkTameQuat(b), wkTameQuat(a));
    bool isUnit = fabs(wkQuatLengthSquared(relative) - 1.0) < WK_UNIT;
    return WK_LIKELY(isUnit) ? relative : wkNormalizeQuat(relative);
}

double wkMapBodyReach(const wkShape* shape)
{
    if (wkIsMapType(shape->type)) {
        return WK_MIDDLE_KEY * shape->map.octree->def.resolution;
    }
    const wkTreeShapeRow* tree = wkTreeShapeRowOf(shape);
    if (tree == NULL) {
        return wkCoreReach(shape);
    }
    wkTreeView view;
    tree->view(shape, &view);
    return view.reach;
}

// Prepares A for queries. @return its reach
static double viewFirst(wkBodyQuestion* q)
{
    const wkTreeShapeRow* tree = wkTreeShapeRowOf(q->a);
    if (tree != NULL) {
        tree->view(q->a, &q->viewA);
        q->cellsA.wantsUnknown = false;
        return q->viewA.reach;
    }
    q->viewA.itemCount = q->viewA.givenCount = 0;
    q->cellsA.wantsUnknown = false;
    if (wkIsMapType(q->a->type)) {
        q->cellsA = wkViewOfMap(q->a);
    }
    return wkMapBodyReach(q->a);
}

// The frame of B is home.
static void setFrames(wkBodyQuestion* q)
{
    q->aPoseInB.rotation = relativeRotation(q->poseA->rotation, q->poseB->rotation);
    q->worldFromHome = wkMatFromQuat(wkTameQuat(q->poseB->rotation));
    q->homePosition = q->poseB->position;
    q->aPoseInB.position =
        wkMulTMV(&q->worldFromHome, wkSub(q->poseA->position, q->poseB->position));
    q->aInB = wkFrameFromPose(q->aPoseInB);
    q->positionA = q->aPoseInB.position;
    q->positionB = wkVec(0.0, 0.0, 0.0);
    q->cellsB = wkViewOfMap(q->b);
    double apart = wkMaxAbs(q->aPoseInB.position);
    q->slack = WK_ROUNDING * (apart + viewFirst(q) + wkMapBodyReach(q->b));
}

static void search(const wkBodyQuestion* q, wkBodyAnswer* answer)
{
    if (wkIsMapType(q->a->type)) {
        wkSearchMaps(q, answer);
    } else {
        wkSearchCells(q, answer);
    }
}

static bool reportsUnknown(const wkShape* shape)
{
    return wkIsMapType(shape->type) && shape->map.unknown == wk_unknownReported;
}

// Makes the map ignore unknown cells, for a verdict in two steps.
static void leaveOutUnknown(wkBodyQuestion* q)
{
    q->cellsA.wantsUnknown = q->cellsA.wantsUnknown && !reportsUnknown(q->a);
    q->cellsB.wantsUnknown = q->cellsB.wantsUnknown && !reportsUnknown(q->b);
}

static bool isReporting(const wkBodyQuestion* q)
{
    return reportsUnknown(q->a) || reportsUnknown(q->b);
}

// Results for a solid closed by lids are exact for the solid with its lids.
static wkStatus withLids(const wkBodyQuestion* q, wkStatus status)
{
    return wkHasLids(&q->viewA) && status == wk_statusExact ? wk_statusNotWatertight : status;
}

static wkStatus distanceStatus(const wkBodyQuestion* q, const wkBodyAnswer* answer, double distance)
{
    (void)distance;
    if (answer->isUnknown && isReporting(q)) {
        return wk_statusUnknown;
    }
    wkStatus status = answer->closest.status;
    bool isLocal = answer->closest.distance < 0.0 && status != wk_statusUnbounded;
    if (isLocal) {
        status = q->isCommon ? wk_statusExact : wk_statusLocal;
    }
    return withLids(q, status);
}

// Decides a verdict that reports unknown cells: occupied cells are tested first, as they decide alone.
static void decideInSteps(const wkBodyQuestion* q, wkBodyAnswer* answer)
{
    wkBodyQuestion known = *q;
    leaveOutUnknown(&known);
    search(&known, answer);
    if (!(answer->closest.distance <= q->enough)) {
        search(q, answer);
    }
}

// Whether anything but reported unknown cells is within the margin. A search for contacts may end before
// it finds that: with a full buffer, or where two maps overlap without bound.
static bool isKnownTouched(const wkBodyQuestion* q, double margin)
{
    wkBodyQuestion known = *q;
    leaveOutUnknown(&known);
    known.contacts = NULL;
    known.enough = margin;
    known.isSigned = false;
    wkBodyAnswer answer = wkNoAnswer();
    search(&known, &answer);
    return answer.closest.distance <= margin;
}

static void prepare(wkBodyQuestion* q)
{
    q->wantsAll = isReporting(q);
}

static void decide(const wkBodyQuestion* q, wkBodyAnswer* answer)
{
    if (isReporting(q) && q->contacts == NULL) {
        decideInSteps(q, answer);
    } else {
        search(q, answer);
    }
}

static wkStatus verdictStatus(const wkBodyQuestion* q, const wkBodyAnswer* answer, double margin)
{
    bool isUnknown = isReporting(q) && answer->closest.distance <= margin &&
                     !answer->isOccupiedTouched &&
                     !(q->contacts != NULL && isKnownTouched(q, margin));
    return isUnknown ? wk_statusUnknown : withLids(q, wk_statusExact);
}

const wkBodyRow wkMapBodyRow = {
    .setFrames = setFrames,
    .prepare = prepare,
    .search = search,
    .decide = decide,
    .distanceStatus = distanceStatus,
    .verdictStatus = verdictStatus,
};

void wkClosestInMap(const wkShape* shape, wkVec3d point, double cutoff, wkPointResult* result)
{
    wkShape sphere = wkMakeSphere(0.0);
    wkPose identity = wkIdentityPose(), pointPose = wkMakePose(point.x, point.y, point.z);
    wkDistanceRequest request = wkDefaultDistanceRequest();
    request.cutoff = cutoff;
    wkDistanceResult r = wkDistanceByWalk(&sphere, &pointPose, shape, &identity, &request);
    bool isEmpty = !(r.distance < DBL_MAX);
    result->distance = isEmpty ? INFINITY : r.distance;
    result->point = isEmpty ? point : r.pointB;
    result->normal = wkNeg(r.normal);
    result->status = isEmpty ? wk_statusExact : r.status;
    result->part = r.partB;
}
