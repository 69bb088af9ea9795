// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Larger scenes in which all objects move, then few, then some come and go: every broad phase gives
// the same pairs, boxes, closest pairs and rays.

#include "kit.h"

#include "whisker/detail/counts.h"
#include "whisker/scene.h"

#include <math.h>

#define OBJECT_COUNT 1500
#define ROUND_COUNT 12
#define SIDE 14.0

typedef struct crowd {
    wkRng rng;
    wkScene* scenes[WK_BROAD_PHASE_COUNT];
    wkObjectId ids[OBJECT_COUNT];
    wkVec3d positions[OBJECT_COUNT];
} crowd;

// A number for a set of pairs, whatever their order.
typedef struct tally {
    long count;
    uint64_t sum;
} tally;

static bool addToTally(wkObjectId a, wkObjectId b, void* context)
{
    tally* t = (tally*)context;
    wkRng rng = wkMakeRng(wkObjectId_ToBits(a) * 31 + wkObjectId_ToBits(b));
    t->sum += wkRngNext(&rng);
    ++t->count;
    return true;
}

static wkVec3d randomPosition(wkRng* rng)
{
    return wkSceneVec(wkRngRange(rng, 0.0, SIDE), wkRngRange(rng, 0.0, SIDE),
                      wkRngRange(rng, 0.0, SIDE));
}

static void addObject(crowd* c, int i)
{
    wkObjectDef def = wkDefaultObjectDef();
    // a few large ones and a floor among many small ones
    double size = wkRngRange(&c->rng, 0.3, 1.0) * (i % 97 == 0 ? 12.0 : 1.0);
    def.shape = i == 7 ? wkMakeHalfspace(wkSceneVec(0.0, 0.0, 1.0), 0.1)
                       : wkMakeBox(size, wkRngRange(&c->rng, 0.3, 1.0), size);
    c->positions[i] = i == 7 ? wkSceneVec(0.0, 0.0, 0.0) : randomPosition(&c->rng);
    def.pose = wkMakePose(c->positions[i].x, c->positions[i].y, c->positions[i].z);
    for (int phase = 0; phase < WK_BROAD_PHASE_COUNT; ++phase) {
        assert_int_equal(wkScene_Add(c->scenes[phase], &def, &c->ids[i]), wk_ok);
    }
}

static void moveObject(crowd* c, int i, double step)
{
    wkVec3d way = wkSceneScale(wkRngDirection(&c->rng), step);
    c->positions[i] = i == 7 ? c->positions[i] : wkSceneAdd(c->positions[i], way);
    wkPose pose = {c->positions[i],
                   wkRngChance(&c->rng, 4) ? wkRngRotation(&c->rng) : wkIdentityPose().rotation};
    if (i == 7) {
        pose.rotation = wkIdentityPose().rotation;
    }
    for (int phase = 0; phase < WK_BROAD_PHASE_COUNT; ++phase) {
        assert_int_equal(wkScene_Move(c->scenes[phase], c->ids[i], pose), wk_ok);
    }
}

static void replaceObject(crowd* c, int i)
{
    for (int phase = 0; phase < WK_BROAD_PHASE_COUNT; ++phase) {
        assert_int_equal(wkScene_Remove(c->scenes[phase], c->ids[i]), wk_ok);
    }
    addObject(c, i);
}

// What happens in each round, over and over.
static void runRound(crowd* c, int round)
{
    for (int i = 0; i < OBJECT_COUNT; ++i) {
        if (round % 4 < 2 || wkRngChance(&c->rng, 200)) {
            moveObject(c, i, round % 3 == 0 ? 2.0 : 0.05);
        } else if (round % 4 == 3 && wkRngChance(&c->rng, 50)) {
            replaceObject(c, i);
        }
    }
    for (int phase = 0; phase < WK_BROAD_PHASE_COUNT; ++phase) {
        if (round % 5 != 4) {
            wkScene_Update(c->scenes[phase]);
        }
    }
}

static void assertSameTally(const char* what, int phase, const tally* found, const tally* first)
{
    if (found->count != first->count || found->sum != first->sum) {
        fail_msg("%s by %s: %ld, by %s: %ld", what, wkBroadPhaseName((wkBroadPhase)phase),
                 found->count, wkBroadPhaseName((wkBroadPhase)0), first->count);
    }
}

static void comparePairs(const crowd* c)
{
    tally first = {0, 0};
    for (int phase = 0; phase < WK_BROAD_PHASE_COUNT; ++phase) {
        tally t = {0, 0};
        assert_int_equal(wkScene_VisitPairs(c->scenes[phase], NULL, addToTally, &t), wk_ok);
        first = phase == 0 ? t : first;
        assertSameTally("pairs", phase, &t, &first);
    }
    assert_true(first.count > OBJECT_COUNT / 2);
}

static void compareQuestions(crowd* c)
{
    wkVec3d position = randomPosition(&c->rng);
    wkAabb box = {position, wkSceneAdd(position, wkSceneVec(3.0, 2.0, 4.0))};
    wkRay ray = {position, wkRngDirection(&c->rng), INFINITY};
    wkShape sphere = wkMakeSphere(0.01);
    wkSceneRequest apart = wkDefaultSceneRequest();
    apart.isSigned = false;
    tally first = {0, 0};
    double hit = 0.0, distance = 0.0, closest = 0.0;
    for (int phase = 0; phase < WK_BROAD_PHASE_COUNT; ++phase) {
        const wkScene* scene = c->scenes[phase];
        tally t = {0, 0};
        assert_int_equal(wkScene_VisitBox(scene, box, NULL, addToTally, &t), wk_ok);
        wkSceneRayResult cast = wkScene_RayCast(scene, ray, NULL);
        wkPose pose = wkMakePose(position.x, position.y, position.z);
        wkSceneDistanceResult d = wkScene_DistanceShape(scene, &sphere, pose, &apart);
        double deepest = wkScene_DistancePairs(scene, NULL).closest.distance;
        double along = !wkObjectId_IsNull(cast.id) ? cast.hit.distance : -1.0;
        first = phase == 0 ? t : first;
        hit = phase == 0 ? along : hit;
        distance = phase == 0 ? d.closest.distance : distance;
        closest = phase == 0 ? deepest : closest;
        assertSameTally("boxes", phase, &t, &first);
        assert_true(fabs(along - hit) <= 1e-9);
        assert_true(fabs(d.closest.distance - distance) <= 1e-9);
        assert_true(fabs(deepest - closest) <= 1e-9 * fabs(closest));
    }
}

static void crowds_are_the_same_for_every_broad_phase(void** state)
{
    (void)state;
    static crowd c;
    c.rng = wkMakeRng(wkKitSeed());
    for (int phase = 0; phase < WK_BROAD_PHASE_COUNT; ++phase) {
        wkSceneDef def = wkDefaultSceneDef();
        def.broadPhase = (wkBroadPhase)phase;
        assert_int_equal(wkScene_Create(&def, &c.scenes[phase]), wk_ok);
    }
    for (int i = 0; i < OBJECT_COUNT; ++i) {
        addObject(&c, i);
    }
    comparePairs(&c);
    for (int round = 0; round < wkKitCasesOfKinds(ROUND_COUNT, 12); ++round) {
        runRound(&c, round);
        comparePairs(&c);
        compareQuestions(&c);
    }
    for (int phase = 0; phase < WK_BROAD_PHASE_COUNT; ++phase) {
        wkScene_Destroy(c.scenes[phase]);
    }
    assert_int_equal(wkGetByteCount(), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(crowds_are_the_same_for_every_broad_phase),
    };
    return cmocka_run_group_tests_name("crowds", tests, NULL, NULL);
}
