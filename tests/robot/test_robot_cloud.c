// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Robots as clouds: samples cover the surface within the stated gap, and alarms are never too late.

#include "base/memory.h"
#include "builtin_scene.h"
#include "cases.h"
#include "memory/fail_every.h"
#include "memory/malloc_hook.h"
#include "plain.h"
#include "robot_kit.h"

#include "whisker/robot_cloud.h"

#include <math.h>

#define SEED 20260117u
#define SEGMENTS 200
#define MAX_LINKS 64

static wkRobotCloud* makeCloud(const wkRobot* robot, wkRobotCloudKind kind)
{
    wkRobotCloudDef def = wkDefaultRobotCloudDef();
    def.robot = robot;
    def.kind = kind;
    def.levelCount = 2;
    def.resolutions[0] = 0.1;
    def.resolutions[1] = 0.04;
    wkRobotCloud* cloud = NULL;
    if (wkRobotCloud_Create(&def, &cloud) != wk_ok) {
        fail_msg("%s", wkGetLastError());
    }
    return cloud;
}

// Vertices of a fine triangulation, and points of its triangles, lie in spheres of samples.
static void checkBodyIsCovered(const wkBodyInfo* body, const wkLinkCloudInfo* samples, wkRng* rng)
{
    wkTriangulation t = {0};
    wkShape_Triangulate(body->shape, SEGMENTS, 1.0, &t);
    t.vertexCapacity = t.vertexCount;
    t.triangleCapacity = t.triangleCount;
    t.vertices = malloc(sizeof(wkVec3d) * (size_t)t.vertexCount);
    t.indices = malloc(3 * sizeof(int32_t) * (size_t)t.triangleCount);
    assert_int_equal(wkShape_Triangulate(body->shape, SEGMENTS, 1.0, &t), wk_ok);
    wkShape spheres = wkMakeCloud(samples->cloud);
    for (int i = 0; i < WK_CASES(500); i++) {
        wkVec3d point = t.vertices[wkRngBelow(rng, t.vertexCount)];
        if (wkRngChance(rng, 2)) {
            const int32_t* index = &t.indices[3 * wkRngBelow(rng, t.triangleCount)];
            double u = wkRngUnit(rng), v = wkRngUnit(rng) * (1.0 - u);
            wkVec3d a = t.vertices[index[0]], b = t.vertices[index[1]], c = t.vertices[index[2]];
            point = wkSceneAdd(a, wkSceneAdd(wkSceneScale(wkSceneSub(b, a), u),
                                             wkSceneScale(wkSceneSub(c, a), v)));
        }
        wkVec3d inLink = wkTransformPoint(body->pose, point);
        // chords of the triangulation are within the surface, by less than this
        assert_true(wkShape_PointDistance(&spheres, wkIdentityPose(), inLink) <= 1e-9);
    }
    free(t.vertices);
    free(t.indices);
}

static void samples_cover_the_surface_within_the_gap(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(SEED);
    wkRobot* robot = NULL;
    assert_int_equal(wkRobot_CreateBuiltIn(&robot), wk_ok);
    for (int kind = 0; kind < 2; kind++) {
        wkRobotCloud* cloud = makeCloud(robot, (wkRobotCloudKind)kind);
        wkRobotCloudInfo info = wkRobotCloud_Info(cloud);
        assert_true(info.levelCount == 2 && info.pointCounts[1] > 4 * info.pointCounts[0]);
        // cells: half the diagonal, and a quarter of the edge
        assert_true(info.gaps[0] <= (kind == 0 ? 0.1 : 0.12) && info.gaps[1] <= 0.048);
        for (int body = 0; body < wkRobot_Info(robot).bodyCount; body++) {
            wkBodyInfo b = wkRobot_Body(robot, body);
            for (int level = 0; level < 2; level++) {
                wkLinkCloudInfo samples = wkRobotCloud_Link(cloud, b.link, level);
                assert_true(samples.cloud != NULL && samples.gap <= info.gaps[level]);
                assert_true(wkCloud_Info(samples.cloud).maxRadius <= samples.gap);
                checkBodyIsCovered(&b, &samples, &rng);
            }
        }
        wkRobotCloud_Destroy(cloud);
    }
    wkRobot_Destroy(robot);
}

static void samples_are_near_the_surface(void** state)
{
    (void)state;
    wkRobot* robot = NULL;
    assert_int_equal(wkRobot_CreateBuiltIn(&robot), wk_ok);
    for (int kind = 0; kind < 2; kind++) {
        wkRobotCloud* cloud = makeCloud(robot, (wkRobotCloudKind)kind);
        for (int link = 0; link < wkRobot_Info(robot).linkCount; link++) {
            wkLinkInfo info = wkRobot_Link(robot, link);
            wkLinkCloudInfo samples = wkRobotCloud_Link(cloud, link, 1);
            assert_true((samples.cloud == NULL) == (info.bodyCount == 0));
            int count = samples.cloud != NULL ? wkCloud_Info(samples.cloud).pointCount : 0;
            for (int i = 0; i < count; i++) {
                double least = INFINITY;
                for (int b = 0; b < info.bodyCount; b++) {
                    wkBodyInfo body = wkRobot_Body(robot, info.firstBody + b);
                    wkVec3d p = wkCloud_Point(samples.cloud, i).position;
                    double d = wkShape_PointDistance(body.shape, body.pose, p);
                    least = fmin(least, fabs(d));
                }
                assert_true(least <= samples.gap + 1e-9);
            }
        }
        wkRobotCloud_Destroy(cloud);
    }
    wkRobot_Destroy(robot);
}

// Distances of links to objects by the bodies themselves.
static void measureExactly(const wkSurroundings* all, double* distances)
{
    wkRobotRequest request = wkDefaultRobotRequest();
    request.checksSelf = false;
    request.checksLimits = false;
    wkRobotScene_Clearance(all->scene, all->state, &request, distances, NULL);
}

// Threads that share the links find the same.
static void checkThreads(const wkSurroundings* all, const wkRobotCloud* cloud,
                         const wkAlarmRequest* request, const wkAlarmResult* alone,
                         const wkLinkAlarm* alarms)
{
    wkParallel parallel = {.threadCount = 3};
    wkAlarmRequest shared = *request;
    shared.parallel = &parallel;
    wkLinkAlarm found[MAX_LINKS];
    wkAlarmResult result = wkRobotCloud_Check(cloud, all->scene, all->state, &shared, found);
    assert_true(result.alarm == alone->alarm && result.link == alone->link);
    assert_true(result.worst.distance == alone->worst.distance);
    assert_int_equal(result.pairCount, alone->pairCount);
    for (int link = 0; link < wkRobotCloud_Info(cloud).linkCount; link++) {
        assert_true(found[link].alarm == alarms[link].alarm &&
                    found[link].distance == alarms[link].distance &&
                    found[link].object.index == alarms[link].object.index);
    }
}

static void checkAlarms(const wkSurroundings* all, const wkRobotCloud* cloud,
                        const wkAlarmRequest* request)
{
    double exact[MAX_LINKS];
    wkLinkAlarm alarms[MAX_LINKS];
    measureExactly(all, exact);
    wkAlarmResult result = wkRobotCloud_Check(cloud, all->scene, all->state, request, alarms);
    wkAlarm most = wk_alarmClear;
    for (int link = 0; link < wkRobotCloud_Info(cloud).linkCount; link++) {
        const wkLinkAlarm* a = &alarms[link];
        bool isTouching = exact[link] <= 0.0;
        if (isTouching ? a->alarm != wk_alarmCollision : a->distance > exact[link] + 1e-9) {
            fail_msg("link %d: %s at %g, by bodies %g", link, wkAlarmName(a->alarm), a->distance,
                     exact[link]);
        }
        if (!isTouching && a->distance < request->cutoff) {
            assert_true(exact[link] <= a->distance + 2.0 * a->gap + 1e-9);
        }
        assert_true(a->alarm == (a->distance <= 0.0                      ? wk_alarmCollision
                                 : a->distance <= request->warningMargin ? wk_alarmWarning
                                                                         : wk_alarmClear));
        most = a->alarm > most ? a->alarm : most;
    }
    assert_int_equal(result.alarm, most);
    checkThreads(all, cloud, request, &result, alarms);
}

static void alarms_are_never_too_late(void** state)
{
    (void)state;
    for (int kind = 0; kind < WK_SURROUNDINGS_COUNT; kind++) {
        wkSurroundings all;
        wkMakeSurroundings(&wkSurroundingsKinds[kind], SEED + (uint64_t)kind, &all);
        wkRobotCloud* cloud = makeCloud(all.robot, (wkRobotCloudKind)(kind % 2));
        double always = INFINITY;
        for (int n = 0; n < WK_CASES(6); n++) {
            wkPlaceAtRandom(&all);
            wkAlarmRequest request = wkDefaultAlarmRequest();
            request.warningMargin = 0.05 * n;
            request.changeDistances = n % 2 == 0 ? NULL : &always;
            request.cutoff = n % 3 == 0 ? 0.4 : INFINITY;
            checkAlarms(&all, cloud, &request);
        }
        wkRobotCloud_Destroy(cloud);
        wkFreeSurroundings(&all);
    }
}

// Clouds with one radius, and with radii of their own.
static void alarms_of_clouds_are_never_too_late(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(SEED + 9);
    wkSurroundings all;
    wkMakeSurroundings(&wkSurroundingsKinds[0], SEED, &all);
    while (wkRobotScene_Count(all.scene) > 0) {
        const char* name = wkRobotScene_Object(all.scene, 0).name;
        assert_int_equal(wkRobotScene_Remove(all.scene, name), wk_ok);
    }
    static float points[4 * 300];
    wkRobotCloud* cloud = makeCloud(all.robot, wk_robotCloudPoints);
    assert_int_equal(wkRobotScene_SetCategory(all.scene, "unknown", 0.05), wk_ok);
    for (int n = 0; n < WK_CASES(20); n++) {
        for (int i = 0; i < 4 * 300; i++) {
            points[i] = (float)wkRngRange(&rng, -1.0, 1.0) * (i % 4 == 3 ? 0.02f : 1.0f);
            points[i] = i % 4 == 3 ? fabsf(points[i]) : points[i];
        }
        wkCloudDef def = wkDefaultCloudDef();
        def.points.data = points;
        def.points.count = 1 + wkRngBelow(&rng, 300);
        def.points.stride = 4 * sizeof(float);
        def.points.radiusOffset = n % 2 == 0 ? -1 : (int32_t)(3 * sizeof(float));
        def.radius = 0.01 * (n % 3);
        wkCloud* made = NULL;
        assert_int_equal(wkCloud_Create(&def, &made), wk_ok);
        wkShape shape = wkMakeCloud(made);
        wkRobotObjectDef object = wkDefaultRobotObjectDef();
        object.name = "cloud";
        object.category = "unknown";
        object.shapes = &shape;
        object.shapeCount = 1;
        object.pose = wkMakePose(wkRngRange(&rng, 0.0, 3.0), 0.5, 0.6);
        object.pose.rotation = wkRngRotation(&rng);
        assert_int_equal(wkRobotScene_Add(all.scene, &object), wk_ok);
        wkPlaceAtRandom(&all);
        wkAlarmRequest request = wkDefaultAlarmRequest();
        request.cutoff = n % 4 == 0 ? 0.3 : INFINITY;
        checkAlarms(&all, cloud, &request);
        assert_int_equal(wkRobotScene_Remove(all.scene, "cloud"), wk_ok);
        wkCloud_Destroy(made);
    }
    wkRobotCloud_Destroy(cloud);
    wkFreeSurroundings(&all);
}

// A far object is measured with coarse samples, a near one with fine ones.
static void resolution_follows_the_distance(void** state)
{
    (void)state;
    wkBuiltInScene made = wkMakeBuiltInScene();
    wkRobotScene* scene = made.scene;
    wkRobotState* placed = made.state;
    assert_int_equal(wkAddSphere(scene, "sphere", 0.05, wkMakePose(3.0, 0.0, 0.5)), wk_ok);
    wkRobotCloud* cloud = makeCloud(made.robot, wk_robotCloudPoints);
    wkAlarmResult far = wkRobotCloud_Check(cloud, scene, placed, NULL, NULL);
    assert_true(far.alarm == wk_alarmClear && far.worst.level == 0 && far.worst.distance > 0.5);
    assert_string_equal(far.worst.object.name, "sphere");

    // near the surface, which is up to 0.1 m behind the sphere of a coarse sample: a warning, and a collision for a category that keeps more distance
    wkVec3d toSphere = {3.0 - far.worst.pointA.x, -far.worst.pointA.y, 0.5 - far.worst.pointA.z};
    double length =
        sqrt(toSphere.x * toSphere.x + toSphere.y * toSphere.y + toSphere.z * toSphere.z);
    double closer = 0.08 / length;
    wkPose near = wkMakePose(far.worst.pointA.x + closer * toSphere.x,
                             far.worst.pointA.y + closer * toSphere.y,
                             far.worst.pointA.z + closer * toSphere.z);
    assert_int_equal(wkRobotScene_Move(scene, "sphere", near), wk_ok);
    wkAlarmResult warned = wkRobotCloud_Check(cloud, scene, placed, NULL, NULL);
    assert_true(warned.alarm == wk_alarmWarning && warned.worst.level == 1);
    assert_true(warned.pairCount > far.pairCount);
    assert_int_equal(wkRobotScene_SetCategory(scene, "static", 0.3), wk_ok);
    assert_int_equal(wkRobotCloud_Check(cloud, scene, placed, NULL, NULL).alarm, wk_alarmCollision);
    assert_int_equal(wkRobotScene_SetCategory(scene, "static", 0.0), wk_ok);

    // coarse samples alone, for one link
    int32_t finest[MAX_LINKS] = {0};
    wkAlarmRequest request = wkDefaultAlarmRequest();
    request.finestLevels = finest;
    wkAlarmResult coarse = wkRobotCloud_Check(cloud, scene, placed, &request, NULL);
    assert_true(coarse.worst.level == 0 && coarse.worst.distance <= warned.worst.distance);

    // inside the base, which samples of the surface do not show
    assert_int_equal(wkRobotScene_Move(scene, "sphere", wkMakePose(0.0, 0.0, 0.2)), wk_ok);
    assert_int_equal(wkRobotCloud_Check(cloud, scene, placed, NULL, NULL).alarm, wk_alarmCollision);
    wkRobotCloud_Destroy(cloud);
    wkFreeBuiltInScene(&made);
}

static void what_is_not_valid_is_refused(void** state)
{
    (void)state;
    wkRobot* robot = NULL;
    assert_int_equal(wkRobot_CreateBuiltIn(&robot), wk_ok);
    wkRobotCloudDef good = wkDefaultRobotCloudDef(), defs[7];
    good.robot = robot;
    for (int i = 0; i < 7; i++) {
        defs[i] = good;
    }
    defs[0].robot = NULL;
    defs[1].levelCount = 0;
    defs[2].levelCount = WK_MAX_ROBOT_CLOUD_LEVELS + 1;
    defs[3].resolutions[1] = NAN;
    defs[4].resolutions[2] = 1e-6;
    defs[5].resolutions[1] = 0.2; // finer levels come later
    defs[6].maxSamples = 100;
    for (int i = 0; i < 7; i++) {
        wkRobotCloud* cloud = NULL;
        assert_int_not_equal(wkRobotCloud_Create(&defs[i], &cloud), wk_ok);
        assert_null(cloud);
    }
    assert_non_null(strstr(wkGetLastError(), "more than 100 samples"));
    wkRobotCloud* cloud = makeCloud(robot, wk_robotCloudPoints);
    assert_null(wkRobotCloud_Link(cloud, -1, 0).cloud);
    assert_null(wkRobotCloud_Link(cloud, 0, 2).cloud);
    wkLinkAlarm alarms[MAX_LINKS];
    wkAlarmResult r = wkRobotCloud_Check(cloud, NULL, NULL, NULL, alarms);
    assert_true(r.alarm == wk_alarmInvalid && alarms[0].alarm == wk_alarmInvalid);
    assert_int_equal(wkRobotCloud_Info(NULL).levelCount, 0);
    assert_string_equal(wkAlarmName(wk_alarmClear), "clear");
    assert_string_equal(wkAlarmName((wkAlarm)5), "none");
    wkRobotCloud_Destroy(cloud);
    wkRobot_Destroy(robot);
}

static void bad_requests_are_never_clear(void** state)
{
    (void)state;
    wkSurroundings all;
    wkMakeSurroundings(&wkSurroundingsKinds[0], SEED, &all);
    wkRobotCloud* cloud = makeCloud(all.robot, wk_robotCloudPoints);
    const double negative = -1.0, notANumber = NAN;
    const int32_t levels[MAX_LINKS] = {2};
    wkAlarmRequest requests[6];
    for (int i = 0; i < 6; i++) {
        requests[i] = wkDefaultAlarmRequest();
    }
    requests[0].warningMargin = NAN;
    requests[1].warningMargin = -0.1;
    requests[2].cutoff = 0.01;
    requests[3].changeDistances = &negative;
    requests[4].changeDistances = &notANumber;
    requests[5].finestLevels = levels;
    const char* const words[6] = {"warningMargin is nan", "warningMargin is -0.1",
                                  "cutoff is 0.01",       "changeDistances[0] is -1",
                                  "changeDistances[0]",   "finestLevels[0] is 2"};
    for (int i = 0; i < 6; i++) {
        wkAlarmResult r = wkRobotCloud_Check(cloud, all.scene, all.state, &requests[i], NULL);
        assert_int_equal(r.alarm, wk_alarmInvalid);
        assert_non_null(strstr(wkGetLastError(), words[i]));
    }
    assert_int_equal(wkRobotCloud_Check(cloud, all.scene, NULL, NULL, NULL).alarm, wk_alarmInvalid);
    assert_non_null(strstr(wkGetLastError(), "the state is NULL"));
    wkRobotCloud_Destroy(cloud);
    wkFreeSurroundings(&all);
}

// A robot of one link, which is a box.
static wkRobot* makeBoxRobot(double x, double y, double z)
{
    const char* link = "box";
    wkBodyDef body = {.link = link, .shape = wkMakeBox(x, y, z), .pose = wkIdentityPose()};
    wkRobotDef def = wkDefaultRobotDef();
    def.links = &link;
    def.linkCount = 1;
    def.bodies = &body;
    def.bodyCount = 1;
    wkRobot* robot = NULL;
    assert_int_equal(wkRobot_Create(&def, &robot), wk_ok);
    return robot;
}

// A point 4 mm inside of a link touches it within 1 mm beyond a safety distance of -5 mm, and its distance is 1 mm.
static void negative_safety_distances_are_measured_from_inside(void** state)
{
    (void)state;
    wkRobot* robot = makeBoxRobot(0.04, 0.04, 0.04);
    wkRobotState* pose = NULL;
    wkRobotScene* scene = NULL;
    assert_int_equal(wkRobotState_Create(robot, &pose), wk_ok);
    wkRobotSceneDef sceneDef = wkDefaultRobotSceneDef();
    sceneDef.robot = robot;
    assert_int_equal(wkRobotScene_Create(&sceneDef, &scene), wk_ok);
    const float point[3] = {0.016f, 0.0f, 0.0f};
    wkCloudDef cloudDef = wkDefaultCloudDef();
    cloudDef.points = wkMakeCloudView(point, 1);
    wkCloud* points = NULL;
    assert_int_equal(wkCloud_Create(&cloudDef, &points), wk_ok);
    wkShape shape = wkMakeCloud(points);
    wkRobotObjectDef object = wkDefaultRobotObjectDef();
    object.name = "point";
    object.shapes = &shape;
    object.shapeCount = 1;
    assert_int_equal(wkRobotScene_Add(scene, &object), wk_ok);
    assert_int_equal(wkRobotScene_SetCategory(scene, "static", -0.005), wk_ok);
    wkRobotCloudDef cloud = wkDefaultRobotCloudDef();
    cloud.robot = robot;
    cloud.levelCount = 1;
    cloud.resolutions[0] = 0.001;
    wkRobotCloud* samples = NULL;
    assert_int_equal(wkRobotCloud_Create(&cloud, &samples), wk_ok);
    wkAlarmRequest request = wkDefaultAlarmRequest();
    request.warningMargin = 0.002;
    wkAlarmResult r = wkRobotCloud_Check(samples, scene, pose, &request, NULL);
    assert_int_equal(r.alarm, wk_alarmWarning);
    assert_true(fabs(r.worst.distance - 0.001) < 1e-6);
    wkRobotCloud_Destroy(samples);
    wkRobotScene_Destroy(scene);
    wkCloud_Destroy(points);
    wkRobotState_Destroy(pose);
    wkRobot_Destroy(robot);
}

static const wkRobot* failingRobot;

static wkResult createCloud(void)
{
    wkRobotCloudDef def = wkDefaultRobotCloudDef();
    def.robot = failingRobot;
    def.levelCount = 1;
    wkRobotCloud* cloud;
    wkResult result = wkRobotCloud_Create(&def, &cloud);
    assert_true((cloud != NULL) == (result == wk_ok));
    wkRobotCloud_Destroy(cloud);
    return result;
}

static void clouds_survive_a_failing_allocator(void** state)
{
    (void)state;
    wkRobot* robot = makeBoxRobot(0.3, 0.2, 0.1);
    failingRobot = robot;
    assert_true(failEveryAllocation(createCloud) > 6);
    wkRobot_Destroy(robot);
}

static void alarms_allocate_nothing(void** state)
{
    (void)state;
    wkSurroundings all;
    wkMakeSurroundings(&wkSurroundingsKinds[0], SEED, &all);
    wkRobotCloud* cloud = makeCloud(all.robot, wk_robotCloudPoints);
    wkLinkCloudInfo samples = wkRobotCloud_Link(cloud, 0, 1);
    long before = wkMallocCalls();
    for (int i = 0; i < 5; i++) {
        wkRobotCloud_Check(cloud, all.scene, all.state, NULL, NULL);
        wkCenterRequest request = wkDefaultCenterRequest();
        request.method = (wkCenterMethod)(i % 3);
        wkCenterDistance(samples.cloud, wkIdentityPose(), samples.cloud, wkMakePose(1.0, 0.1, 0.0),
                         &request);
    }
    assert_int_equal(wkMallocCalls(), before);
    wkRobotCloud_Destroy(cloud);
    wkFreeSurroundings(&all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(samples_cover_the_surface_within_the_gap),
        cmocka_unit_test(samples_are_near_the_surface),
        cmocka_unit_test(alarms_are_never_too_late),
        cmocka_unit_test(alarms_of_clouds_are_never_too_late),
        cmocka_unit_test(resolution_follows_the_distance),
        cmocka_unit_test(what_is_not_valid_is_refused),
        cmocka_unit_test(bad_requests_are_never_clear),
        cmocka_unit_test(negative_safety_distances_are_measured_from_inside),
        cmocka_unit_test(clouds_survive_a_failing_allocator),
        cmocka_unit_test(alarms_allocate_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
