// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Fits spheres to a robot or reads them from a file, for `whisker spheres`.

#include "sphere_job.h"

#include "demo_samples.h"
#include "progress.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool wkSphereJob_HasDone(const wkSphereJob* job, wkResult result)
{
    return result == wk_ok || wkRobotJob_Complain(&job->robot, "%s", wkGetLastError());
}

// Splits "link=number" of an option into the index of the link and the value.
static bool splitItem(const wkSphereJob* job, const char* option, const char* item, int32_t* link,
                      double* value)
{
    char name[256];
    const char* equals = strrchr(item, '=');
    size_t length = equals != NULL ? (size_t)(equals - item) : sizeof name;
    if (length >= sizeof name || !wkReadNumber(equals + 1, value) || !(*value > 0.0)) {
        return wkRobotJob_Complain(&job->robot, "%s needs LINK=NUMBER, not '%.100s'", option, item);
    }
    memcpy(name, item, length);
    name[length] = '\0';
    return wkRobotJob_FindLink(&job->robot, option, name, link);
}

// Sets the options of each link: its own count, or else an accuracy, its own or the common one.
static bool readLinkOptions(wkSphereJob* job, const wkSphereOptions* options)
{
    size_t linkCount = (size_t)wkRobot_Info(job->robot.robot).linkCount;
    job->linkCounts = calloc(linkCount, sizeof *job->linkCounts);
    job->linkAccuracies = calloc(linkCount, sizeof *job->linkAccuracies);
    if (job->linkCounts == NULL || job->linkAccuracies == NULL) {
        return wkRobotJob_Complain(&job->robot, "out of memory");
    }
    for (size_t i = 0; i < linkCount; i++) {
        job->linkAccuracies[i] = options->accuracy;
    }
    int32_t link = -1;
    double value = 0.0;
    for (int i = 0; i < options->linkCounts.count; i++) {
        if (!splitItem(job, "--link-count", options->linkCounts.items[i], &link, &value)) {
            return false;
        }
        job->linkCounts[link] = (int32_t)fmin(ceil(value), 1e6);
    }
    for (int i = 0; i < options->linkAccuracies.count; i++) {
        if (!splitItem(job, "--link-accuracy", options->linkAccuracies.items[i], &link, &value)) {
            return false;
        }
        job->linkAccuracies[link] = value;
    }
    return true;
}

bool wkSphereJob_Fit(wkSphereJob* job, const wkSphereOptions* options)
{
    const wkParallel parallel = {0};
    wkSphereFitDef def = wkDefaultSphereFitDef();
    if (!readLinkOptions(job, options)) {
        return false;
    }
    bool hasLinks = options->linkCounts.count > 0 || options->linkAccuracies.count > 0;
    def.count = options->count;
    def.accuracy = options->accuracy;
    def.padding = options->grow;
    def.linkCounts = hasLinks ? job->linkCounts : NULL;
    def.linkAccuracies = hasLinks ? job->linkAccuracies : NULL;
    def.parallel = &parallel;
    double start = wkNow();
    wkProgress progress = wkProgress_Start("fitting spheres to the robot", 0);
    wkProgress_Say(&progress);
    wkResult result = wkSphereModel_Fit(job->robot.robot, &def, &job->model);
    wkProgress_End(&progress);
    bool isFitted = wkSphereJob_HasDone(job, result);
    job->study.fitSeconds = wkNow() - start;
    if (options->count > 0) {
        snprintf(job->origin, sizeof job->origin, "Fitted: %d spheres at most.", options->count);
    } else {
        snprintf(job->origin, sizeof job->origin, "Fitted to %g mm.", 1e3 * options->accuracy);
    }
    return isFitted;
}

// Grows the spheres of the model; the old model is destroyed.
static bool grow(wkSphereJob* job, double length)
{
    int32_t count = wkSphereModel_Info(job->model).sphereCount;
    wkLinkSphere* spheres = calloc((size_t)count + 1, sizeof *spheres);
    if (spheres == NULL) {
        return wkRobotJob_Complain(&job->robot, "out of memory");
    }
    for (int32_t i = 0; i < count; i++) {
        spheres[i] = wkSphereModel_Sphere(job->model, i);
        spheres[i].sphere.radius += length;
    }
    wkSphereModel_Destroy(job->model);
    bool isDone = wkSphereJob_HasDone(
        job, wkSphereModel_Create(job->robot.robot, spheres, count, &job->model));
    free(spheres);
    return isDone;
}

bool wkSphereJob_Load(wkSphereJob* job, const wkSphereOptions* options)
{
    wkSphereLoadInfo report;
    wkSphereLoadDef how = wkDefaultSphereLoadDef();
    how.skipsUnknownLinks = options->skipsUnknown;
    how.ignoresFrames = options->ignoresFrames;
    if (!wkSphereJob_HasDone(
            job, wkSphereModel_Load(options->from, job->robot.robot, &how, &report, &job->model))) {
        return false;
    }
    if (report.warning[0] != '\0') {
        fprintf(stderr, "whisker spheres: %s\n", report.warning);
    }
    if (report.unknownLinkCount > 0) {
        fprintf(stderr, "whisker spheres: %d links that the robot lacks are left out\n",
                (int)report.unknownLinkCount);
    }
    snprintf(job->origin, sizeof job->origin, "Spheres of %.200s.", options->from);
    return options->grow == 0.0 || grow(job, options->grow);
}
