// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Scenes survive the failure of any allocation as they were, and queries about them allocate
// nothing.

#include "failing.h"
#include "kit.h"

#include "whisker/detail/counts.h"
#include "whisker/scene.h"

#include <math.h>

// Enough to make a scene grow twice.
#define OBJECT_COUNT 150
#define MANY_COUNT 90

static wkObjectDef boxAt(int i)
{
    wkObjectDef def = wkDefaultObjectDef();
    def.shape = wkMakeBox(1.0, 0.5, 0.7);
    def.pose = wkMakePose(0.6 * (i % 12), 0.4 * (i / 12), 0.01 * i);
    return def;
}

static bool countPair(wkObjectId a, wkObjectId b, void* context)
{
    (void)a;
    (void)b;
    ++*(int*)context;
    return true;
}

static int pairCount(const wkScene* scene)
{
    int count = 0;
    assert_int_equal(wkScene_VisitPairs(scene, NULL, countPair, &count), wk_ok);
    return count;
}

static wkResult addOne(wkScene* scene, int i)
{
    wkObjectDef def = boxAt(i);
    wkObjectId id;
    int objects = wkScene_Count(scene), pairs = i % 25 == 0 ? pairCount(scene) : 0;
    wkResult result = wkScene_Add(scene, &def, &id);
    if (result != wk_ok) {
        assert_true(wkObjectId_IsNull(id) && wkScene_Count(scene) == objects);
        assert_true(i % 25 != 0 || pairCount(scene) == pairs);
        // the next one succeeds: the failure left nothing behind
        assert_int_equal(wkScene_Add(scene, &def, &id), wk_ok);
    }
    return result;
}

static wkResult addMany(wkScene* scene)
{
    static wkObjectDef defs[MANY_COUNT];
    wkObjectId ids[MANY_COUNT];
    for (int i = 0; i < MANY_COUNT; ++i) {
        defs[i] = boxAt(OBJECT_COUNT + i);
    }
    int objects = wkScene_Count(scene), pairs = pairCount(scene);
    wkResult result = wkScene_AddMany(scene, defs, MANY_COUNT, ids);
    if (result != wk_ok) {
        assert_true(wkObjectId_IsNull(ids[0]) && wkScene_Count(scene) == objects);
        assert_int_equal(pairCount(scene), pairs);
    }
    return result;
}

static wkResult publish(wkScene* scene)
{
    const wkScene* before = wkScene_Acquire(scene);
    int pairs = before != NULL ? pairCount(before) : 0;
    wkResult result = wkScene_Publish(scene);
    const wkScene* after = wkScene_Acquire(scene);
    assert_true(result == wk_ok ? after != before : after == before);
    assert_true(before == NULL || pairCount(before) == pairs);
    wkScene_Release(before);
    wkScene_Release(after);
    return result;
}

// The life of a scene; the first failure is its result, and the scene lives on.
static wkResult reportStory(wkBroadPhase phase)
{
    wkSceneDef def = wkDefaultSceneDef();
    def.broadPhase = phase;
    wkScene* scene;
    wkResult result = wkScene_Create(&def, &scene);
    if (result != wk_ok) {
        assert_null(scene);
        return result;
    }
    for (int i = 0; i < OBJECT_COUNT; ++i) {
        wkResult added = addOne(scene, i);
        result = result == wk_ok ? added : result;
    }
    // without memory for a new build, updates find another way
    wkScene_Update(scene);
    int pairs = pairCount(scene);
    for (wkObjectId id = wkScene_Next(scene, wk_nullObjectId); !wkObjectId_IsNull(id);
         id = wkScene_Next(scene, id)) {
        wkObjectDef object;
        assert_int_equal(wkScene_Get(scene, id, &object), wk_ok);
        object.pose.position.z += 100.0;
        assert_int_equal(wkScene_Move(scene, id, object.pose), wk_ok);
    }
    wkScene_Update(scene);
    assert_int_equal(pairCount(scene), pairs);
    for (int i = 0; i < 2; ++i) {
        wkResult published = publish(scene);
        result = result == wk_ok ? published : result;
        wkResult added = i == 0 ? addMany(scene) : wk_ok;
        result = result == wk_ok ? added : result;
    }
    wkScene_Destroy(scene);
    return result;
}

static void scenes_survive_a_failing_allocator(void** state)
{
    (void)state;
    failing f = {0, -1, 0};
    wkAllocator allocator = {allocateOrFail, releaseCounted, &f};
    wkSetAllocator(&allocator);
    for (int phase = 0; phase < WK_BROAD_PHASE_COUNT; ++phase) {
        long n = 0;
        bool hasFailed = true;
        for (; hasFailed; ++n) {
            f.callCount = 0;
            f.failAt = n;
            wkResult result = reportStory((wkBroadPhase)phase);
            hasFailed = f.callCount > n;
            if ((result != wk_ok && result != wk_errorMemory) || f.allocatedBytes != 0 ||
                wkGetByteCount() != 0) {
                fail_msg("%s, failure %ld: %s, %ld bytes left",
                         wkBroadPhaseName((wkBroadPhase)phase), n, wkResultName(result),
                         f.allocatedBytes);
            }
        }
        assert_true(n > 10);
    }
    wkSetAllocator(NULL);
}

static void askEverything(const wkScene* scene)
{
    wkShape sphere = wkMakeSphere(0.6);
    wkPose pose = wkMakePose(2.0, 2.0, 0.5);
    wkAabb box = {{0.0, 0.0, 0.0}, {2.0, 2.0, 2.0}};
    wkRay ray = {{-3.0, 1.0, 0.3}, {1.0, 0.1, 0.05}, INFINITY};
    wkSceneHit hits[16];
    wkSceneRequest request = wkDefaultSceneRequest();
    request.hits = hits;
    request.hitCapacity = 16;
    request.wantsContacts = true;
    int count = 0;
    wkObjectId first = wkScene_Next(scene, wk_nullObjectId);
    wkScene_VisitPairs(scene, &request, countPair, &count);
    wkScene_VisitBox(scene, box, &request, countPair, &count);
    wkScene_VisitObject(scene, first, &request, countPair, &count);
    wkScene_CollidePairs(scene, &request);
    wkScene_CollideShape(scene, &sphere, pose, &request);
    wkScene_CollideObject(scene, first, &request);
    wkScene_DistancePairs(scene, &request);
    wkScene_DistanceShape(scene, &sphere, pose, &request);
    wkScene_DistanceObject(scene, first, &request);
    wkScene_RayCast(scene, ray, &request);
    wkScene_RayHits(scene, ray, &request);
    wkScene_Release(wkScene_Acquire(scene));
    assert_true(count > 0);
}

static void scene_queries_allocate_nothing(void** state)
{
    (void)state;
    failing f = {0, -1, 0};
    wkAllocator allocator = {allocateOrFail, releaseCounted, &f};
    wkSetAllocator(&allocator);
    for (int phase = 0; phase < WK_BROAD_PHASE_COUNT; ++phase) {
        wkSceneDef def = wkDefaultSceneDef();
        def.broadPhase = (wkBroadPhase)phase;
        wkScene* scene;
        assert_int_equal(wkScene_Create(&def, &scene), wk_ok);
        for (int i = 0; i < OBJECT_COUNT; ++i) {
            addOne(scene, i);
        }
        assert_int_equal(wkScene_Publish(scene), wk_ok);
        const wkScene* snapshot = wkScene_Acquire(scene);
        long before = f.callCount;
        askEverything(scene);
        askEverything(snapshot);
        wkScene_CollideScene(scene, snapshot, NULL);
        wkScene_DistanceScene(snapshot, scene, NULL);
        assert_int_equal(f.callCount, before);
        wkScene_Release(snapshot);
        wkScene_Destroy(scene);
    }
    wkSetAllocator(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scenes_survive_a_failing_allocator),
        cmocka_unit_test(scene_queries_allocate_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
