// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Probabilities of normal distributions with deviation 1, in one dimension and, with the same deviation in all
// directions, in three.

// Bounds of a probability, 0 to 1.
typedef struct wkProbability {
    double lower;
    double upper;
} wkProbability;

// Relative error of the two tails. The functions of the C library are exact to a few units in the last place,
// and rounding an argument of up to 38 changes its tail by 2e-13.
#define WK_TAIL_ERROR 1e-12

// Returns the probability that a number is above x.
double wkNormalTail(double x);

// Returns the probability that a point in three dimensions is further than x from its mean: 1 for x <= 0.
double wkChiTail(double x);

// Bounds the probability that a number is between two limits, which may be infinite.
wkProbability wkSlabProbability(double lower, double upper);

// Bounds the probability that a point is in a sphere whose centre is `distance` from the mean. A negative radius
// is an empty sphere.
wkProbability wkSphereProbability(double distance, double radius);
