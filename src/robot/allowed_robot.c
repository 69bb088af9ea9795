// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Pairs of links that may touch because of the kinematic structure of a robot.

#include "robot/allowed_impl.h"

#include "base/error.h"

#include "whisker/detail/counts.h"

// Maximum number of movable joints, with links without bodies between them, that make two links adjacent,
// as in a shoulder. More of them form an arm, which can fold back.
#define MOST_JOINTS 2

static bool doesJointMove(const wkRobot* robot, int32_t link)
{
    int32_t parent = robot->links[link].info.parentLink;
    return robot->links[link].rigidGroup != robot->links[parent].rigidGroup;
}

bool wkAreAttachedTogether(const wkRobot* robot, int32_t linkA, int32_t linkB,
                           const int32_t* things)
{
    const wkRobotLink* links = robot->links;
    if (links[linkA].rigidGroup == links[linkB].rigidGroup) {
        return true;
    }
    // parents have lower numbers: the higher one climbs until both meet
    int32_t a = linkA, b = linkB, movingCount = 0;
    while (a != b) {
        int32_t* higher = a > b ? &a : &b;
        movingCount += doesJointMove(robot, *higher);
        *higher = links[*higher].info.parentLink;
        bool isBetween = *higher != linkA && *higher != linkB;
        bool isThere =
            links[*higher].info.bodyCount > 0 || (things != NULL && things[*higher] >= 0);
        if (isBetween && isThere) {
            return false;
        }
    }
    bool isOneAboveOther = a == linkA || a == linkB;
    return isOneAboveOther ? movingCount <= MOST_JOINTS : movingCount == 1;
}

bool wkAreNeighbours(const wkRobot* robot, int32_t linkA, int32_t linkB)
{
    return wkAreAttachedTogether(robot, linkA, linkB, NULL);
}

static wkResult addNeighbours(wkAllowed* allowed, const wkRobot* robot)
{
    wkResult result = wk_ok;
    for (int32_t a = 0; a < robot->info.linkCount; ++a) {
        for (int32_t b = a + 1; b < robot->info.linkCount && result == wk_ok; ++b) {
            const wkLinkInfo *linkA = &robot->links[a].info, *linkB = &robot->links[b].info;
            if (linkA->bodyCount > 0 && linkB->bodyCount > 0 && wkAreNeighbours(robot, a, b)) {
                result = wkAllowed_Set(allowed, linkA->name, linkB->name, wk_ruleAllowed);
            }
        }
    }
    return result;
}

static wkResult addDescribed(wkAllowed* allowed, const wkRobot* robot)
{
    wkResult result = wk_ok;
    for (int32_t i = 0; i < robot->info.disabledPairCount && result == wk_ok; ++i) {
        const wkDisabledPairInfo* pair = &robot->disabledPairs[i];
        result = wkAllowed_Set(allowed, robot->links[pair->linkA].info.name,
                               robot->links[pair->linkB].info.name, wk_ruleAllowed);
    }
    return result;
}

wkResult wkAllowed_AddRobot(wkAllowed* allowed, const wkRobot* robot)
{
    if (allowed == NULL || robot == NULL) {
        return wkFail(wk_errorArgument, "allowed pairs: %s is missing",
                      allowed == NULL ? "what to add to" : "the robot");
    }
    // works on a copy, so that all pairs are added or none
    wkAllowed* grown = NULL;
    wkResult result = wkAllowed_Copy(allowed, &grown);
    result = result == wk_ok ? addDescribed(grown, robot) : result;
    result = result == wk_ok ? addNeighbours(grown, robot) : result;
    if (result == wk_ok) {
        wkAllowed_Swap(allowed, grown);
    }
    wkAllowed_Destroy(grown);
    return result;
}

const char* wkAllowedReasonName(wkAllowedReason reason)
{
    static const char* const names[WK_ALLOWED_REASON_COUNT] = {
        [wk_reasonNone] = "",           [wk_reasonAdjacent] = "Adjacent",
        [wk_reasonDefault] = "Default", [wk_reasonAlways] = "Always",
        [wk_reasonNever] = "Never",     [wk_reasonUser] = "User",
        [wk_reasonProven] = "Never",
    };
    return (unsigned)reason < WK_ALLOWED_REASON_COUNT ? names[reason] : "";
}

const char* wkAllowedReasonEvidence(wkAllowedReason reason)
{
    return reason == wk_reasonProven ? "proven" : reason == wk_reasonNever ? "sampled" : "";
}
