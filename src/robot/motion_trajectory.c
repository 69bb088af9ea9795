// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Motions along a trajectory. How far a variable gets from its value in the middle of an interval is bounded by
// the control values of the polynomials there, which is never more than its largest rate allows.

#include "robot/motion.h"
#include "robot/trajectory_impl.h"

double wkTimeOfTrajectory(const wkTrajectory* trajectory, double time)
{
    double start = trajectory->knots[0], end = trajectory->knots[trajectory->segmentCount];
    return time < 1.0 ? wkMinD(start + time * (end - start), end) : end;
}

static void configureOnTrajectory(const wkMotion* motion, double time, double* q)
{
    wkTrajectory_At(motion->trajectory, wkTimeOfTrajectory(motion->trajectory, time), q);
}

static void setRatesOnTrajectory(const wkMotion* motion, double middle, double half)
{
    const wkTrajectory* trajectory = motion->trajectory;
    const wkRobot* robot = trajectory->robot;
    const wkMotionScratch* scratch = &motion->state->motion;
    const double* q = motion->state->q;
    // the ends of a straight motion are not in use
    double *lower = scratch->q0, *upper = scratch->q1;
    double slack = wkTrajectoryTimeRounding(trajectory);
    double from = wkTimeOfTrajectory(trajectory, wkMaxD(middle - half, 0.0)) - slack;
    double to = wkTimeOfTrajectory(trajectory, wkMinD(middle + half, 1.0)) + slack;
    wkTrajectoryRanges(trajectory, from, to, lower, upper);
    double perTime = wkRoundedUpBound(1.0 / half);
    for (int32_t i = 1; i < robot->rigidGroupCount; ++i) {
        const wkRigidGroup* rigidGroup = &robot->rigidGroups[i];
        bool isFloating = rigidGroup->type == wk_jointFloating;
        int32_t count = isFloating || rigidGroup->type == wk_jointPlanar ? 3 : 1;
        double changes[4] = {0.0, 0.0, 0.0, 0.0};
        for (int32_t k = 0; k < count; ++k) {
            int32_t v = rigidGroup->variable + k;
            changes[k] = perTime * wkPositive(wkMaxD(upper[v] - q[v], q[v] - lower[v]));
        }
        if (isFloating) {
            changes[3] = perTime * upper[rigidGroup->variable + 3];
        }
        wkSetJointRates(rigidGroup, changes, &scratch->rotations[i], &scratch->translations[i]);
    }
}

static double lengthOfTrajectory(const wkMotion* motion)
{
    const wkTrajectory* trajectory = motion->trajectory;
    wkTrajectoryInfo info = wkTrajectory_Info(trajectory);
    double* speeds = motion->state->motion.q0;
    double fastest = 0.0;
    wkTrajectory_Bounds(trajectory, info.start, info.end, NULL, NULL, speeds);
    for (int32_t v = 0; v < info.variableCount; ++v) {
        fastest = wkMaxD(fastest, speeds[v]);
    }
    if (motion->state->hasMoved) {
        fastest = wkMaxD(fastest, wkMovedShapes_LargestSpeed(motion->state->moved));
    }
    return fastest * (info.end - info.start);
}

static const wkMotionPath trajectoryPath = {configureOnTrajectory, setRatesOnTrajectory,
                                            lengthOfTrajectory};

bool wkBeginTrajectory(const wkRobotScene* scene, wkRobotState* state, wkPose base,
                       const wkTrajectory* trajectory, wkMotion* motion)
{
    if (trajectory == NULL || scene == NULL || trajectory->robot != scene->robot ||
        !wkOpenMotion(scene, state, base, &trajectoryPath, motion)) {
        return false;
    }
    motion->trajectory = trajectory;
    state->motion.rotations[0] = 0.0;
    state->motion.translations[0] = 0.0;
    configureOnTrajectory(motion, 0.5, state->q);
    setRatesOnTrajectory(motion, 0.5, 0.5);
    wkSetMoving(motion, trajectory->largest);
    return true;
}
