// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

#include "program_kit.h"

#include "base/memory.h"
#include "robot/robot.h"

#define MOST_LANES 16

static wkRobot* makeRobot(uint64_t seed, int number)
{
    wkRobot* robot = NULL;
    if (number == 0) {
        assert_int_equal(wkRobot_CreateBuiltIn(&robot), wk_ok);
        return robot;
    }
    // chains first, then trees; from one link to many
    int32_t linkCount = number < 4 ? number : 2 + 2 * number;
    wkTestRobot made = wkMakeTestRobot(seed + (uint64_t)number, linkCount, number % 3 + 1);
    robot = wkCreateRobot(&made.def);
    wkFreeTestRobot(&made);
    return robot;
}

// Balls of all sizes, many of them on axes.
static wkLinkBall makeBall(wkRng* rng, const wkRobot* robot)
{
    wkLinkBall ball = {
        wkRngBelow(rng, (int)robot->info.linkCount),
        {wkScale(wkRngRange(rng, 0.0, 0.3), wkRngDirection(rng)), wkRngLogRange(rng, 1e-3, 0.2)}};
    ball.ball.center.x = wkRngChance(rng, 2) ? 0.0 : ball.ball.center.x;
    ball.ball.center.y = wkRngChance(rng, 2) ? 0.0 : ball.ball.center.y;
    ball.ball.center.z = wkRngChance(rng, 3) ? 0.0 : ball.ball.center.z;
    return ball;
}

testProgram makeTestProgram(uint64_t seed, int number, int ballCount)
{
    testProgram test = {.robot = makeRobot(seed, number)};
    wkRng rng = wkMakeRng(seed + 1000u * (uint64_t)number);
    wkLinkBall* balls = (wkLinkBall*)calloc((size_t)ballCount + 1, sizeof *balls);
    assert_non_null(balls);
    for (int i = 0; i < ballCount; i++) {
        balls[i] = makeBall(&rng, test.robot);
    }
    assert_int_equal(wkSphereModel_Create(test.robot, balls, ballCount, &test.spheres), wk_ok);
    free(balls);
    wkRobotSceneDef def = wkDefaultRobotSceneDef();
    def.robot = test.robot;
    assert_int_equal(wkRobotScene_Create(&def, &test.scene), wk_ok);
    test.base = wkMakePose(0.0, 0.0, 0.0);
    if (number % 2 != 0) {
        test.base.position = wkVec(100.0, -50.0, 0.3);
        test.base.rotation = wkMakeQuat(wkRngDirection(&rng), wkRngRange(&rng, 0.0, 6.0));
    }
    assert_int_equal(wkProgram_Create(test.scene, test.spheres, test.base, &test.program), wk_ok);
    return test;
}

void freeTestProgram(testProgram* test)
{
    wkProgram_Destroy(test->program);
    wkRobotScene_Destroy(test->scene);
    wkSphereModel_Destroy(test->spheres);
    wkRobot_Destroy(test->robot);
    assert_int_equal(wkGetByteCount(), 0);
}

float* makeRoom(const wkProgram* program)
{
    size_t floatCount = (size_t)program->roomCount * MOST_LANES * WK_PROGRAM_ROOMS;
    float* room = (float*)aligned_alloc(64, (floatCount * sizeof(float) + 63) / 64 * 64);
    assert_non_null(room);
    for (size_t i = 0; i < floatCount; i++) {
        room[i] = NAN; // whatever is read must have been written
    }
    return room;
}

static bool isLengthOf(const wkProgram* program, int32_t variable)
{
    for (int32_t i = 0; i < program->lengthCount; i++) {
        if (program->lengths[i].variable == variable) {
            return true;
        }
    }
    return false;
}

void makeState(wkRng* rng, const wkProgram* program, double* q)
{
    uint64_t seed = wkRngNext(rng);
    wkRobot_RandomConfiguration(program->robot, &seed, q);
    for (int32_t i = 0; i < program->variableCount; i++) {
        if (wkRngChance(rng, 20) && !isLengthOf(program, i)) {
            q[i] = wkRngRange(rng, -1.0, 1.0) * wkRngLogRange(rng, 1.0, 1e9);
        }
    }
}
