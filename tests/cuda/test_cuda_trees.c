// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Distances of raw points from sphere trees on a GPU: those of the CPU, bit for bit, in every layout, from every memory
// and in any number of pieces; failures of the GPU at every call.

#include "cuda_runtime_api.h"
#include "gpu_trees.h"

#include <stdlib.h>
#include <string.h>

// Asks CPU and GPU, with points in both memories, and compares.
static void compareWithCpu(const pointsCase* c, const gpuTrees* gpu, const wkCloudView* view,
                           const wkSphereTreeRequest* request)
{
    wkSphereTreeResult expected[TREES], found[TREES];
    wkResult result =
        wkPlacedSphereTree_PointDistances(c->trees, TREES, view, c->pose, request, expected);
    assert_int_equal(wkCudaTrees_PointDistances(gpu->trees, c->trees, TREES, view, wk_memoryHost,
                                                c->pose, request, found),
                     result);
    compareTreeResults(found, expected);

    // the same bytes on the GPU
    int64_t stride = view->stride != 0 ? view->stride : 3 * (int64_t)sizeof(float);
    int64_t behind = view->count > 0 ? (view->count - 1) * stride : 0;
    const char* lowest = (const char*)view->data + (behind < 0 ? behind : 0);
    size_t bytes = (size_t)llabs(behind) + (size_t)llabs(stride);
    void* memory = copyToGpu(lowest, view->count > 0 ? bytes : 0);
    wkCloudView there = *view;
    there.data = (char*)memory + ((const char*)view->data - lowest);
    assert_int_equal(wkCudaTrees_PointDistances(gpu->trees, c->trees, TREES, &there,
                                                wk_memoryDevice, c->pose, request, found),
                     result);
    compareTreeResults(found, expected);
    cudaFree(memory);
}

static void answers_are_those_of_the_cpu(void** state)
{
    (void)state;
    pointsCase* c = sharedCase();
    wkRng rng = wkMakeRng(wkKitSeed());
    const int64_t counts[] = {1, 7, 255, 256, 257, 2000, 0};
    const double gaps[] = {0.0, 0.3, 0.9}, reaches[] = {0.0, 0.2, 3.0};
    for (int i = 0; i < wkKitCasesOfKinds(21, 21); i++) {
        gpuTrees gpu;
        drawCase(c, &rng, reaches[i / 3 % 3], gaps[i % 3]);
        c->trees[i % TREES].tree = i % 4 == 3 ? NULL : c->trees[i % TREES].tree;
        openGpuTrees(c, &gpu);
        wkSphereTreeRequest request = wkDefaultSphereTreeRequest();
        request.radius = i % 5 == 0 ? 0.03 : 0.0;
        request.maxDistance = i % 6 == 1 ? 0.25 : (double)INFINITY;
        request.margin = i % 6 == 2 ? 0.1 : 0.0;
        request.allowsEmpty = true;
        wkCloudView view = viewOf(c, counts[i % 7]);
        compareWithCpu(c, &gpu, &view, &request);
        closeGpuTrees(&gpu);
    }
}

// Of equal points the first is reported, wherever it is among the pieces.
static void the_first_of_equals_is_reported(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(wkKitSeed());
    gpuTrees gpu;
    pointsCase* c = drawOnGpu(&rng, 0.3, 0.1, &gpu);
    memcpy(c->points + 3 * 1000, c->points, 3 * 1000 * sizeof *c->points);
    wkCloudView view = viewOf(c, 2000);
    compareWithCpu(c, &gpu, &view, NULL);
    closeGpuTrees(&gpu);
}

// More pairs are at the least distance than wait for a walk at once.
static void many_equal_points_have_their_turns(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(wkKitSeed());
    gpuTrees gpu;
    pointsCase* c = drawOnGpu(&rng, 0.3, 0.1, &gpu);
    for (int64_t i = 1; i < 1500; i++) {
        memcpy(c->points + 3 * i, c->points, 3 * sizeof *c->points);
    }
    wkCloudView view = viewOf(c, 1500);
    compareWithCpu(c, &gpu, &view, NULL);
    closeGpuTrees(&gpu);
}

// A point of a message: an offset, doubles or floats, a radius; in records that are not aligned.
typedef struct layoutCase {
    int32_t first, step, radius;
    int64_t stride;
    bool isDouble;
} layoutCase;

static void fillRecord(char* record, const layoutCase* l, const float* p, float radius)
{
    for (int axis = 0; axis < 3; axis++) {
        double wide = (double)p[axis];
        const void* number = l->isDouble ? (const void*)&wide : (const void*)&p[axis];
        memcpy(record + l->first + axis * l->step, number,
               l->isDouble ? sizeof(double) : sizeof(float));
    }
    if (l->radius >= 0) {
        memcpy(record + l->radius, &radius, sizeof radius);
    }
}

static void layouts_and_pieces_do_not_matter(void** state)
{
    (void)state;
    const layoutCase layouts[] = {
        {0, 4, -1, 12, false}, {0, 4, -1, 16, false},  {4, 4, 0, 16, false},
        {1, 5, 16, 21, false}, {0, 8, -1, 24, true},   {8, 8, 0, 40, true},
        {3, 9, 30, 35, true},  {0, 4, 12, -16, false}, {0, 4, -1, 4096, false},
    };
    enum {
        count = 800
    };
    pointsCase* c = sharedCase();
    wkRng rng = wkMakeRng(wkKitSeed());
    for (size_t i = 0; i < sizeof layouts / sizeof layouts[0]; i++) {
        const layoutCase* l = &layouts[i];
        gpuTrees gpu;
        drawCase(c, &rng, 0.3, 0.5);
        openGpuTrees(c, &gpu);
        size_t stride = (size_t)llabs(l->stride);
        char* records = calloc(count, stride);
        assert_non_null(records);
        for (int64_t k = 0; k < count; k++) {
            float bad[3] = {k % 3 == 0 ? NAN : 0.0f, k % 3 == 1 ? INFINITY : 0.0f,
                            k % 3 == 2 ? -INFINITY : 0.0f};
            const float* p = k % 11 == 5 ? bad : c->points + 3 * k;
            fillRecord(records + (size_t)k * stride, l, p, 0.001f * (float)(k % 7));
        }
        wkCloudView view = wkMakeCloudView(records, count);
        view.data = l->stride < 0 ? records + (count - 1) * stride : records;
        view.stride = l->stride;
        view.isDouble = l->isDouble;
        view.xOffset = l->first;
        view.yOffset = l->first + l->step;
        view.zOffset = l->first + 2 * l->step;
        view.radiusOffset = l->radius;
        compareWithCpu(c, &gpu, &view, NULL);
        free(records);
        closeGpuTrees(&gpu);
    }
}

static void bodies_decide_on_the_cpu(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(wkKitSeed());
    gpuTrees gpu;
    pointsCase* c = drawOnGpu(&rng, 0.1, 0.3, &gpu);
    for (int i = 1; i < TREES; i++) {
        c->trees[i].bodies = &c->bodies[i % 4];
        c->trees[i].bodyCount = 1;
    }
    wkCloudView view = viewOf(c, 400);
    wkSphereTreeResult expected[TREES], found[TREES];
    assert_int_equal(
        wkPlacedSphereTree_PointDistances(c->trees, TREES, &view, c->pose, NULL, expected), wk_ok);
    assert_int_equal(wkCudaTrees_PointDistances(gpu.trees, c->trees, TREES, &view, wk_memoryHost,
                                                c->pose, NULL, found),
                     wk_ok);
    compareTreeResults(found, expected);
    void* there = copyToGpu(view.data, 400 * 3 * sizeof(float));
    view.data = there;
    assert_int_equal(wkCudaTrees_PointDistances(gpu.trees, c->trees, TREES, &view, wk_memoryDevice,
                                                c->pose, NULL, found),
                     wk_errorUnsupported);
    assert_int_equal(found[0].verdict, wk_sphereUndecided);
    cudaFree(there);
    closeGpuTrees(&gpu);
}

static void expectRefused(const pointsCase* c, const gpuTrees* gpu, const wkCloudView* view,
                          wkCudaMemory memory, wkResult expected, const char* words)
{
    wkSphereTreeResult found[TREES];
    memset(found, 0x55, sizeof found);
    assert_int_equal(
        wkCudaTrees_PointDistances(gpu->trees, c->trees, TREES, view, memory, c->pose, NULL, found),
        expected);
    assert_non_null(strstr(wkGetLastError(), words));
    for (int i = 0; i < TREES; i++) {
        assert_int_equal(found[i].verdict, wk_sphereUndecided);
        assert_true(found[i].lower == 0.0 && found[i].point == -1);
    }
}

// The same for points that are copied to the GPU.
static void expectRefusedOnGpu(const pointsCase* c, const gpuTrees* gpu, wkCloudView view,
                               size_t byteCount, wkResult expected, const char* words)
{
    void* copy = copyToGpu(view.data, byteCount);
    view.data = copy;
    expectRefused(c, gpu, &view, wk_memoryDevice, expected, words);
    cudaFree(copy);
}

static void bad_input_is_refused(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(wkKitSeed());
    gpuTrees gpu;
    pointsCase* c = drawOnGpu(&rng, 0.1, 0.3, &gpu);

    // another tree, and one that is gone
    wkCloudView view = viewOf(c, 400);
    const wkSphereTree* before = c->trees[2].tree;
    c->trees[2].tree = c->made[3];
    expectRefused(c, &gpu, &view, wk_memoryHost, wk_errorArgument, "tree 2 is not the one");
    c->trees[2].tree = NULL;
    expectRefused(c, &gpu, &view, wk_memoryHost, wk_errorArgument, "tree 2 is not the one");
    c->trees[2].tree = before;

    // points that are not there, or nowhere
    expectRefused(c, &gpu, NULL, wk_memoryHost, wk_errorArgument, "NULL");
    expectRefused(c, &gpu, &view, (wkCudaMemory)2, wk_errorArgument, "memory is 2");
    for (int i = 0; i < 400; i++) {
        c->points[3 * i + i % 3] = NAN;
    }
    expectRefused(c, &gpu, &view, wk_memoryHost, wk_errorArgument, "none of 400 points is finite");
    expectRefusedOnGpu(c, &gpu, view, 3 * sizeof(float) * 400, wk_errorArgument,
                       "none of 400 points is finite");
    if (emulatedIsUsed()) { // some GPUs read all memory of the host
        expectRefused(c, &gpu, &view, wk_memoryDevice, wk_errorArgument,
                      "points are not in the memory of GPU 0");
    }

    // a radius that is not valid: the first such point is named
    float records[300][4] = {{0.0f}};
    records[177][3] = -1.0f;
    records[250][3] = NAN;
    view = wkMakeCloudView(records, 300);
    view.stride = sizeof records[0];
    view.radiusOffset = 3 * sizeof(float);
    expectRefused(c, &gpu, &view, wk_memoryHost, wk_errorRange, "radius of point 177");
    expectRefusedOnGpu(c, &gpu, view, sizeof records, wk_errorRange, "radius of point 177");

    // a record that is larger than the memory for points
    char* large = calloc(2, 1 << 20);
    assert_non_null(large);
    view = wkMakeCloudView(large, 1);
    view.zOffset = 1 << 20;
    view.stride = 2 << 20;
    expectRefused(c, &gpu, &view, wk_memoryHost, wk_errorRange, "pointBytes");
    free(large);
    closeGpuTrees(&gpu);
}

static void bad_definitions_are_refused(void** state)
{
    (void)state;
    pointsCase* c = sharedCase();
    wkCudaDef cudaDef = wkDefaultCudaDef();
    wkCuda* cuda = NULL;
    wkCudaTrees* trees = NULL;
    assert_int_equal(wkCuda_Create(&cudaDef, &cuda), wk_ok);
    const wkSphereTree* list[] = {c->made[0]};
    wkCudaTreesDef good = wkDefaultCudaTreesDef(), def = {0};
    good.cuda = cuda;
    good.trees = list;
    good.treeCount = 1;
    assert_int_equal(wkCudaTrees_Create(&def, &trees), wk_errorArgument);
    def = good;
    def.cuda = NULL;
    assert_int_equal(wkCudaTrees_Create(&def, &trees), wk_errorArgument);
    def = good;
    def.treeCount = 65;
    assert_int_equal(wkCudaTrees_Create(&def, &trees), wk_errorRange);
    def = good;
    def.pointBytes = 1000;
    assert_int_equal(wkCudaTrees_Create(&def, &trees), wk_errorRange);
    def = good;
    def.pointBytes = (size_t)1 << 50; // no GPU has as much
    assert_int_equal(wkCudaTrees_Create(&def, &trees), wk_errorMemory);
    assert_non_null(strstr(wkGetLastError(), "bytes on the GPU"));
    assert_null(trees);
    wkCuda_Destroy(cuda);
    assert_int_equal(emulatedByteCount(), 0);
}

// Creates trees and asks them; every failure leaves everything undecided.
static wkResult runStory(void* context)
{
    const wkSphereTreeResult* expected = (const wkSphereTreeResult*)context;
    const pointsCase* c = sharedCase();
    wkSphereTreeResult found[TREES];
    wkCloudView view = viewOf(c, 300);
    gpuTrees gpu;
    wkResult result = tryGpuTrees(c, &gpu);
    if (result == wk_ok) {
        result = wkCudaTrees_PointDistances(gpu.trees, c->trees, TREES, &view, wk_memoryHost,
                                            c->pose, NULL, found);
        if (result == wk_ok) {
            compareTreeResults(found, expected);
        }
        for (int i = 0; i < TREES && result != wk_ok; i++) {
            assert_int_equal(found[i].verdict, wk_sphereUndecided);
        }
    }
    closeGpuTrees(&gpu);
    return result;
}

static void any_call_may_fail(void** state)
{
    (void)state;
    pointsCase* c = sharedCase();
    wkRng rng = wkMakeRng(wkKitSeed());
    drawCase(c, &rng, 0.2, 0.3);
    wkSphereTreeResult expected[TREES];
    wkCloudView view = viewOf(c, 300);
    assert_int_equal(
        wkPlacedSphereTree_PointDistances(c->trees, TREES, &view, c->pose, NULL, expected), wk_ok);
    failEverywhere(runStory, expected);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers_are_those_of_the_cpu),
        cmocka_unit_test(the_first_of_equals_is_reported),
        cmocka_unit_test(many_equal_points_have_their_turns),
        cmocka_unit_test(layouts_and_pieces_do_not_matter),
        cmocka_unit_test(bodies_decide_on_the_cpu),
        cmocka_unit_test(bad_input_is_refused),
        cmocka_unit_test(bad_definitions_are_refused),
        cmocka_unit_test(any_call_may_fail),
    };
    return cmocka_run_group_tests_name("cuda_trees", tests, openCase, closeCase);
}
