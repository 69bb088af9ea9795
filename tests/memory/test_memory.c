// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Queries allocate nothing; creation survives the failure of any
// allocation and gives everything back.

#include "failing.h"
#include "kit.h"
#include "malloc_hook.h"
#include "whisker/cast.h"

#include <stdlib.h>
#include <string.h>

// Every query on one pair.
static void askEverything(const wkScenePair* pair)
{
    wkContact contacts[WK_MAX_CONTACTS];
    wkPairCache cache;
    memset(&cache, 0, sizeof cache);
    wkDistanceRequest distance = wkDefaultDistanceRequest();
    distance.cache = &cache;
    wkCollideRequest collide = wkDefaultCollideRequest();
    collide.contacts = contacts;
    collide.contactCapacity = WK_MAX_CONTACTS;
    wkDistance(&pair->a, pair->poseA, &pair->b, pair->poseB, NULL);
    wkDistance(&pair->a, pair->poseA, &pair->b, pair->poseB, &distance);
    wkCollide(&pair->a, pair->poseA, &pair->b, pair->poseB, NULL);
    wkCollide(&pair->a, pair->poseA, &pair->b, pair->poseB, &collide);
    wkPenetration(&pair->a, pair->poseA, &pair->b, pair->poseB);

    wkBodyMotion moving = wkMakeLinearMotion(pair->poseA, pair->poseB);
    wkBodyMotion turning = wkMakeScrewMotion(pair->poseB, pair->poseA);
    wkCast(&pair->a, &moving, &pair->b, &turning, NULL);

    wkVec3d way = wkSceneSub(pair->poseB.position, pair->poseA.position);
    wkRay ray = {pair->poseA.position, wkSceneAdd(way, wkSceneVec(0.1, 0.2, 0.3)), INFINITY};
    wkShape_RayCast(&pair->b, pair->poseB, ray);
    wkShape_Bounds(&pair->a, pair->poseA);
    wkShape_Support(&pair->a, pair->poseA, way);
    wkShape_PointDistance(&pair->a, pair->poseA, pair->poseB.position);
    wkShape_ContainsPoint(&pair->a, pair->poseA, pair->poseB.position);
    wkShape_Mass(&pair->a);
    wkShape_Check(&pair->a);
}

static bool allocatesNothing(const wkScenePair* pair, uint64_t seed, wkMessage* message)
{
    (void)seed;
    long before = wkMallocCalls();
    askEverything(pair);
    long calls = wkMallocCalls() - before;
    return calls == 0 || wkBroken(message, "%ld allocations", calls);
}

static void queries_allocate_nothing(void** state)
{
    (void)state;
    failing counted = {0, -1, 0};
    wkAllocator allocator = {allocateOrFail, releaseCounted, &counted};
    wkKitBank();
    wkSetAllocator(&allocator);
    wkCheckLaw("queries_allocate_nothing", allocatesNothing, 2);
    wkSetAllocator(NULL);
    assert_int_equal(counted.callCount, 0);
    if (!wkHasMallocHook()) {
        printf("malloc itself is not counted in this build\n");
    }
}

// One way to create something.
typedef struct creation {
    const char* name;
    void (*fill)(wkHullDef* def);
} creation;

#define MAX_POINTS 600
static wkVec3d points[MAX_POINTS];

static void fillSphere(wkHullDef* def, int count)
{
    wkRng rng = wkMakeRng(7);
    for (int i = 0; i < count; i++) {
        points[i] = wkRngDirection(&rng);
    }
    def->points = points;
    def->pointCount = count;
}

static void fillSmall(wkHullDef* def)
{
    fillSphere(def, 12);
}

static void fillLarge(wkHullDef* def)
{
    fillSphere(def, MAX_POINTS);
}

static void fillFlat(wkHullDef* def)
{
    fillSphere(def, 20);
    for (int i = 0; i < def->pointCount; i++) {
        points[i].z = 0.5;
    }
}

static void fillSegment(wkHullDef* def)
{
    fillFlat(def);
    for (int i = 0; i < def->pointCount; i++) {
        points[i].y = 0.25;
    }
}

static void fillPoint(wkHullDef* def)
{
    fillSphere(def, 1);
}

static void fillFaces(wkHullDef* def)
{
    static const int32_t faceSizes[4] = {3, 3, 3, 3};
    static const int32_t faceIndices[12] = {0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3};
    points[0] = wkSceneVec(0.0, 0.0, 0.0);
    points[1] = wkSceneVec(1.0, 0.0, 0.0);
    points[2] = wkSceneVec(0.0, 1.0, 0.0);
    points[3] = wkSceneVec(0.0, 0.0, 1.0);
    def->points = points;
    def->pointCount = 4;
    def->faceSizes = faceSizes;
    def->faceIndices = faceIndices;
    def->faceCount = 4;
}

// clang-format off
static const creation creations[] = {
    {"small hull",   fillSmall},
    {"large hull",   fillLarge},
    {"flat hull",    fillFlat},
    {"segment hull", fillSegment},
    {"point hull",   fillPoint},
    {"given faces",  fillFaces},
};
// clang-format on

#define CREATION_COUNT ((int)(sizeof creations / sizeof creations[0]))

// Creates with failures armed by `arm`, at every n until nothing fails any more. Returns how many
// failures that took.
static int failAtEvery(const creation* c, void (*arm)(long n, void* context), void* context,
                       int limit)
{
    for (int n = 0; n < limit; n++) {
        wkHullDef def = wkDefaultHullDef();
        c->fill(&def);
        size_t before = wkGetByteCount();
        wkHull* hull = (wkHull*)points;
        arm(n, context);
        wkResult result = wkHull_Create(&def, &hull);
        arm(-1, context);
        if (result == wk_ok) {
            assert_non_null(hull);
            wkHull_Destroy(hull);
            assert_int_equal(wkGetByteCount(), before);
            return n;
        }
        if (result == wk_errorUnsupported) {
            return 1;
        }
        if (result != wk_errorMemory || hull != NULL || wkGetByteCount() != before) {
            fail_msg("%s, failure %d: %s, hull %p, %zu bytes left", c->name, n,
                     wkResultName(result), (void*)hull, wkGetByteCount() - before);
        }
    }
    fail_msg("%s: still failing after %d allocations", c->name, limit);
    return limit;
}

static void armAllocator(long n, void* context)
{
    failing* f = (failing*)context;
    f->callCount = 0;
    f->failAt = n;
}

static void creation_survives_a_failing_allocator(void** state)
{
    (void)state;
    failing counted = {0, -1, 0};
    wkAllocator allocator = {allocateOrFail, releaseCounted, &counted};
    wkSetAllocator(&allocator);
    for (int i = 0; i < CREATION_COUNT; i++) {
        assert_true(failAtEvery(&creations[i], armAllocator, &counted, 10000) > 0);
        assert_int_equal(counted.allocatedBytes, 0);
    }
    wkSetAllocator(NULL);
}

static void armMalloc(long n, void* context)
{
    (void)context;
    wkFailMallocAfter(n);
}

// What lies below the library has its own way to malloc.
static void creation_survives_a_failing_malloc(void** state)
{
    (void)state;
    if (!wkHasMallocHook()) {
        skip();
    }
    for (int i = 0; i < CREATION_COUNT; i++) {
        assert_true(failAtEvery(&creations[i], armMalloc, NULL, 10000) > 0);
    }
}

static void nothing_is_allocated_at_the_end(void** state)
{
    (void)state;
    wkKitEnd();
    assert_int_equal(wkGetByteCount(), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(queries_allocate_nothing),
        cmocka_unit_test(creation_survives_a_failing_allocator),
        cmocka_unit_test(creation_survives_a_failing_malloc),
        cmocka_unit_test(nothing_is_allocated_at_the_end),
    };
    return cmocka_run_group_tests_name("memory", tests, NULL, NULL);
}
