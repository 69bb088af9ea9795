// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Movers side by side, as lanes read them.

#include "robot/kinematics.h"

static void fillLane(const wkMover* mover, wkMoverGroup* group, int lane)
{
    bool isTurn = mover->type == wk_jointRevolute || mover->type == wk_jointContinuous;
    bool isSlide = mover->type == wk_jointPrismatic;
    group->angleFactor[lane] = isTurn ? 0.5 * mover->factor : 0.0;
    group->angleOffset[lane] = isTurn ? 0.5 * mover->offset : 0.0;
    group->lengthFactor[lane] = isSlide ? mover->factor : 0.0;
    group->lengthOffset[lane] = isSlide ? mover->offset : 0.0;
    wkQuat o = mover->origin.rotation, t = mover->turn;
    const double rotation[4] = {o.x, o.y, o.z, o.w}, turn[4] = {t.x, t.y, t.z, t.w};
    for (int k = 0; k < 4; k++) {
        group->rotation[k][lane] = rotation[k];
        group->turn[k][lane] = turn[k];
    }
    for (int k = 0; k < 3; k++) {
        group->position[k][lane] = wkAlongAxis(&mover->origin.position, k);
        group->slide[k][lane] = wkAlongAxis(&mover->slide[0], k);
    }
    group->variable[lane] = mover->variable;
    group->parent[lane] = mover->parent;
    group->isFree[lane] = !isTurn && !isSlide;
}

void wkFillMoverGroups(wkRobot* robot)
{
    for (int32_t i = 1; i < robot->moverCount; i++) {
        wkMoverGroup* group = &robot->moverGroups[(i - 1) / WK_GROUP_MOVERS];
        fillLane(&robot->movers[i], group, (i - 1) % WK_GROUP_MOVERS);
        group->count++;
    }
}
