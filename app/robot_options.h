// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Options that all commands about robots share.

#include "whisker/io.h"

#define WK_MAX_PACKAGES 64

typedef struct wkRobotOptions {
    wkRobotLoadOptions load; // its packages are those below
    wkRobotPackage packages[WK_MAX_PACKAGES];
    wkParallel parallel;
} wkRobotOptions;

// For the help of a command.
#define WK_ROBOT_OPTIONS_HELP                                                                      \
    "  --srdf FILE            groups, states and pairs that need no look\n"                        \
    "  --package NAME=FOLDER  where package://NAME is; may be given several times\n"               \
    "  --meshes MODE          surface (default), hull or pieces: what stands for a mesh\n"         \
    "  --padding LENGTH       around all bodies, in metres\n"                                      \
    "  --visual               take visual shapes of links that have no collision shapes\n"

// The defaults. `options` must not move afterwards.
void wkRobotOptions_Init(wkRobotOptions* options);

// Takes the option at argv[0] with its value, which is cut at its '='.
// Gives back how many words it took: 0 when it is none of these, -1 when its value is missing or wrong,
// which has been printed after the name of the command.
int wkRobotOptions_Take(wkRobotOptions* options, const char* command, int argc, char** argv);
