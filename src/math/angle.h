// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Sine and cosine.

#include "math/vec.h"

WK_FN void wkSinCos(double angle, double* sine, double* cosine)
{
    *sine = sin(angle);
    *cosine = cos(angle);
}

#define WK_PI 3.14159265358979323846
