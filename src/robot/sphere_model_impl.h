// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Memory layout of a sphere model: spheres on the links of a robot.

#include "robot/robot_impl.h"
#include "whisker/sphere_model.h"

// One block of memory.
struct wkSphereModel {
    wkSphereModelInfo info;
    wkLinkSphere* spheres; // sorted by link
    wkLinkSpheres* links;  // one for each link of the robot
};

// Returns a small sphere that contains the given ones, rounded outward; radius 0 when there are none.
wkSphere3d wkSphereAround(const wkSphere3d* spheres, int32_t count);
