// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Spans of motions: no sphere ever goes further from where it is in the middle than lanes say, and no two
// spheres come nearer to each other. Every joint there is, chains and trees, with bounds that are the same
// numbers with every instruction set.

#include "../data_files.h"
#include "batch/batch_kernel.h"
#include "batch/batch_motion.h"
#include "batch_kit.h"
#include "math/vec.h"
#include "robot_kit.h"

#include <math.h>
#include <string.h>

#define ROBOT_COUNT WK_CASES(24)
#define MOTION_COUNT 12
#define INSTANTS 100
#define MOST_VARIABLES 256
#define SPHERE_COUNT 30
#define DOUBLE_SLACK 1e-11

typedef struct growthCase {
    wkRobotScene* scene;
    wkSphereModel* model;
    wkBatch* batch;
    wkPose base;
    float* ofSpheres; // as measured
    float* ofPairs;
    wkSphere3d* middle; // spheres of a configuration
    wkSphere3d* spheres;
    double tightest; // the largest share of a bound that any sphere needs
} growthCase;

static wkSphereModel* randomSpheres(const wkRobot* robot, wkRng* rng)
{
    wkLinkSphere spheres[SPHERE_COUNT];
    for (int i = 0; i < SPHERE_COUNT; ++i) {
        spheres[i].link = wkRngBelow(rng, wkRobot_Info(robot).linkCount);
        spheres[i].sphere.center = wkScale(wkRngRange(rng, 0.0, 0.4), wkRngDirection(rng));
        spheres[i].sphere.radius = wkRngRange(rng, 0.01, 0.1);
    }
    wkSphereModel* model = NULL;
    assert_int_equal(wkSphereModel_Create(robot, spheres, SPHERE_COUNT, &model), wk_ok);
    return model;
}

static void openCase(growthCase* c, const wkRobot* robot, wkRng* rng)
{
    memset(c, 0, sizeof *c);
    wkRobotSceneDef sceneDef = wkDefaultRobotSceneDef();
    sceneDef.robot = robot;
    sceneDef.allowsEmpty = true; // spheres are all there is
    assert_int_equal(wkRobotScene_Create(&sceneDef, &c->scene), wk_ok);
    c->model = randomSpheres(robot, rng);
    c->base = wkMakePose(wkRngRange(rng, -2.0, 2.0), wkRngRange(rng, -2.0, 2.0), 0.5);
    c->base.rotation = wkRngRotation(rng);
    wkBatchDef def = wkDefaultBatchDef();
    def.scene = c->scene;
    def.spheres = c->model;
    def.base = c->base;
    c->batch = wkCreateBatch(&def);
    size_t pairCount = (size_t)c->batch->program->pairCount;
    c->ofSpheres = (float*)aligned_alloc(64, SPHERE_COUNT * WK_BATCH_BLOCK * sizeof(float));
    c->ofPairs = (float*)aligned_alloc(64, (pairCount + 1) * WK_BATCH_BLOCK * sizeof(float));
    c->middle = (wkSphere3d*)calloc(SPHERE_COUNT, sizeof(wkSphere3d));
    c->spheres = (wkSphere3d*)calloc(SPHERE_COUNT, sizeof(wkSphere3d));
    assert_true(c->ofSpheres != NULL && c->ofPairs != NULL && c->middle != NULL &&
                c->spheres != NULL);
    memset(c->ofSpheres, 0, SPHERE_COUNT * WK_BATCH_BLOCK * sizeof(float));
    memset(c->ofPairs, 0, (pairCount + 1) * WK_BATCH_BLOCK * sizeof(float));
}

static void closeCase(growthCase* c)
{
    free(c->ofSpheres);
    free(c->ofPairs);
    free(c->middle);
    free(c->spheres);
    wkBatch_Destroy(c->batch);
    wkSphereModel_Destroy(c->model);
    wkRobotScene_Destroy(c->scene);
}

// The bounds with every instruction set, which must be the same.
static void measure(growthCase* c, wkBatchScratch* scratch, int32_t count)
{
    size_t pairCount = (size_t)c->batch->program->pairCount;
    size_t sphereBytes = (size_t)SPHERE_COUNT * WK_BATCH_BLOCK * sizeof(float);
    size_t pairBytes = (pairCount + 1) * WK_BATCH_BLOCK * sizeof(float);
    float* ofSpheres = (float*)malloc(sphereBytes);
    float* ofPairs = (float*)malloc(pairBytes);
    assert_true(ofSpheres != NULL && ofPairs != NULL);
    wkBlockCheck check = wkCheckOfIntervals(scratch);
    check.count = count;
    bool isFirst = true;
    for (wkIsa isa = wk_isaScalar; isa < wk_isaCount; ++isa) {
        const wkBatchKernels* lanes = wkBatchKernelsOf(isa);
        if (lanes == NULL) {
            continue;
        }
        wkBatch_UseLanes(c->batch, lanes);
        lanes->measure(c->batch, scratch, &check, c->ofSpheres, c->ofPairs);
        for (int32_t i = 0; i < c->batch->program->sphereCount && !isFirst; ++i) {
            size_t at = (size_t)i * WK_BATCH_BLOCK;
            assert_memory_equal(ofSpheres + at, c->ofSpheres + at, (size_t)count * sizeof(float));
        }
        for (int32_t i = 0; i < c->batch->program->pairCount && !isFirst; ++i) {
            size_t at = (size_t)i * WK_BATCH_BLOCK;
            assert_memory_equal(ofPairs + at, c->ofPairs + at, (size_t)count * sizeof(float));
        }
        memcpy(ofSpheres, c->ofSpheres, sphereBytes);
        memcpy(ofPairs, c->ofPairs, pairBytes);
        isFirst = false;
    }
    free(ofSpheres);
    free(ofPairs);
}

static void checkSpheres(growthCase* c, int32_t row)
{
    const wkProgram* program = c->batch->program;
    for (int32_t i = 0; i < program->sphereCount; ++i) {
        int32_t number = program->numbers[i];
        double way = wkLength(wkSub(c->spheres[number].center, c->middle[number].center));
        double bound = (double)c->ofSpheres[i * WK_BATCH_BLOCK + row];
        if (!(way <= bound + DOUBLE_SLACK)) {
            fail_msg("sphere %d goes %g, at most %g", (int)number, way, bound);
        }
        c->tightest = bound > 1e-3 ? fmax(c->tightest, way / bound) : c->tightest;
    }
}

static void checkPair(const growthCase* c, int32_t pair, int32_t row)
{
    const wkProgram* program = c->batch->program;
    const wkPart* a = &program->parts[program->pairs[pair].a];
    const wkPart* b = &program->parts[program->pairs[pair].b];
    double bound = (double)c->ofPairs[pair * WK_BATCH_BLOCK + row];
    for (int32_t i = a->firstSphere; i < a->firstSphere + a->sphereCount; ++i) {
        for (int32_t k = b->firstSphere; k < b->firstSphere + b->sphereCount; ++k) {
            int32_t one = program->numbers[i], other = program->numbers[k];
            double before = wkLength(wkSub(c->middle[one].center, c->middle[other].center));
            double after = wkLength(wkSub(c->spheres[one].center, c->spheres[other].center));
            if (!(fabs(after - before) <= bound + DOUBLE_SLACK)) {
                fail_msg("spheres %d and %d come nearer by %g, at most %g", (int)one, (int)other,
                         fabs(after - before), bound);
            }
        }
    }
}

// One motion, in the spans that it begins with.
static void checkMotion(growthCase* c, wkBatchScratch* scratch, const double* from,
                        const double* to)
{
    double q[MOST_VARIABLES];
    wkMotionRequest motion = wkDefaultMotionRequest();
    wkBatchMotionResult result;
    wkMotionSlot* slot = &scratch->slots[0];
    slot->from = from;
    slot->to = to;
    slot->first = 0;
    assert_true(wkCertifyRule.begin(c->batch, &motion, slot, &result));
    int32_t count = wkCertifyRule.fill(c->batch, &motion, scratch, slot);
    measure(c, scratch, count);
    for (int32_t row = 0; row < count; ++row) {
        wkMotionInterval interval = slot->taken[row];
        wkRobot_Interpolate(c->batch->robot, from, to, interval.middle, q);
        wkSphereModel_PlaceLinks(c->model, c->base, q, c->middle);
        for (int k = 0; k <= INSTANTS; ++k) {
            double time = interval.middle + interval.half * (2.0 * k / INSTANTS - 1.0);
            wkRobot_Interpolate(c->batch->robot, from, to, time, q);
            wkSphereModel_PlaceLinks(c->model, c->base, q, c->spheres);
            checkSpheres(c, row);
            for (int32_t pair = 0; pair < c->batch->program->pairCount; ++pair) {
                checkPair(c, pair, row);
            }
        }
    }
}

// @return how tight the bounds are
static double checkRobot(const wkRobot* robot, uint64_t seed)
{
    static const double sizes[] = {0.02, 0.3, 1.0, 3.0};
    wkRng rng = wkMakeRng(seed);
    growthCase c;
    openCase(&c, robot, &rng);
    wkBatchScratch* scratch = wkOwnScratch(c.batch);
    int32_t length = wkRobot_Info(robot).variableCount;
    for (int size = 0; size < 4; ++size) {
        double* from = wkRandomRows(robot, seed + 1, MOTION_COUNT);
        double* to = wkNeighbourRows(robot, from, seed + 2, MOTION_COUNT, sizes[size]);
        for (int32_t i = 0; i < MOTION_COUNT; ++i) {
            checkMotion(&c, scratch, from + i * length, to + i * length);
        }
        free(from);
        free(to);
    }
    closeCase(&c);
    return c.tightest;
}

static void spheres_of_robots_with_every_joint_stay_within_their_bounds(void** state)
{
    (void)state;
    double tightest = 0.0;
    for (int32_t i = 0; i < ROBOT_COUNT; ++i) {
        wkTestRobot described = wkMakeTestRobot((uint64_t)(300 + i), 2 + i % 9, 1 + i % 3);
        wkRobot* robot = wkCreateRobot(&described.def);
        tightest = fmax(tightest, checkRobot(robot, (uint64_t)(900 + i)));
        wkRobot_Destroy(robot);
        wkFreeTestRobot(&described);
    }
    print_message("spheres need up to %.3f of their bounds\n", tightest);
    assert_true(tightest > 0.9);
}

static void spheres_of_arms_stay_within_their_bounds(void** state)
{
    (void)state;
    wkRobot* robot = NULL;
    assert_int_equal(wkRobot_CreateBuiltIn(&robot), wk_ok);
    print_message("our own arm: %.3f\n", checkRobot(robot, 7));
    wkRobot_Destroy(robot);

    robot = wkLoadDataRobot("spheres/vamp/panda_spherized.urdf", NULL);
    if (robot == NULL) {
        skip();
    }
    print_message("Panda: %.3f\n", checkRobot(robot, 8));
    wkRobot_Destroy(robot);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spheres_of_robots_with_every_joint_stay_within_their_bounds),
        cmocka_unit_test(spheres_of_arms_stay_within_their_bounds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
