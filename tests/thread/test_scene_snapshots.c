// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// One thread moves the objects of a scene and publishes it thirty times a second; others query
// snapshots as fast as they can. Every snapshot is whole: all of its objects stand where one round
// of moves put them. Under the thread sanitizer this also proves that no thread reads what is being
// written.

#include "kit.h"
#include "readers.h"

#include "whisker/scene.h"

#include <math.h>

#define OBJECT_COUNT 200
#define ROUND_COUNT 20
#define ROUND_SECONDS (1.0 / 30.0)

typedef struct watch {
    const wkScene* scene;
    long lastRounds[WK_READER_COUNT];
} watch;

// In round r all objects stand in a row at height r, one every two metres.
static wkPose poseIn(int round, int object)
{
    return wkMakePose(2.0 * object, 0.0, 10.0 * round);
}

// Returns the number of objects that are not at the height of the first one, or that the broad phase does not find there.
static long countStray(const wkScene* snapshot, double height)
{
    long strayCount = 0;
    for (wkObjectId id = wkScene_Next(snapshot, wk_nullObjectId); !wkObjectId_IsNull(id);
         id = wkScene_Next(snapshot, id)) {
        wkObjectDef def;
        bool isRight = wkScene_Get(snapshot, id, &def) == wk_ok && def.pose.position.z == height;
        strayCount += isRight ? 0 : 1;
    }
    // a long box along the row meets all of them, by the broad phase
    wkShape bar = wkMakeBox(5.0 * OBJECT_COUNT, 0.1, 0.1);
    static _Thread_local wkSceneHit hits[OBJECT_COUNT + 1];
    wkSceneRequest request = wkDefaultSceneRequest();
    request.hits = hits;
    request.hitCapacity = OBJECT_COUNT + 1;
    wkSceneCollideResult all =
        wkScene_CollideShape(snapshot, &bar, wkMakePose(0.0, 0.0, height), &request);
    return strayCount + (all.hitCount == OBJECT_COUNT ? 0 : 1);
}

static long readScene(void* context, int reader)
{
    watch* w = (watch*)context;
    const wkScene* snapshot = wkScene_Acquire(w->scene);
    wkObjectDef first = wkDefaultObjectDef();
    wkResult result = wkScene_Get(snapshot, wkScene_Next(snapshot, wk_nullObjectId), &first);
    long brokenCount = countStray(snapshot, first.pose.position.z) + (result == wk_ok ? 0 : 1);
    wkScene_Release(snapshot);
    // none is older than the one before
    long round = lround(first.pose.position.z / 10.0);
    brokenCount += round < w->lastRounds[reader] ? 1 : 0;
    w->lastRounds[reader] = round;
    return brokenCount;
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

    watch w = {.scene = scene};
    wkReaders readers;
    wkReaders_Start(&readers, readScene, &w);
    for (int round = 1; round <= ROUND_COUNT; ++round) {
        moveAll(scene, ids, round);
        // now and then two in a row, so that places change under the readers
        if (round % 4 == 0) {
            moveAll(scene, ids, ++round);
        }
        wkPause(ROUND_SECONDS);
    }
    wkReaders_Stop(&readers);
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
