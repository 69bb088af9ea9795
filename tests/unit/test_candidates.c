// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The candidate interface of a scene, with every broad phase, before and after updates: objects near a
// box are reported, those that wait for an update included, and no others.

#include "scene/candidates.h"
#include "unit_kit.h"
#include "whisker/detail/counts.h"
#include "whisker/whisker.h"

#define ROUND_COUNT 40
#define OBJECT_COUNT 60
#define BOX_COUNT 20

static wkPose somePose(wkRng* rng)
{
    double x = wkRngRange(rng, -2.0, 2.0);
    double y = wkRngRange(rng, -2.0, 2.0);
    double z = wkRngRange(rng, -2.0, 2.0);
    return wkMakePose(x, y, z);
}

// Objects in a scene, some of which were moved, removed or added after the last update.
static wkScene* makeScene(wkRng* rng, wkBroadPhase broadPhase, wkVec3d origin)
{
    wkSceneDef def = wkDefaultSceneDef();
    def.broadPhase = broadPhase;
    def.origin = origin;
    wkScene* scene = NULL;
    wkObjectId ids[OBJECT_COUNT];
    assert_int_equal(wkScene_Create(&def, &scene), wk_ok);
    for (int i = 0; i < OBJECT_COUNT; ++i) {
        wkObjectDef object = wkDefaultObjectDef();
        object.shape = wkMakeSphere(wkRngRange(rng, 0.01, 0.3));
        object.pose = somePose(rng);
        assert_int_equal(wkScene_Add(scene, &object, &ids[i]), wk_ok);
        if (i == OBJECT_COUNT / 2) {
            wkScene_Update(scene);
        }
    }
    for (int i = 0; i < OBJECT_COUNT; i += 4) {
        if (wkRngChance(rng, 3)) {
            assert_int_equal(wkScene_Remove(scene, ids[i]), wk_ok);
        } else {
            wkPose pose = somePose(rng);
            assert_int_equal(wkScene_Move(scene, ids[i], pose), wk_ok);
        }
    }
    return scene;
}

typedef struct report {
    const wkScene* scene;
    int counts[OBJECT_COUNT];
    int total;
    int stopAfter;
} report;

static bool keepCandidate(const wkCandidate* candidate, void* context)
{
    report* r = (report*)context;
    wkFloatBox box = wkScene_BoxAt(r->scene, candidate->slotIndex);
    assert_memory_equal(&box, &candidate->box, sizeof box);
    assert_non_null(wkScene_ObjectAt(r->scene, candidate->slotIndex).shape);
    ++r->counts[candidate->slotIndex];
    return ++r->total != r->stopAfter;
}

static wkFloatBox someBox(wkRng* rng, wkVec3d origin, wkAabb* world)
{
    wkVec3d center = somePose(rng).position;
    double half = wkRngLogRange(rng, 0.01, 1.5);
    world->lower = wkSub(center, wkVec(half, half, half));
    world->upper = wkAdd(center, wkVec(half, half, half));
    return wkFloatBoxAround(world, origin);
}

static void expectBox(const wkScene* scene, const wkFloatBox* box)
{
    report r = {.scene = scene};
    assert_true(wkScene_VisitCandidates(scene, box, keepCandidate, &r));
    int32_t slotCount = wkScene_SlotCount(scene);
    assert_in_range(slotCount, 1, OBJECT_COUNT);
    for (int32_t i = 0; i < slotCount; ++i) {
        bool isThere = wkScene_ObjectAt(scene, i).shape != NULL;
        wkFloatBox other = wkScene_BoxAt(scene, i);
        assert_in_range(r.counts[i], isThere && wkDoFloatBoxesMeet(box, &other), isThere);
    }
    if (r.total > 1) {
        report stopped = {.scene = scene, .stopAfter = 1};
        assert_false(wkScene_VisitCandidates(scene, box, keepCandidate, &stopped));
        assert_int_equal(stopped.total, 1);
    }
}

static void expectNear(const wkScene* scene, const wkFloatBox* box, const wkAabb* world,
                       double limit)
{
    report r = {.scene = scene};
    wkNearSearch search = {
        .limit = limit, .depthLimit = INFINITY, .fcn = keepCandidate, .context = &r};
    assert_true(wkScene_VisitNear(scene, world, &search));
    for (int32_t i = 0; i < wkScene_SlotCount(scene); ++i) {
        wkFloatBox other = wkScene_BoxAt(scene, i);
        bool isNear =
            wkScene_ObjectAt(scene, i).shape != NULL && wkFloatBoxGap(box, &other) <= limit;
        assert_true((r.counts[i] > 0) == isNear);
    }
}

static void every_object_near_a_box_is_reported(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(UNIT_SEED);
    for (int round = 0; round < ROUND_COUNT; ++round) {
        wkVec3d origin = round % 2 == 0 ? wkVec(0.0, 0.0, 0.0) : wkVec(0.3, -0.2, 0.1);
        wkScene* scene = makeScene(&rng, (wkBroadPhase)(round % WK_BROAD_PHASE_COUNT), origin);
        assert_true(wkScene_HasObjects(scene));
        for (int isUpdated = 0; isUpdated < 2; ++isUpdated) {
            for (int i = 0; i < BOX_COUNT; ++i) {
                wkAabb world;
                wkFloatBox box = someBox(&rng, origin, &world);
                expectBox(scene, &box);
                expectNear(scene, &box, &world, wkRngRange(&rng, 0.0, 1.0));
            }
            wkScene_Update(scene);
        }
        wkScene_Destroy(scene);
    }
}

// The visitor lowers the limit to the nearest box found.
typedef struct nearest {
    const wkFloatBox* box;
    wkNearSearch search;
} nearest;

static bool lowerLimit(const wkCandidate* candidate, void* context)
{
    nearest* n = (nearest*)context;
    double gap = wkFloatBoxGap(n->box, &candidate->box);
    n->search.limit = wkMinD(n->search.limit, gap);
    return true;
}

static void a_limit_that_falls_ends_at_the_nearest_object(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(UNIT_SEED + 1);
    for (int round = 0; round < ROUND_COUNT; ++round) {
        wkVec3d origin = wkVec(0.0, 0.0, 0.0);
        wkScene* scene = makeScene(&rng, (wkBroadPhase)(round % WK_BROAD_PHASE_COUNT), origin);
        for (int i = 0; i < BOX_COUNT; ++i) {
            wkAabb world;
            wkFloatBox box = someBox(&rng, origin, &world);
            nearest n = {.box = &box};
            n.search = (wkNearSearch){
                .limit = 10.0, .depthLimit = INFINITY, .fcn = lowerLimit, .context = &n};
            assert_true(wkScene_VisitNear(scene, &world, &n.search));
            double least = 10.0;
            for (int32_t k = 0; k < wkScene_SlotCount(scene); ++k) {
                wkFloatBox other = wkScene_BoxAt(scene, k);
                bool isThere = wkScene_ObjectAt(scene, k).shape != NULL;
                least = isThere ? wkMinD(least, wkFloatBoxGap(&box, &other)) : least;
            }
            assert_true(n.search.limit == least);
        }
        wkScene_Destroy(scene);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_object_near_a_box_is_reported),
        cmocka_unit_test(a_limit_that_falls_ends_at_the_nearest_object),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
