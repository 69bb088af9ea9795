// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Robots that touch themselves, in lanes and ball by ball: a pair that touches is never missed, and none
// is found that is further apart than rounding explains.

#include "program_kit.h"

#include "math/vec.h"
#include "robot/robot.h"

#define SEED 77u
#define BALL_COUNT 40
#define STATE_COUNT 256
#define MOST_VARIABLES 256
#define MARGIN 0.05f

// By how much the nearest checked pair of balls is apart: brute force in double.
static double gapOf(const testProgram* test, const double* q)
{
    static wkBall balls[BALL_COUNT];
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

// How much nearer balls may seem: what was added to the radii of two of them.
static double nearness(const testProgram* test)
{
    double most = 0.0;
    for (int32_t i = 0; i < test->program->ballCount; i++) {
        double radius = wkSphereModel_Ball(test->spheres, test->program->numbers[i]).ball.radius;
        most = wkMaxD(most, (double)test->program->radius[i] - radius);
    }
    return 2.0 * most;
}

static void checkLanes(const testProgram* test, const wkProgramLanes* lanes,
                       const wkContacts* contacts, const double* states, float margin,
                       const double* gaps, int* touchCount)
{
    float* room = makeRoom(test->program);
    int32_t variableCount = test->robot->info.variableCount;
    double near = nearness(test);
    lanes->start(test->program, room);
    for (int i = 0; i < STATE_COUNT; i += lanes->laneCount) {
        unsigned odd = 0;
        unsigned touching = lanes->touchSelf(test->program, contacts, states + i * variableCount,
                                             lanes->laneCount, margin, &odd, room);
        assert_int_equal(odd, 0);
        for (int k = 0; k < lanes->laneCount; k++) {
            bool isTouching = (touching >> k & 1u) != 0;
            double gap = gaps[i + k] - (double)margin;
            if ((gap <= 0.0 && !isTouching) || (gap > near && isTouching)) {
                fail_msg("state %d: %d, gap %g", i + k, isTouching, gap);
            }
            *touchCount += isTouching;
        }
    }
    free(room);
}

static void lanes_find_what_brute_force_finds(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(SEED);
    static double states[STATE_COUNT * MOST_VARIABLES];
    static double gaps[STATE_COUNT];
    int touchCount = 0, count = 0;
    for (int number = 0; number < TEST_ROBOT_COUNT; number++) {
        testProgram test = makeTestProgram(SEED, number, BALL_COUNT);
        for (int i = 0; i < STATE_COUNT; i++) {
            double* q = states + i * test.robot->info.variableCount;
            makeState(&rng, test.program, q);
            gaps[i] = gapOf(&test, q);
        }
        wkContacts* contacts = NULL;
        assert_int_equal(wkContacts_Create(test.program, (double)MARGIN, &contacts), wk_ok);
        for (wkIsa isa = wk_isaScalar; isa < wk_isaCount; isa++) {
            const wkProgramLanes* lanes = wkProgramLanesOf(isa);
            for (int k = 0; lanes != NULL && k < 3; k++) {
                checkLanes(&test, lanes, k < 2 ? contacts : NULL, states, k == 0 ? 0.0f : MARGIN,
                           gaps, &touchCount);
                count += STATE_COUNT;
            }
        }
        wkContacts_Destroy(contacts);
        freeTestProgram(&test);
    }
    print_message("%d of %d states touch themselves\n", touchCount, count);
    assert_true(touchCount > count / 50 && touchCount < count - count / 50);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lanes_find_what_brute_force_finds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
