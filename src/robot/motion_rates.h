// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "robot/robot.h"

// What each mover does on the way from one configuration to another: radians that it turns and metres
// that it slides, never too small.
void wkSetMoverRates(const wkRobot* robot, const double* q0, const double* q1, double* turns,
                     double* slides);
