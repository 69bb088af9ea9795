// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Insertion of scans with cells found on a GPU: the map of the CPU, byte for byte, and its counts, for every option, stride
// and memory, on random and hostile points; what is refused leaves the map unchanged; failures at every call.

#include "cuda_runtime_api.h"
#include "failing_gpu.h"
#include "scenes/rng.h"
#include "whisker/cuda.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST_POINTS 600
#define MOST_FLOATS 8
#define BRICKS 8192

typedef struct scanCase {
    wkRng rng;
    wkCuda* cuda;
    wkCudaScan* onGpu;
    float points[MOST_POINTS * MOST_FLOATS];
    wkScan scan;
    wkOctree* expected;
    wkOctree* found;
} scanCase;

static wkResult tryOpen(scanCase* c, int32_t bricks)
{
    wkCudaDef def = wkDefaultCudaDef();
    wkCudaScanDef scanDef = wkDefaultCudaScanDef();
    c->cuda = NULL;
    c->onGpu = NULL;
    wkResult result = wkCuda_Create(&def, &c->cuda);
    scanDef.cuda = c->cuda;
    scanDef.brickCapacity = bricks;
    scanDef.pointBytes = (size_t)1 << 20;
    return result == wk_ok ? wkCudaScan_Create(&scanDef, &c->onGpu) : result;
}

static void openMaps(scanCase* c, double resolution)
{
    wkOctreeDef def = wkDefaultOctreeDef();
    def.resolution = resolution;
    assert_int_equal(wkOctree_Create(&def, &c->expected), wk_ok);
    assert_int_equal(wkOctree_Create(&def, &c->found), wk_ok);
}

static void closeMaps(scanCase* c)
{
    wkOctree_Destroy(c->expected);
    wkOctree_Destroy(c->found);
}

static scanCase* openCase(uint64_t seed)
{
    scanCase* c = calloc(1, sizeof *c);
    assert_non_null(c);
    c->rng = wkMakeRng(seed);
    assert_int_equal(tryOpen(c, BRICKS), wk_ok);
    return c;
}

static void closeCase(scanCase* c)
{
    wkCudaScan_Destroy(c->onGpu);
    wkCuda_Destroy(c->cuda);
    assert_int_equal(emulatedByteCount(), 0);
    free(c);
    assert_int_equal(wkGetByteCount(), 0);
}

// Draws points about a sensor, `reach` around it, some of them equal and some hostile.
static void drawScan(scanCase* c, double reach, int32_t count, bool isHostile)
{
    const float strange[] = {NAN, INFINITY, -INFINITY, 1e30f, -3e38f, 2e6f, 0.0f};
    const int32_t steps[] = {3, 4, 7};
    wkRng* rng = &c->rng;
    int32_t step = steps[wkRngBelow(rng, 3)];
    c->scan = wkDefaultScan();
    c->scan.points.points = c->points;
    c->scan.points.count = count;
    c->scan.points.stride = step == 3 ? 0 : step * (int32_t)sizeof(float);
    for (int32_t i = 0; i < c->scan.points.count; i++) {
        float* p = c->points + (ptrdiff_t)i * step;
        for (int axis = 0; axis < 3; axis++) {
            p[axis] = (float)wkRngRange(rng, -reach, reach);
        }
        if (i > 0 && wkRngChance(rng, 6)) {
            memcpy(p, c->points + (ptrdiff_t)wkRngBelow(rng, i) * step, sizeof(float[3]));
        }
        if (isHostile && wkRngChance(rng, 8)) {
            p[wkRngBelow(rng, 3)] = strange[wkRngBelow(rng, 7)];
        }
    }
    c->scan.origin = (wkVec3d){wkRngRange(rng, -0.5, 0.5), wkRngRange(rng, -0.5, 0.5),
                               wkRngChance(rng, 3) ? 0.0 : 0.3};
}

// Chooses options of all kinds.
static void drawOptions(scanCase* c, double reach)
{
    wkRng* rng = &c->rng;
    c->scan.isExact = wkRngChance(rng, 2);
    c->scan.keepsFree = wkRngChance(rng, 6);
    c->scan.maxRange = wkRngChance(rng, 2) ? wkRngRange(rng, 0.2, 1.5) * reach : (double)INFINITY;
    c->scan.decay = wkRngChance(rng, 4) ? 0.9 : 1.0;
    c->scan.averageWeight = wkRngChance(rng, 4) ? 0.3 : 0.0;
    if (wkRngChance(rng, 2)) {
        c->scan.frame = (wkPose){.position = {0.3, -0.2, 1.0}, .rotation = {0.1, -0.3, 0.2, 0.9}};
    }
}

// Every byte of both maps.
static void compareMaps(const scanCase* c)
{
    wkOctreeCodeInfo a = wkOctree_Encode(c->expected, wk_octreeCodeFull, NULL);
    wkOctreeCodeInfo b = wkOctree_Encode(c->found, wk_octreeCodeFull, NULL);
    assert_int_equal(a.byteCount, b.byteCount);
    assert_int_equal(a.cubeCount, b.cubeCount);
    char *bytesA = malloc(a.byteCount + 1), *bytesB = malloc(a.byteCount + 1);
    assert_true(bytesA != NULL && bytesB != NULL);
    wkOctree_Encode(c->expected, wk_octreeCodeFull, bytesA);
    wkOctree_Encode(c->found, wk_octreeCodeFull, bytesB);
    assert_memory_equal(bytesA, bytesB, a.byteCount);
    free(bytesA);
    free(bytesB);
}

static void compareInfos(const wkScanInfo* a, const wkScanInfo* b)
{
    assert_int_equal(a->usedCount, b->usedCount);
    assert_int_equal(a->notFiniteCount, b->notFiniteCount);
    assert_int_equal(a->outsideCount, b->outsideCount);
    assert_int_equal(a->farCount, b->farCount);
    assert_int_equal(a->occupiedCount, b->occupiedCount);
    assert_int_equal(a->freeCount, b->freeCount);
}

// Inserts the scan into both maps, and compares them.
static void compareInsertions(scanCase* c, wkCudaMemory memory)
{
    wkScanInfo expected, found;
    wkScan scan = c->scan;
    void* onGpu = NULL;
    if (memory == wk_memoryDevice) {
        assert_int_equal(cudaMalloc(&onGpu, sizeof c->points), cudaSuccess);
        assert_int_equal(
            cudaMemcpyAsync(onGpu, c->points, sizeof c->points, cudaMemcpyHostToDevice, 0),
            cudaSuccess);
        assert_int_equal(cudaStreamSynchronize(0), cudaSuccess);
        scan.points.points = (const float*)onGpu;
    }
    wkResult result = wkOctree_Insert(c->expected, &c->scan, &expected);
    assert_int_equal(wkCudaScan_Insert(c->onGpu, c->found, &scan, memory, &found), result);
    if (result == wk_ok) {
        compareInfos(&found, &expected);
    }
    cudaFree(onGpu);
}

static void maps_are_those_of_the_cpu(void** state)
{
    (void)state;
    const double reaches[] = {0.05, 1.0, 3.0};
    scanCase* c = openCase(wkKitSeed() + 1);
    for (int map = 0; map < 12; map++) {
        double reach = reaches[map % 3];
        openMaps(c, map % 4 == 3 ? 0.013 : 0.05);
        for (int i = 0; i < 5; i++) {
            drawScan(c, reach, i == 4 ? map % 3 : 150, i % 2 == 1);
            drawOptions(c, reach);
            compareInsertions(c, i % 2 == 0 ? wk_memoryHost : wk_memoryDevice);
            compareMaps(c);
        }
        closeMaps(c);
    }
    closeCase(c);
}

// Rays along the border of the keys, and ends too far apart for a grid.
static void scans_at_the_border_and_of_any_size_are_the_same(void** state)
{
    (void)state;
    const double positions[] = {-1638.35, 1638.35, 0.0};
    scanCase* c = openCase(wkKitSeed() + 2);
    for (int i = 0; i < 9; i++) {
        openMaps(c, 0.05);
        drawScan(c, i % 3 == 2 ? 40.0 : 0.4, 12, i % 2 == 0);
        drawOptions(c, 1.0);
        c->scan.frame = wkMakePose(positions[i % 3], positions[i / 3 % 3], positions[i % 2]);
        compareInsertions(c, wk_memoryHost);
        compareMaps(c);
        closeMaps(c);
    }
    closeCase(c);
}

static void what_is_refused_leaves_the_map_unchanged(void** state)
{
    (void)state;
    scanCase* c = openCase(wkKitSeed() + 3);
    openMaps(c, 0.05);
    drawScan(c, 1.0, 100, false);
    compareInsertions(c, wk_memoryHost);
    wkScan good = c->scan;
    assert_int_equal(wkCudaScan_Insert(NULL, c->found, &good, wk_memoryHost, NULL),
                     wk_errorArgument);
    assert_int_equal(wkCudaScan_Insert(c->onGpu, NULL, &good, wk_memoryHost, NULL),
                     wk_errorArgument);
    assert_int_equal(wkCudaScan_Insert(c->onGpu, c->found, NULL, wk_memoryHost, NULL),
                     wk_errorArgument);
    assert_int_equal(wkCudaScan_Insert(c->onGpu, c->found, &good, (wkCudaMemory)7, NULL),
                     wk_errorArgument);
    wkScan bad = good;
    bad.cookie = 0;
    assert_int_equal(wkCudaScan_Insert(c->onGpu, c->found, &bad, wk_memoryHost, NULL),
                     wk_errorArgument);
    bad = good;
    bad.points.stride = 10;
    assert_int_equal(wkCudaScan_Insert(c->onGpu, c->found, &bad, wk_memoryHost, NULL),
                     wk_errorRange);
    bad = good;
    bad.origin.x = 1e6;
    assert_int_equal(wkCudaScan_Insert(c->onGpu, c->found, &bad, wk_memoryHost, NULL),
                     wk_errorRange);
    assert_non_null(strstr(wkGetLastError(), "outside the map"));
    compareMaps(c);
    closeMaps(c);
    closeCase(c);
}

static void more_bricks_than_the_capacity_are_refused_by_name(void** state)
{
    (void)state;
    scanCase* c = calloc(1, sizeof *c);
    assert_non_null(c);
    c->rng = wkMakeRng(wkKitSeed() + 4);
    assert_int_equal(tryOpen(c, 64), wk_ok);
    openMaps(c, 0.05);
    const double reaches[] = {3.0, 30.0};
    for (int i = 0; i < 2; i++) {
        drawScan(c, reaches[i], 60, false);
        assert_int_equal(wkCudaScan_Insert(c->onGpu, c->found, &c->scan, wk_memoryHost, NULL),
                         wk_errorRange);
        assert_non_null(strstr(wkGetLastError(), "brickCapacity, which is 64"));
        compareMaps(c);
    }
    drawScan(c, 0.1, 60, false); // and the next scan is inserted
    c->scan.origin = (wkVec3d){0.0, 0.0, 0.0};
    compareInsertions(c, wk_memoryHost);
    compareMaps(c);
    closeMaps(c);
    closeCase(c);
}

static void fields_of_definitions_are_refused_by_name(void** state)
{
    (void)state;
    wkCudaDef cudaDef = wkDefaultCudaDef();
    wkCudaScanDef def = wkDefaultCudaScanDef();
    wkCudaScan* scan = NULL;
    assert_int_equal(wkCudaScan_Create(&def, &scan), wk_errorArgument);
    assert_int_equal(wkCuda_Create(&cudaDef, &def.cuda), wk_ok);
    assert_int_equal(wkCudaScan_Create(&def, NULL), wk_errorArgument);
    def.brickCapacity = 63;
    assert_int_equal(wkCudaScan_Create(&def, &scan), wk_errorRange);
    assert_non_null(strstr(wkGetLastError(), "brickCapacity is 63"));
    def.brickCapacity = 64;
    def.pointBytes = 12;
    assert_int_equal(wkCudaScan_Create(&def, &scan), wk_errorRange);
    assert_non_null(strstr(wkGetLastError(), "pointBytes is 12"));
    assert_null(scan);
    wkCudaScan_Destroy(NULL);
    wkCuda_Destroy(def.cuda);
}

// A scan into a map that has one already: the map is unchanged where it fails.
static wkResult insertOnce(void* context)
{
    scanCase* c = (scanCase*)context;
    wkResult result = tryOpen(c, 64);
    wkOctree* copy = NULL;
    if (result == wk_ok) {
        result = wkOctree_Copy(c->expected, &copy);
    }
    if (result == wk_ok) {
        c->found = copy;
        result = wkCudaScan_Insert(c->onGpu, copy, &c->scan, wk_memoryHost, NULL);
        if (result != wk_ok) {
            compareMaps(c);
        }
    }
    wkOctree_Destroy(copy);
    wkCudaScan_Destroy(c->onGpu);
    wkCuda_Destroy(c->cuda);
    return result;
}

static void failures_leave_the_map_unchanged(void** state)
{
    (void)state;
    scanCase* c = openCase(wkKitSeed() + 5);
    wkCudaScan_Destroy(c->onGpu);
    wkCuda_Destroy(c->cuda);
    openMaps(c, 0.05);
    wkOctree_Destroy(c->found);
    c->found = NULL;
    drawScan(c, 0.2, 10, false);
    assert_int_equal(wkOctree_Insert(c->expected, &c->scan, NULL), wk_ok);
    failEverywhere(insertOnce, c);
    wkOctree_Destroy(c->expected);
    free(c);
    assert_int_equal(wkGetByteCount(), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(maps_are_those_of_the_cpu),
        cmocka_unit_test(scans_at_the_border_and_of_any_size_are_the_same),
        cmocka_unit_test(what_is_refused_leaves_the_map_unchanged),
        cmocka_unit_test(more_bricks_than_the_capacity_are_refused_by_name),
        cmocka_unit_test(fields_of_definitions_are_refused_by_name),
        cmocka_unit_test(failures_leave_the_map_unchanged),
    };
    return cmocka_run_group_tests_name("cuda_scan", tests, NULL, NULL);
}
