// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// What certified motions promise: free means free at every instant, and the first contact is the
// first one.

#include "../kit.h"
#include "plain.h"

#include "whisker/detail/counts.h"

#include <math.h>
#include <string.h>

#define SAMPLE_COUNT WK_CASES(2000)

// A robot with a joint of every type, one that mimics, and a body on each link.
static wkRobot* makeZoo(void)
{
    static const char* const links[] = {"root",     "planar", "turn", "slide",
                                        "floating", "wheel",  "twin"};
    wkJointDef joints[6];
    for (int i = 0; i < 6; ++i) {
        joints[i] = wkDefaultJointDef();
        joints[i].parent = links[i];
        joints[i].child = links[i + 1];
        joints[i].name = links[i + 1];
        joints[i].origin =
            wkMakePoseRpy((wkVec3d){0.2, 0.05 * i, 0.1}, 0.3 * i, 0.5 - 0.2 * i, 0.7 * i);
        joints[i].axis = (wkVec3d){0.3 * i, 1.0, 0.4};
    }
    joints[0].type = wk_jointPlanar;
    joints[1].type = wk_jointRevolute;
    joints[1].lower = -2.0;
    joints[1].upper = 2.5;
    joints[2].type = wk_jointPrismatic;
    joints[2].lower = -0.3;
    joints[2].upper = 0.4;
    joints[3].type = wk_jointFloating;
    joints[4].type = wk_jointContinuous;
    joints[5].type = wk_jointRevolute;
    joints[5].lower = -10.0;
    joints[5].upper = 10.0;
    joints[5].mimic = "wheel";
    joints[5].mimicFactor = -1.7;
    joints[5].mimicOffset = 0.2;
    wkBodyDef bodies[7];
    for (int i = 0; i < 7; ++i) {
        wkBodyDef body = {links[i], NULL, wkMakeBox(0.1 + 0.02 * i, 0.05, 0.2),
                          wkMakePose(0.05, 0.02 * i, 0.1)};
        bodies[i] = body;
    }
    wkRobotDef def = wkDefaultRobotDef();
    def.links = links;
    def.linkCount = 7;
    def.joints = joints;
    def.jointCount = 6;
    def.bodies = bodies;
    def.bodyCount = 7;
    wkRobot* robot;
    assert_int_equal(wkRobot_Create(&def, &robot), wk_ok);
    return robot;
}

static wkVec3d vertexOf(const wkRobot* robot, const wkRobotState* state, int32_t body, int vertex)
{
    wkVec3d half = wkRobot_Body(robot, body).shape->box.half;
    wkVec3d point = {vertex & 1 ? half.x : -half.x, vertex & 2 ? half.y : -half.y,
                     vertex & 4 ? half.z : -half.z};
    return wkTransformPoint(wkRobotState_BodyPose(state, body), point);
}

// Every vertex of every body, on motions that are long and short.
static void points_stay_within_the_motion_bound(void** unused)
{
    (void)unused;
    wkRobot* robot = makeZoo();
    wkRobotSceneDef def = wkDefaultRobotSceneDef();
    def.robot = robot;
    wkRobotScene* scene;
    wkRobotState* state;
    assert_int_equal(wkRobotScene_Create(&def, &scene), wk_ok);
    assert_int_equal(wkRobotState_Create(robot, &state), wk_ok);
    uint64_t seed = 5;
    double tightest = 0.0;
    for (int i = 0; i < 200; ++i) {
        double q0[32], q1[32], q[32];
        wkRobot_RandomConfiguration(robot, &seed, q0);
        wkRobot_RandomConfiguration(robot, &seed, q1);
        // a part of the way, and some variables that stand still
        wkRobot_Interpolate(robot, q0, q1, i % 3 == 0 ? 1.0 : 0.02 * (i % 5), q1);
        for (int v = 0; v < wkRobot_Info(robot).variableCount && i % 4 == 1; ++v) {
            bool isRotation = wkRobot_Variable(robot, v).kind == wk_variableRotation;
            q1[v] = !isRotation && (v + i) % 3 != 0 ? q0[v] : q1[v];
        }
        wkVec3d middle[7][8];
        wkRobot_Interpolate(robot, q0, q1, 0.5, q);
        assert_int_equal(wkRobotState_Set(state, wkIdentityPose(), q), wk_ok);
        for (int b = 0; b < 7; ++b) {
            for (int c = 0; c < 8; ++c) {
                middle[b][c] = vertexOf(robot, state, b, c);
            }
        }
        double furthest[7] = {0.0};
        for (int k = 0; k <= 40; ++k) {
            wkRobot_Interpolate(robot, q0, q1, k / 40.0, q);
            assert_int_equal(wkRobotState_Set(state, wkIdentityPose(), q), wk_ok);
            for (int b = 0; b < 7; ++b) {
                for (int c = 0; c < 8; ++c) {
                    wkVec3d p = vertexOf(robot, state, b, c), m = middle[b][c];
                    double way = sqrt((p.x - m.x) * (p.x - m.x) + (p.y - m.y) * (p.y - m.y) +
                                      (p.z - m.z) * (p.z - m.z));
                    furthest[b] = fmax(furthest[b], way);
                }
            }
        }
        for (int32_t b = 0; b < 7; ++b) {
            double bound = wkRobotScene_MotionBound(scene, state, q0, q1, b);
            if (!(furthest[b] <= bound)) {
                fail_msg("motion %d, link %d goes %.17g m, its bound is %.17g m", i, (int)b,
                         furthest[b], bound);
            }
            tightest = bound > 1e-9 ? fmax(tightest, furthest[b] / bound) : tightest;
        }
    }
    // a bound that is far too large would prove nothing
    assert_true(tightest > 0.7);
    wkRobotState_Destroy(state);
    wkRobotScene_Destroy(scene);
    wkRobot_Destroy(robot);
    assert_int_equal(wkGetByteCount(), 0);
}

// The first touching sample of a motion; above 1: none.
static double firstSample(wkSurroundings* all, wkPose base, const double* q0, const double* q1,
                          const wkRobotRequest* request, int count)
{
    double q[64];
    for (int i = 0; i <= count; ++i) {
        double t = (double)i / count;
        wkRobot_Interpolate(all->robot, q0, q1, t, q);
        assert_int_equal(wkRobotState_Set(all->state, base, q), wk_ok);
        if (wkRobotScene_Check(all->scene, all->state, request).verdict != wk_verdictFree) {
            return t;
        }
    }
    return 2.0;
}

static void makeMotion(wkSurroundings* all, double share, double* q0, double* q1, wkPose* base)
{
    uint64_t seed = wkRngNext(&all->rng);
    wkRobot_RandomConfiguration(all->robot, &seed, q0);
    wkRobot_RandomConfiguration(all->robot, &seed, q1);
    wkRobot_Interpolate(all->robot, q0, q1, share, q1);
    *base = wkMakePose(wkRngRange(&all->rng, -0.1, 0.1), wkRngRange(&all->rng, -0.1, 0.1), 0.0);
}

static void free_motions_are_free_at_every_instant(void** unused)
{
    (void)unused;
    int verdicts[WK_VERDICT_COUNT] = {0};
    long checkCount = 0;
    for (int k = 0; k < WK_SURROUNDINGS_COUNT; ++k) {
        wkSurroundings all;
        wkMakeSurroundings(&wkSurroundingsKinds[k], 170u + (uint64_t)k, &all);
        for (int i = 0; i < 28; ++i) {
            double q0[64], q1[64];
            wkPose base;
            makeMotion(&all, i % 4 == 0 ? 1.0 : 0.2, q0, q1, &base);
            wkMotionRequest request = wkDefaultMotionRequest();
            request.wantsFirst = i % 2 == 1;
            request.check.checksLimits = false;
            request.check.margin = i % 8 == 3 ? 0.01 : 0.0;
            request.check.group = i % 8 == 5 ? wkRobot_FindGroup(all.robot, "arm") : -1;
            wkMotionResult result =
                wkRobotScene_CheckMotion(all.scene, all.state, base, q0, q1, &request);
            ++verdicts[result.verdict];
            checkCount += (long)result.checkCount;
            int count = result.verdict == wk_verdictFree ? SAMPLE_COUNT : SAMPLE_COUNT / 4;
            double first = firstSample(&all, base, q0, q1, &request.check, count);
            // nothing touches before the time up to which the motion is free
            if (first < result.freeUntil || (result.verdict == wk_verdictFree && first <= 1.0)) {
                fail_msg("%s, motion %d: %s, free until %.17g, a sample touches at %.17g",
                         wkSurroundingsKinds[k].name, i, wkVerdictName(result.verdict),
                         result.freeUntil, first);
            }
            bool isContact = result.verdict == wk_verdictSelf ||
                             result.verdict == wk_verdictWorld ||
                             result.verdict == wk_verdictUnknown;
            if (isContact) {
                double q[64];
                wkRobot_Interpolate(all.robot, q0, q1, result.time, q);
                assert_int_equal(wkRobotState_Set(all.state, base, q), wk_ok);
                assert_int_not_equal(
                    wkRobotScene_Check(all.scene, all.state, &request.check).verdict,
                    wk_verdictFree);
                assert_int_not_equal(result.contact.first.a.kind, wk_sideNone);
            }
            if (isContact && request.wantsFirst) {
                // a sample that touches is not before the first contact by more than the robot
                // moves within the tolerance, and not much after it
                assert_true(result.time <= first + 1e-3);
                assert_true(result.time - result.freeUntil < 0.01);
            }
            if (result.verdict == wk_verdictUncertain) {
                // it is near something: nearer than some millimetres
                wkRobotRequest near = request.check;
                near.margin += 0.002;
                assert_true(firstSample(&all, base, q0, q1, &near, SAMPLE_COUNT) <= 1.0);
            }
        }
        wkFreeSurroundings(&all);
    }
    print_message("free %d, self %d, world %d, unknown %d, uncertain %d; %ld checks\n",
                  verdicts[wk_verdictFree], verdicts[wk_verdictSelf], verdicts[wk_verdictWorld],
                  verdicts[wk_verdictUnknown], verdicts[wk_verdictUncertain], checkCount);
    assert_true(verdicts[wk_verdictFree] > 10);
    assert_true(verdicts[wk_verdictSelf] > 10);
    assert_true(verdicts[wk_verdictWorld] > 10);
    assert_true(verdicts[wk_verdictUncertain] < 5);
}

// A sheet as thin as paper that the hand goes through between two steps.
static void thin_walls_stop_certified_motions(void** unused)
{
    (void)unused;
    wkSurroundingsKind kind = {.name = "thin wall"};
    wkSurroundings all;
    wkMakeSurroundings(&kind, 3, &all);
    int gripper = wkRobot_FindLink(all.robot, "gripper_link"), jumpCount = 0;
    for (int i = 0; i < 60; ++i) {
        double q0[64], q1[64], q[64];
        wkPose base;
        makeMotion(&all, 0.5, q0, q1, &base);
        double t = wkRngRange(&all.rng, 0.2, 0.8);
        wkRobot_Interpolate(all.robot, q0, q1, t, q);
        assert_int_equal(wkRobotState_Set(all.state, base, q), wk_ok);
        wkShape sheet = wkMakeBox(0.02, 0.02, 1e-4);
        wkRobotObjectDef def = wkDefaultRobotObjectDef();
        def.name = "sheet";
        def.shapes = &sheet;
        def.shapeCount = 1;
        def.pose = wkRobotState_LinkPose(all.state, gripper);
        def.pose.rotation = wkRngRotation(&all.rng);
        assert_int_equal(wkRobotScene_Add(all.scene, &def), wk_ok);
        wkMotionRequest request = wkDefaultMotionRequest();
        request.check.checksSelf = false;
        wkMotionResult certain =
            wkRobotScene_CheckMotion(all.scene, all.state, base, q0, q1, &request);
        assert_int_equal(certain.verdict, wk_verdictWorld);
        request.wantsFirst = true;
        wkMotionResult first =
            wkRobotScene_CheckMotion(all.scene, all.state, base, q0, q1, &request);
        assert_int_equal(first.verdict, wk_verdictWorld);
        assert_true(first.freeUntil <= t && first.time <= certain.time);
        request.isCertified = false;
        request.step = 0.5;
        wkMotionResult steps =
            wkRobotScene_CheckMotion(all.scene, all.state, base, q0, q1, &request);
        jumpCount += steps.verdict == wk_verdictFree ? 1 : 0;
        assert_int_equal(wkRobotScene_Remove(all.scene, "sheet"), wk_ok);
    }
    assert_true(jumpCount > 5);
    wkFreeSurroundings(&all);
}

// Steps find what looking at the same steps finds, and the first of them.
static void steps_are_looked_at_one_by_one(void** unused)
{
    (void)unused;
    wkSurroundings all;
    wkMakeSurroundings(&wkSurroundingsKinds[0], 9, &all);
    for (int i = 0; i < 60; ++i) {
        double q0[64], q1[64];
        wkPose base;
        makeMotion(&all, 0.5, q0, q1, &base);
        wkMotionRequest request = wkDefaultMotionRequest();
        request.check.checksLimits = false;
        request.isCertified = false;
        request.step = 0.05;
        wkMotionResult any = wkRobotScene_CheckMotion(all.scene, all.state, base, q0, q1, &request);
        request.wantsFirst = true;
        wkMotionResult first =
            wkRobotScene_CheckMotion(all.scene, all.state, base, q0, q1, &request);
        int count = (int)ceil(wkRobot_ConfigurationDistance(all.robot, q0, q1) / request.step);
        double sample = firstSample(&all, base, q0, q1, &request.check, count);
        assert_int_equal(any.verdict == wk_verdictFree, first.verdict == wk_verdictFree);
        assert_int_equal(first.verdict == wk_verdictFree, sample > 1.0);
        assert_true(first.verdict == wk_verdictFree || first.time == sample);
        assert_true(first.verdict != wk_verdictFree || first.checkCount == count + 1);
    }
    wkFreeSurroundings(&all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_stay_within_the_motion_bound),
        cmocka_unit_test(free_motions_are_free_at_every_instant),
        cmocka_unit_test(thin_walls_stop_certified_motions),
        cmocka_unit_test(steps_are_looked_at_one_by_one),
    };
    return cmocka_run_group_tests_name("robot.motion", tests, NULL, NULL);
}
