// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// batch/exact/<robot>: nanoseconds for each random configuration of a robot with meshes, by itself, with
// the default exactness, on one thread, beside those with spheres alone. The tables of the batch are
// filled with other configurations first; batch/exact/<robot>/first are the first ones of a new batch.
// Verdicts are compared with wkRobotScene_Check: nothing that touches may be called free, and of the free
// configurations 2 % may be lost. The ratio asked for is that of 1.3 times the time of spheres.

#include "bench.h"
#include "measure.h"
#include "race.h"
#include "robot/robot_case.h"

#include "whisker/batch.h"
#include "whisker/io.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PATH_CAPACITY 1024
#define STATE_COUNT 8192
#define WARM_COUNT 150 // blocks of as many other configurations
#define MOST_SLOWER 1.3
#define MOST_LOST 0.02 // share of the free configurations
#define STATE_SEED 37u

static const char* const robots[] = {"panda", "ur5_robotiq85", "ur10", "fetch", "iiwa"};
#define ROBOT_COUNT ((int)(sizeof robots / sizeof *robots))

typedef struct exactCase {
    wkRobot* robot;
    wkRobotScene* scene;
    wkSphereModel* spheres;
    wkBatch* bySpheres;
    wkBatch* byDefault;
    int length; // of a configuration
    uint64_t seed;
    double* states;
    uint8_t* verdicts; // of the default
    uint8_t* others;   // of spheres alone
} exactCase;

static wkResult loadRobot(const char* name, wkRobot** robot)
{
    char file[PATH_CAPACITY / 2], urdf[PATH_CAPACITY], srdf[PATH_CAPACITY];
    snprintf(file, sizeof file, "%s/%s.urdf", name, name);
    wkRobotDataPath(file, urdf, PATH_CAPACITY);
    snprintf(file, sizeof file, "%s/%s.srdf", name, name);
    wkRobotDataPath(file, srdf, PATH_CAPACITY);
    wkRobotLoadDef options = wkDefaultRobotLoadDef();
    options.srdf = srdf;
    wkResult result = wkRobot_Load(urdf, &options, robot);
    return result == wk_errorFile ? wkRobot_Load(urdf, NULL, robot) : result;
}

static void drawStates(exactCase* made)
{
    for (int i = 0; i < STATE_COUNT; i++) {
        wkRobot_RandomConfiguration(made->robot, &made->seed, &made->states[i * made->length]);
    }
}

static bool makeBatch(const exactCase* made, wkExactness exactness, wkBatch** batch)
{
    wkBatchDef def = wkDefaultBatchDef();
    def.scene = made->scene;
    def.spheres = made->spheres;
    def.exactness = exactness;
    return wkBatch_Create(&def, batch) == wk_ok;
}

static bool openCase(exactCase* made, const char* name)
{
    memset(made, 0, sizeof *made);
    made->seed = STATE_SEED;
    wkRobotSceneDef def = wkDefaultRobotSceneDef();
    if (loadRobot(name, &made->robot) != wk_ok) {
        return false;
    }
    def.robot = made->robot;
    made->length = wkRobot_Info(made->robot).variableCount;
    made->states = (double*)calloc((size_t)STATE_COUNT * (size_t)made->length, sizeof(double));
    made->verdicts = (uint8_t*)calloc(STATE_COUNT, 1);
    made->others = (uint8_t*)calloc(STATE_COUNT, 1);
    return made->states != NULL && made->verdicts != NULL && made->others != NULL &&
           wkRobotScene_Create(&def, &made->scene) == wk_ok &&
           wkSphereModel_Fit(made->robot, NULL, &made->spheres) == wk_ok &&
           makeBatch(made, wk_exactnessSpheres, &made->bySpheres) &&
           makeBatch(made, wkDefaultBatchDef().exactness, &made->byDefault);
}

static void closeCase(exactCase* made)
{
    wkBatch_Destroy(made->byDefault);
    wkBatch_Destroy(made->bySpheres);
    wkSphereModel_Destroy(made->spheres);
    wkRobotScene_Destroy(made->scene);
    wkRobot_Destroy(made->robot);
    free(made->states);
    free(made->verdicts);
    free(made->others);
}

static void passDefault(void* context)
{
    exactCase* made = (exactCase*)context;
    wkBatch_CheckStates(made->byDefault, NULL, made->states, STATE_COUNT, made->verdicts);
}

static void passSpheres(void* context)
{
    exactCase* made = (exactCase*)context;
    wkBatch_CheckStates(made->bySpheres, NULL, made->states, STATE_COUNT, made->others);
}

// Verdicts that call free what touches, and those of lost configurations where these are too many.
static long countWrong(const exactCase* made)
{
    wkRobotState* state = NULL;
    long wrong = 0, freeCount = 0, lost = 0;
    if (wkRobotState_Create(made->robot, &state) != wk_ok) {
        return 1;
    }
    for (int i = 0; i < STATE_COUNT; i++) {
        wkRobotState_Set(state, wkIdentityPose(), &made->states[i * made->length]);
        bool isFree = wkRobotScene_Check(made->scene, state, NULL).verdict == wk_verdictFree;
        bool isCalledFree = made->verdicts[i] == wk_verdictFree;
        freeCount += isFree ? 1 : 0;
        lost += isFree && !isCalledFree ? 1 : 0;
        wrong += isCalledFree && !isFree ? 1 : 0;
    }
    wkRobotState_Destroy(state);
    return wrong + ((double)lost > MOST_LOST * (double)freeCount ? lost : 0);
}

static void runFirst(wkBench* bench, const char* name, exactCase* made)
{
    double start = wkBenchNow();
    passDefault(made);
    wkBenchRow row = {.unit = "ns", .n = STATE_COUNT, .ours = (wkBenchNow() - start) / STATE_COUNT};
    snprintf(row.name, sizeof row.name, "%s", name);
    row.wrong = countWrong(made);
    wkBench_Emit(bench, &row);
}

static void runWarm(wkBench* bench, const char* name, exactCase* made)
{
    for (int i = 0; i < WARM_COUNT; i++) {
        drawStates(made);
        passDefault(made);
    }
    drawStates(made);
    wkBenchSide sides[2] = {{.pass = passDefault, .context = made},
                            {.pass = passSpheres, .context = made}};
    wkMeasure(sides, 2, STATE_COUNT, bench->blockCount);
    wkBenchRow row = wkRaceRow(name, &sides[0], STATE_COUNT, bench->blockCount);
    wkRacer spheres = {.name = "spheres alone"};
    wkAddPeer(&row, &spheres, &sides[1], &sides[0], bench->blockCount);
    row.bar = 1.0 / MOST_SLOWER;
    row.wrong = countWrong(made);
    wkBench_Emit(bench, &row);
}

void wkRunBatchExactRows(wkBench* bench)
{
    for (int i = 0; i < ROBOT_COUNT; i++) {
        char first[WK_ROW_NAME_CAPACITY], warm[WK_ROW_NAME_CAPACITY];
        snprintf(first, sizeof first, "batch/exact/%s/first", robots[i]);
        snprintf(warm, sizeof warm, "batch/exact/%s", robots[i]);
        bool wantsFirst = wkBench_Wants(bench, first), wantsWarm = wkBench_Wants(bench, warm);
        exactCase made;
        if (!wantsFirst && !wantsWarm) {
            continue;
        }
        if (!openCase(&made, robots[i])) {
            fprintf(stderr, "batch/exact/%s: left out: %s\n", robots[i], wkGetLastError());
            closeCase(&made);
            continue;
        }
        drawStates(&made);
        if (wantsFirst) {
            runFirst(bench, first, &made);
        }
        if (wantsWarm) {
            runWarm(bench, warm, &made);
        }
        closeCase(&made);
    }
}
