// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Volumes of spheres and of what two of them share.

#include "base/compiler.h"

#include <math.h>

#define WK_PI 3.14159265358979323846

WK_FN double wkSphereVolume(double radius)
{
    return 4.0 / 3.0 * WK_PI * radius * radius * radius;
}

// The volume of the lens that two spheres share, whose centres are `distance` apart.
WK_FN double wkLensVolume(double a, double b, double distance)
{
    double over = a + b - distance, smaller = a < b ? a : b;
    if (!(over > 0.0)) {
        return 0.0;
    }
    if (distance <= fabs(a - b)) {
        return wkSphereVolume(smaller);
    }
    double square = distance * distance + 2.0 * distance * (a + b) - 3.0 * (a - b) * (a - b);
    return WK_PI * over * over * square / (12.0 * distance);
}
