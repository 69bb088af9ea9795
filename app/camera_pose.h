// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "whisker/io.h"

// Reads a camera as wkDepthImage_LoadCamera does. One whose file has no pose is at the origin, which is said on
// standard error: what it measures would be elsewhere.
wkResult wkLoadCamera(const char* command, const char* path, wkDepthImage* image);
