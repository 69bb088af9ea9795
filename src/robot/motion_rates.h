// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "robot/robot_impl.h"

// What each rigid group does on the way from one configuration to another: radians that it turns and metres
// that it slides, never too small.
void wkSetRigidGroupRates(const wkRobot* robot, const double* q0, const double* q1,
                          double* rotations, double* translations);
