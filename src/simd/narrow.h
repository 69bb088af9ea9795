// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Rounds doubles down to floats: wkRoundDown of math/round.h, four at a time.

#include "simd/quad.h"
#include "simd/twin.h"

#include <float.h>

#if defined(__SSE2__)
WK_FORCE_FN wkQuad wkNarrow(wkTwin a, wkTwin b)
{
    return (wkQuad)_mm_movelh_ps(_mm_cvtpd_ps((__m128d)a), _mm_cvtpd_ps((__m128d)b));
}

WK_FORCE_FN wkTwin wkWidenFirst(wkQuad a)
{
    return (wkTwin)_mm_cvtps_pd((__m128)a);
}

WK_FORCE_FN wkTwin wkWidenLast(wkQuad a)
{
    return (wkTwin)_mm_cvtps_pd(_mm_movehl_ps((__m128)a, (__m128)a));
}
#else
WK_FORCE_FN wkQuad wkNarrow(wkTwin a, wkTwin b)
{
    return wkMakeQuad((float)a[0], (float)a[1], (float)b[0], (float)b[1]);
}

WK_FORCE_FN wkTwin wkWidenFirst(wkQuad a)
{
    return wkMakeTwin((double)a[0], (double)a[1]);
}

WK_FORCE_FN wkTwin wkWidenLast(wkQuad a)
{
    return wkMakeTwin((double)a[2], (double)a[3]);
}
#endif

WK_FORCE_FN wkQuad wkNarrowDown(wkTwin a, wkTwin b)
{
    wkQuad nearest = wkNarrow(a, b);
    wkQuadInt first = (wkQuadInt)(wkWidenFirst(nearest) > a);
    wkQuadInt last = (wkQuadInt)(wkWidenLast(nearest) > b);
    wkQuadInt isAbove = __builtin_shufflevector(first, last, 0, 2, 4, 6);
    wkQuad step = wkMaxQuad(nearest, -nearest) * FLT_EPSILON + FLT_MIN;
    return nearest - (wkQuad)((wkQuadInt)step & isAbove);
}
