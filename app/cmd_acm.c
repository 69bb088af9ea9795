// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// whisker acm: finds pairs of links that need not be checked, by proof and sampling, and writes an SRDF.

#include "command.h"
#include "progress.h"
#include "robot_job.h"
#include "robot_words.h"

#include "whisker/detail/counts.h"
#include "whisker/detail/library.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
    "usage: whisker acm ROBOT -o FILE [OPTIONS]\n"
    "\n"
    "Finds the pairs of links of a robot that need not be checked: neighbours, those that\n"
    "touch in the default configuration or always, and those that are proven never to touch\n"
    "within the limits of the joints. Pairs that are not proven are examined in random\n"
    "configurations, and stay checked unless --sampled-never is given. Writes an SRDF file,\n"
    "with the groups, states and end effectors of the one that was given. ROBOT is a URDF file, - "
    "or\n"
    "builtin.\n"
    "\n"
    "  -o FILE                where the SRDF goes\n"
    "  --sampled-never        disable pairs too that touched in no sample but are not proven\n"
    "  --samples COUNT        random configurations (default 300000); a pair that touches in\n"
    "                         none of them touches in less than 3 / COUNT of all, with a\n"
    "                         confidence of 95 %\n"
    "  --proof-budget COUNT   tests that the proof of a pair may take (default 50000)\n"
    "  --margin LENGTH        touching means no further apart than this, in metres (default 0):\n"
    "                         the padding or safety distance that the robot is used with\n"
    "  --seed COUNT           the same seed gives the same pairs (default 1)\n"
    "  --always SHARE         touching in this share of samples is always (default 0.95)\n"
    "  --keep                 pairs that the given SRDF disables stay so\n"
    "  --json                 a line for each pair, with its evidence\n" WK_ROBOT_OPTIONS_HELP "\n"
    "exit status: 0 done, 2 something is wrong with files or options\n";

typedef struct acmOptions {
    wkRobotOptions robot;
    const char* output;
    int sampleCount;
    int proofBudget;
    int seed;
    double alwaysShare;
    double margin;
    bool keeps;
    bool allowsSampled;
    bool isJson;
} acmOptions;

// What was found.
typedef struct findings {
    const wkRobot* robot;
    int32_t linkCount;
    wkAllowedReason* reasons;
    wkPairEvidence* evidence;
} findings;

// A pair of links with bodies.
typedef struct foundPair {
    const char* linkA;
    const char* linkB;
    wkAllowedReason reason;
    wkPairEvidence evidence;
    bool isSampledNever; // free in all samples, but not proven
} foundPair;

// Finds the next pair after `index`, which starts at -1.
static bool nextPair(const findings* found, int32_t* index, foundPair* pair)
{
    while (++*index < found->linkCount * found->linkCount) {
        int32_t a = *index / found->linkCount, b = *index % found->linkCount;
        wkLinkInfo linkA = wkRobot_Link(found->robot, a), linkB = wkRobot_Link(found->robot, b);
        if (a < b && linkA.bodyCount > 0 && linkB.bodyCount > 0) {
            pair->linkA = linkA.name;
            pair->linkB = linkB.name;
            pair->reason = found->reasons[*index];
            pair->evidence = found->evidence[*index];
            bool isKept = pair->reason == wk_reasonNone || pair->reason == wk_reasonNever;
            pair->isSampledNever = isKept && !pair->evidence.canTouch;
            return true;
        }
    }
    return false;
}

// Prints a line of JSON for each pair.
// @return false: out of memory
static bool reportPairs(const findings* found)
{
    foundPair pair;
    wkText text = {0};
    bool isWhole = true;
    for (int32_t i = -1; isWhole && nextPair(found, &i, &pair);) {
        const char* evidence =
            pair.isSampledNever ? "sampled" : wkAllowedReasonEvidence(pair.reason);
        wkText_Truncate(&text, 0);
        wkText_AppendString(&text, "{\"link1\":");
        wkText_AppendQuoted(&text, pair.linkA, strlen(pair.linkA));
        wkText_AppendString(&text, ",\"link2\":");
        wkText_AppendQuoted(&text, pair.linkB, strlen(pair.linkB));
        wkText_AppendString(&text, pair.reason == wk_reasonNone ? ",\"checked\":true"
                                                                : ",\"checked\":false");
        wkText_AppendString(&text, ",\"reason\":\"");
        wkText_AppendString(&text, wkAllowedReasonName(pair.reason));
        wkText_AppendString(&text, "\",\"evidence\":\"");
        wkText_AppendString(&text, evidence);
        wkText_AppendString(&text, "\",\"samples\":");
        wkText_AppendInteger(&text, pair.evidence.sampleCount);
        wkText_AppendString(&text, ",\"touching\":");
        wkText_AppendInteger(&text, pair.evidence.touchCount);
        wkText_AppendString(&text, ",\"missed_share\":");
        wkText_AppendNumber(&text, pair.evidence.missedShare);
        wkText_AppendString(&text, "}\n");
        isWhole = !text.isOutOfMemory && fwrite(text.data, 1, text.length, stdout) == text.length;
    }
    wkText_Free(&text);
    return isWhole;
}

static bool sayPairs(const findings* found)
{
    int counts[WK_ALLOWED_REASON_COUNT] = {0};
    foundPair pair;
    for (int32_t i = -1; nextPair(found, &i, &pair);) {
        ++counts[pair.reason];
    }
    printf("%d pairs are checked; not checked are", counts[wk_reasonNone]);
    const char* separator = " ";
    for (int i = wk_reasonNone + 1; i < WK_ALLOWED_REASON_COUNT; i++) {
        const char* evidence = wkAllowedReasonEvidence((wkAllowedReason)i);
        printf("%s%d %s%s%s", separator, counts[i], wkAllowedReasonName((wkAllowedReason)i),
               evidence[0] != '\0' ? " " : "", evidence);
        separator = ", ";
    }
    printf("\n");
    for (int32_t i = -1; nextPair(found, &i, &pair);) {
        if (pair.isSampledNever) {
            printf("%s and %s: not proven, touch in less than %.3g of all configurations\n",
                   pair.linkA, pair.linkB, pair.evidence.missedShare);
        }
    }
    return true;
}

// Warns about pairs that are not proven.
static void warnOfSampled(const findings* found, const acmOptions* options)
{
    foundPair pair;
    int count = 0;
    for (int32_t i = -1; nextPair(found, &i, &pair);) {
        count += pair.isSampledNever ? 1 : 0;
    }
    if (count > 0) {
        fprintf(
            stderr,
            "whisker acm: %d pairs touched in none of %d random configurations but are not proven "
            "never to touch: they are %s\n",
            count, options->sampleCount,
            options->allowsSampled ? "disabled, as --sampled-never asks for"
                                   : "checked (--sampled-never disables them)");
    }
}

static bool showProgress(int64_t done, int64_t total, void* context)
{
    wkProgress* progress = context;
    progress->total = total;
    wkProgress_Update(progress, done);
    return true;
}

static wkResult find(const wkRobotJob* job, const acmOptions* options, findings* found)
{
    const wkParallel parallel = {0};
    wkAllowedRequest sampling = wkDefaultAllowedRequest();
    wkProgress progress = wkProgress_Start("steps", options->sampleCount);
    sampling.sampleCount = options->sampleCount;
    sampling.seed = (uint64_t)options->seed;
    sampling.alwaysShare = options->alwaysShare;
    sampling.proofBudget = options->proofBudget;
    sampling.margin = options->margin;
    sampling.allowsSampled = options->allowsSampled;
    sampling.keepsDescribed = options->keeps;
    sampling.parallel = &parallel;
    sampling.progress = showProgress;
    sampling.progressContext = &progress;
    wkResult result = wkRobot_SampleAllowed(job->robot, &sampling, found->reasons, found->evidence);
    wkProgress_End(&progress);
    return result;
}

// Warns about pairs that touch by default: they may collide elsewhere, so the user must decide.
static void warnOfDefault(const findings* found)
{
    foundPair pair;
    for (int32_t i = -1; nextPair(found, &i, &pair);) {
        if (pair.reason == wk_reasonDefault) {
            fprintf(stderr,
                    "whisker acm: warning: %s and %s touch in the default configuration and are "
                    "disabled; remove them from the file if they may collide elsewhere\n",
                    pair.linkA, pair.linkB);
        }
    }
}

static int runAcm(const acmOptions* options, const char* path)
{
    wkRobotJob job;
    if (!wkRobotJob_LoadRobot(&job, "acm", path, &options->robot)) {
        return wk_exitUsage;
    }
    findings found = {.robot = job.robot, .linkCount = wkRobot_Info(job.robot).linkCount};
    size_t pairCount = (size_t)found.linkCount * (size_t)found.linkCount;
    found.reasons = calloc(pairCount, sizeof *found.reasons);
    found.evidence = calloc(pairCount, sizeof *found.evidence);
    wkResult result = found.reasons != NULL && found.evidence != NULL
                          ? find(&job, options, &found)
                          : wkSetLastError(wk_errorMemory, "no memory for the pairs of links");
    if (result == wk_ok) {
        result = wkRobot_SaveSrdf(options->output, job.robot, found.reasons);
    }
    if (result == wk_ok) {
        warnOfSampled(&found, options);
        warnOfDefault(&found);
        if (!(options->isJson ? reportPairs : sayPairs)(&found)) {
            result =
                wkSetLastError(wk_errorMemory, "no memory for the answer, or it was not taken");
        }
    }
    if (result != wk_ok) {
        fprintf(stderr, "whisker acm: %s\n", wkGetLastError());
    }
    free(found.reasons);
    free(found.evidence);
    wkRobotJob_Close(&job);
    return result == wk_ok ? wk_exitDone : wk_exitUsage;
}

int wkRunAcm(int argc, char** argv)
{
    if (wkWantsHelp(argc, argv)) {
        fputs(help, stdout);
        return wk_exitDone;
    }
    wkAllowedRequest defaults = wkDefaultAllowedRequest();
    acmOptions options = {.sampleCount = defaults.sampleCount,
                          .proofBudget = defaults.proofBudget,
                          .seed = 1,
                          .alwaysShare = defaults.alwaysShare};
    wkOption rows[WK_ROBOT_OPTION_COUNT + 9] = {
        [WK_ROBOT_OPTION_COUNT] = {"-o", wk_optionOutput, &options.output},
        {"--samples", wk_optionCount, &options.sampleCount},
        {"--proof-budget", wk_optionCount, &options.proofBudget},
        {"--seed", wk_optionCount, &options.seed},
        {"--always", wk_optionShare, &options.alwaysShare},
        {"--margin", wk_optionBound, &options.margin},
        {"--keep", wk_optionFlag, &options.keeps},
        {"--sampled-never", wk_optionFlag, &options.allowsSampled},
        {"--json", wk_optionFlag, &options.isJson},
    };
    wkRobotOptions_Rows(&options.robot, rows);
    if (!wkTakeOptions(&argc, argv, rows, sizeof rows / sizeof rows[0])) {
        return wk_exitUsage;
    }
    if (!wkTakesOne(argc, argv, "ROBOT")) {
        return wk_exitUsage;
    }
    if (options.output == NULL) {
        fprintf(stderr, "whisker acm: -o FILE is missing; try: whisker acm --help\n");
        return wk_exitUsage;
    }
    return runAcm(&options, argv[1]);
}
