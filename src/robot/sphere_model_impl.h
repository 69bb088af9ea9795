// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Spheres on the links of a robot, in memory.

#include "robot/robot_impl.h"
#include "whisker/sphere_model.h"

// One block of memory.
struct wkSphereModel {
    wkSphereModelInfo info;
    wkLinkSphere* spheres; // those of one link follow each other, links ascend
    wkLinkSpheres* links;  // one for each link of the robot
};

// A small sphere around others, never too small; radius 0 around none.
wkSphere3d wkSphereAround(const wkSphere3d* spheres, int32_t count);
