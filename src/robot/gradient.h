// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// How fast a point of a robot goes along a direction when a variable changes.

#include "robot/state.h"

// Adds, for each variable, how fast a point that is fixed to a rigid group goes along `direction`.
// Quaternions are meant as in wkRobotState_Jacobian.
// @param rates one number for each variable
void wkAddRates(const wkRobotState* state, int32_t rigidGroup, wkVec3d point, wkVec3d direction,
                double* rates);
