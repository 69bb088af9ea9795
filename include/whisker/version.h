// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// @file version.h
/// Version number of the library; CMake and pkg-config read it from this file.

#define WK_VERSION_MAJOR 0 ///< breaks before 1.0 move the minor number
#define WK_VERSION_MINOR 1 ///< new capability
#define WK_VERSION_PATCH 0 ///< bug fixes
