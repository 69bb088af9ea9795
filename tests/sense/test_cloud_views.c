// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Views that become one cloud: at poses, at interpolated poses, with times that are not known, and without memory.

#include "cases.h"
#include "memory/failing.h"
#include "scenes/rng.h"
#include "whisker/whisker.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static wkCloudBuilder* makeBuilder(void)
{
    wkCloudBuilder* builder;
    assert_int_equal(wkCloudBuilder_Create(&builder), wk_ok);
    return builder;
}

static void assertSaid(const char* words)
{
    if (strstr(wkGetLastError(), words) == NULL) {
        fail_msg("\"%s\" does not contain \"%s\"", wkGetLastError(), words);
    }
}

// A point in long doubles, by the formula of quaternions.
typedef struct exactPoint {
    long double x, y, z;
} exactPoint;

static exactPoint transformExactly(wkPose pose, const float p[3])
{
    long double x = pose.rotation.x, y = pose.rotation.y, z = pose.rotation.z, w = pose.rotation.w;
    long double s = 2.0L / (x * x + y * y + z * z + w * w);
    long double a = p[0], b = p[1], c = p[2];
    exactPoint q = {
        a * (1 - s * (y * y + z * z)) + b * s * (x * y - w * z) + c * s * (x * z + w * y),
        a * s * (x * y + w * z) + b * (1 - s * (x * x + z * z)) + c * s * (y * z - w * x),
        a * s * (x * z - w * y) + b * s * (y * z + w * x) + c * (1 - s * (x * x + y * y)),
    };
    q.x += pose.position.x;
    q.y += pose.position.y;
    q.z += pose.position.z;
    return q;
}

static double distanceTo(exactPoint a, wkVec3d b)
{
    long double x = a.x - b.x, y = a.y - b.y, z = a.z - b.z;
    return (double)sqrtl(x * x + y * y + z * z);
}

static wkPose randomPose(wkRng* rng, double size)
{
    wkPose pose = {
        {wkRngRange(rng, -size, size), wkRngRange(rng, -size, size), wkRngRange(rng, -size, size)},
        wkRngRotation(rng)};
    return pose;
}

#define VIEW_COUNT 6
#define POINT_COUNT 150

// Every point of every view lies within the sphere that the cloud has for it, rounding included, and nothing else
// is there.
static void checkViews(uint64_t seed, double size)
{
    wkRng rng = wkMakeRng(seed);
    static float points[VIEW_COUNT][POINT_COUNT][4]; // x, y, z, radius
    wkPose poses[VIEW_COUNT];
    wkCloudBuilder* builder = makeBuilder();
    int64_t notFiniteCount = 0;
    for (int v = 0; v < VIEW_COUNT; ++v) {
        poses[v] = v == 0 ? wkIdentityPose() : randomPose(&rng, size);
        for (int i = 0; i < POINT_COUNT; ++i) {
            for (int k = 0; k < 3; ++k) {
                points[v][i][k] = (float)wkRngRange(&rng, -5.0, 5.0);
            }
            points[v][i][3] = (float)wkRngRange(&rng, 0.0, 0.1);
            points[v][i][1] = wkRngChance(&rng, 20) ? NAN : points[v][i][1];
            notFiniteCount += isnan(points[v][i][1]);
        }
        wkSensorViewDef def = wkDefaultSensorViewDef();
        def.points = wkMakeCloudView(points[v], POINT_COUNT);
        def.points.stride = sizeof points[v][0];
        def.points.radiusOffset = 3 * sizeof(float);
        def.pose = poses[v];
        assert_int_equal(wkCloudBuilder_AddView(builder, &def), wk_ok);
    }
    wkCloudBuilderInfo info = wkCloudBuilder_Info(builder);
    assert_int_equal(info.viewCount, VIEW_COUNT);
    assert_int_equal(info.notFiniteCount, notFiniteCount);
    assert_int_equal(info.pointCount, VIEW_COUNT * POINT_COUNT - notFiniteCount);
    wkCloudDef def = wkDefaultCloudDef();
    def.maxRounding = 1.0;
    def.origin = (wkVec3d){round(size), 0.0, 0.0};
    wkCloud* cloud;
    assert_int_equal(wkCloudBuilder_Build(builder, &def, &cloud), wk_ok);
    assert_int_equal(wkCloud_Info(cloud).pointCount, info.pointCount);
    for (int32_t rank = 0; rank < info.pointCount; ++rank) {
        wkCloudPoint p = wkCloud_Point(cloud, rank);
        const wkViewPoint* from = &wkCloudBuilder_Points(builder)[p.index];
        const float* given = points[from->view][from->index];
        exactPoint exact = transformExactly(poses[from->view], given);
        exact.x -= def.origin.x;
        double moved = distanceTo(exact, p.position);
        assert_true(moved + (double)given[3] <= p.radius * (1.0 + 1e-15));
        assert_true(p.radius <= (double)given[3] * (1.0 + 1e-6) + 4e-7 * (size + 20.0));
        wkVec3d at = from->position;
        assert_true(at.x >= info.bounds.lower.x && at.y <= info.bounds.upper.y);
    }
    wkCloud_Destroy(cloud);
    wkCloudBuilder_Destroy(builder);
    assert_int_equal(wkGetByteCount(), 0);
}

static void views_are_where_the_sensor_was(void** unused)
{
    (void)unused;
    for (int i = 0; i < WK_CASES(20); ++i) {
        checkViews((uint64_t)i, i % 4 == 3 ? 1e6 : i % 4 == 2 ? 1e3 : 2.0);
    }
}

// Points of a lidar with their times, in every type.
typedef struct timedPoint {
    float x, y, z;
    float seconds;
    double exactSeconds;
    uint32_t nanoseconds;
    uint64_t longNanoseconds;
    float normal[3];
} timedPoint;

static const struct {
    wkTimeType type;
    int32_t offset;
    double tolerance; // seconds
} timeRows[] = {
    {wk_timeFloat, offsetof(timedPoint, seconds), 1e-7},
    {wk_timeDouble, offsetof(timedPoint, exactSeconds), 1e-12},
    {wk_timeNanoseconds32, offsetof(timedPoint, nanoseconds), 1e-9},
    {wk_timeNanoseconds64, offsetof(timedPoint, longNanoseconds), 1e-9},
};

// A sensor that moves along a line and rotates about an axis with constant velocities: what linear interpolation
// and slerp give exactly. It looks at a wall at x = 4.
static wkPose sensorAt(double time)
{
    wkPose pose = {{0.3 + 2.0 * time, -1.5 * time, 0.2 * time},
                   wkMakeQuat((wkVec3d){0.1, 0.2, 1.0}, 0.7 + 3.0 * time)};
    return pose;
}

#define SWEEP_COUNT 400

static void makeSweep(wkRng* rng, timedPoint* points)
{
    for (int i = 0; i < SWEEP_COUNT; ++i) {
        // the times of a sweep ascend, but for a few
        double time = wkRngChance(rng, 10) ? wkRngRange(rng, 0.0, 0.1) : 0.1 * i / SWEEP_COUNT;
        wkVec3d wall = {4.0, wkRngRange(rng, -3.0, 3.0), wkRngRange(rng, 0.0, 2.0)};
        wkPose inverse = wkInvPose(sensorAt(time));
        wkVec3d p = wkTransformPoint(inverse, wall);
        wkVec3d n = wkRotateVector(inverse, (wkVec3d){-1.0, 0.0, 0.0});
        points[i] = (timedPoint){.x = (float)p.x,
                                 .y = (float)p.y,
                                 .z = (float)p.z,
                                 .seconds = (float)time,
                                 .exactSeconds = time,
                                 .nanoseconds = (uint32_t)lround(1e9 * time),
                                 .longNanoseconds = (uint64_t)llround(1e9 * time),
                                 .normal = {(float)n.x, (float)n.y, (float)n.z}};
    }
}

static wkSensorViewDef viewOfSweep(const timedPoint* points, const wkTimedPose* poses, int count)
{
    wkSensorViewDef def = wkDefaultSensorViewDef();
    def.points = wkMakeCloudView(points, SWEEP_COUNT);
    def.points.stride = sizeof(timedPoint);
    def.points.byteCount = SWEEP_COUNT * sizeof(timedPoint);
    def.points.normalOffset = (int32_t)offsetof(timedPoint, normal);
    def.poses = poses;
    def.poseCount = count;
    def.points.timeOffset = (int32_t)offsetof(timedPoint, exactSeconds);
    def.points.timeType = wk_timeDouble;
    def.points.timeBase = 100.0;
    return def;
}

static void points_of_a_sweep_lie_on_the_wall(void** unused)
{
    (void)unused;
    wkRng rng = wkMakeRng(3);
    static timedPoint points[SWEEP_COUNT];
    makeSweep(&rng, points);
    for (int poseCount = 2; poseCount <= 12; poseCount += 5) {
        wkTimedPose poses[12];
        for (int i = 0; i < poseCount; ++i) {
            double time = 0.1 * i / (poseCount - 1);
            poses[i] = (wkTimedPose){100.0 + time, sensorAt(time)};
            poses[i].pose.rotation.w *= i % 2 == 0 ? 1.0 : -1.0; // the same rotation
            poses[i].pose.rotation.x *= i % 2 == 0 ? 1.0 : -1.0;
            poses[i].pose.rotation.y *= i % 2 == 0 ? 1.0 : -1.0;
            poses[i].pose.rotation.z *= i % 2 == 0 ? 1.0 : -1.0;
        }
        for (size_t row = 0; row < sizeof timeRows / sizeof timeRows[0]; ++row) {
            wkCloudBuilder* builder = makeBuilder();
            wkSensorViewDef def = viewOfSweep(points, poses, poseCount);
            def.points.timeOffset = timeRows[row].offset;
            def.points.timeType = timeRows[row].type;
            def.dropsUnknown = true; // floats of times may round beyond the end
            assert_int_equal(wkCloudBuilder_AddView(builder, &def), wk_ok);
            wkCloudBuilderInfo info = wkCloudBuilder_Info(builder);
            assert_true(info.unknownCount <= 1);
            assert_int_equal(info.pointCount + info.unknownCount, SWEEP_COUNT);
            // a rotation of 3 rad/s moves points at 7 m by 21 m/s
            double tolerance = 25.0 * (timeRows[row].tolerance + 2e-14) + 1e-6;
            for (int64_t i = 0; i < info.pointCount; ++i) {
                const wkViewPoint* p = &wkCloudBuilder_Points(builder)[i];
                assert_true(fabs(p->position.x - 4.0) < tolerance);
                assert_true(fabsf(p->normal[0] + 1.0f) < 1e-5f);
                assert_true(fabs(p->time - 100.0 - points[p->index].exactSeconds) <=
                            timeRows[row].tolerance + 2e-14);
            }
            // at one pose they do not
            wkCloudBuilder_Clear(builder);
            def.poses = NULL;
            def.poseCount = 0;
            def.pose = sensorAt(0.0);
            assert_int_equal(wkCloudBuilder_AddView(builder, &def), wk_ok);
            const wkViewPoint* last = &wkCloudBuilder_Points(builder)[SWEEP_COUNT - 1];
            assert_true(fabs(last->position.x - 4.0) > 0.1);
            wkCloudBuilder_Destroy(builder);
        }
    }
}

static void poses_are_interpolated_the_shorter_way(void** unused)
{
    (void)unused;
    wkRng rng = wkMakeRng(4);
    for (int i = 0; i < WK_CASES(500); ++i) {
        wkPose a = randomPose(&rng, 3.0), b = randomPose(&rng, 3.0);
        double t = wkRngUnit(&rng);
        wkPose forth = wkInterpolatePose(a, b, t), back = wkInterpolatePose(b, a, 1.0 - t);
        wkVec3d p = {0.3, -0.7, 1.1};
        wkVec3d x = wkTransformPoint(forth, p), y = wkTransformPoint(back, p);
        assert_true(fabs(x.x - y.x) + fabs(x.y - y.y) + fabs(x.z - y.z) < 1e-12);
        x = wkTransformPoint(wkInterpolatePose(a, b, 1.0), p);
        y = wkTransformPoint(b, p);
        assert_true(fabs(x.x - y.x) + fabs(x.y - y.y) + fabs(x.z - y.z) < 1e-13 * 50.0);
    }
    // half of 90 degrees about z
    wkPose none = wkIdentityPose(), quarter = none;
    quarter.rotation = wkMakeQuat((wkVec3d){0.0, 0.0, 1.0}, 1.5707963267948966);
    wkVec3d half = wkRotateVector(wkInterpolatePose(none, quarter, 0.5), (wkVec3d){1.0, 0.0, 0.0});
    assert_true(fabs(half.x - sqrt(0.5)) < 1e-15 && fabs(half.y - sqrt(0.5)) < 1e-15);
}

static void times_without_a_pose_are_refused_or_counted(void** unused)
{
    (void)unused;
    wkRng rng = wkMakeRng(5);
    static timedPoint points[SWEEP_COUNT];
    makeSweep(&rng, points);
    // poses from 0.02 to 0.04 and from 0.07 to 0.09, with nothing between them for longer than is allowed
    const double times[4] = {0.02, 0.04, 0.07, 0.09};
    wkTimedPose poses[4];
    int expected = 0;
    for (int i = 0; i < 4; ++i) {
        poses[i] = (wkTimedPose){100.0 + times[i], sensorAt(times[i])};
    }
    points[7].exactSeconds = NAN;
    points[8].exactSeconds = INFINITY;
    for (int i = 0; i < SWEEP_COUNT; ++i) {
        double t = 100.0 + points[i].exactSeconds;
        bool isKnown = (t >= poses[0].time && t <= poses[1].time) ||
                       (t >= poses[2].time && t <= poses[3].time);
        expected += isKnown ? 0 : 1;
    }
    wkCloudBuilder* builder = makeBuilder();
    wkSensorViewDef def = viewOfSweep(points, poses, 4);
    def.maxInterval = 0.025;
    assert_int_equal(wkCloudBuilder_AddView(builder, &def), wk_errorRange);
    assertSaid("no pose is known");
    assert_int_equal(wkCloudBuilder_Info(builder).viewCount, 0);
    assert_int_equal(wkCloudBuilder_Info(builder).unknownCount, 0);
    def.dropsUnknown = true;
    assert_int_equal(wkCloudBuilder_AddView(builder, &def), wk_ok);
    wkCloudBuilderInfo info = wkCloudBuilder_Info(builder);
    assert_int_equal(info.unknownCount, expected);
    assert_int_equal(info.pointCount, SWEEP_COUNT - expected);
    for (int64_t i = 0; i < info.pointCount; ++i) {
        assert_true(fabs(wkCloudBuilder_Points(builder)[i].position.x - 4.0) < 1e-5);
    }
    wkCloudBuilder_Destroy(builder);
}

// Every definition that differs by one field from a valid one is refused, and the views before stay.
static void views_that_make_no_sense_change_nothing(void** unused)
{
    (void)unused;
    wkRng rng = wkMakeRng(6);
    static timedPoint points[SWEEP_COUNT];
    makeSweep(&rng, points);
    wkTimedPose poses[3], twice[3], turned[3];
    for (int i = 0; i < 3; ++i) {
        poses[i] = (wkTimedPose){100.0 + 0.06 * i, sensorAt(0.06 * i)};
    }
    memcpy(twice, poses, sizeof poses);
    memcpy(turned, poses, sizeof poses);
    twice[2].time = twice[1].time;
    memset(&turned[1].pose.rotation, 0, sizeof(wkQuat));
    wkCloudBuilder* builder = makeBuilder();
    wkSensorViewDef good = viewOfSweep(points, poses, 3);
    assert_int_equal(wkCloudBuilder_AddView(builder, &good), wk_ok);
    struct {
        wkSensorViewDef def;
        wkResult result;
        const char* words;
    } rows[15];
    int count = 0;
#define ROW(field, value, expected, says)                                                          \
    rows[count].def = good;                                                                        \
    rows[count].def.field = value;                                                                 \
    rows[count].result = expected;                                                                 \
    rows[count++].words = says
    ROW(cookie, 1, wk_errorArgument, "wkSensorViewDef");
    ROW(points.data, NULL, wk_errorArgument, "data");
    ROW(points.stride, 4, wk_errorRange, "stride");
    ROW(points.count, -1, wk_errorRange, "count");
    ROW(poseCount, 1, wk_errorRange, "poseCount");
    ROW(poses, NULL, wk_errorArgument, "poses is NULL");
    ROW(poses, twice, wk_errorRange, "poses[2].time");
    ROW(poses, turned, wk_errorNotFinite, "poses[1]");
    ROW(points.timeOffset, -1, wk_errorRange, "timeOffset");
    ROW(points.timeOffset, (int32_t)sizeof(timedPoint) - 7, wk_errorRange, "end at byte");
    ROW(points.timeType, (wkTimeType)4, wk_errorRange, "timeType");
    ROW(points.timeBase, NAN, wk_errorNotFinite, "timeBase");
    ROW(maxInterval, 0.0, wk_errorRange, "maxInterval");
    ROW(points.radiusOffset, (int32_t)offsetof(timedPoint, normal), wk_errorRange, "radius is");
    ROW(points.byteCount, SWEEP_COUNT * sizeof(timedPoint) - 40, wk_errorRange, "byteCount");
#undef ROW
    for (int i = 0; i < count; ++i) {
        assert_int_equal(wkCloudBuilder_AddView(builder, &rows[i].def), rows[i].result);
        assertSaid(rows[i].words);
        assert_int_equal(wkCloudBuilder_Info(builder).viewCount, 1);
        assert_int_equal(wkCloudBuilder_Info(builder).pointCount, SWEEP_COUNT);
    }
    wkSensorViewDef fixed = wkDefaultSensorViewDef();
    fixed.pose.position.x = NAN;
    assert_int_equal(wkCloudBuilder_AddView(builder, &fixed), wk_errorNotFinite);
    fixed.pose = wkIdentityPose();
    assert_int_equal(wkCloudBuilder_AddView(builder, &fixed), wk_ok); // a view without points
    wkCloud* cloud = NULL;
    wkCloudDef def = wkDefaultCloudDef();
    def.points = good.points;
    assert_int_equal(wkCloudBuilder_Build(builder, &def, &cloud), wk_errorArgument);
    assert_int_equal(wkCloudBuilder_Build(NULL, NULL, &cloud), wk_errorArgument);
    assert_int_equal(wkCloudBuilder_AddView(NULL, &good), wk_errorArgument);
    assert_int_equal(wkCloudBuilder_Create(NULL), wk_errorArgument);
    wkCloudBuilder_Clear(builder);
    assert_int_equal(wkCloudBuilder_Build(builder, NULL, &cloud), wk_errorArgument); // of nothing
    def.points = wkMakeCloudView(NULL, 0);
    def.allowsEmpty = true;
    assert_int_equal(wkCloudBuilder_Build(builder, &def, &cloud), wk_ok);
    assert_int_equal(wkCloud_Info(cloud).pointCount, 0);
    wkCloud_Destroy(cloud);
    wkCloudBuilder_Destroy(builder);
}

static void views_without_memory_change_nothing(void** unused)
{
    (void)unused;
    float points[300];
    for (int i = 0; i < 300; ++i) {
        points[i] = (float)i;
    }
    wkResult result = wk_errorMemory;
    int n = 0;
    for (; result != wk_ok; ++n) {
        failing counted = {0, n, 0};
        wkAllocator allocator = {allocateOrFail, releaseCounted, &counted};
        wkSetAllocator(&allocator);
        wkCloudBuilder* builder = NULL;
        wkCloud* cloud = NULL;
        result = wkCloudBuilder_Create(&builder);
        for (int v = 0; v < 3 && result == wk_ok; ++v) {
            wkSensorViewDef def = wkDefaultSensorViewDef();
            def.points = wkMakeCloudView(points, 100);
            result = wkCloudBuilder_AddView(builder, &def);
            assert_int_equal(wkCloudBuilder_Info(builder).viewCount, result == wk_ok ? v + 1 : v);
            assert_true(result != wk_errorMemory || v == 0 ||
                        wkCloudBuilder_Points(builder)[99].position.x == 297.0);
        }
        result = result == wk_ok ? wkCloudBuilder_Build(builder, NULL, &cloud) : result;
        assert_true(result == wk_ok || (result == wk_errorMemory && cloud == NULL));
        wkCloud_Destroy(cloud);
        wkCloudBuilder_Destroy(builder);
        assert_int_equal(counted.allocatedBytes, 0);
        wkSetAllocator(NULL);
    }
    assert_true(n > 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(views_are_where_the_sensor_was),
        cmocka_unit_test(points_of_a_sweep_lie_on_the_wall),
        cmocka_unit_test(poses_are_interpolated_the_shorter_way),
        cmocka_unit_test(times_without_a_pose_are_refused_or_counted),
        cmocka_unit_test(views_that_make_no_sense_change_nothing),
        cmocka_unit_test(views_without_memory_change_nothing),
    };
    return cmocka_run_group_tests_name("views of clouds", tests, NULL, NULL);
}
