// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// whisker cloud: filters point clouds, joins them, and writes them in another format.

#include "cloud_filters.h"
#include "cloud_points.h"
#include "command.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const char help[] =
    "usage: whisker cloud FILE... -o FILE [OPTIONS]\n"
    "\n"
    "Reads point clouds (pcd, ply, npy, bin, las, csv, xyz, vtk; - for the standard input), joins\n"
    "them, filters them, and writes one file (pcd, ply, npy, bin, las). The filters that are "
    "given\n"
    "are applied in the order below, and standard error says what each has removed. Without any,\n"
    "all points are kept as they are.\n"
    "\n"
    "  -o FILE                 the file that is written, in the format of its extension\n"
    "  --pose NUMBERS          of a cloud in the result: x,y,z, or x,y,z,roll,pitch,yaw, or\n"
    "                          x,y,z,qx,qy,qz,qw; once for all clouds, or once for each\n"
    "  --range MIN,MAX         keep points at these distances from the sensor\n"
    "  --sensor X,Y,Z          where it was (default: the viewpoint of the file, or its 0,0,0; of\n"
    "                          several files 0,0,0 of the result)\n"
    "  --box X,Y,Z,X,Y,Z       keep points in a box, from its lower vertex to its upper one\n"
    "  --box-pose NUMBERS      of the box, as --pose\n"
    "  --outside               keep the points outside of the box instead\n"
    "  --robot FILE            a robot that stands in the cloud: a URDF file or builtin\n"
    "  --q NUMBERS             its configuration, as --q of whisker check\n"
    "  --self METRES           remove points on the robot, and as near to it as this\n"
    "  --near METRES           remove points further from the robot than this\n"
    "  --statistical N,SIGMAS  remove points whose mean distance to their N neighbours is larger "
    "than\n"
    "                          that of all by so many standard deviations; it loses small "
    "obstacles\n"
    "  --sparse METRES,N       remove points with less than N others this near; the same holds\n"
    "  --voxel METRES          keep one point of each cube of this size\n"
    "\n"
    "for robots:\n" WK_ROBOT_OPTIONS_HELP "\n"
    "exit status: 0 done, 2 a file or an option is wrong; nothing is written then\n";

typedef struct cloudOptions {
    const char* output;
    wkOptionList poses;
    wkFilterOptions filters;
} cloudOptions;

static bool complain(const char* words)
{
    fprintf(stderr, "whisker cloud: %s\n", words);
    return false;
}

static bool hasDone(wkResult result)
{
    return result == wk_ok || complain(wkGetLastError());
}

static bool readPoses(const cloudOptions* options, int fileCount, wkPose* poses)
{
    for (int i = 0; i < fileCount; i++) {
        const wkOptionList* list = &options->poses;
        const char* text = list->count > 0 ? list->items[list->count > 1 ? i : 0] : NULL;
        poses[i] = wkIdentityPose();
        if (text != NULL && !wkReadPose(text, &poses[i])) {
            return complain("--pose wants x,y,z, x,y,z,roll,pitch,yaw, or x,y,z,qx,qy,qz,qw");
        }
    }
    return true;
}

static void sayResult(const cloudOptions* options, const wkCloudSteps* steps,
                      const wkFilterResult* result)
{
    fprintf(stderr, "whisker cloud: %d points, %d not finite\n", result->pointCount,
            result->notFiniteCount);
    for (int32_t i = 0; i < result->stepCount; i++) {
        const wkFilterStepInfo* step = &result->steps[i];
        fprintf(stderr, "whisker cloud: %s: %d removed, %d left",
                wkFilterTypeName(steps->steps[i].type), step->removedCount,
                step->examinedCount - step->removedCount);
        if (step->reach > 0.0) {
            fprintf(stderr, "; a radius %.4g m larger covers those removed", step->reach);
        }
        fprintf(stderr, "\n");
    }
    if (result->keptCount == 0) {
        fprintf(stderr, "whisker cloud: warning: %s: no point is left\n", options->output);
    }
}

// Applies the steps and writes what they keep.
static bool filterPoints(const cloudOptions* options, const wkCloudSteps* steps,
                         const wkJoinedPoints* points)
{
    wkCloudFilter* filter = NULL;
    wkFilterResult result = {0};
    wkParallel parallel = {0};
    wkFilterRequest request = wkDefaultFilterRequest();
    request.points.data = points->coordinates;
    request.points.count = points->count;
    request.points.isDouble = true;
    request.steps = steps->steps;
    request.stepCount = steps->count;
    request.parallel = &parallel;
    bool isDone = hasDone(wkCloudFilter_Create(&filter)) &&
                  hasDone(wkCloudFilter_Run(filter, &request, &result)) &&
                  hasDone(wkJoinedPoints_Save(points, steps->count > 0 ? result.kept : NULL,
                                              result.keptCount, options->output));
    if (isDone) {
        sayResult(options, steps, &result);
    }
    wkCloudFilter_Destroy(filter);
    return isDone;
}

static int runCloud(const cloudOptions* options, char** files, int fileCount)
{
    wkPose poses[WK_OPTION_LIST];
    wkJoinedPoints points = {0};
    wkCloudSteps* steps = calloc(1, sizeof *steps); // too large for the stack
    bool isDone = steps != NULL || complain("out of memory");
    isDone = isDone && readPoses(options, fileCount, poses) &&
             hasDone(wkJoinedPoints_Load(&points, files, poses, fileCount)) &&
             wkCloudSteps_Read(steps, &options->filters, points.sensor.position) &&
             filterPoints(options, steps, &points);
    if (steps != NULL) {
        wkCloudSteps_Free(steps);
    }
    free(steps);
    wkJoinedPoints_Free(&points);
    return isDone ? wk_exitDone : wk_exitUsage;
}

// Returns a message about invalid combinations of options; NULL: none.
static const char* findContradiction(const cloudOptions* o, int fileCount)
{
    const wkFilterOptions* f = &o->filters;
    bool hasRobotStep = !isnan(f->self) || !isnan(f->near);
    if (o->output == NULL || fileCount == 0) {
        return "wants FILEs and -o FILE";
    }
    if (fileCount > WK_OPTION_LIST) {
        return "takes at most 64 FILEs";
    }
    if (o->poses.count > 1 && o->poses.count != fileCount) {
        return "--pose must be given once, or once for each FILE";
    }
    if (f->sensor != NULL && f->range == NULL) {
        return "--sensor is about --range";
    }
    if ((f->boxPose != NULL || f->keepsOutside) && f->box == NULL) {
        return "--box-pose and --outside are about --box";
    }
    if (hasRobotStep != (f->robot != NULL) || (f->robot != NULL) != (f->q != NULL)) {
        return "--self and --near need --robot and --q, which need one of them";
    }
    return NULL;
}

int wkRunCloud(int argc, char** argv)
{
    if (wkWantsHelp(argc, argv)) {
        fputs(help, stdout);
        return wk_exitDone;
    }
    cloudOptions options = {.filters = {.voxel = NAN, .self = NAN, .near = NAN}};
    wkFilterOptions* f = &options.filters;
    wkOption rows[WK_ROBOT_OPTION_COUNT + 14] = {
        [WK_ROBOT_OPTION_COUNT] = {"-o", wk_optionOutput, &options.output},
        {"--pose", wk_optionList, &options.poses},
        {"--range", wk_optionText, &f->range},
        {"--sensor", wk_optionText, &f->sensor},
        {"--box", wk_optionText, &f->box},
        {"--box-pose", wk_optionText, &f->boxPose},
        {"--outside", wk_optionFlag, &f->keepsOutside},
        {"--robot", wk_optionText, &f->robot},
        {"--q", wk_optionText, &f->q},
        {"--self", wk_optionBound, &f->self},
        {"--near", wk_optionBound, &f->near},
        {"--voxel", wk_optionSize, &f->voxel},
        {"--statistical", wk_optionText, &f->statistical},
        {"--sparse", wk_optionText, &f->sparse},
    };
    wkRobotOptions_Rows(&f->robotOptions, rows);
    if (!wkTakeOptions(&argc, argv, rows, sizeof rows / sizeof rows[0])) {
        return wk_exitUsage;
    }
    const char* trouble = findContradiction(&options, argc - 1);
    if (trouble != NULL) {
        fprintf(stderr, "whisker cloud: %s; try: whisker cloud --help\n", trouble);
        return wk_exitUsage;
    }
    return runCloud(&options, argv + 1, argc - 1);
}
