// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Fitting and measuring survive the failure of any allocation, and leave nothing behind.

#include "fit_kit.h"

#include "memory/fail_every.h"

typedef wkResult workFcn(void);

static wkResult fitMesh(void)
{
    static const wkVec3d vertices[4] = {
        {0.0, 0.0, 0.0}, {0.1, 0.0, 0.0}, {0.0, 0.1, 0.0}, {0.0, 0.0, 0.1}};
    static const int32_t triangles[12] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
    wkMeshDef meshDef = wkDefaultMeshDef();
    meshDef.isSolid = false;
    meshDef.vertices = vertices;
    meshDef.vertexCount = 4;
    meshDef.triangles = triangles;
    meshDef.triangleCount = 4;
    wkMesh* mesh = NULL;
    wkResult result = wkMesh_Create(&meshDef, &mesh);
    if (result == wk_ok) {
        wkShape shape = wkMakeMesh(mesh);
        wkSphere3d spheres[4];
        wkFitInfo report;
        wkFitDef def = wkDefaultFitDef();
        int32_t count = 0;
        def.count = 4;
        result = wkShape_FitSpheres(&shape, &def, spheres, 4, &count, &report);
        assert_int_equal(count, result == wk_ok ? 4 : 0);
        if (result == wk_ok) {
            result = wkShape_MeasureSpheres(&shape, spheres, count, 0.01, &report);
        }
    }
    wkMesh_Destroy(mesh);
    return result;
}

static wkResult fitRobot(void)
{
    static const char* const links[] = {"base", "arm"};
    wkJointDef joint = wkDefaultJointDef();
    joint.name = "joint";
    joint.parent = "base";
    joint.child = "arm";
    wkBodyDef bodies[3] = {{"base", NULL, wkMakeBox(0.2, 0.2, 0.1), wkIdentityPose()},
                           {"arm", NULL, wkMakeSphere(0.1), wkIdentityPose()},
                           {"arm", NULL, wkMakeCapsule(0.1, 0.4), wkMakePose(0.1, 0.0, 0.0)}};
    wkRobotDef def = wkDefaultRobotDef();
    def.links = links;
    def.linkCount = 2;
    def.joints = &joint;
    def.jointCount = 1;
    def.bodies = bodies;
    def.bodyCount = 3;
    wkRobot* robot = NULL;
    wkSphereModel* model = NULL;
    wkResult result = wkRobot_Create(&def, &robot);
    if (result == wk_ok) {
        wkSphereFitDef fit = wkDefaultSphereFitDef();
        fit.count = 9;
        result = wkSphereModel_Fit(robot, &fit, &model);
        assert_int_equal(result == wk_ok, model != NULL);
    }
    wkFitInfo report;
    if (result == wk_ok) {
        result = wkSphereModel_Measure(model, 1, 0.01, &report);
    }
    wkSphereModel_Destroy(model);
    wkRobot_Destroy(robot);
    return result;
}

static void checkFailures(workFcn* work, int fewest)
{
    assert_true(failEveryAllocation(work) > fewest);
}

static void shapes_survive_a_failing_allocator(void** state)
{
    (void)state;
    checkFailures(fitMesh, 10);
}

static void robots_survive_a_failing_allocator(void** state)
{
    (void)state;
    checkFailures(fitRobot, 15);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shapes_survive_a_failing_allocator),
        cmocka_unit_test(robots_survive_a_failing_allocator),
    };
    int failed = cmocka_run_group_tests_name("fit.memory", tests, NULL, NULL);
    wkKitEnd();
    return failed;
}
