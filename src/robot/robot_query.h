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

// The members that a request is about; NULL: all.
const uint64_t* wkMembersOf(const wkRobotScene* scene, const wkRobotRequest* request);

wkRobotSide wkSideOfMember(const wkRobotScene* scene, int32_t member);
wkRobotSide wkSideOfPlace(const wkRobotScene* scene, int32_t place);
wkRobotSide wkNoSide(void);

// The second of a pair: a member of the crew, or the place of an object of the inner scene.
typedef struct wkPartner {
    int32_t number;
    bool isPlace;
} wkPartner;

WK_FN wkPartner wkMemberPartner(int32_t member)
{
    wkPartner partner = {member, false};
    return partner;
}

WK_FN wkPartner wkPlacePartner(int32_t place)
{
    wkPartner partner = {place, true};
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
                                  int32_t member, wkPartner partner)
{
    const wkObjectTable* table = &scene->world->table;
    const wkCrew* crew = scene->crew->crew;
    int32_t n = partner.number;
    wkPlacedPair pair = {
        &crew->members[member].shape,
        partner.isPlace ? &table->shapes[n] : &crew->members[n].shape,
        wkCrewPose(crew, state, member),
        partner.isPlace ? table->bodies[n].pose : wkCrewPose(crew, state, n),
    };
    return pair;
}

// Whether somebody decides about the contacts of a pair.
WK_FN bool wkIsAskedPartner(const wkRobotScene* scene, int32_t member, wkPartner partner)
{
    return partner.isPlace ? wkIsAskedPlace(scene, member, partner.number)
                           : wkIsAskedPair(scene->crew->crew, member, partner.number);
}

// Whether hulls tell that a pair is further apart than `limit`. False says nothing.
bool wkIsPairApart(const wkRobotScene* scene, int32_t member, wkPartner partner,
                   const wkPlacedPair* pair, double limit);

// Does a pair touch? Asks the function that decides where there is one.
// @param near of a map: the cells that are in reach; NULL: not known
// @param contact the deepest one, or that which was refused; NULL: not wanted
bool wkTouchPair(const wkRobotScene* scene, const wkRobotState* state, int32_t member,
                 wkPartner partner, double margin, const wkCubes* near, wkContact* contact,
                 wkStatus* status);

// wkCollide of a pair, with what is known about a map.
wkCollideResult wkCollidePlaced(const wkPlacedPair* pair, const wkCubes* near,
                                const wkCollideRequest* request);

// What touching a pair says about a configuration.
wkVerdict wkVerdictOfPair(wkPartner partner, wkStatus status);

// A pair as queries report it.
wkRobotContact wkMakeRobotContact(const wkRobotScene* scene, int32_t member, wkPartner partner,
                                  const wkContact* contact, wkStatus status);

// A result of a check that found nothing yet.
wkRobotCheckResult wkEmptyCheckResult(wkVerdict verdict);
