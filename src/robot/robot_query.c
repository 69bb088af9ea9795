// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Requests, names of sides, and the closer look at one pair.

#include "robot/robot_query.h"

#include "query/map_query.h"

#include <string.h>

#define ROBOT_REQUEST_COOKIE 0x72627271u

wkRobotRequest wkDefaultRobotRequest(void)
{
    wkRobotRequest request;
    memset(&request, 0, sizeof request);
    request.checksLimits = true;
    request.checksSelf = true;
    request.checksWorld = true;
    request.group = -1;
    request.cutoff = INFINITY;
    request.cookie = ROBOT_REQUEST_COOKIE;
    return request;
}

const wkRobotRequest* wkRobotRequestOf(const wkRobotScene* scene, const wkRobotRequest* request)
{
    static const wkRobotRequest usual = {.checksLimits = true,
                                         .checksSelf = true,
                                         .checksWorld = true,
                                         .group = -1,
                                         .cutoff = INFINITY,
                                         .cookie = ROBOT_REQUEST_COOKIE};
    if (scene == NULL) {
        return NULL;
    }
    if (request == NULL) {
        return &usual;
    }
    bool isValid = request->cookie == ROBOT_REQUEST_COOKIE && isfinite(request->margin) &&
                   request->cutoff == request->cutoff && request->group >= -1 &&
                   request->group < scene->robot->info.groupCount;
    return isValid ? request : NULL;
}

bool wkIsUsableState(const wkRobotScene* scene, const wkRobotState* state)
{
    return scene != NULL && state != NULL && state->robot == scene->robot && state->isValid &&
           wkIsFreshRobotScene(scene, "robot scene");
}

const uint64_t* wkMembersOf(const wkRobotScene* scene, const wkRobotRequest* request)
{
    const wkSharedCrew* shared = scene->crew;
    return request->group < 0
               ? NULL
               : &shared->groups[(size_t)request->group * (size_t)shared->crew->wordCount];
}

const char* wkVerdictName(wkVerdict verdict)
{
    static const char* const names[wk_verdictCount] = {
        [wk_verdictUnchecked] = "unchecked", [wk_verdictFree] = "free",
        [wk_verdictLimits] = "limits",       [wk_verdictSelf] = "self",
        [wk_verdictWorld] = "world",         [wk_verdictUnknown] = "unknown",
        [wk_verdictUncertain] = "uncertain", [wk_verdictInvalid] = "invalid",
    };
    return (unsigned)verdict < (unsigned)wk_verdictCount ? names[verdict] : "none";
}

wkRobotSide wkNoSide(void)
{
    wkRobotSide side = {wk_sideNone, -1, -1, ""};
    return side;
}

wkRobotSide wkSideOfMember(const wkRobotScene* scene, int32_t member)
{
    const wkCrewMember* m = &scene->crew->crew->members[member];
    int32_t linkCount = scene->robot->info.linkCount;
    if (m->side < linkCount) {
        wkRobotSide side = {wk_sideLink, m->link, m->index, scene->robot->links[m->link].info.name};
        return side;
    }
    int32_t object = scene->holds[m->side - linkCount].object;
    wkRobotSide side = {wk_sideAttached, object, m->index, scene->table.objects[object].name};
    return side;
}

wkRobotSide wkSideOfPlace(const wkRobotScene* scene, int32_t place)
{
    wkRobotPlace p = scene->places[place];
    wkRobotSide side = {wk_sideObject, p.object, p.shape, scene->table.objects[p.object].name};
    return side;
}

static wkRobotSide sideOfPartner(const wkRobotScene* scene, wkPartner partner)
{
    return partner.isPlace ? wkSideOfPlace(scene, partner.number)
                           : wkSideOfMember(scene, partner.number);
}

bool wkIsPairApart(const wkRobotScene* scene, int32_t member, wkPartner partner,
                   const wkPlacedPair* pair, double limit)
{
    const wkCrewMember* members = scene->crew->crew->members;
    wkShape room;
    const wkShape* hullA = wkConvexAround(&members[member]);
    const wkShape* hullB = partner.isPlace ? wkConvexAroundPlace(scene, partner.number, &room)
                                           : wkConvexAround(&members[partner.number]);
    bool hasHull = hullA != pair->a || hullB != pair->b;
    return hasHull && hullA != NULL && hullB != NULL && limit < INFINITY &&
           wkAreHullsApart(hullA, pair->poseA, hullB, pair->poseB, limit);
}

// Shapes that take no longer with triangles than with a hull.
static bool isQuickWithMeshes(const wkShape* shape)
{
    return shape->type == wk_shapeBox || shape->type == wk_shapeSphere;
}

// Asks about the contacts of a pair, the deepest first.
// @return true when one of them is refused, which `contact` is then
static bool isRefused(const wkRobotScene* scene, int32_t member, wkPartner partner,
                      const wkContact* contacts, int32_t count, wkContact* contact)
{
    const char* nameA = wkSideOfMember(scene, member).name;
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

// Contacts of a pair that a function is asked about. Meshes and maps may have more of them: those that
// do not fit could be refused, so that the pair touches then.
#define ASKED_CONTACTS 128

// A pair that somebody decides about.
WK_APART_FN bool askPair(const wkRobotScene* scene, const wkPlacedPair* pair, int32_t member,
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
    bool isTouching = isRefused(scene, member, partner, contacts, touch.contactCount, &refused) ||
                      touch.contactCount == 0 || touch.contactCount == ASKED_CONTACTS;
    if (isTouching && contact != NULL) {
        *contact = refused;
    }
    return isTouching;
}

wkCollideResult wkCollidePlaced(const wkPlacedPair* pair, const wkCubes* near,
                                const wkCollideRequest* request)
{
    return near != NULL
               ? wkCollideNearMap(pair->a, &pair->poseA, pair->b, &pair->poseB, request, near)
               : wkCollide(pair->a, pair->poseA, pair->b, pair->poseB, request);
}

bool wkTouchPair(const wkRobotScene* scene, const wkRobotState* state, int32_t member,
                 wkPartner partner, double margin, const wkCubes* near, wkContact* contact,
                 wkStatus* status)
{
    wkPlacedPair pair = wkPlacedPairOf(scene, state, member, partner);
    if (WK_UNLIKELY(wkIsAskedPartner(scene, member, partner))) {
        return askPair(scene, &pair, member, partner, margin, contact, status);
    }
    if (!partner.isPlace && contact == NULL) {
        const wkCrewMember* members = scene->crew->crew->members;
        return wkTouchMembers(&members[member], pair.poseA, &members[partner.number], pair.poseB,
                              margin, status);
    }
    *status = wk_statusExact;
    bool isQuick = isQuickWithMeshes(pair.a) || isQuickWithMeshes(pair.b);
    if (!isQuick && wkIsPairApart(scene, member, partner, &pair, margin)) {
        return false;
    }
    wkCollideRequest closer = wkDefaultCollideRequest();
    closer.margin = margin;
    closer.contacts = contact;
    closer.contactCapacity = contact != NULL ? 1 : 0;
    wkCollideResult touch = wkCollidePlaced(&pair, near, &closer);
    *status = touch.status;
    return touch.isTouching;
}

wkVerdict wkVerdictOfPair(wkPartner partner, wkStatus status)
{
    wkVerdict world = status == wk_statusUnknown ? wk_verdictUnknown : wk_verdictWorld;
    return partner.isPlace ? world : wk_verdictSelf;
}

wkRobotContact wkMakeRobotContact(const wkRobotScene* scene, int32_t member, wkPartner partner,
                                  const wkContact* contact, wkStatus status)
{
    wkRobotContact made;
    memset(&made, 0, sizeof made);
    made.a = wkSideOfMember(scene, member);
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
