// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// What checks of trajectories promise: free means free at every instant, also where obstacles move, and a contact
// comes as a bracket that holds the first one.

#include "../kit.h"
#include "plain.h"

#include "memory/malloc_hook.h"
#include "whisker/detail/counts.h"
#include "whisker/trajectory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SAMPLE_COUNT 1500
#define MAX_WAYPOINTS 16
#define MAX_VARIABLES 40
#define MAX_OBSTACLES 4

static wkTrajectory* create(const wkTrajectoryDef* def)
{
    wkTrajectory* made = NULL;
    if (wkTrajectory_Create(def, &made) != wk_ok) {
        fail_msg("%s", wkGetLastError());
    }
    return made;
}

// Waypoints near each other, from one random configuration towards others.
// @param degree 1, 3 or 5; 0: a spline
// @param rates 1, or -1 for the same backwards in time
static wkTrajectory* makeRandom(const wkRobot* robot, int degree, double share, uint64_t seed,
                                bool isReversed)
{
    static double times[8], positions[8 * MAX_VARIABLES], velocities[8 * MAX_VARIABLES];
    static double accelerations[8 * MAX_VARIABLES];
    int32_t count = wkRobot_Info(robot).variableCount;
    wkRng rng = wkMakeRng(seed);
    double time = -1.0, first[MAX_VARIABLES];
    for (int i = 0; i < 5; i++) {
        int row = isReversed ? 4 - i : i;
        times[row] = isReversed ? -time : time;
        time += degree == 0 ? 0.5 : wkRngRange(&rng, 0.2, 1.5);
        double* q = &positions[row * count];
        uint64_t next = wkRngNext(&rng);
        wkRobot_RandomConfiguration(robot, &next, q);
        if (i == 0) {
            memcpy(first, q, (size_t)count * sizeof *q);
        } else {
            wkRobot_Interpolate(robot, first, q, share, q);
        }
        for (int32_t v = 0; v < count; v++) {
            double rate = wkRngRange(&rng, -0.5, 0.5) * share;
            velocities[row * count + v] = isReversed ? -rate : rate;
            accelerations[row * count + v] = wkRngRange(&rng, -1.0, 1.0) * share;
        }
    }
    wkTrajectoryDef def = wkDefaultTrajectoryDef();
    def.kind = degree == 0 ? wk_trajectorySpline : wk_trajectoryWaypoints;
    def.robot = robot;
    def.times = times;
    def.positions = positions;
    def.velocities = degree >= 3 ? velocities : NULL;
    def.accelerations = degree == 5 ? accelerations : NULL;
    def.count = 5;
    def.takesShorterWay = true;
    return create(&def);
}

static void two_waypoints_are_a_motion(void** unused)
{
    (void)unused;
    int verdicts[WK_VERDICT_COUNT] = {0};
    for (int k = 0; k < WK_SURROUNDINGS_COUNT; k++) {
        wkSurroundings all;
        wkMakeSurroundings(&wkSurroundingsKinds[k], 270u + (uint64_t)k, &all);
        for (int i = 0; i < 40; i++) {
            double q[2 * MAX_VARIABLES], times[2] = {0.0, 1.0};
            int32_t count = wkRobot_Info(all.robot).variableCount;
            uint64_t seed = wkRngNext(&all.rng);
            wkRobot_RandomConfiguration(all.robot, &seed, q);
            wkRobot_RandomConfiguration(all.robot, &seed, q + count);
            wkRobot_Interpolate(all.robot, q, q + count, i % 3 == 0 ? 1.0 : 0.2, q + count);
            times[0] = i % 4 == 0 ? 0.0 : wkRngRange(&all.rng, -10.0, 10.0);
            times[1] = i % 4 == 0 ? 1.0 : times[0] + wkRngLogRange(&all.rng, 0.01, 100.0);
            wkTrajectoryDef def = wkDefaultTrajectoryDef();
            def.robot = all.robot;
            def.times = times;
            def.positions = q;
            def.count = 2;
            def.takesShorterWay = true;
            wkTrajectory* it = create(&def);
            wkTrajectoryRequest request = wkDefaultTrajectoryRequest();
            request.motion.wantsFirst = i % 2 == 0;
            request.motion.isCertified = i % 8 < 6;
            request.motion.check.checksLimits = i % 5 == 0;
            wkMotionResult straight = wkRobotScene_CheckMotion(
                all.scene, all.state, wkIdentityPose(), q, q + count, &request.motion);
            wkMotionResult timed =
                wkRobotScene_CheckTrajectory(all.scene, all.state, wkIdentityPose(), it, &request);
            verdicts[timed.verdict]++;
            double time = times[1] - times[0];
            double until = times[0] + straight.freeUntil * time;
            assert_int_equal(timed.verdict, straight.verdict);
            assert_true(fabs(timed.time - (times[0] + straight.time * time)) <= 1e-6 * time);
            assert_true(fabs(timed.freeUntil - until) <= 1e-6 * time);
            assert_true(labs((long)(timed.checkCount - straight.checkCount)) <= 2);
            wkTrajectory_Destroy(it);
        }
        wkFreeSurroundings(&all);
    }
    assert_true(verdicts[wk_verdictFree] > 10 && verdicts[wk_verdictWorld] > 10);
}

// More waypoints on the same straight lines, at random times.
static void refining_changes_nothing(void** unused)
{
    (void)unused;
    wkSurroundings all;
    int freeCount = 0, contactCount = 0, motionCount = WK_CASES(160);
    for (int i = 0; i < motionCount; i++) {
        if (i % 20 == 0) {
            int k = i / 20 % WK_SURROUNDINGS_COUNT;
            wkMakeSurroundings(&wkSurroundingsKinds[k], 370u + (uint64_t)k, &all);
        }
        double ends[2 * MAX_VARIABLES], q[MAX_WAYPOINTS * MAX_VARIABLES], times[MAX_WAYPOINTS];
        int32_t count = wkRobot_Info(all.robot).variableCount;
        uint64_t seed = wkRngNext(&all.rng);
        wkRobot_RandomConfiguration(all.robot, &seed, ends);
        wkRobot_RandomConfiguration(all.robot, &seed, ends + count);
        wkRobot_Interpolate(all.robot, ends, ends + count, 0.1, ends + count);
        wkMotionResult results[2];
        for (int fine = 0; fine < 2; fine++) {
            int waypointCount = fine ? MAX_WAYPOINTS : 2;
            double part = 0.0;
            for (int k = 0; k < waypointCount; k++) {
                times[k] = 2.0 + 3.0 * part;
                wkRobot_Interpolate(all.robot, ends, ends + count, part, &q[k * count]);
                part = k == waypointCount - 2 ? 1.0 : part + (1.0 - part) * wkRngUnit(&all.rng) / 3;
            }
            wkTrajectoryDef def = wkDefaultTrajectoryDef();
            def.robot = all.robot;
            def.times = times;
            def.positions = q;
            def.count = waypointCount;
            def.takesShorterWay = true;
            wkTrajectory* it = create(&def);
            wkTrajectoryRequest request = wkDefaultTrajectoryRequest();
            request.motion.check.checksSelf = i % 4 == 0;
            results[fine] =
                wkRobotScene_CheckTrajectory(all.scene, all.state, wkIdentityPose(), it, &request);
            wkTrajectory_Destroy(it);
        }
        assert_int_equal(results[0].verdict, results[1].verdict);
        // both brackets hold the first contact
        assert_true(results[0].freeUntil <= results[1].time + 1e-9);
        assert_true(results[1].freeUntil <= results[0].time + 1e-9);
        freeCount += results[0].verdict == wk_verdictFree ? 1 : 0;
        contactCount += results[0].verdict == wk_verdictWorld ? 1 : 0;
        if (i % 20 == 19 || i == motionCount - 1) {
            wkFreeSurroundings(&all);
        }
    }
    assert_true(freeCount > 5 && contactCount > 5);
}

static void reversed_trajectories_have_the_same_verdict(void** unused)
{
    (void)unused;
    wkSurroundings all;
    int freeCount = 0, trajectoryCount = WK_CASES(160);
    for (int i = 0; i < trajectoryCount; i++) {
        if (i % 20 == 0) {
            int k = i / 20 % WK_SURROUNDINGS_COUNT;
            wkMakeSurroundings(&wkSurroundingsKinds[k], 370u + (uint64_t)k, &all);
        }
        uint64_t seed = wkRngNext(&all.rng);
        bool isFree[2];
        bool isDecided = true;
        for (int back = 0; back < 2; back++) {
            static const int degrees[4] = {1, 3, 5, 0};
            wkTrajectory* it = makeRandom(all.robot, degrees[i % 4], 0.06, seed, back == 1);
            wkTrajectoryRequest request = wkDefaultTrajectoryRequest();
            request.motion.wantsFirst = i % 2 == 0;
            request.motion.check.checksLimits = false;
            request.motion.check.checksSelf = i % 3 == 0;
            wkMotionResult result =
                wkRobotScene_CheckTrajectory(all.scene, all.state, wkIdentityPose(), it, &request);
            isFree[back] = result.verdict == wk_verdictFree;
            isDecided = isDecided && result.verdict != wk_verdictUncertain;
            wkTrajectory_Destroy(it);
        }
        assert_true(!isDecided || isFree[0] == isFree[1]);
        freeCount += isFree[0] ? 1 : 0;
        if (i % 20 == 19 || i == trajectoryCount - 1) {
            wkFreeSurroundings(&all);
        }
    }
    assert_true(freeCount > 5);
}

// Random motions of objects of the scene.
typedef struct obstacles {
    wkMovingObstacle list[MAX_OBSTACLES];
    wkPose before[MAX_OBSTACLES]; // where the scene has them
    wkMotionSample samples[MAX_OBSTACLES][3];
    wkSplineControl controls[MAX_OBSTACLES][5];
    int count;
} obstacles;

static wkPose poseNear(wkRng* rng, wkPose pose, double reach)
{
    wkVec3d step = {wkRngRange(rng, -reach, reach), wkRngRange(rng, -reach, reach),
                    wkRngRange(rng, -reach, reach)};
    wkPose turn = wkMakePoseRpy(step, wkRngRange(rng, -1.0, 1.0), wkRngRange(rng, -1.0, 1.0),
                                wkRngRange(rng, -2.0, 2.0));
    wkPose moved = wkMulPose(pose, turn);
    moved.position =
        (wkVec3d){pose.position.x + step.x, pose.position.y + step.y, pose.position.z + step.z};
    return moved;
}

static void moveSome(wkSurroundings* all, double start, double end, obstacles* made)
{
    wkRng* rng = &all->rng;
    made->count = 0;
    for (int32_t i = 0; i < wkRobotScene_Count(all->scene) && made->count < MAX_OBSTACLES; i++) {
        wkRobotObjectInfo info = wkRobotScene_Object(all->scene, i);
        if (info.link >= 0 || wkRngBelow(rng, 3) == 0) {
            continue;
        }
        int n = made->count++;
        wkMovingObstacle* it = &made->list[n];
        made->before[n] = info.pose;
        it->object = i;
        it->start = start + wkRngRange(rng, -0.5, 0.3) * (end - start);
        it->end = it->start + wkRngLogRange(rng, 0.2, 2.0) * (end - start);
        wkPose from = info.pose, to = poseNear(rng, from, 0.5);
        // what has no end may move, but not rotate: no bound would hold for all of it
        wkAabb box = wkShape_Bounds(wkRobotScene_ObjectShape(all->scene, i, 0, NULL), from);
        bool hasEnd = box.upper.x < INFINITY && box.lower.x > -INFINITY;
        to.rotation = hasEnd ? to.rotation : from.rotation;
        switch (hasEnd ? wkRngBelow(rng, 5) : 0) {
        case 0:
            it->motion = wkMakeLinearMotion(from, to);
            break;
        case 1:
            it->motion = wkMakeScrewMotion(from, to);
            break;
        case 2:
            it->motion = wkMakeStaticMotion(to);
            break;
        case 3:
            for (int k = 0; k < 3; k++) {
                made->samples[n][k].time = 0.2 + 0.25 * k;
                made->samples[n][k].pose = poseNear(rng, from, 0.3);
            }
            it->motion = wkMakeSampledMotion(made->samples[n], 3);
            break;
        default:
            for (int k = 0; k < 5; k++) {
                wkPose pose = poseNear(rng, from, 0.4);
                made->controls[n][k].position = pose.position;
                made->controls[n][k].rotation =
                    (wkVec3d){wkRngRange(rng, -1, 1), wkRngRange(rng, -1, 1), wkRngUnit(rng)};
            }
            it->motion = wkMakeSplineMotion(made->controls[n], 5);
            break;
        }
        assert_int_not_equal(it->motion.kind, wk_bodyMotionNone);
    }
}

// Checks the configuration at a time with objects where they are then.
static wkRobotCheckResult checkAt(wkSurroundings* all, const wkTrajectory* it,
                                  const obstacles* moving, const wkRobotRequest* request,
                                  double time)
{
    double q[MAX_VARIABLES];
    for (int i = 0; i < moving->count; i++) {
        const wkMovingObstacle* o = &moving->list[i];
        double t = fmin(fmax((time - o->start) / (o->end - o->start), 0.0), 1.0);
        const char* name = wkRobotScene_Object(all->scene, o->object).name;
        assert_int_equal(wkRobotScene_Move(all->scene, name, wkBodyMotion_PoseAt(&o->motion, t)),
                         wk_ok);
    }
    wkTrajectory_At(it, time, q);
    assert_int_equal(wkRobotState_Set(all->state, wkIdentityPose(), q), wk_ok);
    return wkRobotScene_Check(all->scene, all->state, request);
}

static void putBack(wkSurroundings* all, const obstacles* moving)
{
    for (int i = 0; i < moving->count; i++) {
        const char* name = wkRobotScene_Object(all->scene, moving->list[i].object).name;
        assert_int_equal(wkRobotScene_Move(all->scene, name, moving->before[i]), wk_ok);
    }
}

// Samples at equal distances and at random instants.
static void free_trajectories_are_free_at_every_instant(void** unused)
{
    (void)unused;
    static const int degrees[4] = {1, 3, 5, 0};
    int verdicts[2][WK_VERDICT_COUNT] = {{0}};
    long checkCount = 0;
    static obstacles moving;
    for (int k = 0; k < WK_SURROUNDINGS_COUNT; k++) {
        wkSurroundings all;
        wkMakeSurroundings(&wkSurroundingsKinds[k], 370u + (uint64_t)k, &all);
        for (int i = 0; i < WK_CASES(32); i++) {
            wkTrajectory* it = makeRandom(all.robot, degrees[i % 4], i % 5 == 0 ? 0.3 : 0.05,
                                          wkRngNext(&all.rng), false);
            wkTrajectoryInfo info = wkTrajectory_Info(it);
            moving.count = 0;
            if (i % 2 == 1 || i % 8 == 4) {
                moveSome(&all, info.start, info.end, &moving);
            }
            wkTrajectoryRequest request = wkDefaultTrajectoryRequest();
            request.motion.wantsFirst = i % 3 != 0;
            request.motion.check.checksLimits = false;
            request.motion.check.checksSelf = i % 7 != 0;
            request.motion.check.margin = i % 8 == 3 ? 0.01 : 0.0;
            request.obstacles = moving.list;
            request.obstacleCount = moving.count;
            wkMotionResult result =
                wkRobotScene_CheckTrajectory(all.scene, all.state, wkIdentityPose(), it, &request);
            const wkRobotRequest* check = &request.motion.check;
            verdicts[moving.count > 0][result.verdict]++;
            checkCount += (long)result.checkCount;
            assert_true(result.verdict != wk_verdictInvalid);
            assert_true(result.freeUntil >= info.start && result.freeUntil <= info.end);
            int count = result.verdict == wk_verdictFree ? SAMPLE_COUNT : SAMPLE_COUNT / 4;
            double until = result.verdict == wk_verdictFree ? info.end : result.freeUntil;
            for (int n = 0; n <= count && until > info.start; n++) {
                double part = n % 2 == 0 ? (double)n / count : wkRngUnit(&all.rng);
                double time = info.start + part * (until - info.start);
                bool isBefore = time < result.freeUntil || result.verdict == wk_verdictFree;
                wkVerdict found = checkAt(&all, it, &moving, check, time).verdict;
                if (isBefore && found != wk_verdictFree) {
                    fail_msg("%s, trajectory %d: %s, free until %.17g, but %s at %.17g",
                             wkSurroundingsKinds[k].name, i, wkVerdictName(result.verdict),
                             result.freeUntil, wkVerdictName(found), time);
                }
            }
            bool isContact = result.verdict == wk_verdictSelf ||
                             result.verdict == wk_verdictWorld ||
                             result.verdict == wk_verdictUnknown;
            if (isContact) {
                wkVerdict found = checkAt(&all, it, &moving, check, result.time).verdict;
                if (found == wk_verdictFree) {
                    fail_msg("%s, trajectory %d: %s of %s and %s at %.17g, which is free",
                             wkSurroundingsKinds[k].name, i, wkVerdictName(result.verdict),
                             result.contact.first.a.name, result.contact.first.b.name, result.time);
                }
                assert_int_not_equal(result.contact.first.a.kind, wk_sideNone);
            }
            bool isUncertain = result.verdict == wk_verdictUncertain;
            if (isUncertain || (isContact && request.motion.wantsFirst)) {
                // it is near something then, from the end of the proven time on
                wkRobotRequest near = *check;
                near.margin += 0.002;
                double time = isUncertain ? result.time : result.freeUntil;
                assert_int_not_equal(checkAt(&all, it, &moving, &near, time).verdict,
                                     wk_verdictFree);
            }
            putBack(&all, &moving);
            wkTrajectory_Destroy(it);
        }
        wkFreeSurroundings(&all);
    }
    for (int i = 0; i < 2; i++) {
        print_message("%s: free %d, self %d, world %d, unknown %d, uncertain %d\n",
                      i == 0 ? "standing" : "moving", verdicts[i][wk_verdictFree],
                      verdicts[i][wk_verdictSelf], verdicts[i][wk_verdictWorld],
                      verdicts[i][wk_verdictUnknown], verdicts[i][wk_verdictUncertain]);
        assert_true(verdicts[i][wk_verdictFree] > 10);
        assert_true(verdicts[i][wk_verdictWorld] > 10);
        assert_true(verdicts[i][wk_verdictUncertain] <= WK_CASES(8));
    }
    print_message("%ld checks\n", checkCount);
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

static void checks_allocate_nothing(void** unused)
{
    (void)unused;
    if (!wkHasMallocHook()) {
        skip();
    }
    wkSurroundings all;
    wkMakeSurroundings(&wkSurroundingsKinds[5], 12, &all);
    static obstacles moving;
    for (int i = 0; i < 8; i++) {
        wkTrajectory* it = makeRandom(all.robot, 2 * (i % 3) + 1, 0.1, (uint64_t)i, false);
        moveSome(&all, 0.0, 2.0, &moving);
        wkTrajectoryRequest request = wkDefaultTrajectoryRequest();
        request.motion.isCertified = i % 4 != 3;
        request.obstacles = moving.list;
        request.obstacleCount = moving.count;
        long before = wkMallocCalls();
        wkMotionResult result =
            wkRobotScene_CheckTrajectory(all.scene, all.state, wkIdentityPose(), it, &request);
        assert_int_equal(wkMallocCalls(), before);
        assert_int_not_equal(result.verdict, wk_verdictInvalid);
        wkTrajectory_Destroy(it);
    }
    wkFreeSurroundings(&all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_waypoints_are_a_motion),
        cmocka_unit_test(refining_changes_nothing),
        cmocka_unit_test(reversed_trajectories_have_the_same_verdict),
        cmocka_unit_test(free_trajectories_are_free_at_every_instant),
        cmocka_unit_test(waiting_lets_a_box_pass),
        cmocka_unit_test(conveyors_bring_a_box_to_a_robot_that_waits),
        cmocka_unit_test(snapshots_have_moving_obstacles),
        cmocka_unit_test(compound_obstacles_rotate_about_their_frame),
        cmocka_unit_test(overshoot_between_waypoints_is_found),
        cmocka_unit_test(attached_objects_meet_moving_obstacles),
        cmocka_unit_test(caps_leave_a_proven_time),
        cmocka_unit_test(wrong_requests_are_never_free),
        cmocka_unit_test(checks_allocate_nothing),
    };
    return cmocka_run_group_tests_name("robot.trajectory_check", tests, NULL, NULL);
}
