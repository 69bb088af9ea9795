// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The nearest points of two clouds on a GPU: the result of the exhaustive search of the CPU, to the bit, whatever the
// method, the numbers of points and their positions, and clear failures of the GPU at every call.

#include "cuda_runtime_api.h"
#include "failing_gpu.h"
#include "scenes/point_layouts.h"
#include "whisker/cuda.h"

#include <math.h>
#include <string.h>

#define MAX_POINTS 3000

static wkCloud* drawCloud(wkRng* rng, layout kind, int32_t count)
{
    static double points[3 * MAX_POINTS];
    bool hasOrigin = wkRngChance(rng, 4);
    for (int32_t i = 0; i < 3 * count; i++) {
        points[i] =
            (double)coordinateOf(rng, kind, i / 3, i % 3) + (hasOrigin ? 1e6 * (i % 3 + 1) : 0.0);
    }
    wkCloudDef def = wkDefaultCloudDef();
    def.allowsEmpty = true;
    def.points.data = points;
    def.points.count = count;
    def.points.isDouble = true;
    def.points.yOffset = sizeof(double);
    def.points.zOffset = 2 * sizeof(double);
    def.origin = hasOrigin ? (wkVec3d){1e6, 2e6, 3e6} : (wkVec3d){0.0, 0.0, 0.0};
    def.maxRounding = 1.0;
    def.radius = wkRngChance(rng, 3) ? 0.05 : 0.0; // must not count
    wkCloud* cloud = NULL;
    assert_int_equal(wkCloud_Create(&def, &cloud), wk_ok);
    return cloud;
}

static wkPose drawPose(wkRng* rng, double reach)
{
    wkVec3d direction = wkRngDirection(rng);
    double length = wkRngRange(rng, 0.0, reach);
    wkPose pose = wkMakePose(length * direction.x, length * direction.y, length * direction.z);
    pose.rotation = wkRngChance(rng, 2) ? wkRngRightAngles(rng) : wkRngRotation(rng);
    return pose;
}

static wkCuda* openGpu(void)
{
    wkCudaDef def = wkDefaultCudaDef();
    wkCuda* cuda = NULL;
    assert_int_equal(wkCuda_Create(&def, &cuda), wk_ok);
    return cuda;
}

static wkCudaCloud* onGpu(wkCuda* cuda, const wkCloud* cloud)
{
    wkCudaCloudDef def = wkDefaultCudaCloudDef();
    def.cuda = cuda;
    def.cloud = cloud;
    wkCudaCloud* made = NULL;
    assert_int_equal(wkCudaCloud_Create(&def, &made), wk_ok);
    return made;
}

static bool areEqualVectors(wkVec3d a, wkVec3d b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

static void compareResults(const wkCenterResult* found, const wkCenterResult* expected)
{
    bool isEqual = found->distance == expected->distance && found->rankA == expected->rankA &&
                   found->rankB == expected->rankB && found->status == expected->status &&
                   areEqualVectors(found->pointA, expected->pointA) &&
                   areEqualVectors(found->pointB, expected->pointB);
    if (!isEqual) {
        fail_msg("%s: %.17g of %d and %d, status %d; expected %.17g of %d and %d, status %d",
                 wkCenterMethodName(found->method), found->distance, (int)found->rankA,
                 (int)found->rankB, (int)found->status, expected->distance, (int)expected->rankA,
                 (int)expected->rankB, (int)expected->status);
    }
}

// Two clouds on both sides.
typedef struct clouds {
    wkCuda* cuda;
    wkCloud *a, *b;
    wkCudaCloud *onGpuA, *onGpuB;
    wkPose poseA, poseB;
} clouds;

static void openClouds(clouds* c, wkRng* rng, layout kindA, int32_t countA, layout kindB,
                       int32_t countB)
{
    c->a = drawCloud(rng, kindA, countA);
    c->b = drawCloud(rng, kindB, countB);
    c->onGpuA = onGpu(c->cuda, c->a);
    c->onGpuB = onGpu(c->cuda, c->b);
}

static void closeClouds(clouds* c)
{
    wkCudaCloud_Destroy(c->onGpuA);
    wkCudaCloud_Destroy(c->onGpuB);
    wkCloud_Destroy(c->a);
    wkCloud_Destroy(c->b);
}

// Both methods, both orders.
static wkCenterResult compareWithCpu(const clouds* c, double cutoff)
{
    wkCenterRequest request = wkDefaultCenterRequest();
    request.cutoff = cutoff;
    request.method = wk_centersExhaustive;
    wkCenterResult forth = wkCenterDistance(c->a, c->poseA, c->b, c->poseB, &request);
    wkCenterResult back = wkCenterDistance(c->b, c->poseB, c->a, c->poseA, &request);
    for (int method = wk_centersExhaustive; method <= wk_centersHierarchy; method++) {
        request.method = (wkCenterMethod)method;
        wkCenterResult found =
            wkCudaCloud_CenterDistance(c->onGpuA, c->poseA, c->onGpuB, c->poseB, &request);
        assert_int_equal(found.method, method);
        compareResults(&found, &forth);
        found = wkCudaCloud_CenterDistance(c->onGpuB, c->poseB, c->onGpuA, c->poseA, &request);
        compareResults(&found, &back);
    }
    return forth;
}

static void answers_are_those_of_the_cpu(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(wkKitSeed());
    const int32_t counts[] = {1, 2, 7, 8, 9, 63, 64, 65, 300, 512, 513};
    enum {
        countCount = sizeof counts / sizeof counts[0]
    };
    clouds c = {.cuda = openGpu()};
    for (int i = 0; i < wkKitCasesOfKinds(60, layoutCount); i++) {
        layout kindA = (layout)(i % layoutCount);
        layout kindB = wkRngChance(&rng, 2) ? kindA : (layout)wkRngBelow(&rng, layoutCount);
        int32_t countA = counts[i % countCount];
        int32_t countB = counts[wkRngBelow(&rng, countCount)];
        openClouds(&c, &rng, kindA, countA, kindB, countB);
        const double reaches[] = {0.0, 1.0, 4.0, 1e-21};
        double reach = reaches[wkRngBelow(&rng, 4)];
        c.poseA = wkRngChance(&rng, 3) ? wkIdentityPose() : drawPose(&rng, 10.0);
        c.poseB = reach == 0.0 ? c.poseA : drawPose(&rng, reach);
        wkCenterResult nearest = compareWithCpu(&c, (double)INFINITY);
        assert_int_equal(nearest.status, wk_statusExact);

        // a cutoff at the distance itself, and on both sides of it
        double cutoff = nearest.distance * (double[]){1.0, 0.999999, 1.5}[i % 3];
        compareWithCpu(&c, cutoff);
        closeClouds(&c);
    }
    wkCuda_Destroy(c.cuda);
    assert_int_equal(emulatedByteCount(), 0);
}

// Around the borders of tiles and of blocks of threads.
static void large_clouds_are_those_of_the_cpu(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(wkKitSeed());
    const int32_t counts[][2] = {{1023, 2047}, {1024, 2048}, {1025, 2049}, {3000, 3000}};
    const layout kinds[] = {layoutUniform, layoutLattice, layoutFar, layoutPlane};
    clouds c = {.cuda = openGpu(), .poseA = wkIdentityPose()};
    for (int i = 0; i < 4; i++) {
        openClouds(&c, &rng, kinds[i], counts[i][0], kinds[(i + 1) % 4], counts[i][1]);
        c.poseB = drawPose(&rng, 3.0);
        compareWithCpu(&c, (double)INFINITY);
        closeClouds(&c);
        openClouds(&c, &rng, kinds[i], counts[i][0], kinds[i], counts[i][1]);
        c.poseB = i % 2 == 0 ? c.poseA : wkMakePose(0.0, 0.0, 1.0);
        compareWithCpu(&c, (double)INFINITY);
        closeClouds(&c);
    }
    wkCuda_Destroy(c.cuda);
}

// Squares beyond floats, where doubles decide alone.
static void distant_clouds_are_those_of_the_cpu(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(wkKitSeed());
    clouds c = {.cuda = openGpu(), .poseA = wkIdentityPose()};
    const double distances[] = {1e6, 1e14, 1e16, 1e17, 1e20, 1e100};
    for (int i = 0; i < 6; i++) {
        openClouds(&c, &rng, layoutUniform, 30 + 100 * i, layoutUniform, 100);
        c.poseB = wkMakePose(distances[i], -0.3 * distances[i], 0.0);
        wkCenterResult nearest = compareWithCpu(&c, (double)INFINITY);
        assert_true(nearest.distance > 0.9 * distances[i]);
        compareWithCpu(&c, 0.5 * distances[i]);
        closeClouds(&c);
    }
    wkCuda_Destroy(c.cuda);
}

static void a_cloud_can_be_both(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(wkKitSeed());
    clouds c = {.cuda = openGpu(), .poseA = wkIdentityPose()};
    c.a = c.b = drawCloud(&rng, layoutUniform, 200);
    c.onGpuA = c.onGpuB = onGpu(c.cuda, c.a);
    c.poseB = wkIdentityPose();
    assert_true(compareWithCpu(&c, (double)INFINITY).distance == 0.0);
    c.poseB = drawPose(&rng, 5.0);
    compareWithCpu(&c, (double)INFINITY);
    wkCudaCloud_Destroy(c.onGpuA);
    wkCloud_Destroy(c.a);
    wkCuda_Destroy(c.cuda);
}

// A map with the cells that random points are in, and some that are filled as one.
static wkCloud* drawCells(wkRng* rng, double resolution, int32_t count)
{
    wkOctreeDef def = wkDefaultOctreeDef();
    def.resolution = resolution;
    wkOctree* octree = NULL;
    assert_int_equal(wkOctree_Create(&def, &octree), wk_ok);
    wkAabb box = {{0.0, 0.0, 0.0}, {8.0 * resolution, 8.0 * resolution, 9.0 * resolution}};
    assert_int_equal(wkOctree_FillBox(octree, box, 1.0f), wk_ok);
    for (int32_t i = 0; i < count; i++) {
        wkVec3d p = {wkRngRange(rng, -1.0, 1.0), wkRngRange(rng, -1.0, 1.0),
                     wkRngRange(rng, -1.0, 1.0)};
        wkCellKey key;
        assert_true(wkOctree_KeyAt(octree, p, &key));
        assert_int_equal(wkOctree_SetLogOdds(octree, key, WK_OCTREE_DEPTH, 1.0f), wk_ok);
    }
    wkCloud* cloud = NULL;
    assert_int_equal(wkCloud_FromOctree(octree, 0.5 * sqrt(3.0) * resolution, &cloud), wk_ok);
    wkOctree_Destroy(octree);
    return cloud;
}

// Cells of one size and of several, aligned, where many pairs are equally near, and not, apart and with cells in common.
static void octrees_are_compared_as_on_the_cpu(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(wkKitSeed());
    const double resolutions[][2] = {{0.1, 0.1}, {0.25, 0.0625}, {0.05, 0.08}};
    clouds c = {.cuda = openGpu(), .poseA = wkIdentityPose()};
    for (int i = 0; i < 9; i++) {
        c.a = drawCells(&rng, resolutions[i % 3][0], 60);
        c.b = drawCells(&rng, resolutions[i % 3][1], 300);
        c.onGpuA = onGpu(c.cuda, c.a);
        c.onGpuB = onGpu(c.cuda, c.b);
        const wkPose poses[] = {wkIdentityPose(), wkMakePose(2.5, 0.0, 0.0), drawPose(&rng, 3.0)};
        c.poseB = poses[i / 3];
        wkCenterResult nearest = compareWithCpu(&c, (double)INFINITY);
        assert_int_equal(nearest.status, wk_statusExact);
        closeClouds(&c);
    }
    wkCuda_Destroy(c.cuda);
    assert_int_equal(emulatedByteCount(), 0);
}

static void empty_clouds_have_no_pair(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(wkKitSeed());
    clouds c = {.cuda = openGpu(), .poseA = wkIdentityPose(), .poseB = wkIdentityPose()};
    openClouds(&c, &rng, layoutUniform, 0, layoutUniform, 9);
    assert_int_equal(compareWithCpu(&c, 0.5).status, wk_statusBound);
    closeClouds(&c);
    openClouds(&c, &rng, layoutUniform, 0, layoutUniform, 0);
    assert_int_equal(compareWithCpu(&c, (double)INFINITY).status, wk_statusBound);
    closeClouds(&c);
    wkCuda_Destroy(c.cuda);
}

// Few pairs are compared exhaustively.
static void the_method_is_chosen(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(wkKitSeed());
    clouds c = {.cuda = openGpu(), .poseA = wkIdentityPose(), .poseB = wkMakePose(3.0, 0.0, 0.0)};
    openClouds(&c, &rng, layoutUniform, 40, layoutUniform, 50);
    wkCenterResult found = wkCudaCloud_CenterDistance(c.onGpuA, c.poseA, c.onGpuB, c.poseB, NULL);
    assert_int_equal(found.method, wk_centersExhaustive);
    closeClouds(&c);
    wkCuda_Destroy(c.cuda);
}

static void expectInvalid(wkCenterResult found)
{
    assert_int_equal(found.status, wk_statusInvalid);
    assert_true(found.distance == (double)-INFINITY && found.rankA == -1 && found.rankB == -1);
}

static void bad_input_is_refused(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(wkKitSeed());
    clouds c = {.cuda = openGpu(), .poseA = wkIdentityPose(), .poseB = wkIdentityPose()};
    openClouds(&c, &rng, layoutUniform, 10, layoutUniform, 10);
    expectInvalid(wkCudaCloud_CenterDistance(NULL, c.poseA, c.onGpuB, c.poseB, NULL));
    assert_string_equal(wkGetLastError(), "cuda cloud: a is NULL");
    expectInvalid(wkCudaCloud_CenterDistance(c.onGpuA, c.poseA, NULL, c.poseB, NULL));
    assert_string_equal(wkGetLastError(), "cuda cloud: b is NULL");
    wkCenterRequest request = wkDefaultCenterRequest();
    request.cutoff = -1.0;
    expectInvalid(wkCudaCloud_CenterDistance(c.onGpuA, c.poseA, c.onGpuB, c.poseB, &request));
    request = wkDefaultCenterRequest();
    request.method = (wkCenterMethod)3;
    expectInvalid(wkCudaCloud_CenterDistance(c.onGpuA, c.poseA, c.onGpuB, c.poseB, &request));
    wkPose bad = wkMakePose((double)NAN, 0.0, 0.0);
    expectInvalid(wkCudaCloud_CenterDistance(c.onGpuA, bad, c.onGpuB, c.poseB, NULL));

    // a cloud of another GPU
    if (emulatedIsUsed()) {
        emulatedSetDevices(2, 13000);
        wkCudaDef def = wkDefaultCudaDef();
        def.device = 1;
        wkCuda* other = NULL;
        assert_int_equal(wkCuda_Create(&def, &other), wk_ok);
        wkCudaCloud* there = onGpu(other, c.b);
        expectInvalid(wkCudaCloud_CenterDistance(c.onGpuA, c.poseA, there, c.poseB, NULL));
        assert_string_equal(wkGetLastError(), "cuda cloud: a is on GPU 0, b on GPU 1");
        wkCudaCloud_Destroy(there);
        wkCuda_Destroy(other);
        emulatedSetDevices(1, 13000);
    }
    closeClouds(&c);
    wkCuda_Destroy(c.cuda);
}

static void bad_definitions_are_refused(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(wkKitSeed());
    wkCuda* cuda = openGpu();
    wkCloud* cloud = drawCloud(&rng, layoutUniform, 3000);
    wkCudaCloud* made = NULL;
    wkCudaCloudDef good = wkDefaultCudaCloudDef(), def = {0};
    good.cuda = cuda;
    good.cloud = cloud;
    assert_int_equal(wkCudaCloud_Create(&def, &made), wk_errorArgument);
    def = good;
    def.cuda = NULL;
    assert_int_equal(wkCudaCloud_Create(&def, &made), wk_errorArgument);
    assert_string_equal(wkGetLastError(), "cuda cloud: cuda is NULL");
    def = good;
    def.cloud = NULL;
    assert_int_equal(wkCudaCloud_Create(&def, &made), wk_errorArgument);
    assert_string_equal(wkGetLastError(), "cuda cloud: cloud is NULL");
    assert_int_equal(wkCudaCloud_Create(&good, NULL), wk_errorArgument);
    if (emulatedIsUsed()) {
        emulatedSetMemory(100000);
        assert_int_equal(wkCudaCloud_Create(&good, &made), wk_errorMemory);
        assert_non_null(strstr(wkGetLastError(), "bytes on the GPU"));
        emulatedSetMemory((size_t)1 << 30);
    }
    assert_null(made);
    wkCudaCloud_Destroy(NULL);
    wkCloud_Destroy(cloud);
    wkCuda_Destroy(cuda);
    assert_int_equal(emulatedByteCount(), 0);
}

typedef struct centerStory {
    wkCloud* a;
    wkCloud* b;
    wkCenterMethod method;
    wkCenterResult expected;
} centerStory;

// Takes a GPU, copies clouds and asks for their distance; a failure leaves nothing behind.
static wkResult runStory(void* context)
{
    const centerStory* s = (const centerStory*)context;
    wkCudaDef cudaDef = wkDefaultCudaDef();
    wkCudaCloudDef def = wkDefaultCudaCloudDef();
    wkCudaCloud *madeA = NULL, *madeB = NULL;
    wkResult result = wkCuda_Create(&cudaDef, &def.cuda);
    def.cloud = s->a;
    result = result == wk_ok ? wkCudaCloud_Create(&def, &madeA) : result;
    def.cloud = s->b;
    result = result == wk_ok ? wkCudaCloud_Create(&def, &madeB) : result;
    if (result == wk_ok) {
        wkCenterRequest request = wkDefaultCenterRequest();
        request.method = s->method;
        wkCenterResult found = wkCudaCloud_CenterDistance(madeA, wkIdentityPose(), madeB,
                                                          wkMakePose(2.5, 0.0, 0.0), &request);
        if (found.status == wk_statusInvalid) {
            expectInvalid(found);
            bool isMemory = strstr(wkGetLastError(), "out of memory") != NULL;
            result = isMemory ? wk_errorMemory : wk_errorDevice;
        } else {
            compareResults(&found, &s->expected);
        }
    }
    if (result != wk_ok) {
        assert_non_null(strstr(wkGetLastError(), "cuda"));
    }
    wkCudaCloud_Destroy(madeA);
    wkCudaCloud_Destroy(madeB);
    wkCuda_Destroy(def.cuda);
    assert_int_equal(emulatedByteCount(), 0);
    return result;
}

static void any_call_may_fail(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(wkKitSeed());
    centerStory s = {.a = drawCloud(&rng, layoutUniform, 40),
                     .b = drawCloud(&rng, layoutUniform, 600)};
    wkCenterRequest request = wkDefaultCenterRequest();
    request.method = wk_centersExhaustive;
    s.expected = wkCenterDistance(s.a, wkIdentityPose(), s.b, wkMakePose(2.5, 0.0, 0.0), &request);
    const wkCenterMethod methods[] = {wk_centersExhaustive, wk_centersHierarchy};
    for (int i = 0; i < 2; i++) {
        s.method = methods[i];
        // objects alone: a query allocates nothing
        assert_int_equal(failEverywhere(runStory, &s), 3);
    }
    wkCloud_Destroy(s.a);
    wkCloud_Destroy(s.b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers_are_those_of_the_cpu),
        cmocka_unit_test(large_clouds_are_those_of_the_cpu),
        cmocka_unit_test(distant_clouds_are_those_of_the_cpu),
        cmocka_unit_test(a_cloud_can_be_both),
        cmocka_unit_test(octrees_are_compared_as_on_the_cpu),
        cmocka_unit_test(empty_clouds_have_no_pair),
        cmocka_unit_test(the_method_is_chosen),
        cmocka_unit_test(bad_input_is_refused),
        cmocka_unit_test(bad_definitions_are_refused),
        cmocka_unit_test(any_call_may_fail),
    };
    return cmocka_run_group_tests_name("cuda_centers", tests, NULL, NULL);
}
