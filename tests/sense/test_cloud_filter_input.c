// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// What filters refuse, by name: steps, points and indices that are not valid, and points of their own.

#include "filter_kit.h"
#include "whisker/mesh.h"

static void bad_steps_are_refused_by_name(void** state)
{
    (void)state;
    filterKit* kit = makeFilterKit(UNIT_SEED);
    kit->count = 2;
    layOutPoints(kit, 0);
    wkSphere3d sphere = {{0.0, 0.0, 0.0}, 0.1};
    wkFilterRobot robot = {.spheres = &sphere, .sphereCount = 1};
    wkAabb box = {wkVec(0.0, 0.0, 0.0), wkVec(1.0, 1.0, 1.0)};
    const wkFilterStep good[] = {wkMakeRangeFilter(wkVec(0.0, 0.0, 0.0), 0.0, 1.0),
                                 wkMakeBoxFilter(box, wkIdentityPose()),
                                 wkMakeDistanceFilter(robot, 1.0), wkMakeSelfFilter(robot, 0.1)};
    wkFilterStep step = {.type = wk_filterNone};
    expectFilterRefused(kit, &step, 1, wk_errorArgument, "type of step 0 is 0");
    step.type = (wkFilterType)99;
    expectFilterRefused(kit, &step, 1, wk_errorArgument, "type of step 0 is 99");
    expectFilterRefused(kit, good, 17, wk_errorRange, "stepCount is 17");
    expectFilterRefused(kit, good, -1, wk_errorRange, "stepCount is -1");
    expectFilterRefused(kit, NULL, 2, wk_errorArgument, "steps is NULL");
    step = good[0];
    step.range.minDistance = -0.1;
    expectFilterRefused(kit, &step, 1, wk_errorRange, "step 0, range: minDistance");
    step.range.minDistance = 2.0;
    expectFilterRefused(kit, &step, 1, wk_errorRange, "maxDistance");
    step = good[0];
    step.range.maxDistance = NAN;
    expectFilterRefused(kit, &step, 1, wk_errorNotFinite, "maxDistance");
    step = good[0];
    step.range.sensor.y = INFINITY;
    expectFilterRefused(kit, &step, 1, wk_errorNotFinite, "sensor");
    step = good[1];
    step.box.box.lower.z = 2.0;
    expectFilterRefused(kit, &step, 1, wk_errorRange, "box.lower.z is 2");
    step = good[1];
    step.box.box.upper.x = NAN;
    expectFilterRefused(kit, &step, 1, wk_errorRange, "box.upper.x, nan");
    step = good[1];
    step.box.pose.rotation = (wkQuat){0};
    expectFilterRefused(kit, &step, 1, wk_errorNotFinite, "pose");
    step = good[2];
    step.distance.maxDistance = 1e16;
    expectFilterRefused(kit, &step, 1, wk_errorRange, "maxDistance");
    step = good[2];
    step.distance.robot.sphereCount = 0;
    expectFilterRefused(kit, &step, 1, wk_errorArgument, "the robot is empty");
    wkMesh* mesh = NULL;
    wkMeshDef none = wkDefaultMeshDef();
    none.isSolid = false;
    assert_int_equal(wkMesh_Create(&none, &mesh), wk_ok);
    wkShape empty = wkMakeMesh(mesh); // a body without an extent
    wkFilterBody body = {&empty, wkIdentityPose()};
    step.distance.robot.bodies = &body;
    step.distance.robot.bodyCount = 1;
    expectFilterRefused(kit, &step, 1, wk_errorArgument, "the robot is empty");
    wkMesh_Destroy(mesh);
    step = good[3];
    step.self.padding = -1e-9;
    expectFilterRefused(kit, &step, 1, wk_errorRange, "padding");
    step = good[3];
    step.self.robot.spheres = NULL;
    expectFilterRefused(kit, &step, 1, wk_errorArgument, "spheres is NULL");
    step = good[3];
    step.self.ownRule = (wkSelfRule)7;
    expectFilterRefused(kit, &step, 1, wk_errorArgument, "ownRule is 7");
    sphere.radius = -0.1;
    expectFilterRefused(kit, good, 4, wk_errorRange, "step 2, distance: radius of sphere 0");
    sphere.radius = 0.1;
    sphere.center.x = NAN;
    expectFilterRefused(kit, &good[3], 1, wk_errorNotFinite, "center of sphere 0");
    freeFilterKit(kit);
}

// Centroids of a filter would be freed or overwritten while its next run reads them, in any layout.
static void expectOwnPointsRefused(filterKit* kit)
{
    wkFilterStep step = wkMakeVoxelFilter(1.0);
    step.voxel.hasCentroids = true;
    runFilter(kit, &step, 1);
    const char* own = (const char*)kit->result.centroids;
    wkCloudView view = wkMakeCloudView(own, 1);
    kit->request.points = view;
    expectFilterRefused(kit, NULL, 0, wk_errorArgument, "points belong to this filter");
    kit->request.points.count = 2;
    kit->request.points.data = own + 12;
    kit->request.points.stride = -12;
    expectFilterRefused(kit, NULL, 0, wk_errorArgument, "points belong to this filter");
    kit->request.points = view;
    kit->request.points.data = own - ((size_t)1 << 30);
    kit->request.points.xOffset = 1 << 30;
    expectFilterRefused(kit, NULL, 0, wk_errorArgument, "points belong to this filter");
    wkCloudFilter* other = NULL;
    kit->request.points = view;
    assert_int_equal(wkCloudFilter_Create(&other), wk_ok);
    wkFilterResult result;
    assert_int_equal(wkCloudFilter_Run(other, &kit->request, &result), wk_ok);
    wkCloudFilter_Destroy(other);
}

static void bad_points_and_indices_are_refused_by_name(void** state)
{
    (void)state;
    filterKit* kit = makeFilterKit(UNIT_SEED);
    kit->count = 10;
    layOutPoints(kit, 0);
    int32_t indices[] = {1, 3, 3};
    kit->request.indices = indices;
    kit->request.indexCount = 3;
    expectFilterRefused(kit, NULL, 0, wk_errorRange, "indices[2] is 3");
    indices[2] = 10;
    expectFilterRefused(kit, NULL, 0, wk_errorRange, "indices[2] is 10");
    indices[0] = -1;
    expectFilterRefused(kit, NULL, 0, wk_errorRange, "indices[0] is -1");
    kit->request.indices = NULL;
    expectFilterRefused(kit, NULL, 0, wk_errorArgument, "indices is NULL");
    kit->request.indexCount = 0;
    runFilter(kit, NULL, 0);
    kit->request.indices = kit->result.kept;
    kit->request.indexCount = kit->result.keptCount;
    expectFilterRefused(kit, NULL, 0, wk_errorArgument, "indices belong to this filter");
    kit->request.indices = NULL;
    kit->request.indexCount = 0;
    expectOwnPointsRefused(kit);
    layOutPoints(kit, 0);
    kit->request.points.data = NULL;
    expectFilterRefused(kit, NULL, 0, wk_errorArgument, "data is NULL");
    kit->request.points.count = -1;
    expectFilterRefused(kit, NULL, 0, wk_errorRange, "count is -1");
    layOutPoints(kit, 0);
    kit->request.pose.position.x = NAN;
    expectFilterRefused(kit, NULL, 0, wk_errorNotFinite, "pose");
    kit->request.cookie = 0;
    expectFilterRefused(kit, NULL, 0, wk_errorArgument, "wkFilterRequest");
    assert_int_equal(wkCloudFilter_Run(NULL, &kit->request, &kit->result), wk_errorArgument);
    assert_int_equal(wkCloudFilter_Run(kit->filter, &kit->request, NULL), wk_errorArgument);
    assert_int_equal(wkCloudFilter_Create(NULL), wk_errorArgument);
    freeFilterKit(kit);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bad_steps_are_refused_by_name),
        cmocka_unit_test(bad_points_and_indices_are_refused_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
