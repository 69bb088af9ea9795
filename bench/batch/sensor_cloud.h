// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What a depth sensor sees around the Panda: points on a table, a shelf and boxes, with noise.

#include <stdint.h>

// Draws points, three floats each.
void wkDrawCloud(int count, uint64_t seed, float* points);
