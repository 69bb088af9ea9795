// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Copies rigid groups into blocks for SIMD kernels.

#include "robot/kinematics.h"

static void fillLane(const wkRigidGroup* rigidGroup, wkRigidGroupBlock* group, int lane)
{
    bool isRevolute =
        rigidGroup->type == wk_jointRevolute || rigidGroup->type == wk_jointContinuous;
    bool isPrismatic = rigidGroup->type == wk_jointPrismatic;
    group->angleFactor[lane] = isRevolute ? 0.5 * rigidGroup->factor : 0.0;
    group->angleOffset[lane] = isRevolute ? 0.5 * rigidGroup->offset : 0.0;
    group->lengthFactor[lane] = isPrismatic ? rigidGroup->factor : 0.0;
    group->lengthOffset[lane] = isPrismatic ? rigidGroup->offset : 0.0;
    wkQuat o = rigidGroup->origin.rotation, t = rigidGroup->axisRotation;
    const double rotation[4] = {o.x, o.y, o.z, o.w}, axisRotation[4] = {t.x, t.y, t.z, t.w};
    for (int k = 0; k < 4; k++) {
        group->rotation[k][lane] = rotation[k];
        group->axisRotation[k][lane] = axisRotation[k];
    }
    for (int k = 0; k < 3; k++) {
        group->position[k][lane] = wkAlongAxis(&rigidGroup->origin.position, k);
        group->translation[k][lane] = wkAlongAxis(&rigidGroup->translation[0], k);
    }
    group->variable[lane] = rigidGroup->variable;
    group->parent[lane] = rigidGroup->parent;
    group->isFree[lane] = !isRevolute && !isPrismatic;
}

void wkFillRigidGroupBlocks(wkRobot* robot)
{
    for (int32_t i = 1; i < robot->rigidGroupCount; i++) {
        wkRigidGroupBlock* group = &robot->rigidGroupBlocks[(i - 1) / WK_RIGID_GROUP_LANES];
        fillLane(&robot->rigidGroups[i], group, (i - 1) % WK_RIGID_GROUP_LANES);
        group->count++;
    }
}
