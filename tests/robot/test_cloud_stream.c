// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Streams of clouds in robot scenes: which frames are there, where they are, when they fade or go stale, and how
// long their clouds live.

#include "cases.h"
#include "robot/cloud_stream_impl.h"
#include "stream_kit.h"

#include <math.h>

static void a_ring_keeps_the_last_frames(void** unused)
{
    (void)unused;
    streamCase c = makeStreamCase();
    c.def.frameCount = 3;
    openStream(&c);
    const long expected[] = {1, 11, 111, 1110, 11100, 111000};
    for (int k = 0; k < 6; ++k) {
        assert_int_equal(pushPoint(&c, (float)k, 9.0f, 9.0f, 0.1 * k), wk_ok);
        assert_int_equal(digitsOf(c.scene), expected[k]);
        const wkRobotScene* snapshot = wkRobotScene_Acquire(c.scene);
        assert_int_equal(digitsOf(snapshot), expected[k]);
        wkRobotScene_Release(snapshot);
        wkCloudStreamInfo info = wkCloudStream_Info(c.stream);
        assert_int_equal(info.frameCount, k < 3 ? k + 1 : 3);
        assert_int_equal(info.pointCount, info.frameCount);
        assert_int_equal(info.pushCount, k + 1);
        assert_int_equal(info.replacedCount, k < 3 ? 0 : k - 2);
        assert_true(fabs(info.oldestAge - 0.1 * (info.frameCount - 1)) < 1e-12);
        assert_true(info.lastTime == 0.1 * k && info.pushSeconds >= 0.0 && !info.isStale);
    }
    freeStreamCase(&c);
}

static void old_frames_fade_and_the_last_one_stays(void** unused)
{
    (void)unused;
    streamCase c = makeStreamCase();
    c.def.frameCount = 5;
    c.def.maxAge = 0.25;
    c.def.staleAfter = INFINITY;
    openStream(&c);
    for (int k = 0; k < 4; ++k) {
        assert_int_equal(pushPoint(&c, (float)k, 9.0f, 9.0f, 0.1 * k), wk_ok);
    }
    assert_int_equal(digitsOf(c.scene), 1110); // the first is 0.3 s old
    assert_int_equal(wkCloudStream_Expire(c.stream, 0.4), wk_ok);
    assert_int_equal(digitsOf(c.scene), 1100);
    assert_int_equal(wkCloudStream_Expire(c.stream, 0.2), wk_ok); // does not bring any back
    assert_int_equal(digitsOf(c.scene), 1100);
    assert_int_equal(wkCloudStream_Expire(c.stream, 1e9), wk_ok);
    assert_int_equal(digitsOf(c.scene), 1000);
    const wkRobotScene* snapshot = wkRobotScene_Acquire(c.scene);
    assert_int_equal(digitsOf(snapshot), 1000);
    wkRobotScene_Release(snapshot);
    assert_int_equal(wkCloudStream_Info(c.stream).frameCount, 1);
    assert_int_equal(wkCloudStream_Info(c.stream).fadedCount, 3);
    assert_true(wkCloudStream_Info(c.stream).oldestAge > 0.9e9);
    assert_false(wkCloudStream_Info(c.stream).isStale);
    assert_int_equal(pushPoint(&c, 4.0f, 9.0f, 9.0f, 0.5), wk_ok);
    assert_int_equal(digitsOf(c.scene), 11000);
    freeStreamCase(&c);
}

static void assertInvalid(const streamCase* c, const wkRobotScene* scene)
{
    assert_int_equal(verdictOf(scene, c->state), wk_verdictInvalid);
    assertSaid("object camera is out of date");
    wkRobotClearanceResult clearance = wkRobotScene_Clearance(scene, c->state, NULL, NULL, NULL);
    assert_true(clearance.distance == -INFINITY && clearance.status == wk_statusInvalid);
    const double* q = wkRobotState_Configuration(c->state);
    wkMotionResult motion = wkRobotScene_CheckMotion(scene, c->state, wkIdentityPose(), q, q, NULL);
    assert_int_equal(motion.verdict, wk_verdictInvalid);
    wkShape sphere = wkMakeSphere(0.1);
    wkSceneCollideResult touch =
        wkScene_CollideShape(wkRobotScene_World(scene), &sphere, wkMakePose(50.0, 0.0, 0.0), NULL);
    assert_true(touch.isTouching && touch.status == wk_statusInvalid);
    assertSaid("is out of date");
}

static void without_frames_queries_are_not_valid(void** unused)
{
    (void)unused;
    streamCase c = makeStreamCase();
    c.def.staleAfter = 0.5;
    openStream(&c);
    assertInvalid(&c, c.scene);
    assert_true(wkCloudStream_Info(c.stream).isStale && !wkCloudStream_IsFresh(c.stream, 0.0));
    assert_int_equal(pushPoint(&c, 9.0f, 9.0f, 9.0f, 10.0), wk_ok);
    wkVerdict fresh = verdictOf(c.scene, c.state);
    assert_int_equal(fresh, wk_verdictFree);
    assert_int_equal(wkCloudStream_Expire(c.stream, 10.5), wk_ok);
    assert_true(wkCloudStream_IsFresh(c.stream, 10.5));
    assert_false(wkCloudStream_IsFresh(c.stream, 10.6));
    assert_false(wkCloudStream_IsFresh(c.stream, NAN));
    assert_int_equal(verdictOf(c.scene, c.state), wk_verdictFree);
    const wkRobotScene* before = wkRobotScene_Acquire(c.scene);
    assert_int_equal(wkCloudStream_Expire(c.stream, 10.6), wk_ok);
    assertInvalid(&c, c.scene);
    const wkRobotScene* after = wkRobotScene_Acquire(c.scene);
    assertInvalid(&c, after);
    assert_int_equal(verdictOf(before, c.state), wk_verdictFree); // a snapshot never changes
    // neither a refresh nor a category makes it valid; a frame does
    assert_int_equal(wkRobotScene_Refresh(c.scene, "camera"), wk_ok);
    assert_int_equal(wkRobotScene_SetCategory(c.scene, "static", 0.01), wk_ok);
    assertInvalid(&c, c.scene);
    assert_int_equal(wkRobotScene_Attach(c.scene, c.state, "camera", "base_link", NULL, 0),
                     wk_errorState);
    assert_int_equal(pushPoint(&c, 9.0f, 9.0f, 9.0f, 20.0), wk_ok);
    assert_int_equal(verdictOf(c.scene, c.state), wk_verdictFree);
    // the clock of the sensor is ahead, so that the age of its frames is not known
    assert_true(wkCloudStream_IsFresh(c.stream, 19.6) && !wkCloudStream_IsFresh(c.stream, 19.4));
    assert_int_equal(wkCloudStream_Expire(c.stream, 19.6), wk_ok);
    assert_int_equal(verdictOf(c.scene, c.state), wk_verdictFree);
    assert_int_equal(wkCloudStream_Expire(c.stream, 11.0), wk_ok);
    assertInvalid(&c, c.scene);
    wkRobotScene_Release(before);
    wkRobotScene_Release(after);
    freeStreamCase(&c);
}

// A frame does not make valid what was out of date at the time that the program knows last.
static void frames_that_come_late_are_out_of_date(void** unused)
{
    (void)unused;
    streamCase c = makeStreamCase();
    c.def.staleAfter = 0.5;
    openStream(&c);
    const struct {
        double expire, push; // times; NaN: no call
        bool isStale;
    } rows[] = {
        {NAN, 1.0, false},    {100.0, NAN, true},    // nothing came for long
        {NAN, 2.0, true},     {NAN, 99.4, true},     // frames that waited elsewhere
        {NAN, 99.6, false},   {99.7, 200.0, false},  // time may have passed since
        {300.0, 201.0, true}, {200.9, 201.2, false}, // the last time counts, not the largest
        {150.0, NAN, true}, // frames are ahead of the clock, and the next one is, too
        {NAN, 201.3, true},   {201.4, NAN, true},    {NAN, 201.5, false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        if (!isnan(rows[i].expire)) {
            assert_int_equal(wkCloudStream_Expire(c.stream, rows[i].expire), wk_ok);
        }
        if (!isnan(rows[i].push)) {
            assert_int_equal(pushPoint(&c, 9.0f, 9.0f, 9.0f, rows[i].push), wk_ok);
        }
        const wkRobotScene* snapshot = wkRobotScene_Acquire(c.scene);
        wkVerdict expected = rows[i].isStale ? wk_verdictInvalid : wk_verdictFree;
        assert_int_equal(wkCloudStream_Info(c.stream).isStale, rows[i].isStale);
        assert_int_equal(verdictOf(c.scene, c.state), expected);
        assert_int_equal(verdictOf(snapshot, c.state), expected);
        wkRobotScene_Release(snapshot);
    }
    freeStreamCase(&c);
}

// The same frames as static objects of another scene.
static void assertLikeStatic(streamCase* c, wkRng* rng)
{
    wkRobotScene* plain;
    wkRobotSceneDef def = wkDefaultRobotSceneDef();
    def.robot = c->robot;
    assert_int_equal(wkRobotScene_Create(&def, &plain), wk_ok);
    const wkCloud* clouds[WK_MAX_STREAM_FRAMES];
    wkPose poses[WK_MAX_STREAM_FRAMES];
    int count = cloudsOf(c->scene, clouds, poses);
    assert_int_equal(count, wkCloudStream_Info(c->stream).frameCount);
    for (int i = 0; i < count; ++i) {
        char name[2] = {(char)('a' + i), '\0'};
        wkShape shape = wkMakeCloud(clouds[i]);
        wkRobotObjectDef object = wkDefaultRobotObjectDef();
        object.name = name;
        object.shapes = &shape;
        object.shapeCount = 1;
        object.pose = poses[i];
        assert_int_equal(wkRobotScene_Add(plain, &object), wk_ok);
    }
    double q[32];
    for (int k = 0; k < 3; ++k) {
        uint64_t seed = wkRngNext(rng);
        wkRobot_RandomConfiguration(c->robot, &seed, q);
        assert_int_equal(wkRobotState_Set(c->state, wkIdentityPose(), q), wk_ok);
        assert_int_equal(verdictOf(c->scene, c->state), verdictOf(plain, c->state));
        wkRobotRequest request = wkDefaultRobotRequest();
        request.checksSelf = false;
        double live = wkRobotScene_Clearance(c->scene, c->state, &request, NULL, NULL).distance;
        double fixed = wkRobotScene_Clearance(plain, c->state, &request, NULL, NULL).distance;
        assert_true(live == fixed);
    }
    wkRobotScene_Destroy(plain);
}

static void live_frames_answer_like_static_clouds(void** unused)
{
    (void)unused;
    wkRng rng = wkMakeRng(5);
    for (int frameCount = 1; frameCount <= 4; ++frameCount) {
        streamCase c = makeStreamCase();
        c.def.frameCount = frameCount;
        c.def.link = "head_camera";
        c.def.cloud.radius = 0.02;
        openStream(&c);
        for (int k = 0; k < WK_CASES(25); ++k) {
            float points[3 * 60];
            randomPoints(&rng, points, 60);
            wkCloudFrame frame = frameOf(points, wkRngBelow(&rng, 60) + 1, 0.1 * k);
            wkPose pose = {{wkRngRange(&rng, -0.5, 0.5), 0.0, 0.0}, wkRngRotation(&rng)};
            frame.pose = wkRngChance(&rng, 2) ? &pose : NULL;
            frame.state = c.state;
            assert_int_equal(wkCloudStream_Push(c.stream, &frame), wk_ok);
            assertLikeStatic(&c, &rng);
        }
        freeStreamCase(&c);
    }
}

static void a_sensor_on_a_link_moves_with_it(void** unused)
{
    (void)unused;
    wkRng rng = wkMakeRng(6);
    streamCase c = makeStreamCase();
    int32_t link = wkRobot_FindLink(c.robot, "head_camera");
    c.def.link = "head_camera";
    c.def.sensor = (wkPose){{0.1, 0.2, 0.3}, wkRngRotation(&rng)};
    c.def.cloud.origin = (wkVec3d){0.5, -0.25, 4.0};
    openStream(&c);
    for (int k = 0; k < 20; ++k) {
        double q[32];
        uint64_t seed = wkRngNext(&rng);
        wkRobot_RandomConfiguration(c.robot, &seed, q);
        assert_int_equal(wkRobotState_Set(c.state, wkMakePose(1.0, 2.0, 3.0), q), wk_ok);
        assert_int_equal(pushPoint(&c, 0.5f, 1.5f, 2.5f, k), wk_ok);
        const wkCloud* clouds[WK_MAX_STREAM_FRAMES];
        wkPose poses[WK_MAX_STREAM_FRAMES];
        assert_int_equal(cloudsOf(c.scene, clouds, poses), 1);
        wkVec3d found = wkTransformPoint(poses[0], wkCloud_Point(clouds[0], 0).position);
        wkPose sensor = wkMulPose(wkRobotState_LinkPose(c.state, link), c.def.sensor);
        wkVec3d expected = wkTransformPoint(sensor, (wkVec3d){0.5, 1.5, 2.5});
        assert_true(fabs(found.x - expected.x) < 1e-12 && fabs(found.y - expected.y) < 1e-12 &&
                    fabs(found.z - expected.z) < 1e-12);
    }
    freeStreamCase(&c);
}

// Every definition that differs by one field from a valid one.
static void definitions_that_make_no_sense_are_refused(void** unused)
{
    (void)unused;
    streamCase c = makeStreamCase();
    struct {
        wkCloudStreamDef def;
        wkResult result;
        const char* words;
    } rows[16];
    int count = 0;
#define ROW(field, value, expected, says)                                                          \
    rows[count].def = c.def;                                                                       \
    rows[count].def.field = value;                                                                 \
    rows[count].result = expected;                                                                 \
    rows[count++].words = says
    ROW(cookie, 0, wk_errorArgument, "wkDefaultCloudStreamDef");
    ROW(scene, NULL, wk_errorArgument, "scene");
    ROW(name, NULL, wk_errorArgument, "name");
    ROW(name, "", wk_errorArgument, "name");
    ROW(name, "base_link", wk_errorArgument, "taken");
    ROW(category, NULL, wk_errorArgument, "category");
    ROW(frameCount, 0, wk_errorRange, "frameCount");
    ROW(frameCount, WK_MAX_STREAM_FRAMES + 1, wk_errorRange, "frameCount");
    ROW(maxAge, -1.0, wk_errorRange, "maxAge");
    ROW(maxAge, NAN, wk_errorRange, "maxAge");
    ROW(staleAfter, 0.0, wk_errorRange, "staleAfter");
    ROW(minPointCount, -1, wk_errorRange, "minPointCount");
    ROW(link, "elbow", wk_errorArgument, "there is no link elbow");
    ROW(sensor.position.x, INFINITY, wk_errorNotFinite, "sensor");
    ROW(cloud.radius, -1.0, wk_errorRange, "radius");
    ROW(cloud.points.count, 1, wk_errorRange, "cloud.points.count");
#undef ROW
    for (int i = 0; i < count; ++i) {
        wkCloudStream* stream = (wkCloudStream*)&c;
        assert_int_equal(wkCloudStream_Create(&rows[i].def, &stream), rows[i].result);
        assert_null(stream);
        assertSaid(rows[i].words);
        assert_int_equal(wkRobotScene_Count(c.scene), 0);
    }
    assert_int_equal(wkCloudStream_Create(&c.def, NULL), wk_errorArgument);
    wkCloudStream* other;
    openStream(&c);
    assert_int_equal(wkCloudStream_Create(&c.def, &other), wk_errorArgument); // the name is taken
    assertSaid("camera is taken");
    freeStreamCase(&c);
}

static void frames_that_make_no_sense_change_nothing(void** unused)
{
    (void)unused;
    streamCase c = makeStreamCase();
    c.def.link = "head_camera";
    c.def.minPointCount = 2;
    openStream(&c);
    float points[9] = {1.0f, 9.0f, 9.0f, 2.0f, 9.0f, 9.0f, NAN, NAN, NAN};
    wkCloudFrame good = frameOf(points, 3, 5.0);
    good.state = c.state;
    assert_int_equal(wkCloudStream_Push(c.stream, &good), wk_ok);
    wkCloudStreamInfo info = wkCloudStream_Info(c.stream);
    assert_int_equal(info.inputCount, 3);
    assert_int_equal(info.notFiniteCount, 1);
    assert_int_equal(info.pointCount, 2);
    long before = digitsOf(c.scene);
    wkPose badPose = wkMakePose(NAN, 0.0, 0.0);
    wkCloudFrame bad[8];
    const wkResult results[8] = {wk_errorArgument, wk_errorNotFinite, wk_errorRange,
                                 wk_errorArgument, wk_errorNotFinite, wk_errorRange,
                                 wk_errorArgument, wk_errorArgument};
    const char* const words[8] = {"wkDefaultCloudFrame", "time",         "before the last frame",
                                  "on a link",           "pose",         "minPointCount",
                                  "data is NULL",        "poses is NULL"};
    for (int i = 0; i < 8; ++i) {
        bad[i] = good;
    }
    bad[0].cookie = 0;
    bad[1].time = NAN;
    bad[2].time = 4.9;
    bad[3].state = NULL;
    bad[4].pose = &badPose;
    bad[5].points.count = 1;
    bad[6].points.data = NULL;
    bad[7].poseCount = 10;
    for (int i = 0; i < 8; ++i) {
        assert_int_equal(wkCloudStream_Push(c.stream, &bad[i]), results[i]);
        assertSaid(words[i]);
        assert_int_equal(digitsOf(c.scene), before);
        assert_int_equal(wkCloudStream_Info(c.stream).refusedCount, i + 1);
        assert_int_equal(wkCloudStream_Info(c.stream).pushCount, 1);
    }
    assert_int_equal(wkCloudStream_Expire(c.stream, NAN), wk_errorNotFinite);
    assert_int_equal(wkCloudStream_Push(NULL, &good), wk_errorArgument);
    assert_int_equal(wkCloudStream_Expire(NULL, 0.0), wk_errorArgument);
    assert_int_equal(wkCloudStream_Info(NULL).pushCount, 0);
    assert_false(wkCloudStream_IsFresh(NULL, 0.0));
    // an object that is not the stream's any more is left alone
    assert_int_equal(wkRobotScene_Remove(c.scene, "camera"), wk_ok);
    assert_int_equal(wkCloudStream_Push(c.stream, &good), wk_errorState);
    assert_int_equal(wkCloudStream_Expire(c.stream, 6.0), wk_errorState);
    wkShape sphere = wkMakeSphere(0.1);
    wkRobotObjectDef other = wkDefaultRobotObjectDef();
    other.name = "camera";
    other.shapes = &sphere;
    other.shapeCount = 1;
    assert_int_equal(wkRobotScene_Add(c.scene, &other), wk_ok);
    assert_int_equal(wkCloudStream_Push(c.stream, &good), wk_errorState);
    assertSaid("removed or replaced");
    wkCloudStream_Destroy(c.stream);
    c.stream = NULL;
    assert_int_equal(wkRobotScene_Find(c.scene, "camera"), 0);
    freeStreamCase(&c);
}

// The set of a stream whose object was removed is freed, and that of another stream may get its memory.
static void a_stream_leaves_the_object_of_another_one_alone(void** unused)
{
    (void)unused;
    streamCase c = makeStreamCase();
    c.def.publishes = false;
    openStream(&c);
    assert_int_equal(pushPoint(&c, 1.0f, 9.0f, 9.0f, 1.0), wk_ok);
    wkCloudStream* old = c.stream;
    assert_int_equal(wkRobotScene_Remove(c.scene, "camera"), wk_ok);
    openStream(&c);
    assert_int_equal(pushPoint(&c, 2.0f, 9.0f, 9.0f, 2.0), wk_ok);
    old->current = c.stream->current;
    float point[3] = {3.0f, 9.0f, 9.0f};
    wkCloudFrame frame = frameOf(point, 1, 3.0);
    assert_int_equal(wkCloudStream_Push(old, &frame), wk_errorState);
    assertSaid("removed or replaced");
    assert_int_equal(wkCloudStream_Expire(old, 1e3), wk_errorState);
    wkCloudStream_Destroy(old);
    assert_int_equal(digitsOf(c.scene), 100);
    assert_int_equal(pushPoint(&c, 4.0f, 9.0f, 9.0f, 4.0), wk_ok);
    assert_int_equal(digitsOf(c.scene), 10000);
    freeStreamCase(&c);
}

static void snapshots_keep_their_clouds(void** unused)
{
    (void)unused;
    streamCase c = makeStreamCase();
    c.def.frameCount = 2;
    openStream(&c);
    for (int k = 0; k < 6; ++k) {
        assert_int_equal(pushPoint(&c, (float)(k % 2), 9.0f, 9.0f, k), wk_ok);
    }
    size_t settled = wkGetByteCount();
    const wkRobotScene* snapshots[3];
    for (int k = 0; k < 3; ++k) {
        assert_int_equal(pushPoint(&c, (float)(2 + k), 9.0f, 9.0f, 10 + k), wk_ok);
        snapshots[k] = wkRobotScene_Acquire(c.scene);
    }
    for (int k = 0; k < 10; ++k) {
        assert_int_equal(pushPoint(&c, 0.0f, 9.0f, 9.0f, 20 + k), wk_ok);
    }
    assert_int_equal(digitsOf(snapshots[0]), 110);
    assert_int_equal(digitsOf(snapshots[1]), 1100);
    assert_int_equal(digitsOf(snapshots[2]), 11000);
    assert_int_equal(digitsOf(c.scene), 2);
    assert_true(wkGetByteCount() > settled);
    for (int k = 0; k < 3; ++k) {
        wkRobotScene_Release(snapshots[k]);
    }
    for (int k = 0; k < 3; ++k) {
        assert_int_equal(pushPoint(&c, 1.0f, 9.0f, 9.0f, 40 + k), wk_ok);
    }
    // slots of snapshots stay, clouds do not: memory is that of three snapshots at most
    size_t slots = wkGetByteCount();
    for (int k = 0; k < 50; ++k) {
        assert_int_equal(pushPoint(&c, 1.0f, 9.0f, 9.0f, 50 + k), wk_ok);
        assert_int_equal(wkGetByteCount(), slots);
    }
    // a stream that ends while a snapshot has its clouds
    const wkRobotScene* last = wkRobotScene_Acquire(c.scene);
    wkCloudStream_Destroy(c.stream);
    c.stream = NULL;
    assert_int_equal(wkRobotScene_Count(c.scene), 0);
    assert_int_equal(digitsOf(last), 20);
    wkRobotScene_Release(last);
    freeStreamCase(&c);
}

static void without_publishing_there_are_no_snapshots(void** unused)
{
    (void)unused;
    streamCase c = makeStreamCase();
    c.def.publishes = false;
    openStream(&c);
    assert_int_equal(pushPoint(&c, 1.0f, 9.0f, 9.0f, 0.0), wk_ok);
    assert_null(wkRobotScene_Acquire(c.scene));
    assert_int_equal(digitsOf(c.scene), 10);
    freeStreamCase(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ring_keeps_the_last_frames),
        cmocka_unit_test(old_frames_fade_and_the_last_one_stays),
        cmocka_unit_test(without_frames_queries_are_not_valid),
        cmocka_unit_test(frames_that_come_late_are_out_of_date),
        cmocka_unit_test(live_frames_answer_like_static_clouds),
        cmocka_unit_test(a_sensor_on_a_link_moves_with_it),
        cmocka_unit_test(definitions_that_make_no_sense_are_refused),
        cmocka_unit_test(frames_that_make_no_sense_change_nothing),
        cmocka_unit_test(a_stream_leaves_the_object_of_another_one_alone),
        cmocka_unit_test(snapshots_keep_their_clouds),
        cmocka_unit_test(without_publishing_there_are_no_snapshots),
    };
    return cmocka_run_group_tests_name("cloud streams", tests, NULL, NULL);
}
