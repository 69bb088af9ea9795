// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// whisker motion: checks whether motions between configurations, and trajectories, are free at every instant.

#include "command.h"
#include "demo_samples.h"
#include "progress.h"
#include "robot_job.h"
#include "robot_words.h"
#include "trajectory_points.h"

#include "whisker/detail/counts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
    "usage: whisker motion ROBOT (--from NUMBERS --to NUMBERS | --path FILE | --trajectory FILE)\n"
    "                      [OPTIONS]\n"
    "\n"
    "Checks motions of a robot for collision. ROBOT is a URDF file, - or builtin.\n"
    "Free means free at every instant, which is proven, not checked in steps (unless --step is\n"
    "given). Joint values change linearly, those of continuous joints the shorter way.\n"
    "\n"
    "  --from NUMBERS       configuration at the start, as --q of whisker check\n"
    "  --to NUMBERS         configuration at the end\n"
    "  --path FILE          many: each row of a .npy or text file to the next one\n"
    "  --trajectory FILE    waypoints with times in seconds: CSV with the columns time, the names "
    "of\n"
    "                       variables and, for polynomials, NAME_velocity and NAME_acceleration; "
    "or\n"
    "                       JSON as ROS's trajectory_msgs/JointTrajectory. Answers are in seconds\n"
    "  --shorter-way        continuous joints of a trajectory take the shorter way between "
    "waypoints;\n"
    "                       without it, a change of more than pi is refused\n"
    "  --first              the first contact in time, not any; slower\n"
    "  --tolerance METRES   coming nearer than this may be called uncertain (default 0.0001)\n"
    "  --step SIZE          check steps of this size (radians or metres) instead of proving\n";

static const char helpEnd[] =
    "\nexit status: 0 all are free, 1 some are not, 2 something is wrong with files or options\n";

typedef struct motionOptions {
    wkJobOptions job;
    const char* from;
    const char* to;
    const char* path;
    const char* trajectory;
    bool takesShorterWay;
    bool wantsFirst;
    double tolerance;
    double step;
} motionOptions;

static void sayMotion(const wkRobotJob* job, int index, const wkMotionResult* result, wkText* text)
{
    char words[96];
    wkText_AppendInteger(text, index);
    wkText_AppendString(text, " ");
    wkText_AppendString(text, wkVerdictName(result->verdict));
    if (result->verdict != wk_verdictFree) {
        snprintf(words, sizeof words, " at %.6f", result->time);
        wkText_AppendString(text, words);
        wkSayContact(text, job->robot, &result->contact);
    }
    snprintf(words, sizeof words, "; free until %.6f; %lld checks\n", result->freeUntil,
             (long long)result->checkCount);
    wkText_AppendString(text, words);
}

static void reportMotion(const wkRobotJob* job, int index, const wkMotionResult* result,
                         wkText* text)
{
    wkRobotCheckResult contact = result->contact;
    contact.verdict = result->verdict;
    wkText_AppendString(text, "{\"index\":");
    wkText_AppendInteger(text, index);
    wkReportVerdict(text, job->robot, &contact);
    wkText_AppendString(text, ",\"time\":");
    wkText_AppendNumber(text, result->time);
    wkText_AppendString(text, ",\"free_until\":");
    wkText_AppendNumber(text, result->freeUntil);
    wkText_AppendString(text, ",\"checks\":");
    wkText_AppendInteger(text, result->checkCount);
    wkText_AppendString(text, "}\n");
}

static wkMotionRequest requestOf(const motionOptions* options)
{
    wkMotionRequest request = wkDefaultMotionRequest();
    request.check = wkJobOptions_Request(&options->job);
    request.wantsFirst = options->wantsFirst;
    if (options->tolerance > 0.0) {
        request.tolerance = options->tolerance;
    }
    if (options->step > 0.0) {
        request.isCertified = false;
        request.step = options->step;
    }
    return request;
}

static int checkPath(const motionOptions* options, const wkRobotJob* job,
                     const wkConfigurations* list)
{
    wkMotionRequest request = requestOf(options);
    int64_t counts[WK_VERDICT_COUNT] = {0};
    wkText text = {0};
    int motionCount = list->count - 1;
    bool isWritten = true;
    double start = wkNow();
    wkProgress progress = wkProgress_Start("motions", motionCount);
    for (int i = 0; i < motionCount && isWritten; i++) {
        const double* q0 = list->values + (size_t)i * (size_t)job->variableCount;
        wkMotionResult result = wkRobotScene_CheckMotion(job->scene, job->state, wkIdentityPose(),
                                                         q0, q0 + job->variableCount, &request);
        counts[result.verdict]++;
        (options->job.isJson ? reportMotion : sayMotion)(job, i, &result, &text);
        isWritten = wkRobotJob_Print(job, &text);
        wkProgress_Update(&progress, i + 1);
    }
    wkProgress_End(&progress);
    if (isWritten && !options->job.isJson && motionCount > 1) {
        wkSayCounts(&text, "motions", counts);
        fflush(stdout);
        fprintf(stderr, "%.*s; %.0f a second\n", (int)text.length, text.data,
                motionCount / (wkNow() - start));
    }
    wkText_Free(&text);
    if (!isWritten) {
        return wk_exitUsage;
    }
    return counts[wk_verdictFree] == motionCount ? wk_exitDone : wk_exitTrouble;
}

static int checkTrajectory(const motionOptions* options, const wkRobotJob* job)
{
    wkTrajectory* trajectory = NULL;
    if (!wkRobotJob_ReadTrajectory(job, options->trajectory, options->takesShorterWay,
                                   &trajectory)) {
        return wk_exitUsage;
    }
    wkTrajectoryRequest request = wkDefaultTrajectoryRequest();
    request.motion = requestOf(options);
    wkMotionResult result = wkRobotScene_CheckTrajectory(job->scene, job->state, wkIdentityPose(),
                                                         trajectory, &request);
    wkTrajectory_Destroy(trajectory);
    wkText text = {0};
    (options->job.isJson ? reportMotion : sayMotion)(job, 0, &result, &text);
    bool isWritten = wkRobotJob_Print(job, &text);
    wkText_Free(&text);
    if (!isWritten) {
        return wk_exitUsage;
    }
    return result.verdict == wk_verdictFree ? wk_exitDone : wk_exitTrouble;
}

// Reads two configurations as a path of two.
static bool readEnds(const wkRobotJob* job, const motionOptions* options, wkConfigurations* list)
{
    wkConfigurations from = {0}, to = {0};
    size_t length = (size_t)job->variableCount;
    bool isRead = wkRobotJob_ReadText(job, options->from, &from) &&
                  wkRobotJob_ReadText(job, options->to, &to);
    list->values = isRead ? malloc((2 * length + 1) * sizeof(double)) : NULL;
    if (list->values != NULL) {
        list->count = 2;
        memcpy(list->values, from.values, length * sizeof(double));
        memcpy(list->values + length, to.values, length * sizeof(double));
    }
    free(from.values);
    free(to.values);
    return list->values != NULL ||
           (isRead && wkRobotJob_Complain(job, "out of memory for two configurations"));
}

static int runMotion(const motionOptions* options, const char* path)
{
    wkRobotJob job;
    if (!wkRobotJob_Open(&job, "motion", path, &options->job)) {
        return wk_exitUsage;
    }
    if (options->trajectory != NULL) {
        int status = checkTrajectory(options, &job);
        wkRobotJob_Close(&job);
        return status;
    }
    wkConfigurations list = {0};
    bool isRead = options->path != NULL ? wkRobotJob_ReadFile(&job, options->path, &list)
                                        : readEnds(&job, options, &list);
    if (isRead && list.count < 2) {
        fprintf(stderr, "whisker motion: %s has %d rows, must have 2 or more\n", options->path,
                list.count);
        isRead = false;
    }
    int status = isRead ? checkPath(options, &job, &list) : wk_exitUsage;
    free(list.values);
    wkRobotJob_Close(&job);
    return status;
}

int wkRunMotion(int argc, char** argv)
{
    if (wkWantsHelp(argc, argv)) {
        printf("%s%s%s", help, wkJobOptionsHelp, helpEnd);
        return wk_exitDone;
    }
    motionOptions options = {0};
    wkOption rows[WK_JOB_OPTION_COUNT + 8] = {
        [WK_JOB_OPTION_COUNT] = {"--from", wk_optionText, &options.from},
        {"--to", wk_optionText, &options.to},
        {"--path", wk_optionText, &options.path},
        {"--trajectory", wk_optionText, &options.trajectory},
        {"--shorter-way", wk_optionFlag, &options.takesShorterWay},
        {"--first", wk_optionFlag, &options.wantsFirst},
        {"--tolerance", wk_optionBound, &options.tolerance},
        {"--step", wk_optionSize, &options.step},
    };
    wkJobOptions_Rows(&options.job, rows);
    if (!wkTakeOptions(&argc, argv, rows, sizeof rows / sizeof rows[0])) {
        return wk_exitUsage;
    }
    bool hasEnds = options.from != NULL && options.to != NULL;
    bool hasOneEnd = options.from != NULL || options.to != NULL;
    if (!wkTakesOne(argc, argv, "ROBOT")) {
        return wk_exitUsage;
    }
    int wayCount = (hasEnds ? 1 : 0) + (options.path != NULL ? 1 : 0);
    wayCount += options.trajectory != NULL ? 1 : 0;
    if (hasEnds != hasOneEnd || wayCount != 1) {
        fprintf(stderr, "whisker motion: wants --from and --to, --path, or --trajectory; try: "
                        "whisker motion --help\n");
        return wk_exitUsage;
    }
    if (options.takesShorterWay && options.trajectory == NULL) {
        fprintf(stderr, "whisker motion: --shorter-way is for --trajectory: other motions take the "
                        "shorter way\n");
        return wk_exitUsage;
    }
    return runMotion(&options, argv[1]);
}
