// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The slow path to a closed form.

#include "solve/closed_form/closed_form.h"

// Makes the thorough query and answers it.
// @return false when a shape or a pose is not valid
static bool askThoroughly(wkCoresFcn* find, const wkShape* a, const wkPose* poseA, const wkShape* b,
                          const wkPose* poseB, bool isSigned, wkQuestion* q, wkCores* cores)
{
    if (!wkAreValidPoses(poseA, poseB) || !wkConvexTable[a->type].isValid(a) ||
        !wkConvexTable[b->type].isValid(b)) {
        return false;
    }
    *q = wkMakeClosedQuestion(a, poseA, b, poseB);
    q->isSigned = isSigned;
    q->wantsPoints = true;
    q->isThorough = true;
    *cores = find(q);
    return true;
}

wkDistanceResult wkClosestThoroughly(wkCoresFcn* find, const wkShape* a, const wkPose* poseA,
                                     const wkShape* b, const wkPose* poseB, bool isSigned)
{
    wkQuestion q;
    wkCores cores;
    if (!askThoroughly(find, a, poseA, b, poseB, isSigned, &q, &cores)) {
        return wkInvalidAnswer();
    }
    wkDistanceResult result;
    wkFillAnswer(&q, &cores, wkThoroughDistance(&q, &cores), wkPack(cores.normal), &result);
    if (!isSigned) {
        wkAnswerUnsigned(&q, &result);
    }
    return result;
}

double wkTouchThoroughly(wkCoresFcn* find, const wkShape* a, const wkPose* poseA, const wkShape* b,
                         const wkPose* poseB, wkContact* contact)
{
    wkDistanceResult r = wkClosestThoroughly(find, a, poseA, b, poseB, true);
    return wkTouchAt(&r, contact);
}

double wkGapThoroughly(wkCoresFcn* find, const wkShape* a, const wkPose* poseA, const wkShape* b,
                       const wkPose* poseB)
{
    wkDistanceResult r = wkClosestThoroughly(find, a, poseA, b, poseB, true);
    return r.status == wk_statusInvalid ? NAN : r.distance;
}
