// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Lens distortion of slopes, and its inverse. A slope is a direction as the point (x, y) at z = 1.
//
// Distortion models are polynomials that are not monotonic everywhere, so that two directions could map to
// one pixel. A lens is valid up to the first point where that could begin, and nowhere beyond.

#include "math/vec.h"
#include "sense/slope.h"
#include "whisker/depth_image.h"

// Maximum slope of lenses with distortion: within 1e-6 rad of a right angle. Only pinholes go beyond.
#define WK_STEEPEST_SLOPE 1e6

// A camera that is prepared for many evaluations.
typedef struct wkLens {
    wkCamera camera;
    double
        limit; // length of a slope, or of fisheyes the angle, up to which the model is one to one
} wkLens;

wkLens wkMakeLens(const wkCamera* camera);

// Distorts a slope; false: beyond the limit of the lens.
bool wkLens_Bend(const wkLens* lens, wkSlope slope, wkSlope* bent);

// Returns the slope that the lens maps to `bent`, to full precision; NaN: there is none.
wkSlope wkLens_Unbend(const wkLens* lens, wkSlope bent);

// Does the same in fewer steps next to an earlier solution.
// @param share ratio of the lengths of solution and `bent`, kept from call to call; initially 1
wkSlope wkLens_UnbendNear(const wkLens* lens, wkSlope bent, double* share);

// Work as wkCamera_Project and wkCamera_Unproject.
bool wkLens_Project(const wkLens* lens, wkVec3d point, double* u, double* v);
wkVec3d wkLens_Unproject(const wkLens* lens, double u, double v);

// Returns the length of a slope up to which Brown's model is one to one, rounded down.
double wkLimitOfBrown(const double coefficients[8]);

// Returns the angle up to which a fisheye is one to one and points forward.
double wkLimitOfFisheye(const double coefficients[8]);
