// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

#include "gpu_filter.h"

#include "cuda_runtime_api.h"
#include "emulated_calls.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

wkVec3d makeVec(double x, double y, double z)
{
    return (wkVec3d){x, y, z};
}

static wkVec3d add(wkVec3d a, wkVec3d b)
{
    return makeVec(a.x + b.x, a.y + b.y, a.z + b.z);
}

static wkVec3d cross(wkVec3d a, wkVec3d b)
{
    return makeVec(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

// A point of a frame, in the world.
static wkVec3d toWorld(wkPose pose, wkVec3d p)
{
    wkQuat q = pose.rotation;
    double s = 2.0 / (q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
    wkVec3d axis = makeVec(q.x, q.y, q.z), once = cross(axis, p), twice = cross(axis, once);
    wkVec3d turned =
        makeVec(q.w * once.x + twice.x, q.w * once.y + twice.y, q.w * once.z + twice.z);
    return add(add(p, pose.position), makeVec(s * turned.x, s * turned.y, s * turned.z));
}

filterKit* makeFilterKit(uint64_t seed)
{
    filterKit* kit = calloc(1, sizeof *kit);
    assert_non_null(kit);
    kit->rng = wkMakeRng(seed);
    kit->request = wkDefaultFilterRequest();
    assert_int_equal(wkCloudFilter_Create(&kit->filter), wk_ok);
    return kit;
}

void freeFilterKit(filterKit* kit)
{
    wkCloudFilter_Destroy(kit->filter);
    free(kit);
    assert_int_equal(wkGetByteCount(), 0);
}

// Writes the points in one of four layouts: packed floats, floats with gaps, floats backwards, doubles. Points of
// floats become what floats can be.
void layOutFilterPoints(filterKit* kit, int layout)
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
            *p = makeVec((double)to[0], (double)to[1], (double)to[2]);
        }
    }
    kit->request.points =
        wkMakeCloudView(layout < 3 ? (void*)start : (void*)kit->doubles, kit->count);
    kit->request.points.isDouble = layout == 3;
    kit->request.points.stride = layout < 3 ? stride * (int64_t)sizeof(float) : 0;
}

// Runs the steps on the CPU.
void runFilter(filterKit* kit, const wkFilterStep* steps, int32_t stepCount)
{
    kit->request.steps = steps;
    kit->request.stepCount = stepCount;
    if (wkCloudFilter_Run(kit->filter, &kit->request, &kit->result) != wk_ok) {
        fail_msg("%s", wkGetLastError());
    }
}

wkResult tryFilterCase(filterCase* c)
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

void closeFilterGpu(filterCase* c)
{
    wkCudaFilter_Destroy(c->onGpu);
    wkCuda_Destroy(c->cuda);
    assert_int_equal(emulatedByteCount(), 0);
}

filterCase* openFilterCase(uint64_t seed)
{
    filterCase* c = calloc(1, sizeof *c);
    assert_non_null(c);
    c->kit = makeFilterKit(seed);
    assert_int_equal(tryFilterCase(c), wk_ok);
    return c;
}

void closeFilterCase(filterCase* c)
{
    closeFilterGpu(c);
    freeFilterKit(c->kit);
    free(c);
}

// A coordinate about 1e30 and far beyond, up to the largest float and the largest double.
static double drawHuge(wkRng* rng)
{
    const double huge[] = {9.9e29, 1e30,    1.0000001e30, 2e30, 1e31,  1.5e34,
                           3e38,   FLT_MAX, 1e39,         1e40, 1e300, DBL_MAX};
    double value = huge[wkRngBelow(rng, 12)];
    return wkRngChance(rng, 2) ? value : -value;
}

// Most points in a cube of a micrometre, many of them equal, where one of some far away is its neighbour on a curve through all.
static wkVec3d drawCrowded(wkRng* rng, wkVec3d p)
{
    const double scales[] = {0.0, 1e-6, 1e-6, 1e-6, 1.0, 1e12};
    double scale = scales[wkRngBelow(rng, wkRngChance(rng, 50) ? 6 : 5)];
    return makeVec(0.5 + scale * p.x, scale * p.y, scale * p.z);
}

// Draws points about a table, in the frame of the request.
void drawFilterPoints(filterCase* c, int cloud, int layout)
{
    filterKit* kit = c->kit;
    const double strange[] = {(double)NAN, (double)INFINITY, -(double)INFINITY, 1e31, -1e300, 0.0};
    kit->count = cloud == cloudEmpty ? 0 : cloud == cloudOne ? 1 : 300 + wkRngBelow(&kit->rng, 400);
    double shift = cloud == cloudFar ? 1e6 : 0.0;
    for (int32_t i = 0; i < kit->count; i++) {
        wkVec3d p =
            makeVec(wkRngRange(&kit->rng, -1.0, 1.0), wkRngRange(&kit->rng, -1.0, 1.0),
                    0.2 * wkRngRange(&kit->rng, -1.0, 1.0) * wkRngRange(&kit->rng, 0.0, 1.0));
        if (cloud == cloudEqual || (i > 0 && wkRngChance(&kit->rng, 10))) {
            p = i > 0 ? kit->points[wkRngBelow(&kit->rng, i)] : p;
        } else {
            p = add(p, makeVec(shift, shift, -shift));
        }
        if (cloud == cloudHostile && wkRngChance(&kit->rng, 8)) {
            double* axes[3] = {&p.x, &p.y, &p.z};
            *axes[wkRngBelow(&kit->rng, 3)] = strange[wkRngBelow(&kit->rng, 6)];
        }
        if (cloud == cloudCrowded) {
            p = drawCrowded(&kit->rng, p);
        }
        if (cloud == cloudHuge && wkRngChance(&kit->rng, 2)) {
            double* axes[3] = {&p.x, &p.y, &p.z};
            *axes[wkRngBelow(&kit->rng, 3)] = drawHuge(&kit->rng);
            *axes[wkRngBelow(&kit->rng, 3)] = drawHuge(&kit->rng);
        }
        kit->points[i] = p;
    }
    layOutFilterPoints(kit, layout);
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
        makeVec(wkRngRange(rng, -1.0, 1.0), wkRngRange(rng, -1.0, 1.0), wkRngRange(rng, -0.3, 0.3));
    if (c->kit->count > 0) {
        wkVec3d q = c->kit->points[wkRngBelow(rng, c->kit->count)];
        bool isTame = fabs(q.x) < 1e7 && fabs(q.y) < 1e7 && fabs(q.z) < 1e7;
        p = isTame ? toWorld(c->kit->request.pose, q) : p;
    }
    return p;
}

wkFilterRobot drawFilterRobot(filterCase* c)
{
    wkVec3d center = drawCenter(c);
    wkRng* rng = &c->kit->rng;
    for (int i = 0; i < SPHERES; i++) {
        wkVec3d from = makeVec(wkRngRange(rng, -0.5, 0.5), wkRngRange(rng, -0.5, 0.5),
                               wkRngRange(rng, -0.2, 0.2));
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

wkFilterStep drawFilterStep(filterCase* c, wkFilterType type)
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
        return wkMakeDistanceFilter(drawFilterRobot(c), wkRngRange(rng, 0.0, 0.6));
    case wk_filterSelf:
        step = wkMakeSelfFilter(drawFilterRobot(c), wkRngRange(rng, 0.0, 0.1));
        step.self.ownRule = (wkSelfRule)wkRngBelow(rng, 3);
        step.self.shadowRule = (wkSelfRule)wkRngBelow(rng, 3);
        step.self.sensor = add(drawCenter(c), makeVec(0.0, 0.0, 1.0));
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
void drawFilterIndices(filterCase* c)
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

void compareFilterFigures(const wkFilterResult* found, const wkFilterResult* expected)
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
static void readFilterPoints(const wkCloudView* view, void* bytes, size_t byteCount)
{
    assert_int_equal(cudaMemcpyAsync(bytes, view->data, byteCount, cudaMemcpyDeviceToHost, 0),
                     cudaSuccess);
    assert_int_equal(cudaStreamSynchronize(0), cudaSuccess);
}

// The kept points are those of the request, with its bits.
static void compareFilterPoints(const filterCase* c, const wkCudaFilterResult* found)
{
    const wkCloudView* view = &found->onDevice;
    size_t each = view->isDouble ? sizeof(double[3]) : sizeof(float[3]);
    size_t byteCount = (size_t)found->filter.keptCount * each;
    static double bytes[3 * CAPACITY];
    assert_int_equal(view->count, found->filter.keptCount);
    assert_int_equal(found->onHost.count, found->filter.keptCount);
    assert_true(view->isDouble == c->kit->request.points.isDouble);
    readFilterPoints(view, bytes, byteCount);
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
static const char* bytesOfFilterPoints(const filterKit* kit, size_t* byteCount)
{
    const wkCloudView* view = &kit->request.points;
    *byteCount = view->isDouble ? sizeof kit->doubles : sizeof kit->floats;
    return view->isDouble ? (const char*)kit->doubles : (const char*)kit->floats;
}

void askForCentroids(filterCase* c)
{
    wkFilterStep* last = c->stepCount > 0 ? &c->steps[c->stepCount - 1] : NULL;
    if (last != NULL && last->type == wk_filterVoxel) {
        last->voxel.hasCentroids = true;
    }
}

// Centroids have the bits of those of the CPU, in both memories.
static void compareCentroids(const wkCudaFilterResult* found, const wkFilterResult* expected)
{
    static float bytes[3 * MOST_POINTS];
    size_t byteCount = (size_t)expected->keptCount * sizeof(float[3]);
    if (expected->centroids == NULL) {
        assert_null(found->filter.centroids);
        assert_null(found->centroidsOnDevice.data);
        return;
    }
    assert_memory_equal(found->filter.centroids, expected->centroids, byteCount);
    assert_int_equal(found->centroidsOnDevice.count, expected->keptCount);
    readFilterPoints(&found->centroidsOnDevice, bytes, byteCount);
    assert_memory_equal(bytes, expected->centroids, byteCount);
}

// Runs the steps on both, and compares everything.
void compareFilterRuns(filterCase* c, wkCudaMemory memory)
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
        const char* bytes = bytesOfFilterPoints(kit, &byteCount);
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
    compareFilterFigures(&found.filter, &kit->result);
    size_t keptBytes = (size_t)kit->result.keptCount * sizeof *kit->result.kept;
    assert_memory_equal(found.filter.marks, kit->result.marks, (size_t)kit->count);
    assert_memory_equal(found.filter.kept, kit->result.kept, keptBytes);
    compareFilterPoints(c, &found);
    compareCentroids(&found, &kit->result);
}
