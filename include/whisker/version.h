// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// @file version.h
/// Version number of the library; CMake and pkg-config read it from this file.
///
/// The headers of this folder are the stable interface: before 1.0 only a new minor number changes it, from
/// 1.0 on only a new major number, and the name of the shared library carries that number. The headers in
/// `detail` may change with any version. `api/` lists what the libraries export.

#define WK_VERSION_MAJOR 0 ///< breaks before 1.0 move the minor number
#define WK_VERSION_MINOR 1 ///< new capability
#define WK_VERSION_PATCH 0 ///< bug fixes
