// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Filters of live frames: the robot of each frame as spheres or exact bodies, what it has attached, its shadow, and
// figures that account for every point.

#include "cases.h"
#include "memory/failing.h"
#include "stream_kit.h"

#define PADDING 0.03
#define COUNT 200
#define NOT_FINITE_COUNT 12 // every 17th

// A layout of points that is not the default.
typedef struct oddPoint {
    float radius, z;
    double unused;
    float x, y;
} oddPoint;

static wkCloudFrame frameOfOdd(const oddPoint* points, bool isBackwards, double time)
{
    const oddPoint* first = isBackwards ? &points[COUNT - 1] : points;
    wkCloudFrame frame = frameOf(&first->radius, COUNT, time);
    frame.points.stride = (isBackwards ? -1 : 1) * (int64_t)sizeof *points;
    frame.points.xOffset = offsetof(oddPoint, x);
    frame.points.yOffset = offsetof(oddPoint, y);
    frame.points.zOffset = offsetof(oddPoint, z);
    frame.points.radiusOffset = 0;
    return frame;
}

static wkSphereModel* fitSpheres(const wkRobot* robot)
{
    wkSphereFitDef fit = wkDefaultSphereFitDef();
    fit.accuracy = 0.1;
    wkSphereModel* model;
    assert_int_equal(wkSphereModel_Fit(robot, &fit, &model), wk_ok);
    return model;
}

static wkVec3d along(wkVec3d from, wkVec3d direction, double length)
{
    return (wkVec3d){from.x + length * direction.x, from.y + length * direction.y,
                     from.z + length * direction.z};
}

// The robot of a frame by itself: what a filter has to find.
typedef struct wholeRobot {
    wkShape shapes[600];
    wkPose poses[600];
    int count;
} wholeRobot;

static void addPart(wholeRobot* whole, wkShape shape, wkPose pose)
{
    assert_true(whole->count < 600);
    whole->shapes[whole->count] = shape;
    whole->poses[whole->count++] = pose;
}

// Spheres or bodies of the links, and the sphere that the gripper holds.
static void placeWhole(const streamCase* c, double attachedRadius, wholeRobot* whole)
{
    whole->count = 0;
    if (c->def.spheres != NULL) {
        static wkSphere3d spheres[512];
        int32_t count = wkSphereModel_Info(c->def.spheres).sphereCount;
        assert_true(count <= 512);
        wkSphereModel_PlaceState(c->def.spheres, c->state, spheres);
        for (int i = 0; i < count; ++i) {
            wkVec3d at = spheres[i].center;
            addPart(whole, wkMakeSphere(spheres[i].radius), wkMakePose(at.x, at.y, at.z));
        }
    } else {
        for (int i = 0; i < wkRobot_Info(c->robot).bodyCount; ++i) {
            addPart(whole, *wkRobot_Body(c->robot, i).shape, wkRobotState_BodyPose(c->state, i));
        }
    }
    int32_t attached = wkRobotScene_Find(c->scene, "attached");
    if (attached >= 0) {
        wkRobotObjectInfo info = wkRobotScene_Object(c->scene, attached);
        wkPose pose = wkMulPose(wkRobotState_LinkPose(c->state, info.link), info.pose);
        addPart(whole, wkMakeSphere(attachedRadius), pose);
    }
}

static double distanceTo(const wholeRobot* whole, wkVec3d p)
{
    double least = INFINITY;
    for (int i = 0; i < whole->count; ++i) {
        least = fmin(least, wkShape_PointDistance(&whole->shapes[i], whole->poses[i], p));
    }
    return least;
}

static bool isHidden(const wholeRobot* whole, wkVec3d sensor, wkVec3d p)
{
    wkVec3d to = {p.x - sensor.x, p.y - sensor.y, p.z - sensor.z};
    wkRay ray = {sensor, to, sqrt(to.x * to.x + to.y * to.y + to.z * to.z)};
    for (int i = 0; i < whole->count; ++i) {
        if (!wkShape_ContainsPoint(&whole->shapes[i], whole->poses[i], sensor) &&
            wkShape_RayHits(&whole->shapes[i], whole->poses[i], ray)) {
            return true;
        }
    }
    return false;
}

// Points on the parts of a robot, near them and behind them. Each has a radius of its own, by which it is known again;
// some are not finite.
static void makeOddPoints(wkRng* rng, const wholeRobot* whole, wkPose fromWorld, oddPoint* points,
                          wkVec3d* inWorld)
{
    for (int i = 0; i < COUNT; ++i) {
        int part = wkRngBelow(rng, whole->count);
        double away = wkRngRange(rng, 0.0, i % 3 == 0 ? 1.5 : 0.2);
        inWorld[i] = along(whole->poses[part].position, wkRngDirection(rng), away);
        wkVec3d local = wkTransformPoint(fromWorld, inWorld[i]);
        points[i] = (oddPoint){.x = i % 17 != 0 ? (float)local.x : NAN,
                               .y = (float)local.y,
                               .z = (float)local.z,
                               .radius = 0.001f * (float)i};
    }
}

// Which points the cloud of the only frame has.
static void findShown(const wkRobotScene* scene, const oddPoint* points, bool* isShown)
{
    const wkCloud* clouds[WK_MAX_STREAM_FRAMES];
    wkPose poses[WK_MAX_STREAM_FRAMES];
    int32_t count = cloudsOf(scene, clouds, poses) > 0 ? wkCloud_Info(clouds[0]).pointCount : 0;
    memset(isShown, 0, COUNT * sizeof *isShown);
    for (int32_t n = 0; n < count; ++n) {
        wkCloudPoint found = wkCloud_Point(clouds[0], n);
        int i = (int)lround(1000.0 * found.radius);
        assert_true(!isShown[i] && found.position.x == (double)points[i].x);
        isShown[i] = true;
    }
}

// Points that are not within rounding of a limit are treated as all parts say.
typedef struct tally {
    int own, shadow, near;
} tally;

static tally checkFrame(streamCase* c, wkRng* rng, wkPose sensor, wkSelfRule shadowRule,
                        double time)
{
    static wholeRobot whole;
    placeWhole(c, 0.1, &whole);
    oddPoint points[COUNT];
    wkVec3d inWorld[COUNT];
    makeOddPoints(rng, &whole, wkInvPose(sensor), points, inWorld);
    wkCloudFrame frame = frameOfOdd(points, wkRngChance(rng, 2), time);
    frame.state = c->state;
    if (wkCloudStream_Push(c->stream, &frame) != wk_ok) {
        fail_msg("%s", wkGetLastError());
    }
    bool isShown[COUNT];
    findShown(c->scene, points, isShown);
    tally found = {0, 0, 0};
    for (int i = 0; i < COUNT; ++i) {
        double distance = distanceTo(&whole, inWorld[i]);
        bool isOwn = distance <= PADDING, isFinite = i % 17 != 0;
        bool isShadow = !isOwn && isHidden(&whole, sensor.position, inWorld[i]);
        bool isNear = fabs(distance - PADDING) < 1e-5;
        found.own += isFinite && isOwn;
        found.shadow += isFinite && isShadow;
        found.near += isNear;
        bool isKept = isFinite && !isOwn && !(isShadow && shadowRule == wk_selfRemove);
        if (!isNear && isShown[i] != isKept) {
            fail_msg("point %d at %g m%s is %s", i, distance, isShadow ? " in the shadow" : "",
                     isShown[i] ? "kept" : "removed");
        }
    }
    return found;
}

static void attachSphere(streamCase* c)
{
    wkShape sphere = wkMakeSphere(0.1);
    wkRobotObjectDef attached = wkDefaultRobotObjectDef();
    attached.name = "attached";
    attached.shapes = &sphere;
    attached.shapeCount = 1;
    int32_t link = wkRobot_FindLink(c->robot, "gripper_link");
    attached.pose = wkMulPose(wkRobotState_LinkPose(c->state, link), wkMakePose(0.2, 0.0, 0.0));
    assert_int_equal(wkRobotScene_Add(c->scene, &attached), wk_ok);
    assert_int_equal(wkRobotScene_Attach(c->scene, c->state, "attached", "gripper_link", NULL, 0),
                     wk_ok);
}

// Exactly those points are removed that are within the padding of a sphere or body, or of what the robot holds,
// and those in its shadow where the rule says so.
static void checkSelf(bool usesSpheres, wkSelfRule shadowRule)
{
    wkRng rng = wkMakeRng(12);
    streamCase c = makeStreamCase();
    wkFilterStep step = wkMakeSelfFilter((wkFilterRobot){0}, PADDING);
    step.self.shadowRule = shadowRule;
    c.spheres = usesSpheres ? fitSpheres(c.robot) : NULL;
    c.def.link = "head_camera";
    c.def.steps = &step;
    c.def.stepCount = 1;
    c.def.spheres = c.spheres;
    openStream(&c);
    int32_t link = wkRobot_FindLink(c.robot, "head_camera");
    tally all = {0, 0, 0};
    for (int k = 0; k < WK_CASES(12); ++k) {
        if (k == 1) {
            attachSphere(&c);
        }
        double q[32];
        uint64_t seed = wkRngNext(&rng);
        wkRobot_RandomConfiguration(c.robot, &seed, q);
        assert_int_equal(wkRobotState_Set(c.state, wkMakePose(1.0, 0.0, 0.0), q), wk_ok);
        wkPose sensor = wkRobotState_LinkPose(c.state, link);
        tally found = checkFrame(&c, &rng, sensor, shadowRule, k);
        wkCloudStreamInfo info = wkCloudStream_Info(c.stream);
        assert_int_equal(info.notFiniteCount, NOT_FINITE_COUNT);
        assert_true(abs(info.steps[0].ownCount - found.own) <= found.near);
        int shadowCount = shadowRule == wk_selfKeep ? 0 : found.shadow;
        assert_true(abs(info.steps[0].shadowCount - shadowCount) <= found.near);
        assert_int_equal(info.removedCount, info.steps[0].removedCount);
        assert_int_equal(info.pointCount, COUNT - NOT_FINITE_COUNT - info.removedCount);
        all = (tally){all.own + found.own, all.shadow + found.shadow, all.near + found.near};
    }
    assert_true(all.own > 100 && all.shadow > 50 && all.near < 5);
    wkCloudFrame frame = frameOf(NULL, 0, 1e3);
    frame.pose = &c.def.sensor;
    assert_int_equal(wkCloudStream_Push(c.stream, &frame), wk_errorArgument);
    assertSaid("steps are about the robot");
    freeStreamCase(&c);
}

static void points_on_spheres_are_removed(void** unused)
{
    (void)unused;
    checkSelf(true, wk_selfKeep);
}

static void points_on_bodies_are_removed(void** unused)
{
    (void)unused;
    checkSelf(false, wk_selfKeep);
}

static void shadows_are_marked_or_removed(void** unused)
{
    (void)unused;
    checkSelf(false, wk_selfMark);
    checkSelf(false, wk_selfRemove);
    checkSelf(true, wk_selfRemove);
}

// Steps of every type, with the figures of a run by hand, and each point in one count or in the cloud.
static void figures_account_for_every_point(void** unused)
{
    (void)unused;
    wkRng rng = wkMakeRng(13);
    streamCase c = makeStreamCase();
    wkFilterRobot none = {0};
    wkVec3d zero = {0.0, 0.0, 0.0};
    wkAabb box = {{-0.9, -INFINITY, -INFINITY}, {INFINITY, 1.1, 1.5}};
    wkFilterStep steps[] = {
        wkMakeRangeFilter(zero, 0.3, 1.9),
        wkMakeBoxFilter(box, wkIdentityPose()),
        wkMakeDistanceFilter(none, 0.6),
        wkMakeSelfFilter(none, 0.02),
        wkMakeStatisticalFilter(4, 2.0),
        wkMakeRadiusFilter(0.4, 1),
        wkMakeVoxelFilter(0.1),
    };
    c.def.sensor = wkMakePose(0.5, 0.2, 1.0);
    c.def.cloud.spacing = 0.15;
    c.def.steps = steps;
    c.def.stepCount = 7;
    openStream(&c);
    enum {
        MANY = 3000
    };
    static float points[3 * MANY];
    wkFilterBody bodies[64];
    for (int k = 0; k < 5; ++k) {
        randomPoints(&rng, points, MANY);
        points[3 * 7 + 1] = NAN;
        wkCloudFrame frame = frameOf(points, MANY, k);
        frame.state = c.state;
        assert_int_equal(wkCloudStream_Push(c.stream, &frame), wk_ok);
        int bodyCount = wkRobot_Info(c.robot).bodyCount;
        assert_true(bodyCount <= 64);
        for (int i = 0; i < bodyCount; ++i) {
            bodies[i] =
                (wkFilterBody){wkRobot_Body(c.robot, i).shape, wkRobotState_BodyPose(c.state, i)};
        }
        wkFilterStep complete[7];
        memcpy(complete, steps, sizeof steps);
        complete[0].range.sensor = c.def.sensor.position;
        complete[2].distance.robot = (wkFilterRobot){.bodies = bodies, .bodyCount = bodyCount};
        complete[3].self.robot = complete[2].distance.robot;
        wkCloudFilter* filter;
        wkFilterRequest request = wkDefaultFilterRequest();
        wkFilterResult result;
        request.points = frame.points;
        request.pose = c.def.sensor;
        request.steps = complete;
        request.stepCount = 7;
        assert_int_equal(wkCloudFilter_Create(&filter), wk_ok);
        assert_int_equal(wkCloudFilter_Run(filter, &request, &result), wk_ok);
        wkCloudStreamInfo info = wkCloudStream_Info(c.stream);
        assert_memory_equal(info.steps, result.steps, 7 * sizeof result.steps[0]);
        assert_true(info.stepCount == 7 && info.notFiniteCount == 1 && info.inputCount == MANY);
        assert_true(info.mergedCount > info.steps[6].removedCount && info.unknownCount == 0);
        int32_t removedCount =
            0; // a point that a voxel step removes is merged: it stays an obstacle
        for (int i = 0; i < 7; ++i) {
            assert_true(info.steps[i].removedCount > 0 || i == 4 || i == 5);
            removedCount += i < 6 ? info.steps[i].removedCount : 0;
        }
        assert_int_equal(info.removedCount, removedCount);
        assert_int_equal(info.inputCount, info.notFiniteCount + info.removedCount +
                                              info.mergedCount + info.pointCount);
        wkCloudFilter_Destroy(filter);
    }
    freeStreamCase(&c);
}

// The points of several cameras have no single sensor, and their origin is none.
static void steps_about_the_sensor_refuse_combined_views(void** unused)
{
    (void)unused;
    float point[3] = {0.0f, 0.0f, 1.0f};
    wkCloudBuilder* builder;
    assert_int_equal(wkCloudBuilder_Create(&builder), wk_ok);
    wkSensorViewDef view = wkDefaultSensorViewDef();
    view.points = wkMakeCloudView(point, 1);
    assert_false(view.points.isCombined);
    view.pose = wkMakePose(5.0, 0.0, 0.0);
    assert_int_equal(wkCloudBuilder_AddView(builder, &view), wk_ok);
    wkCloudFrame frame = wkDefaultCloudFrame();
    frame.points = wkCloudBuilder_View(builder);
    frame.time = 1.0;
    wkFilterStep shadow = wkMakeSelfFilter((wkFilterRobot){0}, 0.0);
    shadow.self.shadowRule = wk_selfRemove;
    const wkFilterStep steps[] = {wkMakeRangeFilter((wkVec3d){0.0, 0.0, 0.0}, 0.3, 4.0), shadow,
                                  wkMakeSelfFilter((wkFilterRobot){0}, 0.0)};
    streamCase c = makeStreamCase();
    frame.state = c.state;
    for (int i = 0; i < 3; ++i) {
        c.def.steps = &steps[i];
        c.def.stepCount = 1;
        openStream(&c);
        assert_int_equal(wkCloudStream_Push(c.stream, &frame), i < 2 ? wk_errorArgument : wk_ok);
        if (i < 2) {
            assertSaid("steps[0] needs the position of the sensor, which is not one with combined");
        }
        wkCloudStream_Destroy(c.stream);
        c.stream = NULL;
    }
    wkCloudBuilder_Destroy(builder);
    freeStreamCase(&c);
}

// Every definition that differs by one field from a valid one.
static void steps_that_make_no_sense_are_refused(void** unused)
{
    (void)unused;
    streamCase c = makeStreamCase();
    wkRobot* other;
    assert_int_equal(wkRobot_CreateBuiltIn(&other), wk_ok);
    wkSphereModel* strange = fitSpheres(other);
    wkSphere3d sphere = {{0.0, 0.0, 0.0}, 1.0};
    wkFilterRobot none = {0}, given = {.spheres = &sphere, .sphereCount = 1};
    wkVec3d zero = {0.0, 0.0, 0.0}, aside = {1.0, 0.0, 0.0};
    wkFilterStep shadow = wkMakeSelfFilter(none, 0.0), centroids = wkMakeVoxelFilter(0.1);
    shadow.self.shadowRule = wk_selfMark;
    shadow.self.sensor = aside;
    centroids.voxel.hasCentroids = true;
    const struct {
        wkFilterStep step;
        const char* words;
    } rows[] = {
        {wkMakeSelfFilter(given, 0.0), "robot of steps[0]"},
        {wkMakeDistanceFilter(given, 1.0), "robot of steps[0]"},
        {wkMakeRangeFilter(aside, 0.0, 1.0), "sensor of steps[0]"},
        {shadow, "sensor of steps[0]"},
        {centroids, "hasCentroids"},
        {wkMakeSelfFilter(none, -0.1), "padding"},
        {wkMakeSelfFilter(none, NAN), "padding"},
        {wkMakeRangeFilter(zero, 2.0, 1.0), "maxDistance"},
        {(wkFilterStep){0}, "no filter"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        c.def.steps = &rows[i].step;
        c.def.stepCount = 1;
        assert_int_not_equal(wkCloudStream_Create(&c.def, &c.stream), wk_ok);
        assert_null(c.stream);
        assertSaid(rows[i].words);
        assert_int_equal(wkRobotScene_Count(c.scene), 0);
    }
    c.def.steps = NULL;
    assert_int_equal(wkCloudStream_Create(&c.def, &c.stream), wk_errorRange);
    assertSaid("steps is NULL");
    c.def.stepCount = 0;
    c.def.spheres = strange;
    assert_int_equal(wkCloudStream_Create(&c.def, &c.stream), wk_errorArgument);
    assertSaid("spheres are of another robot");
    // the position of a sensor that moves is not one
    wkFilterStep range = wkMakeRangeFilter(zero, 0.0, 9.0);
    c.def.spheres = NULL;
    c.def.steps = &range;
    c.def.stepCount = 1;
    openStream(&c);
    wkTimedPose poses[2] = {{0.0, wkIdentityPose()}, {0.1, wkIdentityPose()}};
    float point[4] = {1.0f, 2.0f, 3.0f, 0.05f};
    wkCloudFrame frame = frameOf(point, 1, 0.1);
    frame.points.timeOffset = 3 * sizeof(float);
    frame.poses = poses;
    frame.poseCount = 2;
    assert_int_equal(wkCloudStream_Push(c.stream, &frame), wk_errorArgument);
    assertSaid("position of the sensor");
    wkSphereModel_Destroy(strange);
    wkRobot_Destroy(other);
    freeStreamCase(&c);
}

// One allocation fails while a stream is made and gets frames of 40 and of 80 points.
static wkResult workWithoutMemory(long failAt)
{
    failing counted = {0, -1, 0};
    wkAllocator allocator = {allocateOrFail, releaseCounted, &counted};
    wkSetAllocator(&allocator);
    wkRng rng = wkMakeRng(15);
    streamCase c = makeStreamCase();
    attachSphere(&c);
    wkFilterStep steps[] = {wkMakeSelfFilter((wkFilterRobot){0}, 0.05), wkMakeVoxelFilter(0.1)};
    c.def.steps = steps;
    c.def.stepCount = 2;
    counted.callCount = 0;
    counted.failAt = failAt;
    wkResult result = wkCloudStream_Create(&c.def, &c.stream);
    assert_true((result == wk_ok) == (c.stream != NULL));
    float points[240];
    randomPoints(&rng, points, 80);
    for (int k = 0; k < 2 && result == wk_ok; ++k) {
        wkCloudFrame frame = frameOf(points, 40 * (k + 1), k);
        frame.state = c.state;
        int64_t before = wkCloudStream_Info(c.stream).pointCount;
        result = wkCloudStream_Push(c.stream, &frame);
        wkCloudStreamInfo info = wkCloudStream_Info(c.stream);
        assert_true(result == wk_ok ? info.inputCount == 40 * (k + 1) : info.pointCount == before);
    }
    counted.failAt = -1;
    assert_true(result == wk_ok || result == wk_errorMemory);
    freeStreamCase(&c);
    assert_int_equal(counted.allocatedBytes, 0);
    wkSetAllocator(NULL);
    return result;
}

static void steps_without_memory_change_nothing(void** unused)
{
    (void)unused;
    int n = 0;
    while (workWithoutMemory(n) != wk_ok) {
        ++n;
    }
    assert_true(n > 15);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_on_spheres_are_removed),
        cmocka_unit_test(points_on_bodies_are_removed),
        cmocka_unit_test(shadows_are_marked_or_removed),
        cmocka_unit_test(figures_account_for_every_point),
        cmocka_unit_test(steps_about_the_sensor_refuse_combined_views),
        cmocka_unit_test(steps_that_make_no_sense_are_refused),
        cmocka_unit_test(steps_without_memory_change_nothing),
    };
    return cmocka_run_group_tests_name("filters of live frames", tests, NULL, NULL);
}
