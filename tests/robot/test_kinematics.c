// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Where links are and how points on them move, against plain matrices and differences.

#include "robot_kit.h"

#include "robot/kinematics.h"

// Rounding of a chain of a dozen links of half a metre.
#define TOLERANCE 1e-12

static wkRobot* makeOneJoint(wkJointType type, wkVec3d axis)
{
    static const char* const links[] = {"a", "b"};
    wkJointDef joint = wkDefaultJointDef();
    joint.name = "j";
    joint.type = type;
    joint.parent = "a";
    joint.child = "b";
    joint.origin = wkMakePose(0.0, 0.0, 1.0);
    joint.axis = axis;
    joint.lower = -2.0;
    joint.upper = 2.0;
    wkRobotDef def = wkDefaultRobotDef();
    def.links = links;
    def.linkCount = 2;
    def.joints = &joint;
    def.jointCount = 1;
    return wkCreateRobot(&def);
}

static void joints_move_as_their_types_say(void** state)
{
    (void)state;
    const struct {
        wkJointType type;
        wkVec3d axis;
        double q[7];
        wkVec3d x; // where (1, 0, 0) of the link goes
    } rows[] = {
        {wk_jointFixed, {0, 0, 1}, {0}, {1, 0, 1}},
        {wk_jointRevolute, {0, 0, 2}, {1.5707963267948966}, {0, 1, 1}},
        {wk_jointContinuous, {0, 1, 0}, {-1.5707963267948966}, {0, 0, 2}},
        {wk_jointPrismatic, {0, 3, 0}, {0.5}, {1, 0.5, 1}},
        {wk_jointPlanar, {0, 0, 1}, {2.0, 3.0, 1.5707963267948966}, {2, 4, 1}},
        // z goes to x about y, and takes x to -z
        {wk_jointPlanar, {1, 0, 0}, {2.0, 3.0, 0.0}, {1, 3, -1}},
        {wk_jointPlanar, {0, 0, -1}, {2.0, 3.0, 0.0}, {3, -3, 1}},
        {wk_jointFloating, {0, 0, 1}, {1, 2, 3, 0, 0, 5, 5}, {1, 3, 4}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        wkRobot* robot = makeOneJoint(rows[i].type, rows[i].axis);
        wkPose poses[2];
        wkVec3d unit = {1.0, 0.0, 0.0};
        wkRobot_LinkPoses(robot, wkIdentityPose(), rows[i].q, poses);
        wkVec3d x = wkTransformPoint(poses[1], unit);
        wkVec3d off = {x.x - rows[i].x.x, x.y - rows[i].x.y, x.z - rows[i].x.z};
        if (!(sqrt(wkSceneDot(off, off)) < 1e-15)) {
            fail_msg("row %d: %g %g %g", (int)i, x.x, x.y, x.z);
        }
        wkRobot_Destroy(robot);
    }
}

// Checks one link in `oneIn`.
static void checkLinks(const wkRobotDef* def, const wkRobot* robot, int stateCount, int32_t oneIn,
                       double tolerance)
{
    wkRobotInfo info = wkRobot_Info(robot);
    double* q = (double*)calloc((size_t)info.variableCount + 1, sizeof *q);
    wkPose* poses = (wkPose*)calloc((size_t)info.linkCount, sizeof *poses);
    wkRng rng = wkMakeRng(11);
    uint64_t seed = 12;
    for (int n = 0; n < stateCount; n++) {
        wkPose base = {{wkRngRange(&rng, -3.0, 3.0), 1.0, 0.5}, wkRngRotation(&rng)};
        wkRobot_RandomConfiguration(robot, &seed, q);
        wkRobot_LinkPoses(robot, base, q, poses);
        for (int32_t i = 0; i < info.linkCount; i += oneIn) {
            const char* name = wkRobot_Link(robot, i).name;
            wkTestMatrix expected = wkTestLinkMatrix(def, robot, name, base, q);
            wkTestMatrix found = wkTestMatrixOf(poses[i]);
            double error = wkTestMatrixError(&expected, &found);
            if (!(error < tolerance)) {
                fail_msg("state %d: link %s is off by %g", n, name, error);
            }
        }
    }
    free(q);
    free(poses);
}

static void links_of_random_trees_are_where_matrices_put_them(void** state)
{
    (void)state;
    static const struct {
        int32_t linkCount, depth;
    } rows[] = {{1, 1}, {2, 1}, {12, 1}, {12, 12}, {40, 3}, {60, 60}};
    for (uint64_t seed = 0; seed < 60; seed++) {
        size_t row = seed % (sizeof rows / sizeof rows[0]);
        wkTestRobot test = wkMakeTestRobot(seed, rows[row].linkCount, rows[row].depth);
        wkRobot* robot = wkCreateRobot(&test.def);
        checkLinks(&test.def, robot, 10, 1, 10.0 * TOLERANCE);
        wkRobot_Destroy(robot);
        wkFreeTestRobot(&test);
    }
}

static void links_of_the_built_in_robot_are_where_matrices_put_them(void** state)
{
    (void)state;
    wkRobot* robot = NULL;
    assert_int_equal(wkRobot_CreateBuiltIn(&robot), wk_ok);
    wkTestRobot described = wkDescribeTestRobot(robot);
    checkLinks(&described.def, robot, 1000, 1, TOLERANCE);
    wkFreeTestRobot(&described);
    wkRobot_Destroy(robot);
}

// Fills a configuration with turns of all sizes, some of which lanes leave to others.
static void spin(wkRng* rng, const wkRobot* robot, double* q)
{
    for (int32_t i = 0; i < wkRobot_Info(robot).variableCount; i++) {
        bool isRevolute = wkRobot_Variable(robot, i).kind == wk_variableContinuous;
        if (isRevolute || wkRobot_Variable(robot, i).kind == wk_variableAngle) {
            q[i] = wkRngSign(rng) * wkRngLogRange(rng, 1e-3, 1e9);
        }
    }
}

static void large_angles_are_rotations_like_others(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(41);
    uint64_t seed = 42;
    double q[128];
    wkPose poses[12];
    for (uint64_t n = 0; n < 40; n++) {
        wkTestRobot test = wkMakeTestRobot(n, 12, 2);
        wkRobot* robot = wkCreateRobot(&test.def);
        wkRobot_RandomConfiguration(robot, &seed, q);
        spin(&rng, robot, q);
        wkRobot_LinkPoses(robot, wkIdentityPose(), q, poses);
        for (int32_t i = 0; i < 12; i++) {
            const char* name = wkRobot_Link(robot, i).name;
            wkTestMatrix expected = wkTestLinkMatrix(&test.def, robot, name, wkIdentityPose(), q);
            wkTestMatrix found = wkTestMatrixOf(poses[i]);
            double size = 1.0;
            for (int k = 0; k < 3; k++) {
                size = fmax(size, fabs(expected.m[k][3]));
            }
            // what follows an angle of 1e9 by a factor knows it to 1e-7
            double error = wkTestMatrixError(&expected, &found);
            if (!(error < 1e-6 * size)) {
                fail_msg("robot %d: link %s is off by %g", (int)n, name, error);
            }
        }
        wkRobot_Destroy(robot);
        wkFreeTestRobot(&test);
    }
}

static void every_instruction_set_gives_the_same_bits(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(51);
    uint64_t seed = 52;
    double q[256];
    wkPose expected[40], found[40];
    for (uint64_t n = 0; n < 60; n++) {
        wkTestRobot test = wkMakeTestRobot(n, 1 + wkRngBelow(&rng, 39), 3);
        wkRobot* robot = wkCreateRobot(&test.def);
        wkRobot_RandomConfiguration(robot, &seed, q);
        if (n % 2 == 1) {
            spin(&rng, robot, q);
        }
        size_t byteCount = (size_t)robot->rigidGroupCount * sizeof *found;
        wkPose base = {wkRngDirection(&rng), wkRngRotation(&rng)};
        wkPlaceRigidGroups(robot, base, q, expected);
        for (int isa = 0; isa < wk_isaCount; isa++) {
            wkPlaceInLanesFcn* placeInLanes = wkPlaceInLanesOf((wkIsa)isa);
            if (placeInLanes != NULL) {
                memset(found, 0, sizeof found);
                placeInLanes(robot, &base, q, found);
                assert_memory_equal(found, expected, byteCount);
            }
        }
        // one by one, without lanes
        for (int32_t i = 1; i < robot->rigidGroupCount; i++) {
            wkPose inParent = wkPlaceJoint(&robot->rigidGroups[i], q);
            wkPose one = wkMulUnitPose(&expected[robot->rigidGroups[i].parent], &inParent);
            wkTestMatrix a = wkTestMatrixOf(one), b = wkTestMatrixOf(expected[i]);
            assert_true(wkTestMatrixError(&a, &b) <= 1e-15 * (1.0 + fabs(b.m[0][3])));
        }
        wkRobot_Destroy(robot);
        wkFreeTestRobot(&test);
    }
}

// Rounding adds up along a chain, and stays far below anything that matters.
static void chains_of_a_thousand_links_hold_together(void** state)
{
    (void)state;
    wkTestRobot test = wkMakeTestRobot(77, 1000, 1);
    wkRobot* robot = wkCreateRobot(&test.def);
    checkLinks(&test.def, robot, 1, 111, 1e-8);
    wkRobot_Destroy(robot);
    wkFreeTestRobot(&test);
}

static void runBackward(wkTaskFcn* task, void* context, int32_t taskCount, void* host)
{
    (void)host;
    for (int32_t i = taskCount - 1; i >= 0; i--) {
        task(context, i);
    }
}

static void many_configurations_are_placed_as_each_of_them(void** state)
{
    (void)state;
    enum {
        count = 600
    };
    wkTestRobot test = wkMakeTestRobot(5, 20, 20);
    wkRobot* robot = wkCreateRobot(&test.def);
    wkRobotInfo info = wkRobot_Info(robot);
    size_t linkCount = (size_t)info.linkCount, variableCount = (size_t)info.variableCount;
    double* q = (double*)calloc(count * variableCount, sizeof *q);
    wkPose* many = (wkPose*)calloc(count * linkCount, sizeof *many);
    wkPose* one = (wkPose*)calloc(linkCount, sizeof *one);
    uint64_t seed = 3;
    for (size_t i = 0; i < count; i++) {
        wkRobot_RandomConfiguration(robot, &seed, q + i * variableCount);
    }
    wkParallel backward = {runBackward, NULL, 0}, threads = {NULL, NULL, 3};
    const wkParallel* const ways[] = {NULL, &backward, &threads};
    wkPose base = wkMakePose(1.0, 2.0, 3.0);
    for (int way = 0; way < 3; way++) {
        memset(many, 0, count * linkCount * sizeof *many);
        wkRobot_LinkPosesOfMany(robot, base, q, count, ways[way], many);
        for (size_t i = 0; i < count; i++) {
            wkRobot_LinkPoses(robot, base, q + i * variableCount, one);
            assert_memory_equal(one, many + i * linkCount, linkCount * sizeof *one);
        }
    }
    wkRobot_LinkPosesOfMany(robot, base, q, 0, NULL, NULL);
    free(q);
    free(many);
    free(one);
    wkRobot_Destroy(robot);
    wkFreeTestRobot(&test);
}

// The pose of a link after a step of one variable; steps of a quaternion turn about an axis of the
// joint's frame.
static wkPose stepVariable(wkRobotState* state, wkPose base, const double* q, double* moved,
                           int32_t variable, double step, int32_t link)
{
    const wkRobot* robot = wkRobotState_Robot(state);
    wkVariableInfo info = wkRobot_Variable(robot, variable);
    memcpy(moved, q, (size_t)wkRobot_Info(robot).variableCount * sizeof *q);
    if (info.kind == wk_variableRotation) {
        int32_t first = wkRobot_Joint(robot, info.joint).firstVariable + 3;
        wkVec3d axis = {variable == first, variable == first + 1, variable == first + 2};
        wkPose turn = {{0, 0, 0}, wkMakeQuat(axis, step)};
        wkPose old = {{0, 0, 0}, {q[first], q[first + 1], q[first + 2], q[first + 3]}};
        wkQuat turned = wkMulPose(turn, old).rotation;
        memcpy(moved + first, &turned, sizeof turned);
    } else {
        moved[variable] += step;
    }
    assert_int_equal(wkRobotState_Set(state, base, moved), wk_ok);
    return wkRobotState_LinkPose(state, link);
}

static void checkColumn(const double* jacobian, int32_t variableCount, int32_t variable,
                        const double* expected)
{
    for (int k = 0; k < 6; k++) {
        double found = jacobian[k * variableCount + variable];
        if (!(fabs(found - expected[k]) < 1e-7)) {
            fail_msg("variable %d, row %d: %g, not %g", (int)variable, k, found, expected[k]);
        }
    }
}

static void checkJacobian(const wkRobot* robot, int32_t link, uint64_t seed)
{
    const double step = 1e-5;
    wkRobotInfo info = wkRobot_Info(robot);
    wkRobotState* state = NULL;
    assert_int_equal(wkRobotState_Create(robot, &state), wk_ok);
    double* q = (double*)calloc(8 * (size_t)info.variableCount + 8, sizeof *q);
    double *moved = q + info.variableCount, *jacobian = moved + info.variableCount;
    wkRng rng = wkMakeRng(seed);
    wkPose base = {wkRngDirection(&rng), wkRngRotation(&rng)};
    wkVec3d local = wkRngDirection(&rng);
    wkRobot_RandomConfiguration(robot, &seed, q);
    assert_int_equal(wkRobotState_Set(state, base, q), wk_ok);
    wkVec3d point = wkTransformPoint(wkRobotState_LinkPose(state, link), local);
    wkRobotState_Jacobian(state, link, point, jacobian);
    for (int32_t v = 0; v < info.variableCount; v++) {
        wkPose before = stepVariable(state, base, q, moved, v, -step, link);
        wkPose after = stepVariable(state, base, q, moved, v, step, link);
        wkVec3d a = wkTransformPoint(before, local), b = wkTransformPoint(after, local);
        wkPose back = {{0, 0, 0}, before.rotation}, turned = {{0, 0, 0}, after.rotation};
        wkQuat turn = wkMulPose(turned, wkInvPose(back)).rotation;
        double sign = turn.w < 0.0 ? -1.0 / step : 1.0 / step;
        double half = 0.5 / step;
        double expected[6] = {half * (b.x - a.x), half * (b.y - a.y), half * (b.z - a.z),
                              sign * turn.x,      sign * turn.y,      sign * turn.z};
        checkColumn(jacobian, info.variableCount, v, expected);
    }
    free(q);
    wkRobotState_Destroy(state);
}

static void jacobians_agree_with_differences(void** state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 60; seed++) {
        wkTestRobot test = wkMakeTestRobot(seed, 10, 2);
        wkRobot* robot = wkCreateRobot(&test.def);
        checkJacobian(robot, 9, seed);
        checkJacobian(robot, (int32_t)(seed % 9), seed);
        wkRobot_Destroy(robot);
        wkFreeTestRobot(&test);
    }
}

static void links_can_be_placed_by_others(void** state)
{
    (void)state;
    wkRobot* robot = NULL;
    wkRobotState *ours = NULL, *theirs = NULL;
    assert_int_equal(wkRobot_CreateBuiltIn(&robot), wk_ok);
    assert_int_equal(wkRobotState_Create(robot, &ours), wk_ok);
    assert_int_equal(wkRobotState_Create(robot, &theirs), wk_ok);
    double q[16], jacobians[2][96];
    wkPose poses[64];
    uint64_t seed = 4;
    wkRobotInfo info = wkRobot_Info(robot);
    wkRobot_RandomConfiguration(robot, &seed, q);
    wkPose base = wkMakePoseRpy((wkVec3d){1.0, 2.0, 0.0}, 0.1, 0.2, 0.3);
    wkRobot_LinkPoses(robot, base, q, poses);
    assert_int_equal(wkRobotState_Set(ours, base, q), wk_ok);
    assert_int_equal(wkRobotState_SetLinkPoses(theirs, poses), wk_ok);
    for (int32_t i = 0; i < info.linkCount + info.bodyCount; i++) {
        bool isLink = i < info.linkCount;
        wkPose a = isLink ? wkRobotState_LinkPose(ours, i)
                          : wkRobotState_BodyPose(ours, i - info.linkCount);
        wkPose b = isLink ? wkRobotState_LinkPose(theirs, i)
                          : wkRobotState_BodyPose(theirs, i - info.linkCount);
        wkTestMatrix m = wkTestMatrixOf(a), n = wkTestMatrixOf(b);
        assert_true(wkTestMatrixError(&m, &n) < 1e-14);
    }
    int32_t endEffector = wkRobot_FindLink(robot, "grasp_frame");
    wkRobotState_Jacobian(ours, endEffector, poses[endEffector].position, jacobians[0]);
    wkRobotState_Jacobian(theirs, endEffector, poses[endEffector].position, jacobians[1]);
    for (int i = 0; i < 6 * info.variableCount; i++) {
        assert_true(fabs(jacobians[0][i] - jacobians[1][i]) < 1e-14);
    }
    wkRobotState_Destroy(ours);
    wkRobotState_Destroy(theirs);
    wkRobot_Destroy(robot);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(joints_move_as_their_types_say),
        cmocka_unit_test(links_of_random_trees_are_where_matrices_put_them),
        cmocka_unit_test(links_of_the_built_in_robot_are_where_matrices_put_them),
        cmocka_unit_test(large_angles_are_rotations_like_others),
        cmocka_unit_test(every_instruction_set_gives_the_same_bits),
        cmocka_unit_test(chains_of_a_thousand_links_hold_together),
        cmocka_unit_test(many_configurations_are_placed_as_each_of_them),
        cmocka_unit_test(jacobians_agree_with_differences),
        cmocka_unit_test(links_can_be_placed_by_others),
    };
    return cmocka_run_group_tests_name("robot.kinematics", tests, NULL, NULL);
}
