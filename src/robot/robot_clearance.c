// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The clearance of a robot: measures pairs in the order of the gaps between their boxes, and skips those
// further apart than the best pair so far. Distances of links have a limit each. Once a pair touches, all
// pairs that touch are measured, except convex ones whose boxes overlap by less: depths of other shapes
// are local and may be larger than those of all boxes around them.

#include "bv/float_box.h"
#include "robot/gradient.h"
#include "robot/robot_query.h"

#include <float.h>
#include <string.h>

typedef struct clearanceRun {
    const wkRobotScene* scene;
    const wkRobotState* state;
    const wkRobotRequest* request;
    const uint64_t* bodies; // that the request covers; NULL: all
    wkDistanceRequest closer;
    double limit;          // signed, for all pairs
    double cullLimit;      // the same, at least 0, for culling by bounds
    double* linkDistances; // best so far of each link; NULL: not wanted
    int32_t bodyA;         // of the best pair; -1: none
    wkPartner partner;
    wkWorldCulls culls;
    wkNearSearch search; // for the current body
    int32_t body;
    wkRobotClearanceResult result;
} clearanceRun;

static int32_t linkOf(const clearanceRun* run, int32_t body)
{
    return run->scene->bodySet->bodySet->bodies[body].link;
}

// Returns the distance that a pair must be below to matter.
static double limitOf(const clearanceRun* run, int32_t body, wkPartner partner)
{
    if (run->linkDistances == NULL) {
        return run->limit;
    }
    double a = run->linkDistances[linkOf(run, body)];
    double b = partner.isSlot ? a : run->linkDistances[linkOf(run, partner.number)];
    return wkMaxD(a, b);
}

static void keepForLink(const clearanceRun* run, int32_t body, double distance)
{
    double* best = &run->linkDistances[linkOf(run, body)];
    *best = wkMinD(*best, distance);
}

// Returns the distance that bounds around a pair must be below for the pair to matter.
static double cullLimitOf(const clearanceRun* run, int32_t body, wkPartner partner)
{
    const wkShape* a = &run->scene->bodySet->bodySet->bodies[body].shape;
    const wkShape* b = partner.isSlot ? wkScene_ObjectAt(run->scene->world, partner.number).shape
                                      : &run->scene->bodySet->bodySet->bodies[partner.number].shape;
    double limit = limitOf(run, body, partner);
    return wkIsConvex(a) && wkIsConvex(b) ? limit : wkMaxD(limit, 0.0);
}

static void setLimit(clearanceRun* run, double limit)
{
    run->limit = limit;
    run->cullLimit = wkMaxD(limit, 0.0);
}

static void measurePair(clearanceRun* run, int32_t body, wkPartner partner)
{
    run->closer.cutoff = limitOf(run, body, partner);
    wkPlacedPair pair = wkPlacedPairOf(run->scene, run->state, body, partner);
    if (wkIsPairApart(run->scene, body, partner, &pair, cullLimitOf(run, body, partner))) {
        return;
    }
    ++run->result.pairCount;
    wkDistanceResult d = wkDistance(pair.a, pair.poseA, pair.b, pair.poseB, &run->closer);
    // the distance to an empty mesh or map is infinite
    if (!(d.distance < DBL_MAX) || d.distance > run->closer.cutoff) {
        return;
    }
    if (run->linkDistances != NULL) {
        keepForLink(run, body, d.distance);
        if (!partner.isSlot) {
            keepForLink(run, partner.number, d.distance);
        }
    }
    bool isFirst = run->bodyA < 0 && d.distance <= run->limit;
    if (isFirst || d.distance < run->limit) {
        setLimit(run, d.distance);
        run->bodyA = body;
        run->partner = partner;
        run->result.closest = d;
    }
}

static wkFloatBox boxOfBody(const wkRobotState* state, int32_t body)
{
    wkFloatBox box;
    for (int axis = 0; axis < 3; ++axis) {
        box.lower[axis] = state->placed.lower[axis][body];
        box.upper[axis] = state->placed.upper[axis][body];
    }
    return box;
}

static bool measureSelf(int32_t a, int32_t b, void* context)
{
    clearanceRun* run = (clearanceRun*)context;
    if (run->bodies != NULL && !wkHasBit(run->bodies, a) && !wkHasBit(run->bodies, b)) {
        return true;
    }
    wkFloatBox boxA = boxOfBody(run->state, a), boxB = boxOfBody(run->state, b);
    if (wkFloatBoxGap(&boxA, &boxB) <= cullLimitOf(run, a, wkBodyPartner(b))) {
        measurePair(run, a, wkBodyPartner(b));
    }
    return true;
}

static bool measureWorld(const wkCandidate* candidate, void* context)
{
    clearanceRun* run = (clearanceRun*)context;
    int32_t slotIndex = candidate->slotIndex;
    if (!wkMayTouchSlot(run->scene, run->body, slotIndex) &&
        wkMayReachSlot(run->scene, run->state, run->body, slotIndex, run->search.limit,
                       &run->culls)) {
        measurePair(run, run->body, wkSlotPartner(slotIndex));
        wkLimitNearSearch(&run->search, limitOf(run, run->body, wkSlotPartner(slotIndex)));
    }
    return true;
}

static wkAabb boxInWorld(const wkRobotState* state, wkVec3d origin, int32_t body)
{
    wkFloatBox box = boxOfBody(state, body);
    wkVec3d lower = wkVec((double)box.lower[0], (double)box.lower[1], (double)box.lower[2]);
    wkVec3d upper = wkVec((double)box.upper[0], (double)box.upper[1], (double)box.upper[2]);
    wkAabb world = {wkAdd(origin, lower), wkAdd(origin, upper)};
    return world;
}

static bool isWanted(const clearanceRun* run, int32_t body)
{
    return !run->scene->bodySet->bodySet->bodies[body].isEmpty &&
           (run->bodies == NULL || wkHasBit(run->bodies, body));
}

// Lowers the limit to the gap between boxes.
static bool keepGap(const wkCandidate* candidate, void* context)
{
    clearanceRun* run = (clearanceRun*)context;
    if (!wkMayTouchSlot(run->scene, run->body, candidate->slotIndex)) {
        wkFloatBox box = boxOfBody(run->state, run->body);
        run->search.limit = wkMinD(run->search.limit, wkFloatBoxGap(&box, &candidate->box));
    }
    return true;
}

// Returns the smallest gap between the box of a body and those of all objects.
static double leastGap(clearanceRun* run, int32_t body)
{
    run->search = (wkNearSearch){
        .limit = run->cullLimit, .depthLimit = INFINITY, .fcn = keepGap, .context = run};
    run->body = body;
    wkAabb box = boxInWorld(run->state, run->scene->bodySet->bodySet->origin, body);
    wkScene_VisitNear(run->scene->world, &box, &run->search);
    return run->search.limit;
}

static void measureBody(clearanceRun* run, int32_t body)
{
    const wkBodySet* bodySet = run->scene->bodySet->bodySet;
    double limit = run->linkDistances != NULL ? run->linkDistances[linkOf(run, body)] : run->limit;
    run->search = (wkNearSearch){
        .isConvex = wkIsConvex(&bodySet->bodies[body].shape), .fcn = measureWorld, .context = run};
    wkLimitNearSearch(&run->search, limit);
    run->body = body;
    wkAabb box = boxInWorld(run->state, bodySet->origin, body);
    wkScene_VisitNear(run->scene->world, &box, &run->search);
}

// Measures every body separately, because each link has its own limit.
static void measureEach(clearanceRun* run)
{
    for (int32_t i = 0; i < run->scene->bodySet->bodySet->count; ++i) {
        if (isWanted(run, i)) {
            measureBody(run, i);
        }
    }
}

// Measures the bodies in the order of their gaps: after a few of them most others are too far away to matter.
static void measureInOrder(clearanceRun* run, float* gaps)
{
    int32_t count = run->scene->bodySet->bodySet->count;
    for (int32_t i = 0; i < count; ++i) {
        gaps[i] = isWanted(run, i) ? wkFloatBelow(leastGap(run, i)) : INFINITY;
    }
    for (;;) {
        int32_t next = 0;
        for (int32_t i = 1; i < count; ++i) {
            next = gaps[i] < gaps[next] ? i : next;
        }
        if (!(gaps[next] < INFINITY) || (double)gaps[next] > run->cullLimit) {
            return;
        }
        measureBody(run, next);
        gaps[next] = INFINITY;
    }
}

static wkDistanceResult noPair(double distance, wkStatus status)
{
    wkDistanceResult none;
    memset(&none, 0, sizeof none);
    none.distance = distance;
    none.normal = wkVec(0.0, 0.0, 1.0);
    none.status = status;
    none.partA = -1;
    none.partB = -1;
    return none;
}

static wkRobotClearanceResult noClearance(double distance, wkStatus status)
{
    wkRobotClearanceResult clearance;
    memset(&clearance, 0, sizeof clearance);
    clearance.distance = distance;
    clearance.a = wkNoSide();
    clearance.b = wkNoSide();
    clearance.closest = noPair(distance, status);
    clearance.status = status;
    return clearance;
}

static void fill(double* numbers, int32_t count, double value)
{
    for (int32_t i = 0; numbers != NULL && i < count; ++i) {
        numbers[i] = value;
    }
}

static clearanceRun beginRun(const wkRobotScene* scene, const wkRobotState* state,
                             const wkRobotRequest* request)
{
    clearanceRun run;
    memset(&run, 0, sizeof run);
    run.scene = scene;
    run.state = state;
    run.request = request;
    run.bodies = wkCollisionBodiesOf(scene, request);
    run.closer = wkDefaultDistanceRequest();
    setLimit(&run, request->cutoff);
    run.bodyA = -1;
    run.result = noClearance(request->cutoff, wk_statusBound);
    return run;
}

wkRobotClearanceResult wkRobotScene_Clearance(const wkRobotScene* scene, wkRobotState* state,
                                              const wkRobotRequest* request, double* linkDistances,
                                              double* gradient)
{
    request = wkRobotRequestOf(scene, request);
    if (scene != NULL) {
        fill(linkDistances, scene->robot->info.linkCount, -INFINITY);
        fill(gradient, scene->robot->info.variableCount, 0.0);
    }
    if (request == NULL || !wkIsUsableState(scene, state)) {
        return noClearance(-INFINITY, wk_statusInvalid);
    }
    const wkBodySet* bodySet = scene->bodySet->bodySet;
    fill(linkDistances, scene->robot->info.linkCount, request->cutoff);
    clearanceRun run = beginRun(scene, state, request);
    run.linkDistances = linkDistances;
    wkPlaceBodySet(bodySet, state);
    if (request->checksSelf) {
        // the common limit does not end the search for the distances of links
        double furthest = run.cullLimit;
        const double* limit = linkDistances != NULL ? &furthest : &run.cullLimit;
        wkVisitNearBodyPairs(bodySet, state, limit, measureSelf, &run);
    }
    if (request->checksWorld && bodySet->count > 0 && wkScene_HasObjects(scene->world)) {
        if (linkDistances != NULL) {
            measureEach(&run);
        } else {
            measureInOrder(&run, state->motion.reach);
        }
    }
    if (run.bodyA < 0) {
        return run.result;
    }
    run.result.distance = run.limit;
    run.result.status = run.result.closest.status;
    wkRobotContact sides = wkMakeRobotContact(scene, run.bodyA, run.partner, NULL, wk_statusExact);
    run.result.a = sides.a;
    run.result.b = sides.b;
    if (gradient != NULL) {
        const wkDistanceResult* d = &run.result.closest;
        wkAddRates(state, bodySet->bodies[run.bodyA].rigidGroup, d->pointA, wkNeg(d->normal),
                   gradient);
        if (!run.partner.isSlot) {
            int32_t rigidGroup = bodySet->bodies[run.partner.number].rigidGroup;
            wkAddRates(state, rigidGroup, d->pointB, d->normal, gradient);
        }
    }
    return run.result;
}

// A run of bodies of one side, for distances of pairs of sides.
typedef struct sideRun {
    int32_t first;
    int32_t end;
} sideRun;

static sideRun sideFrom(const wkBodySet* bodySet, int32_t first)
{
    sideRun run = {first, first + 1};
    while (run.end < bodySet->count &&
           bodySet->bodies[run.end].side == bodySet->bodies[first].side) {
        ++run.end;
    }
    return run;
}

// Finds the least distance between the bodies of two sides; false when no pair of them is checked.
static bool measureSides(clearanceRun* run, sideRun a, sideRun b, wkSelfDistance* out)
{
    const wkBodySet* bodySet = run->scene->bodySet->bodySet;
    setLimit(run, run->request->cutoff);
    run->bodyA = -1;
    bool isChecked = false;
    out->a = wkSideOfBody(run->scene, a.first);
    out->b = wkSideOfBody(run->scene, b.first);
    for (int32_t i = a.first; i < a.end; ++i) {
        for (int32_t k = b.first; k < b.end; ++k) {
            if (wkIsCheckedPair(bodySet, i, k)) {
                isChecked = true;
                measureSelf(i, k, run);
            }
        }
    }
    if (run->bodyA >= 0) {
        out->a = wkSideOfBody(run->scene, run->bodyA);
        out->b = wkSideOfBody(run->scene, run->partner.number);
    }
    out->distance = run->limit;
    return isChecked;
}

static bool areAboutGroup(const clearanceRun* run, sideRun a, sideRun b)
{
    return run->bodies == NULL || wkHasBit(run->bodies, a.first) || wkHasBit(run->bodies, b.first);
}

int32_t wkRobotScene_SelfDistances(const wkRobotScene* scene, wkRobotState* state,
                                   const wkRobotRequest* request, wkSelfDistance* distances,
                                   int32_t capacity)
{
    request = wkRobotRequestOf(scene, request);
    if (request == NULL || !wkIsUsableState(scene, state)) {
        return -1;
    }
    const wkBodySet* bodySet = scene->bodySet->bodySet;
    clearanceRun run = beginRun(scene, state, request);
    wkPlaceBodySet(bodySet, state);
    int32_t count = 0;
    for (sideRun a = {0, 0}; a.end < bodySet->count;) {
        a = sideFrom(bodySet, a.end);
        for (sideRun b = a; b.end < bodySet->count;) {
            b = sideFrom(bodySet, b.end);
            wkSelfDistance one;
            if (areAboutGroup(&run, a, b) && measureSides(&run, a, b, &one)) {
                if (distances != NULL && count < capacity) {
                    distances[count] = one;
                }
                ++count;
            }
        }
    }
    return count;
}
