// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// What checks of trajectories promise: free means free at every instant, also where obstacles move, and a contact
// comes as a bracket that holds the first one. Known answers are in test_moving_obstacles.c.

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
        assert_true(verdicts[i][wk_verdictFree] >= WK_CASES(10));
        assert_true(verdicts[i][wk_verdictWorld] >= WK_CASES(10));
        assert_true(verdicts[i][wk_verdictUncertain] <= WK_CASES(8));
    }
    print_message("%ld checks\n", checkCount);
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
        cmocka_unit_test(checks_allocate_nothing),
    };
    return cmocka_run_group_tests_name("robot.trajectory_check", tests, NULL, NULL);
}
