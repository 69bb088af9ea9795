// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Proofs about spheres and a surface, by cutting its triangles in two until each part is in one sphere: a
// triangle is inside a sphere when its vertices are.

#include "fit/fit_surface.h"
#include "fit/out_cache.h"
#include "fit/points.h"

// Parts of the surface that are not cut any more, as a share of the extent.
#define WK_SMALLEST_PART 2e-4

// Makes spheres larger where a part of the surface is outside of all of them, so that none is.
// @param distances signed distance of each center from the bodies; the sphere that then sticks out least is
//        the one to grow
// @param smallest parts of this size are not cut any more
wkResult wkGrowToCover(const wkFitSurface* surface, wkSphere3d* spheres, const double* distances,
                       int32_t count, double smallest);

// Points of the surface that are outside of all spheres by more than `tolerance`: one of each neighbourhood of
// the size `smallest`, or of larger ones when there is no room.
wkResult wkFindMissing(const wkFitSurface* surface, const wkSphere3d* spheres, int32_t count,
                       double smallest, double tolerance, wkFitPoints* points);

// Share of the surface that is proven to be inside of spheres, and how far it is from them at most.
typedef struct wkCoverage {
    double share;
    double gap;
} wkCoverage;

wkResult wkMeasureCover(const wkFitSurface* surface, const wkSphere3d* spheres, int32_t count,
                        double tolerance, wkCoverage* coverage);

// How exactly it is found out how far spheres stick out.
typedef struct wkOutMeasure {
    double tolerance; // above the truth, at most
    int maxChecks;    // distances to look at for a sphere; when they do not do, it may be more
    double enough;    // what is less is not told
} wkOutMeasure;

// How far points of spheres are outside of the bodies at most: proven. What is less than `enough` is told as
// that much.
double wkMeasureProtrusion(wkOutCache* cache, const wkSphere3d* spheres, int32_t count,
                           const wkOutMeasure* how);

#define WK_MOST_CHECKS 20000
