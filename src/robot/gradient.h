// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Velocity of a point of a robot along a direction, per unit change of each variable.

#include "robot/state.h"

// Adds, for each variable, the velocity along `direction` of a point that is fixed to a rigid group.
// Variables of quaternions are those of wkRobotState_Jacobian.
// @param rates one number for each variable
void wkAddRates(const wkRobotState* state, int32_t rigidGroup, wkVec3d point, wkVec3d direction,
                double* rates);
