// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// whisker acm: which pairs of links need no look, found by sampling and written as SRDF.

#include "command.h"
#include "progress.h"
#include "robot_job.h"

#include <stdio.h>
#include <stdlib.h>

static const char help[] =
    "usage: whisker acm ROBOT -o FILE [OPTIONS]\n"
    "\n"
    "Finds the pairs of links of a robot that need no look at each other: neighbours, those that "
    "touch\n"
    "in the default configuration, always, or never in random configurations. Writes them as an "
    "SRDF\n"
    "file, with the groups, states and hands of the one that was given. ROBOT is a URDF file, - "
    "or\n"
    "builtin.\n"
    "\n"
    "  -o FILE              where the SRDF goes\n"
    "  --samples COUNT      random configurations (default 10000)\n"
    "  --seed COUNT         the same seed gives the same pairs (default 1)\n"
    "  --always SHARE       touching in this share of them is always (default 0.95)\n"
    "  --keep               pairs that the given SRDF disables stay so\n" WK_ROBOT_OPTIONS_HELP "\n"
    "exit status: 0 done, 2 something is wrong with files or options\n";

typedef struct acmOptions {
    wkRobotOptions robot;
    const char* output;
    int sampleCount;
    int seed;
    double alwaysShare;
    bool keeps;
} acmOptions;

static bool showProgress(int32_t doneCount, int32_t sampleCount, void* context)
{
    (void)sampleCount;
    wkProgress_Update((wkProgress*)context, doneCount);
    return true;
}

static void printReasons(const wkRobot* robot, const wkAllowedReason* reasons)
{
    int counts[wk_reasonCount] = {0};
    int32_t linkCount = wkRobot_Info(robot).linkCount;
    for (int32_t a = 0; a < linkCount; a++) {
        for (int32_t b = a + 1; b < linkCount; b++) {
            bool haveBodies =
                wkRobot_Link(robot, a).bodyCount > 0 && wkRobot_Link(robot, b).bodyCount > 0;
            counts[reasons[a * linkCount + b]] += haveBodies ? 1 : 0;
        }
    }
    printf("%d pairs are checked; no look at", counts[wk_reasonNone]);
    const char* separator = " ";
    for (int i = wk_reasonNone + 1; i < wk_reasonCount; i++) {
        printf("%s%d %s", separator, counts[i], wkAllowedReasonName((wkAllowedReason)i));
        separator = ", ";
    }
    printf("\n");
}

static wkResult sample(const wkRobotJob* job, const acmOptions* options, wkAllowedReason* reasons)
{
    const wkParallel parallel = {0};
    wkAllowedSampling sampling = wkDefaultAllowedSampling();
    wkProgress progress = wkProgress_Start("configurations", options->sampleCount);
    sampling.sampleCount = options->sampleCount;
    sampling.seed = (uint64_t)options->seed;
    sampling.alwaysShare = options->alwaysShare;
    sampling.keepsDescribed = options->keeps;
    sampling.parallel = &parallel;
    sampling.progress = showProgress;
    sampling.context = &progress;
    wkResult result = wkRobot_SampleAllowed(job->robot, &sampling, reasons);
    wkProgress_End(&progress);
    return result;
}

static int runAcm(const acmOptions* options, const char* path)
{
    wkRobotJob job;
    if (!wkRobotJob_LoadRobot(&job, "acm", path, &options->robot)) {
        return wk_exitUsage;
    }
    size_t linkCount = (size_t)wkRobot_Info(job.robot).linkCount;
    wkAllowedReason* reasons = calloc(linkCount * linkCount, sizeof *reasons);
    wkResult result = reasons != NULL ? sample(&job, options, reasons)
                                      : wkSetLastError(wk_errorMemory, "no memory for the pairs");
    if (result == wk_ok) {
        result = wkRobot_SaveSrdf(options->output, job.robot, reasons);
    }
    if (result == wk_ok) {
        printReasons(job.robot, reasons);
    } else {
        fprintf(stderr, "whisker acm: %s\n", wkGetLastError());
    }
    free(reasons);
    wkRobotJob_Close(&job);
    return result == wk_ok ? wk_exitDone : wk_exitUsage;
}

int wkRunAcm(int argc, char** argv)
{
    if (wkWantsHelp(argc, argv)) {
        fputs(help, stdout);
        return wk_exitDone;
    }
    acmOptions options = {.sampleCount = 10000, .seed = 1, .alwaysShare = 0.95};
    wkOption rows[WK_ROBOT_OPTION_COUNT + 5] = {
        [WK_ROBOT_OPTION_COUNT] = {"-o", wk_optionText, &options.output},
        {"--samples", wk_optionCount, &options.sampleCount},
        {"--seed", wk_optionCount, &options.seed},
        {"--always", wk_optionShare, &options.alwaysShare},
        {"--keep", wk_optionFlag, &options.keeps},
    };
    wkRobotOptions_Rows(&options.robot, rows);
    if (!wkTakeOptions(&argc, argv, rows, sizeof rows / sizeof rows[0])) {
        return wk_exitUsage;
    }
    if (argc != 2 || options.output == NULL) {
        fprintf(stderr, "whisker acm: wants a ROBOT and -o FILE; try: whisker acm --help\n");
        return wk_exitUsage;
    }
    return runAcm(&options, argv[1]);
}
