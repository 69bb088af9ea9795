// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// How far around a stationary direction nothing is lower.

#include "solve/global_depth/support_descent.h"

// The unit directions d with d.axis >= cosine.
typedef struct wkDirectionCap {
    wkVec3d axis;
    double cosine;
} wkDirectionCap;

// A cap about a stationary direction on which the form is nowhere below `floor`, which is its
// height or less. Empty (cosine 2) when nothing is certain.
wkDirectionCap wkMakeDirectionCap(const wkSupportSum* sum, const wkStationary* at, double floor);
