// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Balls on the links of a robot, in memory.

#include "robot/robot.h"
#include "whisker/sphere_model.h"

// One block of memory.
struct wkSphereModel {
    wkSphereModelInfo info;
    wkLinkBall* balls;  // those of one link follow each other, links ascend
    wkLinkBalls* links; // one for each link of the robot
};

// A small ball around others, never too small; radius 0 around none.
wkBall wkBallAround(const wkBall* balls, int32_t count);
