// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

#include "casts/cast_truth.h"

#include <math.h>

// Instants at which a motion is looked at.
#define INSTANTS 100

// Time that peers may be off by.
#define PEER_TOLERANCE 0.01

static bool isTouchingAt(const wkCastJob* job, const wkCastWay* way, const wkBodyMotion* moving,
                         double t)
{
    wkPose pose = wkBodyMotion_PoseAt(moving, t);
    return wkCollide(&job->a, pose, &job->b, way->standing, NULL).isTouching;
}

wkCastTruth wkProveCast(const wkCastJob* job, const wkCastWay* way)
{
    wkBodyMotion moving = job->isScrew ? wkMakeScrewMotion(way->start, way->end)
                                       : wkMakeLinearMotion(way->start, way->end);
    wkBodyMotion standing = wkMakeStaticMotion(way->standing);
    wkCastRequest request = wkDefaultCastRequest();
    request.tolerance = 1e-9;
    wkCastResult result = wkCast(&job->a, &moving, &job->b, &standing, &request);
    wkCastTruth truth = {result.time, result.touchingBy, result.status == wk_statusExact};
    if (result.isTouching) {
        truth.isProved &= isTouchingAt(job, way, &moving, result.touchingBy);
    }
    for (int i = 0; i < INSTANTS && truth.isProved; i++) {
        double t = result.time * i / INSTANTS;
        truth.isProved = result.time == 0.0 || !isTouchingAt(job, way, &moving, t);
    }
    return truth;
}

bool wkIsOurCastWrong(wkAnswer answer, const wkCastTruth* truth)
{
    bool isLate = !(answer <= truth->touching);
    bool isEarly = isinf(truth->touching) ? !isinf(answer)
                                          : answer < truth->touching - 2.0 * WK_CAST_TOLERANCE;
    return !truth->isProved || isLate || isEarly;
}

bool wkIsPeerCastWrong(wkAnswer answer, const wkCastTruth* truth)
{
    if (isnan(answer)) {
        return true;
    }
    if (!truth->isProved || isinf(truth->touching)) {
        return false; // bodies that pass within a hair may touch
    }
    return !(fabs(answer - truth->touching) <= PEER_TOLERANCE);
}
