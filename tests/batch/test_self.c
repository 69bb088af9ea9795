// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Robots that touch themselves, in lanes and sphere by sphere: a pair that touches is never missed, and none
// is found that is further apart than rounding explains. Spheres that are said never to touch do not.

#include "memory/failing.h"
#include "program_kit.h"

#include "math/vec.h"
#include "robot/robot_impl.h"

#define SEED 77u
#define SPHERE_COUNT 40
#define STATE_COUNT 1024
#define MOST_VARIABLES 256
#define MARGIN 0.05f

static void lanes_find_what_brute_force_finds(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(SEED);
    static double states[STATE_COUNT * MOST_VARIABLES];
    static double gaps[STATE_COUNT];
    int touchCount = 0, count = 0;
    for (int number = 0; number < TEST_ROBOT_COUNT; number++) {
        testProgram test = makeTestProgram(SEED, number, SPHERE_COUNT);
        wkContacts* contacts = NULL;
        assert_int_equal(wkContacts_Create(test.program, (double)MARGIN, &contacts), wk_ok);
        for (int i = 0; i < STATE_COUNT; i++) {
            double* q = states + i * test.robot->info.variableCount;
            makeState(&rng, test.program, q);
            gaps[i] = leastGap(&test, q);
        }
        for (wkIsa isa = wk_isaScalar; isa < wk_isaCount; isa++) {
            const wkProgramLanes* lanes = wkProgramLanesOf(isa);
            for (int k = 0; lanes != NULL && k < 3; k++) {
                touchCount += checkSelf(&test, lanes, k < 2 ? contacts : NULL, states, STATE_COUNT,
                                        k == 0 ? 0.0f : MARGIN, gaps);
                count += STATE_COUNT;
            }
        }
        wkContacts_Destroy(contacts);
        freeTestProgram(&test);
    }
    print_message("%d of %d states touch themselves\n", touchCount, count);
    assert_true(touchCount > count / 50 && touchCount < count - count / 50);
}

static bool isListed(const wkContacts* contacts, int32_t pair, int32_t a, int32_t b)
{
    const wkPairContacts* known = &contacts->pairs[pair];
    for (int32_t g = known->firstGroup; g < known->firstGroup + known->groupCount; g++) {
        wkContactGroup group = contacts->groups[g];
        for (int32_t i = group.first; i < group.first + group.count && group.sphere == b; i++) {
            if (contacts->spheres[i] == a) {
                return true;
            }
        }
    }
    return known->areAll;
}

// Pairs of spheres that touch in a configuration must be listed.
// @return how many do
static int checkListed(const testProgram* test, const wkContacts* contacts,
                       const wkSphere3d* spheres)
{
    const wkProgram* program = test->program;
    int touchCount = 0;
    for (int32_t n = 0; n < program->pairCount; n++) {
        wkPart a = program->parts[program->pairs[n].a], b = program->parts[program->pairs[n].b];
        for (int32_t i = a.firstSphere; i < a.firstSphere + a.sphereCount; i++) {
            for (int32_t k = b.firstSphere; k < b.firstSphere + b.sphereCount; k++) {
                const wkSphere3d* x = &spheres[program->numbers[i]];
                const wkSphere3d* y = &spheres[program->numbers[k]];
                double distance = wkLength(wkSub(x->center, y->center));
                bool isTouching = distance <= x->radius + y->radius + contacts->margin;
                assert_true(!isTouching || isListed(contacts, n, i, k));
                touchCount += isTouching;
            }
        }
    }
    return touchCount;
}

static void spheres_that_touch_are_known_to(void** state)
{
    (void)state;
    static double q[MOST_VARIABLES];
    static wkSphere3d spheres[SPHERE_COUNT];
    uint64_t seed = SEED;
    int touchCount = 0, knownCount = 0;
    for (int number = 0; number < TEST_ROBOT_COUNT; number++) {
        testProgram test = makeTestProgram(SEED, number, SPHERE_COUNT);
        wkContacts* contacts = NULL;
        assert_int_equal(wkContacts_Create(test.program, 0.01, &contacts), wk_ok);
        for (int i = 0; i < 300; i++) {
            wkRobot_RandomConfiguration(test.robot, &seed, q);
            wkSphereModel_PlaceLinks(test.spheres, test.base, q, spheres);
            touchCount += checkListed(&test, contacts, spheres);
        }
        for (int32_t i = 0; i < contacts->pairCount; i++) {
            knownCount += !contacts->pairs[i].areAll;
        }
        wkContacts_Destroy(contacts);
        freeTestProgram(&test);
    }
    assert_true(touchCount > 1000 && knownCount > 100);
}

static void programs_survive_without_memory(void** state)
{
    (void)state;
    testProgram test = makeTestProgram(SEED, 0, SPHERE_COUNT);
    failing f = {0, -1, 0};
    wkAttachedSpheres none = {0};
    wkAllocator allocator = {allocateOrFail, releaseCounted, &f};
    bool isDone = false;
    for (long n = 0; !isDone; n++) {
        wkProgram* program = NULL;
        wkContacts* contacts = NULL;
        f.callCount = 0;
        f.failAt = n;
        wkSetAllocator(&allocator);
        wkResult result = wkProgram_Create(test.scene, test.spheres, &none, test.base, &program);
        result = result == wk_ok ? wkContacts_Create(program, 0.0, &contacts) : result;
        isDone = result == wk_ok;
        assert_true(isDone || (result == wk_errorMemory && contacts == NULL));
        wkContacts_Destroy(contacts);
        wkProgram_Destroy(program);
        wkSetAllocator(NULL);
        assert_int_equal(f.allocatedBytes, 0);
    }
    assert_true(f.callCount > 3);
    freeTestProgram(&test);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lanes_find_what_brute_force_finds),
        cmocka_unit_test(spheres_that_touch_are_known_to),
        cmocka_unit_test(programs_survive_without_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
