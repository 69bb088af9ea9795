// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The mobile manipulator of links.h as a robot, for tests and benchmarks that cannot count on the
// files of a real one.

#include "whisker/robot.h"

#ifdef __cplusplus
extern "C" {
#endif

// 88 links with a body each, every other one a mesh that belongs to the robot. Its root is the middle
// of the base, 0.2 m above the floor it stands on.
wkResult wkMakeRobot88(wkRobot** robot);

#ifdef __cplusplus
}
#endif
