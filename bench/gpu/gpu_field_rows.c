// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// gpu/field: milliseconds on the wall from 1,000,000 points in the memory of the GPU to a finished field of 256^3 cells
// around a Panda; with /host: points in pinned memory. Beside it, the CPU makes a cloud of the same points. gpu/field/spheres:
// to check 5,900,000 spheres in the memory of the GPU, as many as 100,000 configurations have. gpu/field/objects: from 1,000
// boxes, half of which are rotated, to a field without points; with /spheres: the same spheres among them. Verdicts of a
// sample are compared with the distance of all points, or boxes.

#include "gpu/gpu_rows.h"

#include "../tests/scenes/rng.h"
#include "batch/sensor_cloud.h"
#include "gpu/gpu_timing.h"
#include "measure.h"

#include <cuda_runtime_api.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define POINTS 1000000
#define SEED 71u
#define RADIUS 0.0025 // of points
#define REACH 0.15    // the largest sphere of a Panda, with padding
#define SPHERES 5900000
#define SAMPLE 300
#define OBJECTS 1000

// Milliseconds on an H200.
#define MOST 0.5
#define MOST_HOST 0.8

typedef struct fieldOnGpu {
    wkCuda* cuda;
    wkCudaField* field;
    float* points;
    void* pinned;
    void* resident;
    float* spheres;
    void* residentSpheres;
    uint8_t* verdicts;
    double nearest[SAMPLE]; // distances of the first spheres
    wkShape shapes[OBJECTS];
    wkPose poses[OBJECTS];
    wkCloudView view;
    wkCudaMemory memory;
} fieldOnGpu;

static wkAabb regionOfArm(void)
{
    return (wkAabb){{-0.95, -0.95, -0.55}, {0.95, 0.95, 1.35}};
}

// Draws spheres of links anywhere in the region.
static void drawSpheres(fieldOnGpu* f)
{
    wkRng rng = wkMakeRng(SEED);
    wkAabb region = regionOfArm();
    for (int i = 0; i < SPHERES; i++) {
        float* s = f->spheres + 4 * (size_t)i;
        s[0] = (float)wkRngRange(&rng, region.lower.x, region.upper.x);
        s[1] = (float)wkRngRange(&rng, region.lower.y, region.upper.y);
        s[2] = (float)wkRngRange(&rng, region.lower.z, region.upper.z);
        s[3] = (float)wkRngRange(&rng, 0.03, 0.09);
    }
}

// Finds the distances of a sample from all points.
static void findNearest(fieldOnGpu* f)
{
    for (int i = 0; i < SAMPLE; i++) {
        const float* s = f->spheres + 4 * (size_t)i;
        double least = INFINITY;
        for (int k = 0; k < POINTS; k++) {
            const float* p = f->points + 3 * (size_t)k;
            double x = (double)p[0] - (double)s[0], y = (double)p[1] - (double)s[1];
            double z = (double)p[2] - (double)s[2];
            least = fmin(least, x * x + y * y + z * z);
        }
        f->nearest[i] = sqrt(least) - RADIUS;
    }
}

// Draws boxes, and finds the distances of a sample from all of them.
static void drawBoxes(fieldOnGpu* f)
{
    wkRng rng = wkMakeRng(SEED + 1);
    wkAabb region = regionOfArm();
    for (int i = 0; i < OBJECTS; i++) {
        wkVec3d at = {wkRngRange(&rng, region.lower.x, region.upper.x),
                      wkRngRange(&rng, region.lower.y, region.upper.y),
                      wkRngRange(&rng, region.lower.z, region.upper.z)};
        wkQuat rotation = i % 2 == 0 ? wkRngRotation(&rng) : (wkQuat){0.0, 0.0, 0.0, 1.0};
        f->poses[i] = (wkPose){at, rotation};
        f->shapes[i] = wkMakeBox(wkRngRange(&rng, 0.02, 0.1), wkRngRange(&rng, 0.02, 0.1),
                                 wkRngRange(&rng, 0.02, 0.1));
    }
    for (int i = 0; i < SAMPLE; i++) {
        const float* s = f->spheres + 4 * (size_t)i;
        wkVec3d at = {(double)s[0], (double)s[1], (double)s[2]};
        f->nearest[i] = INFINITY;
        for (int k = 0; k < OBJECTS; k++) {
            f->nearest[i] =
                fmin(f->nearest[i], wkShape_PointDistance(&f->shapes[k], f->poses[k], at));
        }
    }
}

static bool openField(wkCuda* cuda, fieldOnGpu* f)
{
    memset(f, 0, sizeof *f);
    f->cuda = cuda;
    wkCudaFieldDef def = wkDefaultCudaFieldDef();
    def.cuda = cuda;
    def.region = regionOfArm();
    def.reach = REACH;
    def.objectCapacity = OBJECTS;
    size_t bytes = (size_t)POINTS * sizeof(float[3]),
           sphereBytes = (size_t)SPHERES * sizeof(float[4]);
    f->points = malloc(bytes);
    f->spheres = malloc(sphereBytes);
    bool isOpen = f->points != NULL && f->spheres != NULL &&
                  wkCudaField_Create(&def, &f->field) == wk_ok &&
                  wkCuda_AllocatePinned(cuda, bytes, &f->pinned) == wk_ok &&
                  wkCuda_AllocatePinned(cuda, SPHERES, (void**)&f->verdicts) == wk_ok &&
                  cudaMalloc(&f->resident, bytes) == cudaSuccess &&
                  cudaMalloc(&f->residentSpheres, sphereBytes) == cudaSuccess;
    if (isOpen) {
        wkDrawCloud(POINTS, SEED, f->points);
        drawSpheres(f);
        findNearest(f);
        memcpy(f->pinned, f->points, bytes);
        isOpen = cudaMemcpy(f->resident, f->points, bytes, cudaMemcpyHostToDevice) == cudaSuccess &&
                 cudaMemcpy(f->residentSpheres, f->spheres, sphereBytes, cudaMemcpyHostToDevice) ==
                     cudaSuccess;
    }
    if (!isOpen) {
        fprintf(stderr, "gpu/field: left out: %s\n", wkGetLastError());
    }
    return isOpen;
}

static void closeField(fieldOnGpu* f)
{
    cudaFree(f->resident);
    cudaFree(f->residentSpheres);
    wkCuda_ReleasePinned(f->cuda, f->pinned);
    wkCuda_ReleasePinned(f->cuda, f->verdicts);
    wkCudaField_Destroy(f->field);
    free(f->points);
    free(f->spheres);
}

// A cloud of the points, which is what the CPU makes of a frame first.
static void passCpuCloud(void* context)
{
    fieldOnGpu* f = (fieldOnGpu*)context;
    wkCloudDef def = wkDefaultCloudDef();
    def.points = wkMakeCloudView(f->points, POINTS);
    def.radius = RADIUS;
    wkCloud* cloud = NULL;
    if (wkCloud_Create(&def, &cloud) == wk_ok) {
        wkCloud_Destroy(cloud);
    }
}

static long passUpdate(void* context)
{
    fieldOnGpu* f = (fieldOnGpu*)context;
    wkCudaFieldRequest request = wkDefaultCudaFieldRequest();
    request.radius = RADIUS;
    wkResult result = wkCudaField_Update(f->field, &f->view, f->memory, wkIdentityPose(), &request);
    return result == wk_ok ? 0 : 1;
}

static long passObjects(void* context)
{
    fieldOnGpu* f = (fieldOnGpu*)context;
    wkCloudView none = wkMakeCloudView(NULL, 0);
    wkCudaFieldRequest request = wkDefaultCudaFieldRequest();
    request.allowsEmpty = true;
    wkResult result = wkCudaField_SetObjects(f->field, f->shapes, f->poses, OBJECTS);
    if (result == wk_ok) {
        result = wkCudaField_Update(f->field, &none, wk_memoryHost, wkIdentityPose(), &request);
    }
    return result == wk_ok ? 0 : 1;
}

static long passSpheres(void* context)
{
    fieldOnGpu* f = (fieldOnGpu*)context;
    return wkCudaField_CheckSpheres(f->field, (const float*)f->residentSpheres, wk_memoryDevice,
                                    SPHERES, f->verdicts) == wk_ok
               ? 0
               : 1;
}

// Counts verdicts of the sample that are not those of all points.
static long countWrong(fieldOnGpu* f)
{
    long wrong = passSpheres(f);
    for (int i = 0; i < SAMPLE; i++) {
        double between = f->nearest[i] - (double)f->spheres[4 * (size_t)i + 3];
        bool isFree = f->verdicts[i] == wk_verdictFree;
        bool isRight = isFree
                           ? between > 0.0
                           : f->verdicts[i] == wk_verdictWorld && between <= 5e-6 * (1.9 + REACH);
        wrong += isRight ? 0 : 1;
    }
    return wrong;
}

static void runRow(wkBench* bench, const char* name, double cpuMs, double most,
                   long (*pass)(void* context), fieldOnGpu* f)
{
    int n = pass == passSpheres ? SPHERES : pass == passObjects ? OBJECTS : POINTS;
    wkBenchRow row = {.n = n, .most = most, .theirs = cpuMs};
    snprintf(row.name, sizeof row.name, "%s", name);
    wkTimeOnGpu(&row, pass, f);
    row.wrong += countWrong(f);
    wkBench_Emit(bench, &row);
}

void wkRunGpuFieldRows(wkBench* bench, wkCuda* cuda)
{
    bool wantsDevice = wkBench_Wants(bench, "gpu/field");
    bool wantsHost = wkBench_Wants(bench, "gpu/field/host");
    bool wantsSpheres = wkBench_Wants(bench, "gpu/field/spheres");
    bool wantsObjects = wkBench_Wants(bench, "gpu/field/objects");
    bool wantsAmong = wkBench_Wants(bench, "gpu/field/objects/spheres");
    if (cuda == NULL || !(wantsDevice || wantsHost || wantsSpheres || wantsObjects || wantsAmong)) {
        return;
    }
    static fieldOnGpu f;
    if (openField(cuda, &f)) {
        wkBenchSide cpu = {.pass = passCpuCloud, .context = &f};
        wkMeasure(&cpu, 1, 1, bench->blockCount);
        f.view = wkMakeCloudView(f.pinned, POINTS);
        f.memory = wk_memoryHost;
        if (wantsHost) {
            runRow(bench, "gpu/field/host", 1e-6 * cpu.median, MOST_HOST, passUpdate, &f);
        }
        f.view.data = f.resident;
        f.memory = wk_memoryDevice;
        if (wantsDevice) {
            runRow(bench, "gpu/field", 1e-6 * cpu.median, MOST, passUpdate, &f);
        }
        if (wantsSpheres && passUpdate(&f) == 0) {
            runRow(bench, "gpu/field/spheres", 0.0, 0.0, passSpheres, &f);
        }
        drawBoxes(&f);
        if (wantsObjects) {
            runRow(bench, "gpu/field/objects", 0.0, 0.0, passObjects, &f);
        }
        if (wantsAmong && passObjects(&f) == 0) {
            runRow(bench, "gpu/field/objects/spheres", 0.0, 0.0, passSpheres, &f);
        }
    }
    closeField(&f);
}
