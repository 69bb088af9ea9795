// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Probabilities of normal distributions. Differences of two tails lose digits; their bounds account for it.

#include "math/gaussian.h"

#include "math/vec.h"

#define SQRT_HALF 0.70710678118654752440
#define INVERSE_SQRT_TWO_PI 0.39894228040143267794

static double density(double x)
{
    return INVERSE_SQRT_TWO_PI * exp(-0.5 * x * x);
}

double wkNormalTail(double x)
{
    return 0.5 * erfc(SQRT_HALF * x);
}

double wkChiTail(double x)
{
    // the density of the distance is that of the normal distribution times 2 x^2, integrated by parts
    return x > 0.0 && x < INFINITY ? 2.0 * (wkNormalTail(x) + x * density(x)) : (double)(x <= 0.0);
}

static wkProbability boundsOf(double value, double error)
{
    wkProbability p = {wkClamp(value - error, 0.0, 1.0), wkClamp(value + error, 0.0, 1.0)};
    return p;
}

wkProbability wkSlabProbability(double lower, double upper)
{
    if (!(lower <= upper)) {
        return boundsOf(0.0, 0.0);
    }
    // on the side where the tails are small
    bool isMirrored = lower + upper < 0.0;
    double nearTail = wkNormalTail(isMirrored ? -upper : lower);
    double farTail = wkNormalTail(isMirrored ? -lower : upper);
    return boundsOf(nearTail - farTail, WK_TAIL_ERROR * nearTail);
}

wkProbability wkSphereProbability(double distance, double radius)
{
    if (!(radius >= 0.0)) {
        return boundsOf(0.0, 0.0);
    }
    if (radius - distance > 40.0) { // also where both are infinite by far
        return boundsOf(1.0, 0.0);
    }
    // Nearer to the mean than this, the quotient below loses digits. The probability falls with the
    // distance, by less than a part in 1e7 up to there.
    const double least = 1e-4;
    double a = wkMaxD(distance, least);
    double outer = wkNormalTail(a + radius), inner = wkNormalTail(a - radius);
    double outerDensity = density(a + radius) / a, innerDensity = density(a - radius) / a;
    double value = (inner - outer) + (outerDensity - innerDensity);
    // a few units in the last place of each term, and what the square of an argument adds
    double share = 4e-15 + 1e-15 * (a - radius) * (a - radius);
    wkProbability p = boundsOf(value, share * ((inner + outer) + (innerDensity + outerDensity)));
    if (distance < least) {
        p.upper = boundsOf(1.0 - wkChiTail(radius), WK_TAIL_ERROR).upper;
    }
    return p;
}
