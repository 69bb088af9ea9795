// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What queries on a robot scene have in common: requests that can be read, sides of pairs by name,
// and the closer look at one pair.

#include "robot/world_search.h"

// A request that can be read: the caller's, or the usual one; NULL when it is not valid.
const wkRobotRequest* wkRobotRequestOf(const wkRobotScene* scene, const wkRobotRequest* request);

// Whether the state is one of the robot of the scene, and fit for use, and no geometry has changed under
// the scene.
bool wkIsUsableState(const wkRobotScene* scene, const wkRobotState* state);

// The bodies that a request is about; NULL: all.
const uint64_t* wkCollisionBodiesOf(const wkRobotScene* scene, const wkRobotRequest* request);

wkRobotSide wkSideOfBody(const wkRobotScene* scene, int32_t body);
wkRobotSide wkSideOfSlot(const wkRobotScene* scene, int32_t slotIndex);
wkRobotSide wkNoSide(void);

// The second of a pair: a body of the body set, or the place of an object of the inner scene.
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

// The two shapes of a pair and where they are.
typedef struct wkPlacedPair {
    const wkShape* a;
    const wkShape* b;
    wkPose poseA;
    wkPose poseB;
} wkPlacedPair;

WK_FN wkPlacedPair wkPlacedPairOf(const wkRobotScene* scene, const wkRobotState* state,
                                  int32_t body, wkPartner partner)
{
    const wkObjectTable* table = &scene->world->table;
    const wkBodySet* bodySet = scene->bodySet->bodySet;
    int32_t n = partner.number;
    wkPlacedPair pair = {
        &bodySet->bodies[body].shape,
        partner.isSlot ? &table->shapes[n] : &bodySet->bodies[n].shape,
        wkBodyPose(bodySet, state, body),
        partner.isSlot ? table->bodies[n].pose : wkBodyPose(bodySet, state, n),
    };
    return pair;
}

// Whether somebody decides about the contacts of a pair.
WK_FN bool wkIsAskedPartner(const wkRobotScene* scene, int32_t body, wkPartner partner)
{
    return partner.isSlot ? wkIsAskedSlot(scene, body, partner.number)
                          : wkIsAskedPair(scene->bodySet->bodySet, body, partner.number);
}

// Whether hulls tell that a pair is further apart than `limit`. False says nothing.
bool wkIsPairApart(const wkRobotScene* scene, int32_t body, wkPartner partner,
                   const wkPlacedPair* pair, double limit);

// Does a pair touch? Asks the function that decides where there is one.
// @param near of a map: the cells that are in reach; NULL: not known
// @param contact the deepest one, or that which was refused; NULL: not wanted
bool wkTouchPair(const wkRobotScene* scene, const wkRobotState* state, int32_t body,
                 wkPartner partner, double margin, const wkCubes* near, wkContact* contact,
                 wkStatus* status);

// wkCollide of a pair, with what is known about a map.
wkCollideResult wkCollidePlaced(const wkPlacedPair* pair, const wkCubes* near,
                                const wkCollideRequest* request);

// What touching a pair says about a configuration.
wkVerdict wkVerdictOfPair(wkPartner partner, wkStatus status);

// A pair as queries report it.
wkRobotContact wkMakeRobotContact(const wkRobotScene* scene, int32_t body, wkPartner partner,
                                  const wkContact* contact, wkStatus status);

// A result of a check that found nothing yet.
wkRobotCheckResult wkEmptyCheckResult(wkVerdict verdict);
