// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Options of all commands that load a robot.

#include "options.h"
#include "whisker/io.h"

typedef struct wkRobotOptions {
    const char* srdf;
    wkOptionList packages; // name=folder
    const char* meshes;    // name of the mode
    double padding;
    bool usesVisual;
    bool allowsEmpty;
} wkRobotOptions;

#define WK_ROBOT_OPTION_COUNT 6

// For the help of a command.
#define WK_ROBOT_OPTIONS_HELP                                                                      \
    "  --srdf FILE            groups, states and pairs that are not checked\n"                     \
    "  --package NAME=FOLDER  where package://NAME is; may be given several times\n"               \
    "  --meshes MODE          solid (default), surface, hull or pieces: geometry of meshes\n"      \
    "  --padding LENGTH       around all bodies, in metres\n"                                      \
    "  --visual               take visual shapes of links that have no collision shapes\n"         \
    "  --allow-empty          take a robot without any collision shape and meshes without\n"       \
    "                         triangles, which nothing touches\n"

// Fills in the rows of the options.
void wkRobotOptions_Rows(wkRobotOptions* options, wkOption rows[WK_ROBOT_OPTION_COUNT]);

// Options of wkRobot_Load with the memory that they point into: must not be moved.
#define WK_PACKAGE_NAME 128
typedef struct wkRobotLoad {
    wkRobotLoadDef options;
    wkParallel parallel;
    wkRobotPackage packages[WK_OPTION_LIST];
    char names[WK_OPTION_LIST][WK_PACKAGE_NAME];
    const char* command;  // for warnings
    int32_t warningCount; // received so far
} wkRobotLoad;

// Reads the options. Returns false after a message when a value is invalid. Warnings of loading go to stderr,
// the first ones in full.
bool wkRobotOptions_Read(const wkRobotOptions* options, const char* command, wkRobotLoad* load);

// Prints how many warnings were suppressed.
void wkRobotLoad_EndWarnings(const wkRobotLoad* load);
