// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A robot without what it carries: the same links and joints, with the shapes of one of its groups alone.

#include "whisker/robot.h"

// @param group name of the group whose links keep their shapes
// @param bare set to NULL on failure; borrows the meshes of the robot
wkResult wkMakeBareArm(const wkRobot* robot, const char* group, wkRobot** bare);
