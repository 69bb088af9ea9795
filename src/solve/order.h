// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A total order of placed convex shapes of one type: computations that are not symmetric start from the
// one that comes first, so that exchanged arguments meet the same computation.

#include "solve/closed_form/closed_form.h"

// The part of the order that all shapes of one type have in common: where they are and their margins.
// @return below, above or at zero
int wkComparePoses(const wkShape* a, const wkPose* poseA, const wkShape* b, const wkPose* poseB);

// The order goes on where the positions have the same x.
bool wkIsAfterByRest(const wkShape* a, const wkPose* poseA, const wkShape* b, const wkPose* poseB);

// Whether A comes after B.
WK_FORCE_FN bool wkIsAfter(const wkShape* a, const wkPose* poseA, const wkShape* b,
                           const wkPose* poseB)
{
    double xA = poseA->position.x, xB = poseB->position.x;
    return WK_LIKELY(xA != xB) ? xA > xB : wkIsAfterByRest(a, poseA, b, poseB);
}

// The answer about B and A from that about A and B.
WK_FN wkDistanceResult wkSwapAnswer(wkDistanceResult r)
{
    wkDistanceResult swapped = {r.distance, r.pointB,     r.pointA, wkNeg(r.normal),
                                r.status,   r.iterations, r.partB,  r.partA};
    return swapped;
}
