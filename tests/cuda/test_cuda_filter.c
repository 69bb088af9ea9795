// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Filters on a GPU: the points, marks and figures of the CPU, for every step that the GPU has, every layout and both
// memories, on random and hostile clouds; what is refused; failures of the GPU at every call.

#include "cuda_runtime_api.h"
#include "failing_gpu.h"
#include "scenes/rng.h"
#include "whisker/cuda.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CAPACITY 1500
#define MOST_POINTS 6000
#define SPHERES 24
#define LAYOUTS 4

// Points with their request, and what the CPU keeps of them.
typedef struct filterKit {
    wkRng rng;
    wkCloudFilter* filter;
    wkVec3d points[MOST_POINTS]; // in the frame of the request
    float floats[MOST_POINTS * 8];
    double doubles[MOST_POINTS * 3];
    int32_t count;
    wkFilterRequest request;
    wkFilterResult result;
} filterKit;

typedef struct filterCase {
    filterKit* kit;
    wkCuda* cuda;
    wkCudaFilter* onGpu;
    wkSphere3d spheres[SPHERES];
    wkFilterStep steps[WK_MAX_FILTER_STEPS];
    int32_t stepCount;
    int32_t indices[CAPACITY];
} filterCase;

static wkVec3d vec(double x, double y, double z)
{
    return (wkVec3d){x, y, z};
}

static wkVec3d add(wkVec3d a, wkVec3d b)
{
    return vec(a.x + b.x, a.y + b.y, a.z + b.z);
}

static wkVec3d cross(wkVec3d a, wkVec3d b)
{
    return vec(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

// A point of a frame, in the world.
static wkVec3d toWorld(wkPose pose, wkVec3d p)
{
    wkQuat q = pose.rotation;
    double s = 2.0 / (q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
    wkVec3d axis = vec(q.x, q.y, q.z), once = cross(axis, p), twice = cross(axis, once);
    wkVec3d turned = vec(q.w * once.x + twice.x, q.w * once.y + twice.y, q.w * once.z + twice.z);
    return add(add(p, pose.position), vec(s * turned.x, s * turned.y, s * turned.z));
}

static filterKit* makeFilterKit(uint64_t seed)
{
    filterKit* kit = calloc(1, sizeof *kit);
    assert_non_null(kit);
    kit->rng = wkMakeRng(seed);
    kit->request = wkDefaultFilterRequest();
    assert_int_equal(wkCloudFilter_Create(&kit->filter), wk_ok);
    return kit;
}

static void freeFilterKit(filterKit* kit)
{
    wkCloudFilter_Destroy(kit->filter);
    free(kit);
    assert_int_equal(wkGetByteCount(), 0);
}

// Writes the points in one of four layouts: packed floats, floats with gaps, floats backwards, doubles. Points of
// floats become what floats can be.
static void layOutPoints(filterKit* kit, int layout)
{
    static const int64_t strides[] = {3, 8, -5, 3};
    int64_t stride = strides[layout];
    float* start = kit->floats + (stride < 0 && kit->count > 0 ? -stride * (kit->count - 1) : 0);
    for (int32_t i = 0; i < kit->count; i++) {
        wkVec3d* p = &kit->points[i];
        const double given[3] = {p->x, p->y, p->z};
        memcpy(kit->doubles + 3 * (size_t)i, given, sizeof given);
        if (layout < 3) {
            float* to = start + stride * i;
            to[0] = (float)p->x;
            to[1] = (float)p->y;
            to[2] = (float)p->z;
            *p = vec((double)to[0], (double)to[1], (double)to[2]);
        }
    }
    kit->request.points =
        wkMakeCloudView(layout < 3 ? (void*)start : (void*)kit->doubles, kit->count);
    kit->request.points.isDouble = layout == 3;
    kit->request.points.stride = layout < 3 ? stride * (int64_t)sizeof(float) : 0;
}

// Runs the steps on the CPU.
static void runFilter(filterKit* kit, const wkFilterStep* steps, int32_t stepCount)
{
    kit->request.steps = steps;
    kit->request.stepCount = stepCount;
    if (wkCloudFilter_Run(kit->filter, &kit->request, &kit->result) != wk_ok) {
        fail_msg("%s", wkGetLastError());
    }
}

static wkResult tryOpen(filterCase* c)
{
    wkCudaDef def = wkDefaultCudaDef();
    wkCudaFilterDef filterDef = wkDefaultCudaFilterDef();
    c->onGpu = NULL;
    c->cuda = NULL;
    wkResult result = wkCuda_Create(&def, &c->cuda);
    filterDef.cuda = c->cuda;
    filterDef.pointCapacity = CAPACITY;
    filterDef.sphereCapacity = 2 * SPHERES;
    filterDef.pointBytes = (size_t)1 << 20;
    return result == wk_ok ? wkCudaFilter_Create(&filterDef, &c->onGpu) : result;
}

static void closeGpu(filterCase* c)
{
    wkCudaFilter_Destroy(c->onGpu);
    wkCuda_Destroy(c->cuda);
    assert_int_equal(emulatedByteCount(), 0);
}

static filterCase* openCase(uint64_t seed)
{
    filterCase* c = calloc(1, sizeof *c);
    assert_non_null(c);
    c->kit = makeFilterKit(seed);
    assert_int_equal(tryOpen(c), wk_ok);
    return c;
}

static void closeCase(filterCase* c)
{
    closeGpu(c);
    freeFilterKit(c->kit);
    free(c);
}

// Kinds of clouds.
enum {
    cloudPlain,
    cloudHostile,
    cloudEqual,
    cloudFar,
    cloudOne,
    cloudEmpty,
    CLOUDS
};

// Draws points about a table, in the frame of the request.
static void drawPoints(filterCase* c, int cloud, int layout)
{
    filterKit* kit = c->kit;
    const double strange[] = {(double)NAN, (double)INFINITY, -(double)INFINITY, 1e31, -1e300, 0.0};
    kit->count = cloud == cloudEmpty ? 0 : cloud == cloudOne ? 1 : 300 + wkRngBelow(&kit->rng, 400);
    double shift = cloud == cloudFar ? 1e6 : 0.0;
    for (int32_t i = 0; i < kit->count; i++) {
        wkVec3d p = vec(wkRngRange(&kit->rng, -1.0, 1.0), wkRngRange(&kit->rng, -1.0, 1.0),
                        0.2 * wkRngRange(&kit->rng, -1.0, 1.0) * wkRngRange(&kit->rng, 0.0, 1.0));
        if (cloud == cloudEqual || (i > 0 && wkRngChance(&kit->rng, 10))) {
            p = i > 0 ? kit->points[wkRngBelow(&kit->rng, i)] : p;
        } else {
            p = add(p, vec(shift, shift, -shift));
        }
        if (cloud == cloudHostile && wkRngChance(&kit->rng, 8)) {
            double* axes[3] = {&p.x, &p.y, &p.z};
            *axes[wkRngBelow(&kit->rng, 3)] = strange[wkRngBelow(&kit->rng, 6)];
        }
        kit->points[i] = p;
    }
    layOutPoints(kit, layout);
    kit->request.pose = wkIdentityPose();
    if (wkRngChance(&kit->rng, 2)) {
        kit->request.pose = wkMakePose(0.3, -0.2, 0.1);
        kit->request.pose.rotation = (wkQuat){0.1, -0.2, 0.3, 0.9};
    }
    kit->request.indices = NULL;
    kit->request.indexCount = 0;
}

// A position near the points, in the world.
static wkVec3d drawCenter(filterCase* c)
{
    wkRng* rng = &c->kit->rng;
    wkVec3d p =
        vec(wkRngRange(rng, -1.0, 1.0), wkRngRange(rng, -1.0, 1.0), wkRngRange(rng, -0.3, 0.3));
    if (c->kit->count > 0) {
        wkVec3d q = c->kit->points[wkRngBelow(rng, c->kit->count)];
        bool isTame = fabs(q.x) < 1e7 && fabs(q.y) < 1e7 && fabs(q.z) < 1e7;
        p = isTame ? toWorld(c->kit->request.pose, q) : p;
    }
    return p;
}

static wkFilterRobot drawRobot(filterCase* c)
{
    wkVec3d center = drawCenter(c);
    wkRng* rng = &c->kit->rng;
    for (int i = 0; i < SPHERES; i++) {
        wkVec3d from =
            vec(wkRngRange(rng, -0.5, 0.5), wkRngRange(rng, -0.5, 0.5), wkRngRange(rng, -0.2, 0.2));
        c->spheres[i] = (wkSphere3d){add(center, from), wkRngRange(rng, 0.0, 0.2)};
    }
    return (wkFilterRobot){.spheres = c->spheres, .sphereCount = SPHERES};
}

static wkFilterStep drawBox(filterCase* c)
{
    wkRng* rng = &c->kit->rng;
    wkAabb box = {{-0.6, -0.4, -0.1}, {0.3, 0.7, wkRngChance(rng, 2) ? (double)INFINITY : 0.1}};
    wkPose pose = {.position = drawCenter(c)};
    if (wkRngChance(rng, 2)) {
        pose.rotation = (wkQuat){0.5, -0.1, 0.2, 0.7};
    } else {
        pose.rotation = c->kit->request.pose.rotation;
    }
    wkFilterStep step = wkMakeBoxFilter(box, pose);
    step.box.keepsInside = wkRngChance(rng, 2);
    return step;
}

static wkFilterStep drawStep(filterCase* c, wkFilterType type)
{
    const double sizes[] = {1e-9, 0.01, 0.05, 0.3, 4.0, 1e12};
    wkRng* rng = &c->kit->rng;
    wkFilterStep step;
    switch (type) {
    case wk_filterRange:
        return wkMakeRangeFilter(drawCenter(c), wkRngRange(rng, 0.0, 0.4),
                                 wkRngChance(rng, 3) ? (double)INFINITY : 1.2);
    case wk_filterBox:
        return drawBox(c);
    case wk_filterDistance:
        return wkMakeDistanceFilter(drawRobot(c), wkRngRange(rng, 0.0, 0.6));
    case wk_filterSelf:
        step = wkMakeSelfFilter(drawRobot(c), wkRngRange(rng, 0.0, 0.1));
        step.self.ownRule = (wkSelfRule)wkRngBelow(rng, 3);
        step.self.shadowRule = (wkSelfRule)wkRngBelow(rng, 3);
        step.self.sensor = add(drawCenter(c), vec(0.0, 0.0, 1.0));
        return step;
    case wk_filterVoxel:
        return wkMakeVoxelFilter(sizes[wkRngBelow(rng, 6)]);
    case wk_filterStatistical:
        return wkMakeStatisticalFilter(1 + wkRngBelow(rng, wkRngChance(rng, 4) ? 1024 : 20),
                                       wkRngRange(rng, 0.0, 2.0));
    default:
        return wkMakeRadiusFilter(wkRngRange(rng, 0.001, 0.3), 1 + wkRngBelow(rng, 12));
    }
}

// Examines some of the points.
static void drawIndices(filterCase* c)
{
    int32_t count = 0;
    for (int32_t i = 0; i < c->kit->count; i++) {
        if (!wkRngChance(&c->kit->rng, 3)) {
            c->indices[count++] = i;
        }
    }
    c->kit->request.indices = c->indices;
    c->kit->request.indexCount = count;
}

static void compareFigures(const wkFilterResult* found, const wkFilterResult* expected)
{
    assert_int_equal(found->pointCount, expected->pointCount);
    assert_int_equal(found->examinedCount, expected->examinedCount);
    assert_int_equal(found->notFiniteCount, expected->notFiniteCount);
    assert_int_equal(found->keptCount, expected->keptCount);
    assert_int_equal(found->stepCount, expected->stepCount);
    assert_memory_equal(&found->origin, &expected->origin, sizeof found->origin);
    for (int32_t s = 0; s < expected->stepCount; s++) {
        const wkFilterStepInfo *a = &found->steps[s], *b = &expected->steps[s];
        assert_int_equal(a->examinedCount, b->examinedCount);
        assert_int_equal(a->removedCount, b->removedCount);
        assert_int_equal(a->ownCount, b->ownCount);
        assert_int_equal(a->shadowCount, b->shadowCount);
        assert_memory_equal(&a->reach, &b->reach, sizeof a->reach);
        assert_memory_equal(&a->threshold, &b->threshold, sizeof a->threshold);
    }
}

// Bytes of a view in memory of the GPU.
static void readFromGpu(const wkCloudView* view, void* bytes, size_t byteCount)
{
    assert_int_equal(cudaMemcpyAsync(bytes, view->data, byteCount, cudaMemcpyDeviceToHost, 0),
                     cudaSuccess);
    assert_int_equal(cudaStreamSynchronize(0), cudaSuccess);
}

// The kept points are those of the request, with its bits.
static void comparePoints(const filterCase* c, const wkCudaFilterResult* found)
{
    const wkCloudView* view = &found->onDevice;
    size_t each = view->isDouble ? sizeof(double[3]) : sizeof(float[3]);
    size_t byteCount = (size_t)found->filter.keptCount * each;
    static double bytes[3 * CAPACITY];
    assert_int_equal(view->count, found->filter.keptCount);
    assert_int_equal(found->onHost.count, found->filter.keptCount);
    assert_true(view->isDouble == c->kit->request.points.isDouble);
    readFromGpu(view, bytes, byteCount);
    assert_memory_equal(bytes, found->onHost.data, byteCount);
    for (int32_t i = 0; i < found->filter.keptCount; i++) {
        wkVec3d p = c->kit->points[found->filter.kept[i]];
        const double exact[3] = {p.x, p.y, p.z};
        const float narrow[3] = {(float)p.x, (float)p.y, (float)p.z};
        const void* expected = view->isDouble ? (const void*)exact : (const void*)narrow;
        assert_memory_equal((const char*)bytes + (size_t)i * each, expected, each);
    }
}

// Lowest byte and number of bytes of the points of the request.
static const char* bytesOfPoints(const filterKit* kit, size_t* byteCount)
{
    const wkCloudView* view = &kit->request.points;
    *byteCount = view->isDouble ? sizeof kit->doubles : sizeof kit->floats;
    return view->isDouble ? (const char*)kit->doubles : (const char*)kit->floats;
}

// Runs the steps on both, and compares everything.
static void compareRuns(filterCase* c, wkCudaMemory memory)
{
    filterKit* kit = c->kit;
    runFilter(kit, c->steps, c->stepCount);
    wkCudaFilterRequest request = wkDefaultCudaFilterRequest();
    wkCudaFilterResult found;
    void* onGpu = NULL;
    request.filter = kit->request;
    request.pointsIn = memory;
    request.wantsPoints = true;
    if (memory == wk_memoryDevice) {
        size_t byteCount = 0;
        const char* bytes = bytesOfPoints(kit, &byteCount);
        assert_int_equal(cudaMalloc(&onGpu, byteCount), cudaSuccess);
        assert_int_equal(cudaMemcpyAsync(onGpu, bytes, byteCount, cudaMemcpyHostToDevice, 0),
                         cudaSuccess);
        assert_int_equal(cudaStreamSynchronize(0), cudaSuccess);
        request.filter.points.data =
            (char*)onGpu + ((const char*)request.filter.points.data - bytes);
    }
    if (wkCudaFilter_Run(c->onGpu, &request, &found) != wk_ok) {
        fail_msg("%s", wkGetLastError());
    }
    cudaFree(onGpu);
    compareFigures(&found.filter, &kit->result);
    size_t keptBytes = (size_t)kit->result.keptCount * sizeof *kit->result.kept;
    assert_memory_equal(found.filter.marks, kit->result.marks, (size_t)kit->count);
    assert_memory_equal(found.filter.kept, kit->result.kept, keptBytes);
    comparePoints(c, &found);
}

static void each_step_keeps_the_points_of_the_cpu(void** state)
{
    (void)state;
    const wkFilterType types[] = {wk_filterRange, wk_filterBox,   wk_filterDistance,
                                  wk_filterSelf,  wk_filterVoxel, wk_filterStatistical,
                                  wk_filterRadius};
    filterCase* c = openCase(wkKitSeed() + 1);
    for (int cloud = 0; cloud < CLOUDS; cloud++) {
        for (size_t type = 0; type < sizeof types / sizeof types[0]; type++) {
            for (int layout = 0; layout < LAYOUTS; layout++) {
                drawPoints(c, cloud, layout);
                c->steps[0] = drawStep(c, types[type]);
                c->stepCount = 1;
                compareRuns(c, (cloud + layout) % 2 == 0 ? wk_memoryHost : wk_memoryDevice);
            }
        }
    }
    closeCase(c);
}

static void voxels_of_every_size_keep_the_points_of_the_cpu(void** state)
{
    (void)state;
    const double sizes[] = {1e-15, 1e-12, 1e-6, 0.02, 0.1, 1.0, 1e3, 1e15};
    filterCase* c = openCase(wkKitSeed() + 2);
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        for (int cloud = 0; cloud < cloudOne; cloud++) {
            drawPoints(c, cloud, (int)i % LAYOUTS);
            c->steps[0] = wkMakeVoxelFilter(sizes[i]);
            c->stepCount = 1;
            compareRuns(c, wk_memoryHost);
        }
    }
    closeCase(c);
}

static void steps_in_any_order_keep_the_points_of_the_cpu(void** state)
{
    (void)state;
    const wkFilterType types[] = {wk_filterRange, wk_filterBox,   wk_filterDistance,
                                  wk_filterSelf,  wk_filterVoxel, wk_filterStatistical,
                                  wk_filterRadius};
    filterCase* c = openCase(wkKitSeed() + 3);
    for (int i = 0; i < 60; i++) {
        int32_t robots = 0;
        drawPoints(c, wkRngBelow(&c->kit->rng, CLOUDS), i % LAYOUTS);
        c->stepCount = wkRngBelow(&c->kit->rng, 6);
        for (int32_t s = 0; s < c->stepCount; s++) {
            wkFilterType type = types[wkRngBelow(&c->kit->rng, 7)];
            bool hasRobot = type == wk_filterDistance || type == wk_filterSelf;
            robots += hasRobot;
            c->steps[s] = drawStep(c, hasRobot && robots > 2 ? wk_filterRange : type);
        }
        if (i % 3 == 0) {
            drawIndices(c);
        }
        compareRuns(c, i % 2 == 0 ? wk_memoryHost : wk_memoryDevice);
    }
    closeCase(c);
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
        kit->points[i] = vec(wkRngRange(&kit->rng, -2.0, 2.0), wkRngRange(&kit->rng, -2.0, 2.0),
                             wkRngRange(&kit->rng, 0.0, 0.05));
    }
    layOutPoints(kit, 1);
    const wkFilterStep steps[] = {
        wkMakeRangeFilter(vec(0.0, 0.0, 1.0), 0.0, 2.4),
        wkMakeStatisticalFilter(12, 1.5),
        wkMakeVoxelFilter(0.02),
        wkMakeRadiusFilter(0.1, 4),
    };
    runFilter(kit, steps, 4);
    wkCudaFilterRequest request = wkDefaultCudaFilterRequest();
    wkCudaFilterResult found;
    request.filter = kit->request;
    assert_int_equal(wkCudaFilter_Run(c.onGpu, &request, &found), wk_ok);
    compareFigures(&found.filter, &kit->result);
    assert_memory_equal(found.filter.marks, kit->result.marks, (size_t)kit->count);
    assert_null(found.onHost.data);
    wkCudaFilter_Destroy(c.onGpu);
    wkCuda_Destroy(filterDef.cuda);
    freeFilterKit(kit);
}

// What a run leaves on the GPU is what the next one reads: nothing crosses the bus.
static void kept_points_are_points_of_the_next_run(void** state)
{
    (void)state;
    filterCase* c = openCase(wkKitSeed() + 5);
    drawPoints(c, cloudPlain, 0);
    c->kit->request.pose = wkIdentityPose();
    c->steps[0] = wkMakeRangeFilter(vec(0.0, 0.0, 0.0), 0.2, 0.9);
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
    closeCase(c);
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
    filterCase* c = openCase(wkKitSeed() + 6);
    drawPoints(c, cloudPlain, 0);
    wkShape shape = wkMakeBox(0.1, 0.1, 0.1);
    wkFilterBody body = {&shape, wkIdentityPose()};
    c->stepCount = 2;
    c->steps[0] = wkMakeVoxelFilter(0.1);
    c->steps[1] = wkMakeVoxelFilter(0.1);
    c->steps[1].voxel.hasCentroids = true;
    expectRefused(c, wk_errorUnsupported, "step 1, voxel: hasCentroids");
    c->steps[1] = wkMakeSelfFilter((wkFilterRobot){.bodies = &body, .bodyCount = 1}, 0.1);
    expectRefused(c, wk_errorUnsupported, "step 1, self: bodies");
    c->steps[1] = wkMakeVoxelFilter(-1.0);
    expectRefused(c, wk_errorRange, "step 1, voxel: size");
    c->stepCount = 3;
    c->steps[0] = c->steps[1] = c->steps[2] = wkMakeSelfFilter(drawRobot(c), 0.1);
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
    closeCase(c);
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
    wkResult result = tryOpen(c);
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
    filterCase* c = openCase(wkKitSeed() + 7);
    closeGpu(c);
    drawPoints(c, cloudPlain, 3);
    c->kit->count = 20;
    c->kit->request.points.count = 20;
    c->kit->request.pose = wkIdentityPose();
    const wkFilterStep steps[] = {
        wkMakeVoxelFilter(0.1),
        wkMakeStatisticalFilter(3, 1.0),
        wkMakeSelfFilter(drawRobot(c), 0.01),
        wkMakeRadiusFilter(2.0, 2),
    };
    drawIndices(c);
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
        cmocka_unit_test(kept_points_are_points_of_the_next_run),
        cmocka_unit_test(what_the_gpu_does_not_do_is_refused_by_name),
        cmocka_unit_test(fields_of_definitions_are_refused_by_name),
        cmocka_unit_test(failures_leave_nothing_behind),
    };
    return cmocka_run_group_tests_name("cuda_filter", tests, NULL, NULL);
}
