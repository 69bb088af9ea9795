// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Finds where a rim is shallowest against the side of a cylinder or cone. With a rim of radius r about an
// axis (sine, 0, cosine) with its middle at p, the depth along (w cos t, w sin t, u) is, up to a constant,
//
//     r sqrt(1 - m m) - w p.x cos t - w p.y sin t,    m = u cosine + w sine cos t.
//
// With x = cot t its slope, divided by w sin t, is
//
//     e(x) = r sine m / sqrt(1 - m m) + p.x - p.y x.
//
// The first term rises with x, at a rate of r w sine sine q sqrt(q), q = sin^2 t / (1 - m m); and q has one
// maximum, where cos t is u sine / (w cosine) or its inverse, whichever is smaller in magnitude. So e is
// convex up to there and concave from there on, and has at most one falling zero on either side, which is
// where t gives a minimum. Newton's method finds that of the concave part from the right, where e < 0,
// without ever passing it; the convex part is its mirror image.
//
// Only part of it may be normals of the rim. There is a zero between `first` and `last` only where e is
// positive at the first, or rises there, and negative at the last.

#include "math/vec.h"

#include <stdbool.h>

// Limit of Newton steps, and the relative step after which no further one matters.
#define WK_SIDE_STEPS 40
#define WK_SIDE_LAST_STEP 1e-8

// Cotangents from the first on count as infinite; the second replaces an infinite bound.
#define WK_SIDE_STEEP 1e140
#define WK_SIDE_FAR 1e8

typedef struct wkSideRim {
    double along, across; // u and w
    double radius;
    double cosine, sine;
    double px, py;
    double first, firstTerm, firstRate; // x, the first term of e and its rate
    double last, lastTerm;              // x may be infinite
} wkSideRim;

// A position on the circle of a side's normals: x, the first term of e and its rate.
typedef struct wkSidePosition {
    double x;
    double term;
    double rate;
} wkSidePosition;

// Returns the minimum of x cos t + y sin t on the concave part.
WK_FN double wkLeastOnArc(double x, double y, bool isQuarter)
{
    if (y < 0.0 && (x < 0.0 || !isQuarter)) {
        return -sqrt(x * x + y * y);
    }
    return isQuarter ? wkMinD(x, y) : -fabs(x);
}

// Returns false when no minimum of the concave part is below `limit`; `depth` is the constant. Two points of
// the rim prove it: the one furthest along y, and one midway between that and the one along x. On the side of
// a cylinder it is an arc of an ellipse that p would have to be near: no point on its inner side is nearer to
// it than to its chord.
WK_FN bool wkIsSideWorthwhile(const wkSideRim* s, double depth, double limit)
{
    double w = s->across, r = s->radius, half = 0.70710678118654752 * r, spare = limit - depth;
    if (s->along == 0.0) {
        double k = fabs(s->cosine), beyond = r * k - s->px - k * s->py;
        return beyond < 0.0 || (spare > 0.0 && beyond * beyond < spare * spare * (1.0 + k * k));
    }
    bool isQuarter = s->first >= 0.0;
    double first = wkLeastOnArc(-w * s->px, w * (r - s->py), isQuarter);
    double second = wkLeastOnArc(w * (half * s->cosine - s->px), w * (half - s->py), isQuarter);
    return wkMaxD(first, second - half * s->sine * s->along) < spare;
}

// Finds the minimum of the concave part, as cos t and sin t.
// @return false when there is none
WK_FN bool wkSideNormal(const wkSideRim* s, double* cosT, double* sinT)
{
    double u = s->along, w = s->across, slope = w * s->sine, base = u * s->cosine;
    double right = u * s->sine, left = w * s->cosine;
    double rs = s->radius * s->sine, px = s->px, py = s->py;
    double firstE = s->firstTerm + px - py * s->first, firstRate = s->firstRate - py;
    bool isLastBelow = s->last == INFINITY || s->lastTerm + px - py * s->last <= 0.0;
    if ((firstE < 0.0 && firstRate <= 0.0) || !isLastBelow) {
        return false;
    }

    // no zero of e lies to the right of where its first term is replaced by its maximum, or by the tangent at
    // the first
    double x = s->last;
    if (x == INFINITY) {
        double end = fabs(left - right);
        double bound = (rs * (base + slope) + px * end) / (py * end);
        x = bound < WK_SIDE_STEEP ? bound : WK_SIDE_FAR;
    }
    if (firstRate < 0.0) {
        x = wkMinD(x, s->first - firstE / firstRate);
    }
    for (int step = 0; step < WK_SIDE_STEPS && x >= s->first; ++step) {
        double length = sqrt(1.0 + x * x);
        double across = left * x - right * length;
        double square = across * across + w * w; // (1 - m m) / sin^2 t
        double inverse = 1.0 / sqrt(square);
        double e = rs * (base * length + slope * x) * inverse + px - py * x;
        double rate = rs * slope * (inverse * inverse * inverse) - py;
        if (e >= 0.0 && x == WK_SIDE_FAR) {
            *cosT = 1.0, *sinT = 0.0;
            return true;
        }
        if (!(rate < 0.0)) {
            return false;
        }
        double next = x - e / rate;
        bool isLast = fabs(next - x) <= WK_SIDE_LAST_STEP * length;
        x = next;
        if (isLast) {
            *sinT = 1.0 / sqrt(1.0 + x * x);
            *cosT = x * *sinT;
            return true;
        }
    }
    return false;
}
