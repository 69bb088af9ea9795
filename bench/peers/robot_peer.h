// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What a library must offer to be measured on robots: Whisker itself is one of them.

#include "peers/peer.h"
#include "robot/robot_case.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct wkPeerRobotJob {
    const wkRobotCase* robotCase;
    wkRobotTask task;
    int32_t* checkCounts; // of motions: configurations that were looked at; NULL: not wanted
    int stepCount; // so many configurations make up a motion, and those after one that touches are not
                   // looked at; 0: each stands alone
} wkPeerRobotJob;

typedef struct wkRobotPeer {
    const char* name;
    const char* variant;
    // Prepares everything but the moving of bodies; NULL when the library cannot do such a task.
    void* (*open)(const wkPeerRobotJob* job, wkAnswer* answers);
    void (*pass)(void* handle); // all configurations, one after the other
    void (*close)(void* handle);
} wkRobotPeer;

// Those of one name next to each other; ends with a name of NULL.
extern const wkRobotPeer wkRobotPeers[];

// Whisker itself.
extern const wkRobotPeer wkOurRobotSide;

#ifdef __cplusplus
}
#endif
