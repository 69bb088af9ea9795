// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Robots of others that are made of spheres: where lanes put these, and whether the robots touch
// themselves, as by the plain way in double.

#include "program_kit.h"

#include "../data_files.h"
#include "robot/robot_impl.h"

#define BLOCK_COUNT 40
#define MOST_VARIABLES 64
#define MOST_STATES (16 * WK_PROGRAM_SCRATCHES)

static const char* const files[] = {
    "spheres/vamp/panda_spherized.urdf",
    "spheres/vamp/ur5_spherized.urdf",
    "spheres/vamp/fetch_spherized.urdf",
};

static testProgram programOfBodies(wkRobot* robot)
{
    static wkLinkSphere spheres[MOST_TEST_SPHERES];
    int count = 0;
    for (int32_t i = 0; i < robot->info.bodyCount; i++) {
        wkBodyInfo body = wkRobot_Body(robot, i);
        assert_int_equal(body.shape->type, wk_shapeSphere);
        assert_true(count < MOST_TEST_SPHERES);
        double radius = body.shape->sphere.radius + body.shape->rounding;
        wkLinkSphere sphere = {body.link, {body.pose.position, radius}};
        spheres[count++] = sphere;
    }
    return makeProgramOf(robot, spheres, count, wkMakePose(0.5, -2.0, 1.0));
}

// @return configurations that touch
static int checkBlocks(const testProgram* test, const wkProgramLanes* lanes,
                       const wkContacts* contacts, wkRng* rng)
{
    static double states[MOST_STATES * MOST_VARIABLES];
    static double gaps[MOST_STATES];
    int32_t variableCount = test->robot->info.variableCount;
    int count = (int)lanes->laneCount * WK_PROGRAM_SCRATCHES;
    int touchCount = 0;
    assert_true(variableCount <= MOST_VARIABLES);
    float* scratches = makeScratch(test->program);
    lanes->start(test->program, scratches);
    for (int block = 0; block < BLOCK_COUNT; block++) {
        unsigned odd[WK_PROGRAM_SCRATCHES] = {0};
        for (int i = 0; i < count; i++) {
            makeState(rng, test->program, states + i * variableCount);
        }
        lanes->placeSpheres(test->program, states, count, scratches, odd);
        for (int i = 0; i < count; i++) {
            const double* q = states + i * variableCount;
            assert_int_equal(odd[i / lanes->laneCount], 0);
            assert_true(shareOfSlack(test, q, scratches, (int)lanes->laneCount, i) <= 1.0);
            gaps[i] = leastGap(test, q);
        }
        touchCount += checkSelf(test, lanes, contacts, states, count, 0.0f, gaps);
    }
    free(scratches);
    return touchCount;
}

static void robots_of_others_are_where_they_are(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(5);
    int count = 0;
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        wkRobot* robot = wkLoadDataRobot(files[i], NULL);
        if (robot == NULL) {
            continue;
        }
        testProgram test = programOfBodies(robot);
        wkContacts* contacts = NULL;
        assert_int_equal(wkContacts_Create(test.program, 0.0, &contacts), wk_ok);
        for (wkIsa isa = wk_isaScalar; isa < wk_isaCount; isa++) {
            if (wkProgramLanesOf(isa) != NULL) {
                assert_true(checkBlocks(&test, wkProgramLanesOf(isa), contacts, &rng) > 0);
            }
        }
        wkContacts_Destroy(contacts);
        freeTestProgram(&test);
        count++;
    }
    if (count == 0) {
        skip();
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(robots_of_others_are_where_they_are),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
