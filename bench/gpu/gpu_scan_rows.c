// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// gpu/octree/insert-<cell>/300k: milliseconds on the wall to insert a frame of 640 x 480 points in pinned memory into an
// empty map: rays on the GPU, and their cells merged by one thread of the CPU. Beside it is one thread of the CPU for all
// of it. A map with another byte is wrong.

#include "gpu/gpu_rows.h"

#include "gpu/gpu_timing.h"
#include "measure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define WIDTH 640
#define HEIGHT 480
#define COUNT (WIDTH * HEIGHT)
#define BRICKS 262144

typedef struct scanOnGpu {
    wkCuda* cuda;
    wkCudaScan* onGpu;
    void* pinned; // points
    wkScan scan;
    wkOctree* expected;
    wkOctree* found;
} scanOnGpu;

// A room of 4 x 3 x 2.5 metres with waves on its walls, seen from its middle.
static void drawFrame(scanOnGpu* s)
{
    const double half[3] = {2.0, 1.5, 1.25};
    for (int i = 0; i < COUNT; i++) {
        double across = (i % WIDTH - 319.5) / 525.0, down = (i / WIDTH - 239.5) / 525.0;
        const double way[3] = {1.0, across, -down};
        double depth = 1e9;
        for (int axis = 0; axis < 3; axis++) {
            double to = half[axis] / fmax(fabs(way[axis]), 1e-9);
            depth = to < depth ? to : depth;
        }
        depth *= 1.0 + 0.02 * sin(40.0 * across) * sin(30.0 * down);
        float* p = (float*)s->pinned + 3 * (size_t)i;
        for (int axis = 0; axis < 3; axis++) {
            p[axis] = (float)(way[axis] * depth);
        }
    }
}

static bool openScan(wkCuda* cuda, double resolution, scanOnGpu* s)
{
    memset(s, 0, sizeof *s);
    s->cuda = cuda;
    wkCudaScanDef def = wkDefaultCudaScanDef();
    wkOctreeDef mapDef = wkDefaultOctreeDef();
    def.cuda = cuda;
    def.brickCapacity = BRICKS;
    mapDef.resolution = resolution;
    bool isOpen = wkCuda_AllocatePinned(cuda, sizeof(float[3]) * COUNT, &s->pinned) == wk_ok &&
                  wkCudaScan_Create(&def, &s->onGpu) == wk_ok &&
                  wkOctree_Create(&mapDef, &s->expected) == wk_ok &&
                  wkOctree_Create(&mapDef, &s->found) == wk_ok;
    if (!isOpen) {
        fprintf(stderr, "gpu/octree/*: left out: %s\n", wkGetLastError());
        return false;
    }
    drawFrame(s);
    s->scan = wkDefaultScan();
    s->scan.points.points = (const float*)s->pinned;
    s->scan.points.count = COUNT;
    return true;
}

static void closeScan(scanOnGpu* s)
{
    wkOctree_Destroy(s->expected);
    wkOctree_Destroy(s->found);
    wkCudaScan_Destroy(s->onGpu);
    wkCuda_ReleasePinned(s->cuda, s->pinned);
}

static void passCpu(void* context)
{
    scanOnGpu* s = (scanOnGpu*)context;
    wkOctree_Clear(s->expected);
    if (wkOctree_Insert(s->expected, &s->scan, NULL) != wk_ok) {
        fprintf(stderr, "%s\n", wkGetLastError());
    }
}

static long passGpu(void* context)
{
    scanOnGpu* s = (scanOnGpu*)context;
    wkOctree_Clear(s->found);
    return wkCudaScan_Insert(s->onGpu, s->found, &s->scan, wk_memoryHost, NULL) != wk_ok;
}

// Whether the maps differ.
static long countWrong(const scanOnGpu* s)
{
    wkOctreeCodeInfo a = wkOctree_Encode(s->expected, wk_octreeCodeFull, NULL);
    wkOctreeCodeInfo b = wkOctree_Encode(s->found, wk_octreeCodeFull, NULL);
    if (a.byteCount != b.byteCount) {
        return 1;
    }
    void *bytesA = malloc(a.byteCount), *bytesB = malloc(a.byteCount);
    bool isSame = false;
    if (bytesA != NULL && bytesB != NULL) {
        wkOctree_Encode(s->expected, wk_octreeCodeFull, bytesA);
        wkOctree_Encode(s->found, wk_octreeCodeFull, bytesB);
        isSame = memcmp(bytesA, bytesB, a.byteCount) == 0;
    }
    free(bytesA);
    free(bytesB);
    return !isSame;
}

static void runRow(wkBench* bench, wkCuda* cuda, const char* name, double resolution)
{
    wkBenchRow row = {.n = COUNT};
    snprintf(row.name, sizeof row.name, "gpu/octree/insert-%s/300k", name);
    if (!wkBench_Wants(bench, row.name) || cuda == NULL) {
        return;
    }
    scanOnGpu s;
    if (openScan(cuda, resolution, &s)) {
        wkBenchSide cpu = {.pass = passCpu, .context = &s};
        wkMeasure(&cpu, 1, 1, bench->blockCount);
        row.theirs = 1e-6 * cpu.median;
        wkTimeOnGpu(&row, passGpu, &s);
        row.wrong += countWrong(&s);
        wkBench_Emit(bench, &row);
    }
    closeScan(&s);
}

void wkRunGpuScanRows(wkBench* bench, wkCuda* cuda)
{
    runRow(bench, cuda, "5cm", 0.05);
    runRow(bench, cuda, "2cm", 0.02);
}
