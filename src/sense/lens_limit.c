// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The range in which distortion models are one to one.
//
// Brown's model is the gradient of a function of the slope: its derivative is a symmetric matrix. Where that
// is positive definite in a disc, no two slopes of the disc map to one. With g(r) the radial part and P the
// length of the tangential factors, its eigenvalues are at least the lesser of g'(r) and g(r) / r, minus 6 P
// r. Polynomials in r, which are 1 at zero, express that they stay above zero: the model is valid up to their
// first roots.

#include "sense/lens.h"

#include "math/angle.h"

#define MAX_TERMS 14
#define MAX_STEPS 200
// Relative precision of roots; the limit stays below them by the same share.
#define ROOT_SHARE 1e-10

// Coefficients from the constant one on.
typedef struct polynomial {
    double terms[MAX_TERMS];
    int count;
} polynomial;

// Returns the polynomial in x - at (Horner).
static polynomial shifted(const polynomial* p, double at)
{
    polynomial q = *p;
    for (int i = 0; i + 1 < q.count; ++i) {
        for (int k = q.count - 2; k >= i; --k) {
            q.terms[k] += at * q.terms[k + 1];
        }
    }
    return q;
}

// Returns whether the negative terms cannot outweigh the constant one within `step`.
static bool isSafeStep(const polynomial* p, double step)
{
    double loss = 0.0;
    for (int i = p->count - 1; i >= 1; --i) {
        loss = (loss + wkPositive(-p->terms[i])) * step;
    }
    return loss < p->terms[0];
}

// Returns a step from zero that meets no root, nearly the longest that this test accepts.
static double safeStep(const polynomial* p)
{
    double step = 1.0;
    if (isSafeStep(p, step)) {
        while (step < WK_STEEPEST_SLOPE && isSafeStep(p, 2.0 * step)) {
            step *= 2.0;
        }
    } else {
        while (step > 1e-20 && !isSafeStep(p, step)) {
            step *= 0.5;
        }
    }
    double low = isSafeStep(p, step) ? step : 0.0, high = 2.0 * step;
    for (int i = 0; i < 8; ++i) {
        double middle = 0.5 * (low + high);
        bool isSafe = isSafeStep(p, middle);
        low = isSafe ? middle : low;
        high = isSafe ? high : middle;
    }
    return low;
}

// Returns a value just before the first root above zero, or `farthest` where there is none before: steps that
// meet no root become short next to one.
static double lastBeforeRoot(const polynomial* p, double farthest)
{
    double at = 0.0;
    for (int i = 0; i < MAX_STEPS && at < farthest; ++i) {
        polynomial here = shifted(p, at);
        double step = safeStep(&here);
        if (!(step > ROOT_SHARE * at)) {
            break;
        }
        at += step;
    }
    return at < farthest ? at * (1.0 - ROOT_SHARE) : farthest;
}

double wkLimitOfBrown(const double k[8])
{
    const double over[4] = {1.0, k[0], k[1], k[4]}, under[4] = {1.0, k[5], k[6], k[7]};
    double tangential = 6.0 * sqrt(k[2] * k[2] + k[3] * k[3]);
    polynomial divisor = {.count = 7}, across = {.count = 8}, along = {.count = MAX_TERMS};
    for (int i = 0; i < 4; ++i) {
        divisor.terms[2 * i] = under[i];
        across.terms[2 * i] = over[i];
        across.terms[2 * i + 1] = -tangential * under[i];
        for (int m = 0; m < 4; ++m) {
            along.terms[2 * (i + m)] += over[i] * under[m] * (1 + 2 * i - 2 * m);
            along.terms[2 * (i + m) + 1] -= tangential * under[i] * under[m];
        }
    }
    double limit = lastBeforeRoot(&divisor, WK_STEEPEST_SLOPE);
    limit = lastBeforeRoot(&across, limit);
    return lastBeforeRoot(&along, limit);
}

double wkLimitOfFisheye(const double k[8])
{
    polynomial slope = {
        .terms =
            {[0] = 1.0, [2] = 3.0 * k[0], [4] = 5.0 * k[1], [6] = 7.0 * k[2], [8] = 9.0 * k[3]},
        .count = 9};
    return lastBeforeRoot(&slope, 0.5 * WK_PI * (1.0 - 1.0 / WK_STEEPEST_SLOPE));
}
