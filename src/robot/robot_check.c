// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Checks a configuration: limits first, then pairs on the robot, then pairs with objects. Pairs are culled by
// their boxes. The check ends at the first pair or when the buffer is full.

#include "robot/robot_query.h"

#include <string.h>

// Tolerance for configurations that a planner puts at a limit, in case of rounding.
#define LIMIT_SLACK 1e-9

typedef struct checkRun {
    const wkRobotScene* scene;
    const wkRobotState* state;
    const wkRobotRequest* request;
    const uint64_t* bodies; // that the request covers; NULL: all
    wkWorldCulls culls;
    bool hasKnown; // a pair touches, other than with unknown space
    wkRobotCheckResult result;
} checkRun;

// Finds a translation that separates a pair, from any overlap that the margin tolerates too.
static wkSeparationResult separatePair(const checkRun* run, int32_t body, wkPartner partner)
{
    wkPlacedPair pair = wkPlacedPairOf(run->scene, run->state, body, partner);
    wkSeparationRequest request = wkDefaultSeparationRequest();
    request.margin = wkPositive(run->request->margin);
    request.maxQueries = run->request->separationQueries;
    return wkSeparation(pair.a, pair.poseA, pair.b, pair.poseB, &request);
}

// Records a pair that touches. Unknown space alone does not end the search: a caller that may enter it needs
// to know about other contacts.
// @return whether the search continues
static bool keepPair(checkRun* run, int32_t body, wkPartner partner, const wkContact* contact,
                     wkStatus status)
{
    wkRobotCheckResult* result = &run->result;
    const wkRobotRequest* request = run->request;
    wkRobotContact made = wkMakeRobotContact(run->scene, body, partner, contact, status);
    if (contact != NULL && request->separationQueries > 0) {
        made.separation = separatePair(run, body, partner);
    }
    wkVerdict verdict = wkVerdictOfPair(partner, status);
    bool isKnown = verdict != wk_verdictUnknown;
    if (result->first.a.kind == wk_sideNone || (isKnown && !run->hasKnown)) {
        result->first = made;
    }
    if (result->verdict == wk_verdictFree || (isKnown && result->verdict == wk_verdictUnknown)) {
        result->verdict = verdict;
    }
    run->hasKnown = run->hasKnown || isKnown;
    if (request->contacts == NULL) {
        return !run->hasKnown;
    }
    if (result->contactCount < request->contactCapacity) {
        request->contacts[result->contactCount++] = made;
    }
    return !run->hasKnown || result->contactCount < request->contactCapacity;
}

static bool checkBodyPair(checkRun* run, int32_t body, wkPartner partner, const wkBoxCull* passed)
{
    ++run->result.pairCount;
    wkContact contact;
    bool wantsContact = run->request->wantsContacts;
    if (wantsContact) {
        memset(&contact, 0, sizeof contact);
    }
    wkContact* wanted = wantsContact ? &contact : NULL;
    wkStatus status = wk_statusExact;
    bool isTouching = wkTouchPair(run->scene, run->state, body, partner, run->request->margin,
                                  passed, wanted, &status);
    return !isTouching || keepPair(run, body, partner, wanted, status);
}

static bool checkOwnPair(int32_t a, int32_t b, void* context)
{
    checkRun* run = (checkRun*)context;
    bool isOut = run->bodies != NULL && !wkHasBit(run->bodies, a) && !wkHasBit(run->bodies, b);
    return isOut || checkBodyPair(run, a, wkBodyPartner(b), NULL);
}

static bool checkAround(int32_t body, int32_t slotIndex, void* context)
{
    checkRun* run = (checkRun*)context;
    if (wkIsBeyondObject(run->scene, run->state, body, slotIndex, run->request->margin)) {
        return true;
    }
    bool mayReach =
        wkMayReachSlot(run->scene, run->state, body, slotIndex, run->request->margin, &run->culls);
    return !mayReach || checkBodyPair(run, body, wkSlotPartner(slotIndex), run->culls.passed);
}

static bool checkSelf(checkRun* run)
{
    return wkVisitBodyPairs(run->scene->bodySet->bodySet, run->state, run->request->margin, NULL,
                            checkOwnPair, run);
}

static bool checkWorld(checkRun* run)
{
    wkWorldSearch search;
    memset(&search, 0, sizeof search);
    search.scene = run->scene;
    search.state = run->state;
    search.bodies = run->bodies;
    search.margin = run->request->margin;
    search.fcn = checkAround;
    search.context = run;
    return wkVisitWorld(&search);
}

wkRobotCheckResult wkRobotScene_Check(const wkRobotScene* scene, wkRobotState* state,
                                      const wkRobotRequest* request)
{
    request = wkRobotRequestOf(scene, request);
    if (request == NULL || !wkIsUsableState(scene, state)) {
        return wkEmptyCheckResult(wk_verdictInvalid);
    }
    checkRun run;
    run.scene = scene;
    run.state = state;
    run.request = request;
    run.bodies = wkCollisionBodiesOf(scene, request);
    run.culls.count = 0;
    run.culls.passed = NULL;
    run.hasKnown = false;
    run.result = wkEmptyCheckResult(wk_verdictFree);
    // with link poses given by the caller there are no variables to check
    if (request->checksLimits && !state->hasGivenLinks) {
        run.result.variable = wkRobot_FindBeyondLimits(scene->robot, state->q, LIMIT_SLACK);
        if (run.result.variable >= 0) {
            run.result.verdict = wk_verdictLimits;
            if (request->contacts == NULL) {
                return run.result;
            }
        }
    }
    wkPlaceBodySet(scene->bodySet->bodySet, state);
    bool goesOn = !request->checksSelf || checkSelf(&run);
    if (goesOn && request->checksWorld) {
        checkWorld(&run);
    }
    return run.result;
}
