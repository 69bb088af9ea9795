// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Closed-form covers of spheres and capsules (a segment with a radius).

#include "fit/fit_surface.h"
#include "math/vec.h"

typedef struct wkFitSegment {
    wkVec3d ends[2];
    double radius;
} wkFitSegment;

// Returns false for bodies of other types, and if negative padding leaves nothing of the body.
bool wkFitSegment_Find(const wkFitBody* body, wkFitSegment* segment);

// Returns the protrusion of the best cover with `count` spheres.
double wkFitSegment_Protrusion(const wkFitSegment* segment, int32_t count);

// Returns how many spheres are needed for at most `protrusion`; most + 1 when more are needed.
int32_t wkFitSegment_CountAt(const wkFitSegment* segment, double protrusion, int32_t most);

// Covers the segment with `count` spheres; a sphere is covered by itself. Returns the number of spheres.
int32_t wkFitSegment_Cover(const wkFitSegment* segment, int32_t count, double* protrusion,
                           wkSphere3d* spheres);
