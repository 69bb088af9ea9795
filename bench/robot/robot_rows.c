// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// robot/<name>/<task>: what a configuration costs, from its numbers to the answer. fk places all links,
// self asks whether the robot touches itself, valid also about 30 objects around it, clearance for the
// nearest of all pairs, motion whether the way to a configuration near by is free at every instant.
// FCL gets its poses ready: the kinematics is ours and in our time. robot/pr2/load reads the robot.

#include "race.h"
#include "robot/robot_compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MAX_COUNT 1000
#define BAR 5.0

// Clearances that are compared with all pairs, one in so many, and what rounding may do to them.
#define PROVEN_SHARE 50
#define TOLERANCE 1e-6

static const struct {
    const char* name;
    wkSurround surround;
} robots[] = {
    {"panda", {wk_obstacleMixed, 30, 0.9, 1.2, 0.35}},
    {"fetch", {wk_obstacleMixed, 30, 1.2, 1.6, 0.7}},
    {"ur5_robotiq85", {wk_obstacleMixed, 30, 1.0, 1.2, 0.35}},
    {"pr2", {wk_obstacleMixed, 30, 1.6, 1.8, 0.75}},
};
#define ROBOT_COUNT ((int)(sizeof robots / sizeof *robots))

static const struct {
    const char* name;
    wkRobotTask task;
} tasks[] = {
    {"fk", wk_robotFk},         {"self", wk_robotSelf},
    {"valid", wk_robotValid},   {"clearance", wk_robotClearance},
    {"motion", wk_robotMotion},
};
#define TASK_COUNT ((int)(sizeof tasks / sizeof *tasks))

static void nameRow(char* name, int robot, const char* task)
{
    snprintf(name, WK_ROW_NAME_CAPACITY, "robot/%s/%s", robots[robot].name, task);
}

static void runBeside(wkBench* bench, const wkPeerRobotJob* job, const char* name)
{
    wkComparison comparison;
    if (!wkCompareRobots(bench, name, job, &comparison)) {
        bench->wrongCount++;
        return;
    }
    for (int i = 0; i < comparison.rowCount; i++) {
        comparison.rows[i].bar = comparison.rows[i].peer != NULL ? BAR : 0.0;
    }
    wkEmitComparison(bench, &comparison);
}

static bool openRacer(wkRacer* racer, const wkPeerRobotJob* job)
{
    return wkRacer_Init(racer, wkOurRobotSide.name, NULL, job->robotCase->count) &&
           wkRacer_Start(racer, wkOurRobotSide.open(job, racer->answers), wkOurRobotSide.pass,
                         wkOurRobotSide.close);
}

static long countWrongClearances(const wkRobotCase* made, const wkAnswer* answers)
{
    long wrong = 0;
    for (int i = 0; i < made->count; i += PROVEN_SHARE) {
        wrong += fabs(wkRobotNearest(made, i) - answers[i]) <= TOLERANCE ? 0 : 1;
    }
    return wrong;
}

static long countWrongLinks(const wkRobotCase* made, const wkAnswer* answers)
{
    long wrong = 0;
    for (int i = 0; i < made->count; i++) {
        size_t last = (size_t)(i + 1) * (size_t)made->linkCount - 1;
        wrong += fabs(made->linkPoses[last].position.z - answers[i]) <= TOLERANCE ? 0 : 1;
    }
    return wrong;
}

// Motions that are said to be free though a step of them is not.
static long countWrongMotions(const wkRobotCase* made, const wkAnswer* answers)
{
    wkPeerRobotJob job = {made, wk_robotSteps, NULL, 0};
    wkRacer steps;
    if (!openRacer(&steps, &job)) {
        return 1;
    }
    steps.pass(steps.handle);
    long wrong = 0;
    for (int i = 0; i < made->count; i++) {
        bool isFree = answers[i] == (double)wk_verdictFree;
        wrong += isFree && steps.answers[i] != (double)wk_verdictFree ? 1 : 0;
    }
    wkRacer_Close(&steps);
    return wrong;
}

static long countWrong(const wkPeerRobotJob* job, const wkAnswer* answers)
{
    return job->task == wk_robotClearance ? countWrongClearances(job->robotCase, answers)
           : job->task == wk_robotMotion  ? countWrongMotions(job->robotCase, answers)
                                          : countWrongLinks(job->robotCase, answers);
}

static void emitChecks(wkBench* bench, const wkPeerRobotJob* job, const char* name)
{
    int length = WK_ROW_NAME_CAPACITY - (int)sizeof "/checks";
    double sum = 0.0;
    for (int i = 0; i < job->robotCase->count; i++) {
        sum += job->checkCounts[i];
    }
    wkBenchRow row;
    memset(&row, 0, sizeof row);
    snprintf(row.name, sizeof row.name, "%.*s/checks", length, name);
    row.unit = "checks";
    row.ours = sum / job->robotCase->count;
    row.n = job->robotCase->count;
    wkBench_Emit(bench, &row);
}

static void runAlone(wkBench* bench, const wkPeerRobotJob* job, const char* name)
{
    wkRacer racer;
    wkBenchSide side;
    if (!openRacer(&racer, job)) {
        bench->wrongCount++;
        return;
    }
    wkRace(&racer, &side, 1, bench->blockCount);
    wkBenchRow row = wkRaceRow(name, &side, racer.count, bench->blockCount);
    row.wrong = side.changedCount + countWrong(job, racer.answers);
    wkBench_Emit(bench, &row);
    if (job->checkCounts != NULL) {
        emitChecks(bench, job, name);
    }
    wkRacer_Close(&racer);
}

static void runTask(wkBench* bench, const wkRobotCase* made, int task, const char* name)
{
    wkPeerRobotJob job = {made, tasks[task].task, NULL, 0};
    if (job.task == wk_robotSelf || job.task == wk_robotValid) {
        runBeside(bench, &job, name);
        return;
    }
    if (job.task == wk_robotMotion) {
        job.checkCounts = (int32_t*)calloc((size_t)made->count, sizeof *job.checkCounts);
    }
    runAlone(bench, &job, name);
    free(job.checkCounts);
}

static void runRobot(wkBench* bench, int robot, const bool isWanted[TASK_COUNT])
{
    wkRobotCase made;
    int count = bench->itemCount >= MAX_COUNT ? MAX_COUNT : bench->itemCount / 2;
    if (!wkRobotCase_Open(&made, robots[robot].name, count)) {
        fprintf(stderr, "robot/%s: left out: %s\n", robots[robot].name, wkGetLastError());
        return;
    }
    if (!wkRobotCase_Surround(&made, &robots[robot].surround)) {
        bench->wrongCount++;
    }
    for (int task = 0; task < TASK_COUNT; task++) {
        char name[WK_ROW_NAME_CAPACITY];
        nameRow(name, robot, tasks[task].name);
        if (isWanted[task]) {
            runTask(bench, &made, task, name);
        }
    }
    wkRobotCase_Close(&made);
}

void wkRunRobotRows(wkBench* bench)
{
    for (int robot = 0; robot < ROBOT_COUNT; robot++) {
        bool isWanted[TASK_COUNT], isNeeded = false;
        for (int task = 0; task < TASK_COUNT; task++) {
            char name[WK_ROW_NAME_CAPACITY];
            nameRow(name, robot, tasks[task].name);
            isWanted[task] = wkBench_Wants(bench, name);
            isNeeded = isNeeded || isWanted[task];
        }
        if (isNeeded) {
            runRobot(bench, robot, isWanted);
        }
    }
}
