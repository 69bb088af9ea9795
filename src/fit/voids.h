// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Voids: space inside of solids that spheres around their surface leave open. A small obstacle there
// touches the solid and no sphere.

#include "fit/fit_surface.h"

typedef struct wkVoids {
    int32_t count;   // points found that are inside a solid, on spheres, and inside none
    wkAabb bounds;   // around them; all voids are within
    wkVec3d deepest; // the one of them that is deepest inside
    double depth;    // of that point, not above the truth
} wkVoids;

// Looks for voids. None is overlooked where the spheres cover the surface; what rounding does not allow to
// tell counts as a void.
// @return wk_errorMemory
wkResult wkFindVoids(const wkFitSurface* surface, const wkSphere3d* spheres, int32_t count,
                     wkVoids* voids);

// Adds spheres until there are no voids. They stick out by at most `protrusion`, > 0.
// @param count of the spheres that cover the surface, and then of all; above `capacity`: there is no room
//        for those that are missing, how many are is not known
// @return wk_errorMemory
wkResult wkFillVoids(const wkFitSurface* surface, double protrusion, wkSphere3d* spheres,
                     int32_t capacity, int32_t* count);
