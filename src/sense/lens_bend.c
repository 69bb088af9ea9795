// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Bounds on the second derivatives of lenses.
//
// A function f differs from its bilinear interpolation over a cell of side h by at most h^2 / 8 times the
// largest |f_uu| plus the largest |f_vv| in the cell.
//
// Lenses are radial except for the tangential part of Brown's model, whose second derivatives are constant.
// Let a slope of length r and direction (c, s) be bent to length p(r), and let A = p'' and
// B = (p' - p / r) / r. The bent x has f_xx = c (3 B s^2 + A c^2) and f_yy = c (B (1 - 3 s^2) + A s^2).
// The largest |c s^2| is 2 / (3 sqrt 3), and those of c^3 and c (1 - 3 s^2) are 1, so that
//
//     |f_xx| <= |A| + 3 M |B|,    |f_yy| <= M |A| + |B|,    M = 2 / (3 sqrt 3),
//
// and the same for the bent y with x and y exchanged. It remains to bound |A| and |B| over intervals of r.
//
// Brown: p = r g(t) with t = r^2 and g = N / D, two cubics. B = 2 r g', A = r (6 g' + 4 t g''). The cubics
// are enclosed by their finite Taylor polynomials about the middle of the interval.
//
// Fisheye: p = P(w) with w = atan r. A = cos^3 w (cos w P'' - 2 sin w P'). B = cos^2 w Q / sin^2 w with
// Q = sin w cos w P' - P; Q(0) = 0 and Q' = sin w cos w P'' - 2 sin^2 w P', so that |Q| is at most
// w^3 (2 max |P'| + max |P'' / w|) / 3 and |B| at most w / 3 times that sum, over all angles up to w.
//
// Intervals whose bound is far above the value in the middle are halved.

#include "sense/lens_bend.h"

#include "math/angle.h"

#include "whisker/detail/counts.h"

#include <float.h>

// 2 / (3 sqrt 3), rounded up.
#define LARGEST_CSS 0.3849001795
// A bound is accepted when it exceeds the value in the middle by at most this share and pixels.
#define FINE_SHARE 1.2
#define FINE_PIXELS 2e-3
// Maximum halvings of an interval, and maximum intervals in all, after which a bound is accepted as it is.
#define MAX_DEPTH 24
#define MAX_INTERVALS 4096
// Rounding of a few dozen operations, as a share of the largest input.
#define ROUNDING 1e-13
// Error of projecting the vertices of cells, in pixels, in addition to a share of their coordinates.
#define PIXEL_ROUNDING 1e-9

typedef struct interval {
    double low, high;
} interval;

static interval widened(double low, double high)
{
    double slack = ROUNDING * (fabs(low) + fabs(high)) + DBL_MIN;
    interval made = {low - slack, high + slack};
    return made;
}

static interval plus(interval a, interval b)
{
    return widened(a.low + b.low, a.high + b.high);
}

static interval minus(interval a, interval b)
{
    return widened(a.low - b.high, a.high - b.low);
}

static interval times(interval a, interval b)
{
    double p = a.low * b.low, q = a.low * b.high, r = a.high * b.low, s = a.high * b.high;
    return widened(wkMinD(wkMinD(p, q), wkMinD(r, s)), wkMaxD(wkMaxD(p, q), wkMaxD(r, s)));
}

static interval scaled(double factor, interval a)
{
    interval f = {factor, factor};
    return times(f, a);
}

// Returns all numbers when the divisor may be zero.
static interval over(interval a, interval b)
{
    if (!(b.low > 0.0)) {
        interval all = {-INFINITY, INFINITY};
        return all;
    }
    interval inverse = widened(1.0 / b.high, 1.0 / b.low);
    return times(a, inverse);
}

static double largest(interval a)
{
    double size = wkMaxD(fabs(a.low), fabs(a.high));
    return size == size ? size : INFINITY;
}

// A function with its first and second derivative over an interval.
typedef struct enclosure {
    interval value, first, second;
} enclosure;

static interval about(double middle, double reach, double size)
{
    double slack = ROUNDING * size + reach;
    interval made = {middle - slack, middle + slack};
    return made;
}

// Encloses a polynomial of degree `count` - 1 within `half` of a point. Terms of the Taylor polynomial are
// sums of terms no larger than `size`.
static enclosure enclose(const double* terms, int count, double middle, double half)
{
    double shifted[10] = {0.0}, sizes[10] = {0.0}, away = fabs(middle);
    for (int i = 0; i < count; ++i) {
        shifted[i] = terms[i];
        sizes[i] = fabs(terms[i]);
    }
    for (int i = 0; i + 1 < count; ++i) {
        for (int k = count - 2; k >= i; --k) {
            shifted[k] += middle * shifted[k + 1];
            sizes[k] += away * sizes[k + 1];
        }
    }
    double reach[3] = {0.0, 0.0, 0.0}, power = half; // powers of `half` for the second derivative
    for (int i = 1; i < count; ++i) {
        double size = fabs(shifted[i]) + ROUNDING * sizes[i];
        double twoLess = i > 2 ? power : 0.0, oneLess = i > 2 ? power * half : half;
        reach[0] += size * (i > 1 ? oneLess * half : half);
        reach[1] += i > 1 ? i * size * oneLess : 0.0;
        reach[2] += i * (i - 1) * size * twoLess;
        power *= i > 2 ? half : 1.0;
    }
    enclosure e = {about(shifted[0], reach[0], sizes[0]), about(shifted[1], reach[1], sizes[1]),
                   about(2.0 * shifted[2], reach[2], 2.0 * sizes[2])};
    return e;
}

// |A| and |B| over an interval of lengths.
typedef struct bend {
    double radial, across;
} bend;

static bend bendOfBrown(const double* k, double from, double to)
{
    double low = from * from, high = to * to;
    double middle = 0.5 * (low + high), half = 0.5 * (high - low) * (1.0 + ROUNDING) + DBL_MIN;
    const double overTerms[4] = {1.0, k[0], k[1], k[4]}, underTerms[4] = {1.0, k[5], k[6], k[7]};
    enclosure n = enclose(overTerms, 4, middle, half), d = enclose(underTerms, 4, middle, half);
    interval g = over(n.value, d.value);
    interval first = over(minus(n.first, times(g, d.first)), d.value);
    interval second = over(
        minus(minus(n.second, scaled(2.0, times(first, d.first))), times(g, d.second)), d.value);
    interval t = {low, high};
    interval along = plus(scaled(6.0, first), scaled(4.0, times(t, second)));
    bend found = {to * largest(along), 2.0 * to * largest(first)};
    return found;
}

static bend bendOfFisheye(const double* k, double from, double to)
{
    // an angle grows slower than its tangent, and the rounding is less than this
    double low = wkArc(1.0, from) * (1.0 - ROUNDING), high = wkArc(1.0, to) * (1.0 + ROUNDING);
    double middle = 0.5 * (low + high), half = 0.5 * (high - low) * (1.0 + ROUNDING) + DBL_MIN;
    const double terms[10] = {0.0, 1.0, 0.0, k[0], 0.0, k[1], 0.0, k[2], 0.0, k[3]};
    enclosure p = enclose(terms, 10, middle, half);
    double sineLow = 0.0, sineHigh = 0.0, cosineLow = 1.0, cosineHigh = 1.0;
    wkSinCos(low, &sineLow, &cosineHigh);
    wkSinCos(high, &sineHigh, &cosineLow);
    interval sine = widened(sineLow, sineHigh), cosine = widened(cosineLow, cosineHigh);
    interval along = minus(times(cosine, p.second), scaled(2.0, times(sine, p.first)));
    // sums of the absolute values of all terms bound P' and P'' / w up to here
    double t = high * high;
    double slope =
        1.0 + t * (3.0 * fabs(k[0]) +
                   t * (5.0 * fabs(k[1]) + t * (7.0 * fabs(k[2]) + t * 9.0 * fabs(k[3]))));
    double curve = 6.0 * fabs(k[0]) +
                   t * (20.0 * fabs(k[1]) + t * (42.0 * fabs(k[2]) + t * 72.0 * fabs(k[3])));
    bend found = {cosineHigh * cosineHigh * cosineHigh * largest(along),
                  high * (2.0 * slope + curve) / 3.0};
    // w / tan w decreases
    double share = low > 0.0 ? low * cosineHigh / sineLow : 1.0;
    found.across *= wkMinD(share * share, 1.0) * (1.0 + ROUNDING);
    return found;
}

static bend noBend(const double* k, double from, double to)
{
    (void)k;
    (void)from;
    (void)to;
    bend none = {0.0, 0.0};
    return none;
}

typedef bend bendFcn(const double* k, double from, double to);

static bendFcn* const bendFcns[WK_DISTORTION_COUNT] = {
    [wk_distortionNone] = noBend,
    [wk_distortionBrown] = bendOfBrown,
    [wk_distortionFisheye] = bendOfFisheye,
};

// Pixels per unit of each second derivative of the bent x and y.
typedef struct pixelBend {
    bendFcn* fcn;
    const double* k;
    double xx, xy; // of the bent x along u and v
    double yx, yy; // of the bent y along u and v
    double tangential;
    int intervalCount; // so far
} pixelBend;

static double slackOf(const pixelBend* p, double from, double to)
{
    bend b = p->fcn(p->k, from, to);
    double straight = b.radial + 3.0 * LARGEST_CSS * b.across;
    double crossed = LARGEST_CSS * b.radial + b.across;
    double slack = wkMaxD(p->xx * straight + p->xy * crossed, p->yx * crossed + p->yy * straight);
    slack = slack * (1.0 + ROUNDING) + p->tangential;
    return slack == slack ? slack : INFINITY;
}

// Returns the bound over an interval, by halves where it is far above the value in the middle.
// @param bound of the interval nearer to the middle of the image
static double boundOver(pixelBend* p, double from, double to, double bound)
{
    double starts[MAX_DEPTH + 2], ends[MAX_DEPTH + 2];
    int depths[MAX_DEPTH + 2], count = 1;
    starts[0] = from;
    ends[0] = to;
    depths[0] = 0;
    while (count > 0) {
        --count;
        double start = starts[count], end = ends[count], middle = 0.5 * (start + end);
        int depth = depths[count];
        double here = slackOf(p, start, end), inside = slackOf(p, middle, middle);
        // a value found elsewhere justifies a bound as well as the one here
        bool isFine = here <= FINE_SHARE * wkMaxD(inside, bound) + FINE_PIXELS;
        if (isFine || depth == MAX_DEPTH || ++p->intervalCount > MAX_INTERVALS) {
            bound = wkMaxD(bound, here);
            continue;
        }
        starts[count] = middle;
        ends[count] = end;
        depths[count++] = depth + 1;
        starts[count] = start;
        ends[count] = middle;
        depths[count++] = depth + 1;
    }
    return bound;
}

wkBendBounds wkBoundBending(const wkLens* lens, const wkCamera* straight, double cell,
                            double longest)
{
    const wkCamera* c = &lens->camera;
    double eighth = cell * cell / 8.0;
    double alongU = eighth / (straight->fx * straight->fx);
    double alongV = eighth / (straight->fy * straight->fy);
    pixelBend p = {
        .fcn = bendFcns[c->distortion],
        .k = c->coefficients,
        .xx = c->fx * alongU,
        .xy = c->fx * alongV,
        .yx = c->fy * alongU,
        .yy = c->fy * alongV,
    };
    if (c->distortion == wk_distortionBrown) {
        double p1 = fabs(c->coefficients[2]), p2 = fabs(c->coefficients[3]);
        p.tangential = wkMaxD(p.xx * 6.0 * p2 + p.xy * 2.0 * p2, p.yx * 2.0 * p1 + p.yy * 6.0 * p1);
    }
    wkBendBounds bounds = {.perSlope = WK_BEND_RINGS / longest};
    double most = 0.0;
    for (int i = 0; i <= WK_BEND_RINGS; ++i) {
        // rings overlap by more than rounding can move a slope; the last ring has no width
        double from = longest * i / WK_BEND_RINGS * (1.0 - ROUNDING);
        double to = longest * (i < WK_BEND_RINGS ? i + 1 : i) / WK_BEND_RINGS * (1.0 + ROUNDING);
        most = boundOver(&p, from, to, most);
        bounds.slack[i] = most + PIXEL_ROUNDING * (1.0 + (double)c->width + (double)c->height);
    }
    return bounds;
}
