// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Proofs that spheres cover a surface. Triangles are bisected until each part is in one sphere: a triangle is
// inside a sphere when its vertices are.

#include "fit/fit_surface.h"
#include "fit/out_cache.h"
#include "fit/points.h"

// Smallest part of the surface that is bisected, as a share of the extent.
#define WK_SMALLEST_PART 2e-4

// Grows spheres until no part of the surface is outside all of them.
// @param distances signed distance of each center from the bodies; of all spheres, the one that would then
//        protrude least is grown
// @param smallest parts of this size are not bisected
wkResult wkGrowToCover(const wkFitSurface* surface, wkSphere3d* spheres, const double* distances,
                       int32_t count, double smallest);

// Finds points of the surface that are outside all spheres by more than `tolerance`: one per neighbourhood of
// the size `smallest`, or of a larger size if the capacity is too small.
wkResult wkFindMissing(const wkFitSurface* surface, const wkSphere3d* spheres, int32_t count,
                       double smallest, double tolerance, wkFitPoints* points);

// Share of the surface that is proven to be inside spheres, and an upper bound of its distance from them.
typedef struct wkCoverage {
    double share;
    double gap;
} wkCoverage;

wkResult wkMeasureCover(const wkFitSurface* surface, const wkSphere3d* spheres, int32_t count,
                        double tolerance, wkCoverage* coverage);

// Accuracy of a protrusion measurement.
typedef struct wkOutMeasure {
    double tolerance; // largest excess over the true value
    int maxChecks; // distance evaluations per sphere; if they do not suffice, the excess may be larger
    double enough; // smaller values are not resolved
} wkOutMeasure;

// Returns a proven upper bound of how far points of the spheres are outside the bodies. Values below `enough`
// are reported as `enough`.
double wkMeasureProtrusion(wkOutCache* cache, const wkSphere3d* spheres, int32_t count,
                           const wkOutMeasure* how);

#define WK_MOST_CHECKS 20000
