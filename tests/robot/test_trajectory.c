// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Trajectories: their curves against another way to compute them, bounds that hold at every sampled instant, and
// what is refused.

#include "../kit.h"
#include "robot_kit.h"

#include "memory/fail_every.h"
#include "memory/malloc_hook.h"
#include "whisker/trajectory.h"

#include <math.h>
#include <string.h>

#define MAX_WAYPOINTS 12
#define MAX_VARIABLES 40

// Random waypoints of a robot.
typedef struct waypoints {
    double times[MAX_WAYPOINTS];
    double positions[MAX_WAYPOINTS * MAX_VARIABLES];
    double velocities[MAX_WAYPOINTS * MAX_VARIABLES];
    double accelerations[MAX_WAYPOINTS * MAX_VARIABLES];
    wkTrajectoryDef def;
} waypoints;

// @param degree 1, 3 or 5; 0: a spline
static void makeWaypoints(const wkRobot* robot, int degree, int count, wkRng* rng, waypoints* made)
{
    int32_t variableCount = wkRobot_Info(robot).variableCount;
    assert_true(variableCount <= MAX_VARIABLES && count <= MAX_WAYPOINTS);
    uint64_t seed = wkRngNext(rng);
    double time = wkRngRange(rng, -3.0, 3.0);
    for (int i = 0; i < count; i++) {
        made->times[i] = time;
        time += degree == 0 ? 0.25 : wkRngLogRange(rng, 1e-3, 10.0);
        double* row = &made->positions[i * variableCount];
        wkRobot_RandomConfiguration(robot, &seed, row);
        for (int32_t v = 0; v < variableCount; v++) {
            bool isRotation = wkRobot_Variable(robot, v).kind == wk_variableRotation;
            made->velocities[i * variableCount + v] = isRotation ? 0.0 : wkRngRange(rng, -2.0, 2.0);
            made->accelerations[i * variableCount + v] =
                isRotation ? 0.0 : wkRngRange(rng, -3.0, 3.0);
            row[v] = isRotation && degree != 1 ? made->positions[v] : row[v];
        }
    }
    made->def = wkDefaultTrajectoryDef();
    made->def.kind = degree == 0 ? wk_trajectorySpline : wk_trajectoryWaypoints;
    made->def.robot = robot;
    made->def.times = made->times;
    made->def.positions = made->positions;
    made->def.velocities = degree >= 3 ? made->velocities : NULL;
    made->def.accelerations = degree == 5 ? made->accelerations : NULL;
    made->def.count = count;
    made->def.takesShorterWay = true;
}

static wkTrajectory* create(const wkTrajectoryDef* def)
{
    wkTrajectory* made = NULL;
    if (wkTrajectory_Create(def, &made) != wk_ok) {
        fail_msg("%s", wkGetLastError());
    }
    return made;
}

// The value of the polynomial between two waypoints in powers of the time, as
// joint_trajectory_controller has it.
static double hermite(int degree, double time, double t, const double p[2], const double v[2],
                      const double a[2])
{
    if (degree == 1) {
        return p[0] + (p[1] - p[0]) * t / time;
    }
    double t2 = time * time, t3 = t2 * time, s2 = t * t, s3 = s2 * t;
    double way = p[1] - p[0];
    if (degree == 3) {
        return p[0] + v[0] * t + (3.0 * way / t2 - (2.0 * v[0] + v[1]) / time) * s2 +
               (-2.0 * way / t3 + (v[0] + v[1]) / t2) * s3;
    }
    double c3 = (20.0 * way - (8.0 * v[1] + 12.0 * v[0]) * time - (3.0 * a[0] - a[1]) * t2) / 2.0;
    double c4 = (-30.0 * way + (14.0 * v[1] + 16.0 * v[0]) * time + (3.0 * a[0] - 2.0 * a[1]) * t2);
    double c5 = (12.0 * way - 6.0 * (v[1] + v[0]) * time + (a[1] - a[0]) * t2) / 2.0;
    double u = t / time;
    return p[0] + v[0] * t + 0.5 * a[0] * s2 + u * u * u * (c3 + u * (0.5 * c4 + u * c5));
}

static void curves_are_those_of_controllers(void** unused)
{
    (void)unused;
    wkRobot* robot;
    assert_int_equal(wkRobot_CreateBuiltIn(&robot), wk_ok);
    int32_t count = wkRobot_Info(robot).variableCount;
    wkRng rng = wkMakeRng(10u);
    static waypoints w;
    for (int round = 0; round < WK_CASES(200); round++) {
        int degree = 1 + 2 * (round % 3);
        makeWaypoints(robot, degree, 5, &rng, &w);
        wkTrajectory* it = create(&w.def);
        for (int i = 0; i < 50; i++) {
            int s = i % 4;
            double time = w.times[s + 1] - w.times[s];
            double t = i < 4 ? 0.0 : (i < 8 ? time : wkRngUnit(&rng) * time);
            double q[MAX_VARIABLES];
            wkTrajectory_At(it, w.times[s] + t, q);
            for (int32_t v = 0; v < count; v++) {
                bool isContinuous = wkRobot_Variable(robot, v).kind == wk_variableContinuous;
                double p[2] = {w.positions[s * count + v], w.positions[(s + 1) * count + v]};
                double rates[2] = {w.velocities[s * count + v], w.velocities[(s + 1) * count + v]};
                double bends[2] = {w.accelerations[s * count + v],
                                   w.accelerations[(s + 1) * count + v]};
                if (isContinuous) {
                    p[1] -= 2.0 * 3.14159265358979323846 * rint((p[1] - p[0]) / 6.283185307179586);
                }
                double truth = hermite(degree, time, t, p, rates, bends), off = q[v] - truth;
                off -= isContinuous ? 6.283185307179586 * rint(off / 6.283185307179586) : 0.0;
                if (!(fabs(off) <= 1e-10 * (1.0 + time * time * 4.0))) {
                    fail_msg("degree %d, variable %d at %g of %g s: %.17g, expected %.17g", degree,
                             (int)v, t, time, q[v], truth);
                }
            }
        }
        wkTrajectory_Destroy(it);
    }
    wkRobot_Destroy(robot);
    assert_int_equal(wkGetByteCount(), 0);
}

static void splines_are_smooth(void** unused)
{
    (void)unused;
    wkRobot* robot;
    assert_int_equal(wkRobot_CreateBuiltIn(&robot), wk_ok);
    int32_t count = wkRobot_Info(robot).variableCount;
    wkRng rng = wkMakeRng(11u);
    static waypoints w;
    for (int round = 0; round < WK_CASES(50); round++) {
        makeWaypoints(robot, 0, 9, &rng, &w);
        w.def.takesShorterWay = true;
        wkTrajectory* it = create(&w.def);
        wkTrajectoryInfo info = wkTrajectory_Info(it);
        assert_int_equal(info.segmentCount, 6);
        assert_int_equal(info.degree, 3);
        assert_true(info.start == w.times[1] && info.end == w.times[7]);
        // B-splines are in the convex hull of four control points, and their second derivative has no jumps
        const double h = 1e-4;
        for (int k = 2; k <= 6; k++) {
            double q[4][MAX_VARIABLES], at[MAX_VARIABLES];
            for (int i = 0; i < 4; i++) {
                wkTrajectory_At(it, w.times[k] + (i < 2 ? i - 2 : i - 1) * h, q[i]);
            }
            wkTrajectory_At(it, w.times[k], at);
            for (int32_t v = 0; v < count; v++) {
                double before = (at[v] - 2.0 * q[1][v] + q[0][v]) / (h * h);
                double after = (q[3][v] - 2.0 * q[2][v] + at[v]) / (h * h);
                assert_true(fabs(before - after) < 0.5 + 0.02 * fabs(before));
            }
        }
        wkTrajectory_Destroy(it);
    }
    wkRobot_Destroy(robot);
}

// Bounds hold at every sample, and those of short intervals are tight.
static void bounds_hold_at_every_instant(void** unused)
{
    (void)unused;
    wkRng rng = wkMakeRng(12u);
    static waypoints w;
    for (int round = 0; round < WK_CASES(120); round++) {
        wkTestRobot described = wkMakeTestRobot(wkRngNext(&rng), 6, 2);
        wkRobot* robot = wkCreateRobot(&described.def);
        int32_t count = wkRobot_Info(robot).variableCount;
        if (count > MAX_VARIABLES || count == 0) {
            wkRobot_Destroy(robot);
            wkFreeTestRobot(&described);
            continue;
        }
        static const int degrees[4] = {0, 1, 3, 5};
        makeWaypoints(robot, degrees[round % 4], 7, &rng, &w);
        wkTrajectory* it = create(&w.def);
        wkTrajectoryInfo info = wkTrajectory_Info(it);
        for (int i = 0; i < 20; i++) {
            double from = wkRngRange(&rng, info.start - 0.1, info.end + 0.1);
            double to = from + wkRngLogRange(&rng, 1e-6, info.end - info.start);
            double lower[MAX_VARIABLES], upper[MAX_VARIABLES], speeds[MAX_VARIABLES];
            double before[MAX_VARIABLES] = {0.0};
            wkTrajectory_Bounds(it, i % 2 == 0 ? from : to, i % 2 == 0 ? to : from, lower, upper,
                                speeds);
            for (int k = 0; k <= 200; k++) {
                double q[MAX_VARIABLES];
                wkTrajectory_At(it, from + (to - from) * k / 200.0, q);
                for (int32_t v = 0; v < count; v++) {
                    bool isRotation = wkRobot_Variable(robot, v).kind == wk_variableRotation;
                    double way = fabs(q[v] - before[v]), step = (to - from) / 200.0;
                    if (!(q[v] >= lower[v] && q[v] <= upper[v])) {
                        fail_msg("variable %d is %.17g, in [%.17g, %.17g]", (int)v, q[v], lower[v],
                                 upper[v]);
                    }
                    // the numbers of a rotation may change their sign between segments
                    if (k > 0 && !isRotation && !(way <= speeds[v] * step * (1.0 + 1e-9) + 1e-12)) {
                        fail_msg("variable %d moves by %.17g in %.17g s, at most %g a second",
                                 (int)v, way, step, speeds[v]);
                    }
                    assert_true(isRotation || upper[v] - lower[v] <= 200.0);
                    before[v] = q[v];
                }
            }
        }
        // tight: no wider than the speed allows
        double at[MAX_VARIABLES], lower[MAX_VARIABLES], upper[MAX_VARIABLES];
        double speeds[MAX_VARIABLES], middle = 0.5 * (info.start + info.end);
        wkTrajectory_At(it, middle, at);
        wkTrajectory_Bounds(it, middle - 1e-5, middle + 1e-5, lower, upper, speeds);
        for (int32_t v = 0; v < count; v++) {
            bool isRotation = wkRobot_Variable(robot, v).kind == wk_variableRotation;
            assert_true(isRotation || upper[v] - lower[v] <= 4.1e-5 * speeds[v] + 1e-12);
        }
        wkTrajectory_Destroy(it);
        wkRobot_Destroy(robot);
        wkFreeTestRobot(&described);
    }
    assert_int_equal(wkGetByteCount(), 0);
}

// A joint within its limits at both waypoints, beyond them in between.
static void overshoot_beyond_limits_is_found(void** unused)
{
    (void)unused;
    wkRobot* robot;
    assert_int_equal(wkRobot_CreateBuiltIn(&robot), wk_ok);
    int32_t elbow = -1;
    for (int32_t v = 0; v < wkRobot_Info(robot).variableCount && elbow < 0; v++) {
        wkVariableInfo info = wkRobot_Variable(robot, v);
        elbow = info.kind == wk_variableAngle && info.upper < 10.0 ? v : -1;
    }
    double upper = wkRobot_Variable(robot, elbow).upper;
    double times[2] = {10.0, 12.0}, positions[2] = {upper - 0.1, upper - 0.1};
    double velocities[2] = {0.0, 0.0};
    wkTrajectoryDef def = wkDefaultTrajectoryDef();
    def.robot = robot;
    def.times = times;
    def.positions = positions;
    def.velocities = velocities;
    def.variables = &elbow;
    def.variableCount = 1;
    def.count = 2;
    for (int i = 0; i < 400; i++) {
        // the curve rises by v T / 4
        velocities[0] = 0.001 * i;
        velocities[1] = -velocities[0];
        wkTrajectory* it = create(&def);
        double time = 0.0, rise = velocities[0] * 0.5;
        int32_t variable = wkTrajectory_FindBeyondLimits(it, 1e-9, &time);
        if (fabs(rise - 0.1) > 1e-8) {
            assert_int_equal(variable, rise > 0.1 ? elbow : -1);
        }
        if (variable >= 0) {
            // 0.1 = v u (1 - u) T
            double u = 0.5 - sqrt(fmax(0.25 - 0.1 / (2.0 * velocities[0]), 0.0));
            assert_true(fabs(time - (10.0 + 2.0 * u)) < 1e-6);
        } else {
            assert_true(time == 12.0);
        }
        wkTrajectory_Destroy(it);
    }
    wkRobot_Destroy(robot);
}

// A definition with two waypoints of two variables, and one thing about it that is wrong.
typedef struct wrongCase {
    wkResult result;
    const char* words;
    void (*spoil)(wkTrajectoryDef* def, double* times, double* positions, int32_t* variables);
} wrongCase;

#define SPOIL(name, ...)                                                                           \
    static void name(wkTrajectoryDef* def, double* times, double* positions, int32_t* variables)   \
    {                                                                                              \
        (void)def;                                                                                 \
        (void)times;                                                                               \
        (void)positions;                                                                           \
        (void)variables;                                                                           \
        __VA_ARGS__;                                                                               \
    }

SPOIL(forgetCookie, def->cookie = 0)
SPOIL(forgetRobot, def->robot = NULL)
SPOIL(forgetTimes, def->times = NULL)
SPOIL(forgetPositions, def->positions = NULL)
SPOIL(takeOne, def->count = 1)
SPOIL(takeUnknownKind, def->kind = (wkTrajectoryKind)7)
SPOIL(takeShortSpline, def->kind = wk_trajectorySpline)
SPOIL(repeatTime, times[1] = times[0])
SPOIL(reverseTime, times[1] = times[0] - 1.0)
SPOIL(takeNanTime, times[1] = NAN)
SPOIL(takeEndlessTime, times[1] = INFINITY)
SPOIL(takeNan, positions[3] = NAN)
SPOIL(takeInfinity, positions[2] = -INFINITY)
SPOIL(takeHuge, positions[1] = 1e80)
SPOIL(takeMissingVariable, variables[1] = 99)
SPOIL(takeNegativeVariable, variables[0] = -1)
SPOIL(takeVariableTwice, variables[1] = variables[0])
SPOIL(takeManyVariables, def->variableCount = 1000)
SPOIL(takeNegativeCount, def->variableCount = -1)
SPOIL(takeAccelerationsAlone, def->accelerations = def->positions)

static void wrong_definitions_are_refused_by_name(void** unused)
{
    (void)unused;
    static const wrongCase cases[] = {
        {wk_errorArgument, "wkTrajectoryDef", forgetCookie},
        {wk_errorArgument, "robot is NULL", forgetRobot},
        {wk_errorArgument, "times is NULL", forgetTimes},
        {wk_errorArgument, "positions is NULL", forgetPositions},
        {wk_errorRange, "1 waypoints, must be at least 2", takeOne},
        {wk_errorArgument, "kind is 7", takeUnknownKind},
        {wk_errorRange, "2 waypoints, must be at least 4", takeShortSpline},
        {wk_errorRange, "waypoint 1: time", repeatTime},
        {wk_errorRange, "waypoint 1: time", reverseTime},
        {wk_errorNotFinite, "waypoint 1: time", takeNanTime},
        {wk_errorNotFinite, "waypoint 1: time", takeEndlessTime},
        {wk_errorNotFinite, "waypoint 1: position of 'shoulder_", takeNan},
        {wk_errorNotFinite, "waypoint 1: position of ", takeInfinity},
        {wk_errorRange, "waypoint 0: position of ", takeHuge},
        {wk_errorRange, "variables[1] is 99", takeMissingVariable},
        {wk_errorRange, "variables[0] is -1", takeNegativeVariable},
        {wk_errorArgument, "is there twice", takeVariableTwice},
        {wk_errorRange, "variableCount is 1000", takeManyVariables},
        {wk_errorRange, "variableCount is -1", takeNegativeCount},
        {wk_errorArgument, "accelerations need velocities", takeAccelerationsAlone},
    };
    wkRobot* robot;
    assert_int_equal(wkRobot_CreateBuiltIn(&robot), wk_ok);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double times[2] = {0.0, 1.0}, positions[4] = {0.1, 0.2, 0.3, 0.4};
        int32_t variables[2] = {0, 0};
        for (int32_t v = 0; v < wkRobot_Info(robot).variableCount; v++) {
            bool isShoulder = strncmp(wkRobot_Variable(robot, v).name, "shoulder_", 9) == 0;
            variables[1] = isShoulder ? v : variables[1];
        }
        wkTrajectoryDef def = wkDefaultTrajectoryDef();
        def.robot = robot;
        def.times = times;
        def.positions = positions;
        def.variables = variables;
        def.variableCount = 2;
        def.count = 2;
        wkTrajectory* made = create(&def);
        wkTrajectory_Destroy(made);
        cases[i].spoil(&def, times, positions, variables);
        made = (wkTrajectory*)&def;
        wkResult result = wkTrajectory_Create(&def, &made);
        if (result != cases[i].result || strstr(wkGetLastError(), cases[i].words) == NULL) {
            fail_msg("case %zu: result %d, '%s', expected '%s'", i, (int)result, wkGetLastError(),
                     cases[i].words);
        }
        assert_null(made);
    }
    assert_int_equal(wkTrajectory_Create(NULL, NULL), wk_errorArgument);
    wkTrajectory_Destroy(NULL);
    wkRobot_Destroy(robot);
    assert_int_equal(wkGetByteCount(), 0);
}

// A wheel, and a body that floats.
static wkRobot* makeRover(void)
{
    static const char* const links[] = {"world", "body", "wheel"};
    wkJointDef joints[2] = {wkDefaultJointDef(), wkDefaultJointDef()};
    for (int i = 0; i < 2; i++) {
        joints[i].parent = links[i];
        joints[i].child = links[i + 1];
        joints[i].name = links[i + 1];
    }
    joints[0].type = wk_jointFloating;
    joints[1].type = wk_jointContinuous;
    wkRobotDef def = wkDefaultRobotDef();
    def.links = links;
    def.linkCount = 3;
    def.joints = joints;
    def.jointCount = 2;
    return wkCreateRobot(&def);
}

static void ambiguous_turns_are_refused(void** unused)
{
    (void)unused;
    wkRobot* robot = makeRover();
    int32_t wheel = wkRobot_FindVariable(robot, "wheel");
    double times[3] = {0.0, 1.0, 2.0}, angles[3] = {3.0, -3.0, -2.0}, q[8];
    wkTrajectoryDef def = wkDefaultTrajectoryDef();
    def.robot = robot;
    def.times = times;
    def.positions = angles;
    def.variables = &wheel;
    def.variableCount = 1;
    def.count = 3;
    wkTrajectory* it = NULL;
    assert_int_equal(wkTrajectory_Create(&def, &it), wk_errorArgument);
    assert_non_null(strstr(wkGetLastError(), "waypoint 1: continuous 'wheel' turns by 6 rad"));
    def.takesShorterWay = true;
    it = create(&def);
    wkTrajectory_At(it, 0.5, q);
    assert_true(fabs(q[wheel] - 3.14159265358979323846) < 1e-12);
    wkTrajectory_At(it, 5.0, q);
    assert_true(fabs(q[wheel] - (2.0 * 3.14159265358979323846 - 2.0)) < 1e-12);
    wkTrajectory_Destroy(it);
    wkRobot_Destroy(robot);
}

static void rotations_turn_in_linear_trajectories_alone(void** unused)
{
    (void)unused;
    wkRobot* robot = makeRover();
    double times[2] = {1.0, 3.0}, rates[16] = {0.0}, q[8], expected[8];
    double positions[16] = {0, 0, 0, 0, 0, 0, 1, 0.0, 1, 2, 3, 1, 0, 0, 0, 0.5};
    wkTrajectoryDef def = wkDefaultTrajectoryDef();
    def.robot = robot;
    def.times = times;
    def.positions = positions;
    def.count = 2;
    wkTrajectory* it = create(&def);
    for (int i = 0; i <= 10; i++) {
        wkTrajectory_At(it, 1.0 + 0.2 * i, q);
        wkRobot_Interpolate(robot, positions, positions + 8, 0.1 * i, expected);
        for (int v = 0; v < 8; v++) {
            assert_true(fabs(q[v] - expected[v]) < 1e-14);
        }
    }
    wkTrajectory_Destroy(it);
    def.velocities = rates;
    assert_int_equal(wkTrajectory_Create(&def, &it), wk_errorUnsupported);
    memcpy(positions + 8, positions, 7 * sizeof *positions);
    it = create(&def);
    wkTrajectory_At(it, 2.0, q);
    assert_true(q[6] == 1.0);
    wkTrajectory_Destroy(it);
    // a part of a rotation, and one of length zero
    int32_t parts[2] = {3, 4};
    def.velocities = NULL;
    def.variables = parts;
    def.variableCount = 2;
    assert_int_equal(wkTrajectory_Create(&def, &it), wk_errorArgument);
    def.variables = NULL;
    positions[6] = 0.0;
    assert_int_equal(wkTrajectory_Create(&def, &it), wk_errorRange);
    wkRobot_Destroy(robot);
    assert_int_equal(wkGetByteCount(), 0);
}

static const wkRobot* theRobot;

static wkResult makeOne(void)
{
    static waypoints w;
    wkRng rng = wkMakeRng(4);
    makeWaypoints(theRobot, 5, 6, &rng, &w);
    wkTrajectory* it = NULL;
    wkResult result = wkTrajectory_Create(&w.def, &it);
    assert_int_equal(result == wk_ok, it != NULL);
    wkTrajectory_Destroy(it);
    return result;
}

static void creation_survives_a_failing_allocator(void** unused)
{
    (void)unused;
    wkRobot* robot;
    assert_int_equal(wkRobot_CreateBuiltIn(&robot), wk_ok);
    theRobot = robot;
    assert_int_equal(failEveryAllocation(makeOne), 2);
    wkRobot_Destroy(robot);
}

static void use_allocates_nothing(void** unused)
{
    (void)unused;
    if (!wkHasMallocHook()) {
        skip();
    }
    wkRobot* robot;
    assert_int_equal(wkRobot_CreateBuiltIn(&robot), wk_ok);
    static waypoints w;
    wkRng rng = wkMakeRng(5);
    makeWaypoints(robot, 5, 6, &rng, &w);
    wkTrajectory* it = create(&w.def);
    double q[MAX_VARIABLES], lower[MAX_VARIABLES], upper[MAX_VARIABLES], speeds[MAX_VARIABLES];
    long before = wkMallocCalls();
    for (int i = 0; i < 100; i++) {
        wkTrajectory_At(it, 0.1 * i - 1.0, q);
        wkTrajectory_Bounds(it, 0.1 * i, 0.3 * i, lower, upper, speeds);
        wkTrajectory_FindBeyondLimits(it, 0.0, NULL);
    }
    wkTrajectory_At(it, NAN, q);
    assert_true(q[0] != q[0]);
    wkTrajectory_Bounds(it, NAN, 1.0, lower, upper, speeds);
    assert_true(lower[0] == -INFINITY && upper[0] == INFINITY && speeds[0] == INFINITY);
    assert_int_equal(wkMallocCalls(), before);
    wkTrajectory_Destroy(it);
    wkRobot_Destroy(robot);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(curves_are_those_of_controllers),
        cmocka_unit_test(splines_are_smooth),
        cmocka_unit_test(bounds_hold_at_every_instant),
        cmocka_unit_test(overshoot_beyond_limits_is_found),
        cmocka_unit_test(wrong_definitions_are_refused_by_name),
        cmocka_unit_test(ambiguous_turns_are_refused),
        cmocka_unit_test(rotations_turn_in_linear_trajectories_alone),
        cmocka_unit_test(creation_survives_a_failing_allocator),
        cmocka_unit_test(use_allocates_nothing),
    };
    return cmocka_run_group_tests_name("robot.trajectory", tests, NULL, NULL);
}
