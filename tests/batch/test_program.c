// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Where lanes put the spheres of a robot: no sphere of the robot sticks out of the one that stands for it,
// with joints of every type, angles of any size, and the same bits with every instruction set.

#include "program_kit.h"

#include "batch/program_builder.h"
#include "math/angle.h"
#include "robot/robot_impl.h"

#define SEED 20261u
#define SPHERE_COUNT 60
#define BLOCK_COUNT 12
#define MOST_VARIABLES 256
#define MOST_STATES (16 * WK_PROGRAM_SCRATCHES)

static void checkRobot(const testProgram* test, wkIsa isa, wkRng* rng, double* worst)
{
    const wkProgramLanes* lanes = wkProgramLanesOf(isa);
    if (lanes == NULL) {
        return;
    }
    static double states[MOST_STATES * MOST_VARIABLES];
    int32_t variableCount = test->robot->info.variableCount;
    assert_true(variableCount <= MOST_VARIABLES);
    float* scratch = makeScratch(test->program);
    lanes->start(test->program, scratch);
    for (int block = 0; block < BLOCK_COUNT; block++) {
        int most = lanes->laneCount * WK_PROGRAM_SCRATCHES;
        int count = block % 3 == 0 ? 1 + wkRngBelow(rng, most) : most;
        for (int i = 0; i < count; i++) {
            makeState(rng, test->program, states + i * variableCount);
        }
        unsigned odd[WK_PROGRAM_SCRATCHES] = {0};
        lanes->placeSpheres(test->program, states, count, scratch, odd);
        for (int i = 0; i < count; i++) {
            assert_int_equal(odd[i / lanes->laneCount], 0);
            double share =
                shareOfSlack(test, states + i * variableCount, scratch, lanes->laneCount, i);
            if (!(share <= 1.0)) {
                fail_msg("a sphere is off by %g of what it may be", share);
            }
            *worst = share > *worst ? share : *worst;
        }
    }
    free(scratch);
}

static void spheres_in_lanes_contain_the_real_ones(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(SEED);
    double worst = 0.0;
    for (int number = 0; number < TEST_ROBOT_COUNT; number++) {
        testProgram test = makeTestProgram(SEED, number, SPHERE_COUNT);
        for (wkIsa isa = wk_isaScalar; isa < wk_isaCount; isa++) {
            checkRobot(&test, isa, &rng, &worst);
        }
        freeTestProgram(&test);
    }
    print_message("at most %.2f of the slack is used\n", worst);
    // a slack that is never nearly used would say that something is left out of this test
    assert_true(worst > 0.02);
}

// The same configurations in lanes of two kinds.
static void compareBits(const testProgram* test, const wkProgramLanes* a, const wkProgramLanes* b,
                        wkRng* rng)
{
    static double states[MOST_STATES * MOST_VARIABLES];
    int32_t variableCount = test->robot->info.variableCount;
    const wkProgram* program = test->program;
    float *scratchA = makeScratch(program), *scratchB = makeScratch(program);
    a->start(program, scratchA);
    b->start(program, scratchB);
    for (int i = 0; i < b->laneCount; i++) {
        makeState(rng, test->program, states + i * variableCount);
    }
    unsigned oddA = 0, oddB = 0;
    b->placeSpheres(program, states, b->laneCount, scratchB, &oddB);
    for (int i = 0; i < b->laneCount; i++) {
        a->placeSpheres(program, states + i * variableCount, 1, scratchA, &oddA);
        assert_int_equal(oddA & 1u, oddB >> i & 1u);
        for (int32_t k = 0; k < program->sphereCount; k++) {
            wkVec3d sphereA = sphereOfState(program, scratchA, a->laneCount, k, 0);
            wkVec3d sphereB = sphereOfState(program, scratchB, b->laneCount, k, i);
            assert_memory_equal(&sphereA, &sphereB, sizeof sphereA);
        }
    }
    free(scratchA);
    free(scratchB);
}

static void every_instruction_set_gives_the_same_bits(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(SEED + 1);
    const wkProgramLanes* plain = wkProgramLanesOf(wk_isaScalar);
    for (int number = 0; plain != NULL && number < TEST_ROBOT_COUNT; number++) {
        testProgram test = makeTestProgram(SEED, number, SPHERE_COUNT);
        for (wkIsa isa = wk_isaSse2; isa < wk_isaCount; isa++) {
            for (int round = 0; wkProgramLanesOf(isa) != NULL && round < 5; round++) {
                compareBits(&test, plain, wkProgramLanesOf(isa), &rng);
            }
        }
        freeTestProgram(&test);
    }
}

// Numbers that are not finite, and lengths that are too long, are told, and spoil no other lane.
static void odd_configurations_are_reported(void** state)
{
    (void)state;
    const double odd[] = {NAN, INFINITY, -INFINITY};
    wkRng rng = wkMakeRng(SEED + 2);
    for (int number = 0; number < TEST_ROBOT_COUNT; number++) {
        testProgram test = makeTestProgram(SEED, number, SPHERE_COUNT);
        int32_t variableCount = test.robot->info.variableCount;
        for (wkIsa isa = wk_isaScalar; variableCount > 0 && isa < wk_isaCount; isa++) {
            const wkProgramLanes* lanes = wkProgramLanesOf(isa);
            if (lanes == NULL) {
                continue;
            }
            static double states[MOST_STATES * MOST_VARIABLES];
            for (int i = 0; i < lanes->laneCount; i++) {
                makeState(&rng, test.program, states + i * variableCount);
            }
            int lane = wkRngBelow(&rng, lanes->laneCount);
            int32_t variable = wkRngBelow(&rng, (int)variableCount);
            bool isLength = test.robot->variables[variable].kind == wk_variableLength;
            states[lane * variableCount + variable] =
                isLength && wkRngChance(&rng, 2) ? 1e5 : odd[wkRngBelow(&rng, 3)];
            float* scratch = makeScratch(test.program);
            lanes->start(test.program, scratch);
            unsigned decided = 0;
            lanes->placeSpheres(test.program, states, lanes->laneCount, scratch, &decided);
            assert_int_equal(decided, 1u << lane);
            for (int i = 0; i < lanes->laneCount; i++) {
                double share = i == lane ? 0.0
                                         : shareOfSlack(&test, states + i * variableCount, scratch,
                                                        lanes->laneCount, i);
                assert_true(share <= 1.0);
            }
            free(scratch);
        }
        freeTestProgram(&test);
    }
}

// Spheres never leave the box that a program says they stay in.
static void spheres_stay_within_reach(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(SEED + 3);
    static double q[MOST_VARIABLES];
    static wkSphere3d spheres[SPHERE_COUNT];
    for (int number = 0; number < TEST_ROBOT_COUNT; number++) {
        testProgram test = makeTestProgram(SEED, number, SPHERE_COUNT);
        wkAabb reach = test.program->reach;
        for (int round = 0; round < 200; round++) {
            makeState(&rng, test.program, q);
            wkSphereModel_PlaceLinks(test.spheres, test.base, q, spheres);
            for (int i = 0; i < SPHERE_COUNT; i++) {
                wkVec3d center = wkSub(spheres[i].center, test.program->origin);
                double r = spheres[i].radius;
                assert_true(center.x - r >= reach.lower.x && center.x + r <= reach.upper.x);
                assert_true(center.y - r >= reach.lower.y && center.y + r <= reach.upper.y);
                assert_true(center.z - r >= reach.lower.z && center.z + r <= reach.upper.z);
            }
        }
        freeTestProgram(&test);
    }
}

// What the built-in robot holds, in its gripper.
static void hold(testProgram* test, const wkShape* shapes, const wkPose* poses, int32_t count)
{
    wkRobotObjectDef def = wkDefaultRobotObjectDef();
    def.name = "thing";
    def.shapes = shapes;
    def.poses = poses;
    def.shapeCount = count;
    wkRobotState* state = NULL;
    assert_int_equal(wkRobotScene_Add(test->scene, &def), wk_ok);
    assert_int_equal(wkRobotState_Create(test->robot, &state), wk_ok);
    assert_int_equal(wkRobotScene_Attach(test->scene, state, "thing", "gripper_link", NULL, 0),
                     wk_ok);
    wkRobotState_Destroy(state);
    wkProgram_Destroy(test->program);
    wkAttachedSpheres none = {0}, attached;
    assert_int_equal(wkAttachedSpheres_Create(test->scene, &none, &attached), wk_ok);
    assert_int_equal(
        wkProgram_Create(test->scene, test->spheres, &attached, test->base, &test->program), wk_ok);
    wkAttachedSpheres_Free(&attached);
}

// Whether a point of the world is in a sphere of a part, with the robot in its default configuration.
static bool isCovered(const testProgram* test, const wkPart* part, wkVec3d point, double slack)
{
    wkPose links[64];
    double q[MOST_VARIABLES];
    wkRobot_DefaultConfiguration(test->robot, q);
    wkRobot_LinkPoses(test->robot, test->base, q, links);
    int32_t link = wkRobot_FindLink(test->robot, "gripper_link");
    wkPose inverse = wkInvPose(test->robot->links[link].pose);
    wkPose rigidGroup = wkMulPose(links[link], inverse);
    for (int32_t i = part->firstSphere; i < part->firstSphere + part->sphereCount; i++) {
        wkSphere3d sphere = test->program->exact[i];
        wkVec3d center = wkTransformPoint(rigidGroup, sphere.center);
        if (wkLength(wkSub(center, point)) <= sphere.radius + slack) {
            return true;
        }
    }
    return false;
}

static void attached_shapes_are_covered(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(SEED + 4);
    const wkShape shapes[] = {wkMakeBox(0.1, 0.06, 0.2), wkMakeSphere(0.05)};
    const wkPose poses[] = {wkMakePoseRpy(wkVec(0.1, 0.2, 0.3), 0.1, 0.2, 0.3),
                            wkMakePose(-0.1, 0.0, 0.2)};
    testProgram test = makeTestProgram(SEED, 0, SPHERE_COUNT);
    int32_t pairCount = test.program->pairCount;
    hold(&test, shapes, poses, 2);
    const wkPart* part = &test.program->parts[test.program->partCount - 1];
    assert_int_equal(part->side, test.robot->info.linkCount);
    assert_true(test.program->pairCount > pairCount);
    assert_int_equal(test.program->sphereCount, SPHERE_COUNT + part->sphereCount);
    for (int i = 0; i < 5000; i++) {
        int k = wkRngBelow(&rng, 2);
        wkVec3d inBox = wkVec(wkRngRange(&rng, -0.05, 0.05), wkRngRange(&rng, -0.03, 0.03),
                              wkRngRange(&rng, -0.1, 0.1));
        wkVec3d local = k == 0 ? inBox : wkScale(0.05 * wkRngUnit(&rng), wkRngDirection(&rng));
        wkVec3d point = wkTransformPoint(poses[k], local);
        assert_true(isCovered(&test, part, point, 1e-9));
    }
    freeTestProgram(&test);
}

// Earlier spheres are told from fitted ones by a radius that no fit gives.
#define EARLIER_RADIUS 7.0

static bool isTakenOver(const testProgram* test, wkAttachedSpheres* earlier)
{
    wkAttachedSpheres attached;
    earlier->spheres[0].radius = EARLIER_RADIUS;
    assert_int_equal(wkAttachedSpheres_Create(test->scene, earlier, &attached), wk_ok);
    bool isTaken = attached.spheres[0].radius == EARLIER_RADIUS;
    wkAttachedSpheres_Free(&attached);
    return isTaken;
}

static wkMeshBuilder* buildTetrahedron(const wkVec3d vertices[4])
{
    static const int32_t faces[] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
    wkMeshDef def = wkDefaultMeshDef();
    def.isSolid = false;
    wkMeshBuilder* builder = NULL;
    assert_int_equal(wkMeshBuilder_Create(&def, &builder), wk_ok);
    assert_int_equal(wkMeshBuilder_BeginModel(builder, 4, 4), wk_ok);
    assert_int_equal(wkMeshBuilder_AddPart(builder, vertices, 4, faces, 4), wk_ok);
    assert_int_equal(wkMeshBuilder_EndModel(builder), wk_ok);
    return builder;
}

static void moveVertex(wkMeshBuilder* builder, wkVec3d position)
{
    assert_int_equal(wkMeshBuilder_BeginReplace(builder), wk_ok);
    assert_int_equal(wkMeshBuilder_ReplaceVertices(builder, 3, &position, 1), wk_ok);
    assert_int_equal(wkMeshBuilder_EndReplace(builder, false), wk_ok);
}

static void attached_shapes_are_fitted_again_when_they_are_others(void** state)
{
    (void)state;
    const wkVec3d vertices[] = {{0.0, 0.0, 0.0}, {0.1, 0.0, 0.0}, {0.0, 0.1, 0.0}, {0.0, 0.0, 0.1}};
    wkMeshBuilder* builder = buildTetrahedron(vertices);
    wkPose pose = wkIdentityPose();
    wkShape shape = wkMakeMesh(wkMeshBuilder_Mesh(builder));
    testProgram test = makeTestProgram(SEED, 0, SPHERE_COUNT);
    hold(&test, &shape, &pose, 1);
    wkAttachedSpheres none = {0}, attached;
    assert_int_equal(wkAttachedSpheres_Create(test.scene, &none, &attached), wk_ok);
    assert_int_equal(attached.shapeCount, 1);
    assert_true(isTakenOver(&test, &attached));

    // the mesh changes where it is, and back
    moveVertex(builder, wkVec(0.0, 0.0, 0.1 + 1e-9));
    assert_false(isTakenOver(&test, &attached));
    moveVertex(builder, vertices[3]);
    assert_true(isTakenOver(&test, &attached));
    attached.keys[0].shape.padding += 1e-9;
    assert_false(isTakenOver(&test, &attached));

    wkAttachedSpheres_Free(&attached);
    wkMeshBuilder_Destroy(builder);
    freeTestProgram(&test);
}

// As shareOfSlack, for robots whose slack may be large.
static double shareOfRadii(const testProgram* test, const double* q, const float* scratch,
                           int laneCount, int state, double* largest)
{
    static wkSphere3d placed[MOST_TEST_SPHERES];
    wkSphereModel_PlaceLinks(test->spheres, test->base, q, placed);
    const wkProgram* program = test->program;
    double worst = 0.0;
    for (int32_t i = 0; i < program->modelSphereCount; i++) {
        const wkSphere3d* sphere = &placed[program->numbers[i]];
        wkVec3d is = sphereOfState(program, scratch, laneCount, i, state);
        double error = wkLength(wkSub(is, wkSub(sphere->center, program->origin)));
        double slack = (double)program->radius[i] - sphere->radius;
        *largest = fmax(*largest, slack);
        worst = error / slack > worst || error != error ? error / slack : worst;
    }
    return worst;
}

// A robot whose mimics have large factors, and offsets of many turns or a long way.
static wkRobot* makeMimicRobot(wkRng* rng, int number)
{
    wkTestRobot made = wkMakeTestRobot(SEED + 77u + (uint64_t)number, 3 + number, number % 3 + 1);
    for (int32_t i = 0; i < made.def.jointCount; i++) {
        wkJointDef* joint = &made.joints[i];
        if (joint->mimic != NULL) {
            double sign = wkRngChance(rng, 2) ? 1.0 : -1.0;
            joint->mimicFactor = sign * wkRngLogRange(rng, 1e-3, 100.0);
            joint->mimicOffset = wkRngRange(rng, -1.0, 1.0) * wkRngLogRange(rng, 0.1, 1e4);
        }
    }
    wkRobot* robot = wkCreateRobot(&made.def);
    wkFreeTestRobot(&made);
    return robot;
}

// A configuration in which some mimics stand near zero, and others many turns from there.
static void makeMimicState(wkRng* rng, const wkProgram* program, double* q)
{
    makeState(rng, program, q);
    const wkRobot* robot = program->robot;
    for (int32_t i = 1; i < robot->rigidGroupCount; i++) {
        const wkRigidGroup* rigidGroup = &robot->rigidGroups[i];
        bool isRevolute =
            rigidGroup->type == wk_jointRevolute || rigidGroup->type == wk_jointContinuous;
        bool isLength = false;
        for (int32_t k = 0; k < program->lengthCount; k++) {
            isLength = isLength || program->lengths[k].variable == rigidGroup->variable;
        }
        if (isRevolute && !isLength && wkRngChance(rng, 2)) {
            double turns = wkRngChance(rng, 2) ? 0.0 : rint(wkRngRange(rng, -2000.0, 2000.0));
            double angle = wkRngRange(rng, -9.0, 9.0) + 2.0 * WK_PI * turns;
            q[rigidGroup->variable] = (angle - rigidGroup->offset) / rigidGroup->factor;
        }
    }
}

static void mimics_with_large_offsets_and_factors_stay_in_their_spheres(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(SEED + 5);
    static double states[MOST_STATES * MOST_VARIABLES];
    double worst = 0.0, largest = 0.0;
    for (int number = 0; number < 40; number++) {
        wkRobot* robot = makeMimicRobot(&rng, number);
        wkLinkSphere spheres[SPHERE_COUNT];
        for (int i = 0; i < SPHERE_COUNT; i++) {
            wkLinkSphere sphere = {
                wkRngBelow(&rng, (int)robot->info.linkCount),
                {wkScale(wkRngRange(&rng, 0.0, 0.3), wkRngDirection(&rng)), 0.01}};
            spheres[i] = sphere;
        }
        testProgram test = makeProgramOf(robot, spheres, SPHERE_COUNT, wkIdentityPose());
        int32_t length = robot->info.variableCount;
        for (wkIsa isa = wk_isaScalar; length > 0 && isa < wk_isaCount; isa++) {
            const wkProgramLanes* lanes = wkProgramLanesOf(isa);
            if (lanes == NULL) {
                continue;
            }
            float* scratch = makeScratch(test.program);
            lanes->start(test.program, scratch);
            for (int block = 0; block < 4; block++) {
                for (int i = 0; i < lanes->laneCount; i++) {
                    makeMimicState(&rng, test.program, states + i * length);
                }
                unsigned odd = 0;
                lanes->placeSpheres(test.program, states, lanes->laneCount, scratch, &odd);
                for (int i = 0; i < lanes->laneCount; i++) {
                    double slack = 0.0;
                    double share = (odd >> i & 1u) != 0
                                       ? 0.0
                                       : shareOfRadii(&test, states + i * length, scratch,
                                                      lanes->laneCount, i, &slack);
                    if (!(share <= 1.0)) {
                        fail_msg("robot %d: a sphere is off by %g of what it may be", number,
                                 share);
                    }
                    worst = fmax(worst, share);
                    largest = fmax(largest, slack);
                }
            }
            free(scratch);
        }
        freeTestProgram(&test);
    }
    print_message("at most %.2f of the slack is used, at most %.2g m\n", worst, largest);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spheres_in_lanes_contain_the_real_ones),
        cmocka_unit_test(every_instruction_set_gives_the_same_bits),
        cmocka_unit_test(odd_configurations_are_reported),
        cmocka_unit_test(spheres_stay_within_reach),
        cmocka_unit_test(attached_shapes_are_covered),
        cmocka_unit_test(attached_shapes_are_fitted_again_when_they_are_others),
        cmocka_unit_test(mimics_with_large_offsets_and_factors_stay_in_their_spheres),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
