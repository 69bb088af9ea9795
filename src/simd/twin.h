// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Two doubles side by side, one of each shape of a pair: for closed forms that do the same to both.
// Every processor in reach has a register for them; sums, products and quotients are operators of
// the language, and give the same bits as on their own.

#include "base/compiler.h"

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

#if defined(__SSE2__)
#include <emmintrin.h>

// NaN when `b` is.
WK_FORCE_FN wkTwin wkMinTwin(wkTwin a, wkTwin b)
{
    return (wkTwin)_mm_min_pd((__m128d)a, (__m128d)b);
}

WK_FORCE_FN wkTwin wkMaxTwin(wkTwin a, wkTwin b)
{
    return (wkTwin)_mm_max_pd((__m128d)a, (__m128d)b);
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
#endif
