// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

#include "program_kit.h"

#include "math/vec.h"
#include "robot/robot_impl.h"

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

// Spheres of all sizes, many of them on axes.
static wkLinkSphere makeSphere(wkRng* rng, const wkRobot* robot)
{
    wkLinkSphere sphere = {
        wkRngBelow(rng, (int)robot->info.linkCount),
        {wkScale(wkRngRange(rng, 0.0, 0.3), wkRngDirection(rng)), wkRngLogRange(rng, 1e-3, 0.2)}};
    sphere.sphere.center.x = wkRngChance(rng, 2) ? 0.0 : sphere.sphere.center.x;
    sphere.sphere.center.y = wkRngChance(rng, 2) ? 0.0 : sphere.sphere.center.y;
    sphere.sphere.center.z = wkRngChance(rng, 3) ? 0.0 : sphere.sphere.center.z;
    return sphere;
}

testProgram makeProgramOf(wkRobot* robot, const wkLinkSphere* spheres, int sphereCount, wkPose base)
{
    testProgram test = {.robot = robot, .base = base};
    assert_true(sphereCount <= MOST_TEST_SPHERES);
    assert_int_equal(wkSphereModel_Create(robot, spheres, sphereCount, &test.spheres), wk_ok);
    wkRobotSceneDef def = wkDefaultRobotSceneDef();
    def.robot = robot;
    def.allowsEmpty = true; // spheres are all there is
    assert_int_equal(wkRobotScene_Create(&def, &test.scene), wk_ok);
    wkAttachedSpheres none = {0};
    assert_int_equal(wkProgram_Create(test.scene, test.spheres, &none, base, &test.program), wk_ok);
    return test;
}

testProgram makeTestProgram(uint64_t seed, int number, int sphereCount)
{
    wkRobot* robot = makeRobot(seed, number);
    wkRng rng = wkMakeRng(seed + 1000u * (uint64_t)number);
    wkLinkSphere* spheres = (wkLinkSphere*)calloc((size_t)sphereCount + 1, sizeof *spheres);
    assert_non_null(spheres);
    for (int i = 0; i < sphereCount; i++) {
        spheres[i] = makeSphere(&rng, robot);
    }
    wkPose base = wkIdentityPose();
    if (number % 2 != 0) {
        base.position = wkVec(100.0, -50.0, 0.3);
        base.rotation = wkMakeQuat(wkRngDirection(&rng), wkRngRange(&rng, 0.0, 6.0));
    }
    testProgram test = makeProgramOf(robot, spheres, sphereCount, base);
    free(spheres);
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

float* makeScratch(const wkProgram* program)
{
    size_t floatCount = (size_t)program->scratchCount * MOST_LANES * WK_PROGRAM_SCRATCHES;
    float* scratch = (float*)aligned_alloc(64, (floatCount * sizeof(float) + 63) / 64 * 64);
    assert_non_null(scratch);
    for (size_t i = 0; i < floatCount; i++) {
        scratch[i] = NAN; // whatever is read must have been written
    }
    return scratch;
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

wkVec3d sphereOfState(const wkProgram* program, const float* scratches, int laneCount,
                      int32_t sphere, int state)
{
    int32_t before = state / laneCount * program->scratchCount + program->spheresAt + 3 * sphere;
    const float* at = scratches + (size_t)before * (size_t)laneCount + state % laneCount;
    return wkVec((double)at[0], (double)at[laneCount], (double)at[2 * laneCount]);
}

// Slack beyond this is of no use to anybody: for each metre that the robot reaches, and each joint.
#define MOST_SLACK 3e-6

double shareOfSlack(const testProgram* test, const double* q, const float* scratches, int laneCount,
                    int state)
{
    static wkSphere3d placed[MOST_TEST_SPHERES];
    wkSphereModel_PlaceLinks(test->spheres, test->base, q, placed);
    const wkProgram* program = test->program;
    double size = wkLength(wkSub(program->reach.upper, program->reach.lower));
    double most = MOST_SLACK * size * (2.0 + program->rotationCount);
    double worst = 0.0;
    for (int32_t i = 0; i < program->modelSphereCount; i++) {
        const wkSphere3d* sphere = &placed[program->numbers[i]];
        wkVec3d is = sphereOfState(program, scratches, laneCount, i, state);
        double error = wkLength(wkSub(is, wkSub(sphere->center, program->origin)));
        double slack = (double)program->radius[i] - sphere->radius;
        if (!(slack > 0.0 && slack < most)) {
            fail_msg("a sphere is larger by %g, most would be %g", slack, most);
        }
        worst = error / slack > worst || error != error ? error / slack : worst;
    }
    return worst;
}

double leastGap(const testProgram* test, const double* q)
{
    static wkSphere3d spheres[MOST_TEST_SPHERES];
    wkSphereModel_PlaceLinks(test->spheres, test->base, q, spheres);
    double least = INFINITY;
    for (int32_t i = 0; i < test->program->pairCount; i++) {
        wkPartPair pair = test->program->pairs[i];
        wkLinkSpheres a = wkSphereModel_Link(test->spheres, test->program->parts[pair.a].side);
        wkLinkSpheres b = wkSphereModel_Link(test->spheres, test->program->parts[pair.b].side);
        for (int32_t k = a.first; k < a.first + a.count; k++) {
            for (int32_t m = b.first; m < b.first + b.count; m++) {
                double gap = wkLength(wkSub(spheres[k].center, spheres[m].center)) -
                             spheres[k].radius - spheres[m].radius;
                least = gap < least ? gap : least;
            }
        }
    }
    return least;
}

double slackOfPair(const testProgram* test)
{
    double most = 0.0;
    for (int32_t i = 0; i < test->program->modelSphereCount; i++) {
        double radius =
            wkSphereModel_Sphere(test->spheres, test->program->numbers[i]).sphere.radius;
        most = wkMaxD(most, (double)test->program->radius[i] - radius);
    }
    return 2.0 * most;
}

int checkSelf(const testProgram* test, const wkProgramLanes* lanes, const wkContacts* contacts,
              const double* states, int count, float margin, const double* gaps)
{
    float* scratch = makeScratch(test->program);
    int32_t variableCount = test->robot->info.variableCount;
    double near = slackOfPair(test);
    int touchCount = 0;
    lanes->start(test->program, scratch);
    for (int i = 0; i < count; i += lanes->laneCount) {
        int32_t here = count - i < lanes->laneCount ? count - i : lanes->laneCount;
        unsigned odd = 0;
        unsigned touching = lanes->touchSelf(test->program, contacts, states + i * variableCount,
                                             here, margin, &odd, scratch);
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
    free(scratch);
    return touchCount;
}
