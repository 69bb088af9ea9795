// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Converts a caller's arguments to a search over a map, and the results back into the world.

#include "query/map/map_query.h"

#include "base/error.h"
#include "geom/check.h"
#include "query/pair/pair_contacts.h"
#include "query/pair/point.h"
#include "query/pair/shape_class.h"
#include "query/pair/shape_order.h"
#include "query/tree/tree_query.h"
#include "solve/order.h"

#include <float.h>

// Transforms for the results.
typedef struct places {
    wkMat3d worldFromB;
    wkVec3d positionB;
    bool isSwapped;
    wkTreeView treeA; // when A is a hierarchy
} places;

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

double wkMapReach(const wkMapQuestion* q, const wkMapAnswer* answer)
{
    if (q->contacts == NULL) {
        return wkMinD(q->cutoff, wkLowered(answer->closest.distance, q->tolerance));
    }
    bool isFull = answer->contactCount == q->contactCapacity && !q->wantsAll;
    return isFull ? wkMinD(q->cutoff, -q->contacts[0].depth) : q->cutoff;
}

wkStep wkTakeCell(const wkMapQuestion* q, const wkDistanceResult* found, bool isUnknown,
                  wkMapAnswer* answer)
{
    ++answer->visitCount;
    // beyond the reach it is only a bound, and minus the slack it may round to a distance within
    if (found->status == wk_statusBound && found->distance > wkMapReach(q, answer) + q->slack) {
        return wk_stepOn;
    }
    double distance = found->distance - q->slack, best = answer->closest.distance;
    // an answer closer by less than the tolerance was not evaluated in full: it may be a bound
    bool isCloser = distance < best && !(distance > wkLowered(best, q->tolerance));
    if (isCloser || (distance == best && answer->isUnknown && !isUnknown)) {
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
static double checkFirst(wkMapQuestion* q, places* p)
{
    const wkTreeShapeRow* tree = wkTreeShapeRowOf(q->a);
    if (tree != NULL) {
        tree->view(q->a, &p->treeA);
        q->treeA = &p->treeA;
        return p->treeA.reach;
    }
    if (wkIsMapType(q->a->type)) {
        q->viewA = wkViewOfMap(q->a);
    }
    return wkMapBodyReach(q->a);
}

// @return false when a shape or a pose is not valid
static bool placeBodies(const wkShape* a, const wkPose* poseA, const wkShape* b,
                        const wkPose* poseB, wkMapQuestion* q, places* p)
{
    if (!wkIsValidShape(a) || !wkIsValidShape(b) || !wkAreValidPoses(poseA, poseB)) {
        return false;
    }
    p->isSwapped = wkAreBodiesSwapped(a, poseA, b, poseB);
    const wkPose* first = p->isSwapped ? poseB : poseA;
    const wkPose* second = p->isSwapped ? poseA : poseB;
    q->a = p->isSwapped ? b : a;
    q->b = p->isSwapped ? a : b;
    q->poseOfA.rotation = relativeRotation(first->rotation, second->rotation);
    p->worldFromB = wkMatFromQuat(wkTameQuat(second->rotation));
    p->positionB = second->position;
    q->poseOfA.position = wkMulTMV(&p->worldFromB, wkSub(first->position, second->position));
    q->aInB = wkFrameFromPose(q->poseOfA);
    q->viewB = wkViewOfMap(q->b);
    double apart = wkMaxAbs(q->poseOfA.position);
    q->slack = WK_ROUNDING * (apart + checkFirst(q, p) + wkMapBodyReach(q->b));

    // cells are queried in the frame of B, where A must remain valid
    return apart <= 0.1 * WK_MAX_LENGTH;
}

static void search(const wkMapQuestion* q, wkMapAnswer* answer)
{
    if (wkIsMapType(q->a->type)) {
        wkSearchMaps(q, answer);
    } else {
        wkSearchCells(q, answer);
    }
}

static wkMapAnswer nothingYet(void)
{
    wkMapAnswer answer = {
        .closest = {.distance = DBL_MAX, .status = wk_statusExact, .partA = -1, .partB = -1},
    };
    return answer;
}

static bool reportsUnknown(const wkShape* shape)
{
    return wkIsMapType(shape->type) && shape->map.unknown == wk_unknownReported;
}

// Makes the map ignore unknown cells, for a verdict in two steps.
static void leaveOutUnknown(wkMapQuestion* q)
{
    q->viewA.wantsUnknown = q->viewA.wantsUnknown && !reportsUnknown(q->a);
    q->viewB.wantsUnknown = q->viewB.wantsUnknown && !reportsUnknown(q->b);
}

static wkVec3d pointInWorld(const places* p, wkVec3d point)
{
    return wkAdd(wkMulMV(&p->worldFromB, point), p->positionB);
}

// The result further apart than the cutoff; without any cells, the largest distance.
static void answerFar(const wkMapQuestion* q, wkDistanceResult* r)
{
    r->distance = wkMinD(nextafter(q->cutoff, INFINITY), DBL_MAX);
    r->normal = wkNormalizeOr(wkNeg(q->poseOfA.position), wkVec(0.0, 0.0, 1.0));
    r->pointA = q->poseOfA.position;
    r->pointB = wkMulAdd(r->pointA, fabs(r->distance) < 1e60 ? r->distance : 0.0, r->normal);
    r->status = wk_statusBound;
    r->partA = r->partB = -1;
}

// The status of a distance reported to the caller.
static wkStatus statusOf(const wkMapQuestion* q, const wkMapAnswer* answer, wkStatus status)
{
    if (answer->isUnknown && (reportsUnknown(q->a) || reportsUnknown(q->b))) {
        return wk_statusUnknown;
    }
    bool isLocal = answer->closest.distance < 0.0 && status != wk_statusUnbounded;
    return isLocal ? wk_statusLocal : status;
}

// Results for a solid closed by lids are exact for the solid with its lids.
static wkStatus withLids(const wkMapQuestion* q, wkStatus status)
{
    bool hasLids = q->treeA != NULL && wkHasLids(q->treeA);
    return hasLids && status == wk_statusExact ? wk_statusNotWatertight : status;
}

static wkDistanceResult finishDistance(const wkMapQuestion* q, const wkMapAnswer* answer)
{
    wkDistanceResult r = answer->closest;
    r.status = statusOf(q, answer, r.status);
    r.distance = q->isCommon ? wkPositive(r.distance) : r.distance;
    r.status = q->isCommon && r.status == wk_statusLocal ? wk_statusExact : r.status;
    r.status = withLids(q, r.status);
    if (!(r.distance < DBL_MAX) || r.distance > q->cutoff) {
        answerFar(q, &r);
    } else if (q->tolerance > 0.0) {
        bool isExact = r.status == wk_statusExact || r.status == wk_statusNotWatertight;
        r.status = r.distance > 0.0 && isExact ? wk_statusBound : r.status;
        r.distance = wkLowered(r.distance, q->tolerance);
    }
    r.iterations = answer->visitCount;
    return r;
}

wkDistanceResult wkDistanceOfMaps(const wkShape* a, const wkPose* poseA, const wkShape* b,
                                  const wkPose* poseB, const wkDistanceRequest* request)
{
    wkMapQuestion q = {
        .cutoff = request->cutoff,
        .enough = request->isSigned ? -INFINITY : 0.0,
        .tolerance = wkMinD(wkPositive(request->tolerance), 1e100),
        .isSigned = request->isSigned,
        .isCommon = !request->isSigned,
    };
    places p;
    if (!placeBodies(a, poseA, b, poseB, &q, &p) || request->cutoff != request->cutoff) {
        return wkInvalidAnswer();
    }
    wkMapAnswer answer = nothingYet();
    search(&q, &answer);
    wkDistanceResult r = finishDistance(&q, &answer);
    r.pointA = pointInWorld(&p, r.pointA);
    r.pointB = pointInWorld(&p, r.pointB);
    r.normal = wkMulMV(&p.worldFromB, r.normal);
    return p.isSwapped ? wkSwapAnswer(r) : r;
}

// Transforms the contacts into the world and sorts them.
static void finishContacts(const wkMapQuestion* q, const places* p, int32_t count)
{
    wkSortContacts(q->contacts, count);
    for (int32_t i = 0; i < count; ++i) {
        wkContactIntoWorld(&q->contacts[i], &p->worldFromB, p->positionB, p->isSwapped);
    }
}

// Decides a verdict that reports unknown cells: occupied cells are tested first, as they decide alone.
static void decideInSteps(const wkMapQuestion* q, wkMapAnswer* answer)
{
    wkMapQuestion known = *q;
    leaveOutUnknown(&known);
    search(&known, answer);
    if (!(answer->closest.distance <= q->enough)) {
        search(q, answer);
    }
}

// Whether anything but reported unknown cells is within the margin. A search for contacts may end before
// it finds that: with a full buffer, or where two maps overlap without bound.
static bool isKnownTouched(const wkMapQuestion* q, double margin)
{
    wkMapQuestion known = *q;
    leaveOutUnknown(&known);
    known.contacts = NULL;
    known.enough = margin;
    known.isSigned = false;
    wkMapAnswer answer = nothingYet();
    search(&known, &answer);
    return answer.closest.distance <= margin;
}

wkCollideResult wkCollideNearMap(const wkShape* a, const wkPose* poseA, const wkShape* b,
                                 const wkPose* poseB, const wkCollideRequest* request,
                                 const wkCubes* near)
{
    wkCollideResult result = {true, wk_statusInvalid, 0, 0};
    bool wantsContacts = request->contacts != NULL && request->contactCapacity > 0;
    wkMapQuestion q = {
        .cutoff = request->margin,
        .enough = wantsContacts ? -INFINITY : request->margin,
        .isSigned = wantsContacts,
        .contacts = wantsContacts ? request->contacts : NULL,
        .contactCapacity = request->contactCapacity,
        .stopsWhenFull = request->stopsWhenFull,
        .nearB = wantsContacts ? NULL : near,
    };
    places p;
    if (!placeBodies(a, poseA, b, poseB, &q, &p) || request->margin != request->margin) {
        return result;
    }
    bool isReporting = reportsUnknown(q.a) || reportsUnknown(q.b);
    q.wantsAll = isReporting;
    wkMapAnswer answer = nothingYet();
    if (isReporting && !wantsContacts) {
        decideInSteps(&q, &answer);
    } else {
        search(&q, &answer);
    }
    result.isTouching = answer.closest.distance <= request->margin;
    bool isUnknown = isReporting && result.isTouching && !answer.isOccupiedTouched &&
                     !(wantsContacts && isKnownTouched(&q, request->margin));
    result.status = isUnknown ? wk_statusUnknown : withLids(&q, wk_statusExact);
    result.iterations = answer.visitCount;
    result.contactCount = answer.contactCount;
    finishContacts(&q, &p, answer.contactCount);
    return result;
}

wkCollideResult wkCollideMaps(const wkShape* a, const wkPose* poseA, const wkShape* b,
                              const wkPose* poseB, const wkCollideRequest* request)
{
    return wkCollideNearMap(a, poseA, b, poseB, request, NULL);
}

void wkNearMap(const wkShape* shape, wkVec3d point, double cutoff, wkPointResult* result)
{
    wkShape sphere = wkMakeSphere(0.0);
    wkPose identity = wkIdentityPose(), pointPose = wkMakePose(point.x, point.y, point.z);
    wkDistanceRequest request = wkDefaultDistanceRequest();
    request.cutoff = cutoff;
    wkDistanceResult r = wkDistanceOfMaps(&sphere, &pointPose, shape, &identity, &request);
    bool isEmpty = !(r.distance < DBL_MAX);
    result->distance = isEmpty ? INFINITY : r.distance;
    result->point = isEmpty ? point : r.pointB;
    result->normal = wkNeg(r.normal);
    result->status = isEmpty ? wk_statusExact : r.status;
    result->part = r.partB;
}
