// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Functions shared by queries on a robot scene: validation of requests, sides of pairs by name,
// and the exact check of one pair.

#include "robot/moved_shapes.h"
#include "robot/world_search.h"

// Returns the caller's request, or the default for NULL; NULL when the request is not valid.
const wkRobotRequest* wkRobotRequestOf(const wkRobotScene* scene, const wkRobotRequest* request);

// Returns whether the state is valid and belongs to the robot of the scene, and no geometry has changed since
// the scene computed its bounds.
bool wkIsUsableState(const wkRobotScene* scene, const wkRobotState* state);

// The same with a reason: wk_errorState, naming what is wrong, such as the object that is out of date.
wkResult wkCheckUsableState(const wkRobotScene* scene, const wkRobotState* state, const char* who);

// Returns the bodies that a request covers; NULL: all.
const uint64_t* wkCollisionBodiesOf(const wkRobotScene* scene, const wkRobotRequest* request);

wkRobotSide wkSideOfBody(const wkRobotScene* scene, int32_t body);
wkRobotSide wkSideOfSlot(const wkRobotScene* scene, int32_t slotIndex);
wkRobotSide wkNoSide(void);

// The second side of a pair: a body of the body set, or the slot index of an object of the inner scene.
typedef struct wkPartner {
    int32_t number;
    bool isSlot;
} wkPartner;

WK_FN wkPartner wkBodyPartner(int32_t body)
{
    wkPartner partner = {body, false};
    return partner;
}

WK_FN wkPartner wkSlotPartner(int32_t slotIndex)
{
    wkPartner partner = {slotIndex, true};
    return partner;
}

// The two shapes of a pair and their poses.
typedef struct wkPlacedPair {
    const wkShape* a;
    const wkShape* b;
    wkPose poseA;
    wkPose poseB;
} wkPlacedPair;

WK_FN wkPlacedPair wkPlacedPairOf(const wkRobotScene* scene, const wkRobotState* state,
                                  int32_t body, wkPartner partner)
{
    const wkBodySet* bodySet = scene->bodySet->bodySet;
    int32_t n = partner.number;
    wkPlacedPair pair = {.a = &bodySet->bodies[body].shape,
                         .poseA = wkBodyPose(bodySet, state, body)};
    if (partner.isSlot) {
        wkSceneObject object = wkScene_ObjectAt(scene->world, n);
        pair.b = object.shape;
        const wkMovedShape* moved = wkFindMovedShape(state, n);
        pair.poseB = moved != NULL ? moved->pose : *object.pose;
    } else {
        pair.b = &bodySet->bodies[n].shape;
        pair.poseB = wkBodyPose(bodySet, state, n);
    }
    return pair;
}

// Returns whether a contact callback decides about a pair.
WK_FN bool wkIsAskedPartner(const wkRobotScene* scene, int32_t body, wkPartner partner)
{
    return partner.isSlot ? wkIsAskedSlot(scene, body, partner.number)
                          : wkIsAskedPair(scene->bodySet->bodySet, body, partner.number);
}

// Returns true when hulls prove that a pair is further apart than `limit`. False proves nothing.
bool wkIsPairApart(const wkRobotScene* scene, int32_t body, wkPartner partner,
                   const wkPlacedPair* pair, double limit);

// Returns whether a pair touches. Calls the contact callback where there is one.
// @param passed the cull by content that passed the pair; NULL: none
// @param contact the deepest contact, or the one that the callback refused; NULL: not wanted
bool wkTouchPair(const wkRobotScene* scene, const wkRobotState* state, int32_t body,
                 wkPartner partner, double margin, const wkBoxCull* passed, wkContact* contact,
                 wkStatus* status);

// Runs wkCollide on a pair, faster where the content in reach is known.
wkCollideResult wkCollidePlaced(const wkPlacedPair* pair, const wkBoxCull* passed,
                                const wkCollideRequest* request);

// Returns the verdict on a configuration in which a pair touches.
wkVerdict wkVerdictOfPair(wkPartner partner, wkStatus status);

// Returns a contact as queries report it.
wkRobotContact wkMakeRobotContact(const wkRobotScene* scene, int32_t body, wkPartner partner,
                                  const wkContact* contact, wkStatus status);

// Returns the result of a check without contacts so far.
wkRobotCheckResult wkEmptyCheckResult(wkVerdict verdict);
