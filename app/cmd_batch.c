// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// whisker batch: configurations or motions of a robot by the million, from files larger than memory.

#include "batch_job.h"
#include "command.h"
#include "progress.h"
#include "samples.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
    "usage: whisker batch ROBOT --states FILE -o FILE [OPTIONS]\n"
    "\n"
    "Says of each configuration whether the robot is free there: by balls that cover it, against "
    "all\n"
    "that is around. ROBOT is a URDF file, - or builtin. Files are arrays of NumPy that are read "
    "and\n"
    "written piece by piece, so that they may be larger than memory.\n"
    "\n"
    "  --states FILE        configurations, a row each: f4 or f8\n"
    "  -o FILE              a byte for each: 0 free, 1 limits, 2 self, 3 world, 4 unknown space,\n"
    "                       5 uncertain, 6 invalid\n"
    "  --motions            motions instead: each row to the next one\n"
    "  --to FILE            motions from the rows of --states to those of this file\n"
    "  --certified          free at every instant, proven, not looked at in steps\n"
    "  --step SIZE          of motions, in radians or metres (default 0.02)\n"
    "  --tolerance METRES   of certified motions (default 0.001)\n"
    "  --times FILE         when motions touch, as f4\n"
    "  --clearance METRES   distances up to that one instead, as f4\n"
    "  --spheres FILE       balls of the robot: .json, .yml or .urdf (default: fitted to 2 cm)\n"
    "  --exactness WHO      spheres (default), or filter: shapes judge what balls touch\n"
    "  --depth FILE         a depth image (.png); may be given several times\n"
    "  --camera FILE        its camera and pose; once for each image\n"
    "  --occluded-free      what is behind surfaces that a camera sees may be touched\n"
    "  --unseen-free        what no camera has seen may be touched\n"
    "  --margin METRES      touching means no further away than this (default 0)\n"
    "  --threads COUNT      (default: one for each processor)\n";

static const char helpEnd[] =
    "\nexit status: 0 all was looked at, 2 something is wrong with files or options\n";

static void addRows(wkBatchOptions* o, wkOption rows[WK_JOB_OPTION_COUNT + WK_BATCH_OPTION_COUNT])
{
    const wkOption table[WK_BATCH_OPTION_COUNT] = {
        {"--states", wk_optionText, &o->states},
        {"-o", wk_optionText, &o->output},
        {"--motions", wk_optionFlag, &o->isPath},
        {"--to", wk_optionText, &o->to},
        {"--certified", wk_optionFlag, &o->isCertified},
        {"--step", wk_optionNumber, &o->step},
        {"--tolerance", wk_optionNumber, &o->tolerance},
        {"--times", wk_optionText, &o->times},
        {"--clearance", wk_optionNumber, &o->clearance},
        {"--spheres", wk_optionText, &o->spheres},
        {"--exactness", wk_optionText, &o->exactness},
        {"--depth", wk_optionList, &o->depths},
        {"--camera", wk_optionList, &o->cameras},
        {"--occluded-free", wk_optionFlag, &o->occludedIsFree},
        {"--unseen-free", wk_optionFlag, &o->unseenIsFree},
        {"--margin", wk_optionNumber, &o->margin},
        {"--threads", wk_optionCount, &o->threads},
    };
    wkJobOptions_Rows(&o->job, rows);
    memcpy(rows + WK_JOB_OPTION_COUNT, table, sizeof table);
}

// What cannot be meant together.
static const char* findContradiction(const wkBatchOptions* o)
{
    bool hasMotions = o->isPath || o->to != NULL;
    if (o->states == NULL || o->output == NULL) {
        return "wants --states and -o";
    }
    if (o->isPath && o->to != NULL) {
        return "--motions and --to are two ways to give motions";
    }
    if (hasMotions && !isnan(o->clearance)) {
        return "--clearance is about configurations, not motions";
    }
    if (!hasMotions && (o->isCertified || o->times != NULL || !isnan(o->step))) {
        return "--certified, --step and --times need --motions or --to";
    }
    if (!o->isCertified && !isnan(o->tolerance)) {
        return "--tolerance needs --certified";
    }
    if (o->isCertified && !isnan(o->step)) {
        return "--step is for motions that are not --certified";
    }
    if (o->depths.count != o->cameras.count) {
        return "each --depth needs a --camera";
    }
    if (o->step <= 0.0 || o->tolerance <= 0.0 || o->clearance <= 0.0) {
        return "--step, --tolerance and --clearance must be above 0";
    }
    if (o->margin < 0.0) {
        return "--margin must not be below 0";
    }
    return NULL;
}

// For people, on standard error: an output may go to a pipe.
static void sayCounts(const wkBatchJob* job, double seconds)
{
    fprintf(stderr, "%lld %s in %.2f s%s", (long long)job->doneCount, job->what, seconds,
            job->doneCount > 0 ? ":" : "");
    if (job->clearances != NULL) {
        fprintf(stderr, " touching %lld", (long long)job->touchCount);
    }
    for (int i = 0; i < wk_verdictCount; i++) {
        if (job->counts[i] > 0) {
            fprintf(stderr, " %s %lld", wkVerdictName((wkVerdict)i), (long long)job->counts[i]);
        }
    }
    fprintf(stderr, "; %.4g a second%s\n", seconds > 0.0 ? (double)job->doneCount / seconds : 0.0,
            wkBatch_Info(job->batch).isCovering
                ? ""
                : "; the spheres do not cover the robot: free is not proven");
}

// The same as a line of JSON.
static void tellCounts(const wkBatchJob* job, double seconds)
{
    printf("{\"%s\":%lld,\"seconds\":%.6f", job->what, (long long)job->doneCount, seconds);
    if (job->clearances != NULL) {
        printf(",\"touching\":%lld", (long long)job->touchCount);
    }
    for (int i = 0; i < wk_verdictCount; i++) {
        if (job->clearances == NULL || i == wk_verdictInvalid) {
            printf(",\"%s\":%lld", wkVerdictName((wkVerdict)i), (long long)job->counts[i]);
        }
    }
    printf(",\"covering\":%s}\n", wkBatch_Info(job->batch).isCovering ? "true" : "false");
}

static int runBatch(const wkBatchOptions* options, const char* path)
{
    wkBatchJob job;
    bool isDone = wkBatchJob_Open(&job, options, path);
    double start = wkNow();
    wkProgress progress = wkProgress_Start(isDone ? job.what : "", isDone ? job.itemCount : 0);
    while (isDone && job.doneCount < job.itemCount) {
        isDone = wkBatchJob_Step(&job);
        wkProgress_Update(&progress, job.doneCount);
    }
    wkProgress_End(&progress);
    isDone = wkBatchJob_Finish(&job) && isDone;
    if (isDone) {
        (options->job.isJson ? tellCounts : sayCounts)(&job, wkNow() - start);
    }
    wkBatchJob_Close(&job);
    return isDone ? wk_exitDone : wk_exitUsage;
}

int wkRunBatch(int argc, char** argv)
{
    if (wkWantsHelp(argc, argv)) {
        printf("%s%s%s", help, wkJobOptionsHelp, helpEnd);
        return wk_exitDone;
    }
    wkBatchOptions options = {.step = NAN, .tolerance = NAN, .clearance = NAN};
    wkOption rows[WK_JOB_OPTION_COUNT + WK_BATCH_OPTION_COUNT];
    addRows(&options, rows);
    if (!wkTakeOptions(&argc, argv, rows, sizeof rows / sizeof rows[0])) {
        return wk_exitUsage;
    }
    const char* trouble = argc != 2 ? "wants one ROBOT" : findContradiction(&options);
    if (trouble != NULL) {
        fprintf(stderr, "whisker batch: %s; try: whisker batch --help\n", trouble);
        return wk_exitUsage;
    }
    return runBatch(&options, argv[1]);
}
