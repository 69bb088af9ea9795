// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Configurations: defaults, limits, random ones, and the way between two.

#include "robot_kit.h"

#define PI 3.14159265358979323846

// A robot with a joint of each kind and a few followers.
static const char* const links[] = {"root", "a", "b", "c", "d", "e", "f", "g"};

static wkRobot* makeRobot(void)
{
    static const struct {
        const char* name;
        wkJointType type;
        double lower, upper;
        const char* mimic;
        double factor, offset;
    } rows[] = {
        {"hinge", wk_jointRevolute, 0.5, 1.5, NULL, 1.0, 0.0},
        {"wheel", wk_jointContinuous, 0.0, 0.0, NULL, 1.0, 0.0},
        {"slide", wk_jointPrismatic, -1.0, 1.0, NULL, 1.0, 0.0},
        {"floor", wk_jointPlanar, 0.0, 0.0, NULL, 1.0, 0.0},
        {"ghost", wk_jointFloating, 0.0, 0.0, NULL, 1.0, 0.0},
        {"follower", wk_jointPrismatic, -0.5, 1.0, "slide", -2.0, 0.25},
        {"second", wk_jointRevolute, -9.0, 9.0, "follower", 2.0, -0.5},
    };
    wkJointDef joints[7];
    for (int i = 0; i < 7; i++) {
        joints[i] = wkDefaultJointDef();
        joints[i].name = rows[i].name;
        joints[i].type = rows[i].type;
        joints[i].parent = links[i];
        joints[i].child = links[i + 1];
        joints[i].lower = rows[i].lower;
        joints[i].upper = rows[i].upper;
        joints[i].mimic = rows[i].mimic;
        joints[i].mimicFactor = rows[i].factor;
        joints[i].mimicOffset = rows[i].offset;
    }
    wkRobotDef def = wkDefaultRobotDef();
    def.links = links;
    def.linkCount = 8;
    def.joints = joints;
    def.jointCount = 7;
    return wkCreateRobot(&def);
}

enum {
    hinge,
    wheel,
    translation,
    floorX,
    floorY,
    floorAngle,
    ghostX,
    ghostQ = 9,
    variableCount = 13
};

static void variables_have_kinds_names_and_limits(void** state)
{
    (void)state;
    static const struct {
        const char* name;
        wkVariableKind kind;
        double lower, upper;
    } rows[variableCount] = {
        {"hinge", wk_variableAngle, 0.5, 1.5},
        {"wheel", wk_variableContinuous, -INFINITY, INFINITY},
        // -0.5 <= -2 q + 0.25 <= 1
        {"slide", wk_variableLength, -0.375, 0.375},
        {"floor/x", wk_variableLength, -INFINITY, INFINITY},
        {"floor/y", wk_variableLength, -INFINITY, INFINITY},
        {"floor/angle", wk_variableContinuous, -INFINITY, INFINITY},
        {"ghost/x", wk_variableLength, -INFINITY, INFINITY},
        {"ghost/y", wk_variableLength, -INFINITY, INFINITY},
        {"ghost/z", wk_variableLength, -INFINITY, INFINITY},
        {"ghost/qx", wk_variableRotation, -INFINITY, INFINITY},
        {"ghost/qy", wk_variableRotation, -INFINITY, INFINITY},
        {"ghost/qz", wk_variableRotation, -INFINITY, INFINITY},
        {"ghost/qw", wk_variableRotation, -INFINITY, INFINITY},
    };
    wkRobot* robot = makeRobot();
    assert_int_equal(wkRobot_Info(robot).variableCount, variableCount);
    for (int32_t i = 0; i < variableCount; i++) {
        wkVariableInfo variable = wkRobot_Variable(robot, i);
        assert_string_equal(variable.name, rows[i].name);
        assert_int_equal(variable.kind, rows[i].kind);
        assert_true(variable.lower == rows[i].lower && variable.upper == rows[i].upper);
        assert_int_equal(wkRobot_FindVariable(robot, rows[i].name), i);
    }
    wkJointInfo second = wkRobot_Joint(robot, 6);
    assert_int_equal(second.mimic, 2);
    assert_true(second.mimicFactor == -4.0 && second.mimicOffset == 0.0);
    assert_int_equal(second.variableCount, 0);
    assert_int_equal(second.firstVariable, -1);
    wkRobot_Destroy(robot);
}

// What follows a wheel decides whether a turn of it changes anything.
static void rotations_that_move_followers_are_no_rotations(void** state)
{
    (void)state;
    static const struct {
        wkJointType type;
        wkVariableKind kind;
        double factor, upper;
    } rows[] = {
        {wk_jointContinuous, wk_variableContinuous, 2.0, INFINITY},
        {wk_jointContinuous, wk_variableContinuous, -1.0, INFINITY},
        {wk_jointContinuous, wk_variableAngle, 0.5, INFINITY},
        {wk_jointRevolute, wk_variableAngle, 2.0, 0.5},
        {wk_jointPrismatic, wk_variableAngle, 0.5, 2.0},
        {wk_jointPrismatic, wk_variableContinuous, 0.0, INFINITY},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        wkJointDef joints[2] = {wkDefaultJointDef(), wkDefaultJointDef()};
        for (int k = 0; k < 2; k++) {
            joints[k].name = k == 0 ? "wheel" : "follower";
            joints[k].parent = links[k];
            joints[k].child = links[k + 1];
            joints[k].type = k == 0 ? wk_jointContinuous : rows[i].type;
            joints[k].upper = 1.0;
        }
        joints[1].mimic = "wheel";
        joints[1].mimicFactor = rows[i].factor;
        wkRobotDef def = wkDefaultRobotDef();
        def.links = links;
        def.linkCount = 3;
        def.joints = joints;
        def.jointCount = 2;
        wkRobot* robot = wkCreateRobot(&def);
        assert_int_equal(wkRobot_Variable(robot, 0).kind, rows[i].kind);
        assert_true(wkRobot_Variable(robot, 0).upper == rows[i].upper);
        wkRobot_Destroy(robot);
    }
}

static void defaults_are_zero_or_in_the_middle(void** state)
{
    (void)state;
    static const double expected[variableCount] = {1.0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1.0};
    wkRobot* robot = makeRobot();
    double q[variableCount];
    wkRobot_DefaultConfiguration(robot, q);
    assert_memory_equal(q, expected, sizeof q);
    assert_int_equal(wkRobot_FindBeyondLimits(robot, q, 0.0), -1);
    wkRobot_Destroy(robot);
}

static void random_configurations_fill_the_limits(void** state)
{
    (void)state;
    static const double expected[][2] = {{0.5, 1.5},  {-PI, PI}, {-0.375, 0.375}, {-1.0, 1.0},
                                         {-1.0, 1.0}, {-PI, PI}, {-1.0, 1.0}};
    wkRobot* robot = makeRobot();
    double lower[7], upper[7], q[variableCount];
    for (int k = 0; k < 7; k++) {
        lower[k] = INFINITY;
        upper[k] = -INFINITY;
    }
    uint64_t seed = 1;
    for (int i = 0; i < 10000; i++) {
        wkRobot_RandomConfiguration(robot, &seed, q);
        assert_int_equal(wkRobot_FindBeyondLimits(robot, q, 0.0), -1);
        for (int k = 0; k < 7; k++) {
            lower[k] = fmin(lower[k], q[k]);
            upper[k] = fmax(upper[k], q[k]);
        }
        double square = 0.0;
        for (int k = ghostQ; k < variableCount; k++) {
            square += q[k] * q[k];
        }
        assert_true(fabs(square - 1.0) < 1e-14);
    }
    for (int k = 0; k < 7; k++) {
        double slack = 0.002 * (expected[k][1] - expected[k][0]);
        assert_true(lower[k] >= expected[k][0] && lower[k] < expected[k][0] + slack);
        assert_true(upper[k] <= expected[k][1] && upper[k] > expected[k][1] - slack);
    }
    wkRobot_Destroy(robot);
}

// These numbers must come out on every machine.
static void random_configurations_are_the_same_everywhere(void** state)
{
    (void)state;
    wkRobot* robot = makeRobot();
    double q[variableCount];
    uint64_t seed = 42;
    wkRobot_RandomConfiguration(robot, &seed, q);
    static const double expected[4] = {0x1.3dd732262feb7p+0, -0x1.11842ba3d3ea8p+1,
                                       -0x1.541193f58da28p-3, -0x1.3f18f0078da90p-2};
    for (int k = 0; k < 4; k++) {
        if (q[k] != expected[k]) {
            fail_msg("variable %d: %a, not %a", k, q[k], expected[k]);
        }
    }
    wkRobot_Destroy(robot);
}

static void limits_are_found(void** state)
{
    (void)state;
    wkRobot* robot = makeRobot();
    double q[variableCount];
    const struct {
        int32_t variable, found;
        double value, slack;
    } rows[] = {
        {hinge, -1, 1.5, 0.0},
        {hinge, hinge, 1.500001, 0.0},
        {hinge, -1, 1.500001, 1e-5},
        {hinge, hinge, 0.49, 0.0},
        {wheel, -1, 1000.0, 0.0},
        {wheel, wheel, NAN, 0.0},
        {translation, translation, 0.376, 0.0},
        {translation, -1, -0.376, 0.01},
        {floorX, -1, 1e9, 0.0},
        {floorX, floorX, INFINITY, 0.0},
        {ghostQ, ghostQ, NAN, 0.0},
        {ghostQ, -1, 0.5, 0.0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        wkRobot_DefaultConfiguration(robot, q);
        q[rows[i].variable] = rows[i].value;
        assert_int_equal(wkRobot_FindBeyondLimits(robot, q, rows[i].slack), rows[i].found);
    }
    wkRobot_Destroy(robot);
}

static void clamping_keeps_what_is_dd_and_mends_the_rest(void** state)
{
    (void)state;
    wkRobot* robot = makeRobot();
    double q[variableCount], before[variableCount];
    uint64_t seed = 9;
    for (int i = 0; i < 1000; i++) {
        wkRobot_RandomConfiguration(robot, &seed, q);
        memcpy(before, q, sizeof q);
        wkRobot_ClampConfiguration(robot, q);
        for (int k = 0; k < variableCount; k++) {
            assert_true(fabs(q[k] - before[k]) <= (k < ghostQ ? 0.0 : 1e-15));
        }
    }
    const double wild[variableCount] = {-3, 3.0 * PI + 0.5, 7,    1, 2, -PI, 3, 4, 5, 0,
                                        0,  3e200,          4e200};
    const double mended[variableCount] = {0.5, 0.5 - PI, 0.375, 1, 2, PI, 3, 4, 5, 0, 0, 0.6, 0.8};
    memcpy(q, wild, sizeof q);
    wkRobot_ClampConfiguration(robot, q);
    for (int k = 0; k < variableCount; k++) {
        assert_true(fabs(q[k] - mended[k]) < 1e-14);
    }
    memset(q, 0, sizeof q);
    wkRobot_ClampConfiguration(robot, q);
    assert_true(q[ghostQ + 3] == 1.0);
    wkRobot_Destroy(robot);
}

static double quatAngle(const double* a, const double* b)
{
    double dot = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
    return 2.0 * acos(fmin(1.0, fabs(dot)));
}

static void motions_are_even_and_go_the_short_way(void** state)
{
    (void)state;
    wkRobot* robot = makeRobot();
    double q0[variableCount], q1[variableCount], q[variableCount], back[variableCount];
    uint64_t seed = 21;
    wkRng rng = wkMakeRng(22);
    for (int i = 0; i < 2000; i++) {
        wkRobot_RandomConfiguration(robot, &seed, q0);
        wkRobot_RandomConfiguration(robot, &seed, q1);
        q0[wheel] *= 5.0;
        double whole = wkRobot_ConfigurationDistance(robot, q0, q1), t = wkRngUnit(&rng);
        assert_true(fabs(whole - wkRobot_ConfigurationDistance(robot, q1, q0)) < 1e-13);
        wkRobot_Interpolate(robot, q0, q1, t, q);
        assert_int_equal(wkRobot_FindBeyondLimits(robot, q, 0.0), -1);
        assert_true(fabs(wkRobot_ConfigurationDistance(robot, q0, q) - t * whole) < 1e-12);
        assert_true(fabs(wkRobot_ConfigurationDistance(robot, q, q1) - (1 - t) * whole) < 1e-12);
        wkRobot_Interpolate(robot, q1, q0, 1.0 - t, back);
        assert_true(wkRobot_ConfigurationDistance(robot, q, back) < 1e-12);
        // each kind by itself
        assert_true(fabs(q[translation] -
                         (q0[translation] + t * (q1[translation] - q0[translation]))) < 1e-15);
        assert_true(fabs(q[wheel] - q0[wheel]) <= PI + 1e-13);
        assert_true(fabs(q[floorAngle] - q0[floorAngle]) <= PI + 1e-13);
        double angle = quatAngle(q0 + ghostQ, q1 + ghostQ);
        assert_true(fabs(quatAngle(q0 + ghostQ, q + ghostQ) - t * angle) < 1e-7);
    }
    wkRobot_Destroy(robot);
}

static void motions_begin_and_end_where_they_should(void** state)
{
    (void)state;
    wkRobot* robot = makeRobot();
    double q0[variableCount], q1[variableCount], q[variableCount];
    uint64_t seed = 31;
    for (int i = 0; i < 1000; i++) {
        wkRobot_RandomConfiguration(robot, &seed, q0);
        wkRobot_RandomConfiguration(robot, &seed, q1);
        wkRobot_Interpolate(robot, q0, q1, 0.0, q);
        assert_memory_equal(q, q0, ghostQ * sizeof *q);
        assert_true(wkRobot_ConfigurationDistance(robot, q, q0) < 1e-13);
        wkRobot_Interpolate(robot, q0, q1, 1.0, q);
        assert_true(q[hinge] == q1[hinge] && q[translation] == q1[translation] &&
                    q[floorX] == q1[floorX]);
        assert_true(wkRobot_ConfigurationDistance(robot, q, q1) < 1e-13);
        // nothing moves between equal ones
        wkRobot_Interpolate(robot, q0, q0, 0.37, q);
        assert_memory_equal(q, q0, ghostQ * sizeof *q);
        assert_true(wkRobot_ConfigurationDistance(robot, q0, q0) < 1e-13);
        // in place, in either of the two
        wkRobot_Interpolate(robot, q0, q1, 0.3, q);
        wkRobot_Interpolate(robot, q0, q1, 0.3, q0);
        assert_memory_equal(q, q0, sizeof q);
    }
    wkRobot_Destroy(robot);
}

// Opposite quaternions are the same rotation; those half a turn apart go one way or the other.
static void opposite_quaternions_are_the_same_rotation(void** state)
{
    (void)state;
    wkRobot* robot = makeRobot();
    double q0[variableCount], q1[variableCount], q[variableCount];
    wkRobot_DefaultConfiguration(robot, q0);
    wkRobot_DefaultConfiguration(robot, q1);
    q1[ghostQ + 3] = -3.0;
    assert_true(wkRobot_ConfigurationDistance(robot, q0, q1) == 0.0);
    q1[ghostQ + 3] = 0.0;
    q1[ghostQ] = 2.0;
    assert_true(fabs(wkRobot_ConfigurationDistance(robot, q0, q1) - PI) < 1e-15);
    wkRobot_Interpolate(robot, q0, q1, 0.5, q);
    assert_true(fabs(fabs(q[ghostQ]) - sqrt(0.5)) < 1e-15);
    assert_true(fabs(q[ghostQ + 3] - sqrt(0.5)) < 1e-15);
    q1[translation] = NAN;
    assert_true(isnan(wkRobot_ConfigurationDistance(robot, q0, q1)));
    wkRobot_Destroy(robot);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(variables_have_kinds_names_and_limits),
        cmocka_unit_test(rotations_that_move_followers_are_no_rotations),
        cmocka_unit_test(defaults_are_zero_or_in_the_middle),
        cmocka_unit_test(random_configurations_fill_the_limits),
        cmocka_unit_test(random_configurations_are_the_same_everywhere),
        cmocka_unit_test(limits_are_found),
        cmocka_unit_test(clamping_keeps_what_is_dd_and_mends_the_rest),
        cmocka_unit_test(motions_are_even_and_go_the_short_way),
        cmocka_unit_test(motions_begin_and_end_where_they_should),
        cmocka_unit_test(opposite_quaternions_are_the_same_rotation),
    };
    return cmocka_run_group_tests_name("robot.configuration", tests, NULL, NULL);
}
