// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Checks of trajectories: limits first, then the motion.

#include "base/cookie.h"
#include "base/error.h"
#include "robot/motion.h"
#include "robot/trajectory_impl.h"

#include <string.h>

wkTrajectoryRequest wkDefaultTrajectoryRequest(void)
{
    wkTrajectoryRequest request;
    memset(&request, 0, sizeof request);
    request.motion = wkDefaultMotionRequest();
    request.motion.wantsFirst = true;
    request.cookie = WK_COOKIE(wkTrajectoryRequest);
    return request;
}

// Finds a variable that leaves its limits.
// @return whether all stay within them
static bool checkLimits(const wkMotion* motion, wkMotionResult* result)
{
    double time = 0.0;
    int32_t variable = wkTrajectory_FindBeyondLimits(motion->trajectory, WK_LIMIT_SLACK, &time);
    if (variable >= 0) {
        *result = wkEmptyMotionResult(wk_verdictLimits);
        result->time = time;
        result->freeUntil = motion->trajectory->knots[0];
        result->contact.variable = variable;
    }
    return variable < 0;
}

static wkMotionResult checkTrajectory(wkMotion* motion, const wkMotionRequest* request)
{
    wkMotionResult result;
    if (request->check.checksLimits && !checkLimits(motion, &result)) {
        return result;
    }
    result = wkCheckMotionOf(motion, request);
    result.time = wkTimeOfTrajectory(motion->trajectory, result.time);
    result.freeUntil = wkTimeOfTrajectory(motion->trajectory, result.freeUntil);
    return result;
}

static wkMotionResult refuse(const wkTrajectory* trajectory)
{
    wkMotionResult result = wkEmptyMotionResult(wk_verdictInvalid);
    result.time = trajectory != NULL ? trajectory->knots[0] : 0.0;
    result.freeUntil = result.time;
    return result;
}

wkMotionResult wkRobotScene_CheckTrajectory(const wkRobotScene* scene, wkRobotState* state,
                                            wkPose base, const wkTrajectory* trajectory,
                                            const wkTrajectoryRequest* request)
{
    wkTrajectoryRequest defaultRequest = wkDefaultTrajectoryRequest();
    request = request != NULL ? request : &defaultRequest;
    if (scene == NULL || state == NULL || trajectory == NULL) {
        wkFail(wk_errorArgument, "wkRobotScene_CheckTrajectory: %s is NULL",
               scene == NULL ? "scene" : (state == NULL ? "state" : "trajectory"));
        return refuse(trajectory);
    }
    if (!WK_HAS_COOKIE(request, wkTrajectoryRequest)) {
        WK_FAIL_COOKIE(request, wkTrajectoryRequest);
        return refuse(trajectory);
    }
    if (trajectory->robot != scene->robot || state->robot != scene->robot) {
        wkFail(wk_errorArgument, "wkRobotScene_CheckTrajectory: the %s is of another robot",
               state->robot != scene->robot ? "state" : "trajectory");
        return refuse(trajectory);
    }
    const wkMotionRequest* motionRequest = wkMotionRequestOf(scene, &request->motion);
    wkMotion motion;
    if (motionRequest == NULL || !wkBeginTrajectory(scene, state, base, trajectory, &motion)) {
        return refuse(trajectory);
    }
    if (wkTakeMovedShapes(scene, request, state->moved) != wk_ok) {
        return refuse(trajectory);
    }
    state->hasMoved = state->moved->count > 0;
    wkMotionResult result = checkTrajectory(&motion, motionRequest);
    state->hasMoved = false;
    return result;
}
