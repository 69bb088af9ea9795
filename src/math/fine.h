// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Numbers and vectors of twice the digits: the sum of two doubles, the second one being what the
// first leaves out (Dekker 1971). For lengths between 1e-30 and 1e30; slow, and for rare cases.

#include "math/vec.h"

typedef struct wkFine {
    double high, low;
} wkFine;

typedef struct wkFineVec {
    wkFine x, y, z;
} wkFineVec;

// a + b, when a is the larger.
WK_FN wkFine wkFineOf(double a, double b)
{
    double sum = a + b;
    wkFine result = {sum, b - (sum - a)};
    return result;
}

// a + b without rounding.
WK_FN wkFine wkFineSum(double a, double b)
{
    double sum = a + b, part = sum - a;
    wkFine result = {sum, (a - (sum - part)) + (b - part)};
    return result;
}

// a * b without rounding: from halves of 26 digits, whose products are exact.
WK_FN wkFine wkFineProduct(double a, double b)
{
    double wideA = 134217729.0 * a, wideB = 134217729.0 * b;
    double highA = wideA - (wideA - a), highB = wideB - (wideB - b);
    double lowA = a - highA, lowB = b - highB, product = a * b;
    wkFine result = {product,
                     ((highA * highB - product) + highA * lowB + lowA * highB) + lowA * lowB};
    return result;
}

WK_FN wkFine wkFineNeg(wkFine a)
{
    wkFine result = {-a.high, -a.low};
    return result;
}

WK_FN wkFine wkFineAdd(wkFine a, wkFine b)
{
    wkFine high = wkFineSum(a.high, b.high), low = wkFineSum(a.low, b.low);
    high = wkFineOf(high.high, high.low + low.high);
    return wkFineOf(high.high, high.low + low.low);
}

WK_FN wkFine wkFineSub(wkFine a, wkFine b)
{
    return wkFineAdd(a, wkFineNeg(b));
}

WK_FN wkFine wkFineMul(wkFine a, wkFine b)
{
    wkFine product = wkFineProduct(a.high, b.high);
    return wkFineOf(product.high, product.low + (a.high * b.low + a.low * b.high));
}

// b is not zero.
WK_FN wkFine wkFineDiv(wkFine a, wkFine b)
{
    wkFine first = {a.high / b.high, 0.0};
    wkFine rest = wkFineSub(a, wkFineMul(b, first));
    wkFine second = {rest.high / b.high, 0.0};
    rest = wkFineSub(rest, wkFineMul(b, second));
    return wkFineAdd(wkFineOf(first.high, second.high), wkFineOf(rest.high / b.high, 0.0));
}

// Zero for what is not positive.
WK_FN wkFine wkFineRoot(wkFine a)
{
    wkFine zero = {0.0, 0.0};
    if (!(a.high > 0.0)) {
        return zero;
    }
    double root = sqrt(a.high);
    wkFine rest = wkFineSub(a, wkFineProduct(root, root));
    return wkFineOf(root, 0.5 * rest.high / root);
}

WK_FN wkFineVec wkFineVecOf(wkVec3d a)
{
    wkFineVec result = {{a.x, 0.0}, {a.y, 0.0}, {a.z, 0.0}};
    return result;
}

// The nearest doubles.
WK_FN wkVec3d wkCoarse(wkFineVec a)
{
    return wkVec(a.x.high, a.y.high, a.z.high);
}

WK_FN wkFineVec wkFineVecAdd(wkFineVec a, wkFineVec b)
{
    wkFineVec result = {wkFineAdd(a.x, b.x), wkFineAdd(a.y, b.y), wkFineAdd(a.z, b.z)};
    return result;
}

WK_FN wkFineVec wkFineVecSub(wkFineVec a, wkFineVec b)
{
    wkFineVec result = {wkFineSub(a.x, b.x), wkFineSub(a.y, b.y), wkFineSub(a.z, b.z)};
    return result;
}

WK_FN wkFineVec wkFineScale(wkFine s, wkFineVec a)
{
    wkFineVec result = {wkFineMul(s, a.x), wkFineMul(s, a.y), wkFineMul(s, a.z)};
    return result;
}

WK_FN wkFine wkFineDot(wkFineVec a, wkFineVec b)
{
    return wkFineAdd(wkFineAdd(wkFineMul(a.x, b.x), wkFineMul(a.y, b.y)), wkFineMul(a.z, b.z));
}

WK_FN wkFineVec wkFineCross(wkFineVec a, wkFineVec b)
{
    wkFineVec result = {wkFineSub(wkFineMul(a.y, b.z), wkFineMul(a.z, b.y)),
                        wkFineSub(wkFineMul(a.z, b.x), wkFineMul(a.x, b.z)),
                        wkFineSub(wkFineMul(a.x, b.y), wkFineMul(a.y, b.x))};
    return result;
}
