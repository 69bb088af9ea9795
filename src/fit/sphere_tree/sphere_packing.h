// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Packs spheres into bodies: none overlaps another, each is proven to be inside.

#include "base/progress_report.h"
#include "fit/fit_surface.h"
#include "fit/sphere_tree/sphere_tree_impl.h"

typedef struct wkPackingJob {
    const wkFitSurface* surface; // of the bodies
    int32_t capacity;            // maximum number of spheres
    double minRadius;            // of a sphere
    const wkParallel* parallel;
    wkProgressMeter* meter; // counts spheres
} wkPackingJob;

// Packs spheres, the largest that fits first, as far as a grid can tell.
// @param spheres array of the capacity
// @return wk_errorMemory, wk_errorCancelled
wkResult wkPackSpheres(const wkPackingJob* job, wkSphereF* spheres, int32_t* count);
