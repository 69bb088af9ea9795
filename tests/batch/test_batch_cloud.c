// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Batches among point clouds: verdicts, motions and clearances against the plain way, rules and safety distances
// of clouds, and frames that replace one another.

#include "batch_kit.h"

#include "../cases.h"
#include "math/vec.h"
#include "memory/fail_every.h"
#include "whisker/cloud.h"

#include <math.h>
#include <string.h>

#define POINT_COUNT 1500
#define STATE_COUNT WK_CASES(400)
#define MOTION_COUNT WK_CASES(40)
#define SAMPLE_COUNT 20

// The built-in robot among clouds.
typedef struct cloudCase {
    wkRobot* robot;
    wkRobotScene* scene;
    wkSphereModel* model;
    wkCloud* clouds[4];
    int cloudCount;
    double* rows;
    double* ends;
    wkBatchDef def;
} cloudCase;

// Points on a wall beside the robot, where its links come.
static wkCloud* makeCloud(uint64_t seed, double distance)
{
    static float points[3 * POINT_COUNT];
    wkRng rng = wkMakeRng(seed);
    for (int i = 0; i < POINT_COUNT; ++i) {
        points[3 * i] = (float)(distance + wkRngRange(&rng, -0.01, 0.01));
        points[3 * i + 1] = (float)wkRngRange(&rng, -0.8, 0.8);
        points[3 * i + 2] = (float)wkRngRange(&rng, -0.5, 1.1);
    }
    wkCloudDef def = wkDefaultCloudDef();
    def.points.data = points;
    def.points.count = POINT_COUNT;
    def.radius = 0.004;
    wkCloud* cloud = NULL;
    assert_int_equal(wkCloud_Create(&def, &cloud), wk_ok);
    return cloud;
}

static void addShape(wkRobotScene* scene, const char* name, const char* category, wkShape shape,
                     wkPose pose)
{
    wkRobotObjectDef def = wkDefaultRobotObjectDef();
    def.name = name;
    def.category = category != NULL ? category : def.category;
    def.shapes = &shape;
    def.shapeCount = 1;
    def.pose = pose;
    assert_int_equal(wkRobotScene_Add(scene, &def), wk_ok);
}

static void addCloud(cloudCase* c, const char* name, const char* category, uint64_t seed,
                     double distance)
{
    wkCloud* cloud = makeCloud(seed, distance);
    c->clouds[c->cloudCount++] = cloud;
    double half = 0.5 * (double)seed; // of an angle about z
    wkPose pose = {wkVec(0.02, -0.03, 0.0), {0.0, 0.0, sin(half), cos(half)}};
    addShape(c->scene, name, category, wkMakeCloud(cloud), pose);
}

static cloudCase makeCase(void)
{
    cloudCase c = {.cloudCount = 0};
    assert_int_equal(wkRobot_CreateBuiltIn(&c.robot), wk_ok);
    wkRobotSceneDef sceneDef = wkDefaultRobotSceneDef();
    sceneDef.robot = c.robot;
    assert_int_equal(wkRobotScene_Create(&sceneDef, &c.scene), wk_ok);
    c.model = wkSpheresOnBodies(c.robot, 0.6);
    c.rows = wkRandomRows(c.robot, 3, STATE_COUNT);
    c.ends = wkNeighbourRows(c.robot, c.rows, 4, MOTION_COUNT, 0.6);
    c.def = wkDefaultBatchDef();
    c.def.scene = c.scene;
    c.def.spheres = c.model;
    c.def.exactness = wk_exactnessSpheres;
    c.def.checksSelf = false;
    c.def.checksLimits = false;
    return c;
}

static void freeCase(cloudCase* c)
{
    free(c->rows);
    free(c->ends);
    wkSphereModel_Destroy(c->model);
    wkRobotScene_Destroy(c->scene);
    wkRobot_Destroy(c->robot);
    for (int i = 0; i < c->cloudCount; ++i) {
        wkCloud_Destroy(c->clouds[i]);
    }
}

static double plainClearance(wkPlainBatch* plain, const double* q)
{
    return wkPlainDistancesOf(plain, q, WK_BATCH_BAND).world;
}

// Compares verdicts and clearances of all configurations with the plain way. @return number of contacts
static int compareStates(const cloudCase* c, const wkBatch* batch)
{
    static uint8_t verdicts[STATE_COUNT];
    static float clearances[STATE_COUNT];
    assert_int_equal(wkBatch_CheckStates(batch, NULL, c->rows, STATE_COUNT, verdicts), wk_ok);
    assert_int_equal(wkBatch_Clearances(batch, NULL, c->rows, STATE_COUNT, 0.04, clearances),
                     wk_ok);
    int32_t length = wkRobot_Info(c->robot).variableCount;
    wkPlainBatch plain = wkMakePlainBatch(&c->def);
    int contactCount = 0;
    for (int i = 0; i < STATE_COUNT; ++i) {
        double clearance = plainClearance(&plain, c->rows + (ptrdiff_t)i * length);
        bool isFree = verdicts[i] == wk_verdictFree;
        assert_true(isFree ? clearance > 0.0 : clearance <= WK_BATCH_BAND);
        // beyond the limits of lengths the depth of a contact is not known
        assert_true((double)clearances[i] <= fmax(clearance, 0.0) + 1e-6);
        assert_true((double)clearances[i] >= fmin(clearance, 0.04) - WK_BATCH_BAND);
        contactCount += isFree ? 0 : 1;
    }
    wkFreePlainBatch(&plain);
    return contactCount;
}

static void verdicts_and_clearances_are_those_of_all_points(void** state)
{
    (void)state;
    cloudCase c = makeCase();
    addCloud(&c, "wall", NULL, 1, 0.6);
    wkBatch* batch = wkCreateBatch(&c.def);
    int contactCount = compareStates(&c, batch);
    assert_in_range(contactCount, STATE_COUNT / 20, STATE_COUNT - STATE_COUNT / 20);
    wkBatch_Destroy(batch);
    freeCase(&c);
}

static void several_clouds_obey_rules_and_safety_distances(void** state)
{
    (void)state;
    cloudCase c = makeCase();
    assert_int_equal(wkRobotScene_SetCategory(c.scene, "people", 0.05), wk_ok);
    addCloud(&c, "wall", NULL, 1, 0.55);
    addCloud(&c, "person", "people", 2, 0.5);
    addShape(c.scene, "box", NULL, wkMakeBox(0.2, 0.2, 0.2), wkMakePose(0.5, 0.2, 0.4));
    wkBatch* batch = wkCreateBatch(&c.def);
    int before = compareStates(&c, batch);
    wkAllowed* allowed = NULL;
    assert_int_equal(wkAllowed_Create(&allowed), wk_ok);
    const char* last = wkRobot_Link(c.robot, wkRobot_Info(c.robot).linkCount - 1).name;
    assert_int_equal(wkAllowed_Set(allowed, last, "wall", wk_ruleAllowed), wk_ok);
    assert_int_equal(wkRobotScene_SetAllowed(c.scene, allowed), wk_ok);
    assert_int_equal(wkBatch_Refresh(batch), wk_ok);
    assert_true(compareStates(&c, batch) <= before);
    wkBatch_Destroy(batch);
    wkAllowed_Destroy(allowed);
    freeCase(&c);
}

static void certified_motions_are_free_of_points_all_along(void** state)
{
    (void)state;
    cloudCase c = makeCase();
    addCloud(&c, "wall", NULL, 5, 0.5);
    wkBatch* batch = wkCreateBatch(&c.def);
    wkBatchMotionResult results[MOTION_COUNT];
    assert_int_equal(wkBatch_CheckMotions(batch, NULL, c.rows, c.ends, MOTION_COUNT, NULL, results),
                     wk_ok);
    int32_t length = wkRobot_Info(c.robot).variableCount;
    wkPlainBatch plain = wkMakePlainBatch(&c.def);
    double q[64];
    int freeCount = 0;
    for (int i = 0; i < MOTION_COUNT; ++i) {
        freeCount += results[i].verdict == wk_verdictFree ? 1 : 0;
        for (int k = 0; k <= SAMPLE_COUNT && results[i].verdict == wk_verdictFree; ++k) {
            wkRobot_Interpolate(c.robot, c.rows + (ptrdiff_t)i * length,
                                c.ends + (ptrdiff_t)i * length, (double)k / SAMPLE_COUNT, q);
            assert_true(plainClearance(&plain, q) > 0.0);
        }
    }
    assert_true(freeCount > 0);
    wkFreePlainBatch(&plain);
    wkBatch_Destroy(batch);
    freeCase(&c);
}

// Spheres that cover the robot let the shapes decide wherever they touch a point, so the verdicts are those of the
// scene, and some configurations that the spheres alone call touching are free.
static void filtered_verdicts_are_those_of_the_scene(void** state)
{
    (void)state;
    cloudCase c = makeCase();
    assert_int_equal(wkRobotScene_SetCategory(c.scene, "people", 0.05), wk_ok);
    addCloud(&c, "wall", NULL, 1, 0.55);
    addCloud(&c, "person", "people", 2, 0.5);
    wkSphereModel* cover = wkSpheresOnBodies(c.robot, 1.0);
    c.def.spheres = cover;
    static uint8_t bySpheres[STATE_COUNT], filtered[STATE_COUNT];
    wkBatch* spheres = wkCreateBatch(&c.def);
    c.def.exactness = wk_exactnessFilter;
    wkBatch* filter = wkCreateBatch(&c.def);
    assert_int_equal(wkBatch_CheckStates(spheres, NULL, c.rows, STATE_COUNT, bySpheres), wk_ok);
    assert_int_equal(wkBatch_CheckStates(filter, NULL, c.rows, STATE_COUNT, filtered), wk_ok);

    wkRobotState* robotState = NULL;
    assert_int_equal(wkRobotState_Create(c.robot, &robotState), wk_ok);
    wkRobotRequest request = wkDefaultRobotRequest();
    request.checksLimits = request.checksSelf = false;
    int32_t length = wkRobot_Info(c.robot).variableCount;
    int touchingCount = 0, regainedCount = 0;
    for (int i = 0; i < STATE_COUNT; ++i) {
        wkRobotState_Set(robotState, wkIdentityPose(), c.rows + (ptrdiff_t)i * length);
        wkVerdict exact = wkRobotScene_Check(c.scene, robotState, &request).verdict;
        assert_int_equal(filtered[i], exact);
        touchingCount += exact == wk_verdictWorld ? 1 : 0;
        regainedCount += exact == wk_verdictFree && bySpheres[i] != wk_verdictFree ? 1 : 0;
    }
    assert_in_range(touchingCount, STATE_COUNT / 20, STATE_COUNT - STATE_COUNT / 20);
    assert_true(regainedCount > 0);
    wkRobotState_Destroy(robotState);
    wkBatch_Destroy(filter);
    wkBatch_Destroy(spheres);
    wkSphereModel_Destroy(cover);
    freeCase(&c);
}

// Frames replace each other beside objects that stay.
static void a_refresh_knows_the_new_frame(void** state)
{
    (void)state;
    cloudCase c = makeCase();
    addShape(c.scene, "box", NULL, wkMakeBox(0.2, 0.2, 0.2), wkMakePose(0.5, 0.2, 0.4));
    addCloud(&c, "other", NULL, 40, 0.6);
    addCloud(&c, "frame", NULL, 20, 0.5);
    wkBatch* batch = wkCreateBatch(&c.def);
    static uint8_t kept[STATE_COUNT], made[STATE_COUNT];
    for (uint64_t frame = 0; frame < 4; ++frame) {
        assert_int_equal(wkRobotScene_Remove(c.scene, "frame"), wk_ok);
        wkCloud_Destroy(c.clouds[--c.cloudCount]);
        addCloud(&c, "frame", NULL, 21 + frame, 0.5);
        if (frame == 2) {
            assert_int_equal(wkRobotScene_Move(c.scene, "box", wkMakePose(-0.5, 0.1, 0.5)), wk_ok);
        }
        assert_int_equal(wkBatch_CheckStates(batch, NULL, c.rows, STATE_COUNT, kept),
                         wk_errorState);
        assert_int_equal(wkBatch_Refresh(batch), wk_ok);
        (void)compareStates(&c, batch);
        wkBatch* fresh = wkCreateBatch(&c.def);
        assert_int_equal(wkBatch_CheckStates(batch, NULL, c.rows, STATE_COUNT, kept), wk_ok);
        assert_int_equal(wkBatch_CheckStates(fresh, NULL, c.rows, STATE_COUNT, made), wk_ok);
        assert_memory_equal(kept, made, STATE_COUNT);
        wkBatch_Destroy(fresh);
    }
    wkBatch_Destroy(batch);
    freeCase(&c);
}

// Spheres where no random configuration has one are checked as well: joints beyond their limits get there.
static void configurations_beyond_the_limits_are_checked(void** state)
{
    (void)state;
    cloudCase c = makeCase();
    addCloud(&c, "wall", NULL, 6, 0.5);
    int32_t length = wkRobot_Info(c.robot).variableCount;
    for (int i = 0; i < STATE_COUNT * length; ++i) {
        c.rows[i] *= 2.5;
    }
    wkBatch* batch = wkCreateBatch(&c.def);
    (void)compareStates(&c, batch);
    wkBatch_Destroy(batch);
    freeCase(&c);
}

// A refresh without memory leaves the batch as it was: it refuses to answer about a scene that it does not know.
static wkResult createAndRefresh(void* context)
{
    const cloudCase* c = (const cloudCase*)context;
    wkBatch* batch = NULL;
    wkResult result = wkBatch_Create(&c->def, &batch);
    if (result == wk_ok) {
        uint8_t verdict = wk_verdictFree;
        assert_int_equal(wkRobotScene_Move(c->scene, "frame", wkMakePose(0.0, 0.1, 0.2)), wk_ok);
        result = wkBatch_Refresh(batch);
        wkResult checked = wkBatch_CheckStates(batch, NULL, c->rows, 1, &verdict);
        assert_int_equal(checked, result == wk_ok ? wk_ok : wk_errorState);
    }
    wkBatch_Destroy(batch);
    return result;
}

static void every_failing_allocation_of_a_refresh_is_survived(void** state)
{
    (void)state;
    cloudCase c = makeCase();
    c.def.cellSize = 0.2;
    addShape(c.scene, "box", NULL, wkMakeBox(0.2, 0.2, 0.2), wkMakePose(0.5, 0.2, 0.4));
    addCloud(&c, "frame", NULL, 20, 0.5);
    assert_true(failEveryAllocationOf(createAndRefresh, &c) > 40);
    freeCase(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(verdicts_and_clearances_are_those_of_all_points),
        cmocka_unit_test(several_clouds_obey_rules_and_safety_distances),
        cmocka_unit_test(certified_motions_are_free_of_points_all_along),
        cmocka_unit_test(filtered_verdicts_are_those_of_the_scene),
        cmocka_unit_test(a_refresh_knows_the_new_frame),
        cmocka_unit_test(configurations_beyond_the_limits_are_checked),
        cmocka_unit_test(every_failing_allocation_of_a_refresh_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
