// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// How far around a stationary direction nothing is lower.

#include "solve/descent.h"

// The unit directions d with d.axis >= cosine.
typedef struct wkCap {
    wkVec3d axis;
    double cosine;
} wkCap;

// A cap about a stationary direction on which the form is nowhere below `floor`, which is its
// height or less. Empty (cosine 2) when nothing is certain.
wkCap wkMakeCap(const wkForm* form, const wkStationary* at, double floor);
