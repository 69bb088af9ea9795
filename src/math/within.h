// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Limits of input. wkMaxAbs is no check: a comparison of maxima loses a NaN, and what has one is nowhere, so that
// nothing would ever touch it.

#include "math/vec.h"

// Returns whether no coordinate is further from 0 than `limit`; false when one is NaN.
WK_FN bool wkIsVecWithin(wkVec3d a, double limit)
{
    return fabs(a.x) <= limit && fabs(a.y) <= limit && fabs(a.z) <= limit;
}
