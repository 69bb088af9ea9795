// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Spheres and capsules: a segment with a sphere about each of its points. How spheres cover it best is known.

#include "fit/fit_surface.h"
#include "math/vec.h"

typedef struct wkFitSegment {
    wkVec3d ends[2];
    double radius;
} wkFitSegment;

// False for bodies of other types, and for those of which padding leaves nothing.
bool wkFitSegment_Find(const wkFitBody* body, wkFitSegment* segment);

// How far `count` spheres stick out.
double wkFitSegment_Protrusion(const wkFitSegment* segment, int32_t count);

// How many spheres it takes to stick out by at most `protrusion`; most + 1 when it takes more.
int32_t wkFitSegment_CountAt(const wkFitSegment* segment, double protrusion, int32_t most);

// Covers the segment with `count` spheres, a sphere with itself. Returns how many there are.
int32_t wkFitSegment_Cover(const wkFitSegment* segment, int32_t count, double* protrusion,
                           wkSphere3d* spheres);
