// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// gpu/filter/<step>/300k: milliseconds on the wall to filter a frame of 640 x 480 points, which come from pinned memory;
// kept points stay on the GPU, their number and figures come back. Beside it is one thread of the CPU. Points that one of
// both keeps and the other one does not are wrong, and so are those in another order and centroids with other bits.

#include "gpu/gpu_rows.h"

#include "gpu/gpu_timing.h"
#include "measure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define WIDTH 640
#define HEIGHT 480
#define COUNT (WIDTH * HEIGHT)
#define FLOATS 4 // of a point
#define SPHERES 60

typedef struct filtersOnGpu {
    wkCuda* cuda;
    wkCudaFilter* onGpu;
    wkCloudFilter* onCpu;
    void* pinned; // points
    wkSphere3d robot[SPHERES];
    wkFilterRequest request;
    wkFilterResult expected;
} filtersOnGpu;

static double drawUnit(uint32_t* seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (*seed >> 8) * 0x1p-24;
}

// A wall, a floor and a box, with noise that grows with the square of the depth, and points between them: the frame
// `made` of the rows filter/*.
static float drawDepth(int u, int v, uint32_t* seed)
{
    double down = (v - 239.5) / 525.0, z = 4.0;
    z = down > 0.0 && 1.2 / down < z ? 1.2 / down : z;
    z = u > 200 && u < 330 && v > 150 && v < 330 ? 1.2 : z;
    z = u > 400 && u < 520 && v > 200 && v < 300 ? 0.8 : z;
    double noise = drawUnit(seed) + drawUnit(seed) + drawUnit(seed) + drawUnit(seed) - 2.0;
    z += 0.0026 * z * z * noise;
    return (float)(drawUnit(seed) < 0.002 ? z * (0.4 + 0.4 * drawUnit(seed)) : z);
}

static void drawFrame(filtersOnGpu* f)
{
    uint32_t seed = 7;
    for (int i = 0; i < COUNT; i++) {
        int u = i % WIDTH, v = i / WIDTH;
        float z = drawDepth(u, v, &seed), *p = (float*)f->pinned + (size_t)i * FLOATS;
        p[0] = (float)((u - 319.5) / 525.0) * z;
        p[1] = (float)((v - 239.5) / 525.0) * z;
        p[2] = z;
        p[3] = 1.0f;
    }
    for (int i = 0; i < SPHERES; i++) {
        double t = i / (SPHERES - 1.0);
        f->robot[i].center = (wkVec3d){-0.6 + t, 0.3 * sin(4.0 * t), 1.2 + 0.2 * cos(5.0 * t)};
        f->robot[i].radius = 0.05 + 0.03 * sin(9.0 * t);
    }
}

static bool openFilters(wkCuda* cuda, filtersOnGpu* f)
{
    memset(f, 0, sizeof *f);
    f->cuda = cuda;
    wkCudaFilterDef def = wkDefaultCudaFilterDef();
    def.cuda = cuda;
    def.pointCapacity = COUNT;
    bool isOpen = wkCuda_AllocatePinned(cuda, sizeof(float[FLOATS]) * COUNT, &f->pinned) == wk_ok &&
                  wkCudaFilter_Create(&def, &f->onGpu) == wk_ok &&
                  wkCloudFilter_Create(&f->onCpu) == wk_ok;
    if (!isOpen) {
        fprintf(stderr, "gpu/filter/*: left out: %s\n", wkGetLastError());
        return false;
    }
    drawFrame(f);
    f->request = wkDefaultFilterRequest();
    f->request.points = wkMakeCloudView(f->pinned, COUNT);
    f->request.points.stride = sizeof(float[FLOATS]);
    return true;
}

static void closeFilters(filtersOnGpu* f)
{
    wkCloudFilter_Destroy(f->onCpu);
    wkCudaFilter_Destroy(f->onGpu);
    wkCuda_ReleasePinned(f->cuda, f->pinned);
}

static void passCpu(void* context)
{
    filtersOnGpu* f = (filtersOnGpu*)context;
    if (wkCloudFilter_Run(f->onCpu, &f->request, &f->expected) != wk_ok) {
        fprintf(stderr, "%s\n", wkGetLastError());
    }
}

static long passGpu(void* context)
{
    filtersOnGpu* f = (filtersOnGpu*)context;
    wkCudaFilterRequest request = wkDefaultCudaFilterRequest();
    wkCudaFilterResult found;
    request.filter = f->request;
    request.wantsMarks = false;
    wkResult result = wkCudaFilter_Run(f->onGpu, &request, &found);
    return result == wk_ok ? labs((long)found.filter.keptCount - f->expected.keptCount) : COUNT;
}

// Points whose marks differ, and kept points in another order.
static long countWrong(filtersOnGpu* f)
{
    wkCudaFilterRequest request = wkDefaultCudaFilterRequest();
    wkCudaFilterResult found;
    request.filter = f->request;
    if (wkCudaFilter_Run(f->onGpu, &request, &found) != wk_ok) {
        fprintf(stderr, "%s\n", wkGetLastError());
        return COUNT;
    }
    long wrong = labs((long)found.filter.keptCount - f->expected.keptCount);
    for (int i = 0; i < COUNT; i++) {
        wrong += found.filter.marks[i] != f->expected.marks[i];
    }
    for (int i = 0; i < f->expected.keptCount && wrong == 0; i++) {
        wrong += found.filter.kept[i] != f->expected.kept[i];
    }
    if (f->expected.centroids != NULL && wrong == 0) {
        size_t byteCount = (size_t)f->expected.keptCount * sizeof(float[3]);
        wrong += memcmp(found.filter.centroids, f->expected.centroids, byteCount) != 0;
    }
    return wrong;
}

static void runRow(wkBench* bench, wkCuda* cuda, const char* name, const wkFilterStep* steps,
                   int32_t stepCount, filtersOnGpu* f)
{
    wkBenchRow row = {.n = COUNT};
    snprintf(row.name, sizeof row.name, "gpu/filter/%s/300k", name);
    if (!wkBench_Wants(bench, row.name) || cuda == NULL || f->onCpu == NULL) {
        return;
    }
    f->request.steps = steps;
    f->request.stepCount = stepCount;
    wkBenchSide cpu = {.pass = passCpu, .context = f};
    wkMeasure(&cpu, 1, 1, bench->blockCount);
    row.theirs = 1e-6 * cpu.median;
    wkTimeOnGpu(&row, passGpu, f);
    row.wrong += countWrong(f);
    wkBench_Emit(bench, &row);
}

void wkRunGpuFilterRows(wkBench* bench, wkCuda* cuda)
{
    filtersOnGpu f = {.cuda = NULL};
    bool isOpen = cuda != NULL && openFilters(cuda, &f);
    wkFilterRobot robot = {.spheres = f.robot, .sphereCount = SPHERES};
    wkPose pose = {.position = {0.0, 0.0, 1.5}, .rotation = {0.0, 0.1, 0.0, 0.995}};
    wkAabb box = {{-1.0, -1.0, -1.0}, {1.0, 1.0, 1.5}};
    struct {
        const char* name;
        wkFilterStep step;
    } rows[] = {
        {"range", wkMakeRangeFilter((wkVec3d){0.0, 0.0, 0.0}, 0.3, 3.0)},
        {"box", wkMakeBoxFilter(box, pose)},
        {"distance", wkMakeDistanceFilter(robot, 0.5)},
        {"self", wkMakeSelfFilter(robot, 0.02)},
        {"voxel-1cm", wkMakeVoxelFilter(0.01)},
        {"voxel-5cm", wkMakeVoxelFilter(0.05)},
        {"centroids-1cm", wkMakeVoxelFilter(0.01)},
        {"centroids-5cm", wkMakeVoxelFilter(0.05)},
        {"radius", wkMakeRadiusFilter(0.03, 8)},
        {"statistical-50", wkMakeStatisticalFilter(50, 1.0)},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        wkFilterStep* step = &rows[i].step;
        if (strncmp(rows[i].name, "centroids", 9) == 0) {
            step->voxel.hasCentroids = true;
        }
        runRow(bench, cuda, rows[i].name, step, 1, &f);
    }
    const wkFilterStep chain[] = {rows[0].step, rows[3].step, rows[4].step};
    runRow(bench, cuda, "range-self-voxel", chain, 3, &f);
    if (isOpen || f.cuda != NULL) {
        closeFilters(&f);
    }
}
