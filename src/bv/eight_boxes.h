// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Eight boxes of floats side by side, for SIMD kernels.

#include "base/compiler.h"

#define WK_GROUP 8

typedef struct wkEightBoxes {
    _Alignas(32) float lower[3][WK_GROUP]; // along each axis
    _Alignas(32) float upper[3][WK_GROUP];
} wkEightBoxes;
