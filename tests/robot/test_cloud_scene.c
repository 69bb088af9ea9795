// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Robots among point clouds: what every query says is what a sphere at each point says. The tests of scenes, motions
// and batches have clouds among their surroundings; here the points are taken one by one, without a cloud.

#include "../kit.h"
#include "memory/failing.h"
#include "plain.h"

#include "whisker/cost.h"
#include "whisker/depth_image.h"
#include "whisker/detail/counts.h"

#include <math.h>
#include <string.h>

#define POINT_COUNT 160
#define CLOUD_COUNT 2

static const char* const names[CLOUD_COUNT] = {"shelf", "person"};
static const char* const categories[CLOUD_COUNT] = {"static", "people"};
static const double safetyDistances[CLOUD_COUNT] = {0.0, 0.15};
static const double radii[CLOUD_COUNT] = {0.01, 0.03};

// A robot between two clouds, and their points in the world.
typedef struct cloudWorld {
    wkRobot* robot;
    wkRobotScene* scene;
    wkRobotState* state;
    wkCloud* clouds[CLOUD_COUNT];
    wkVec3d points[CLOUD_COUNT][POINT_COUNT];
    wkRng rng;
} cloudWorld;

static wkCloud* makeCloud(const wkVec3d* points, double radius)
{
    wkCloudDef def = wkDefaultCloudDef();
    def.points.data = points;
    def.points.count = POINT_COUNT;
    def.points.isDouble = true;
    def.radius = radius;
    wkCloud* cloud;
    assert_int_equal(wkCloud_Create(&def, &cloud), wk_ok);
    return cloud;
}

static void addCloud(wkRobotScene* scene, const char* name, const char* category,
                     const wkCloud* cloud, wkPose pose)
{
    wkShape shape = wkMakeCloud(cloud);
    wkRobotObjectDef def = wkDefaultRobotObjectDef();
    def.name = name;
    def.category = category;
    def.shapes = &shape;
    def.shapeCount = 1;
    def.pose = pose;
    assert_int_equal(wkRobotScene_Add(scene, &def), wk_ok);
}

// A coordinate that a float holds exactly, so that no radius grows by rounding.
static double gridNumber(wkRng* rng)
{
    return wkRngBelow(rng, 1639) / 4096.0 - 0.2001953125;
}

// Points in a box beside the robot, so that some configurations touch them and some do not.
static void makeWorld(uint64_t seed, cloudWorld* world)
{
    memset(world, 0, sizeof *world);
    world->rng = wkMakeRng(seed);
    assert_int_equal(wkRobot_CreateBuiltIn(&world->robot), wk_ok);
    wkRobotSceneDef def = wkDefaultRobotSceneDef();
    def.robot = world->robot;
    assert_int_equal(wkRobotScene_Create(&def, &world->scene), wk_ok);
    assert_int_equal(wkRobotState_Create(world->robot, &world->state), wk_ok);
    for (int c = 0; c < CLOUD_COUNT; ++c) {
        wkVec3d local[POINT_COUNT];
        wkPose pose = {{0.5, c == 0 ? 0.6 : -0.7, 0.8}, wkRngRotation(&world->rng)};
        for (int i = 0; i < POINT_COUNT; ++i) {
            wkVec3d p = {gridNumber(&world->rng), gridNumber(&world->rng), gridNumber(&world->rng)};
            local[i] = p;
            world->points[c][i] = wkTransformPoint(pose, p);
        }
        world->clouds[c] = makeCloud(local, radii[c]);
        addCloud(world->scene, names[c], categories[c], world->clouds[c], pose);
        assert_int_equal(wkRobotScene_SetCategory(world->scene, categories[c], safetyDistances[c]),
                         wk_ok);
    }
}

static void freeWorld(cloudWorld* world)
{
    wkRobotState_Destroy(world->state);
    wkRobotScene_Destroy(world->scene);
    wkRobot_Destroy(world->robot);
    for (int c = 0; c < CLOUD_COUNT; ++c) {
        wkCloud_Destroy(world->clouds[c]);
    }
    assert_int_equal(wkGetByteCount(), 0);
}

// The nearest point of all clouds, each a sphere.
typedef struct nearest {
    double distance; // less the safety distance
    int cloud;
    int point;
    int link;
} nearest;

static bool isChecked(const cloudWorld* world, int link, int cloud)
{
    return wkAllowed_Get(wkRobotScene_Allowed(world->scene), wkRobot_Link(world->robot, link).name,
                         names[cloud], NULL, NULL) == wk_ruleChecked;
}

static void tryShape(const cloudWorld* world, const wkShape* shape, wkPose pose, int link,
                     nearest* found)
{
    for (int c = 0; c < CLOUD_COUNT; ++c) {
        wkShape sphere = wkMakeSphere(radii[c]);
        for (int i = 0; i < POINT_COUNT && isChecked(world, link, c); ++i) {
            wkVec3d p = world->points[c][i];
            double d = wkDistance(shape, pose, &sphere, wkMakePose(p.x, p.y, p.z), NULL).distance -
                       safetyDistances[c];
            if (d < found->distance) {
                *found = (nearest){d, c, i, link};
            }
        }
    }
}

// Looks at every body and every point.
static nearest findNearest(const cloudWorld* world)
{
    nearest found = {INFINITY, -1, -1, -1};
    for (int32_t b = 0; b < wkRobot_Info(world->robot).bodyCount; ++b) {
        wkBodyInfo body = wkRobot_Body(world->robot, b);
        tryShape(world, body.shape, wkRobotState_BodyPose(world->state, b), body.link, &found);
    }
    for (int32_t i = 0; i < wkRobotScene_Count(world->scene); ++i) {
        wkRobotObjectInfo object = wkRobotScene_Object(world->scene, i);
        if (object.link >= 0) {
            wkPose inObject;
            const wkShape* shape = wkRobotScene_ObjectShape(world->scene, i, 0, &inObject);
            wkPose frame = wkMulPose(wkRobotState_LinkPose(world->state, object.link), object.pose);
            tryShape(world, shape, wkMulPose(frame, inObject), object.link, &found);
        }
    }
    return found;
}

static wkRobotRequest worldRequest(void)
{
    wkRobotRequest request = wkDefaultRobotRequest();
    request.checksSelf = request.checksLimits = false;
    return request;
}

static void placeAtRandom(cloudWorld* world)
{
    double q[64];
    uint64_t seed = wkRngNext(&world->rng);
    wkRobot_RandomConfiguration(world->robot, &seed, q);
    assert_int_equal(wkRobotState_Set(world->state, wkIdentityPose(), q), wk_ok);
}

// Compares check and clearance with the points one by one. Returns the distance.
static double compareState(cloudWorld* world, const char* what, int number)
{
    wkRobotRequest request = worldRequest();
    nearest plain = findNearest(world);
    wkRobotClearanceResult clearance =
        wkRobotScene_Clearance(world->scene, world->state, &request, NULL, NULL);
    wkRobotCheckResult check = wkRobotScene_Check(world->scene, world->state, &request);
    bool isTouching = check.verdict == wk_verdictWorld;
    // depths of overlaps are those of the deepest sphere, which the plain way finds too
    bool isSame = fabs(clearance.distance - plain.distance) < 1e-6 &&
                  isTouching == (clearance.distance <= 0.0);
    if (!isSame) {
        fail_msg("%s %d: %s, %.17g m, and the points say %.17g m", what, number,
                 wkVerdictName(check.verdict), clearance.distance, plain.distance);
    }
    assert_string_equal(clearance.b.name, names[plain.cloud]);
    if (plain.distance > -safetyDistances[plain.cloud] && clearance.a.kind == wk_sideLink) {
        assert_int_equal(clearance.closest.partB, plain.point);
        assert_int_equal(clearance.a.index, plain.link);
    }
    return plain.distance;
}

static void states_are_as_far_as_their_nearest_point(void** unused)
{
    (void)unused;
    cloudWorld world;
    makeWorld(1, &world);
    int touchingCount = 0;
    const int count = WK_CASES(60);
    for (int i = 0; i < count; ++i) {
        placeAtRandom(&world);
        touchingCount += compareState(&world, "state", i) <= 0.0 ? 1 : 0;
    }
    assert_true(touchingCount > count / 20 && touchingCount < count - count / 4);
    freeWorld(&world);
}

static void allowed_pairs_are_not_checked(void** unused)
{
    (void)unused;
    cloudWorld world;
    makeWorld(2, &world);
    wkAllowed* rules;
    assert_int_equal(wkAllowed_Copy(wkRobotScene_Allowed(world.scene), &rules), wk_ok);
    assert_int_equal(wkAllowed_Set(rules, "gripper_link", "shelf", wk_ruleAllowed), wk_ok);
    assert_int_equal(wkAllowed_SetDefault(rules, "person", wk_ruleAllowed, NULL, NULL), wk_ok);
    assert_int_equal(wkAllowed_Set(rules, "person", "elbow_flex_link", wk_ruleChecked), wk_ok);
    assert_int_equal(wkRobotScene_SetAllowed(world.scene, rules), wk_ok);
    wkAllowed_Destroy(rules);
    for (int i = 0; i < WK_CASES(20); ++i) {
        placeAtRandom(&world);
        compareState(&world, "state with rules", i);
    }
    freeWorld(&world);
}

static void attached_objects_are_checked_against_clouds(void** unused)
{
    (void)unused;
    cloudWorld world;
    makeWorld(3, &world);
    placeAtRandom(&world);
    int32_t gripper = wkRobot_FindLink(world.robot, "gripper_link");
    wkShape tray = wkMakeBox(0.05, 0.4, 0.02);
    wkRobotObjectDef def = wkDefaultRobotObjectDef();
    def.name = "tray";
    def.shapes = &tray;
    def.shapeCount = 1;
    def.pose = wkMulPose(wkRobotState_LinkPose(world.state, gripper), wkMakePose(0.15, 0.0, 0.0));
    assert_int_equal(wkRobotScene_Add(world.scene, &def), wk_ok);
    assert_int_equal(wkRobotScene_Attach(world.scene, world.state, "tray", "gripper_link", NULL, 0),
                     wk_ok);
    int attachedCount = 0;
    wkRobotRequest request = worldRequest();
    for (int i = 0; i < 30; ++i) {
        placeAtRandom(&world);
        compareState(&world, "state with a tray", i);
        attachedCount +=
            wkRobotScene_Clearance(world.scene, world.state, &request, NULL, NULL).a.kind ==
                    wk_sideAttached
                ? 1
                : 0;
    }
    assert_true(attachedCount > 0);
    freeWorld(&world);
}

// Attaching needs a body that spheres cover: a cloud has none, its hull has.
static void a_cloud_is_not_attached(void** unused)
{
    (void)unused;
    cloudWorld world;
    makeWorld(4, &world);
    placeAtRandom(&world);
    assert_int_equal(
        wkRobotScene_Attach(world.scene, world.state, "shelf", "gripper_link", NULL, 0),
        wk_errorUnsupported);
    assert_non_null(strstr(wkGetLastError(), "shelf has a shape of type cloud"));
    compareState(&world, "after the refusal", 0);
    freeWorld(&world);
}

static double nearestOfMotion(cloudWorld* world, const double* q0, const double* q1, int count,
                              double* first)
{
    double least = INFINITY, q[64];
    *first = 2.0;
    for (int i = 0; i <= count; ++i) {
        wkRobot_Interpolate(world->robot, q0, q1, (double)i / count, q);
        assert_int_equal(wkRobotState_Set(world->state, wkIdentityPose(), q), wk_ok);
        double d = findNearest(world).distance;
        *first = d <= 0.0 && *first > 1.0 ? (double)i / count : *first;
        least = fmin(least, d);
    }
    return least;
}

static void motions_are_those_of_dense_samples(void** unused)
{
    (void)unused;
    cloudWorld world;
    makeWorld(5, &world);
    int verdicts[WK_VERDICT_COUNT] = {0};
    for (int i = 0; i < 30; ++i) {
        double q0[64], q1[64], first = 2.0;
        uint64_t seed = wkRngNext(&world.rng);
        wkRobot_RandomConfiguration(world.robot, &seed, q0);
        wkRobot_RandomConfiguration(world.robot, &seed, q1);
        wkRobot_Interpolate(world.robot, q0, q1, 0.3, q1);
        wkMotionRequest request = wkDefaultMotionRequest();
        request.check = worldRequest();
        request.wantsFirst = true;
        request.isCertified = i % 3 != 2;
        wkMotionResult result =
            wkRobotScene_CheckMotion(world.scene, world.state, wkIdentityPose(), q0, q1, &request);
        ++verdicts[result.verdict];
        double least = nearestOfMotion(&world, q0, q1, 40, &first);
        if (request.isCertified &&
            (first < result.freeUntil || (result.verdict == wk_verdictFree && least <= 0.0))) {
            fail_msg("motion %d: %s, free until %.17g, a sample touches at %.17g", i,
                     wkVerdictName(result.verdict), result.freeUntil, first);
        }
        if (result.verdict == wk_verdictWorld) {
            double q[64];
            wkRobot_Interpolate(world.robot, q0, q1, result.time, q);
            assert_int_equal(wkRobotState_Set(world.state, wkIdentityPose(), q), wk_ok);
            assert_true(findNearest(&world).distance <= 1e-9);
            assert_true(result.time <= first + 1e-3 || !request.isCertified);
        }
    }
    assert_true(verdicts[wk_verdictFree] > 2 && verdicts[wk_verdictWorld] > 2);
    freeWorld(&world);
}

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
        assert_int_equal(wkRobotScene_Remove(world.scene, names[c]), wk_ok);
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
        wkShape sphere = wkMakeSphere(radii[c]);
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
        double safety = plain.cloud == 1 ? safetyDistances[1] : safetyDistances[0];
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
        least = fmin(least, sqrt(x * x + y * y + z * z) - radii[0] - radii[1]);
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

static void queries_allocate_nothing(void** unused)
{
    (void)unused;
    failing counted = {0, -1, 0};
    wkAllocator allocator = {allocateOrFail, releaseCounted, &counted};
    wkSetAllocator(&allocator);
    cloudWorld world;
    makeWorld(8, &world);
    counted.callCount = 0;
    counted.failAt = 0;
    for (int i = 0; i < 10; ++i) {
        placeAtRandom(&world);
        double gradient[64], distances[64], q0[64], q1[64];
        wkRobotContact contacts[16];
        wkRobotRequest request = worldRequest();
        request.contacts = contacts;
        request.contactCapacity = 16;
        request.wantsContacts = true;
        wkRobotScene_Check(world.scene, world.state, &request);
        wkRobotScene_Clearance(world.scene, world.state, NULL, distances, gradient);
        uint64_t seed = wkRngNext(&world.rng);
        wkRobot_RandomConfiguration(world.robot, &seed, q0);
        wkRobot_RandomConfiguration(world.robot, &seed, q1);
        wkRobotScene_CheckMotion(world.scene, world.state, wkIdentityPose(), q0, q1, NULL);
    }
    assert_int_equal(counted.callCount, 0);
    counted.failAt = -1;
    freeWorld(&world);
    wkSetAllocator(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(states_are_as_far_as_their_nearest_point),
        cmocka_unit_test(allowed_pairs_are_not_checked),
        cmocka_unit_test(attached_objects_are_checked_against_clouds),
        cmocka_unit_test(a_cloud_is_not_attached),
        cmocka_unit_test(motions_are_those_of_dense_samples),
        cmocka_unit_test(snapshots_keep_their_cloud),
        cmocka_unit_test(cost_is_about_maps),
        cmocka_unit_test(rays_and_shapes_of_scenes_meet_points),
        cmocka_unit_test(clouds_are_rendered),
        cmocka_unit_test(queries_allocate_nothing),
    };
    return cmocka_run_group_tests_name("robot.cloud_scene", tests, NULL, NULL);
}
