// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Penetration volumes of raw points on a GPU: the spheres that the CPU marks, and its sums, bit for bit; failures of the
// GPU at every call.

#include "cuda_runtime_api.h"
#include "gpu_trees.h"

#include <stdlib.h>
#include <string.h>

#define MOST_TOUCHED 20000
#define UNTOUCHED 0x77 // is neither 0 nor 1

// The answer of a query, and what is behind the bytes that it may write.
typedef struct volumes {
    wkResult result;
    uint8_t touched[MOST_TOUCHED];
    double volumes[TREES];
} volumes;

static int64_t innerCount(const pointsCase* c)
{
    int64_t count = 0;
    for (int i = 0; i < TREES; i++) {
        count += c->trees[i].tree != NULL ? wkSphereTree_Info(c->trees[i].tree).innerCount : 0;
    }
    assert_true(count <= MOST_TOUCHED);
    return count;
}

static void askCpu(const pointsCase* c, const wkCloudView* view, const wkSphereTreeRequest* request,
                   volumes* v)
{
    memset(v, UNTOUCHED, sizeof *v);
    v->result = wkPlacedSphereTree_PointVolumes(c->trees, TREES, view, c->pose, request, v->touched,
                                                innerCount(c), v->volumes);
}

static void askGpu(const pointsCase* c, const gpuTrees* gpu, const wkCloudView* view,
                   wkCudaMemory memory, const wkSphereTreeRequest* request, volumes* v)
{
    memset(v, UNTOUCHED, sizeof *v);
    v->result = wkCudaTrees_PointVolumes(gpu->trees, c->trees, TREES, view, memory, c->pose,
                                         request, v->touched, innerCount(c), v->volumes);
}

static void compareVolumes(const volumes* found, const volumes* expected)
{
    assert_int_equal(found->result, expected->result);
    assert_memory_equal(found->touched, expected->touched, sizeof found->touched);
    for (int i = 0; i < TREES; i++) {
        bool isNone = isnan(expected->volumes[i]);
        assert_true(isNone ? isnan(found->volumes[i]) : found->volumes[i] == expected->volumes[i]);
    }
}

// Asks CPU and GPU, with points in both memories, and compares. Returns the number of spheres that are touched.
static int compareWithCpu(const pointsCase* c, const gpuTrees* gpu, const wkCloudView* view,
                          const wkSphereTreeRequest* request)
{
    static volumes expected, found;
    askCpu(c, view, request, &expected);
    askGpu(c, gpu, view, wk_memoryHost, request, &found);
    compareVolumes(&found, &expected);
    size_t stride = view->stride != 0 ? (size_t)view->stride : 3 * sizeof(float);
    wkCloudView there = *view;
    void* memory = copyToGpu(view->data, (size_t)view->count * stride);
    there.data = memory;
    askGpu(c, gpu, &there, wk_memoryDevice, request, &found);
    compareVolumes(&found, &expected);
    cudaFree(memory);
    int count = 0;
    for (int64_t i = 0; i < innerCount(c); i++) {
        count += expected.touched[i] == 1;
    }
    return count;
}

static void volumes_are_those_of_the_cpu(void** state)
{
    (void)state;
    pointsCase* c = sharedCase();
    wkRng rng = wkMakeRng(wkKitSeed());
    const int64_t counts[] = {1, 255, 256, 257, 3000, 0};
    const double reaches[] = {0.0, 0.2, 1.0};
    int touched = 0;
    for (int i = 0; i < wkKitCasesOfKinds(24, 12); i++) {
        gpuTrees gpu;
        drawCase(c, &rng, reaches[i % 3], 0.0);
        c->trees[i % TREES].tree = i % 4 == 3 ? NULL : c->trees[i % TREES].tree;
        openGpuTrees(c, &gpu);
        wkSphereTreeRequest request = wkDefaultSphereTreeRequest();
        request.radius = i % 5 == 0 ? 0.03 : 0.0;
        request.allowsEmpty = true;
        wkCloudView view = viewOf(c, counts[i % 6]);
        touched += compareWithCpu(c, &gpu, &view, &request);
        closeGpuTrees(&gpu);
    }
    assert_true(touched > 0);
}

// Points with radii of their own, some of them not finite.
static void radii_and_hostile_points_do_not_matter(void** state)
{
    (void)state;
    enum {
        count = 900
    };
    wkRng rng = wkMakeRng(wkKitSeed());
    gpuTrees gpu;
    pointsCase* c = drawOnGpu(&rng, 0.3, 0.0, &gpu);
    float(*records)[4] = calloc(count, sizeof *records);
    assert_non_null(records);
    for (int k = 0; k < count; k++) {
        const float bad[] = {NAN, INFINITY, -INFINITY, 3e38f, -1e-45f};
        memcpy(records[k], c->points + 3 * k, 3 * sizeof(float));
        records[k][k % 3] = k % 11 == 5 ? bad[k / 11 % 5] : records[k][k % 3];
        records[k][3] = 0.01f * (float)(k % 7);
    }
    wkCloudView view = wkMakeCloudView(records, count);
    view.stride = sizeof records[0];
    view.radiusOffset = 3 * sizeof(float);
    assert_true(compareWithCpu(c, &gpu, &view, NULL) > 0);
    free(records);
    closeGpuTrees(&gpu);
}

// Empty slots of nodes are at the origin of their tree, and trees that are not there at the origin of the points.
static void points_at_empty_slots_touch_nothing(void** state)
{
    (void)state;
    pointsCase* c = sharedCase();
    wkRng rng = wkMakeRng(wkKitSeed());
    for (int i = 0; i < 2; i++) {
        gpuTrees gpu;
        drawCase(c, &rng, 0.0, 0.1);
        c->pose = wkIdentityPose();
        for (int k = 0; k < TREES; k++) {
            c->trees[k].pose = wkIdentityPose();
            c->trees[k].tree = i == 0 ? c->trees[k].tree : NULL;
        }
        memset(c->points, 0, sizeof(float[3][64]));
        openGpuTrees(c, &gpu);
        wkCloudView view = viewOf(c, 64);
        compareWithCpu(c, &gpu, &view, NULL);
        wkSphereTreeResult expected[TREES], found[TREES];
        assert_int_equal(
            wkPlacedSphereTree_PointDistances(c->trees, TREES, &view, c->pose, NULL, expected),
            wk_ok);
        assert_int_equal(wkCudaTrees_PointDistances(gpu.trees, c->trees, TREES, &view,
                                                    wk_memoryHost, c->pose, NULL, found),
                         wk_ok);
        compareTreeResults(found, expected);
        closeGpuTrees(&gpu);
    }
}

// Distances after volumes, and volumes after distances, on the same trees.
static void queries_do_not_disturb_each_other(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(wkKitSeed());
    gpuTrees gpu;
    pointsCase* c = drawOnGpu(&rng, 0.2, 0.0, &gpu);
    wkCloudView view = viewOf(c, 700);
    for (int i = 0; i < 2; i++) {
        wkSphereTreeResult expected[TREES], found[TREES];
        assert_true(compareWithCpu(c, &gpu, &view, NULL) > 0);
        assert_int_equal(
            wkPlacedSphereTree_PointDistances(c->trees, TREES, &view, c->pose, NULL, expected),
            wk_ok);
        assert_int_equal(wkCudaTrees_PointDistances(gpu.trees, c->trees, TREES, &view,
                                                    wk_memoryHost, c->pose, NULL, found),
                         wk_ok);
        compareTreeResults(found, expected);
    }
    closeGpuTrees(&gpu);
}

static void expectRefused(const volumes* v, wkResult expected, const char* words)
{
    assert_int_equal(v->result, expected);
    assert_non_null(strstr(wkGetLastError(), words));
    for (int i = 0; i < TREES; i++) {
        assert_true(isnan(v->volumes[i]));
    }
}

static void bad_input_is_refused(void** state)
{
    (void)state;
    static volumes v;
    wkRng rng = wkMakeRng(wkKitSeed());
    gpuTrees gpu;
    pointsCase* c = drawOnGpu(&rng, 0.1, 0.0, &gpu);
    wkCloudView view = viewOf(c, 400);

    // bytes that do not suffice; nothing is written
    memset(&v, UNTOUCHED, sizeof v);
    v.result = wkCudaTrees_PointVolumes(gpu.trees, c->trees, TREES, &view, wk_memoryHost, c->pose,
                                        NULL, v.touched, innerCount(c) - 1, v.volumes);
    expectRefused(&v, wk_errorArgument, "touchedCapacity");
    assert_int_equal(v.touched[0], UNTOUCHED);
    v.result = wkCudaTrees_PointVolumes(gpu.trees, c->trees, TREES, &view, wk_memoryHost, c->pose,
                                        NULL, NULL, innerCount(c), v.volumes);
    expectRefused(&v, wk_errorArgument, "touchedCapacity is 0");

    // arguments that are not there, or of other trees
    askGpu(c, &(gpuTrees){0}, &view, wk_memoryHost, NULL, &v);
    expectRefused(&v, wk_errorArgument, "NULL");
    askGpu(c, &gpu, NULL, wk_memoryHost, NULL, &v);
    expectRefused(&v, wk_errorArgument, "NULL");
    askGpu(c, &gpu, &view, (wkCudaMemory)7, NULL, &v);
    expectRefused(&v, wk_errorArgument, "memory is 7");
    const wkSphereTree* before = c->trees[2].tree;
    c->trees[2].tree = c->made[3];
    askGpu(c, &gpu, &view, wk_memoryHost, NULL, &v);
    expectRefused(&v, wk_errorArgument, "tree 2 is not the one");
    c->trees[2].tree = before;
    wkSphereTreeRequest request = wkDefaultSphereTreeRequest();
    request.radius = -1.0;
    askGpu(c, &gpu, &view, wk_memoryHost, &request, &v);
    expectRefused(&v, wk_errorRange, "radius");

    // points that are nowhere, and a radius that is not valid
    for (int i = 0; i < 400; i++) {
        c->points[3 * i + i % 3] = NAN;
    }
    void* memory = copyToGpu(c->points, (size_t)3 * 400 * sizeof(float));
    wkCloudView there = viewOf(c, 400);
    there.data = memory;
    askGpu(c, &gpu, &view, wk_memoryHost, NULL, &v);
    expectRefused(&v, wk_errorArgument, "none of 400 points is finite");
    askGpu(c, &gpu, &there, wk_memoryDevice, NULL, &v);
    expectRefused(&v, wk_errorArgument, "none of 400 points is finite");
    cudaFree(memory);
    float records[300][4] = {{0.0f}};
    records[177][3] = -1.0f;
    records[250][3] = NAN;
    view = wkMakeCloudView(records, 300);
    view.stride = sizeof records[0];
    view.radiusOffset = 3 * sizeof(float);
    askGpu(c, &gpu, &view, wk_memoryHost, NULL, &v);
    expectRefused(&v, wk_errorRange, "radius of point 177");
    closeGpuTrees(&gpu);
}

// Creates trees and asks them; every failure leaves no volume.
static wkResult runStory(void* context)
{
    static volumes found;
    const pointsCase* c = sharedCase();
    const volumes* expected = (const volumes*)context;
    wkCloudView view = viewOf(c, 300);
    gpuTrees gpu;
    wkResult result = tryGpuTrees(c, &gpu);
    if (result == wk_ok) {
        askGpu(c, &gpu, &view, wk_memoryHost, NULL, &found);
        result = found.result;
        if (result == wk_ok) {
            compareVolumes(&found, expected);
        }
        for (int i = 0; i < TREES && result != wk_ok; i++) {
            assert_true(isnan(found.volumes[i]));
        }
    }
    closeGpuTrees(&gpu);
    return result;
}

static void any_call_may_fail(void** state)
{
    (void)state;
    static volumes expected;
    pointsCase* c = sharedCase();
    wkRng rng = wkMakeRng(wkKitSeed());
    drawCase(c, &rng, 0.2, 0.0);
    wkCloudView view = viewOf(c, 300);
    askCpu(c, &view, NULL, &expected);
    failEverywhere(runStory, &expected);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(volumes_are_those_of_the_cpu),
        cmocka_unit_test(radii_and_hostile_points_do_not_matter),
        cmocka_unit_test(points_at_empty_slots_touch_nothing),
        cmocka_unit_test(queries_do_not_disturb_each_other),
        cmocka_unit_test(bad_input_is_refused),
        cmocka_unit_test(any_call_may_fail),
    };
    return cmocka_run_group_tests_name("cuda_volumes", tests, openCase, closeCase);
}
