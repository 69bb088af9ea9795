// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Robots and states survive the failure of any allocation, and using them allocates nothing.

#include "robot_kit.h"

#include "memory/fail_every.h"
#include "memory/malloc_hook.h"
#include "whisker/hull.h"

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

// A robot that owns the mesh and the hull of its link; what it did not adopt stays with the caller.
static wkResult makeOwner(void)
{
    const wkVec3d points[] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const int32_t triangles[] = {0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2};
    wkMeshDef meshDef = wkDefaultMeshDef();
    meshDef.vertices = points;
    meshDef.vertexCount = 4;
    meshDef.triangles = triangles;
    meshDef.triangleCount = 4;
    wkHullDef hullDef = wkDefaultHullDef();
    hullDef.points = points;
    hullDef.pointCount = 4;
    wkMesh* mesh = NULL;
    wkHull* hull = NULL;
    wkRobot* robot = NULL;
    wkResult result = wkMesh_Create(&meshDef, &mesh);
    result = result == wk_ok ? wkHull_Create(&hullDef, &hull) : result;
    if (result == wk_ok) {
        const char* link = "base";
        wkBodyDef bodies[2] = {{link, NULL, wkMakeMesh(mesh), wkIdentityPose()},
                               {link, NULL, wkMakeHull(hull), wkIdentityPose()}};
        wkRobotDef def = wkDefaultRobotDef();
        def.links = &link;
        def.linkCount = 1;
        def.bodies = bodies;
        def.bodyCount = 2;
        result = wkRobot_Create(&def, &robot);
    }
    if (result == wk_ok) {
        size_t before = wkRobot_Info(robot).byteCount;
        result = wkRobot_Adopt(robot, &mesh, 1, &hull, 1);
        // a failure leaves the robot as it was, and it may adopt later
        assert_int_equal(wkRobot_Info(robot).byteCount > before, result == wk_ok);
    }
    if (result == wk_ok) {
        mesh = NULL;
        hull = NULL;
    }
    wkRobot_Destroy(robot);
    wkMesh_Destroy(mesh);
    wkHull_Destroy(hull);
    return result;
}

static void adoption_survives_a_failing_allocator(void** state)
{
    (void)state;
    assert_true(failEveryAllocation(makeOwner) > 4);
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
        cmocka_unit_test(adoption_survives_a_failing_allocator),
        cmocka_unit_test(use_allocates_nothing),
    };
    return cmocka_run_group_tests_name("robot.memory", tests, NULL, NULL);
}
