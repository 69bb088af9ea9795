// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Filters on a GPU: the points, marks and figures of the CPU, for every step that the GPU has, every layout and both
// memories, on random and hostile clouds; what is refused; failures of the GPU at every call.

#include "cuda_runtime_api.h"
#include "failing_gpu.h"
#include "gpu_filter.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void each_step_keeps_the_points_of_the_cpu(void** state)
{
    (void)state;
    const wkFilterType types[] = {wk_filterRange, wk_filterBox,   wk_filterDistance,
                                  wk_filterSelf,  wk_filterVoxel, wk_filterStatistical,
                                  wk_filterRadius};
    filterCase* c = openFilterCase(wkKitSeed() + 1);
    for (int cloud = 0; cloud < CLOUDS; cloud++) {
        for (size_t type = 0; type < sizeof types / sizeof types[0]; type++) {
            for (int layout = 0; layout < LAYOUTS; layout++) {
                drawFilterPoints(c, cloud, layout);
                c->steps[0] = drawFilterStep(c, types[type]);
                c->stepCount = 1;
                compareFilterRuns(c, (cloud + layout) % 2 == 0 ? wk_memoryHost : wk_memoryDevice);
                askForCentroids(c);
                compareFilterRuns(c, (cloud + layout) % 2 == 0 ? wk_memoryHost : wk_memoryDevice);
            }
        }
    }
    closeFilterCase(c);
}

static void voxels_of_every_size_keep_the_points_of_the_cpu(void** state)
{
    (void)state;
    const double sizes[] = {1e-15, 1e-12, 1e-6, 0.02, 0.1, 1.0, 1e3, 1e15};
    filterCase* c = openFilterCase(wkKitSeed() + 2);
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        for (int cloud = 0; cloud < cloudOne; cloud++) {
            drawFilterPoints(c, cloud, (int)i % LAYOUTS);
            c->steps[0] = wkMakeVoxelFilter(sizes[i]);
            c->stepCount = 1;
            compareFilterRuns(c, wk_memoryHost);
            askForCentroids(c);
            compareFilterRuns(c, wk_memoryHost);
        }
    }
    closeFilterCase(c);
}

static void steps_in_any_order_keep_the_points_of_the_cpu(void** state)
{
    (void)state;
    const wkFilterType types[] = {wk_filterRange, wk_filterBox,   wk_filterDistance,
                                  wk_filterSelf,  wk_filterVoxel, wk_filterStatistical,
                                  wk_filterRadius};
    filterCase* c = openFilterCase(wkKitSeed() + 3);
    for (int i = 0; i < 60; i++) {
        int32_t robots = 0;
        drawFilterPoints(c, wkRngBelow(&c->kit->rng, CLOUDS), i % LAYOUTS);
        c->stepCount = wkRngBelow(&c->kit->rng, 6);
        for (int32_t s = 0; s < c->stepCount; s++) {
            wkFilterType type = types[wkRngBelow(&c->kit->rng, 7)];
            bool hasRobot = type == wk_filterDistance || type == wk_filterSelf;
            robots += hasRobot;
            c->steps[s] = drawFilterStep(c, hasRobot && robots > 2 ? wk_filterRange : type);
        }
        if (i % 3 == 0) {
            drawFilterIndices(c);
        }
        if (i % 5 != 0) {
            askForCentroids(c);
        }
        compareFilterRuns(c, i % 2 == 0 ? wk_memoryHost : wk_memoryDevice);
    }
    closeFilterCase(c);
}

static void more_points_than_a_block_or_a_tile_are_the_same(void** state)
{
    (void)state;
    filterKit* kit = makeFilterKit(wkKitSeed() + 4);
    filterCase c = {.kit = kit};
    wkCudaDef def = wkDefaultCudaDef();
    wkCudaFilterDef filterDef = wkDefaultCudaFilterDef();
    assert_int_equal(wkCuda_Create(&def, &filterDef.cuda), wk_ok);
    filterDef.pointCapacity = MOST_POINTS;
    assert_int_equal(wkCudaFilter_Create(&filterDef, &c.onGpu), wk_ok);
    kit->count = MOST_POINTS;
    for (int32_t i = 0; i < kit->count; i++) {
        kit->points[i] = makeVec(wkRngRange(&kit->rng, -2.0, 2.0), wkRngRange(&kit->rng, -2.0, 2.0),
                                 wkRngRange(&kit->rng, 0.0, 0.05));
    }
    layOutFilterPoints(kit, 1);
    wkFilterStep steps[] = {
        wkMakeRangeFilter(makeVec(0.0, 0.0, 1.0), 0.0, 2.4),
        wkMakeStatisticalFilter(12, 1.5),
        wkMakeVoxelFilter(0.02),
        wkMakeRadiusFilter(0.1, 4),
        wkMakeVoxelFilter(0.5), // with many points each
    };
    wkFilterStep* last = &steps[4];
    last->voxel.hasCentroids = true;
    runFilter(kit, steps, 5);
    wkCudaFilterRequest request = wkDefaultCudaFilterRequest();
    wkCudaFilterResult found;
    request.filter = kit->request;
    assert_int_equal(wkCudaFilter_Run(c.onGpu, &request, &found), wk_ok);
    compareFilterFigures(&found.filter, &kit->result);
    assert_memory_equal(found.filter.marks, kit->result.marks, (size_t)kit->count);
    assert_memory_equal(found.filter.centroids, kit->result.centroids,
                        (size_t)kit->result.keptCount * sizeof(float[3]));
    assert_null(found.onHost.data);
    wkCudaFilter_Destroy(c.onGpu);
    wkCuda_Destroy(filterDef.cuda);
    freeFilterKit(kit);
}

// Points far from each other, and in each other's neighbourhood equal ones or a cube of a micrometre.
static void crowded_points_have_the_neighbours_of_the_cpu(void** state)
{
    (void)state;
    filterCase* c = openFilterCase(wkKitSeed() + 9);
    for (int i = 0; i < 12; i++) {
        drawFilterPoints(c, cloudCrowded, i % LAYOUTS);
        double radius = i % 4 < 2 ? 2e-7 : 0.05;
        c->steps[0] = i % 2 == 0 ? wkMakeStatisticalFilter(1 + 7 * i, 1.0)
                                 : wkMakeRadiusFilter(radius, 3 * i);
        c->stepCount = 1;
        compareFilterRuns(c, wk_memoryHost);
    }
    closeFilterCase(c);
}

// What a run leaves on the GPU is what the next one reads: nothing crosses the bus.
static void kept_points_are_points_of_the_next_run(void** state)
{
    (void)state;
    filterCase* c = openFilterCase(wkKitSeed() + 5);
    drawFilterPoints(c, cloudPlain, 0);
    c->kit->request.pose = wkIdentityPose();
    c->steps[0] = wkMakeRangeFilter(makeVec(0.0, 0.0, 0.0), 0.2, 0.9);
    c->steps[1] = wkMakeRadiusFilter(0.15, 3);
    runFilter(c->kit, c->steps, 2);
    wkCudaFilterRequest request = wkDefaultCudaFilterRequest();
    wkCudaFilterResult first, second;
    request.filter = c->kit->request;
    request.filter.stepCount = 1;
    request.wantsMarks = false;
    assert_int_equal(wkCudaFilter_Run(c->onGpu, &request, &first), wk_ok);
    assert_null(first.filter.kept);
    assert_null(first.filter.marks);
    request.filter.points = first.onDevice;
    request.filter.steps = c->steps + 1;
    request.pointsIn = wk_memoryDevice;
    request.wantsMarks = true;
    assert_int_equal(wkCudaFilter_Run(c->onGpu, &request, &second), wk_ok);
    assert_int_equal(second.filter.keptCount, c->kit->result.keptCount);
    assert_int_equal(second.filter.steps[0].removedCount, c->kit->result.steps[1].removedCount);
    // and its indices may be those of the run before
    request.filter.indices = second.filter.kept;
    request.filter.indexCount = second.filter.keptCount;
    request.filter.points = second.onDevice;
    request.filter.points.count = first.filter.keptCount;
    request.filter.stepCount = 0;
    assert_int_equal(wkCudaFilter_Run(c->onGpu, &request, &first), wk_ok);
    assert_int_equal(first.filter.examinedCount, request.filter.indexCount);
    closeFilterCase(c);
}

static void expectRefused(filterCase* c, wkResult expected, const char* words)
{
    wkCudaFilterResult result;
    memset(&result, 0x55, sizeof result);
    const wkCudaFilterResult zero = {.filter = {.keptCount = 0}};
    wkCudaFilterRequest request = wkDefaultCudaFilterRequest();
    request.filter = c->kit->request;
    request.filter.steps = c->steps;
    request.filter.stepCount = c->stepCount;
    assert_int_equal(wkCudaFilter_Run(c->onGpu, &request, &result), expected);
    assert_non_null(strstr(wkGetLastError(), words));
    assert_memory_equal(&result, &zero, sizeof result);
}

static void what_the_gpu_does_not_do_is_refused_by_name(void** state)
{
    (void)state;
    filterCase* c = openFilterCase(wkKitSeed() + 6);
    drawFilterPoints(c, cloudPlain, 0);
    wkShape shape = wkMakeBox(0.1, 0.1, 0.1);
    wkFilterBody body = {&shape, wkIdentityPose()};
    c->stepCount = 2;
    c->steps[0] = wkMakeVoxelFilter(0.1);
    c->steps[1] = wkMakeVoxelFilter(0.1);
    c->steps[0].voxel.hasCentroids = true;
    expectRefused(c, wk_errorArgument, "hasCentroids is for the last step alone");
    c->steps[0].voxel.hasCentroids = false;
    c->steps[1] = wkMakeSelfFilter((wkFilterRobot){.bodies = &body, .bodyCount = 1}, 0.1);
    expectRefused(c, wk_errorUnsupported, "step 1, self: bodies");
    c->steps[1] = wkMakeVoxelFilter(-1.0);
    expectRefused(c, wk_errorRange, "step 1, voxel: size");
    c->stepCount = 3;
    c->steps[0] = c->steps[1] = c->steps[2] = wkMakeSelfFilter(drawFilterRobot(c), 0.1);
    expectRefused(c, wk_errorRange, "the robots have 72 spheres, sphereCapacity is 48");
    c->stepCount = 0;
    c->kit->request.points.count = CAPACITY + 1;
    expectRefused(c, wk_errorRange, "1501 points, pointCapacity is 1500");
    wkCudaFilterRequest request = wkDefaultCudaFilterRequest();
    wkCudaFilterResult result;
    assert_int_equal(wkCudaFilter_Run(NULL, &request, &result), wk_errorArgument);
    assert_int_equal(wkCudaFilter_Run(c->onGpu, NULL, &result), wk_errorArgument);
    assert_int_equal(wkCudaFilter_Run(c->onGpu, &request, NULL), wk_errorArgument);
    request.pointsIn = (wkCudaMemory)2;
    assert_int_equal(wkCudaFilter_Run(c->onGpu, &request, &result), wk_errorArgument);
    assert_non_null(strstr(wkGetLastError(), "pointsIn is 2"));
    request.pointsIn = wk_memoryHost;
    request.filter.cookie = 0;
    assert_int_equal(wkCudaFilter_Run(c->onGpu, &request, &result), wk_errorArgument);
    assert_non_null(strstr(wkGetLastError(), "wkFilterRequest"));
    closeFilterCase(c);
}

static void fields_of_definitions_are_refused_by_name(void** state)
{
    (void)state;
    wkCudaDef cudaDef = wkDefaultCudaDef();
    wkCuda* cuda = NULL;
    wkCudaFilter* filter = NULL;
    assert_int_equal(wkCuda_Create(&cudaDef, &cuda), wk_ok);
    wkCudaFilterDef def = wkDefaultCudaFilterDef();
    assert_int_equal(wkCudaFilter_Create(&def, &filter), wk_errorArgument);
    def.cuda = cuda;
    assert_int_equal(wkCudaFilter_Create(&def, NULL), wk_errorArgument);
    def.pointCapacity = 0;
    assert_int_equal(wkCudaFilter_Create(&def, &filter), wk_errorRange);
    assert_non_null(strstr(wkGetLastError(), "pointCapacity is 0"));
    def.pointCapacity = 10;
    def.sphereCapacity = -1;
    assert_int_equal(wkCudaFilter_Create(&def, &filter), wk_errorRange);
    assert_non_null(strstr(wkGetLastError(), "sphereCapacity is -1"));
    def.sphereCapacity = 0;
    def.pointBytes = 100;
    assert_int_equal(wkCudaFilter_Create(&def, &filter), wk_errorRange);
    assert_non_null(strstr(wkGetLastError(), "pointBytes is 100"));
    assert_null(filter);
    wkCudaFilter_Destroy(NULL);
    wkCuda_Destroy(cuda);
}

static wkResult filterOnce(void* context)
{
    filterCase* c = (filterCase*)context;
    wkCudaFilterResult found;
    wkCudaFilterRequest request = wkDefaultCudaFilterRequest();
    request.filter = c->kit->request;
    request.wantsPoints = true;
    wkResult result = tryFilterCase(c);
    if (result == wk_ok) {
        result = wkCudaFilter_Run(c->onGpu, &request, &found);
        if (result == wk_ok) {
            assert_int_equal(found.filter.keptCount, c->kit->result.keptCount);
        } else {
            const wkCudaFilterResult zero = {.filter = {.keptCount = 0}};
            assert_memory_equal(&found, &zero, sizeof found);
        }
    }
    wkCudaFilter_Destroy(c->onGpu);
    wkCuda_Destroy(c->cuda);
    return result;
}

static void failures_leave_nothing_behind(void** state)
{
    (void)state;
    filterCase* c = openFilterCase(wkKitSeed() + 7);
    closeFilterGpu(c);
    drawFilterPoints(c, cloudPlain, 3);
    c->kit->count = 20;
    c->kit->request.points.count = 20;
    c->kit->request.pose = wkIdentityPose();
    const wkFilterStep steps[] = {
        wkMakeVoxelFilter(0.1),
        wkMakeStatisticalFilter(3, 1.0),
        wkMakeSelfFilter(drawFilterRobot(c), 0.01),
        wkMakeRadiusFilter(2.0, 2),
    };
    drawFilterIndices(c);
    runFilter(c->kit, steps, 4);
    failEverywhere(filterOnce, c);
    const wkFilterStep few[] = {wkMakeRadiusFilter(2.0, 2)}; // the first finite point is the origin
    runFilter(c->kit, few, 1);
    failEverywhere(filterOnce, c);
    freeFilterKit(c->kit);
    free(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_step_keeps_the_points_of_the_cpu),
        cmocka_unit_test(voxels_of_every_size_keep_the_points_of_the_cpu),
        cmocka_unit_test(steps_in_any_order_keep_the_points_of_the_cpu),
        cmocka_unit_test(more_points_than_a_block_or_a_tile_are_the_same),
        cmocka_unit_test(crowded_points_have_the_neighbours_of_the_cpu),
        cmocka_unit_test(kept_points_are_points_of_the_next_run),
        cmocka_unit_test(what_the_gpu_does_not_do_is_refused_by_name),
        cmocka_unit_test(fields_of_definitions_are_refused_by_name),
        cmocka_unit_test(failures_leave_nothing_behind),
    };
    return cmocka_run_group_tests_name("cuda_filter", tests, NULL, NULL);
}
