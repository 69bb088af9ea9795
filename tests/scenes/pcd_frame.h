// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Points of a compressed PCD file, read apart from the library.

#include <stdint.h>

// x, y, z of each point, to be freed by the caller; NULL when there is no such file, or when its
// first three fields are not the coordinates.
float* wkReadPcdFrame(const char* path, int32_t* count);
