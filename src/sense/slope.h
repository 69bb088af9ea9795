// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A direction in front of a camera, as the point (x, y) at z = 1. C, C++ and CUDA.

typedef struct wkSlope {
    double x, y;
} wkSlope;
