// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The clouds of a robot in memory.

#include "robot/robot_impl.h"
#include "whisker/robot_cloud.h"

// The samples of a link at one level.
typedef struct wkLinkCloud {
    wkCloud* cloud; // NULL: the link has no bodies
    double gap;
} wkLinkCloud;

struct wkRobotCloud {
    const wkRobot* robot;
    size_t byteCount; // of this block
    int32_t linkCount;
    int32_t levelCount;
    wkLinkCloud links[]; // of all links at level 0, then at level 1 …
};
