// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Two doubles side by side, one of each shape of a pair, for closed forms that treat both alike. Every
// supported processor has a register for them; sums, products and quotients are operators of the language and
// give the same bits as scalar code.

#include "base/compiler.h"

#include <stdbool.h>

typedef double wkTwin __attribute__((vector_size(16)));

WK_FORCE_FN wkTwin wkMakeTwin(double a, double b)
{
    wkTwin twin = {a, b};
    return twin;
}

WK_FORCE_FN wkTwin wkTwinOf(double both)
{
    return wkMakeTwin(both, both);
}

WK_FORCE_FN wkTwin wkSwapTwin(wkTwin a)
{
    return __builtin_shufflevector(a, a, 1, 0);
}

// Returns the first numbers of both; wkSeconds returns the second ones.
WK_FORCE_FN wkTwin wkFirsts(wkTwin a, wkTwin b)
{
    return __builtin_shufflevector(a, b, 0, 2);
}

WK_FORCE_FN wkTwin wkSeconds(wkTwin a, wkTwin b)
{
    return __builtin_shufflevector(a, b, 1, 3);
}

#if defined(__SSE2__)
#include <emmintrin.h>

// Returns NaN when `b` is NaN.
WK_FORCE_FN wkTwin wkMinTwin(wkTwin a, wkTwin b)
{
    return (wkTwin)_mm_min_pd((__m128d)a, (__m128d)b);
}

WK_FORCE_FN wkTwin wkMaxTwin(wkTwin a, wkTwin b)
{
    return (wkTwin)_mm_max_pd((__m128d)a, (__m128d)b);
}

WK_FORCE_FN bool wkAreBothBelow(wkTwin a, double limit)
{
    return _mm_movemask_pd(_mm_cmplt_pd((__m128d)a, _mm_set1_pd(limit))) == 3;
}

// Returns true when both pairs hold equal numbers; zeros of either sign are equal.
WK_FORCE_FN bool wkAreEqual(wkTwin a, wkTwin b)
{
    return _mm_movemask_pd(_mm_cmpeq_pd((__m128d)a, (__m128d)b)) == 3;
}
#else
WK_FORCE_FN wkTwin wkMinTwin(wkTwin a, wkTwin b)
{
    return wkMakeTwin(a[0] < b[0] ? a[0] : b[0], a[1] < b[1] ? a[1] : b[1]);
}

WK_FORCE_FN wkTwin wkMaxTwin(wkTwin a, wkTwin b)
{
    return wkMakeTwin(a[0] > b[0] ? a[0] : b[0], a[1] > b[1] ? a[1] : b[1]);
}

WK_FORCE_FN bool wkAreBothBelow(wkTwin a, double limit)
{
    return a[0] < limit && a[1] < limit;
}

// Returns true when both pairs hold equal numbers; zeros of either sign are equal.
WK_FORCE_FN bool wkAreEqual(wkTwin a, wkTwin b)
{
    return a[0] == b[0] && a[1] == b[1];
}
#endif
