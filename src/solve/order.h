// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A total order of convex shapes of one type with their poses: asymmetric computations start from the shape
// that comes first, so that exchanged arguments give the same computation.

#include "solve/closed_form/closed_form.h"

// Compares what all shapes of one type have in common: their poses and margins.
// @return below, above or at zero
int wkComparePoses(const wkShape* a, const wkPose* poseA, const wkShape* b, const wkPose* poseB);

// Continues the comparison where the positions have the same x.
bool wkIsAfterByRest(const wkShape* a, const wkPose* poseA, const wkShape* b, const wkPose* poseB);

// Returns true when A comes after B.
WK_FORCE_FN bool wkIsAfter(const wkShape* a, const wkPose* poseA, const wkShape* b,
                           const wkPose* poseB)
{
    double xA = poseA->position.x, xB = poseB->position.x;
    return WK_LIKELY(xA != xB) ? xA > xB : wkIsAfterByRest(a, poseA, b, poseB);
}

// Returns the answer for (B, A) from that for (A, B).
WK_FN wkDistanceResult wkSwapAnswer(wkDistanceResult r)
{
    wkDistanceResult swapped = {r.distance, r.pointB,     r.pointA, wkNeg(r.normal),
                                r.status,   r.iterations, r.partB,  r.partA};
    return swapped;
}
