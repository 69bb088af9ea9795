// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Adds clouds to a scene. What a cloud does not stop is said on standard error: points that are not finite,
// gaps between points that a link of the robot fits through, and clouds that are far away.

#include "cloud_gaps.h"
#include "job_obstacles.h"
#include "outputs.h"

#include <math.h>
#include <string.h>

// Returns false when out of memory.
static bool warnOfGaps(const wkRobotJob* job, const char* name, const wkShape* cloud)
{
    char words[WK_GAP_WORDS];
    if (!wkRobotJob_HasDone(job, wkFindGaps(job->robot, cloud, words))) {
        return false;
    }
    if (words[0] != '\0') {
        wkRobotJob_Warn(job, "%.300s: %s", name, words);
    }
    return true;
}

static bool warnOfCloud(const wkRobotJob* job, const char* name, const wkShape* cloud,
                        const wkLoadInfo* load)
{
    wkCloudInfo info = wkCloud_Info(cloud->cloud);
    if (info.pointCount == 0) {
        wkRobotJob_Warn(job, "%.300s: the cloud has no points: nothing touches it", name);
        return true;
    }
    if (load->warning[0] != '\0') {
        wkRobotJob_Warn(job, "%.300s: %s", name, load->warning);
    }
    if (info.notFiniteCount > 0) {
        wkRobotJob_Warn(job, "%.300s: %d of %d points are not finite and are left out", name,
                        info.notFiniteCount,
                        info.notFiniteCount + info.pointCount + info.mergedCount);
    }
    return warnOfGaps(job, name, cloud);
}

static bool readRadius(const wkFileValues* radii, const wkRobotJob* job, int file, double* radius)
{
    const char* text = wkFileValues_Find(radii, file);
    return text == NULL || wkReadLength(text, radius) ||
           wkRobotJob_Complain(job, "--cloud-radius needs " WK_LENGTH_WORDS ", not '%.60s'", text);
}

static bool addCloud(wkRobotJob* job, const wkJobOptions* options, int file, double radius,
                     wkPose pose)
{
    const char* path = options->clouds.items[file];
    const char* name = strcmp(path, "-") == 0 ? "standard input" : path;
    wkLoadDef load = wkDefaultLoadDef();
    load.allowsEmpty = options->robot.allowsEmpty;
    load.findsOrigin = true; // coordinates of a map keep their precision
    load.cloud.radius = radius;
    load.cloud.spacing = options->cloudSpacing;
    wkParallel parallel = {0};
    load.cloud.parallel = &parallel;
    wkLoadInfo info;
    if (!wkRobotJob_HasDone(job, wkCloud_Load(path, &load, &info, &job->clouds[file]))) {
        return false;
    }
    wkShape shape = wkMakeCloud(job->clouds[file]);
    pose.position = wkTransformPoint(pose, info.origin);
    return warnOfCloud(job, name, &shape, &info) &&
           wkRobotJob_AddShape(job, name, file, &shape, pose);
}

// No robot on a base reaches further. Coordinates in millimetres, or of a map, are further away.
#define FAR_AWAY 100.0

// Returns how far the nearest point of all clouds of an object is from the base of the robot; infinity: it has none.
static double cloudDistance(const wkRobotScene* scene, int32_t index)
{
    wkRobotObjectInfo object = wkRobotScene_Object(scene, index);
    wkVec3d base = {0.0, 0.0, 0.0};
    double least = INFINITY;
    for (int32_t i = 0; i < object.shapeCount; i++) {
        wkPose pose;
        const wkShape* shape = wkRobotScene_ObjectShape(scene, index, i, &pose);
        if (shape->type == wk_shapeCloud && wkCloud_Info(shape->cloud).pointCount > 0) {
            pose = wkMulPose(object.pose, pose);
            least = fmin(least, wkShape_ClosestPoint(shape, pose, base, INFINITY).distance);
        }
    }
    return least;
}

void wkRobotJob_WarnOfFarClouds(const wkRobotJob* job)
{
    for (int32_t i = 0; i < wkRobotScene_Count(job->scene); i++) {
        double distance = cloudDistance(job->scene, i);
        if (distance > FAR_AWAY && distance < INFINITY) {
            wkRobotJob_Warn(job,
                            "%.300s: the nearest point is %.3g m from the base of the robot, out "
                            "of its reach; is the pose missing, or are the coordinates not metres?",
                            wkRobotScene_Object(job->scene, i).name, distance);
        }
    }
}

bool wkRobotJob_AddClouds(wkRobotJob* job, const wkJobOptions* options)
{
    int count = options->clouds.count;
    wkFileValues poses = {"--cloud-pose", "poses", "clouds", &options->cloudPoses, count};
    wkFileValues radii = {"--cloud-radius", "radii", "clouds", &options->cloudRadii, count};
    if (options->cloudSpacing > 0.0 && count == 0) {
        return wkRobotJob_Complain(job, "--cloud-spacing is about a --cloud, and there is none");
    }
    bool isAdded = wkFileValues_Check(&poses, job) && wkFileValues_Check(&radii, job);
    for (int i = 0; i < count && isAdded; i++) {
        wkPose pose = wkIdentityPose();
        double radius = 0.0;
        isAdded = wkFileValues_ReadPose(&poses, job, i, &pose) &&
                  readRadius(&radii, job, i, &radius) && addCloud(job, options, i, radius, pose);
    }
    return isAdded;
}
