// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

#include "program_kit.h"

#include "math/vec.h"
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

testProgram makeProgramOf(wkRobot* robot, const wkLinkBall* balls, int ballCount, wkPose base)
{
    testProgram test = {.robot = robot, .base = base};
    assert_true(ballCount <= MOST_TEST_BALLS);
    assert_int_equal(wkSphereModel_Create(robot, balls, ballCount, &test.spheres), wk_ok);
    wkRobotSceneDef def = wkDefaultRobotSceneDef();
    def.robot = robot;
    def.allowsEmpty = true; // spheres are all there is
    assert_int_equal(wkRobotScene_Create(&def, &test.scene), wk_ok);
    wkHeldBalls none = {0};
    assert_int_equal(wkProgram_Create(test.scene, test.spheres, &none, base, &test.program), wk_ok);
    return test;
}

testProgram makeTestProgram(uint64_t seed, int number, int ballCount)
{
    wkRobot* robot = makeRobot(seed, number);
    wkRng rng = wkMakeRng(seed + 1000u * (uint64_t)number);
    wkLinkBall* balls = (wkLinkBall*)calloc((size_t)ballCount + 1, sizeof *balls);
    assert_non_null(balls);
    for (int i = 0; i < ballCount; i++) {
        balls[i] = makeBall(&rng, robot);
    }
    wkPose base = wkIdentityPose();
    if (number % 2 != 0) {
        base.position = wkVec(100.0, -50.0, 0.3);
        base.rotation = wkMakeQuat(wkRngDirection(&rng), wkRngRange(&rng, 0.0, 6.0));
    }
    testProgram test = makeProgramOf(robot, balls, ballCount, base);
    free(balls);
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

wkVec3d ballOfState(const wkProgram* program, const float* rooms, int laneCount, int32_t ball,
                    int state)
{
    int32_t before = state / laneCount * program->roomCount + program->ballsAt + 3 * ball;
    const float* at = rooms + (size_t)before * (size_t)laneCount + state % laneCount;
    return wkVec((double)at[0], (double)at[laneCount], (double)at[2 * laneCount]);
}

// Slack beyond this is of no use to anybody: for each metre that the robot reaches, and each joint.
#define MOST_SLACK 3e-6

double shareOfSlack(const testProgram* test, const double* q, const float* rooms, int laneCount,
                    int state)
{
    static wkBall placed[MOST_TEST_BALLS];
    wkSphereModel_Place(test->spheres, test->base, q, placed);
    const wkProgram* program = test->program;
    double size = wkLength(wkSub(program->reach.upper, program->reach.lower));
    double most = MOST_SLACK * size * (2.0 + program->turnCount);
    double worst = 0.0;
    for (int32_t i = 0; i < program->modelBallCount; i++) {
        const wkBall* ball = &placed[program->numbers[i]];
        wkVec3d is = ballOfState(program, rooms, laneCount, i, state);
        double error = wkLength(wkSub(is, wkSub(ball->center, program->origin)));
        double slack = (double)program->radius[i] - ball->radius;
        if (!(slack > 0.0 && slack < most)) {
            fail_msg("a ball is larger by %g, most would be %g", slack, most);
        }
        worst = error / slack > worst || error != error ? error / slack : worst;
    }
    return worst;
}

double leastGap(const testProgram* test, const double* q)
{
    static wkBall balls[MOST_TEST_BALLS];
    wkSphereModel_Place(test->spheres, test->base, q, balls);
    double least = INFINITY;
    for (int32_t i = 0; i < test->program->pairCount; i++) {
        wkPartPair pair = test->program->pairs[i];
        wkLinkBalls a = wkSphereModel_Link(test->spheres, test->program->parts[pair.a].side);
        wkLinkBalls b = wkSphereModel_Link(test->spheres, test->program->parts[pair.b].side);
        for (int32_t k = a.first; k < a.first + a.count; k++) {
            for (int32_t m = b.first; m < b.first + b.count; m++) {
                double gap = wkLength(wkSub(balls[k].center, balls[m].center)) - balls[k].radius -
                             balls[m].radius;
                least = gap < least ? gap : least;
            }
        }
    }
    return least;
}

double slackOfPair(const testProgram* test)
{
    double most = 0.0;
    for (int32_t i = 0; i < test->program->modelBallCount; i++) {
        double radius = wkSphereModel_Ball(test->spheres, test->program->numbers[i]).ball.radius;
        most = wkMaxD(most, (double)test->program->radius[i] - radius);
    }
    return 2.0 * most;
}

int checkSelf(const testProgram* test, const wkProgramLanes* lanes, const wkContacts* contacts,
              const double* states, int count, float margin, const double* gaps)
{
    float* room = makeRoom(test->program);
    int32_t variableCount = test->robot->info.variableCount;
    double near = slackOfPair(test);
    int touchCount = 0;
    lanes->start(test->program, room);
    for (int i = 0; i < count; i += lanes->laneCount) {
        int32_t here = count - i < lanes->laneCount ? count - i : lanes->laneCount;
        unsigned odd = 0;
        unsigned touching = lanes->touchSelf(test->program, contacts, states + i * variableCount,
                                             here, margin, &odd, room);
        assert_int_equal(odd, 0);
        for (int k = 0; k < here; k++) {
            bool isTouching = (touching >> k & 1u) != 0;
            double gap = gaps[i + k] - (double)margin;
            if ((gap <= 0.0 && !isTouching) || (gap > near && isTouching)) {
                fail_msg("state %d: %d, gap %g", i + k, isTouching, gap);
            }
            touchCount += isTouching;
        }
    }
    free(room);
    return touchCount;
}
