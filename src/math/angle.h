// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Sine, cosine and the angle of a direction, inline. The result has the same bits on every machine, which C
// libraries do not promise, and an error below one unit in the last place.

#include "math/vec.h"

#include <string.h>

#define WK_PI 3.14159265358979323846

// Up to this limit an angle is reduced by quarter turns in three parts. The first two have 33 digits, so that
// their products with the number of quarters, of at most 20 digits, are exact.
#define WK_LARGE_ANGLE 1e6
#define WK_QUARTER_1 0x1.921fb544p+0
#define WK_QUARTER_2 0x1.0b4611a6p-34
#define WK_QUARTER_3 0x1.3198a2e037073p-69
#define WK_QUARTERS_PER_RADIAN 0x1.45f306dc9c883p-1

// Adding this number rounds to an integer, which is left in the last bits.
#define WK_WHOLE_SHIFT 0x1.8p52

// Coefficients of polynomials in the square of an angle, whose error is below 1e-17 up to pi/4: sine is x +
// x^3 (S1 + S2 x^2 ...), and cosine 1 - x^2 / 2 + x^4 (C1 + C2 x^2 ...).
#define WK_SINE_1 (-0x1.5555555555555p-3)
#define WK_SINE_2 0x1.1111111110babp-7
#define WK_SINE_3 (-0x1.a01a019e820aep-13)
#define WK_SINE_4 0x1.71de37946ed6dp-19
#define WK_SINE_5 (-0x1.ae6008d114485p-26)
#define WK_SINE_6 0x1.5e0a4fc16be59p-33
#define WK_COSINE_1 0x1.5555555555555p-5
#define WK_COSINE_2 (-0x1.6c16c16c16963p-10)
#define WK_COSINE_3 0x1.a01a019f4ddfdp-16
#define WK_COSINE_4 (-0x1.27e4fa16cc2d1p-22)
#define WK_COSINE_5 0x1.1eeb67d026ec6p-29
#define WK_COSINE_6 (-0x1.907cd8ff5ede7p-37)

// An angle between -pi/4 and pi/4 as a double and the remainder that the double leaves out.
typedef struct wkSmallAngle {
    double high, low;
    uint64_t quarters; // quarter turns to add; only the last two bits matter
} wkSmallAngle;

// Reduces any finite angle with as many digits of 2/pi as needed (Payne and Hanek 1983); NaN otherwise.
wkSmallAngle wkReduceLargeAngle(double angle);

WK_FORCE_FN wkSmallAngle wkReduceAngle(double angle)
{
    double shifted = angle * WK_QUARTERS_PER_RADIAN + WK_WHOLE_SHIFT;
    double quarters = shifted - WK_WHOLE_SHIFT;
    wkSmallAngle small;
    memcpy(&small.quarters, &shifted, sizeof shifted);

    // the first difference is exact; the rounding error of the second is kept
    double first = angle - quarters * WK_QUARTER_1;
    double second = -quarters * WK_QUARTER_2;
    double sum = first + second, part = sum - first;
    double rest = (first - (sum - part)) + (second - part);
    rest -= quarters * WK_QUARTER_3;
    small.high = sum + rest;
    small.low = (sum - small.high) + rest;
    return small;
}

// Sine and cosine of whole quarters.
static const double wkQuarterTable[4][2] = {{0.0, 1.0}, {1.0, 0.0}, {0.0, -1.0}, {-1.0, 0.0}};

WK_FORCE_FN void wkSinCos(double angle, double* sine, double* cosine)
{
    bool isLarge = !(fabs(angle) < WK_LARGE_ANGLE);
    wkSmallAngle a = WK_UNLIKELY(isLarge) ? wkReduceLargeAngle(angle) : wkReduceAngle(angle);

    // the large terms are added last
    double z = a.high * a.high, zz = z * z;
    double s = (WK_SINE_1 + z * WK_SINE_2) +
               zz * ((WK_SINE_3 + z * WK_SINE_4) + zz * (WK_SINE_5 + z * WK_SINE_6));
    double c = (WK_COSINE_1 + z * WK_COSINE_2) +
               zz * ((WK_COSINE_3 + z * WK_COSINE_4) + zz * (WK_COSINE_5 + z * WK_COSINE_6));
    double half = 0.5 * z, near = 1.0 - half;
    double sinePart = a.high + ((a.high * z) * s + near * a.low);
    double cosinePart = near + (((1.0 - near) - half) + (zz * c - a.high * a.low));

    // rotate by the quarters: products with 0, 1 and -1 are exact, and there is no branch to predict
    const double* quarter = wkQuarterTable[a.quarters & 3];
    *sine = quarter[1] * sinePart + quarter[0] * cosinePart;
    *cosine = quarter[1] * cosinePart - quarter[0] * sinePart;
}

// Returns the angle between the x axis and the point (x, y), both not negative: 0 to pi/2. Zero for the
// origin.
WK_FN double wkArc(double x, double y)
{
    double larger = wkMaxD(x, y), smaller = wkMinD(x, y);
    if (!(larger > 0.0)) {
        return larger;
    }

    // rotate back by a first guess that is good to 1e-5 (Hastings 1955); the remaining angle is small
    double t = smaller / larger, z = t * t;
    double guess =
        t * (0.999866 + z * (-0.3302995 + z * (0.180141 + z * (-0.085133 + z * 0.0208351))));
    double s = 0.0, c = 1.0;
    wkSinCos(guess, &s, &c);
    double left = (t * c - s) / (c + t * s);
    double arc = guess + (left - left * left * left * (1.0 / 3.0));
    return y > x ? 0.5 * WK_PI - arc : arc;
}

// Returns the equivalent angle from -pi to pi, up to rounding.
WK_FN double wkShortestAngle(double angle)
{
    return angle - 2.0 * WK_PI * rint(angle * (0.5 / WK_PI));
}
