// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A cap around a stationary direction in which no direction has a lower height.

#include "solve/global_depth/support_descent.h"

// The unit directions d with d.axis >= cosine.
typedef struct wkDirectionCap {
    wkVec3d axis;
    double cosine;
} wkDirectionCap;

// Returns a cap about a stationary direction on which the support sum is nowhere below `floor`, which is at
// most its height. Empty (cosine 2) when nothing is certain.
wkDirectionCap wkMakeDirectionCap(const wkSupportSum* sum, const wkStationary* at, double floor);
