// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Clouds survive the failure of any allocation, and queries about them allocate nothing.

#define _DEFAULT_SOURCE // mmap without a file

#include "fail_every.h"
#include "kit.h"
#include "malloc_hook.h"

#include "whisker/cloud_noise.h"
#include "whisker/separation.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define POINTS 500

static float points[POINTS][4]; // x, y, z, radius

static wkCloudDef makeDef(void)
{
    wkRng rng = wkMakeRng(wkKitSeed());
    for (int i = 0; i < POINTS; i++) {
        for (int k = 0; k < 3; k++) {
            points[i][k] = (float)wkRngRange(&rng, -1.0, 1.0);
        }
        points[i][3] = (float)wkRngRange(&rng, 0.0, 0.02);
    }
    wkCloudDef def = wkDefaultCloudDef();
    def.points.data = points;
    def.points.count = POINTS;
    def.points.radiusOffset = 3 * sizeof(float);
    return def;
}

static wkResult createThinned(void)
{
    wkCloudDef def = makeDef();
    def.spacing = 0.2;
    wkCloud* cloud;
    wkResult result = wkCloud_Create(&def, &cloud);
    assert_true((cloud != NULL) == (result == wk_ok));
    wkCloud_Destroy(cloud);
    return result;
}

// Enough points for several chunks, on threads.
static wkResult createThreaded(void)
{
    static float many[70000][3];
    wkParallel parallel = {.threadCount = 3};
    wkCloudDef def = wkDefaultCloudDef();
    def.points = wkMakeCloudView(many, sizeof many / sizeof many[0]);
    def.parallel = &parallel;
    wkCloud* cloud;
    wkResult result = wkCloud_Create(&def, &cloud);
    assert_true((cloud != NULL) == (result == wk_ok));
    wkCloud_Destroy(cloud);
    return result;
}

static wkResult loadCopy(void)
{
    static char block[1 << 16];
    static size_t byteCount;
    if (byteCount == 0) { // with the allocator of the library, before any call fails
        wkCloudDef def = makeDef();
        wkCloud* cloud;
        wkResult made = wkCloud_Create(&def, &cloud);
        if (made != wk_ok) {
            return made;
        }
        byteCount = wkCloud_Info(cloud).byteCount;
        assert_true(byteCount <= sizeof block);
        memcpy(block, wkCloud_Block(cloud), byteCount);
        wkCloud_Destroy(cloud);
    }
    wkCloud* copy;
    wkResult result = wkCloud_FromBlock(block, byteCount, &copy);
    assert_true((copy != NULL) == (result == wk_ok));
    wkCloud_Destroy(copy);
    return result;
}

static void clouds_survive_a_failing_allocator(void** state)
{
    (void)state;
    assert_true(failEveryAllocation(createThinned) > 4);
    assert_true(failEveryAllocation(createThreaded) > 3);
    assert_true(failEveryAllocation(loadCopy) > 2);
}

static void* allocateUpToGigabyte(size_t byteCount, void* context)
{
    (void)context;
    return byteCount <= (size_t)1 << 30 ? aligned_alloc(64, (byteCount + 63) / 64 * 64) : NULL;
}

static void release(void* memory, size_t byteCount, void* context)
{
    (void)byteCount;
    (void)context;
    free(memory);
}

// The points are pages of zeros, which take no memory.
static void memory_for_100_million_points_is_refused_by_name(void** state)
{
    (void)state;
    const int64_t count = 100000000;
    size_t byteCount = (size_t)count * 12;
    void* zeros =
        mmap(NULL, byteCount, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (zeros == MAP_FAILED) {
        skip();
    }
    size_t before = wkGetByteCount();
    wkAllocator small = {allocateUpToGigabyte, release, NULL};
    wkSetAllocator(&small);
    wkCloudDef def = wkDefaultCloudDef();
    def.points = wkMakeCloudView(zeros, count);
    wkCloud* cloud = NULL;
    assert_int_equal(wkCloud_Create(&def, &cloud), wk_errorMemory);
    assert_null(cloud);
    assert_non_null(strstr(wkGetLastError(), "100000000 points"));
    assert_int_equal(wkGetByteCount(), before);
    wkSetAllocator(NULL);
    munmap(zeros, byteCount);
}

static void askEverything(const wkShape* a, const wkShape* b, wkPose pose)
{
    wkContact contacts[WK_MAX_CONTACTS];
    wkCollideRequest request = wkDefaultCollideRequest();
    request.contacts = contacts;
    request.contactCapacity = WK_MAX_CONTACTS;
    request.margin = 0.05;
    wkPose identity = wkIdentityPose();
    wkDistance(a, identity, b, pose, NULL);
    wkCollide(a, identity, b, pose, NULL);
    wkCollide(b, pose, a, identity, &request);
    wkPenetration(a, identity, b, pose);
    wkNoiseRequest noise = wkDefaultNoiseRequest();
    noise.deviationA = 0.01;
    noise.maxWork = 2000;
    wkCollisionProbability(a, identity, b, pose, &noise);
    wkSeparationRequest separation = wkDefaultSeparationRequest();
    separation.maxQueries = 20;
    wkSeparation(a, identity, b, pose, &separation);
    wkRay ray = {pose.position, {0.1, 0.2, 0.3}, INFINITY};
    wkShape_RayCast(a, identity, ray);
    wkShape_ClosestPoint(a, identity, ray.origin, INFINITY);
    wkShape_Bounds(a, pose);
    wkShape_Support(a, pose, ray.direction);
    wkShape_PointDistance(a, pose, ray.origin);
    wkShape_Mass(a);
    wkShape_Check(a);
}

static void cloud_queries_allocate_nothing(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(wkKitSeed() + 1);
    wkCloudDef def = makeDef();
    wkCloud* cloud = NULL;
    assert_int_equal(wkCloud_Create(&def, &cloud), wk_ok);
    wkShape a = wkMakeCloud(cloud);
    wkKitBank();
    long before = wkMallocCalls();
    for (int n = 0; n < 300; n++) {
        wkShapeType type = (wkShapeType)(1 + n % WK_SCENE_TYPE_COUNT);
        wkShape other = wkRandomShape(&rng, wkKitBank(), type, 0.3);
        double x = wkRngRange(&rng, -1.2, 1.2);
        double y = wkRngRange(&rng, -1.2, 1.2);
        askEverything(&a, n % 7 == 0 ? &a : &other, wkMakePose(x, y, 0.1));
    }
    assert_int_equal(wkMallocCalls(), before);
    wkCloud_Destroy(cloud);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(clouds_survive_a_failing_allocator),
        cmocka_unit_test(cloud_queries_allocate_nothing),
        cmocka_unit_test(memory_for_100_million_points_is_refused_by_name),
    };
    int failed = cmocka_run_group_tests_name("memory of clouds", tests, NULL, NULL);
    wkKitEnd();
    return failed;
}
