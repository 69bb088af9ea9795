// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Robots and states survive the failure of any allocation, and using them allocates nothing.

#include "robot_kit.h"

#include "memory/fail_every.h"
#include "memory/malloc_hook.h"

static wkResult makeBuiltIn(void)
{
    wkRobot* robot = NULL;
    wkRobotState* state = NULL;
    wkResult result = wkRobot_CreateBuiltIn(&robot);
    assert_int_equal(result == wk_ok, robot != NULL);
    if (result == wk_ok) {
        result = wkRobotState_Create(robot, &state);
        assert_int_equal(result == wk_ok, state != NULL);
    }
    wkRobotState_Destroy(state);
    wkRobot_Destroy(robot);
    return result;
}

static void creation_survives_a_failing_allocator(void** state)
{
    (void)state;
    // the builder, the robot and the state
    assert_int_equal(failEveryAllocation(makeBuiltIn), 4);
}

static void use_allocates_nothing(void** state)
{
    (void)state;
    if (!wkHasMallocHook()) {
        skip();
    }
    wkRobot* robot = NULL;
    wkRobotState* it = NULL;
    assert_int_equal(wkRobot_CreateBuiltIn(&robot), wk_ok);
    assert_int_equal(wkRobotState_Create(robot, &it), wk_ok);
    double q[16], jacobian[96];
    wkPose poses[32];
    uint64_t seed = 1;
    long before = wkMallocCalls();
    for (int i = 0; i < 100; i++) {
        wkRobot_RandomConfiguration(robot, &seed, q);
        wkRobot_ClampConfiguration(robot, q);
        wkRobot_Interpolate(robot, q, wkRobotState_Configuration(it), 0.5, q);
        wkRobotState_Set(it, wkIdentityPose(), q);
        wkRobot_LinkPoses(robot, wkIdentityPose(), q, poses);
        wkRobot_LinkPosesOfMany(robot, wkIdentityPose(), q, 1, NULL, poses);
        wkRobotState_SetLinkPoses(it, poses);
        wkRobotState_Jacobian(it, 9, poses[9].position, jacobian);
        q[3] = NAN;
        wkRobotState_Set(it, wkIdentityPose(), q);
        wkRobotState_BodyPose(it, wkRobot_FindLink(robot, "base_link"));
    }
    assert_int_equal(wkMallocCalls(), before);
    wkRobotState_Destroy(it);
    wkRobot_Destroy(robot);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(creation_survives_a_failing_allocator),
        cmocka_unit_test(use_allocates_nothing),
    };
    return cmocka_run_group_tests_name("robot.memory", tests, NULL, NULL);
}
