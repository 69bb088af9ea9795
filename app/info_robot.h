// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What `whisker info` says about robots.

#include "whisker/io.h"

// A line of a name and a box.
void wkPrintBounds(const char* name, wkAabb box);

// Loads a URDF and prints what is in it; `builtin` is the robot that needs no file. wk_errorUnsupported for
// files with another extension, which are left to others; a xacro file is refused with the same result, so
// `isRobot` tells the two apart.
wkResult wkShowRobot(const char* path, const wkRobotLoadOptions* options, bool* isRobot);
