// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "whisker/io.h"

// Reads a camera as wkDepthImage_LoadCamera does. If the file has no pose, the camera is set to the origin,
// and a warning is printed to stderr: its measurements may be misplaced.
wkResult wkLoadCamera(const char* command, const char* path, wkDepthImage* image);
