// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Steps in the order in which each leaves the next one less to do: crops, the robot, voxels, outliers.

#include "cloud_filters.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static bool complain(const char* option, const char* wants, const char* text)
{
    fprintf(stderr, "whisker cloud: %s wants %s, not '%.60s'\n", option, wants, text);
    return false;
}

static wkFilterStep* addStep(wkCloudSteps* steps, wkFilterStep step)
{
    steps->steps[steps->count] = step;
    return &steps->steps[steps->count++];
}

static bool addRange(wkCloudSteps* steps, const wkFilterOptions* options, wkVec3d sensor)
{
    double n[2], at[3] = {sensor.x, sensor.y, sensor.z};
    if (options->range == NULL) {
        return true;
    }
    if (wkReadNumbers(options->range, n, 2) != 2 || !(n[0] >= 0.0 && n[1] >= n[0])) {
        return complain("--range", "MIN,MAX: two distances, the lesser first", options->range);
    }
    if (options->sensor != NULL && wkReadNumbers(options->sensor, at, 3) != 3) {
        return complain("--sensor", "X,Y,Z", options->sensor);
    }
    addStep(steps, wkMakeRangeFilter((wkVec3d){at[0], at[1], at[2]}, n[0], n[1]));
    return true;
}

static bool addBox(wkCloudSteps* steps, const wkFilterOptions* options)
{
    double n[6];
    wkPose pose = wkIdentityPose();
    if (options->box == NULL) {
        return true;
    }
    bool isBox =
        wkReadNumbers(options->box, n, 6) == 6 && n[0] <= n[3] && n[1] <= n[4] && n[2] <= n[5];
    if (!isBox) {
        return complain("--box", "X,Y,Z,X,Y,Z: the lower vertex and the upper one", options->box);
    }
    if (options->boxPose != NULL && !wkReadPose(options->boxPose, &pose)) {
        return complain("--box-pose", "x,y,z, x,y,z,roll,pitch,yaw, or x,y,z,qx,qy,qz,qw",
                        options->boxPose);
    }
    wkAabb box = {{n[0], n[1], n[2]}, {n[3], n[4], n[5]}};
    addStep(steps, wkMakeBoxFilter(box, pose))->box.keepsInside = !options->keepsOutside;
    return true;
}

// Places the bodies of the robot in its configuration. They are exact: spheres that cover the robot would remove
// obstacles that are further from it than --self.
static bool placeRobot(wkCloudSteps* steps, const wkFilterOptions* options, wkFilterRobot* robot)
{
    wkRobotJob* job = &steps->job;
    if (!wkRobotJob_LoadRobot(job, "cloud", options->robot, &options->robotOptions) ||
        !wkRobotJob_ReadText(job, options->q, &steps->values)) {
        return false;
    }
    wkResult result = wkRobotState_Create(job->robot, &steps->state);
    if (result == wk_ok) {
        result = wkRobotState_Set(steps->state, wkIdentityPose(), steps->values.values);
    }
    if (!wkRobotJob_HasDone(job, result)) {
        return false;
    }
    int32_t count = wkRobot_Info(job->robot).bodyCount;
    steps->bodies = malloc(((size_t)count + 1) * sizeof *steps->bodies);
    if (steps->bodies == NULL) {
        return wkRobotJob_Complain(job, "out of memory for %d bodies", (int)count);
    }
    for (int32_t i = 0; i < count; i++) {
        steps->bodies[i] = (wkFilterBody){wkRobot_Body(job->robot, i).shape,
                                          wkRobotState_BodyPose(steps->state, i)};
    }
    *robot = (wkFilterRobot){.bodies = steps->bodies, .bodyCount = count};
    return true;
}

static bool addRobot(wkCloudSteps* steps, const wkFilterOptions* options)
{
    wkFilterRobot robot;
    if (options->robot == NULL) {
        return true;
    }
    if (!placeRobot(steps, options, &robot)) {
        return false;
    }
    if (!isnan(options->self)) {
        addStep(steps, wkMakeSelfFilter(robot, options->self));
    }
    if (!isnan(options->near)) {
        addStep(steps, wkMakeDistanceFilter(robot, options->near));
    }
    return true;
}

static bool addOutliers(wkCloudSteps* steps, const wkFilterOptions* options)
{
    double n[2];
    if (options->statistical != NULL) {
        bool isRead = wkReadNumbers(options->statistical, n, 2) == 2 && n[0] >= 1.0 &&
                      n[0] <= 1024.0 && n[0] == floor(n[0]) && n[1] >= 0.0;
        if (!isRead) {
            return complain("--statistical", "COUNT,SIGMAS: 1 to 1024 neighbours, 0 or more",
                            options->statistical);
        }
        addStep(steps, wkMakeStatisticalFilter((int32_t)n[0], n[1]));
    }
    if (options->sparse != NULL) {
        bool isRead = wkReadNumbers(options->sparse, n, 2) == 2 && n[0] > 0.0 && n[1] >= 1.0 &&
                      n[1] <= INT32_MAX && n[1] == floor(n[1]);
        if (!isRead) {
            return complain("--sparse", "RADIUS,COUNT: metres above 0, and 1 or more neighbours",
                            options->sparse);
        }
        addStep(steps, wkMakeRadiusFilter(n[0], (int32_t)n[1]));
    }
    return true;
}

// Voxels come last: a step that removes a point that is kept removes all that it stands for.
static bool addVoxels(wkCloudSteps* steps, const wkFilterOptions* options)
{
    if (!isnan(options->voxel)) {
        addStep(steps, wkMakeVoxelFilter(options->voxel));
    }
    return true;
}

bool wkCloudSteps_Read(wkCloudSteps* steps, const wkFilterOptions* options, wkVec3d sensor)
{
    *steps = (wkCloudSteps){.job = {.command = "cloud", .group = -1}};
    return addRange(steps, options, sensor) && addBox(steps, options) && addRobot(steps, options) &&
           addOutliers(steps, options) && addVoxels(steps, options);
}

void wkCloudSteps_Free(wkCloudSteps* steps)
{
    free(steps->bodies);
    free(steps->values.values);
    wkRobotState_Destroy(steps->state);
    wkRobotJob_Close(&steps->job);
}
