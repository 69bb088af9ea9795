// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Computes the boxes of a body set in a configuration.

#include "base/isa_table.h"
#include "math/round.h"
#include "robot/body_kernel.h"

WK_DEFINE_LANES(const wkBodyKernels, wkBodyKernels)

// Error of a product of poses, for each metre from the origin of the world.
#define POSE_ROUNDING 2e-15

static void setRigidGroup(wkRigidGroupLanes* rigidGroups, int32_t lane, const wkPose* pose,
                          wkVec3d origin)
{
    wkVec3d p = pose->position, from = wkSub(p, origin);
    rigidGroups->rotation[0][lane] = (float)pose->rotation.x;
    rigidGroups->rotation[1][lane] = (float)pose->rotation.y;
    rigidGroups->rotation[2][lane] = (float)pose->rotation.z;
    rigidGroups->rotation[3][lane] = (float)pose->rotation.w;
    rigidGroups->position[0][lane] = (float)from.x;
    rigidGroups->position[1][lane] = (float)from.y;
    rigidGroups->position[2][lane] = (float)from.z;
    rigidGroups->slack[lane] = (float)(POSE_ROUNDING * (fabs(p.x) + fabs(p.y) + fabs(p.z)));
}

void wkPlaceBodySetWith(const wkBodyKernels* lanes, const wkBodySet* bodySet, wkRobotState* state)
{
    const wkBodyLanes* groups = state->hasGivenLinks ? bodySet->onLinks : bodySet->groups;
    const wkPose* carriers = state->hasGivenLinks ? state->links : state->rigidGroups;
    int32_t groupCount = (bodySet->count + WK_BODY_LANES - 1) / WK_BODY_LANES;
    wkRigidGroupLanes rigidGroups;
    for (int32_t first = 0; first < groupCount; first += WK_BODY_CHUNK / WK_BODY_LANES) {
        int32_t left = groupCount - first;
        int32_t count = left < WK_BODY_CHUNK / WK_BODY_LANES ? left : WK_BODY_CHUNK / WK_BODY_LANES;
        for (int32_t i = 0; i < count * WK_BODY_LANES; ++i) {
            int32_t carrier = groups[first + i / WK_BODY_LANES].carriers[i % WK_BODY_LANES];
            setRigidGroup(&rigidGroups, i, &carriers[carrier], bodySet->origin);
        }
        lanes->placeBodies(groups, &rigidGroups, first, count, &state->placed);
    }
    state->placed.count = bodySet->count;
}

void wkPlaceBodySet(const wkBodySet* bodySet, wkRobotState* state)
{
    wkPlaceBodySetWith(wkBodyKernelsOfMachine(), bodySet, state);
}
