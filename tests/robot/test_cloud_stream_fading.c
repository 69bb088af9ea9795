// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Points of live frames that fade by their own times, and frames of a sensor that moves while it measures.

#include "cases.h"
#include "memory/failing.h"
#include "stream_kit.h"

#define RING 4
#define SWEEP 60 // points of a frame
#define FRAMES 25
#define MAX_AGE 0.25
#define BASE 1000.0 // added to all times

// A point of a lidar: its number is in x, its time relative to BASE.
typedef struct timedPoint {
    float x, y, z;
    float seconds;
    double exactSeconds;
    uint32_t nanoseconds;
    uint64_t longNanoseconds;
} timedPoint;

static const struct {
    wkTimeType type;
    int32_t offset;
} timeRows[] = {
    {wk_timeFloat, offsetof(timedPoint, seconds)},
    {wk_timeDouble, offsetof(timedPoint, exactSeconds)},
    {wk_timeNanoseconds32, offsetof(timedPoint, nanoseconds)},
    {wk_timeNanoseconds64, offsetof(timedPoint, longNanoseconds)},
};

#define TIME_ROWS ((int)(sizeof timeRows / sizeof timeRows[0]))

// The time of a point as a view of some type has it; NaN: not known.
static double timeOf(const timedPoint* point, int row)
{
    const double times[] = {(double)point->seconds, point->exactSeconds,
                            1e-9 * (double)point->nanoseconds,
                            1e-9 * (double)point->longNanoseconds};
    return BASE + times[row];
}

static wkCloudFrame frameOfTimed(const timedPoint* points, int64_t count, int row)
{
    wkCloudFrame frame = wkDefaultCloudFrame();
    frame.points = wkMakeCloudView(points, count);
    frame.points.stride = sizeof *points;
    frame.points.timeOffset = timeRows[row].offset;
    frame.points.timeType = timeRows[row].type;
    frame.points.timeBase = BASE;
    return frame;
}

static void setTime(timedPoint* point, double time)
{
    point->seconds = (float)time;
    point->exactSeconds = time;
    point->nanoseconds = (uint32_t)llround(1e9 * time);
    point->longNanoseconds = (uint64_t)llround(1e9 * time);
}

// Sweeps of 0.1 s, one after the other. Some points are out of order, some have no time, some are not finite.
static void makeSweeps(wkRng* rng, timedPoint sweeps[FRAMES][SWEEP])
{
    for (int k = 0; k < FRAMES; ++k) {
        for (int i = 0; i < SWEEP; ++i) {
            timedPoint* p = &sweeps[k][i];
            double part = i == SWEEP - 1        ? 1.0
                          : wkRngChance(rng, 5) ? wkRngUnit(rng)
                                                : (double)i / SWEEP;
            *p = (timedPoint){.x = (float)(k * SWEEP + i), .y = 900.0f, .z = 0.0f};
            setTime(p, 0.1 * (k + part));
            bool isUnknown = i < SWEEP - 1 && wkRngChance(rng, 15);
            p->exactSeconds = isUnknown ? NAN : p->exactSeconds;
            p->seconds = isUnknown ? NAN : p->seconds;
            p->z = i < SWEEP - 1 && wkRngChance(rng, 20) ? INFINITY : 0.0f;
        }
    }
}

// Which numbers are in the scene; none of them twice.
static void findShown(const wkRobotScene* scene, bool* isShown)
{
    const wkCloud* clouds[WK_MAX_STREAM_FRAMES];
    wkPose poses[WK_MAX_STREAM_FRAMES];
    int count = cloudsOf(scene, clouds, poses);
    memset(isShown, 0, FRAMES * SWEEP * sizeof *isShown);
    for (int i = 0; i < count; ++i) {
        for (int32_t n = 0; n < wkCloud_Info(clouds[i]).pointCount; ++n) {
            double x = wkTransformPoint(poses[i], wkCloud_Point(clouds[i], n).position).x;
            long number = lround(x);
            assert_true(number >= 0 && number < FRAMES * SWEEP && !isShown[number]);
            isShown[number] = true;
        }
    }
}

// After frame `last`: the points of the last frames that are not too old, and those of the last frame in any case.
static void assertShown(const wkRobotScene* scene, timedPoint sweeps[FRAMES][SWEEP], int row,
                        int last, int64_t* oldCount)
{
    static bool isShown[FRAMES * SWEEP];
    findShown(scene, isShown);
    double now = timeOf(&sweeps[last][SWEEP - 1], row);
    for (int k = 0; k < FRAMES; ++k) {
        double frameTime = timeOf(&sweeps[k][SWEEP - 1], row);
        bool isThere = k <= last && k > last - RING && !(now - frameTime > MAX_AGE);
        for (int i = 0; i < SWEEP; ++i) {
            const timedPoint* p = &sweeps[k][i];
            bool isOld = now - timeOf(p, row) > MAX_AGE; // false where the time is not known
            bool isExpected = isThere && isfinite(p->z) && (k == last || !isOld);
            *oldCount += isThere && isOld;
            if (isShown[k * SWEEP + i] != isExpected) {
                fail_msg("after frame %d, point %d of frame %d, %g s old, is %s", last, i, k,
                         now - timeOf(p, row), isExpected ? "gone" : "there");
            }
        }
    }
}

static streamCase makeRing(void)
{
    streamCase c = makeStreamCase();
    c.def.frameCount = RING;
    c.def.maxAge = MAX_AGE;
    return c;
}

static void points_fade_by_their_own_time(void** unused)
{
    (void)unused;
    wkRng rng = wkMakeRng(21);
    static timedPoint sweeps[FRAMES][SWEEP];
    for (int row = 0; row < TIME_ROWS; ++row) {
        makeSweeps(&rng, sweeps);
        streamCase c = makeRing();
        wkFilterStep all = wkMakeRangeFilter((wkVec3d){0.0, 0.0, 0.0}, 0.0, 1e6);
        c.def.steps = &all;
        c.def.stepCount = row % 2; // fading and filters know nothing of each other
        c.def.sensor = wkMakePose(0.0, 5.0, 0.0);
        c.def.cloud.origin = (wkVec3d){30.0, 0.0, 0.0};
        openStream(&c);
        int64_t oldCount = 0, shownCount = 0;
        for (int k = 0; k < FRAMES; ++k) {
            wkCloudFrame frame = frameOfTimed(sweeps[k], SWEEP, row);
            if (wkCloudStream_Push(c.stream, &frame) != wk_ok) {
                fail_msg("%s", wkGetLastError());
            }
            wkCloudStreamInfo info = wkCloudStream_Info(c.stream);
            assertShown(c.scene, sweeps, row, k, &oldCount);
            const wkRobotScene* snapshot = wkRobotScene_Acquire(c.scene);
            assertShown(snapshot, sweeps, row, k, &oldCount);
            wkRobotScene_Release(snapshot);
            shownCount += info.inputCount - info.notFiniteCount;
            assert_true(info.lastTime == timeOf(&sweeps[k][SWEEP - 1], row));
            assert_true(info.oldestAge <= MAX_AGE);
            assert_true(k < RING || info.oldestAge > MAX_AGE - 0.02);
            assert_int_equal(info.pointCount + info.fadedCount + info.replacedCount, shownCount);
        }
        assert_true(oldCount > 100);
        freeStreamCase(&c);
    }
}

// Between two frames, frames go as a whole: when their last point is too old, and not before.
static void without_frames_whole_frames_fade(void** unused)
{
    (void)unused;
    wkRng rng = wkMakeRng(22);
    static timedPoint sweeps[FRAMES][SWEEP];
    makeSweeps(&rng, sweeps);
    streamCase c = makeRing();
    c.def.staleAfter = 0.5;
    openStream(&c);
    for (int k = 0; k < 3; ++k) {
        wkCloudFrame frame = frameOfTimed(sweeps[k], SWEEP, 1);
        assert_int_equal(wkCloudStream_Push(c.stream, &frame), wk_ok);
    }
    wkCloudStreamInfo before = wkCloudStream_Info(c.stream);
    const struct {
        double age; // of the last point of the first frame
        int frames;
    } rows[] = {{MAX_AGE - 0.01, 3}, {MAX_AGE + 0.01, 2}, {MAX_AGE + 0.09, 2}, {MAX_AGE + 0.2, 1}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        double now = timeOf(&sweeps[0][SWEEP - 1], 1) + rows[i].age;
        assert_int_equal(wkCloudStream_Expire(c.stream, now), wk_ok);
        wkCloudStreamInfo info = wkCloudStream_Info(c.stream);
        assert_int_equal(info.frameCount, rows[i].frames);
        assert_true(i > 0 || info.pointCount == before.pointCount);
        assert_int_equal(info.pointCount + info.fadedCount, before.pointCount + before.fadedCount);
        assert_false(info.isStale);
    }
    // a sensor that stopped keeps its last frame, which is no proof of anything any more
    int64_t last = wkCloudStream_Info(c.stream).pointCount;
    assert_int_equal(wkCloudStream_Expire(c.stream, BASE + 1e4), wk_ok);
    assert_int_equal(wkCloudStream_Info(c.stream).pointCount, last);
    assert_int_equal(verdictOf(c.scene, c.state), wk_verdictInvalid);
    freeStreamCase(&c);
}

// A young point that stands for an old one, or an old one for a young one, is an obstacle.
static void merged_points_live_as_long_as_the_youngest(void** unused)
{
    (void)unused;
    wkRng rng = wkMakeRng(23);
    for (int k = 0; k < WK_CASES(40); ++k) {
        streamCase c = makeRing();
        c.def.cloud.spacing = k % 2 == 0 ? 0.5 : 0.0;
        c.def.cloud.mergesDuplicates = k % 2 == 1;
        openStream(&c);
        timedPoint points[SWEEP];
        for (int i = 0; i < SWEEP; ++i) {
            points[i] = (timedPoint){.x = (float)(wkRngBelow(&rng, 8)), .y = 9.0f, .z = 9.0f};
            setTime(&points[i], wkRngUnit(&rng));
        }
        wkCloudFrame frame = frameOfTimed(points, SWEEP, 1);
        assert_int_equal(wkCloudStream_Push(c.stream, &frame), wk_ok);
        double now = BASE + 0.99;
        timedPoint far = {.x = 1e3f};
        setTime(&far, now - BASE);
        wkCloudFrame next = frameOfTimed(&far, 1, 1);
        wkResult result = wkCloudStream_Push(c.stream, &next);
        if (result != wk_ok) { // the last point was later
            assert_int_equal(result, wk_errorRange);
            now = BASE + 1.01;
            setTime(&far, now - BASE);
            assert_int_equal(wkCloudStream_Push(c.stream, &next), wk_ok);
        }
        for (int i = 0; i < SWEEP; ++i) {
            wkShape probe = wkMakeSphere(1e-6);
            wkPose at = wkMakePose((double)points[i].x, 9.0, 9.0);
            const wkScene* world = wkRobotScene_World(c.scene);
            bool isThere = wkScene_CollideShape(world, &probe, at, NULL).isTouching;
            assert_true(isThere || now - timeOf(&points[i], 1) > MAX_AGE);
        }
        assert_true(wkCloudStream_Info(c.stream).fadedCount >= 0);
        freeStreamCase(&c);
    }
}

// Of two points in a voxel the older one is kept: it stands for the other one until both are too old.
static void voxels_fade_with_their_frame(void** unused)
{
    (void)unused;
    streamCase c = makeRing();
    wkFilterStep voxels = wkMakeVoxelFilter(1.0);
    c.def.steps = &voxels;
    c.def.stepCount = 1;
    openStream(&c);
    timedPoint points[2] = {{.x = 5.5f, .y = 9.5f, .z = 9.5f}, {.x = 5.1f, .y = 9.1f, .z = 9.1f}};
    setTime(&points[0], 0.0);
    setTime(&points[1], 0.2);
    wkCloudFrame frame = frameOfTimed(points, 2, 1);
    assert_int_equal(wkCloudStream_Push(c.stream, &frame), wk_ok);
    assert_int_equal(wkCloudStream_Info(c.stream).mergedCount, 1);
    const struct {
        double time;
        bool isThere;
    } rows[] = {{0.3, true}, {0.44, true}, {0.46, false}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        timedPoint far = {.x = 1e3f};
        setTime(&far, rows[i].time);
        wkCloudFrame next = frameOfTimed(&far, 1, 1);
        assert_int_equal(wkCloudStream_Push(c.stream, &next), wk_ok);
        wkShape probe = wkMakeSphere(1e-6);
        const wkScene* world = wkRobotScene_World(c.scene);
        wkPose at = wkMakePose((double)points[1].x, (double)points[1].y, (double)points[1].z);
        assert_int_equal(wkScene_CollideShape(world, &probe, at, NULL).isTouching, rows[i].isThere);
    }
    freeStreamCase(&c);
}

static void times_that_make_no_sense_are_refused(void** unused)
{
    (void)unused;
    streamCase c = makeRing();
    openStream(&c);
    timedPoint points[2] = {{.x = 1.0f, .y = 9.0f}, {.x = 2.0f, .y = 9.0f}};
    setTime(&points[0], 5.0);
    setTime(&points[1], 5.1);
    wkCloudFrame good = frameOfTimed(points, 2, 1);
    assert_int_equal(wkCloudStream_Push(c.stream, &good), wk_ok);
    assert_true(wkCloudStream_Info(c.stream).lastTime == BASE + 5.1);
    timedPoint unknown[2] = {points[0], points[1]}, earlier[2] = {points[0], points[1]};
    unknown[0].exactSeconds = INFINITY;
    unknown[1].exactSeconds = NAN;
    setTime(&earlier[1], 5.05);
    const struct {
        const timedPoint* points;
        double time, timeBase;
        int32_t offset;
        wkResult result;
        const char* words;
    } rows[] = {
        {unknown, NAN, BASE, 16, wk_errorNotFinite, "no finite point has a time"},
        {points, INFINITY, BASE, 16, wk_errorNotFinite, "time is inf"},
        {points, NAN, BASE, -1, wk_errorNotFinite, "no finite point has a time"},
        {earlier, NAN, BASE, 16, wk_errorRange, "before the last frame"},
        {points, BASE + 5.2, 0.0, 16, wk_errorRange, "timeBase missing"},
        {points, BASE + 5.2, 2.0 * BASE, 16, wk_errorRange, "timeBase missing"},
        {points, BASE + 5.2, NAN, 16, wk_errorNotFinite, "timeBase"},
        {points, BASE + 5.2, BASE, (int32_t)sizeof *points - 4, wk_errorRange, "end at byte"},
        {points, BASE + 5.2, BASE, -2, wk_errorRange, "timeOffset"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        wkCloudFrame bad = frameOfTimed(rows[i].points, 2, 1);
        bad.time = rows[i].time;
        bad.points.timeBase = rows[i].timeBase;
        bad.points.timeOffset = rows[i].offset;
        assert_int_equal(wkCloudStream_Push(c.stream, &bad), rows[i].result);
        assertSaid(rows[i].words);
        assert_int_equal(digitsOf(c.scene), 10);
        assert_int_equal(wkCloudStream_Info(c.stream).refusedCount, i + 1);
    }
    // the last point may be somewhat later or earlier than the time of the frame, and fades by its own
    good.time = BASE + 5.2;
    setTime(&points[1], 5.3);
    assert_int_equal(wkCloudStream_Push(c.stream, &good), wk_ok);
    assert_true(wkCloudStream_Info(c.stream).lastTime == BASE + 5.2);
    // a frame without points has its time alone, and is refused for another reason
    wkCloudFrame none = frameOfTimed(points, 0, 1);
    none.time = BASE + 5.3;
    assert_int_equal(wkCloudStream_Push(c.stream, &none), wk_errorRange);
    assertSaid("minPointCount");
    freeStreamCase(&c);
}

// The last point is later than the time of its frame: the frame fades by the point.
static void later_points_keep_their_frame(void** unused)
{
    (void)unused;
    streamCase c = makeRing();
    openStream(&c);
    timedPoint points[2] = {{.x = 1.0f, .y = 9.0f}, {.x = 2.0f, .y = 9.0f}};
    setTime(&points[0], 0.0);
    setTime(&points[1], 0.2);
    wkCloudFrame frame = frameOfTimed(points, 2, 1);
    frame.time = BASE + 0.0;
    assert_int_equal(wkCloudStream_Push(c.stream, &frame), wk_ok);
    const struct {
        double time;
        long points, frames;
    } rows[] = {{0.2, 3, 2}, {0.3, 3, 3}, {0.44, 4, 4}, {0.46, 3, 3}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        wkCloudFrame next = frameOfTimed(points, 1, 1);
        next.points.timeOffset = -1;
        next.time = BASE + rows[i].time;
        assert_int_equal(wkCloudStream_Push(c.stream, &next), wk_ok);
        assert_int_equal(wkCloudStream_Info(c.stream).pointCount, rows[i].points);
        assert_int_equal(wkCloudStream_Info(c.stream).frameCount, rows[i].frames);
    }
    freeStreamCase(&c);
}

// Poses that come too late leave out all points of a frame, which shows as little as that of a covered lens.
static void frames_without_known_poses_are_refused(void** unused)
{
    (void)unused;
    streamCase c = makeRing();
    c.def.minPointCount = 2;
    openStream(&c);
    timedPoint points[4];
    for (int i = 0; i < 4; ++i) {
        points[i] = (timedPoint){.x = (float)i, .y = 9.0f};
        setTime(&points[i], 0.01 * i);
    }
    wkTimedPose poses[2] = {{BASE - 1.0, wkIdentityPose()}, {BASE - 0.8, wkIdentityPose()}};
    wkCloudFrame frame = frameOfTimed(points, 4, 1);
    frame.poses = poses;
    frame.poseCount = 2;
    frame.dropsUnknown = true;
    for (int knownCount = 0; knownCount < 2; ++knownCount) {
        poses[1].time = knownCount == 0 ? BASE - 0.8 : BASE + 0.005;
        frame.maxInterval = 2.0;
        assert_int_equal(wkCloudStream_Push(c.stream, &frame), wk_errorRange);
        assertSaid(knownCount == 0 ? "0 of 4 points are finite and have a known pose, minPointCount"
                                   : "1 of 4 points are finite and have a known pose");
        assert_true(wkCloudStream_Info(c.stream).isStale);
        assert_int_equal(verdictOf(c.scene, c.state), wk_verdictInvalid);
    }
    poses[1].time = BASE + 0.015;
    assert_int_equal(wkCloudStream_Push(c.stream, &frame), wk_ok);
    assert_int_equal(wkCloudStream_Info(c.stream).unknownCount, 2);
    assert_int_equal(wkCloudStream_Info(c.stream).pointCount, 2);
    freeStreamCase(&c);
}

// Where a lidar is that rotates and moves, seconds after BASE.
static wkPose lidarAt(double time)
{
    wkPose pose = {{0.3 + 2.0 * time, -1.5 * time, 0.2 * time},
                   wkMakeQuat((wkVec3d){0.1, 0.2, 1.0}, 0.7 + 3.0 * time)};
    return pose;
}

// Each point at its own pose is on a wall, and the wall fades point by point, too.
static void sweeps_of_a_moving_sensor_fade_in_the_world(void** unused)
{
    (void)unused;
    wkRng rng = wkMakeRng(24);
    streamCase c = makeRing();
    openStream(&c);
    timedPoint points[SWEEP];
    static wkTimedPose poses[200];
    for (int i = 0; i < 200; ++i) {
        poses[i] = (wkTimedPose){BASE + 0.02 * i, lidarAt(0.02 * i)};
    }
    for (int k = 0; k < 8; ++k) {
        for (int i = 0; i < SWEEP; ++i) {
            double time = 0.1 * (k + (double)i / (SWEEP - 1));
            wkVec3d wall = {4.0, time, wkRngRange(&rng, 0.0, 2.0)};
            wkVec3d p = wkTransformPoint(wkInvPose(lidarAt(time)), wall);
            points[i] = (timedPoint){.x = (float)p.x, .y = (float)p.y, .z = (float)p.z};
            setTime(&points[i], time);
        }
        points[3].y = NAN;
        points[4].exactSeconds = -7.0; // before all poses
        wkCloudFrame frame = frameOfTimed(points, SWEEP, 1);
        frame.poses = poses;
        frame.poseCount = 200;
        assert_int_equal(wkCloudStream_Push(c.stream, &frame), wk_errorRange);
        assertSaid("no pose is known");
        frame.dropsUnknown = true;
        assert_int_equal(wkCloudStream_Push(c.stream, &frame), wk_ok);
        wkCloudStreamInfo info = wkCloudStream_Info(c.stream);
        assert_true(info.notFiniteCount == 1 && info.unknownCount == 1);
        const wkCloud* clouds[WK_MAX_STREAM_FRAMES];
        wkPose placed[WK_MAX_STREAM_FRAMES];
        int count = cloudsOf(c.scene, clouds, placed);
        assert_int_equal(count, k < 2 ? k + 1 : 3);
        for (int i = 0; i < count; ++i) {
            for (int32_t n = 0; n < wkCloud_Info(clouds[i]).pointCount; ++n) {
                wkVec3d p = wkTransformPoint(placed[i], wkCloud_Point(clouds[i], n).position);
                assert_true(fabs(p.x - 4.0) < 1e-5 && info.lastTime - BASE - p.y < MAX_AGE + 1e-5);
            }
        }
    }
    wkCloudFrame both = frameOfTimed(points, SWEEP, 1);
    both.poses = poses;
    both.poseCount = 200;
    both.pose = &poses[0].pose;
    assert_int_equal(wkCloudStream_Push(c.stream, &both), wk_errorArgument);
    assertSaid("pose and poses");
    freeStreamCase(&c);
}

// Views of a camera on a link, each at its own configuration, are one frame.
static void concatenated_views_are_a_frame(void** unused)
{
    (void)unused;
    wkRng rng = wkMakeRng(25);
    streamCase c = makeStreamCase();
    openStream(&c);
    wkCloudBuilder* builder;
    assert_int_equal(wkCloudBuilder_Create(&builder), wk_ok);
    int32_t link = wkRobot_FindLink(c.robot, "head_camera");
    float points[2 * SWEEP][3];
    for (int k = 0; k < 3; ++k) {
        double q[32];
        uint64_t seed = wkRngNext(&rng);
        wkRobot_RandomConfiguration(c.robot, &seed, q);
        assert_int_equal(wkRobotState_Set(c.state, wkIdentityPose(), q), wk_ok);
        randomPoints(&rng, points[0], 2 * SWEEP);
        wkSensorViewDef view = wkDefaultSensorViewDef();
        view.points = wkMakeCloudView(points, 2 * SWEEP);
        view.pose = wkRobotState_LinkPose(c.state, link);
        assert_int_equal(wkCloudBuilder_AddView(builder, &view), wk_ok);
    }
    wkCloudFrame frame = wkDefaultCloudFrame();
    frame.points = wkCloudBuilder_View(builder);
    frame.time = 1.0;
    assert_int_equal(wkCloudStream_Push(c.stream, &frame), wk_ok);
    wkCloud* expected;
    assert_int_equal(wkCloudBuilder_Build(builder, NULL, &expected), wk_ok);
    const wkCloud* clouds[WK_MAX_STREAM_FRAMES];
    wkPose poses[WK_MAX_STREAM_FRAMES];
    assert_int_equal(cloudsOf(c.scene, clouds, poses), 1);
    size_t byteCount = wkCloud_Info(expected).byteCount;
    assert_int_equal(wkCloud_Info(clouds[0]).byteCount, byteCount);
    assert_memory_equal(wkCloud_Block(clouds[0]), wkCloud_Block(expected), byteCount);
    assert_int_equal(wkCloudBuilder_View(NULL).count, 0);
    wkCloud_Destroy(expected);
    wkCloudBuilder_Destroy(builder);
    freeStreamCase(&c);
}

// One allocation fails while a frame comes, at whose time half of the frame before is too old.
static wkResult fadeWithoutMemory(long failAt)
{
    failing counted = {0, -1, 0};
    wkAllocator allocator = {allocateOrFail, releaseCounted, &counted};
    wkSetAllocator(&allocator);
    streamCase c = makeRing();
    openStream(&c);
    timedPoint points[2] = {{.x = 1.0f, .y = 9.0f}, {.x = 0.0f, .y = 9.0f}};
    setTime(&points[1], 0.2);
    wkTimedPose poses[2] = {{BASE, wkIdentityPose()}, {BASE + 0.5, wkIdentityPose()}};
    wkCloudFrame frame = frameOfTimed(points, 2, 1);
    assert_int_equal(wkCloudStream_Push(c.stream, &frame), wk_ok);
    timedPoint next = {.x = 3.0f, .y = 9.0f};
    setTime(&next, 0.3);
    frame.points.data = &next;
    frame.points.count = 1;
    frame.poses = poses;
    frame.poseCount = 2;
    counted.callCount = 0;
    counted.failAt = failAt;
    wkResult result = wkCloudStream_Push(c.stream, &frame);
    counted.failAt = -1;
    wkCloudStreamInfo info = wkCloudStream_Info(c.stream);
    assert_true(result == wk_ok || result == wk_errorMemory);
    assert_int_equal(info.pointCount, 2); // the young one and the new one, or both old ones
    assert_int_equal(info.fadedCount, result == wk_ok ? 1 : 0);
    assert_int_equal(info.refusedCount, result == wk_ok ? 0 : 1);
    assert_int_equal(wkCloudStream_Push(c.stream, &frame), wk_ok);
    assert_int_equal(wkCloudStream_Info(c.stream).pointCount, result == wk_ok ? 3 : 2);
    freeStreamCase(&c);
    assert_int_equal(counted.allocatedBytes, 0);
    wkSetAllocator(NULL);
    return result;
}

static void fading_without_memory_changes_nothing(void** unused)
{
    (void)unused;
    int n = 0;
    while (fadeWithoutMemory(n) != wk_ok) {
        ++n;
    }
    assert_true(n > 12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_fade_by_their_own_time),
        cmocka_unit_test(without_frames_whole_frames_fade),
        cmocka_unit_test(merged_points_live_as_long_as_the_youngest),
        cmocka_unit_test(voxels_fade_with_their_frame),
        cmocka_unit_test(times_that_make_no_sense_are_refused),
        cmocka_unit_test(later_points_keep_their_frame),
        cmocka_unit_test(frames_without_known_poses_are_refused),
        cmocka_unit_test(sweeps_of_a_moving_sensor_fade_in_the_world),
        cmocka_unit_test(concatenated_views_are_a_frame),
        cmocka_unit_test(fading_without_memory_changes_nothing),
    };
    return cmocka_run_group_tests_name("points that fade", tests, NULL, NULL);
}
