// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Checks ten thousand configurations against the map, their clearance, and a few hundred motions at every
// instant, and computes the cost of one motion.

#include "demo.h"

#include "whisker/detail/counts.h"
#include "whisker/detail/library.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOTION_SHARE 0.35 // of the motion from one random configuration to another

static void sayVerdicts(const int counts[WK_VERDICT_COUNT], const char* what, int total,
                        char* words, size_t size)
{
    int length = snprintf(words, size, "%d %s:", total, what);
    for (int i = 0; i < WK_VERDICT_COUNT; i++) {
        if (counts[i] > 0 && length > 0 && (size_t)length < size) {
            length += snprintf(words + length, size - (size_t)length, " %d %s", counts[i],
                               wkVerdictName((wkVerdict)i));
        }
    }
}

static void checkStates(wkDemo* demo)
{
    wkDemoStage* stage = &demo->stages[wk_demoStates];
    size_t length = (size_t)wkRobot_Info(demo->robot).variableCount;
    uint64_t seed = 2024;
    for (int i = 0; i < demo->size.stateCount; i++) {
        double* q = demo->configurations + (size_t)i * length;
        wkRobot_RandomConfiguration(demo->robot, &seed, q);
        double start = wkNow();
        wkRobotState_Set(demo->state, demo->base, q);
        wkRobotCheckResult result = wkRobotScene_Check(demo->scene, demo->state, NULL);
        double seconds = wkNow() - start;
        demo->verdicts[i] = result.verdict;
        demo->verdictCounts[result.verdict]++;
        wkSamples_Add(&stage->samples, seconds);
        stage->seconds += seconds;
    }
    sayVerdicts(demo->verdictCounts, "configurations", demo->size.stateCount, stage->words,
                sizeof stage->words);
}

static void findClearances(wkDemo* demo)
{
    wkDemoStage* stage = &demo->stages[wk_demoClearance];
    size_t length = (size_t)wkRobot_Info(demo->robot).variableCount;
    double nearest = INFINITY, sum = 0.0;
    int count = 0;
    for (int i = 0; i < demo->size.stateCount && count < demo->size.clearanceCount; i++) {
        if (demo->verdicts[i] != wk_verdictFree) {
            continue;
        }
        double start = wkNow();
        wkRobotState_Set(demo->state, demo->base, demo->configurations + (size_t)i * length);
        wkRobotClearanceResult found =
            wkRobotScene_Clearance(demo->scene, demo->state, NULL, NULL, NULL);
        double seconds = wkNow() - start;
        nearest = fmin(nearest, found.distance);
        sum += found.distance;
        count++;
        wkSamples_Add(&stage->samples, seconds);
        stage->seconds += seconds;
    }
    if (count > 0) {
        snprintf(stage->words, sizeof stage->words,
                 "%d free configurations: %.3f m to the nearest object on average, %.4f m at least",
                 count, sum / count, nearest);
    } else {
        snprintf(stage->words, sizeof stage->words, "no configuration is free");
    }
}

wkResult wkDemo_Check(wkDemo* demo)
{
    checkStates(demo);
    findClearances(demo);
    return wk_ok;
}

// Returns the next free configuration from `from` on; stateCount: none.
static int nextFree(const wkDemo* demo, int from)
{
    while (from < demo->size.stateCount && demo->verdicts[from] != wk_verdictFree) {
        from++;
    }
    return from;
}

static double lengthOf(const wkDemo* demo, const double* q0, const double* q1)
{
    double longest = 0.0;
    for (int32_t link = 0; link < wkRobot_Info(demo->robot).linkCount; link++) {
        longest =
            fmax(longest, 2.0 * wkRobotScene_MotionBound(demo->scene, demo->state, q0, q1, link));
    }
    return longest;
}

// Keeps the longest free motion of a user's robot, or the first one.
static void keepMotion(wkDemo* demo, const double* q0, const double* q1, wkVerdict verdict)
{
    size_t byteCount = (size_t)wkRobot_Info(demo->robot).variableCount * sizeof *q0;
    double length = lengthOf(demo, q0, q1);
    bool isFirst = demo->shown.length == 0.0;
    if (isFirst || (verdict == wk_verdictFree &&
                    (demo->shown.verdict != wk_verdictFree || length > demo->shown.length))) {
        memcpy(demo->shown.q0, q0, byteCount);
        memcpy(demo->shown.q1, q1, byteCount);
        demo->shown.length = length;
        demo->shown.verdict = verdict;
    }
}

// Chooses the motion of the built-in robot: the end effector sweeps over the table, near the objects on it.
static bool chooseMotion(wkDemo* demo)
{
    static const struct {
        const char* variable;
        double from, to;
    } rows[] = {{"shoulder_pan_joint", -0.85, 0.75}, {"wrist_flex_joint", 0.6, 0.9}};
    size_t byteCount = (size_t)wkRobot_Info(demo->robot).variableCount * sizeof *demo->ready;
    memcpy(demo->shown.q0, demo->ready, byteCount);
    memcpy(demo->shown.q1, demo->ready, byteCount);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        int32_t variable = wkRobot_FindVariable(demo->robot, rows[i].variable);
        if (variable < 0) {
            return false;
        }
        demo->shown.q0[variable] = rows[i].from;
        demo->shown.q1[variable] = rows[i].to;
    }
    demo->shown.length = lengthOf(demo, demo->shown.q0, demo->shown.q1);
    demo->shown.verdict = wkRobotScene_CheckMotion(demo->scene, demo->state, demo->base,
                                                   demo->shown.q0, demo->shown.q1, NULL)
                              .verdict;
    return true;
}

static wkResult checkMotions(wkDemo* demo)
{
    wkDemoStage* stage = &demo->stages[wk_demoMotions];
    size_t length = (size_t)wkRobot_Info(demo->robot).variableCount;
    double* q1 = wkDemo_MakeConfigurations(demo, 1);
    if (q1 == NULL) {
        return wkDemo_OutOfMemory();
    }
    int64_t checkCount = 0;
    int count = 0, from = nextFree(demo, 0);
    while (count < demo->size.motionCount && from < demo->size.stateCount) {
        int to = nextFree(demo, from + 1);
        if (to == demo->size.stateCount) {
            break;
        }
        const double* q0 = demo->configurations + (size_t)from * length;
        wkRobot_Interpolate(demo->robot, q0, demo->configurations + (size_t)to * length,
                            MOTION_SHARE, q1);
        double start = wkNow();
        wkMotionResult found =
            wkRobotScene_CheckMotion(demo->scene, demo->state, demo->base, q0, q1, NULL);
        double seconds = wkNow() - start;
        demo->motionCounts[found.verdict]++;
        if (!demo->isBuiltIn) {
            keepMotion(demo, q0, q1, found.verdict);
        }
        checkCount += found.checkCount;
        wkSamples_Add(&stage->samples, seconds);
        stage->seconds += seconds;
        count++;
        from = to;
    }
    free(q1);
    char words[sizeof stage->words - 40];
    sayVerdicts(demo->motionCounts, "certified motions", count, words, sizeof words);
    if (count > 0) {
        snprintf(stage->words, sizeof stage->words, "%s; %.1f checks each", words,
                 (double)checkCount / count);
    } else {
        snprintf(stage->words, sizeof stage->words, "no two free configurations to move between");
    }
    return wk_ok;
}

static wkResult findCost(wkDemo* demo)
{
    wkDemoStage* stage = &demo->stages[wk_demoCost];
    if (demo->isBuiltIn && !chooseMotion(demo)) {
        return wkSetLastError(wk_errorArgument, "demo: the robot lacks a joint of its motion");
    }
    if (demo->shown.length == 0.0) {
        snprintf(stage->words, sizeof stage->words, "no two free configurations to move between");
        return wk_ok;
    }
    double start = wkNow();
    wkResult result = wkRobotScene_AddMotionCost(
        demo->scene, demo->state, demo->base, demo->shown.q0, demo->shown.q1,
        wkRobotScene_Find(demo->scene, WK_DEMO_MAP), demo->cost);
    stage->seconds = wkNow() - start;
    wkCostInfo totals = wkCost_Info(demo->cost);
    snprintf(stage->words, sizeof stage->words,
             "a motion of %.2f m, %s: meets %lld doubtful or unknown cells, %.2f litres",
             demo->shown.length, wkVerdictName(demo->shown.verdict), (long long)totals.cellCount,
             1e3 * totals.volume);
    return result;
}

wkResult wkDemo_Move(wkDemo* demo)
{
    wkResult result = checkMotions(demo);
    return result == wk_ok ? findCost(demo) : result;
}
