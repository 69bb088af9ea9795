// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Where spheres of two links touch, their bodies decide: no free configuration is lost to spheres that stick
// out, none that touches is called free, and certified motions are free at every instant.

#include "../data_files.h"
#include "batch_kit.h"

#include <math.h>
#include <string.h>

#define STATE_COUNT WK_CASES(3000)
#define MOTION_COUNT WK_CASES(150)
#define INSTANTS WK_CASES(200)
// Share of free configurations; where sanitizers leave a few hundred of them, three deviations more.
#define MOST_LOST (STATE_COUNT < 3000 ? 0.04 : 0.02)

static wkRobotScene* makeScene(const wkRobot* robot)
{
    wkRobotSceneDef def = wkDefaultRobotSceneDef();
    def.robot = robot;
    wkRobotScene* scene = NULL;
    assert_int_equal(wkRobotScene_Create(&def, &scene), wk_ok);
    return scene;
}

static wkVerdict check(const wkRobotScene* scene, wkRobotState* state, const double* q)
{
    assert_int_equal(wkRobotState_Set(state, wkIdentityPose(), q), wk_ok);
    return wkRobotScene_Check(scene, state, NULL).verdict;
}

// Configurations of a robot by itself, and which of them are free by its bodies.
typedef struct samples {
    double* rows;
    bool isFree[STATE_COUNT];
    int freeCount;
} samples;

static samples drawSamples(const wkRobot* robot, const wkRobotScene* scene)
{
    samples s = {.rows = wkRandomRows(robot, 17, STATE_COUNT)};
    wkRobotState* state = NULL;
    assert_int_equal(wkRobotState_Create(robot, &state), wk_ok);
    for (int i = 0; i < STATE_COUNT; i++) {
        const double* q = s.rows + i * wkRobot_Info(robot).variableCount;
        s.isFree[i] = check(scene, state, q) == wk_verdictFree;
        s.freeCount += s.isFree[i] ? 1 : 0;
    }
    wkRobotState_Destroy(state);
    assert_true(s.freeCount > 0);
    return s;
}

// Share of the free configurations that a batch does not call free. What it calls free must be.
static double shareLost(const wkRobotScene* scene, const wkSphereModel* spheres, const samples* s,
                        wkExactness exactness)
{
    wkBatchDef def = wkDefaultBatchDef();
    def.scene = scene;
    def.spheres = spheres;
    def.exactness = exactness;
    wkBatch* batch = wkCreateBatch(&def);
    uint8_t verdicts[STATE_COUNT];
    int lostCount = 0;
    assert_int_equal(wkBatch_CheckStates(batch, NULL, s->rows, STATE_COUNT, verdicts), wk_ok);
    for (int i = 0; i < STATE_COUNT; i++) {
        assert_true(s->isFree[i] || verdicts[i] != wk_verdictFree);
        lostCount += s->isFree[i] && verdicts[i] != wk_verdictFree ? 1 : 0;
    }
    wkBatch_Destroy(batch);
    return (double)lostCount / s->freeCount;
}

static void check_lost(const char* name, const wkRobot* robot)
{
    wkSphereModel* spheres = NULL;
    assert_int_equal(wkSphereModel_Fit(robot, NULL, &spheres), wk_ok);
    wkRobotScene* scene = makeScene(robot);
    samples s = drawSamples(robot, scene);
    double bySpheres = shareLost(scene, spheres, &s, wk_exactnessSpheres);
    double byDefault = shareLost(scene, spheres, &s, wkDefaultBatchDef().exactness);
    double bySelf = shareLost(scene, spheres, &s, wk_exactnessSelf);
    print_message("%s: of free configurations %.1f %% are lost to spheres, %.1f %% by default, "
                  "%.1f %% with bodies\n",
                  name, 100.0 * bySpheres, 100.0 * byDefault, 100.0 * bySelf);
    assert_true(bySelf == 0.0 && byDefault <= MOST_LOST && byDefault <= bySpheres);
    free(s.rows);
    wkRobotScene_Destroy(scene);
    wkSphereModel_Destroy(spheres);
}

static void few_free_configurations_are_lost(void** state)
{
    (void)state;
    wkRobot* robot = NULL;
    assert_int_equal(wkRobot_CreateBuiltIn(&robot), wk_ok);
    check_lost("builtin", robot);
    wkRobot_Destroy(robot);
}

static void few_are_lost_on_robots_of_others(void** state)
{
    (void)state;
    static const char* const names[] = {"panda/panda", "fetch/fetch",
                                        "ur5_robotiq85/ur5_robotiq85"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char urdf[WK_DATA_PATH_CAPACITY], srdf[WK_DATA_PATH_CAPACITY];
        snprintf(urdf, sizeof urdf, "robots/%s.urdf", names[i]);
        snprintf(srdf, sizeof srdf, "robots/%s.srdf", names[i]);
        wkRobot* robot = wkLoadDataRobot(urdf, srdf);
        if (robot == NULL) {
            continue;
        }
        check_lost(names[i], robot);
        wkRobot_Destroy(robot);
    }
}

// Two boxes side by side on a torso, 1 cm apart, which turn about their long axes: spheres around them
// always touch, and they do not while they keep to small angles.
static wkRobot* makePair(void)
{
    const char* links[] = {"torso", "left", "right"};
    wkJointDef joints[2] = {wkDefaultJointDef(), wkDefaultJointDef()};
    const char* names[] = {"rotation_left", "rotation_right"};
    for (int i = 0; i < 2; i++) {
        joints[i].name = names[i];
        joints[i].type = wk_jointRevolute;
        joints[i].parent = "torso";
        joints[i].child = links[i + 1];
        joints[i].origin = wkMakePose(0.0, i == 0 ? -0.055 : 0.055, 0.0);
        joints[i].lower = -0.5;
        joints[i].upper = 0.5;
    }
    wkBodyDef bodies[2] = {{"left", NULL, wkMakeBox(0.1, 0.1, 0.4), wkIdentityPose()},
                           {"right", NULL, wkMakeBox(0.1, 0.1, 0.4), wkIdentityPose()}};
    wkRobotDef def = wkDefaultRobotDef();
    def.links = links;
    def.linkCount = 3;
    def.joints = joints;
    def.jointCount = 2;
    def.bodies = bodies;
    def.bodyCount = 2;
    wkRobot* robot = NULL;
    assert_int_equal(wkRobot_Create(&def, &robot), wk_ok);
    return robot;
}

// Motions that are called free are, at every instant that is tried.
// @return how many are free
static int checkMotions(const wkRobot* robot, wkExactness exactness, double size)
{
    wkRobotScene* scene = makeScene(robot);
    wkRobotState* state = NULL;
    assert_int_equal(wkRobotState_Create(robot, &state), wk_ok);
    wkBatchDef def = wkDefaultBatchDef();
    def.scene = scene;
    def.exactness = exactness;
    wkBatch* batch = wkCreateBatch(&def);
    int32_t length = wkRobot_Info(robot).variableCount, freeCount = 0;
    double* from = wkRandomRows(robot, 5, MOTION_COUNT);
    double* to = wkNeighbourRows(robot, from, 6, MOTION_COUNT, size);
    wkBatchMotionResult results[MOTION_COUNT];
    assert_int_equal(wkBatch_CheckMotions(batch, NULL, from, to, MOTION_COUNT, NULL, results),
                     wk_ok);
    for (int i = 0; i < MOTION_COUNT; i++) {
        freeCount += results[i].verdict == wk_verdictFree ? 1 : 0;
        for (int k = 0; k <= INSTANTS && results[i].verdict == wk_verdictFree; k++) {
            double q[64];
            wkRobot_Interpolate(robot, from + i * length, to + i * length, (double)k / INSTANTS, q);
            assert_int_equal(check(scene, state, q), wk_verdictFree);
        }
    }
    free(from);
    free(to);
    wkBatch_Destroy(batch);
    wkRobotState_Destroy(state);
    wkRobotScene_Destroy(scene);
    return freeCount;
}

static void certified_motions_are_free_by_bodies(void** state)
{
    (void)state;
    wkRobot* robots[2] = {makePair(), NULL};
    assert_int_equal(wkRobot_CreateBuiltIn(&robots[1]), wk_ok);
    for (int i = 0; i < 2; i++) {
        double size = i == 0 ? 0.2 : 0.6;
        int bySpheres = checkMotions(robots[i], wk_exactnessSpheres, size);
        int bySelf = checkMotions(robots[i], wk_exactnessSelf, size);
        int byDefault = checkMotions(robots[i], wk_exactnessRefined, size);
        print_message("of %d motions %d are free by spheres, %d by default, %d with bodies\n",
                      MOTION_COUNT, bySpheres, byDefault, bySelf);
        assert_true(byDefault >= bySpheres && byDefault <= bySelf);
        assert_true(bySelf >= bySpheres &&
                    (i > 0 || (bySpheres == 0 && bySelf > MOTION_COUNT / 20)));
        wkRobot_Destroy(robots[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(few_free_configurations_are_lost),
        cmocka_unit_test(few_are_lost_on_robots_of_others),
        cmocka_unit_test(certified_motions_are_free_by_bodies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
