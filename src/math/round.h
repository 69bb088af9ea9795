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

// Rounds to the nearest float.
WK_FN double wkNearestFloat(double value)
{
    return (double)(float)value;
}
