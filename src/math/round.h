// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Rounds double to float outward. Values that a float can represent stay unchanged; others move outward by at
// most two units in the last place, without a branch.

#include "base/compiler.h"

#include <float.h>
#include <math.h>

WK_FN float wkRoundDown(double value)
{
    float nearest = (float)value;
    return (double)nearest > value ? nearest - (fabsf(nearest) * FLT_EPSILON + FLT_MIN) : nearest;
}

WK_FN float wkRoundUp(double value)
{
    float nearest = (float)value;
    return (double)nearest < value ? nearest + (fabsf(nearest) * FLT_EPSILON + FLT_MIN) : nearest;
}

// Rounds to the nearest float. gcc 12 drops the rounding of two neighbouring numbers that are converted to float and
// back where it makes one vector of them; a number that went through memory it must take as it is.
WK_FN double wkNearestFloat(double value)
{
    float nearest = (float)value;
    __asm__("" : "+m"(nearest));
    return (double)nearest;
}
