// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// One thread pushes the frames of a sensor; others hold snapshots for as long as they like and ask about them.
// Every snapshot has whole frames, or halves of which the other half has faded, whose clouds are there until it is
// released.

#include "kit.h"
#include "robot_readers.h"

#include "whisker/cloud_stream.h"

#define FRAME_COUNT 120
#define RING_COUNT 3
#define POINT_COUNT 200

typedef struct lidar {
    robotReaders robot;
    wkCloudStream* stream;
    long touchCounts[WK_READER_COUNT];
} lidar;

typedef struct timedPoint {
    float x, y, z, time;
} timedPoint;

// Every point of a frame is at the same height: that of the robot in every eighth frame, else far above. The
// number of the frame is in x. Half of the points are a second older than the others.
static void pushFrame(lidar* l, int number)
{
    timedPoint points[POINT_COUNT];
    float height = number % 8 == 0 ? 0.2f : 50.0f + (float)(number % 8);
    for (int i = 0; i < POINT_COUNT; ++i) {
        points[i] = (timedPoint){0.0001f * (float)number, 0.0001f * (float)i, height,
                                 (float)(number - i % 2)};
    }
    wkCloudFrame frame = wkDefaultCloudFrame();
    frame.points = wkMakeCloudView(points, POINT_COUNT);
    frame.points.stride = sizeof(timedPoint);
    frame.points.timeOffset = offsetof(timedPoint, time);
    frame.state = l->robot.built.state;
    assert_int_equal(wkCloudStream_Push(l->stream, &frame), wk_ok);
}

// Reads every point of a snapshot.
// @param isInside set to whether one of them is in the robot
static long readPoints(const wkRobotScene* snapshot, bool* isInside)
{
    *isInside = false;
    int32_t object = wkRobotScene_Find(snapshot, "lidar");
    long brokenCount = wkRobotScene_Object(snapshot, object).shapeCount == RING_COUNT ? 0 : 1;
    for (int32_t i = 0; i < RING_COUNT; ++i) {
        const wkCloud* cloud = wkRobotScene_ObjectShape(snapshot, object, i, NULL)->cloud;
        int32_t count = wkCloud_Info(cloud).pointCount;
        brokenCount += count == 0 || count == POINT_COUNT / 2 || count == POINT_COUNT ? 0 : 1;
        for (int32_t k = 0; k < count; ++k) {
            wkVec3d p = wkCloud_Point(cloud, k).position, first = wkCloud_Point(cloud, 0).position;
            brokenCount += p.x == first.x && p.z == first.z ? 0 : 1;
            *isInside |= p.z < 10.0;
        }
    }
    return brokenCount;
}

static long readScene(void* context, int reader)
{
    lidar* l = (lidar*)context;
    wkRobotRequest request = wkDefaultRobotRequest();
    request.checksSelf = false;
    const wkRobotScene* snapshot = wkRobotScene_Acquire(l->robot.built.scene);
    bool isInside, isInsideAgain;
    long brokenCount = readPoints(snapshot, &isInside);
    // some hold a snapshot while many frames come
    for (int k = 0; k < 1 + 40 * reader; ++k) {
        wkVerdict verdict = wkRobotScene_Check(snapshot, l->robot.states[reader], &request).verdict;
        brokenCount += verdict == (isInside ? wk_verdictWorld : wk_verdictFree) ? 0 : 1;
        brokenCount += wkCloudStream_IsFresh(l->stream, 0.0) ? 0 : 1;
    }
    brokenCount += readPoints(snapshot, &isInsideAgain) + (isInside == isInsideAgain ? 0 : 1);
    wkRobotScene_Release(snapshot);
    l->touchCounts[reader] += isInside;
    return brokenCount;
}

static void readers_keep_the_frames_of_their_snapshots(void** unused)
{
    (void)unused;
    lidar l = {.robot = makeRobotReaders()};
    wkFilterStep near = wkMakeDistanceFilter((wkFilterRobot){0}, 100.0); // keeps all of them
    wkCloudStreamDef def = wkDefaultCloudStreamDef();
    def.scene = l.robot.built.scene;
    def.name = "lidar";
    def.frameCount = RING_COUNT;
    def.maxAge = 1.5;
    def.staleAfter = FRAME_COUNT + 1; // frames are fresh at time 0, which readers ask about
    def.steps = &near;
    def.stepCount = 1;
    assert_int_equal(wkCloudStream_Create(&def, &l.stream), wk_ok);
    pushFrame(&l, 1);
    wkReaders_Start(&l.robot.readers, readScene, &l);
    for (int number = 2; number <= FRAME_COUNT; ++number) {
        pushFrame(&l, number);
        assert_int_equal(wkCloudStream_Expire(l.stream, number + 0.6), wk_ok);
        wkPause(0.002);
    }
    wkReaders_Stop(&l.robot.readers);
    assert_true(l.touchCounts[0] > 0);
    assert_true(wkCloudStream_Info(l.stream).fadedCount > 0);
    wkCloudStream_Destroy(l.stream);
    freeRobotReaders(&l.robot);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(readers_keep_the_frames_of_their_snapshots),
    };
    return cmocka_run_group_tests_name("frames of snapshots", tests, NULL, NULL);
}
