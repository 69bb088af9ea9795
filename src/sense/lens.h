// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Lenses: how a camera bends slopes, and back. A slope is a direction as the point (x, y) at z = 1.
//
// Models of lenses are polynomials that turn back somewhere, so that two directions would meet in
// one pixel. A lens is told up to the first place where that could begin, and nothing beyond.

#include "math/vec.h"
#include "whisker/depth_image.h"

// Slopes beyond this, which are within a millionth of a right angle, are left to pinholes.
#define WK_STEEPEST_SLOPE 1e6

// A slope.
typedef struct wkSlope {
    double x, y;
} wkSlope;

// A camera that is made ready to be asked often.
typedef struct wkLens {
    wkCamera camera;
    double
        limit; // length of a slope, or of fisheyes the angle, up to which the model is one to one
} wkLens;

wkLens wkMakeLens(const wkCamera* camera);

// Where the lens has a slope; false: beyond its limit.
bool wkLens_Bend(const wkLens* lens, wkSlope slope, wkSlope* bent);

// The slope that the lens has there, to full precision; NaN: there is none.
wkSlope wkLens_Unbend(const wkLens* lens, wkSlope bent);

// The same in fewer steps next to an earlier one.
// @param share how many times as long it was, kept from call to call; 1 to start with
wkSlope wkLens_UnbendNear(const wkLens* lens, wkSlope bent, double* share);

// As wkCamera_Project and wkCamera_Unproject.
bool wkLens_Project(const wkLens* lens, wkVec3d point, double* u, double* v);
wkVec3d wkLens_Unproject(const wkLens* lens, double u, double v);

// Up to which length of a slope Brown's model is one to one, never too far.
double wkLimitOfBrown(const double coefficients[8]);

// Up to which angle a fisheye is one to one and looks forward.
double wkLimitOfFisheye(const double coefficients[8]);
