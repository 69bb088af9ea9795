// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Voids: space inside solids that the spheres around their surface leave uncovered. A small obstacle in a
// void touches the solid but no sphere.

#include "fit/fit_surface.h"

typedef struct wkVoids {
    int32_t count;   // points found: inside a solid, on a sphere, and inside no sphere
    wkAabb bounds;   // around these points; contains all voids
    wkVec3d deepest; // the point deepest inside
    double depth;    // of that point, never above the true one
} wkVoids;

// Finds voids. If the spheres cover the surface, every void is found; points that rounding leaves undecided
// count as voids.
// @return wk_errorMemory
wkResult wkFindVoids(const wkFitSurface* surface, const wkSphere3d* spheres, int32_t count,
                     wkVoids* voids);

// Adds spheres until there are no voids. They protrude by at most `protrusion`, > 0.
// @param count in: number of spheres that cover the surface; out: number of all spheres. Above `capacity`:
//        the capacity is too small, and the number of missing spheres is unknown
// @return wk_errorMemory
wkResult wkFillVoids(const wkFitSurface* surface, double protrusion, wkSphere3d* spheres,
                     int32_t capacity, int32_t* count);
