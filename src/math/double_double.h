// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Double-double numbers and vectors: the sum of two doubles, of which the second holds the rounding error of
// the first (Dekker 1971). For lengths between 1e-30 and 1e30; slow, for rare cases.

#include "math/vec.h"

typedef struct wkDoubleDouble {
    double high, low;
} wkDoubleDouble;

typedef struct wkDdVec {
    wkDoubleDouble x, y, z;
} wkDdVec;

// a + b, where |a| >= |b|.
WK_FN wkDoubleDouble wkDdOf(double a, double b)
{
    double sum = a + b;
    wkDoubleDouble result = {sum, b - (sum - a)};
    return result;
}

// a + b without rounding.
WK_FN wkDoubleDouble wkDdSum(double a, double b)
{
    double sum = a + b, part = sum - a;
    wkDoubleDouble result = {sum, (a - (sum - part)) + (b - part)};
    return result;
}

// a * b without rounding: from halves of 26 digits, whose products are exact.
WK_FN wkDoubleDouble wkDdProduct(double a, double b)
{
    double wideA = 134217729.0 * a, wideB = 134217729.0 * b;
    double highA = wideA - (wideA - a), highB = wideB - (wideB - b);
    double lowA = a - highA, lowB = b - highB, product = a * b;
    wkDoubleDouble result = {product, ((highA * highB - product) + highA * lowB + lowA * highB) +
                                          lowA * lowB};
    return result;
}

WK_FN wkDoubleDouble wkDdNeg(wkDoubleDouble a)
{
    wkDoubleDouble result = {-a.high, -a.low};
    return result;
}

WK_FN wkDoubleDouble wkDdAdd(wkDoubleDouble a, wkDoubleDouble b)
{
    wkDoubleDouble high = wkDdSum(a.high, b.high), low = wkDdSum(a.low, b.low);
    high = wkDdOf(high.high, high.low + low.high);
    return wkDdOf(high.high, high.low + low.low);
}

WK_FN wkDoubleDouble wkDdSub(wkDoubleDouble a, wkDoubleDouble b)
{
    return wkDdAdd(a, wkDdNeg(b));
}

WK_FN wkDoubleDouble wkDdMul(wkDoubleDouble a, wkDoubleDouble b)
{
    wkDoubleDouble product = wkDdProduct(a.high, b.high);
    return wkDdOf(product.high, product.low + (a.high * b.low + a.low * b.high));
}

// b is not zero.
WK_FN wkDoubleDouble wkDdDiv(wkDoubleDouble a, wkDoubleDouble b)
{
    wkDoubleDouble first = {a.high / b.high, 0.0};
    wkDoubleDouble rest = wkDdSub(a, wkDdMul(b, first));
    wkDoubleDouble second = {rest.high / b.high, 0.0};
    rest = wkDdSub(rest, wkDdMul(b, second));
    return wkDdAdd(wkDdOf(first.high, second.high), wkDdOf(rest.high / b.high, 0.0));
}

// Square root; zero for numbers that are not positive.
WK_FN wkDoubleDouble wkDdRoot(wkDoubleDouble a)
{
    wkDoubleDouble zero = {0.0, 0.0};
    if (!(a.high > 0.0)) {
        return zero;
    }
    double root = sqrt(a.high);
    wkDoubleDouble rest = wkDdSub(a, wkDdProduct(root, root));
    return wkDdOf(root, 0.5 * rest.high / root);
}

WK_FN wkDdVec wkDdVecOf(wkVec3d a)
{
    wkDdVec result = {{a.x, 0.0}, {a.y, 0.0}, {a.z, 0.0}};
    return result;
}

// Rounds to the nearest doubles.
WK_FN wkVec3d wkCoarse(wkDdVec a)
{
    return wkVec(a.x.high, a.y.high, a.z.high);
}

WK_FN wkDdVec wkDdVecAdd(wkDdVec a, wkDdVec b)
{
    wkDdVec result = {wkDdAdd(a.x, b.x), wkDdAdd(a.y, b.y), wkDdAdd(a.z, b.z)};
    return result;
}

WK_FN wkDdVec wkDdVecSub(wkDdVec a, wkDdVec b)
{
    wkDdVec result = {wkDdSub(a.x, b.x), wkDdSub(a.y, b.y), wkDdSub(a.z, b.z)};
    return result;
}

WK_FN wkDdVec wkDdScale(wkDoubleDouble s, wkDdVec a)
{
    wkDdVec result = {wkDdMul(s, a.x), wkDdMul(s, a.y), wkDdMul(s, a.z)};
    return result;
}

WK_FN wkDoubleDouble wkDdDot(wkDdVec a, wkDdVec b)
{
    return wkDdAdd(wkDdAdd(wkDdMul(a.x, b.x), wkDdMul(a.y, b.y)), wkDdMul(a.z, b.z));
}

WK_FN wkDdVec wkDdCross(wkDdVec a, wkDdVec b)
{
    wkDdVec result = {wkDdSub(wkDdMul(a.y, b.z), wkDdMul(a.z, b.y)),
                      wkDdSub(wkDdMul(a.z, b.x), wkDdMul(a.x, b.z)),
                      wkDdSub(wkDdMul(a.x, b.y), wkDdMul(a.y, b.x))};
    return result;
}
