// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// One thread pushes the frames of a sensor; others hold snapshots for as long as they like and ask about them.
// Every snapshot has whole frames, whose clouds are there until it is released.

#include "kit.h"

#include "whisker/cloud_stream.h"

#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

#define READER_COUNT 3
#define FRAME_COUNT 120
#define RING_COUNT 3
#define POINT_COUNT 200

typedef struct job {
    const wkRobotScene* scene;
    const wkCloudStream* stream;
    atomic_bool* isOver;
    int number;
    long queryCount;
    long touchCount;
    long brokenCount;
} job;

// Every point of a frame is at the same height: that of the robot in every eighth frame, else far above. The
// number of the frame is in x.
static void makeFrame(int number, float* points)
{
    float height = number % 8 == 0 ? 0.2f : 50.0f + (float)(number % 8);
    for (int i = 0; i < POINT_COUNT; ++i) {
        points[3 * i] = 0.0001f * (float)number;
        points[3 * i + 1] = 0.0001f * (float)i;
        points[3 * i + 2] = height;
    }
}

// Reads every point of a snapshot.
// @return whether one of them is in the robot
static bool readPoints(job* j, const wkRobotScene* snapshot)
{
    bool isInside = false;
    int32_t object = wkRobotScene_Find(snapshot, "lidar");
    j->brokenCount += wkRobotScene_Object(snapshot, object).shapeCount == RING_COUNT ? 0 : 1;
    for (int32_t i = 0; i < RING_COUNT; ++i) {
        const wkCloud* cloud = wkRobotScene_ObjectShape(snapshot, object, i, NULL)->cloud;
        int32_t count = wkCloud_Info(cloud).pointCount;
        j->brokenCount += count == 0 || count == POINT_COUNT ? 0 : 1;
        for (int32_t k = 0; k < count; ++k) {
            wkVec3d p = wkCloud_Point(cloud, k).position, first = wkCloud_Point(cloud, 0).position;
            j->brokenCount += p.x == first.x && p.z == first.z ? 0 : 1;
            isInside |= p.z < 10.0;
        }
    }
    return isInside;
}

static void* readScene(void* argument)
{
    job* j = (job*)argument;
    wkRobotState* state;
    if (wkRobotState_Create(wkRobotScene_Robot(j->scene), &state) != wk_ok) {
        ++j->brokenCount;
        return NULL;
    }
    wkRobotRequest request = wkDefaultRobotRequest();
    request.checksSelf = false;
    while (!atomic_load(j->isOver)) {
        const wkRobotScene* snapshot = wkRobotScene_Acquire(j->scene);
        bool isInside = readPoints(j, snapshot);
        // some hold a snapshot while many frames come
        for (int k = 0; k < 1 + 40 * j->number; ++k) {
            wkVerdict verdict = wkRobotScene_Check(snapshot, state, &request).verdict;
            j->brokenCount += verdict == (isInside ? wk_verdictWorld : wk_verdictFree) ? 0 : 1;
            j->brokenCount += wkCloudStream_IsFresh(j->stream, 0.0) ? 0 : 1;
        }
        j->touchCount += isInside;
        j->brokenCount += readPoints(j, snapshot) == isInside ? 0 : 1;
        wkRobotScene_Release(snapshot);
        ++j->queryCount;
    }
    wkRobotState_Destroy(state);
    return NULL;
}

static void pushFrame(wkCloudStream* stream, int number)
{
    float points[3 * POINT_COUNT];
    makeFrame(number, points);
    wkCloudFrame frame = wkDefaultCloudFrame();
    frame.points.data = points;
    frame.points.count = POINT_COUNT;
    frame.time = number;
    assert_int_equal(wkCloudStream_Push(stream, &frame), wk_ok);
}

static void readers_keep_the_frames_of_their_snapshots(void** unused)
{
    (void)unused;
    wkRobot* robot;
    wkRobotScene* scene;
    wkCloudStream* stream;
    assert_int_equal(wkRobot_CreateBuiltIn(&robot), wk_ok);
    wkRobotSceneDef sceneDef = wkDefaultRobotSceneDef();
    sceneDef.robot = robot;
    assert_int_equal(wkRobotScene_Create(&sceneDef, &scene), wk_ok);
    wkCloudStreamDef def = wkDefaultCloudStreamDef();
    def.scene = scene;
    def.name = "lidar";
    def.frameCount = RING_COUNT;
    assert_int_equal(wkCloudStream_Create(&def, &stream), wk_ok);
    pushFrame(stream, 1);
    atomic_bool isOver;
    atomic_init(&isOver, false);
    pthread_t threads[READER_COUNT];
    job jobs[READER_COUNT];
    for (int i = 0; i < READER_COUNT; ++i) {
        jobs[i] = (job){.scene = scene, .stream = stream, .isOver = &isOver, .number = i};
        assert_int_equal(pthread_create(&threads[i], NULL, readScene, &jobs[i]), 0);
    }
    for (int number = 2; number <= FRAME_COUNT; ++number) {
        pushFrame(stream, number);
        assert_int_equal(wkCloudStream_Expire(stream, number + 0.5), wk_ok);
        struct timespec pause = {0, 2000000L};
        nanosleep(&pause, NULL);
    }
    atomic_store(&isOver, true);
    for (int i = 0; i < READER_COUNT; ++i) {
        pthread_join(threads[i], NULL);
        assert_true(jobs[i].queryCount > 0);
        assert_int_equal(jobs[i].brokenCount, 0);
    }
    assert_true(jobs[0].touchCount > 0);
    wkCloudStream_Destroy(stream);
    wkRobotScene_Destroy(scene);
    wkRobot_Destroy(robot);
    assert_int_equal(wkGetByteCount(), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(readers_keep_the_frames_of_their_snapshots),
    };
    return cmocka_run_group_tests_name("frames of snapshots", tests, NULL, NULL);
}
