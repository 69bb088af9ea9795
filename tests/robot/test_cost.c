// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The cells that a robot meets: those of its shapes one by one, and on a motion those of every
// instant.

#include "memory/failing.h"
#include "plain.h"

#include "whisker/cost.h"

#include <math.h>

#define MAP_KIND 2

static wkCost* makeCost(void)
{
    wkCostDef def = wkDefaultCostDef();
    def.minProbability = 0.6;
    wkCost* cost;
    assert_int_equal(wkCost_Create(&def, &cost), wk_ok);
    return cost;
}

static void cost_of_a_robot_is_that_of_its_shapes(void** unused)
{
    (void)unused;
    static wkPlainItems list;
    wkSurroundings all;
    wkMakeSurroundings(&wkSurroundingsKinds[5], 31, &all);
    int32_t map = wkRobotScene_Find(all.scene, "map");
    wkPose inMap;
    const wkShape* shape = wkRobotScene_ObjectShape(all.scene, map, 0, &inMap);
    wkPose mapPose = wkMulPose(wkRobotScene_Object(all.scene, map).pose, inMap);
    int metCount = 0;
    for (int i = 0; i < 20; ++i) {
        wkPlaceAtRandom(&all);
        wkListItems(&all, &list);
        wkCost *whole = makeCost(), *plain = makeCost();
        assert_int_equal(wkRobotScene_AddCost(all.scene, all.state, map, whole), wk_ok);
        for (int k = 0; k < list.count; ++k) {
            if (list.items[k].link >= 0) {
                assert_int_equal(wkCost_AddShape(plain, shape, mapPose, &list.items[k].shape,
                                                 list.items[k].pose),
                                 wk_ok);
            }
        }
        wkCostInfo a = wkCost_Info(whole), b = wkCost_Info(plain);
        assert_int_equal(a.cellCount, b.cellCount);
        assert_true(a.weightedVolume == b.weightedVolume);
        metCount += a.cellCount > 0 ? 1 : 0;
        wkCost_Destroy(whole);
        wkCost_Destroy(plain);
    }
    assert_true(metCount > 5);
    wkFreeSurroundings(&all);
}

static void cost_of_a_motion_covers_every_instant(void** unused)
{
    (void)unused;
    wkSurroundings all;
    wkMakeSurroundings(&wkSurroundingsKinds[MAP_KIND], 32, &all);
    int32_t map = wkRobotScene_Find(all.scene, "map");
    for (int i = 0; i < 3; ++i) {
        double q0[64], q1[64], q[64];
        uint64_t seed = 10u + (uint64_t)i;
        wkRobot_RandomConfiguration(all.robot, &seed, q0);
        wkRobot_RandomConfiguration(all.robot, &seed, q1);
        wkRobot_Interpolate(all.robot, q0, q1, 0.3, q1);
        wkPose base = wkIdentityPose();
        wkCost* cost = makeCost();
        assert_int_equal(wkRobotScene_AddMotionCost(all.scene, all.state, base, q0, q1, map, cost),
                         wk_ok);
        wkCostInfo motion = wkCost_Info(cost);
        // nothing that an instant adds is new
        for (int k = 0; k <= 60; ++k) {
            wkRobot_Interpolate(all.robot, q0, q1, k / 60.0, q);
            assert_int_equal(wkRobotState_Set(all.state, base, q), wk_ok);
            assert_int_equal(wkRobotScene_AddCost(all.scene, all.state, map, cost), wk_ok);
        }
        assert_int_equal(wkCost_Info(cost).cellCount, motion.cellCount);
        wkCost_Destroy(cost);
    }
    wkFreeSurroundings(&all);
}

static void costs_that_fail_add_nothing(void** unused)
{
    (void)unused;
    failing f = {0, -1, 0};
    wkAllocator allocator = {allocateOrFail, releaseCounted, &f};
    wkSetAllocator(&allocator);
    wkSurroundings all;
    wkMakeSurroundings(&wkSurroundingsKinds[MAP_KIND], 32, &all);
    int32_t map = wkRobotScene_Find(all.scene, "map");
    double q0[64], q1[64];
    uint64_t seed = 10;
    wkRobot_RandomConfiguration(all.robot, &seed, q0);
    wkRobot_RandomConfiguration(all.robot, &seed, q1);
    wkRobot_Interpolate(all.robot, q0, q1, 0.02, q1);
    wkPose base = wkIdentityPose();
    bool hasFailed = true;
    long failureCount = 0;
    for (long n = 0; hasFailed; ++n) {
        wkCost* cost = makeCost();
        f.callCount = 0;
        f.failAt = n;
        wkResult result = wkRobotScene_AddMotionCost(all.scene, all.state, base, q0, q1, map, cost);
        hasFailed = f.callCount > n;
        f.failAt = -1;
        assert_true(result == wk_ok || (result == wk_errorMemory && hasFailed));
        assert_true(result == wk_ok || wkCost_Info(cost).cellCount == 0);
        failureCount += result != wk_ok ? 1 : 0;
        wkCost_Destroy(cost);
    }
    assert_true(failureCount > 2);
    wkCostDef def = wkDefaultCostDef();
    def.maxWork = 10;
    wkCost* cost;
    assert_int_equal(wkCost_Create(&def, &cost), wk_ok);
    assert_int_equal(wkRobotScene_AddMotionCost(all.scene, all.state, base, q0, q1, map, cost),
                     wk_errorRange);
    assert_int_equal(wkCost_Info(cost).cellCount, 0);
    wkCost_Destroy(cost);
    cost = makeCost();
    int32_t thing = wkRobotScene_Find(all.scene, "thing0");
    assert_int_equal(wkRobotScene_AddCost(all.scene, all.state, thing, cost), wk_errorArgument);
    assert_int_equal(wkRobotScene_AddCost(all.scene, all.state, -1, cost), wk_errorArgument);
    assert_int_equal(wkRobotScene_AddCost(all.scene, NULL, map, cost), wk_errorArgument);
    assert_int_equal(wkRobotScene_AddCost(all.scene, all.state, map, NULL), wk_errorArgument);
    wkCost_Destroy(cost);
    wkFreeSurroundings(&all);
    assert_int_equal(f.allocatedBytes, 0);
    wkSetAllocator(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cost_of_a_robot_is_that_of_its_shapes),
        cmocka_unit_test(cost_of_a_motion_covers_every_instant),
        cmocka_unit_test(costs_that_fail_add_nothing),
    };
    return cmocka_run_group_tests_name("robot.cost", tests, NULL, NULL);
}
