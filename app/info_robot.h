// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Output of `whisker info` about robots.

#include "whisker/io.h"

// Prints a line with a name and a box.
void wkPrintBounds(const char* name, wkAabb box);

// Loads a URDF and prints its content; `builtin` is the built-in robot. Returns wk_errorUnsupported for files
// with another extension, which other readers may read. A xacro file is refused with the same result, so
// `isRobot` distinguishes the two.
wkResult wkShowRobot(const char* path, const wkRobotLoadDef* options, bool* isRobot);
