// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Where the boxes of a crew are.

#include "base/lanes.h"
#include "math/round.h"
#include "robot/crew_lanes.h"

WK_DEFINE_LANES(const wkCrewLanes, wkCrewLanes)

// What a product of poses can be off by, for each metre from the origin of the world.
#define POSE_ROUNDING 2e-15

static void setMover(wkMoverLanes* movers, int32_t lane, const wkPose* pose, wkVec3d origin)
{
    wkVec3d p = pose->position, from = wkSub(p, origin);
    movers->rotation[0][lane] = (float)pose->rotation.x;
    movers->rotation[1][lane] = (float)pose->rotation.y;
    movers->rotation[2][lane] = (float)pose->rotation.z;
    movers->rotation[3][lane] = (float)pose->rotation.w;
    movers->position[0][lane] = (float)from.x;
    movers->position[1][lane] = (float)from.y;
    movers->position[2][lane] = (float)from.z;
    movers->slack[lane] = (float)(POSE_ROUNDING * (fabs(p.x) + fabs(p.y) + fabs(p.z)));
}

void wkPlaceCrewWith(const wkCrewLanes* lanes, const wkCrew* crew, wkRobotState* state)
{
    const wkCrewGroup* groups = state->hasGivenLinks ? crew->onLinks : crew->groups;
    const wkPose* carriers = state->hasGivenLinks ? state->links : state->movers;
    int32_t groupCount = (crew->count + WK_BODY_LANES - 1) / WK_BODY_LANES;
    wkMoverLanes movers;
    for (int32_t first = 0; first < groupCount; first += WK_CREW_CHUNK / WK_BODY_LANES) {
        int32_t left = groupCount - first;
        int32_t count = left < WK_CREW_CHUNK / WK_BODY_LANES ? left : WK_CREW_CHUNK / WK_BODY_LANES;
        for (int32_t i = 0; i < count * WK_BODY_LANES; ++i) {
            int32_t carrier = groups[first + i / WK_BODY_LANES].carriers[i % WK_BODY_LANES];
            setMover(&movers, i, &carriers[carrier], crew->origin);
        }
        lanes->place(groups, &movers, first, count, &state->placed);
    }
    state->placed.count = crew->count;
}

void wkPlaceCrew(const wkCrew* crew, wkRobotState* state)
{
    wkPlaceCrewWith(wkCrewLanesOfMachine(), crew, state);
}
