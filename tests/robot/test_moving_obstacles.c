// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Trajectories with known answers: a box on a rail, what crosses its way, and requests that are refused.

#include "../kit.h"

#include "whisker/trajectory.h"

#include <math.h>
#include <string.h>

static wkTrajectory* create(const wkTrajectoryDef* def)
{
    wkTrajectory* made = NULL;
    if (wkTrajectory_Create(def, &made) != wk_ok) {
        fail_msg("%s", wkGetLastError());
    }
    return made;
}

// A box of 0.2 m on a rail along x, and a box of the same size.
typedef struct rail {
    wkRobot* robot;
    wkRobotScene* scene;
    wkRobotState* state;
} rail;

static rail makeRail(void)
{
    static const char* const links[] = {"rail", "slider"};
    wkJointDef joint = wkDefaultJointDef();
    joint.name = "slide";
    joint.type = wk_jointPrismatic;
    joint.parent = links[0];
    joint.child = links[1];
    joint.axis = (wkVec3d){1.0, 0.0, 0.0};
    joint.lower = -5.0;
    joint.upper = 5.0;
    wkBodyDef body = {links[1], NULL, wkMakeBox(0.2, 0.2, 0.2), wkIdentityPose()};
    wkRobotDef def = wkDefaultRobotDef();
    def.links = links;
    def.linkCount = 2;
    def.joints = &joint;
    def.jointCount = 1;
    def.bodies = &body;
    def.bodyCount = 1;
    rail made;
    assert_int_equal(wkRobot_Create(&def, &made.robot), wk_ok);
    wkRobotSceneDef sceneDef = wkDefaultRobotSceneDef();
    sceneDef.robot = made.robot;
    assert_int_equal(wkRobotScene_Create(&sceneDef, &made.scene), wk_ok);
    assert_int_equal(wkRobotState_Create(made.robot, &made.state), wk_ok);
    wkShape box = wkMakeBox(0.2, 0.2, 0.2);
    wkRobotObjectDef object = wkDefaultRobotObjectDef();
    object.name = "box";
    object.shapes = &box;
    object.shapeCount = 1;
    object.pose = wkMakePose(1.0, 0.0, 0.0);
    assert_int_equal(wkRobotScene_Add(made.scene, &object), wk_ok);
    return made;
}

static void freeRail(rail* made)
{
    wkRobotState_Destroy(made->state);
    wkRobotScene_Destroy(made->scene);
    wkRobot_Destroy(made->robot);
    assert_int_equal(wkGetByteCount(), 0);
}

static wkMotionResult checkRail(const rail* on, int count, const double* times, const double* x,
                                const double* v, const wkTrajectoryRequest* request)
{
    wkTrajectoryDef def = wkDefaultTrajectoryDef();
    def.robot = on->robot;
    def.times = times;
    def.positions = x;
    def.velocities = v;
    def.count = count;
    wkTrajectory* it = create(&def);
    wkMotionResult result =
        wkRobotScene_CheckTrajectory(on->scene, on->state, wkIdentityPose(), it, request);
    wkTrajectory_Destroy(it);
    return result;
}

static void assertContact(const wkMotionResult* result, double time)
{
    assert_int_equal(result->verdict, wk_verdictWorld);
    // 0.1 mm at a metre per second
    assert_true(result->freeUntil <= time && result->freeUntil > time - 1e-3);
    assert_true(result->time >= time - 1e-9 && result->time < time + 1e-3);
    assert_string_equal(result->contact.first.b.name, "box");
}

static void waiting_lets_a_box_pass(void** unused)
{
    (void)unused;
    rail on = makeRail();
    // the box crosses the rail at x = 1 with a metre per second: it is in the way from 1.8 s to 2.2 s
    wkMovingObstacle crossing = {
        0, wkMakeLinearMotion(wkMakePose(1.0, -2.0, 0.0), wkMakePose(1.0, 2.0, 0.0)), 0.0, 4.0};
    wkTrajectoryRequest request = wkDefaultTrajectoryRequest();
    request.obstacles = &crossing;
    request.obstacleCount = 1;
    const double times[4] = {0.0, 1.0, 2.5, 4.0}, steady[4] = {0.0, 0.5, 1.25, 2.0};
    const double waiting[4] = {0.0, 0.5, 0.5, 2.0};
    wkMotionResult hit = checkRail(&on, 4, times, steady, NULL, &request);
    assertContact(&hit, 1.8);
    wkMotionResult passed = checkRail(&on, 4, times, waiting, NULL, &request);
    assert_int_equal(passed.verdict, wk_verdictFree);
    assert_true(passed.freeUntil == 4.0 && passed.time == 4.0);
    // steps are short enough for the box, too, also where the robot rests
    const double ends[2] = {0.0, 4.0}, resting[2] = {1.0, 1.0};
    request.motion.isCertified = false;
    wkMotionResult stepped = checkRail(&on, 2, ends, resting, NULL, &request);
    assert_int_equal(stepped.verdict, wk_verdictWorld);
    assert_true(fabs(stepped.time - 1.8) <= 0.02 + 1e-9 && stepped.freeUntil < 1.8);
    // where the scene has the box, it is in the way
    wkMotionResult standing = checkRail(&on, 4, times, waiting, NULL, NULL);
    assertContact(&standing, 2.5 + 0.3);
    // the object is back where the scene has it after a check
    double q = 1.0;
    wkRobotState_Set(on.state, wkIdentityPose(), &q);
    assert_int_equal(wkRobotScene_Check(on.scene, on.state, NULL).verdict, wk_verdictWorld);
    freeRail(&on);
}

static void conveyors_bring_a_box_to_a_robot_that_waits(void** unused)
{
    (void)unused;
    rail on = makeRail();
    // half a metre per second from x = 3 at 10 s
    wkMovingObstacle brought = {
        0, wkMakeLinearMotion(wkMakePose(3.0, 0.0, 0.0), wkMakePose(0.0, 0.0, 0.0)), 10.0, 16.0};
    wkTrajectoryRequest request = wkDefaultTrajectoryRequest();
    request.obstacles = &brought;
    request.obstacleCount = 1;
    const double times[2] = {9.0, 20.0}, x[2] = {0.0, 0.0};
    wkMotionResult hit = checkRail(&on, 2, times, x, NULL, &request);
    assertContact(&hit, 10.0 + 2.8 / 0.5);
    // a belt that stops earlier
    brought.motion = wkMakeLinearMotion(wkMakePose(3.0, 0.0, 0.0), wkMakePose(0.201, 0.0, 0.0));
    assert_int_equal(checkRail(&on, 2, times, x, NULL, &request).verdict, wk_verdictFree);
    // a robot that drives away as fast as the box comes, 0.3 m ahead of it
    const double there[2] = {2.5, -3.0};
    brought.motion = wkMakeLinearMotion(wkMakePose(2.8, 0.0, 0.0), wkMakePose(-2.7, 0.0, 0.0));
    brought.start = 9.0;
    brought.end = 20.0;
    wkMotionResult ahead = checkRail(&on, 2, times, there, NULL, &request);
    assert_int_equal(ahead.verdict, wk_verdictFree);
    freeRail(&on);
}

// A snapshot keeps its objects, while the scene goes on.
static void snapshots_have_moving_obstacles(void** unused)
{
    (void)unused;
    rail on = makeRail();
    wkShape sphere = wkMakeSphere(0.1);
    wkRobotObjectDef object = wkDefaultRobotObjectDef();
    object.name = "sphere";
    object.shapes = &sphere;
    object.shapeCount = 1;
    object.pose = wkMakePose(0.0, 3.0, 0.0);
    assert_int_equal(wkRobotScene_Add(on.scene, &object), wk_ok);
    assert_int_equal(wkRobotScene_Publish(on.scene), wk_ok);
    const wkRobotScene* snapshot = wkRobotScene_Acquire(on.scene);
    wkMovingObstacle crossing = {
        wkRobotScene_Find(snapshot, "box"),
        wkMakeLinearMotion(wkMakePose(1.0, -2.0, 0.0), wkMakePose(1.0, 2.0, 0.0)), 0.0, 4.0};
    // the slots of the writer are others now
    assert_int_equal(wkRobotScene_Remove(on.scene, "box"), wk_ok);
    assert_int_equal(wkRobotScene_Remove(on.scene, "sphere"), wk_ok);
    object.pose = wkMakePose(1.0, 0.0, 0.0);
    assert_int_equal(wkRobotScene_Add(on.scene, &object), wk_ok);
    wkTrajectoryRequest request = wkDefaultTrajectoryRequest();
    request.obstacles = &crossing;
    request.obstacleCount = 1;
    const double times[2] = {0.0, 4.0}, x[2] = {0.0, 2.0};
    rail there = {on.robot, (wkRobotScene*)snapshot, on.state};
    wkMotionResult hit = checkRail(&there, 2, times, x, NULL, &request);
    assertContact(&hit, 1.8);
    wkRobotScene_Release(snapshot);
    freeRail(&on);
}

// Several shapes at their poses in an object, which rotates about its frame.
static void compound_obstacles_rotate_about_their_frame(void** unused)
{
    (void)unused;
    rail on = makeRail();
    wkShape rods[2] = {wkMakeBox(0.2, 0.02, 0.02), wkMakeSphere(0.05)};
    wkPose poses[2] = {wkMakePose(0.5, 0.0, 0.0), wkMakePose(-1.0, 0.0, 0.0)};
    assert_int_equal(wkRobotScene_Remove(on.scene, "box"), wk_ok);
    wkRobotObjectDef object = wkDefaultRobotObjectDef();
    object.name = "box";
    object.shapes = rods;
    object.poses = poses;
    object.shapeCount = 2;
    object.pose = wkMakePose(4.0, 4.0, 4.0);
    assert_int_equal(wkRobotScene_Add(on.scene, &object), wk_ok);
    // half a revolution about the z axis at x = 1: the sphere passes x = 0.05 +- 0.05 at its end alone
    wkPose start = wkMakePose(1.0, 0.0, 0.0), end = start;
    start.rotation = wkMakePoseRpy(start.position, 0.0, 0.0, 3.0).rotation;
    wkMovingObstacle turning = {0, wkMakeLinearMotion(start, end), 0.0, 3.0};
    wkTrajectoryRequest request = wkDefaultTrajectoryRequest();
    request.obstacles = &turning;
    request.obstacleCount = 1;
    const double times[2] = {0.0, 3.0}, x[2] = {0.0, 0.0};
    wkMotionResult hit = checkRail(&on, 2, times, x, NULL, &request);
    // the angle a that is left: the sphere around (1 - cos a, sin a) touches the side of the box at y = 0.1
    assertContact(&hit, 3.0 - asin(0.15));
    assert_int_equal(hit.contact.first.b.shape, 1);
    request.motion.check.margin = -0.049;
    assert_true(checkRail(&on, 2, times, x, NULL, &request).time > 3.0 - asin(0.15));
    freeRail(&on);
}

static void overshoot_between_waypoints_is_found(void** unused)
{
    (void)unused;
    rail on = makeRail();
    // both waypoints are at x = 0; between them the curve reaches v T / 4
    const double times[2] = {0.0, 2.0}, x[2] = {0.0, 0.0};
    for (int i = 0; i < 60; i++) {
        double v[2] = {0.04 * i, -0.04 * i}, furthest = v[0] * 2.0 / 4.0;
        wkMotionResult result = checkRail(&on, 2, times, x, v, NULL);
        if (furthest < 0.7999) {
            assert_int_equal(result.verdict, wk_verdictFree);
        } else if (furthest > 0.8001) {
            // 0.8 = v u (1 - u) T
            double u = 0.5 - sqrt(0.25 - 0.8 / (2.0 * v[0]));
            assertContact(&result, 2.0 * u);
        }
    }
    // and limits between waypoints
    const double fast[2] = {12.0, -12.0};
    wkTrajectoryRequest request = wkDefaultTrajectoryRequest();
    assert_int_equal(wkRobotScene_Remove(on.scene, "box"), wk_ok);
    wkMotionResult beyond = checkRail(&on, 2, times, x, fast, &request);
    assert_int_equal(beyond.verdict, wk_verdictLimits);
    assert_int_equal(beyond.contact.variable, 0);
    assert_true(beyond.freeUntil == 0.0);
    assert_true(fabs(beyond.time - 2.0 * (0.5 - sqrt(0.25 - 5.0 / 24.0))) < 1e-6);
    request.motion.check.checksLimits = false;
    assert_int_equal(checkRail(&on, 2, times, x, fast, &request).verdict, wk_verdictFree);
    freeRail(&on);
}

static void attached_objects_meet_moving_obstacles(void** unused)
{
    (void)unused;
    rail on = makeRail();
    double q = 0.0;
    wkRobotState_Set(on.state, wkIdentityPose(), &q);
    // a rod of a metre along x, in front of the slider
    wkShape rod = wkMakeBox(1.0, 0.04, 0.04);
    wkRobotObjectDef object = wkDefaultRobotObjectDef();
    object.name = "rod";
    object.shapes = &rod;
    object.shapeCount = 1;
    object.pose = wkMakePose(0.6, 0.0, 0.0);
    assert_int_equal(wkRobotScene_Add(on.scene, &object), wk_ok);
    assert_int_equal(wkRobotScene_Attach(on.scene, on.state, "rod", "slider", NULL, 0), wk_ok);
    wkMovingObstacle crossing = {
        0, wkMakeLinearMotion(wkMakePose(1.0, -2.0, 0.0), wkMakePose(1.0, 2.0, 0.0)), 0.0, 4.0};
    wkTrajectoryRequest request = wkDefaultTrajectoryRequest();
    request.obstacles = &crossing;
    request.obstacleCount = 1;
    const double times[2] = {0.0, 4.0}, x[2] = {0.0, 0.0};
    wkMotionResult result = checkRail(&on, 2, times, x, NULL, &request);
    assertContact(&result, 2.0 - 0.12);
    assert_string_equal(result.contact.first.a.name, "rod");
    // attached, it cannot be an obstacle with a motion of its own
    crossing.object = wkRobotScene_Find(on.scene, "rod");
    result = checkRail(&on, 2, times, x, NULL, &request);
    assert_int_equal(result.verdict, wk_verdictInvalid);
    assert_non_null(strstr(wkGetLastError(), "rod is attached"));
    freeRail(&on);
}

// The answer at the cap is an earlier time, and says so.
static void caps_leave_a_proven_time(void** unused)
{
    (void)unused;
    rail on = makeRail();
    wkMovingObstacle crossing = {
        0, wkMakeLinearMotion(wkMakePose(1.0, -2.0, 0.0), wkMakePose(1.0, 2.0, 0.0)), 0.0, 4.0};
    wkTrajectoryRequest request = wkDefaultTrajectoryRequest();
    request.obstacles = &crossing;
    request.obstacleCount = 1;
    const double times[2] = {0.0, 4.0}, x[2] = {0.0, 2.0};
    double before = 0.0;
    for (int cap = 1; cap < 40; cap++) {
        request.motion.maxCheckCount = cap;
        wkMotionResult result = checkRail(&on, 2, times, x, NULL, &request);
        assert_int_not_equal(result.verdict, wk_verdictFree);
        assert_true(result.freeUntil <= 1.8 && result.freeUntil >= before);
        assert_true(result.verdict == wk_verdictWorld || result.verdict == wk_verdictUncertain);
        before = result.freeUntil;
    }
    assert_true(before > 1.79);
    freeRail(&on);
}

static void wrong_requests_are_never_free(void** unused)
{
    (void)unused;
    rail on = makeRail();
    const double times[2] = {0.0, 1.0}, x[2] = {-3.0, -2.0};
    wkBodyMotion resting = wkMakeStaticMotion(wkMakePose(4.0, 0.0, 0.0));
    wkBodyMotion none;
    memset(&none, 0, sizeof none);
    const struct {
        wkMovingObstacle list[2];
        int32_t count;
        const char* words; // NULL: nothing is wrong
    } cases[] = {
        {{{0, resting, 0.0, 1.0}}, 1, NULL},
        {{{0, resting, 0.0, 1.0}, {0, resting, 0.0, 1.0}}, 2, "box is listed before"},
        {{{1, resting, 0.0, 1.0}}, 1, "object is 1, the scene has 1"},
        {{{-1, resting, 0.0, 1.0}}, 1, "object is -1"},
        {{{0, none, 0.0, 1.0}}, 1, "no motion"},
        {{{0, resting, 1.0, 1.0}}, 1, "must be finite and increase"},
        {{{0, resting, 2.0, 1.0}}, 1, "must be finite and increase"},
        {{{0, resting, NAN, 1.0}}, 1, "must be finite and increase"},
        {{{0, resting, 0.0, INFINITY}}, 1, "must be finite and increase"},
        {{{0, resting, 0.0, 1.0}}, -1, "obstacleCount is -1"},
        {{{0, resting, 0.0, 1.0}}, 65, "obstacleCount is 65"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        wkTrajectoryRequest request = wkDefaultTrajectoryRequest();
        request.obstacles = cases[i].list;
        request.obstacleCount = cases[i].count;
        wkMotionResult result = checkRail(&on, 2, times, x, NULL, &request);
        bool isWrong = cases[i].words != NULL;
        assert_int_equal(result.verdict, isWrong ? wk_verdictInvalid : wk_verdictFree);
        if (isWrong && strstr(wkGetLastError(), cases[i].words) == NULL) {
            fail_msg("case %zu: '%s', expected '%s'", i, wkGetLastError(), cases[i].words);
        }
        assert_true(!isWrong || result.freeUntil == 0.0);
    }
    wkTrajectoryRequest request = wkDefaultTrajectoryRequest();
    request.obstacleCount = 1;
    assert_int_equal(checkRail(&on, 2, times, x, NULL, &request).verdict, wk_verdictInvalid);
    request = wkDefaultTrajectoryRequest();
    request.cookie = 0;
    assert_int_equal(checkRail(&on, 2, times, x, NULL, &request).verdict, wk_verdictInvalid);
    request = wkDefaultTrajectoryRequest();
    request.motion.tolerance = NAN;
    assert_int_equal(checkRail(&on, 2, times, x, NULL, &request).verdict, wk_verdictInvalid);
    assert_int_equal(
        wkRobotScene_CheckTrajectory(on.scene, on.state, wkIdentityPose(), NULL, NULL).verdict,
        wk_verdictInvalid);
    wkPose nowhere = wkIdentityPose();
    nowhere.position.x = NAN;
    wkTrajectoryDef def = wkDefaultTrajectoryDef();
    def.robot = on.robot;
    def.times = times;
    def.positions = x;
    def.count = 2;
    wkTrajectory* it = create(&def);
    assert_int_equal(wkRobotScene_CheckTrajectory(on.scene, on.state, nowhere, it, NULL).verdict,
                     wk_verdictInvalid);
    assert_int_equal(
        wkRobotScene_CheckTrajectory(NULL, on.state, wkIdentityPose(), it, NULL).verdict,
        wk_verdictInvalid);
    rail other = makeRail();
    assert_int_equal(
        wkRobotScene_CheckTrajectory(other.scene, other.state, wkIdentityPose(), it, NULL).verdict,
        wk_verdictInvalid);
    wkRobotState_Destroy(other.state);
    wkRobotScene_Destroy(other.scene);
    wkRobot_Destroy(other.robot);
    wkTrajectory_Destroy(it);
    freeRail(&on);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(waiting_lets_a_box_pass),
        cmocka_unit_test(conveyors_bring_a_box_to_a_robot_that_waits),
        cmocka_unit_test(snapshots_have_moving_obstacles),
        cmocka_unit_test(compound_obstacles_rotate_about_their_frame),
        cmocka_unit_test(overshoot_between_waypoints_is_found),
        cmocka_unit_test(attached_objects_meet_moving_obstacles),
        cmocka_unit_test(caps_leave_a_proven_time),
        cmocka_unit_test(wrong_requests_are_never_free),
    };
    return cmocka_run_group_tests_name("robot.moving_obstacles", tests, NULL, NULL);
}
