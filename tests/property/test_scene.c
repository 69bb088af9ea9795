// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Scenes under random changes: every broad phase, updated or not, finds what going through all
// pairs of objects finds.

#include "kit.h"

#include "whisker/detail/counts.h"
#include "whisker/scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define OBJECT_COUNT 40
#define PAIR_CAPACITY (OBJECT_COUNT * OBJECT_COUNT)
#define STEP_COUNT 30
#define CHANGES_PER_STEP 12

// How objects are made and where they go.
typedef struct worldKind {
    const char* name;
    double smallest, largest; // sizes
    double spread;            // how far from each other
    double home;              // how far from zero
    int endlessOneIn;         // half-spaces and planes; 0: none
    double slack;
} worldKind;

// clang-format off
static const worldKind kinds[] = {
    {"ordinary",       0.5,  1.5,   4.0,  0.0,  0, 0.05},
    {"sparse",         0.1,  0.3,   9.0,  0.0,  0, 0.0},
    {"at one pose",    0.5,  1.5,   0.0,  0.0,  0, 0.05},
    {"huge and tiny",  1e-5, 1e4,   50.0, 0.0,  0, 0.2},
    {"endless",        0.5,  1.5,   5.0,  0.0,  4, 0.05},
    {"far from zero",  0.5,  1.5,   4.0,  3e7,  9, 1.0},
};
// clang-format on
#define KIND_COUNT ((int)(sizeof kinds / sizeof *kinds))

// The same objects in scenes of every kind, and what they should be.
typedef struct world {
    const worldKind* kind;
    wkRng rng;
    wkScene* scenes[WK_BROAD_PHASE_COUNT];
    wkObjectDef objects[OBJECT_COUNT];
    wkObjectId ids[OBJECT_COUNT]; // null: not there
} world;

// Pairs of places in `objects`, as a * OBJECT_COUNT + b.
typedef struct pairList {
    const world* w;
    const world* other;
    int pairs[PAIR_CAPACITY];
    int count;
    int stopAfter;
} pairList;

static int indexOf(const world* w, wkObjectId id)
{
    for (int i = 0; i < OBJECT_COUNT; ++i) {
        if (wkObjectId_Equals(w->ids[i], id) && !wkObjectId_IsNull(id)) {
            return i;
        }
    }
    fail_msg("no object has the id %llx", (unsigned long long)wkObjectId_ToBits(id));
    return -1;
}

static bool listPair(wkObjectId a, wkObjectId b, void* context)
{
    pairList* list = (pairList*)context;
    int indexA = wkObjectId_IsNull(a) ? 0 : indexOf(list->w, a);
    list->pairs[list->count++] = indexA * OBJECT_COUNT + indexOf(list->other, b);
    return list->count != list->stopAfter;
}

static void listHits(pairList* list, const wkSceneHit* hits, int count)
{
    for (int i = 0; i < count; ++i) {
        listPair(hits[i].a, hits[i].b, list);
    }
}

static int comparePairs(const void* a, const void* b)
{
    return *(const int*)a - *(const int*)b;
}

// Sorted, with the lower place first, for pairs of one scene.
static void sortPairs(pairList* list, bool isOne)
{
    for (int i = 0; isOne && i < list->count; ++i) {
        int a = list->pairs[i] / OBJECT_COUNT, b = list->pairs[i] % OBJECT_COUNT;
        list->pairs[i] = a < b ? a * OBJECT_COUNT + b : b * OBJECT_COUNT + a;
    }
    qsort(list->pairs, (size_t)list->count, sizeof *list->pairs, comparePairs);
}

static void assertSamePairs(const char* what, const world* w, int phase, const pairList* found,
                            const pairList* expected)
{
    bool isSame =
        found->count == expected->count &&
        memcmp(found->pairs, expected->pairs, (size_t)found->count * sizeof *found->pairs) == 0;
    if (!isSame) {
        fail_msg("%s, %s, %s: %d pairs, expected %d", what, w->kind->name,
                 wkBroadPhaseName((wkBroadPhase)phase), found->count, expected->count);
    }
}

static wkPose randomPose(world* w)
{
    const worldKind* k = w->kind;
    wkPose pose = {{k->home + wkRngRange(&w->rng, -k->spread, k->spread),
                    k->home + wkRngRange(&w->rng, -k->spread, k->spread),
                    wkRngRange(&w->rng, -k->spread, k->spread)},
                   wkRngRotation(&w->rng)};
    return pose;
}

static wkShape randomShape(world* w)
{
    const worldKind* k = w->kind;
    bool isEndless = k->endlessOneIn > 0 && wkRngChance(&w->rng, k->endlessOneIn);
    wkShapeType type = isEndless ? (wkShapeType)(wk_shapeHalfspace + wkRngBelow(&w->rng, 2))
                                 : (wkShapeType)(1 + wkRngBelow(&w->rng, wk_shapeHull));
    return wkRandomShape(&w->rng, wkKitBank(), type,
                         wkRngLogRange(&w->rng, k->smallest, k->largest));
}

static uint32_t randomBits(world* w)
{
    return wkRngChance(&w->rng, 3) ? (uint32_t)wkRngNext(&w->rng) & 7u : 7u;
}

static void addObject(world* w, int index)
{
    wkObjectDef* def = &w->objects[index];
    *def = wkDefaultObjectDef();
    def->shape = randomShape(w);
    def->pose = randomPose(w);
    def->category = randomBits(w);
    def->mask = randomBits(w);
    def->user = def;
    wkObjectId id = wk_nullObjectId;
    for (int i = 0; i < WK_BROAD_PHASE_COUNT; ++i) {
        assert_int_equal(wkScene_Add(w->scenes[i], def, &id), wk_ok);
        assert_true(i == 0 || wkObjectId_Equals(id, w->ids[index]));
        w->ids[index] = id;
    }
}

static void removeObject(world* w, int index)
{
    for (int i = 0; i < WK_BROAD_PHASE_COUNT; ++i) {
        assert_int_equal(wkScene_Remove(w->scenes[i], w->ids[index]), wk_ok);
        assert_false(wkScene_Has(w->scenes[i], w->ids[index]));
    }
    w->ids[index] = wk_nullObjectId;
}

static void moveObject(world* w, int index)
{
    wkObjectDef* def = &w->objects[index];
    if (wkRngChance(&w->rng, 2)) {
        def->pose = randomPose(w);
    } else {
        def->pose.position.x += 0.02 * w->kind->largest * wkRngUnit(&w->rng);
    }
    for (int i = 0; i < WK_BROAD_PHASE_COUNT; ++i) {
        assert_int_equal(wkScene_Move(w->scenes[i], w->ids[index], def->pose), wk_ok);
    }
}

static void changeObject(world* w, int index)
{
    wkObjectDef* def = &w->objects[index];
    def->shape = randomShape(w);
    def->category = randomBits(w);
    for (int i = 0; i < WK_BROAD_PHASE_COUNT; ++i) {
        wkObjectId id = w->ids[index];
        assert_int_equal(wkScene_SetShape(w->scenes[i], id, &def->shape), wk_ok);
        assert_int_equal(wkScene_SetFilter(w->scenes[i], id, def->category, def->mask), wk_ok);
    }
}

static void changeSomething(world* w)
{
    int index = wkRngBelow(&w->rng, OBJECT_COUNT);
    if (wkObjectId_IsNull(w->ids[index])) {
        addObject(w, index);
        return;
    }
    int choice = wkRngBelow(&w->rng, 10);
    if (choice == 0) {
        removeObject(w, index);
    } else if (choice == 1) {
        changeObject(w, index);
    } else {
        moveObject(w, index);
    }
}

static void openWorld(world* w, const worldKind* kind, uint64_t seed)
{
    memset(w, 0, sizeof *w);
    w->kind = kind;
    w->rng = wkMakeRng(seed);
    for (int i = 0; i < WK_BROAD_PHASE_COUNT; ++i) {
        wkSceneDef def = wkDefaultSceneDef();
        def.broadPhase = (wkBroadPhase)i;
        def.slack = kind->slack;
        def.origin = wkSceneVec(kind->home, kind->home, 0.0);
        assert_int_equal(wkScene_Create(&def, &w->scenes[i]), wk_ok);
    }
}

static void closeWorld(world* w)
{
    for (int i = 0; i < WK_BROAD_PHASE_COUNT; ++i) {
        wkScene_Destroy(w->scenes[i]);
    }
}

// Some scenes are brought up to date, others not.
static void updateSome(world* w)
{
    for (int i = 0; i < WK_BROAD_PHASE_COUNT; ++i) {
        if (wkRngChance(&w->rng, 3)) {
            wkScene_Update(w->scenes[i]);
            assert_int_equal(wkScene_Info(w->scenes[i]).waitingCount, 0);
        }
    }
}

static bool areApart(wkAabb a, wkAabb b)
{
    return a.lower.x > b.upper.x || b.lower.x > a.upper.x || a.lower.y > b.upper.y ||
           b.lower.y > a.upper.y || a.lower.z > b.upper.z || b.lower.z > a.upper.z;
}

static bool doFiltersAgree(const wkObjectDef* a, const wkObjectDef* b)
{
    return (a->category & b->mask) != 0 && (b->category & a->mask) != 0;
}

static wkAabb boundsOf(const wkObjectDef* object)
{
    wkAabb box = wkShape_Bounds(&object->shape, object->pose);
    return box;
}

static bool hasPair(const pairList* list, int pair)
{
    return bsearch(&pair, list->pairs, (size_t)list->count, sizeof pair, comparePairs) != NULL;
}

// Bounds that meet are found, and nothing is found twice.
static void checkCandidates(world* w)
{
    static pairList first, found;
    for (int i = 0; i < WK_BROAD_PHASE_COUNT; ++i) {
        found = (pairList){.w = w, .other = w};
        assert_int_equal(wkScene_VisitPairs(w->scenes[i], NULL, listPair, &found), wk_ok);
        sortPairs(&found, true);
        first = i == 0 ? found : first;
        assertSamePairs("candidates", w, i, &found, &first);
    }
    for (int k = 1; k < first.count; ++k) {
        assert_true(first.pairs[k] != first.pairs[k - 1]);
    }
    for (int a = 0; a < OBJECT_COUNT; ++a) {
        for (int b = a + 1; b < OBJECT_COUNT; ++b) {
            const wkObjectDef *one = &w->objects[a], *two = &w->objects[b];
            if (!wkObjectId_IsNull(w->ids[a]) && !wkObjectId_IsNull(w->ids[b]) &&
                doFiltersAgree(one, two) && !areApart(boundsOf(one), boundsOf(two))) {
                assert_true(hasPair(&first, a * OBJECT_COUNT + b));
            }
        }
    }
}

// Pairs that touch, and the closest one, by going through all pairs.
typedef struct truth {
    pairList touching;
    double closest;
} truth;

static void addTruth(truth* t, const world* w, const world* other, int a, int b, double margin)
{
    const wkObjectDef *first = &w->objects[a], *two = &other->objects[b];
    if (wkObjectId_IsNull(w->ids[a]) || wkObjectId_IsNull(other->ids[b]) ||
        !doFiltersAgree(first, two)) {
        return;
    }
    wkCollideRequest request = wkDefaultCollideRequest();
    request.margin = margin;
    if (wkCollide(&first->shape, first->pose, &two->shape, two->pose, &request).isTouching) {
        t->touching.pairs[t->touching.count++] = a * OBJECT_COUNT + b;
    }
    double d = wkDistance(&first->shape, first->pose, &two->shape, two->pose, NULL).distance;
    t->closest = d < t->closest ? d : t->closest;
}

static const double margins[] = {0.0, 0.4, -0.1};

static double tolerance(const world* w, double value)
{
    return 1e-9 * (w->kind->largest + w->kind->home * 1e-6) + 1e-9 * fabs(value);
}

static void assertClosest(const world* w, int phase, const wkSceneDistanceResult* found,
                          const truth* t)
{
    bool isNone = t->closest == INFINITY;
    if (wkObjectId_IsNull(found->b) != isNone ||
        (!isNone && !(fabs(found->closest.distance - t->closest) <= tolerance(w, t->closest)))) {
        fail_msg("%s, %s: closest %.17g, expected %.17g", w->kind->name,
                 wkBroadPhaseName((wkBroadPhase)phase), found->closest.distance, t->closest);
    }
}

static void checkAllPairs(world* w, double margin)
{
    static truth t;
    t = (truth){.touching = {.w = w, .other = w}, .closest = INFINITY};
    for (int a = 0; a < OBJECT_COUNT; ++a) {
        for (int b = a + 1; b < OBJECT_COUNT; ++b) {
            addTruth(&t, w, w, a, b, margin);
        }
    }
    static wkSceneHit hits[PAIR_CAPACITY];
    static pairList found;
    wkSceneRequest request = wkDefaultSceneRequest();
    request.margin = margin;
    for (int i = 0; i < WK_BROAD_PHASE_COUNT; ++i) {
        request.hits = NULL;
        wkSceneCollideResult any = wkScene_CollidePairs(w->scenes[i], &request);
        assert_int_equal(any.isTouching, t.touching.count > 0);
        request.hits = hits;
        request.hitCapacity = PAIR_CAPACITY;
        wkSceneCollideResult all = wkScene_CollidePairs(w->scenes[i], &request);
        found = (pairList){.w = w, .other = w};
        listHits(&found, hits, all.hitCount);
        sortPairs(&found, true);
        assertSamePairs("touching", w, i, &found, &t.touching);
        wkSceneDistanceResult d = wkScene_DistancePairs(w->scenes[i], &request);
        assertClosest(w, i, &d, &t);
    }
}

static void checkObject(world* w, int index, double margin)
{
    static truth t;
    t = (truth){.touching = {.w = w, .other = w}, .closest = INFINITY};
    for (int b = 0; b < OBJECT_COUNT; ++b) {
        if (b != index) {
            addTruth(&t, w, w, index, b, margin);
        }
    }
    static wkSceneHit hits[PAIR_CAPACITY];
    static pairList found;
    const wkObjectDef* object = &w->objects[index];
    wkSceneRequest request = wkDefaultSceneRequest();
    request.margin = margin;
    request.hits = hits;
    request.hitCapacity = PAIR_CAPACITY;
    for (int i = 0; i < WK_BROAD_PHASE_COUNT; ++i) {
        wkSceneCollideResult c = wkScene_CollideObject(w->scenes[i], w->ids[index], &request);
        found = (pairList){.w = w, .other = w};
        listHits(&found, hits, c.hitCount);
        sortPairs(&found, false);
        assertSamePairs("touched by an object", w, i, &found, &t.touching);
        wkSceneDistanceResult d = wkScene_DistanceObject(w->scenes[i], w->ids[index], &request);
        assertClosest(w, i, &d, &t);

        // the same as a shape touches the object itself too
        request.category = object->category;
        request.mask = object->mask;
        c = wkScene_CollideShape(w->scenes[i], &object->shape, object->pose, &request);
        assert_in_range(c.hitCount, found.count, found.count + 1);
    }
}

static void checkScenes(world* w, world* other)
{
    static truth t;
    t = (truth){.touching = {.w = w, .other = other}, .closest = INFINITY};
    for (int a = 0; a < OBJECT_COUNT; ++a) {
        for (int b = 0; b < OBJECT_COUNT; ++b) {
            addTruth(&t, w, other, a, b, 0.0);
        }
    }
    static wkSceneHit hits[PAIR_CAPACITY];
    static pairList found;
    wkSceneRequest request = wkDefaultSceneRequest();
    request.hits = hits;
    request.hitCapacity = PAIR_CAPACITY;
    for (int i = 0; i < WK_BROAD_PHASE_COUNT * WK_BROAD_PHASE_COUNT; ++i) {
        const wkScene* a = w->scenes[i / WK_BROAD_PHASE_COUNT];
        const wkScene* b = other->scenes[i % WK_BROAD_PHASE_COUNT];
        wkSceneCollideResult c = wkScene_CollideScene(a, b, &request);
        found = (pairList){.w = w, .other = other};
        listHits(&found, hits, c.hitCount);
        sortPairs(&found, false);
        assertSamePairs("two scenes", w, i / WK_BROAD_PHASE_COUNT, &found, &t.touching);
        wkSceneDistanceResult d = wkScene_DistanceScene(a, b, &request);
        assertClosest(w, i / WK_BROAD_PHASE_COUNT, &d, &t);
    }
}

static wkRay randomRay(world* w)
{
    wkPose pose = randomPose(w);
    wkRay ray = {pose.position, wkRngDirection(&w->rng),
                 wkRngChance(&w->rng, 2) ? INFINITY : wkRngRange(&w->rng, 0.0, 5.0)};
    if (wkRngChance(&w->rng, 3)) {
        ray.direction = wkSceneVec(0.0, wkRngSign(&w->rng), 0.0);
    }
    return ray;
}

static void checkRay(world* w)
{
    wkRay ray = randomRay(w);
    double nearest = INFINITY;
    for (int i = 0; i < OBJECT_COUNT; ++i) {
        const wkObjectDef* object = &w->objects[i];
        if (!wkObjectId_IsNull(w->ids[i]) && object->category != 0 && object->mask != 0) {
            wkRayResult hit = wkShape_RayCast(&object->shape, object->pose, ray);
            nearest = hit.isHit && hit.distance < nearest ? hit.distance : nearest;
        }
    }
    for (int i = 0; i < WK_BROAD_PHASE_COUNT; ++i) {
        wkSceneRayResult found = wkScene_RayCast(w->scenes[i], ray, NULL);
        assert_int_equal(!wkObjectId_IsNull(found.id), nearest < INFINITY);
        assert_int_equal(found.hit.isHit, nearest < INFINITY);
        assert_int_equal(wkScene_RayHits(w->scenes[i], ray, NULL), nearest < INFINITY);
        // the way may be cut elsewhere before it is measured
        assert_true(wkObjectId_IsNull(found.id) ||
                    fabs(found.hit.distance - nearest) <= tolerance(w, nearest));
    }
}

static void checkBox(world* w)
{
    static pairList first, found;
    wkAabb box = wkShape_Bounds(&w->objects[0].shape, randomPose(w));
    wkSceneRequest request = wkDefaultSceneRequest();
    request.margin = wkRngRange(&w->rng, 0.0, 2.0);
    if (areApart(box, box)) {
        return;
    }
    for (int i = 0; i < WK_BROAD_PHASE_COUNT; ++i) {
        found = (pairList){.w = w, .other = w};
        assert_int_equal(wkScene_VisitBox(w->scenes[i], box, &request, listPair, &found), wk_ok);
        sortPairs(&found, false);
        first = i == 0 ? found : first;
        assertSamePairs("region", w, i, &found, &first);
    }
    for (int i = 0; i < OBJECT_COUNT; ++i) {
        const wkObjectDef* object = &w->objects[i];
        if (!wkObjectId_IsNull(w->ids[i]) && object->category != 0 && object->mask != 0 &&
            !areApart(boundsOf(object), box)) {
            assert_true(hasPair(&first, i));
        }
    }
}

static void every_broad_phase_finds_what_all_pairs_find(void** state)
{
    (void)state;
    static world w, other;
    for (int k = 0; k < KIND_COUNT; ++k) {
        openWorld(&w, &kinds[k], wkKitSeed() + (uint64_t)k);
        openWorld(&other, &kinds[k], wkKitSeed() + 1000 + (uint64_t)k);
        for (int step = 0; step < wkKitCasesOfKinds(STEP_COUNT, 10); ++step) {
            for (int i = 0; i < CHANGES_PER_STEP; ++i) {
                changeSomething(&w);
                changeSomething(&other);
            }
            updateSome(&w);
            updateSome(&other);
            checkCandidates(&w);
            int index = wkRngBelow(&w.rng, OBJECT_COUNT);
            double margin = margins[step % 3];
            if (!wkObjectId_IsNull(w.ids[index])) {
                checkObject(&w, index, margin);
            }
            checkRay(&w);
            checkBox(&w);
            if (step % 3 == 0) {
                checkAllPairs(&w, margins[step / 3 % 3]);
            }
            if (step % 10 == 9) {
                checkScenes(&w, &other);
            }
        }
        closeWorld(&w);
        closeWorld(&other);
    }
}

static void snapshots_answer_as_the_scene_did(void** state)
{
    (void)state;
    static world w;
    static pairList before, found;
    openWorld(&w, &kinds[0], wkKitSeed());
    for (int i = 0; i < 100; ++i) {
        changeSomething(&w);
    }
    const wkScene* snapshots[WK_BROAD_PHASE_COUNT];
    for (int i = 0; i < WK_BROAD_PHASE_COUNT; ++i) {
        assert_null(wkScene_Acquire(w.scenes[i]));
        assert_int_equal(wkScene_Publish(w.scenes[i]), wk_ok);
        snapshots[i] = wkScene_Acquire(w.scenes[i]);
        assert_non_null(snapshots[i]);
    }
    before = (pairList){.w = &w, .other = &w};
    wkScene_VisitPairs(w.scenes[0], NULL, listPair, &before);
    sortPairs(&before, true);
    wkObjectId removed = w.ids[0];
    for (int i = 0; i < 200; ++i) {
        int index = wkRngBelow(&w.rng, OBJECT_COUNT);
        if (!wkObjectId_IsNull(w.ids[index])) {
            moveObject(&w, index);
        }
    }
    for (int i = 0; i < WK_BROAD_PHASE_COUNT; ++i) {
        // newer ones do not touch the one that is held
        assert_int_equal(wkScene_Publish(w.scenes[i]), wk_ok);
        assert_int_equal(wkScene_Publish(w.scenes[i]), wk_ok);
        assert_int_equal(wkScene_Has(snapshots[i], removed), !wkObjectId_IsNull(removed));
        found = (pairList){.w = &w, .other = &w};
        wkScene_VisitPairs(snapshots[i], NULL, listPair, &found);
        sortPairs(&found, true);
        assertSamePairs("snapshot", &w, i, &found, &before);
        wkScene_Release(snapshots[i]);
    }
    closeWorld(&w);
}

static void visits_stop_on_request(void** state)
{
    (void)state;
    static world w;
    static pairList found;
    openWorld(&w, &kinds[2], wkKitSeed());
    for (int i = 0; i < 100; ++i) {
        changeSomething(&w);
    }
    for (int i = 0; i < WK_BROAD_PHASE_COUNT; ++i) {
        for (int isUpdated = 0; isUpdated < 2; ++isUpdated) {
            found = (pairList){.w = &w, .other = &w, .stopAfter = 3};
            assert_int_equal(wkScene_VisitPairs(w.scenes[i], NULL, listPair, &found), wk_ok);
            assert_int_equal(found.count, 3);
            wkScene_Update(w.scenes[i]);
        }
    }
    closeWorld(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_broad_phase_finds_what_all_pairs_find),
        cmocka_unit_test(snapshots_answer_as_the_scene_did),
        cmocka_unit_test(visits_stop_on_request),
    };
    int failed = cmocka_run_group_tests_name("scenes", tests, NULL, NULL);
    wkKitEnd();
    return failed;
}
