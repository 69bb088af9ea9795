// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// whisker batch: checks millions of configurations or motions of a robot, from files larger than memory.

#include "batch_check.h"
#include "batch_files.h"
#include "command.h"
#include "demo_samples.h"
#include "interrupt.h"
#include "outputs.h"
#include "progress.h"

#include "whisker/detail/counts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SAVE_SECONDS 10.0 // seconds between saves of the progress

static const char help[] =
    "usage: whisker batch ROBOT --states FILE -o FILE [OPTIONS]\n"
    "\n"
    "Checks millions of configurations for collision, with spheres that cover the robot. ROBOT is "
    "a\n"
    "URDF file, - or builtin. Files are NumPy arrays, which are read and written in blocks and may "
    "be\n"
    "larger than memory.\n"
    "\n"
    "  --states FILE        configurations, a row each: f4 or f8\n"
    "  -o FILE              a byte for each: 0 unchecked, 1 free, 2 limits, 3 self, 4 world,\n"
    "                       5 unknown space, 6 uncertain, 7 invalid\n"
    "  --motions            motions instead: each row to the next one\n"
    "  --to FILE            motions from the rows of --states to those of this file\n"
    "                       motions that are free are free at every instant, which is proven\n"
    "  --tolerance METRES   motions that come nearer may be uncertain (default 0.0001)\n"
    "  --steps              check motions at steps alone, not at every instant: faster\n"
    "  --step SIZE          the same, with steps of this size, in radians or metres (default "
    "0.02)\n"
    "  --times FILE         when motions touch, as f4\n"
    "  --clearance METRES   distances up to that one instead, as f4\n"
    "  --spheres FILE       spheres of the robot: .json, .yml or .urdf (default: fitted to 2 cm)\n"
    "  --no-cache           fit spheres though they may be in ~/.cache/whisker, and do not keep "
    "them "
    "there\n"
    "  --exactness MODE     what decides where spheres of two links touch. refined (default): "
    "tables of\n"
    "                       joint values, spheres where they lose little; self: their shapes "
    "always;\n"
    "                       spheres: the spheres. filter: shapes decide wherever spheres touch\n"
    "  --depth FILE         a depth image (.png); may be given several times\n"
    "  --camera FILE        its camera and pose (text, camera_info YAML or a 3x3 matrix); once "
    "for\n"
    "                       each image\n"
    "  --occluded-free      space occluded by observed surfaces counts as free\n"
    "  --unobserved-free    space that no camera has observed counts as free\n"
    "  --margin METRES      touching means no further away than this (default 0)\n"
    "  --threads COUNT      (default: one for each processor)\n"
    "  --gpu MODE           auto (default): a GPU where one can be used and there is enough to "
    "check; "
    "always:\n"
    "                       a GPU or nothing; never: the CPU; a number: that GPU, as nvidia-smi "
    "counts them\n"
    "  --resume             continue an interrupted run, whose first results are in FILE.partial; "
    "the\n"
    "                       robot, world, options and configurations must be the "
    "same\n" WK_STUDY_OPTIONS_HELP;

static const char helpEnd[] = "\nexit status: 0 all was checked, 2 something is wrong with files "
                              "or options, 3 interrupted: "
                              "\nwhat was done so far is in FILE.partial\n";

static void addRows(wkBatchOptions* o, wkOption rows[WK_JOB_OPTION_COUNT + WK_BATCH_OPTION_COUNT])
{
    const wkOption table[WK_BATCH_OPTION_COUNT - WK_STUDY_OPTION_COUNT] = {
        {"--states", wk_optionText, &o->states},
        {"-o", wk_optionOutput, &o->output},
        {"--motions", wk_optionFlag, &o->isPath},
        {"--to", wk_optionText, &o->to},
        {"--certified", wk_optionFlag, &o->isCertified},
        {"--steps", wk_optionFlag, &o->isSampled},
        {"--step", wk_optionSize, &o->step},
        {"--tolerance", wk_optionSize, &o->tolerance},
        {"--times", wk_optionOutput, &o->times},
        {"--clearance", wk_optionSize, &o->clearance},
        {"--spheres", wk_optionText, &o->spheres},
        {"--no-cache", wk_optionFlag, &o->ignoresCache},
        {"--exactness", wk_optionText, &o->exactness},
        {"--depth", wk_optionList, &o->depths},
        {"--camera", wk_optionList, &o->cameras},
        {"--occluded-free", wk_optionFlag, &o->occludedIsFree},
        {"--unobserved-free", wk_optionFlag, &o->unobservedIsFree},
        {"--margin", wk_optionBound, &o->margin},
        {"--threads", wk_optionCount, &o->threads},
        {"--gpu", wk_optionText, &o->gpu},
        {"--resume", wk_optionFlag, &o->resumes},
    };
    wkStudyOptions_Rows(&o->study,
                        rows + WK_JOB_OPTION_COUNT + WK_BATCH_OPTION_COUNT - WK_STUDY_OPTION_COUNT);
    wkJobOptions_Rows(&o->job, rows);
    memcpy(rows + WK_JOB_OPTION_COUNT, table, sizeof table);
}

// Returns a message about options that exclude each other; NULL: none.
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
    bool isSampled = o->isSampled || !isnan(o->step);
    bool hasMotionOptions = o->isCertified || isSampled || o->times != NULL;
    if (!hasMotions && (hasMotionOptions || !isnan(o->tolerance))) {
        return "--steps, --step, --tolerance and --times need --motions or --to";
    }
    if (isSampled && (o->isCertified || !isnan(o->tolerance))) {
        return "--steps and --step check motions at steps alone: no --tolerance, no --certified";
    }
    if (o->depths.count != o->cameras.count) {
        return "each --depth needs a --camera";
    }
    return NULL;
}

// Prints the counts as text to stderr, since an output may go to a pipe.
static void sayCounts(const wkBatchJob* job, double seconds)
{
    fprintf(stderr, "%lld %s in %.2f s%s", (long long)job->doneCount, job->what, seconds,
            job->doneCount > 0 ? ":" : "");
    if (job->clearances != NULL) {
        fprintf(stderr, " touching %lld", (long long)job->touchCount);
    }
    for (int i = 0; i < WK_VERDICT_COUNT; i++) {
        if (job->counts[i] > 0) {
            fprintf(stderr, " %s %lld", wkVerdictName((wkVerdict)i), (long long)job->counts[i]);
        }
    }
    fprintf(stderr, "; %.4g a second%s\n", seconds > 0.0 ? (double)job->doneCount / seconds : 0.0,
            wkBatch_Info(job->batch).isCovering
                ? ""
                : "; the spheres do not cover the robot: free is not proven");
}

// Prints the counts as a line of JSON.
static void reportCounts(const wkBatchJob* job, double seconds)
{
    printf("{\"%s\":%lld,\"seconds\":%.6f", job->what, (long long)job->doneCount, seconds);
    if (job->clearances != NULL) {
        printf(",\"touching\":%lld", (long long)job->touchCount);
    }
    for (int i = 0; i < WK_VERDICT_COUNT; i++) {
        if (job->clearances == NULL || i == wk_verdictInvalid) {
            printf(",\"%s\":%lld", wkVerdictName((wkVerdict)i), (long long)job->counts[i]);
        }
    }
    printf(",\"covering\":%s,\"backend\":\"%s\"}\n",
           wkBatch_Info(job->batch).isCovering ? "true" : "false", wkBatchCheck_Backend(job));
}

// Prints notes about options that are accepted for one more version.
static void sayOldOptions(const wkBatchOptions* options)
{
    if (options->isCertified) {
        fprintf(stderr, "whisker batch: --certified is the default and will be removed\n");
    }
}

// Prints where an interrupted run has left its results.
static void sayPartial(wkBatchJob* job, bool isSaved)
{
    const char* output = job->options->output;
    fprintf(stderr, "whisker batch: ended after %lld of %lld %s", (long long)job->doneCount,
            (long long)job->itemCount, job->what);
    if (isSaved && job->doneCount > 0) {
        fprintf(stderr, ", which are in %s" WK_ARRAY_PARTIAL "; --resume goes on", output);
    }
    fprintf(stderr, "; %s was not written\n", output);
}

// Processes all blocks, unless a signal arrives between them.
static bool runPieces(wkBatchJob* job)
{
    bool isDone = true;
    double saved = wkNow();
    wkProgress progress = wkProgress_Start(job->what, job->itemCount);
    wkInterrupt_Watch();
    while (isDone && job->doneCount < job->itemCount && !wkInterrupt_HasCome()) {
        isDone = wkBatchJob_Step(job);
        wkProgress_Update(&progress, job->doneCount);
        if (isDone && wkNow() - saved > SAVE_SECONDS && job->isResumable) {
            isDone = wkBatchFiles_Save(job);
            saved = wkNow();
        }
    }
    wkProgress_End(&progress);
    return isDone;
}

// Draws the configuration that is shown, if there is one. Returns false after a message.
static bool drawShown(const wkBatchJob* job)
{
    if (job->shown == NULL || job->itemCount == 0) {
        return true;
    }
    wkCheckStudy study = {.index = job->shownIndex >= 0 ? job->shownIndex : 0,
                          .what = job->what,
                          .counts = job->counts};
    study.request = wkJobOptions_Request(&job->options->job);
    study.request.margin = job->options->margin;
    wkCheckStudy_Examine(&study, &job->robot, job->shown);
    return wkCheckStudy_Write(&study, &job->options->study);
}

static int runBatch(const wkBatchOptions* options, const char* path)
{
    wkBatchJob job;
    int status = wk_exitUsage;
    double seconds = 0.0;
    if (wkBatchJob_Open(&job, options, path)) {
        double start = wkNow();
        bool isDone = runPieces(&job);
        seconds = wkNow() - start;
        if (isDone && job.doneCount == job.itemCount) {
            status = wkBatchFiles_Finish(&job) && drawShown(&job) ? wk_exitDone : wk_exitUsage;
        } else {
            status = isDone ? wk_exitInterrupted : wk_exitUsage;
            sayPartial(&job, wkBatchFiles_Save(&job));
        }
    }
    if (status == wk_exitDone) {
        (options->job.isJson ? reportCounts : sayCounts)(&job, seconds);
    }
    wkBatchJob_Close(&job);
    return status;
}

// Returns the digest of all options that verdicts depend on.
static wkDigest digestOptions(const wkOption* rows, size_t count)
{
    static const char* const others[] = {
        "-o",    "--states",  "--to",        "--times",    "--threads", "--resume",  "--json",
        "--gpu", "--spheres", "--certified", "--no-cache", "--report",  "--picture", "--size"};
    wkDigestBuilder builder = wkDigestBuilder_Begin("whisker batch options 1");
    for (size_t i = 0; i < count; i++) {
        bool isOther = false;
        for (size_t k = 0; k < sizeof others / sizeof others[0]; k++) {
            isOther = isOther || strcmp(rows[i].name, others[k]) == 0;
        }
        if (!isOther) {
            wkOption_AddTo(&rows[i], &builder);
        }
    }
    return wkDigestBuilder_End(&builder);
}

int wkRunBatch(int argc, char** argv)
{
    if (wkWantsHelp(argc, argv)) {
        printf("%s%s%s", help, wkJobOptionsHelp, helpEnd);
        return wk_exitDone;
    }
    wkBatchOptions options = {
        .step = NAN, .tolerance = NAN, .clearance = NAN, .study.size = WK_STUDY_SIZE};
    wkOption rows[WK_JOB_OPTION_COUNT + WK_BATCH_OPTION_COUNT];
    addRows(&options, rows);
    if (!wkTakeOptions(&argc, argv, rows, sizeof rows / sizeof rows[0])) {
        return wk_exitUsage;
    }
    if (!wkTakesOne(argc, argv, "ROBOT")) {
        return wk_exitUsage;
    }
    const char* trouble = findContradiction(&options);
    if (trouble != NULL) {
        fprintf(stderr, "whisker batch: %s; try: whisker batch --help\n", trouble);
        return wk_exitUsage;
    }
    if (options.gpu != NULL && !wkGpuChoice_Read(options.gpu, &options.gpuChoice)) {
        fprintf(stderr, "whisker batch: --gpu is %s, must be " WK_GPU_CHOICE_WORDS "\n",
                options.gpu);
        return wk_exitUsage;
    }
    sayOldOptions(&options);
    static char output[WK_PATH_CAPACITY], times[WK_PATH_CAPACITY];
    if (!wkOutputs_FollowLinks("batch", options.output, output) ||
        (options.times != NULL && !wkOutputs_FollowLinks("batch", options.times, times))) {
        return wk_exitUsage;
    }
    options.output = output;
    options.times = options.times != NULL ? times : NULL;
    options.digest = digestOptions(rows, sizeof rows / sizeof rows[0]);
    return runBatch(&options, argv[1]);
}
