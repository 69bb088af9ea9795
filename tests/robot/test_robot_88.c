// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The large robot of benchmarks is the one that its links make.

#include "robot_kit.h"

#include "scenes/links.h"
#include "scenes/robot_88.h"

static void it_is_as_large_as_it_says(void** state)
{
    (void)state;
    wkRobot* robot = NULL;
    assert_int_equal(wkMakeRobot88(&robot), wk_ok);
    wkRobotInfo info = wkRobot_Info(robot);
    assert_int_equal(info.linkCount, 88);
    assert_int_equal(info.bodyCount, 88);
    assert_int_equal(info.variableCount, 21);
    assert_true(info.triangleCount > 10000 && info.triangleCount < 20000);
    wkRobot_Destroy(robot);
    assert_int_equal(wkGetByteCount(), 0);
}

static void its_links_are_where_they_pose(void** state)
{
    (void)state;
    static wkLinks links;
    wkRobot* robot = NULL;
    assert_true(wkLinks_Make(&links));
    assert_int_equal(wkMakeRobot88(&robot), wk_ok);
    wkPose expected[WK_LINK_COUNT], found[WK_LINK_COUNT];
    for (uint64_t seed = 0; seed < 20; seed++) {
        wkRng posing = wkMakeRng(seed), drawing = wkMakeRng(seed);
        double q[32];
        int count = 0;
        for (int i = 0; i < WK_LINK_COUNT; i++) {
            double limit = links.links[i].limit;
            if (limit > 0.0) {
                q[count++] = wkRngRange(&drawing, -limit, limit);
            }
        }
        assert_int_equal(count, wkRobot_Info(robot).variableCount);
        wkVec3d position = {1.0, 2.0, 0.0};
        wkLinks_Pose(&links, &posing, position, expected);
        wkRobot_LinkPoses(robot, wkMakePose(1.0, 2.0, 0.2), q, found);
        for (int i = 0; i < WK_LINK_COUNT; i++) {
            wkTestMatrix a = wkTestMatrixOf(expected[i]), b = wkTestMatrixOf(found[i]);
            assert_true(wkTestMatrixError(&a, &b) < 1e-13);
        }
    }
    wkRobot_Destroy(robot);
    wkLinks_Free(&links);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_is_as_large_as_it_says),
        cmocka_unit_test(its_links_are_where_they_pose),
    };
    return cmocka_run_group_tests_name("robot.robot_88", tests, NULL, NULL);
}
