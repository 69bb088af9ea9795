// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Checks of motions: the part that both methods share.

#include "robot/motion.h"

#include "base/cookie.h"

#include <string.h>

#define DEFAULT_STEP 0.02
#define DEFAULT_TOLERANCE 1e-4
#define DEFAULT_CHECK_COUNT (1 << 20)

wkMotionRequest wkDefaultMotionRequest(void)
{
    wkMotionRequest request;
    memset(&request, 0, sizeof request);
    request.check = wkDefaultRobotRequest();
    request.isCertified = true;
    request.step = DEFAULT_STEP;
    request.tolerance = DEFAULT_TOLERANCE;
    request.maxCheckCount = DEFAULT_CHECK_COUNT;
    request.cookie = WK_COOKIE(wkMotionRequest);
    return request;
}

const wkMotionRequest* wkMotionRequestOf(const wkRobotScene* scene, const wkMotionRequest* request)
{
    if (!WK_HAS_COOKIE(request, wkMotionRequest)) {
        WK_FAIL_COOKIE(request, wkMotionRequest);
        return NULL;
    }
    bool isValid = request->step > 0.0 && request->step < INFINITY && request->tolerance >= 0.0 &&
                   request->tolerance < INFINITY && request->maxCheckCount > 0 &&
                   wkRobotRequestOf(scene, &request->check) != NULL;
    return isValid ? request : NULL;
}

wkMotionResult wkEmptyMotionResult(wkVerdict verdict)
{
    wkMotionResult result;
    memset(&result, 0, sizeof result);
    result.verdict = verdict;
    result.contact = wkEmptyCheckResult(verdict);
    return result;
}

wkRobotCheckResult wkCheckAt(wkMotion* motion, const wkMotionRequest* request, double time)
{
    if (!wkMoveTo(motion, time)) {
        return wkEmptyCheckResult(wk_verdictInvalid);
    }
    wkRobotRequest check = request->check;
    check.checksLimits = false;
    return wkRobotScene_Check(motion->scene, motion->state, &check);
}

// Variables with limits change linearly from one end to the other: within limits at both ends, within
// limits all the way.
static bool checkLimits(const wkMotion* motion, wkMotionResult* result)
{
    const wkMotionScratch* scratch = &motion->state->motion;
    const double* ends[2] = {scratch->q0, scratch->q1};
    for (int i = 0; i < 2; ++i) {
        int32_t variable = wkRobot_FindBeyondLimits(motion->scene->robot, ends[i], WK_LIMIT_SLACK);
        if (variable >= 0) {
            *result = wkEmptyMotionResult(wk_verdictLimits);
            result->time = (double)i;
            result->contact.variable = variable;
            return false;
        }
    }
    return true;
}

wkMotionResult wkCheckMotionOf(wkMotion* motion, const wkMotionRequest* request)
{
    return request->isCertified ? wkCertifyMotion(motion, request) : wkStepMotion(motion, request);
}

wkMotionResult wkRobotScene_CheckMotion(const wkRobotScene* scene, wkRobotState* state, wkPose base,
                                        const double* q0, const double* q1,
                                        const wkMotionRequest* request)
{
    wkMotionRequest defaultRequest = wkDefaultMotionRequest();
    request = wkMotionRequestOf(scene, request != NULL ? request : &defaultRequest);
    wkMotion motion;
    if (request == NULL || !wkBeginMotion(scene, state, base, q0, q1, &motion)) {
        return wkEmptyMotionResult(wk_verdictInvalid);
    }
    wkMotionResult result;
    if (request->check.checksLimits && !checkLimits(&motion, &result)) {
        return result;
    }
    return wkCheckMotionOf(&motion, request);
}
