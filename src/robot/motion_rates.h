// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "robot/robot_impl.h"

// Computes the motion of each rigid group from one configuration to another: rotations in radians and
// translations in metres, rounded up.
void wkSetRigidGroupRates(const wkRobot* robot, const double* q0, const double* q1,
                          double* rotations, double* translations);
