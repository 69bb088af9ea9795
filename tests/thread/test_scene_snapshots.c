// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// One thread moves the objects of a scene and publishes it thirty times a second; others query
// snapshots as fast as they can. Every snapshot is whole: all of its objects stand where one round
// of moves put them. Under the thread sanitizer this also proves that no thread reads what is being
// written.

#include "kit.h"

#include "whisker/scene.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

#define READER_COUNT 3
#define OBJECT_COUNT 200
#define ROUND_COUNT 20
#define ROUND_NANOSECONDS (1000000000L / 30)

typedef struct job {
    const wkScene* scene;
    atomic_bool* isOver;
    long queryCount;
    long brokenCount; // snapshots with objects of different rounds
    long lastRound;
    long backCount; // snapshots older than one seen before
} job;

// In round r all objects stand in a row at height r, one every two metres.
static wkPose poseIn(int round, int object)
{
    return wkMakePose(2.0 * object, 0.0, 10.0 * round);
}

static void checkOnce(job* j, const wkScene* snapshot)
{
    wkObjectDef first, other;
    wkObjectId id = wkScene_Next(snapshot, wk_nullObjectId);
    if (wkScene_Get(snapshot, id, &first) != wk_ok) {
        ++j->brokenCount;
        return;
    }
    double height = first.pose.position.z;
    for (; !wkObjectId_IsNull(id); id = wkScene_Next(snapshot, id)) {
        bool isRight =
            wkScene_Get(snapshot, id, &other) == wk_ok && other.pose.position.z == height;
        j->brokenCount += isRight ? 0 : 1;
    }
    // a long box along the row meets all of them, by the broad phase
    wkShape bar = wkMakeBox(5.0 * OBJECT_COUNT, 0.1, 0.1);
    static _Thread_local wkSceneHit hits[OBJECT_COUNT + 1];
    wkSceneRequest request = wkDefaultSceneRequest();
    request.hits = hits;
    request.hitCapacity = OBJECT_COUNT + 1;
    wkSceneCollideResult all =
        wkScene_CollideShape(snapshot, &bar, wkMakePose(0.0, 0.0, height), &request);
    j->brokenCount += all.hitCount == OBJECT_COUNT ? 0 : 1;
    long round = lround(height / 10.0);
    j->backCount += round < j->lastRound ? 1 : 0;
    j->lastRound = round;
}

static void* read(void* argument)
{
    job* j = (job*)argument;
    while (!atomic_load(j->isOver)) {
        const wkScene* snapshot = wkScene_Acquire(j->scene);
        checkOnce(j, snapshot);
        wkScene_Release(snapshot);
        ++j->queryCount;
    }
    return NULL;
}

static void moveAll(wkScene* scene, const wkObjectId* ids, int round)
{
    for (int i = 0; i < OBJECT_COUNT; ++i) {
        assert_int_equal(wkScene_Move(scene, ids[i], poseIn(round, i)), wk_ok);
    }
    assert_int_equal(wkScene_Publish(scene), wk_ok);
}

static void readers_see_whole_snapshots(void** state)
{
    (void)state;
    wkScene* scene;
    assert_int_equal(wkScene_Create(NULL, &scene), wk_ok);
    wkObjectId ids[OBJECT_COUNT];
    for (int i = 0; i < OBJECT_COUNT; ++i) {
        wkObjectDef def = wkDefaultObjectDef();
        def.shape = wkMakeSphere(0.5);
        def.pose = poseIn(0, i);
        assert_int_equal(wkScene_Add(scene, &def, &ids[i]), wk_ok);
    }
    assert_int_equal(wkScene_Publish(scene), wk_ok);

    atomic_bool isOver;
    atomic_init(&isOver, false);
    pthread_t threads[READER_COUNT];
    job jobs[READER_COUNT];
    for (int i = 0; i < READER_COUNT; ++i) {
        jobs[i] = (job){.scene = scene, .isOver = &isOver};
        assert_int_equal(pthread_create(&threads[i], NULL, read, &jobs[i]), 0);
    }
    for (int round = 1; round <= ROUND_COUNT; ++round) {
        moveAll(scene, ids, round);
        // now and then two in a row, so that places change under the readers
        if (round % 4 == 0) {
            moveAll(scene, ids, ++round);
        }
        struct timespec pause = {0, ROUND_NANOSECONDS};
        nanosleep(&pause, NULL);
    }
    atomic_store(&isOver, true);
    for (int i = 0; i < READER_COUNT; ++i) {
        pthread_join(threads[i], NULL);
        assert_true(jobs[i].queryCount > 0);
        assert_int_equal(jobs[i].brokenCount, 0);
        assert_int_equal(jobs[i].backCount, 0);
    }
    wkScene_Destroy(scene);
    assert_int_equal(wkGetByteCount(), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(readers_see_whole_snapshots),
    };
    return cmocka_run_group_tests_name("snapshots of scenes", tests, NULL, NULL);
}
