// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Closest points of two segments, either of which may be a point.

#include "math/vec.h"

WK_FN void wkClosestOnSegments(const wkVec3d a[2], const wkVec3d b[2], wkVec3d* pointA,
                               wkVec3d* pointB)
{
    wkVec3d alongA = wkSub(a[1], a[0]), alongB = wkSub(b[1], b[0]), between = wkSub(b[0], a[0]);
    double aa = wkDot(alongA, alongA), bb = wkDot(alongB, alongB), ab = wkDot(alongA, alongB);
    double ar = wkDot(alongA, between), br = wkDot(alongB, between);
    double determinant = aa * bb - ab * ab;

    // parallel segments start from the end of A
    double s =
        determinant > 1e-14 * aa * bb ? wkClamp((ar * bb - br * ab) / determinant, 0.0, 1.0) : 0.0;
    double t = bb > 0.0 ? wkClamp((s * ab - br) / bb, 0.0, 1.0) : 0.0;
    s = aa > 0.0 ? wkClamp((t * ab + ar) / aa, 0.0, 1.0) : 0.0;
    *pointA = wkMulAdd(a[0], s, alongA);
    *pointB = wkMulAdd(b[0], t, alongB);
}
