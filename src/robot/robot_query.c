// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Validation of requests, names of sides, and the exact check of one pair.

#include "robot/robot_query.h"

#include "base/cookie.h"
#include "base/error.h"

#include "whisker/detail/counts.h"

#include <string.h>

// Distances for each pair at most, as wkSeparation allows.
#define MAX_SEPARATION_QUERIES 1000000

wkRobotRequest wkDefaultRobotRequest(void)
{
    wkRobotRequest request;
    memset(&request, 0, sizeof request);
    request.checksLimits = true;
    request.checksSelf = true;
    request.checksWorld = true;
    request.group = -1;
    request.cutoff = INFINITY;
    request.cookie = WK_COOKIE(wkRobotRequest);
    return request;
}

const wkRobotRequest* wkRobotRequestOf(const wkRobotScene* scene, const wkRobotRequest* request)
{
    static const wkRobotRequest defaultRequest = {.checksLimits = true,
                                                  .checksSelf = true,
                                                  .checksWorld = true,
                                                  .group = -1,
                                                  .cutoff = INFINITY,
                                                  .cookie = WK_COOKIE(wkRobotRequest)};
    if (scene == NULL) {
        return NULL;
    }
    if (request == NULL) {
        return &defaultRequest;
    }
    if (!WK_HAS_COOKIE(request, wkRobotRequest)) {
        WK_FAIL_COOKIE(request, wkRobotRequest);
        return NULL;
    }
    bool isValid = isfinite(request->margin) && request->cutoff == request->cutoff &&
                   request->group >= -1 && request->group < scene->robot->info.groupCount &&
                   request->separationQueries >= 0 &&
                   request->separationQueries <= MAX_SEPARATION_QUERIES;
    return isValid ? request : NULL;
}

bool wkIsUsableState(const wkRobotScene* scene, const wkRobotState* state)
{
    return scene != NULL && state != NULL && state->robot == scene->robot && state->isValid &&
           wkIsFreshRobotScene(scene, "robot scene");
}

wkResult wkCheckUsableState(const wkRobotScene* scene, const wkRobotState* state, const char* who)
{
    if (scene == NULL || state == NULL) {
        return wkFail(wk_errorState, "%s: the %s is NULL", who, scene == NULL ? "scene" : "state");
    }
    if (state->robot != scene->robot) {
        return wkFail(wk_errorState, "%s: the state is not of the robot of the scene", who);
    }
    if (!state->isValid) {
        return wkFail(wk_errorState, "%s: the state is not valid: its last values were refused",
                      who);
    }
    return wkIsFreshRobotScene(scene, who) ? wk_ok : wk_errorState;
}

const uint64_t* wkCollisionBodiesOf(const wkRobotScene* scene, const wkRobotRequest* request)
{
    const wkSharedBodySet* shared = scene->bodySet;
    return request->group < 0
               ? NULL
               : &shared->groups[(size_t)request->group * (size_t)shared->bodySet->wordCount];
}

const char* wkVerdictName(wkVerdict verdict)
{
    static const char* const names[WK_VERDICT_COUNT] = {
        [wk_verdictUnchecked] = "unchecked", [wk_verdictFree] = "free",
        [wk_verdictLimits] = "limits",       [wk_verdictSelf] = "self",
        [wk_verdictWorld] = "world",         [wk_verdictUnknown] = "unknown",
        [wk_verdictUncertain] = "uncertain", [wk_verdictInvalid] = "invalid",
    };
    return (unsigned)verdict < (unsigned)WK_VERDICT_COUNT ? names[verdict] : "none";
}

wkRobotSide wkNoSide(void)
{
    wkRobotSide side = {wk_sideNone, -1, -1, ""};
    return side;
}

wkRobotSide wkSideOfBody(const wkRobotScene* scene, int32_t body)
{
    const wkCollisionBody* m = &scene->bodySet->bodySet->bodies[body];
    int32_t linkCount = scene->robot->info.linkCount;
    if (m->side < linkCount) {
        wkRobotSide side = {wk_sideLink, m->link, m->index, scene->robot->links[m->link].info.name};
        return side;
    }
    int32_t object = scene->holds[m->side - linkCount].object;
    wkRobotSide side = {wk_sideAttached, object, m->index, scene->table.objects[object].name};
    return side;
}

wkRobotSide wkSideOfSlot(const wkRobotScene* scene, int32_t slotIndex)
{
    wkRobotSlot p = scene->slots[slotIndex];
    wkRobotSide side = {wk_sideObject, p.object, p.shape, scene->table.objects[p.object].name};
    return side;
}

static wkRobotSide sideOfPartner(const wkRobotScene* scene, wkPartner partner)
{
    return partner.isSlot ? wkSideOfSlot(scene, partner.number)
                          : wkSideOfBody(scene, partner.number);
}

bool wkIsPairApart(const wkRobotScene* scene, int32_t body, wkPartner partner,
                   const wkPlacedPair* pair, double limit)
{
    const wkCollisionBody* bodies = scene->bodySet->bodySet->bodies;
    wkShape storage;
    const wkShape* hullA = wkConvexAround(&bodies[body]);
    const wkShape* hullB = partner.isSlot ? wkConvexAroundSlot(scene, partner.number, &storage)
                                          : wkConvexAround(&bodies[partner.number]);
    bool hasHull = hullA != pair->a || hullB != pair->b;
    return hasHull && hullA != NULL && hullB != NULL && limit < INFINITY &&
           wkAreHullsApart(hullA, pair->poseA, hullB, pair->poseB, limit);
}

// Returns whether a shape is checked against triangles as fast as against a hull.
static bool isQuickWithMeshes(const wkShape* shape)
{
    return shape->type == wk_shapeBox || shape->type == wk_shapeSphere;
}

// Calls the contact callback for the contacts of a pair, the deepest first.
// @return true when one of them is refused; `contact` is set to it
static bool isRefused(const wkRobotScene* scene, int32_t body, wkPartner partner,
                      const wkContact* contacts, int32_t count, wkContact* contact)
{
    const char* nameA = wkSideOfBody(scene, body).name;
    const char* nameB = sideOfPartner(scene, partner).name;
    wkAllowedFcn* fcn = NULL;
    void* context = NULL;
    wkAllowedRule rule = wkAllowed_Get(scene->rules->allowed, nameA, nameB, &fcn, &context);
    if (rule != wk_ruleAsked || fcn == NULL) {
        *contact = contacts[0];
        return rule != wk_ruleAllowed;
    }
    for (int32_t i = 0; i < count; ++i) {
        if (!fcn(nameA, nameB, &contacts[i], context)) {
            *contact = contacts[i];
            return true;
        }
    }
    return false;
}

// Maximum number of contacts that a callback is called for. Meshes and maps may have more: one that does not
// fit could be refused, so that such a pair counts as touching.
#define ASKED_CONTACTS 128

// Checks a pair with a contact callback.
WK_APART_FN bool askPair(const wkRobotScene* scene, const wkPlacedPair* pair, int32_t body,
                         wkPartner partner, double margin, wkContact* contact, wkStatus* status)
{
    wkContact contacts[ASKED_CONTACTS];
    memset(contacts, 0, sizeof *contacts);
    wkCollideRequest closer = wkDefaultCollideRequest();
    closer.margin = margin;
    closer.contacts = contacts;
    closer.contactCapacity = ASKED_CONTACTS;
    wkCollideResult touch = wkCollide(pair->a, pair->poseA, pair->b, pair->poseB, &closer);
    *status = touch.status;
    if (!touch.isTouching) {
        return false;
    }
    wkContact refused = contacts[0];
    bool isTouching = isRefused(scene, body, partner, contacts, touch.contactCount, &refused) ||
                      touch.contactCount == 0 || touch.contactCount == ASKED_CONTACTS;
    if (isTouching && contact != NULL) {
        *contact = refused;
    }
    return isTouching;
}

wkCollideResult wkCollidePlaced(const wkPlacedPair* pair, const wkBoxCull* passed,
                                const wkCollideRequest* request)
{
    return wkCollidePassed(passed, pair->a, &pair->poseA, pair->b, &pair->poseB, request);
}

bool wkTouchPair(const wkRobotScene* scene, const wkRobotState* state, int32_t body,
                 wkPartner partner, double margin, const wkBoxCull* passed, wkContact* contact,
                 wkStatus* status)
{
    wkPlacedPair pair = wkPlacedPairOf(scene, state, body, partner);
    if (WK_UNLIKELY(wkIsAskedPartner(scene, body, partner))) {
        return askPair(scene, &pair, body, partner, margin, contact, status);
    }
    if (!partner.isSlot && contact == NULL) {
        const wkCollisionBody* bodies = scene->bodySet->bodySet->bodies;
        return wkCollideBodies(&bodies[body], pair.poseA, &bodies[partner.number], pair.poseB,
                               margin, status);
    }
    *status = wk_statusExact;
    bool isQuick = isQuickWithMeshes(pair.a) || isQuickWithMeshes(pair.b);
    if (!isQuick && wkIsPairApart(scene, body, partner, &pair, margin)) {
        return false;
    }
    wkCollideRequest closer = wkDefaultCollideRequest();
    closer.margin = margin;
    closer.contacts = contact;
    closer.contactCapacity = contact != NULL ? 1 : 0;
    wkCollideResult touch = wkCollidePlaced(&pair, passed, &closer);
    *status = touch.status;
    return touch.isTouching;
}

wkVerdict wkVerdictOfPair(wkPartner partner, wkStatus status)
{
    wkVerdict world = status == wk_statusUnknown ? wk_verdictUnknown : wk_verdictWorld;
    return partner.isSlot ? world : wk_verdictSelf;
}

wkRobotContact wkMakeRobotContact(const wkRobotScene* scene, int32_t body, wkPartner partner,
                                  const wkContact* contact, wkStatus status)
{
    wkRobotContact made;
    memset(&made, 0, sizeof made);
    made.a = wkSideOfBody(scene, body);
    made.b = sideOfPartner(scene, partner);
    made.status = status;
    if (contact != NULL) {
        made.contact = *contact;
    }
    return made;
}

wkRobotCheckResult wkEmptyCheckResult(wkVerdict verdict)
{
    wkRobotCheckResult result;
    memset(&result, 0, sizeof result);
    result.verdict = verdict;
    result.variable = -1;
    result.first.a = wkNoSide();
    result.first.b = wkNoSide();
    return result;
}
