// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// batch/exact/<robot>: nanoseconds for each random configuration of a robot with meshes, by itself, with
// the default exactness, on one thread, beside those with spheres alone. Some robots have links whose spheres
// touch in nearly every configuration, so that spheres alone examine few pairs before they call a configuration
// touching: batch/exact/<robot>/examined compares with spheres alone in a scene where pairs of links whose
// spheres touch in more than half of all configurations are allowed. batch/exact/<robot>/first are the
// first configurations of a new batch, and .../create is the time to make the batch, with spheres given.
// Verdicts are compared with wkRobotScene_Check: nothing that touches may be called free, and of the free
// configurations 2 % may be lost. The ratio asked for is that of 1.3 times the time of spheres. The robot
// ur5 is ur5_robotiq85 without its gripper and its force sensor.

#include "batch/bare_arm.h"
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
#define NEAR_SAMPLES 500
#define MOST_SLOWER 1.3
#define MOST_LOST 0.02 // share of the free configurations
#define STATE_SEED 37u

static const char* const robots[] = {"panda", "ur5",   "ur5_robotiq85", "ur10",
                                     "ur10e", "fetch", "iiwa"};
#define ROBOT_COUNT ((int)(sizeof robots / sizeof *robots))

typedef struct exactCase {
    wkRobot* whole; // with the gripper that the robot lacks; NULL: it has it
    wkRobot* robot;
    wkRobotScene* scene;
    wkSphereModel* spheres;
    wkRobotScene* allowing; // the same, where pairs whose spheres touch most often are allowed
    wkBatch* bySpheres;
    wkBatch* examining; // by spheres, in that scene
    wkBatch* byDefault;
    double createTime; // of the default, in nanoseconds
    int length;        // of a configuration
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
    wkResult result = wkRobot_Load(urdf, &options, NULL, robot);
    return result == wk_errorFile ? wkRobot_Load(urdf, NULL, NULL, robot) : result;
}

static wkResult openRobot(exactCase* made, const char* name)
{
    if (strcmp(name, "ur5") != 0) {
        return loadRobot(name, &made->robot);
    }
    wkResult result = loadRobot("ur5_robotiq85", &made->whole);
    return result == wk_ok ? wkMakeBareArm(made->whole, "manipulator", &made->robot) : result;
}

static void drawStates(exactCase* made)
{
    for (int i = 0; i < STATE_COUNT; i++) {
        wkRobot_RandomConfiguration(made->robot, &made->seed, &made->states[i * made->length]);
    }
}

static bool makeBatch(const exactCase* made, const wkRobotScene* scene, wkExactness exactness,
                      wkBatch** batch)
{
    wkBatchDef def = wkDefaultBatchDef();
    def.scene = scene;
    def.spheres = made->spheres;
    def.exactness = exactness;
    return wkBatch_Create(&def, batch) == wk_ok;
}

static bool touch(const wkSphere3d* spheres, wkLinkSpheres a, wkLinkSpheres b)
{
    for (int i = a.first; i < a.first + a.count; i++) {
        for (int k = b.first; k < b.first + b.count; k++) {
            double x = spheres[i].center.x - spheres[k].center.x;
            double y = spheres[i].center.y - spheres[k].center.y;
            double z = spheres[i].center.z - spheres[k].center.z;
            double reach = spheres[i].radius + spheres[k].radius;
            if (x * x + y * y + z * z <= reach * reach) {
                return true;
            }
        }
    }
    return false;
}

// Allows pairs of links whose spheres touch in more than half of some random configurations.
static bool allowNear(const exactCase* made, wkAllowed* allowed)
{
    int linkCount = wkRobot_Info(made->robot).linkCount;
    size_t sphereCount = (size_t)wkSphereModel_Info(made->spheres).sphereCount;
    wkSphere3d* spheres = (wkSphere3d*)calloc(sphereCount * NEAR_SAMPLES, sizeof *spheres);
    double* q = (double*)calloc((size_t)made->length + 1, sizeof *q);
    bool isDone = spheres != NULL && q != NULL;
    uint64_t seed = STATE_SEED;
    for (int i = 0; i < NEAR_SAMPLES && isDone; i++) {
        wkRobot_RandomConfiguration(made->robot, &seed, q);
        wkSphereModel_PlaceLinks(made->spheres, wkIdentityPose(), q,
                                 spheres + (size_t)i * sphereCount);
    }
    for (int pair = 0; pair < linkCount * linkCount && isDone; pair++) {
        int a = pair / linkCount, b = pair % linkCount, nearCount = 0;
        wkLinkSpheres ofA = wkSphereModel_Link(made->spheres, a);
        wkLinkSpheres ofB = wkSphereModel_Link(made->spheres, b);
        for (int i = 0; i < NEAR_SAMPLES && a < b; i++) {
            nearCount += touch(spheres + (size_t)i * sphereCount, ofA, ofB) ? 1 : 0;
        }
        if (nearCount > NEAR_SAMPLES / 2) {
            isDone = wkAllowed_Set(allowed, wkRobot_Link(made->robot, a).name,
                                   wkRobot_Link(made->robot, b).name, wk_ruleAllowed) == wk_ok;
        }
    }
    free(spheres);
    free(q);
    return isDone;
}

static bool makeExamining(exactCase* made)
{
    wkRobotSceneDef def = wkDefaultRobotSceneDef();
    wkAllowed* allowed = NULL;
    def.robot = made->robot;
    bool isDone = wkAllowed_Create(&allowed) == wk_ok &&
                  wkAllowed_AddRobot(allowed, made->robot) == wk_ok && allowNear(made, allowed);
    def.allowed = allowed;
    isDone = isDone && wkRobotScene_Create(&def, &made->allowing) == wk_ok &&
             makeBatch(made, made->allowing, wk_exactnessSpheres, &made->examining);
    wkAllowed_Destroy(allowed);
    return isDone;
}

static bool makeDefault(exactCase* made)
{
    double start = wkBenchNow();
    bool isDone = makeBatch(made, made->scene, wkDefaultBatchDef().exactness, &made->byDefault);
    made->createTime = wkBenchNow() - start;
    return isDone;
}

static bool openCase(exactCase* made, const char* name)
{
    memset(made, 0, sizeof *made);
    made->seed = STATE_SEED;
    wkRobotSceneDef def = wkDefaultRobotSceneDef();
    if (openRobot(made, name) != wk_ok) {
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
           makeBatch(made, made->scene, wk_exactnessSpheres, &made->bySpheres) &&
           makeExamining(made) && makeDefault(made);
}

static void closeCase(exactCase* made)
{
    wkBatch_Destroy(made->byDefault);
    wkBatch_Destroy(made->examining);
    wkBatch_Destroy(made->bySpheres);
    wkSphereModel_Destroy(made->spheres);
    wkRobotScene_Destroy(made->allowing);
    wkRobotScene_Destroy(made->scene);
    wkRobot_Destroy(made->robot);
    wkRobot_Destroy(made->whole);
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

static void passExamining(void* context)
{
    exactCase* made = (exactCase*)context;
    wkBatch_CheckStates(made->examining, NULL, made->states, STATE_COUNT, made->others);
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

static void runCreate(wkBench* bench, const char name[WK_ROW_NAME_CAPACITY], const exactCase* made)
{
    wkBenchRow row = {.unit = "ns", .n = 1, .ours = made->createTime};
    memcpy(row.name, name, sizeof row.name);
    wkBench_Emit(bench, &row);
}

// @param pass of spheres alone
static void runBeside(wkBench* bench, const char* name, exactCase* made, void (*pass)(void*),
                      const char* peer)
{
    wkBenchSide sides[2] = {{.pass = passDefault, .context = made},
                            {.pass = pass, .context = made}};
    wkMeasure(sides, 2, STATE_COUNT, bench->blockCount);
    wkBenchRow row = wkRaceRow(name, &sides[0], STATE_COUNT, bench->blockCount);
    wkRacer spheres = {.name = peer};
    wkAddPeer(&row, &spheres, &sides[1], &sides[0], bench->blockCount);
    row.bar = 1.0 / MOST_SLOWER;
    row.wrong = countWrong(made);
    wkBench_Emit(bench, &row);
}

static void runRows(wkBench* bench, exactCase* made, const bool* wanted,
                    char (*names)[WK_ROW_NAME_CAPACITY])
{
    drawStates(made);
    if (wanted[0]) {
        runCreate(bench, names[0], made);
    }
    if (wanted[1]) {
        runFirst(bench, names[1], made);
    }
    drawStates(made);
    if (wanted[2]) {
        runBeside(bench, names[2], made, passSpheres, "spheres alone");
    }
    if (wanted[3]) {
        runBeside(bench, names[3], made, passExamining, "spheres alone, near pairs allowed");
    }
}

void wkRunBatchExactRows(wkBench* bench)
{
    static const char* const rows[] = {"/create", "/first", "", "/examined"};
    for (int i = 0; i < ROBOT_COUNT; i++) {
        char names[4][WK_ROW_NAME_CAPACITY];
        bool wanted[4], wantsAny = false;
        for (int k = 0; k < 4; k++) {
            snprintf(names[k], sizeof names[k], "batch/exact/%s%s", robots[i], rows[k]);
            wanted[k] = wkBench_Wants(bench, names[k]);
            wantsAny = wantsAny || wanted[k];
        }
        exactCase made;
        if (!wantsAny) {
            continue;
        }
        if (openCase(&made, robots[i])) {
            runRows(bench, &made, wanted, names);
        } else {
            fprintf(stderr, "batch/exact/%s: left out: %s\n", robots[i], wkGetLastError());
        }
        closeCase(&made);
    }
}
