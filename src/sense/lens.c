// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Distorts slopes, and undistorts them by Newton's method with bounds.

#include "sense/lens.h"

#include "math/angle.h"

#include "whisker/detail/counts.h"

#define MAX_NEWTON 100
#define MAX_HALVINGS 40
// Residual at which an equation counts as solved, and the residual that rounding leaves.
#define SOLVED 1e-12
#define ROUNDING 4e-16
// Near the solution, the error after a Newton step is about the square of the step.
#define LAST_STEP 1e-9

// An increasing function of one number and its derivative.
typedef double growthFcn(const double* k, double x, double* derivative);

// Brown: the radial part for a slope of length `r`, with the rational model.
static double radialBrown(const double* k, double r, double* derivative)
{
    double t = r * r;
    double over = 1.0 + t * (k[0] + t * (k[1] + t * k[4]));
    double under = 1.0 + t * (k[5] + t * (k[6] + t * k[7]));
    double overRise = k[0] + t * (2.0 * k[1] + t * 3.0 * k[4]);
    double underRise = k[5] + t * (2.0 * k[6] + t * 3.0 * k[7]);
    double inverse = 1.0 / under, share = over * inverse;
    *derivative = share + 2.0 * t * (overRise - share * underRise) * inverse;
    return r * share;
}

// Fisheye: the radial part for an angle.
static double radialFisheye(const double* k, double angle, double* derivative)
{
    double t = angle * angle;
    *derivative = 1.0 + t * (3.0 * k[0] + t * (5.0 * k[1] + t * (7.0 * k[2] + t * 9.0 * k[3])));
    return angle * (1.0 + t * (k[0] + t * (k[1] + t * (k[2] + t * k[3]))));
}

// Solves an increasing function on 0 … `limit` for a value, from a guess on; NaN: no solution.
WK_FORCE_FN double solveGrowth(growthFcn* fcn, const double* k, double value, double guess,
                               double limit)
{
    double rise = 0.0;
    double low = 0.0, high = limit, x = wkMinD(guess, limit);
    for (int i = 0; i < MAX_NEWTON; ++i) {
        double left = value - fcn(k, x, &rise);
        low = left >= 0.0 ? x : low;
        high = left <= 0.0 ? x : high;
        double next = x + left / rise;
        next = next >= low && next <= high ? next : 0.5 * (low + high);
        double step = fabs(next - x);
        x = next;
        if (step <= LAST_STEP * x && fabs(left) <= LAST_STEP * value) {
            break;
        }
    }
    // values beyond that at the limit converge to the limit
    return x < 0.999 * limit || value <= fcn(k, limit, &rise) ? x : NAN;
}

static double lengthOf(wkSlope s)
{
    return sqrt(s.x * s.x + s.y * s.y);
}

static wkSlope scaled(double factor, wkSlope s)
{
    wkSlope product = {factor * s.x, factor * s.y};
    return product;
}

// A symmetric matrix.
typedef struct gradient {
    double xx, xy, yy;
} gradient;

static wkSlope bendBrown(const double* k, wkSlope s, gradient* g)
{
    double r = lengthOf(s), rise = 1.0;
    double bent = radialBrown(k, r, &rise);
    double share = r > 0.0 ? bent / r : 1.0, more = r > 0.0 ? (rise - share) / (r * r) : 0.0;
    double p1 = k[2], p2 = k[3], xy = s.x * s.y, xx = s.x * s.x, yy = s.y * s.y;
    g->xx = share + more * xx + 2.0 * p1 * s.y + 6.0 * p2 * s.x;
    g->xy = more * xy + 2.0 * p1 * s.x + 2.0 * p2 * s.y;
    g->yy = share + more * yy + 6.0 * p1 * s.y + 2.0 * p2 * s.x;
    wkSlope sum = {s.x * share + 2.0 * p1 * xy + p2 * (3.0 * xx + yy),
                   s.y * share + p1 * (xx + 3.0 * yy) + 2.0 * p2 * xy};
    return sum;
}

static wkSlope minus(wkSlope a, wkSlope b)
{
    wkSlope difference = {a.x - b.x, a.y - b.y};
    return difference;
}

// Clamps a slope to the disc up to the limit.
static wkSlope pulledIn(wkSlope s, double limit)
{
    double length = lengthOf(s);
    return length > limit ? scaled(limit / length * (1.0 - 1e-15), s) : s;
}

// Makes a Newton step, shortened until the residual decreases. @return whether it did
static bool stepBrown(const wkLens* lens, wkSlope aim, wkSlope* at, wkSlope* left, gradient* g)
{
    const double* k = lens->camera.coefficients;
    double size = g->xx * g->yy - g->xy * g->xy;
    wkSlope step = {(g->yy * left->x - g->xy * left->y) / size,
                    (g->xx * left->y - g->xy * left->x) / size};
    double share = 1.0;
    for (int i = 0; i < MAX_HALVINGS; ++i) {
        wkSlope next = {at->x + share * step.x, at->y + share * step.y};
        next = pulledIn(next, lens->limit);
        gradient there;
        wkSlope rest = minus(aim, bendBrown(k, next, &there));
        if (lengthOf(rest) < lengthOf(*left)) {
            *at = next;
            *left = rest;
            *g = there;
            return true;
        }
        share *= 0.5;
    }
    return false;
}

static wkSlope unbendRadial(const wkLens* lens, wkSlope aim, double* share)
{
    double length = lengthOf(aim);
    double r =
        solveGrowth(radialBrown, lens->camera.coefficients, length, *share * length, lens->limit);
    double found = r / length;
    *share = found > 0.0 ? found : 1.0;
    return length > 0.0 ? scaled(found, aim) : aim;
}

static wkSlope unbendBrown(const wkLens* lens, wkSlope aim, double* share)
{
    const double* k = lens->camera.coefficients;
    if (k[2] == 0.0 && k[3] == 0.0) {
        return unbendRadial(lens, aim, share);
    }
    double length = lengthOf(aim);
    wkSlope at = pulledIn(scaled(*share, aim), lens->limit);
    gradient g;
    wkSlope left = minus(aim, bendBrown(k, at, &g));
    for (int i = 0; i < MAX_NEWTON && lengthOf(left) > ROUNDING * length; ++i) {
        if (!stepBrown(lens, aim, &at, &left, &g)) {
            break;
        }
    }
    bool isSolved = lengthOf(left) <= SOLVED * (1.0 + length);
    *share = isSolved && length > 0.0 ? lengthOf(at) / length : 1.0;
    return isSolved ? at : scaled(NAN, aim);
}

static bool bendByBrown(const wkLens* lens, wkSlope s, wkSlope* bent)
{
    gradient g;
    *bent = bendBrown(lens->camera.coefficients, s, &g);
    return lengthOf(s) <= lens->limit;
}

static bool bendByFisheye(const wkLens* lens, wkSlope s, wkSlope* bent)
{
    double r = lengthOf(s), rise = 0.0;
    double angle = wkArc(1.0, r);
    double radius = radialFisheye(lens->camera.coefficients, angle, &rise);
    *bent = scaled(r > 0.0 ? radius / r : 1.0, s);
    return angle <= lens->limit;
}

static wkSlope unbendFisheye(const wkLens* lens, wkSlope aim, double* share)
{
    double length = lengthOf(aim), sine = 0.0, cosine = 1.0;
    double angle =
        solveGrowth(radialFisheye, lens->camera.coefficients, length, *share * length, lens->limit);
    double found = angle / length;
    *share = found > 0.0 ? found : 1.0;
    wkSinCos(angle, &sine, &cosine);
    return length > 0.0 ? scaled(sine / (cosine * length), aim) : aim;
}

static bool bendNothing(const wkLens* lens, wkSlope s, wkSlope* bent)
{
    (void)lens;
    *bent = s;
    return true;
}

static wkSlope unbendNothing(const wkLens* lens, wkSlope aim, double* share)
{
    (void)lens;
    (void)share;
    return aim;
}

static double noLimit(const double coefficients[8])
{
    (void)coefficients;
    return INFINITY;
}

typedef struct model {
    double (*limit)(const double coefficients[8]);
    bool (*bend)(const wkLens* lens, wkSlope s, wkSlope* bent);
    wkSlope (*unbend)(const wkLens* lens, wkSlope aim, double* share);
} model;

// clang-format off
static const model models[WK_DISTORTION_COUNT] = {
    [wk_distortionNone]    = {noLimit,          bendNothing,   unbendNothing},
    [wk_distortionBrown]   = {wkLimitOfBrown,   bendByBrown,   unbendBrown},
    [wk_distortionFisheye] = {wkLimitOfFisheye, bendByFisheye, unbendFisheye},
};
// clang-format on

wkLens wkMakeLens(const wkCamera* camera)
{
    wkLens lens = {*camera, models[camera->distortion].limit(camera->coefficients)};
    return lens;
}

bool wkLens_Bend(const wkLens* lens, wkSlope slope, wkSlope* bent)
{
    bool isDefined = models[lens->camera.distortion].bend(lens, slope, bent);
    return isDefined && isfinite(bent->x) && isfinite(bent->y);
}

wkSlope wkLens_UnbendNear(const wkLens* lens, wkSlope bent, double* share)
{
    return models[lens->camera.distortion].unbend(lens, bent, share);
}

wkSlope wkLens_Unbend(const wkLens* lens, wkSlope bent)
{
    double share = 1.0;
    return wkLens_UnbendNear(lens, bent, &share);
}

bool wkLens_Project(const wkLens* lens, wkVec3d point, double* u, double* v)
{
    const wkCamera* c = &lens->camera;
    wkSlope slope = {point.x / point.z, point.y / point.z}, bent = {NAN, NAN};
    bool isInView = point.z > 0.0 && wkLens_Bend(lens, slope, &bent);
    *u = isInView ? c->fx * bent.x + c->cx : NAN;
    *v = isInView ? c->fy * bent.y + c->cy : NAN;
    return isInView;
}

wkVec3d wkLens_Unproject(const wkLens* lens, double u, double v)
{
    const wkCamera* c = &lens->camera;
    wkSlope bent = {(u - c->cx) / c->fx, (v - c->cy) / c->fy};
    wkSlope slope = wkLens_Unbend(lens, bent);
    bool isInView = isfinite(slope.x) && isfinite(slope.y);
    return isInView ? wkVec(slope.x, slope.y, 1.0) : wkVec(NAN, NAN, NAN);
}
