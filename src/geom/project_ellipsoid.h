// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Closest point of an ellipsoid. With semi-axes a the closest point x to p satisfies x_i = a_i^2
// g_i, g_i = p_i / (t + a_i^2), where t > -min(a)^2 solves |q(t)| = 1, q_i = a_i g_i; t > 0
// outside, t < 0 inside. Then p - x = t g: normal and distance come without cancellation. 1 /
// |q(t)| is increasing, concave and nearly straight (the secular equation of trust regions; Conn,
// Gould, Toint 2000, section 7.3): Halley's method from the left finds t in two or three steps.

#include "geom/convex.h"

// Near the middle plane a step only triples s, so more than the typical three steps are needed; 8 was the
// largest number observed.
#define WK_ELLIPSOID_MAX_STEPS 40

// Radii below this share of the largest one are lost in double precision, and below this length their powers
// underflow: the ellipsoid is flat.
#define WK_ELLIPSOID_FLAT_RATIO 1e-20
#define WK_ELLIPSOID_FLAT_RADIUS 1e-30

// A coordinate below this share of its radius counts as zero.
#define WK_ELLIPSOID_CENTRED_RATIO 1e-18

// Solves sum (a_i p_i / (s + e_i))^2 = 1 for s; `ap` holds the products, >= 0, and the sum exceeds 1 at s =
// 0. s stands for t + min(a)^2, which keeps its digits near the pole.
WK_FN double wkEllipsoidRoot(wkVec3d ap, wkVec3d e)
{
    // each term alone gives a lower bound of the root, and so does their sum over the largest divisor
    double largest = wkMaxD(wkMaxD(e.x, e.y), e.z);
    double s = wkMaxD(wkMaxD(ap.x - e.x, ap.y - e.y), ap.z - e.z);
    s = wkMaxD(wkMaxD(s, wkLength(ap) - largest), 0.0);

    // terms without weight must not divide zero by zero
    e.x = ap.x > 0.0 ? e.x : 1.0;
    e.y = ap.y > 0.0 ? e.y : 1.0;
    e.z = ap.z > 0.0 ? e.z : 1.0;

    double start = s;
    for (int i = 0; i < WK_ELLIPSOID_MAX_STEPS; ++i) {
        wkVec3d w = wkVec(1.0 / (s + e.x), 1.0 / (s + e.y), 1.0 / (s + e.z));
        wkVec3d q = wkMulVec(ap, w);
        wkVec3d square = wkMulVec(q, q);
        wkVec3d slope = wkMulVec(square, w);
        double sum = square.x + square.y + square.z;
        double slopeSum = slope.x + slope.y + slope.z;
        double excess = sqrt(sum) - 1.0;
        // Halley's step for 1 / |q|; without the second-order term it would be Newton's
        double slopeSquared = slopeSum * slopeSum;
        double bend = 1.5 * excess * (sum * wkDot(slope, w) - slopeSquared);
        double step = excess * sum * slopeSum / wkMaxD(slopeSquared - bend, 0.25 * slopeSquared);
        s = wkMaxD(s + step, start);
        // cubic convergence: this step was the last one needed, or rounding dominates
        if (!(fabs(step) > 1e-5 * s) || !(fabs(excess) > 1e-15)) {
            break;
        }
    }
    return s;
}

// Projects onto the flat ellipse, segment or point that remains when some radii are zero.
WK_FN wkProjection wkProjectFlatEllipsoid(wkVec3d radii, wkVec3d point)
{
    bool hasX = radii.x > 0.0, hasY = radii.y > 0.0, hasZ = radii.z > 0.0;
    wkVec3d ratio = wkVec(hasX ? point.x / radii.x : 0.0, hasY ? point.y / radii.y : 0.0,
                          hasZ ? point.z / radii.z : 0.0);
    wkVec3d across = wkVec(hasX ? 0.0 : 1.0, hasY ? 0.0 : 1.0, hasZ ? 0.0 : 1.0);
    wkVec3d axis = wkVec(0.0, 0.0, 1.0);
    if (hasZ) {
        axis = hasY ? wkVec(1.0, 0.0, 0.0) : wkVec(0.0, 1.0, 0.0);
    }

    wkVec3d gap = wkMulVec(across, point);
    if (wkDot(ratio, ratio) > 1.0) {
        // beyond the rim; where radii are zero the closest point has a zero coordinate
        wkVec3d squares = wkMulVec(radii, radii);
        double t = wkEllipsoidRoot(wkAbs(wkMulVec(radii, point)), squares);
        wkVec3d inPlane =
            wkVec(hasX ? point.x / (t + squares.x) : 0.0, hasY ? point.y / (t + squares.y) : 0.0,
                  hasZ ? point.z / (t + squares.z) : 0.0);
        axis = wkNormalizeOr(inPlane, axis);
        gap = wkMulAdd(gap, t, inPlane);
    }
    wkProjection projection = {wkLength(gap), wkSub(point, gap), axis};
    if (projection.distance > 1e-140) {
        projection.normal = wkScale(1.0 / projection.distance, gap);
    }
    return projection;
}

// Handles a point in the middle plane of the shortest axis, so close to the centre that both ends of that
// axis are the way out; `side` chooses one. Returns false when it is not that close.
WK_FN bool wkProjectFromMiddle(wkVec3d radii, wkVec3d point, wkVec3d e, double side,
                               wkProjection* projection)
{
    double shortest = wkMinD(wkMinD(radii.x, radii.y), radii.z);
    bool isX = radii.x == shortest, isY = !isX && radii.y == shortest, isZ = !isX && !isY;
    wkVec3d g = wkVec(isX || point.x == 0.0 ? 0.0 : point.x / e.x,
                      isY || point.y == 0.0 ? 0.0 : point.y / e.y,
                      isZ || point.z == 0.0 ? 0.0 : point.z / e.z);
    wkVec3d q = wkMulVec(radii, g);
    double rest = 1.0 - wkDot(q, q);
    if (!(rest >= 0.0)) {
        return false;
    }
    double end = copysign(sqrt(rest) / shortest, side);
    g = wkVec(isX ? end : g.x, isY ? end : g.y, isZ ? end : g.z);
    double length = wkLength(g);
    projection->distance = -shortest * shortest * length;
    projection->point = wkMulVec(wkMulVec(radii, radii), g);
    projection->normal = wkScale(1.0 / length, g);
    return true;
}

WK_FN wkProjection wkProjectEllipsoid(const wkShape* shape, wkVec3d point)
{
    wkVec3d radii = shape->ellipsoid.radii;
    double shortest = wkMinD(wkMinD(radii.x, radii.y), radii.z);
    double longest = wkMaxD(wkMaxD(radii.x, radii.y), radii.z);
    double thinnest = wkMaxD(WK_ELLIPSOID_FLAT_RATIO * longest, WK_ELLIPSOID_FLAT_RADIUS);
    if (WK_UNLIKELY(shortest <= thinnest)) {
        wkVec3d flat = wkVec(radii.x > thinnest ? radii.x : 0.0, radii.y > thinnest ? radii.y : 0.0,
                             radii.z > thinnest ? radii.z : 0.0);
        return wkProjectFlatEllipsoid(flat, point);
    }

    // squares minus that of the shortest
    wkVec3d e = wkVec((radii.x - shortest) * (radii.x + shortest),
                      (radii.y - shortest) * (radii.y + shortest),
                      (radii.z - shortest) * (radii.z + shortest));
    double middle = radii.x == shortest ? point.x : radii.y == shortest ? point.y : point.z;
    if (WK_UNLIKELY(fabs(middle) <= WK_ELLIPSOID_CENTRED_RATIO * shortest)) {
        point.x = fabs(point.x) > WK_ELLIPSOID_CENTRED_RATIO * shortest ? point.x : 0.0;
        point.y = fabs(point.y) > WK_ELLIPSOID_CENTRED_RATIO * shortest ? point.y : 0.0;
        point.z = fabs(point.z) > WK_ELLIPSOID_CENTRED_RATIO * shortest ? point.z : 0.0;
        wkProjection projection;
        if (wkProjectFromMiddle(radii, point, e, middle, &projection)) {
            return projection;
        }
    }

    double s = wkEllipsoidRoot(wkAbs(wkMulVec(radii, point)), e);
    double t = s - shortest * shortest;
    // in a middle plane s may be zero, and zero over zero stays zero
    wkVec3d g = wkVec(point.x != 0.0 ? point.x / (s + e.x) : 0.0,
                      point.y != 0.0 ? point.y / (s + e.y) : 0.0,
                      point.z != 0.0 ? point.z / (s + e.z) : 0.0);
    double length = wkLength(g);
    wkProjection projection = {t * length, wkMulVec(wkMulVec(radii, radii), g),
                               wkScale(1.0 / length, g)};
    return projection;
}
