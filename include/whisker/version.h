// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// @file version.h
/// The only place where the version number is written; CMake and pkg-config read it from here.

#define WK_VERSION_MAJOR 0 ///< breaks before 1.0 move the minor number
#define WK_VERSION_MINOR 1 ///< new capability
#define WK_VERSION_PATCH 0 ///< repairs
