// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Clouds as objects of scenes: snapshots keep their frame, rays, shapes and cameras meet single points, and cost is
// that of maps.

#include "cloud_world.h"

#include "whisker/cost.h"
#include "whisker/depth_image.h"

#include <math.h>

// Readers keep the frame that they began with while the next one takes its place.
static void snapshots_keep_their_cloud(void** unused)
{
    (void)unused;
    cloudWorld world;
    makeWorld(6, &world);
    placeAtRandom(&world);
    wkRobotRequest request = worldRequest();
    assert_int_equal(wkRobotScene_Publish(world.scene), wk_ok);
    const wkRobotScene* before = wkRobotScene_Acquire(world.scene);
    double distance = wkRobotScene_Clearance(before, world.state, &request, NULL, NULL).distance;
    wkVec3d far[POINT_COUNT];
    for (int i = 0; i < POINT_COUNT; ++i) {
        far[i] = (wkVec3d){9.0 + i, 0.0, 0.0};
    }
    wkCloud* next = makeCloud(far, 0.0);
    for (int c = 0; c < CLOUD_COUNT; ++c) {
        assert_int_equal(wkRobotScene_Remove(world.scene, cloudNames[c]), wk_ok);
    }
    addCloud(world.scene, "shelf", "static", next, wkIdentityPose());
    assert_int_equal(wkRobotScene_Publish(world.scene), wk_ok);
    const wkRobotScene* after = wkRobotScene_Acquire(world.scene);
    assert_true(wkRobotScene_Clearance(before, world.state, &request, NULL, NULL).distance ==
                distance);
    assert_true(wkRobotScene_Clearance(after, world.state, &request, NULL, NULL).distance > 5.0);
    wkRobotScene_Release(before);
    wkRobotScene_Release(after);
    wkRobotScene_Destroy(world.scene);
    world.scene = NULL;
    wkCloud_Destroy(next);
    freeWorld(&world);
}

// A cloud has no cells whose cost could be added up; as the moving shape it meets those of a map.
static void cost_is_about_maps(void** unused)
{
    (void)unused;
    cloudWorld world;
    makeWorld(7, &world);
    placeAtRandom(&world);
    wkCost *cost, *plain;
    assert_int_equal(wkCost_Create(NULL, &cost), wk_ok);
    assert_int_equal(wkCost_Create(NULL, &plain), wk_ok);
    int32_t shelf = wkRobotScene_Find(world.scene, "shelf");
    assert_int_equal(wkRobotScene_AddCost(world.scene, world.state, shelf, cost), wk_errorArgument);
    assert_string_equal(wkGetLastError(),
                        "robot cost: object 0, shelf, is cloud, must be a map: octree");
    assert_int_equal(wkRobotScene_AddCost(world.scene, world.state, 9, cost), wk_errorArgument);
    wkShape own = wkMakeCloud(world.clouds[0]), sphere = wkMakeSphere(0.1);
    assert_int_equal(wkCost_AddShape(cost, &own, wkIdentityPose(), &sphere, wkIdentityPose()),
                     wk_errorArgument);
    assert_string_equal(wkGetLastError(), "cost: the map is of type cloud, must be octree");

    wkOctree* map;
    assert_int_equal(wkOctree_Create(NULL, &map), wk_ok);
    assert_int_equal(wkOctree_FillBox(map, (wkAabb){{-0.3, -0.3, -0.3}, {0.05, 0.3, 0.3}}, 2.0f),
                     wk_ok);
    wkShape cells = wkMakeOctree(map), cloud = wkMakeCloud(world.clouds[0]);
    assert_int_equal(wkCost_AddShape(cost, &cells, wkIdentityPose(), &cloud, wkIdentityPose()),
                     wk_ok);
    for (int32_t i = 0; i < POINT_COUNT; ++i) {
        wkCloudPoint point = wkCloud_Point(world.clouds[0], i);
        sphere = wkMakeSphere(point.radius);
        wkPose pose = wkMakePose(point.position.x, point.position.y, point.position.z);
        assert_int_equal(wkCost_AddShape(plain, &cells, wkIdentityPose(), &sphere, pose), wk_ok);
    }
    assert_true(wkCost_Info(cost).cellCount > 50);
    assert_int_equal(wkCost_Info(cost).cellCount, wkCost_Info(plain).cellCount);
    wkCost_Destroy(cost);
    wkCost_Destroy(plain);
    wkOctree_Destroy(map);
    freeWorld(&world);
}

// Distance along a ray to the first of the spheres; infinity: none.
static double firstOnRay(const cloudWorld* world, wkRay ray)
{
    double first = INFINITY;
    for (int c = 0; c < CLOUD_COUNT; ++c) {
        wkShape sphere = wkMakeSphere(cloudRadii[c]);
        for (int i = 0; i < POINT_COUNT; ++i) {
            wkVec3d p = world->points[c][i];
            wkRayResult hit = wkShape_RayCast(&sphere, wkMakePose(p.x, p.y, p.z), ray);
            first = hit.isHit ? fmin(first, hit.distance) : first;
        }
    }
    return first;
}

static void rays_and_shapes_of_scenes_meet_points(void** unused)
{
    (void)unused;
    cloudWorld world;
    makeWorld(9, &world);
    // objects of the scene are as large as their safety distance makes them
    assert_int_equal(wkRobotScene_SetCategory(world.scene, "people", 0.0), wk_ok);
    const wkScene* scene = wkRobotScene_World(world.scene);
    int hitCount = 0, touchCount = 0;
    for (int i = 0; i < 300; ++i) {
        wkVec3d target = world.points[i % CLOUD_COUNT][i % POINT_COUNT];
        wkVec3d away = wkRngDirection(&world.rng);
        wkRay ray = {{target.x + 2.0 * away.x, target.y + 2.0 * away.y, target.z + 2.0 * away.z},
                     {-away.x, -away.y, -away.z + 0.02 * (i % 3)},
                     INFINITY};
        double first = firstOnRay(&world, ray);
        wkSceneRayResult hit = wkScene_RayCast(scene, ray, NULL);
        assert_int_equal(hit.hit.isHit, isfinite(first));
        assert_int_equal(wkScene_RayHits(scene, ray, NULL), isfinite(first));
        if (hit.hit.isHit && !(fabs(hit.hit.distance - first) < 1e-6)) {
            fail_msg("ray %d: %.17g, the spheres say %.17g", i, hit.hit.distance, first);
        }
        hitCount += hit.hit.isHit ? 1 : 0;

        wkShape box = wkMakeBox(0.05, 0.02, 0.04);
        wkPose pose = {ray.origin, wkRngRotation(&world.rng)};
        pose.position.x -= 1.9 * away.x, pose.position.y -= 1.9 * away.y;
        nearest plain = {INFINITY, -1, -1, -1};
        tryShape(&world, &box, pose, 0, &plain);
        double distance = wkScene_DistanceShape(scene, &box, pose, NULL).closest.distance;
        double safety = plain.cloud == 1 ? cloudSafetyDistances[1] : cloudSafetyDistances[0];
        bool isTouching = wkScene_CollideShape(scene, &box, pose, NULL).isTouching;
        // with a safety distance another cloud may be the nearest
        assert_true(distance <= plain.distance + safety + 1e-6);
        assert_int_equal(isTouching, distance <= 0.0);
        touchCount += isTouching ? 1 : 0;
    }
    assert_true(hitCount > 50 && touchCount > 2);
    double between = wkScene_DistancePairs(scene, NULL).closest.distance, least = INFINITY;
    for (int i = 0; i < POINT_COUNT * POINT_COUNT; ++i) {
        wkVec3d p = world.points[0][i / POINT_COUNT], q = world.points[1][i % POINT_COUNT];
        double x = p.x - q.x, y = p.y - q.y, z = p.z - q.z;
        least = fmin(least, sqrt(x * x + y * y + z * z) - cloudRadii[0] - cloudRadii[1]);
    }
    assert_true(fabs(between - least) < 1e-6);
    freeWorld(&world);
}

// A camera sees the points of a cloud as it sees other objects.
static void clouds_are_rendered(void** unused)
{
    (void)unused;
    cloudWorld world;
    makeWorld(10, &world);
    assert_int_equal(wkRobotScene_SetCategory(world.scene, "people", 0.0), wk_ok);
    enum {
        width = 64,
        height = 48
    };
    static float pixels[width * height];
    wkCamera camera = wkDefaultCamera();
    camera.width = width;
    camera.height = height;
    camera.fx = camera.fy = 60.0;
    camera.cx = 0.5 * width;
    camera.cy = 0.5 * height;
    wkPose pose = {{-1.0, 0.6, 0.8}, {-0.5, 0.5, -0.5, 0.5}}; // looks along x at the shelf
    assert_int_equal(wkScene_RenderDepth(wkRobotScene_World(world.scene), &camera, pose, NULL, NULL,
                                         NULL, pixels),
                     wk_ok);
    int observedCount = 0;
    for (int i = 0; i < width * height; ++i) {
        int column = i % width, row = i / width;
        wkVec3d inCamera = {(column - camera.cx) / camera.fx, (row - camera.cy) / camera.fy, 1.0};
        double length = sqrt(inCamera.x * inCamera.x + inCamera.y * inCamera.y + 1.0);
        wkRay ray = {pose.position, wkRotateVector(pose, inCamera), INFINITY};
        double first = firstOnRay(&world, ray);
        bool isSame =
            isfinite(first) ? fabs((double)pixels[i] * length - first) < 1e-5 : isnan(pixels[i]);
        if (!isSame) {
            fail_msg("pixel %d: depth %g, the spheres say %g", i, (double)pixels[i],
                     first / length);
        }
        observedCount += isfinite(first) ? 1 : 0;
    }
    assert_true(observedCount > 50);
    freeWorld(&world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(snapshots_keep_their_cloud),
        cmocka_unit_test(cost_is_about_maps),
        cmocka_unit_test(rays_and_shapes_of_scenes_meet_points),
        cmocka_unit_test(clouds_are_rendered),
    };
    return cmocka_run_group_tests_name("robot.cloud_objects", tests, NULL, NULL);
}
