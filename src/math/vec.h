// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Vector functions. Short names, because formulas are read more often than they are written.

#include "base/compiler.h"
#include "whisker/math.h"

#include <math.h>

WK_FN wkVec3d wkVec(double x, double y, double z)
{
    wkVec3d v = {x, y, z};
    return v;
}

WK_FN wkVec3d wkAdd(wkVec3d a, wkVec3d b)
{
    return wkVec(a.x + b.x, a.y + b.y, a.z + b.z);
}

WK_FN wkVec3d wkSub(wkVec3d a, wkVec3d b)
{
    return wkVec(a.x - b.x, a.y - b.y, a.z - b.z);
}

WK_FN wkVec3d wkNeg(wkVec3d a)
{
    return wkVec(-a.x, -a.y, -a.z);
}

WK_FN wkVec3d wkScale(double s, wkVec3d a)
{
    return wkVec(s * a.x, s * a.y, s * a.z);
}

// a + s * b
WK_FN wkVec3d wkMulAdd(wkVec3d a, double s, wkVec3d b)
{
    return wkVec(a.x + s * b.x, a.y + s * b.y, a.z + s * b.z);
}

// a - s * b
WK_FN wkVec3d wkMulSub(wkVec3d a, double s, wkVec3d b)
{
    return wkVec(a.x - s * b.x, a.y - s * b.y, a.z - s * b.z);
}

// Component-wise product.
WK_FN wkVec3d wkMulVec(wkVec3d a, wkVec3d b)
{
    return wkVec(a.x * b.x, a.y * b.y, a.z * b.z);
}

WK_FN double wkDot(wkVec3d a, wkVec3d b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

WK_FN wkVec3d wkCross(wkVec3d a, wkVec3d b)
{
    return wkVec(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

WK_FN double wkLengthSquared(wkVec3d a)
{
    return wkDot(a, a);
}

WK_FN double wkLength(wkVec3d a)
{
    return sqrt(wkDot(a, a));
}

WK_FN double wkMinD(double a, double b)
{
    return a < b ? a : b;
}

WK_FN double wkMaxD(double a, double b)
{
    return a > b ? a : b;
}

// Returns the larger of `a` and zero, without a branch.
WK_FN double wkPositive(double a)
{
    return a > 0.0 ? a : 0.0;
}

// Clamps in two instructions without a branch; NaN stays NaN because `value` is the last operand.
WK_FN double wkClamp(double value, double lower, double upper)
{
    return wkMaxD(lower, wkMinD(upper, value));
}

WK_FN wkVec3d wkMin(wkVec3d a, wkVec3d b)
{
    return wkVec(wkMinD(a.x, b.x), wkMinD(a.y, b.y), wkMinD(a.z, b.z));
}

WK_FN wkVec3d wkMax(wkVec3d a, wkVec3d b)
{
    return wkVec(wkMaxD(a.x, b.x), wkMaxD(a.y, b.y), wkMaxD(a.z, b.z));
}

WK_FN wkVec3d wkAbs(wkVec3d a)
{
    return wkVec(fabs(a.x), fabs(a.y), fabs(a.z));
}

// Returns the largest magnitude of a coordinate.
WK_FN double wkMaxAbs(wkVec3d a)
{
    return wkMaxD(wkMaxD(fabs(a.x), fabs(a.y)), fabs(a.z));
}

// Returns an upper bound of the length; NaN when a coordinate is NaN.
WK_FN double wkSumAbs(wkVec3d a)
{
    return fabs(a.x) + fabs(a.y) + fabs(a.z);
}

WK_FN wkVec3d wkLerp(wkVec3d a, wkVec3d b, double t)
{
    return wkMulAdd(a, t, wkSub(b, a));
}

// Returns the midpoint; the same bits in both orders.
WK_FN wkVec3d wkMiddle(wkVec3d a, wkVec3d b)
{
    return wkVec(0.5 * a.x + 0.5 * b.x, 0.5 * a.y + 0.5 * b.y, 0.5 * a.z + 0.5 * b.z);
}

// Returns the part of `a` perpendicular to the unit `axis`; `along` is the dot product of the two. A second
// pass removes the rounding error of the first, which matters when `a` is nearly parallel.
WK_FN wkVec3d wkAcross(wkVec3d a, double along, wkVec3d axis)
{
    wkVec3d across = wkMulSub(a, along, axis);
    return wkMulSub(across, wkDot(across, axis), axis);
}

// Returns a coordinate by its index.
WK_FN double wkAlongAxis(const wkVec3d* a, int axis)
{
    return ((const double*)a)[axis];
}

// Returns false when a coordinate is NaN or infinite.
WK_FN bool wkIsFiniteVec(wkVec3d a)
{
    return (a.x + a.y + a.z) * 0.0 == 0.0;
}

// Returns the unit vector along `a`, or `fallback` when `a` is too short. Safe for every finite length.
WK_FN wkVec3d wkNormalizeOr(wkVec3d a, wkVec3d fallback)
{
    double lengthSquared = wkDot(a, a);
    if (WK_LIKELY(lengthSquared > 1e-280 && lengthSquared < 1e280)) {
        return wkScale(1.0 / sqrt(lengthSquared), a);
    }

    // the square left the range of double: scale the largest coordinate to 1 first
    double largest = wkMaxAbs(a);
    if (!(largest > 0.0) || !(largest < INFINITY)) {
        return fallback;
    }
    wkVec3d scaled = wkVec(a.x / largest, a.y / largest, a.z / largest);
    return wkScale(1.0 / wkLength(scaled), scaled);
}

// Returns a unit vector perpendicular to the unit vector `n`.
WK_FN wkVec3d wkPerpendicular(wkVec3d n)
{
    wkVec3d other = fabs(n.x) < 0.6 ? wkVec(1.0, 0.0, 0.0) : wkVec(0.0, 1.0, 0.0);
    wkVec3d across = wkCross(n, other);
    return wkScale(1.0 / wkLength(across), across);
}

// Computes two unit vectors perpendicular to the unit vector `n` and to each other (Duff et al. 2017).
WK_FN void wkTangents(wkVec3d n, wkVec3d* u, wkVec3d* v)
{
    double sign = copysign(1.0, n.z);
    double a = -1.0 / (sign + n.z);
    double b = n.x * n.y * a;
    *u = wkVec(1.0 + sign * n.x * n.x * a, sign * b, -sign * n.x);
    *v = wkVec(b, sign + n.y * n.y * a, -n.y);
}
