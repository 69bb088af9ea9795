// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Certified motions. An interval of time is checked in its middle: a pair is clear in all of the interval if
// its distance there exceeds the amount by which it can shrink within half the interval. The pairs that
// are left go on to the two halves. A pair that is near even when it can hardly move any more is
// uncertain; a pair that touches is a contact. See docs/motions.md.

#include "bv/float_box.h"
#include "robot/motion.h"

#include <string.h>

// Intervals up to this half length are not halved, whatever the tolerance is.
#define LEAST_HALF 0x1p-40
// Number of uncertain intervals after which the search for a contact ends: next to a contact there are a
// few of them, along a surface that the robot grazes there is no end to them.
#define MOST_UNCERTAIN 64
// Where any contact will do, the widest intervals are checked first, until there are this many.
#define WIDE_COUNT 32
// The wide intervals, and two for each halving below.
#define NODE_CAPACITY (WIDE_COUNT + 96)

typedef struct interval {
    double from;
    double to;
    int32_t first;     // index of its first risk
    int32_t riskCount; // -1: every pair is one
} interval;

typedef struct certifyRun {
    wkMotion* motion;
    const wkMotionRequest* request;
    const uint64_t* bodies; // that the request covers; NULL: all
    wkWorldCulls culls;
    double half;            // half length of the current interval
    double from;            // its start
    double middle;          // its middle
    int32_t first;          // index of the first risk that it leaves
    int32_t riskCount;      // risks found in it so far
    bool hasOverflow;       // they exceeded the capacity
    bool isTouching;        // a pair touches in its middle
    bool isUncertain;       // a pair is too near to be decided
    bool isDone;            // the search has ended
    bool hasAsked;          // a contact callback decided about a pair in reach
    double hit;             // the earliest contact so far; infinite: none
    double uncertainFrom;   // start of the first interval that is not proven; infinite: none
    int32_t uncertainCount; // uncertain intervals so far
    int64_t pairCount;
    wkMotionResult result; // the contact, or the uncertain pair
} certifyRun;

static wkFloatBox boxOfBody(const wkRobotState* state, int32_t body)
{
    wkFloatBox box;
    for (int axis = 0; axis < 3; ++axis) {
        box.lower[axis] = state->placed.lower[axis][body];
        box.upper[axis] = state->placed.upper[axis][body];
    }
    return box;
}

static wkFloatBox boxOfPartner(const certifyRun* run, wkPartner partner)
{
    return partner.isSlot ? wkScene_BoxAt(run->motion->scene->world, partner.number)
                          : boxOfBody(run->motion->state, partner.number);
}

static void keepHit(certifyRun* run, int32_t body, wkPartner partner, wkStatus status)
{
    run->isTouching = true;
    if (run->middle >= run->hit) {
        return;
    }
    run->hit = run->middle;
    run->result.time = run->middle;
    run->result.verdict = wkVerdictOfPair(partner, status);
    run->result.contact = wkEmptyCheckResult(run->result.verdict);
    run->result.contact.first = wkMakeRobotContact(run->motion->scene, body, partner, NULL, status);
    if (!run->request->wantsFirst) {
        run->isDone = true;
        run->uncertainFrom = wkMinD(run->uncertainFrom, run->from);
    }
}

// Marks the interval as not proven: a pair is too near, or touches.
static void keepUncertain(certifyRun* run, int32_t body, wkPartner partner)
{
    bool isFirst = run->uncertainFrom == INFINITY;
    run->isUncertain = true;
    run->uncertainFrom = wkMinD(run->uncertainFrom, run->from);
    if (isFirst && run->hit == INFINITY) {
        run->result.time = run->middle;
        run->result.verdict = wk_verdictUncertain;
        run->result.contact = wkEmptyCheckResult(wk_verdictUncertain);
        run->result.contact.first =
            wkMakeRobotContact(run->motion->scene, body, partner, NULL, wk_statusBound);
    }
}

static void keepRisk(certifyRun* run, int32_t body, wkPartner partner)
{
    int32_t slotIndex = run->first + run->riskCount;
    if (slotIndex >= WK_RISK_CAPACITY) {
        run->hasOverflow = true;
        return;
    }
    wkRisk risk = {body, partner.isSlot ? ~partner.number : partner.number};
    run->motion->state->motion.risks[slotIndex] = risk;
    ++run->riskCount;
}

static double boundOf(const certifyRun* run, int32_t body, wkPartner partner)
{
    return partner.isSlot ? wkBodyBound(run->motion, body, run->half)
                          : wkPairBound(run->motion, body, partner.number, run->half);
}

// Returns whether a pair is further apart than `limit`; culls by boxes and hulls before it measures.
static bool isClear(certifyRun* run, int32_t body, wkPartner partner, double gap, double limit)
{
    const wkRobotScene* scene = run->motion->scene;
    const wkRobotState* state = run->motion->state;
    // the depth of shapes that are not convex is local, and may be larger than that of boxes
    if (gap > wkPositive(limit) ||
        (partner.isSlot &&
         !wkMayReachSlot(scene, state, body, partner.number, limit, &run->culls))) {
        return true;
    }
    wkPlacedPair pair = wkPlacedPairOf(scene, state, body, partner);
    if (wkIsPairApart(scene, body, partner, &pair, limit)) {
        return true;
    }
    ++run->pairCount;
    wkCollideRequest closer = wkDefaultCollideRequest();
    closer.margin = limit;
    const wkBoxCull* passed = partner.isSlot ? run->culls.passed : NULL;
    return limit < INFINITY && !wkCollidePlaced(&pair, passed, &closer).isTouching;
}

// Classifies a pair in the middle of the interval: it is clear, touching, or a risk.
// @return false when the search has ended
static bool classifyPair(certifyRun* run, int32_t body, wkPartner partner)
{
    const wkRobotScene* scene = run->motion->scene;
    const wkRobotState* state = run->motion->state;
    double margin = run->request->check.margin;
    double bound = boundOf(run, body, partner);
    wkFloatBox boxA = boxOfBody(state, body), boxB = boxOfPartner(run, partner);
    const wkMovedShape* moved = partner.isSlot ? wkFindMovedShape(state, partner.number) : NULL;
    if (WK_UNLIKELY(moved != NULL)) {
        bound = wkRoundedUpBound(bound + moved->bound);
        boxB = moved->box;
    }
    double gap = wkFloatBoxGap(&boxA, &boxB);
    if (isClear(run, body, partner, gap, margin + bound)) {
        return true;
    }
    wkStatus status = wk_statusExact;
    const wkBoxCull* passed = partner.isSlot ? run->culls.passed : NULL;
    bool isTouching =
        gap <= margin && wkTouchPair(scene, state, body, partner, margin, passed, NULL, &status);
    if (isTouching) {
        keepHit(run, body, partner, status);
    }
    // contacts that a callback decides about are checked in steps
    bool isAsked = wkIsAskedPartner(scene, body, partner);
    run->hasAsked = run->hasAsked || isAsked;
    double finest =
        isAsked ? wkMaxD(run->request->step, run->request->tolerance) : run->request->tolerance;
    bool isFinest = bound <= finest || run->half <= LEAST_HALF;
    if (!isFinest) {
        keepRisk(run, body, partner);
    } else if (isTouching || !isAsked) {
        keepUncertain(run, body, partner);
    }
    return !run->isDone;
}

static bool classifySelf(int32_t a, int32_t b, void* context)
{
    certifyRun* run = (certifyRun*)context;
    bool isOut = run->bodies != NULL && !wkHasBit(run->bodies, a) && !wkHasBit(run->bodies, b);
    return isOut || classifyPair(run, a, wkBodyPartner(b));
}

static bool classifyWorld(int32_t body, int32_t slotIndex, void* context)
{
    return classifyPair((certifyRun*)context, body, wkSlotPartner(slotIndex));
}

// Classifies every pair in reach.
static void classifyAll(certifyRun* run)
{
    const wkMotion* motion = run->motion;
    const wkRobotRequest* check = &run->request->check;
    const float* reach = motion->state->motion.reach;
    wkSetReach(motion, run->half);
    if (check->checksSelf) {
        wkVisitBodyPairs(motion->scene->bodySet->bodySet, motion->state, check->margin, reach,
                         classifySelf, run);
    }
    if (check->checksWorld && !run->isDone) {
        wkWorldSearch search;
        memset(&search, 0, sizeof search);
        search.scene = motion->scene;
        search.state = motion->state;
        search.bodies = run->bodies;
        search.margin = check->margin;
        search.reach = reach;
        search.fcn = classifyWorld;
        search.context = run;
        wkVisitWorld(&search);
    }
}

static void classifyRisks(certifyRun* run, const interval* node)
{
    const wkRisk* risks = &run->motion->state->motion.risks[node->first];
    for (int32_t i = 0; i < node->riskCount && !run->isDone; ++i) {
        int32_t partner = risks[i].partner;
        classifyPair(run, risks[i].body,
                     partner < 0 ? wkSlotPartner(~partner) : wkBodyPartner(partner));
    }
}

// Ends the search as uncertain from a time on.
static void giveUp(certifyRun* run, double from)
{
    run->isDone = true;
    run->uncertainFrom = wkMinD(run->uncertainFrom, from);
    if (run->result.verdict == wk_verdictFree) {
        run->result.verdict = wk_verdictUncertain;
        run->result.contact = wkEmptyCheckResult(wk_verdictUncertain);
        run->result.time = from;
    }
}

// Checks an interval. Risks that are left are stored from index `first` on.
// @return whether any are left
static bool examine(certifyRun* run, const interval* node, int32_t first)
{
    run->from = node->from;
    run->half = 0.5 * (node->to - node->from);
    run->middle = node->from + run->half;
    run->first = first;
    run->riskCount = 0;
    run->hasOverflow = false;
    run->isTouching = false;
    run->isUncertain = false;
    if (run->result.checkCount >= run->request->maxCheckCount) {
        giveUp(run, node->from);
        return false;
    }
    ++run->result.checkCount;
    if (!wkMoveWithin(run->motion, run->middle, run->half)) {
        giveUp(run, node->from);
        run->result.verdict = wk_verdictInvalid;
        return false;
    }
    if (node->riskCount < 0) {
        classifyAll(run);
    } else {
        classifyRisks(run, node);
    }
    run->uncertainCount += run->isUncertain ? 1 : 0;
    if (run->uncertainCount >= MOST_UNCERTAIN) {
        giveUp(run, node->from);
    }
    return (run->riskCount > 0 || run->hasOverflow) && !run->isDone;
}

// Return the halves of an interval that was checked.
static interval leftOf(const certifyRun* run, const interval* node)
{
    interval left = {node->from, run->middle, run->first, run->hasOverflow ? -1 : run->riskCount};
    return left;
}

static interval rightOf(const certifyRun* run, const interval* node)
{
    interval right = {run->middle, node->to, run->first, run->hasOverflow ? -1 : run->riskCount};
    return right;
}

// Returns the index behind the last risk of an interval.
static int32_t endOfRisks(const interval* node)
{
    return node->first + (node->riskCount > 0 ? node->riskCount : 0);
}

// Checks intervals in the order of time; the last one of the stack is the first. Risks form a stack as well:
// those of an interval are above those of all later intervals.
static void goInOrder(certifyRun* run, interval* stack, int32_t count)
{
    int32_t floor = 0;
    for (int32_t i = 0; i < count; ++i) {
        int32_t end = endOfRisks(&stack[i]);
        floor = end > floor ? end : floor;
    }
    int32_t given = count;
    while (count > 0 && !run->isDone) {
        interval node = stack[--count];
        if (node.from >= run->hit) {
            continue;
        }
        // the risks of the initial intervals are in no order
        int32_t first = count < given ? floor : endOfRisks(&node);
        given = count < given ? count : given;
        if (!examine(run, &node, first)) {
            continue;
        }
        if (!run->isTouching) {
            stack[count++] = rightOf(run, &node);
        }
        stack[count++] = leftOf(run, &node);
    }
}

// Checks the widest intervals first, until there are many of them.
// @return number of intervals left, the first in time last
static int32_t goInWidth(certifyRun* run, interval* nodes)
{
    interval level[WIDE_COUNT];
    int32_t count = 1, top = 0;
    interval all = {0.0, 1.0, 0, -1};
    level[0] = all;
    while (count > 0 && 2 * count <= WIDE_COUNT) {
        int32_t next = 0;
        for (int32_t i = 0; i < count; ++i) {
            bool isLeft = examine(run, &level[i], top);
            if (run->isDone) {
                // all earlier time was proven, except for the intervals left
                double from = next > 0 ? nodes[0].from : level[i].from;
                run->uncertainFrom = wkMinD(run->uncertainFrom, from);
                return 0;
            }
            if (isLeft) {
                nodes[next++] = leftOf(run, &level[i]);
                nodes[next++] = rightOf(run, &level[i]);
                top = endOfRisks(&nodes[next - 1]) > top ? endOfRisks(&nodes[next - 1]) : top;
            }
        }
        memcpy(level, nodes, (size_t)next * sizeof *nodes);
        count = next;
    }
    for (int32_t i = 0; i < count; ++i) {
        nodes[i] = level[count - 1 - i];
    }
    return count;
}

// Returns whether the robot is free at an end of the motion.
static bool checkEnd(certifyRun* run, double time)
{
    wkRobotCheckResult check = wkCheckAt(run->motion, run->request, time);
    ++run->result.checkCount;
    if (check.verdict == wk_verdictFree) {
        return true;
    }
    run->hit = time;
    run->result.time = time;
    run->result.verdict = check.verdict;
    run->result.contact = check;
    return check.verdict != wk_verdictInvalid && run->request->wantsFirst && time > 0.0;
}

// Computes the full contact when the request wants more than its pair.
static void reportContact(certifyRun* run)
{
    const wkRobotRequest* check = &run->request->check;
    if (run->hit < INFINITY && (check->contacts != NULL || check->wantsContacts)) {
        wkRobotCheckResult full = wkCheckAt(run->motion, run->request, run->hit);
        // a contact that was found stays one, even where rounding gives the second check a gap
        if (full.verdict != wk_verdictFree) {
            run->result.contact = full;
            run->result.verdict = full.verdict;
        }
    }
}

static void search(certifyRun* run)
{
    interval nodes[NODE_CAPACITY];
    interval all = {0.0, 1.0, 0, -1};
    nodes[0] = all;
    int32_t count = run->request->wantsFirst ? 1 : goInWidth(run, nodes);
    goInOrder(run, nodes, count);
    // no half has a contact at time 0 as its middle, and steps of pairs with a callback skip it
    bool isAtStart = run->uncertainFrom == 0.0 && run->hit > 0.0 && !run->request->wantsFirst;
    bool isUnasked = run->hasAsked && run->result.verdict == wk_verdictFree;
    if (isUnasked || (isAtStart && run->result.verdict == wk_verdictUncertain)) {
        checkEnd(run, 0.0);
    }
}

wkMotionResult wkCertifyMotion(wkMotion* motion, const wkMotionRequest* request)
{
    certifyRun run;
    memset(&run, 0, sizeof run);
    run.motion = motion;
    run.request = request;
    run.bodies = wkCollisionBodiesOf(motion->scene, &request->check);
    run.hit = INFINITY;
    run.uncertainFrom = INFINITY;
    run.result = wkEmptyMotionResult(wk_verdictFree);
    run.result.time = 1.0;
    bool goesOn = !request->wantsFirst || checkEnd(&run, 0.0);
    if (goesOn && checkEnd(&run, 1.0)) {
        search(&run);
        run.result.contact.pairCount = run.pairCount;
        reportContact(&run);
    } else if (run.hit > 0.0) {
        // earlier time was not checked
        run.uncertainFrom = 0.0;
    }
    run.result.freeUntil = wkMinD(wkMinD(run.uncertainFrom, run.hit), 1.0);
    return run.result;
}
