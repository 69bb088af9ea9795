// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// gpu/depth-frame: milliseconds on the wall from a depth image of 640 x 480 integers in pinned memory to the distance of
// each link, beside the same on one thread of the CPU, whose results must be the same to the bit.

#include "gpu/gpu_rows.h"

#include "clouds/sphere_tree_case.h"
#include "gpu/gpu_timing.h"
#include "measure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST 0.060

typedef struct depthOnGpu {
    wkSphereTreeCase task;
    wkCuda* cuda;
    wkCudaTrees* trees;
    wkCudaCamera* camera;
    void* pinned;
    wkDepthImage image;
    float* points;   // of the CPU
    int32_t* pixels; // of these
    wkSphereTreeResult expected[WK_IST_LINKS];
} depthOnGpu;

// A wavy wall between the camera and the arm, 0.1 to 0.7 m in front of its tip.
static void seeWall(const wkCamera* camera, uint16_t* pixels)
{
    for (int v = 0; v < camera->height; v++) {
        for (int u = 0; u < camera->width; u++) {
            double depth = 1.9 + 0.3 * sin(0.02 * u) * cos(0.03 * v);
            pixels[v * camera->width + u] = (uint16_t)(u % 37 == 0 ? 0.0 : 1000.0 * depth);
        }
    }
}

static bool openDepth(wkCuda* cuda, depthOnGpu* d)
{
    memset(d, 0, sizeof *d);
    d->cuda = cuda;
    if (!wkSphereTreeCase_Open(&d->task)) {
        return false;
    }
    d->image = wkDefaultDepthImage();
    // in front of the arm, looking at it: z of the camera is -x of the room
    d->image.pose = wkMakePose(1.3, 0.0, 0.8);
    d->image.pose.rotation = (wkQuat){0.5, -0.5, -0.5, 0.5};
    const wkSphereTree* trees[WK_IST_LINKS];
    for (int i = 0; i < WK_IST_LINKS; i++) {
        trees[i] = d->task.trees[i];
    }
    wkCudaTreesDef def = wkDefaultCudaTreesDef();
    def.cuda = cuda;
    def.trees = trees;
    def.treeCount = WK_IST_LINKS;
    wkCudaCameraDef cameraDef = wkDefaultCudaCameraDef();
    cameraDef.cuda = cuda;
    size_t count = (size_t)d->image.camera.width * (size_t)d->image.camera.height;
    d->points = malloc(3 * count * sizeof *d->points);
    d->pixels = malloc(count * sizeof *d->pixels);
    bool isOpen = d->points != NULL && d->pixels != NULL &&
                  wkCudaTrees_Create(&def, &d->trees) == wk_ok &&
                  wkCudaCamera_Create(&cameraDef, &d->camera) == wk_ok &&
                  wkCuda_AllocatePinned(cuda, count * sizeof(uint16_t), &d->pinned) == wk_ok;
    if (isOpen) {
        seeWall(&d->image.camera, (uint16_t*)d->pinned);
        d->image.pixels = d->pinned;
        d->image.scale = 0.001;
    } else {
        fprintf(stderr, "gpu/depth-frame: left out: %s\n", wkGetLastError());
    }
    return isOpen;
}

static void closeDepth(depthOnGpu* d)
{
    wkCuda_ReleasePinned(d->cuda, d->pinned);
    wkCudaCamera_Destroy(d->camera);
    wkCudaTrees_Destroy(d->trees);
    wkSphereTreeCase_Close(&d->task);
    free(d->points);
    free(d->pixels);
}

// The same on the CPU: points, then their distances.
static void passCpuDepth(void* context)
{
    depthOnGpu* d = (depthOnGpu*)context;
    int32_t capacity = d->image.camera.width * d->image.camera.height;
    int32_t count = wkDepthImage_Points(&d->image, NULL, d->points, d->pixels, capacity);
    wkCloudView view = wkMakeCloudView(d->points, count);
    wkPlacedSphereTree_PointDistances(d->task.placed, WK_IST_LINKS, &view, d->image.pose, NULL,
                                      d->expected);
}

static long passGpuDepth(void* context)
{
    depthOnGpu* d = (depthOnGpu*)context;
    wkSphereTreeResult found[WK_IST_LINKS];
    if (wkCudaCamera_DepthDistances(d->camera, d->trees, d->task.placed, WK_IST_LINKS, &d->image,
                                    wk_memoryHost, NULL, found) != wk_ok) {
        return 1;
    }
    long wrong = 0;
    for (int i = 0; i < WK_IST_LINKS; i++) {
        const wkSphereTreeResult* e = &d->expected[i];
        bool isSame = found[i].lower == e->lower && found[i].upper == e->upper &&
                      found[i].verdict == e->verdict && e->point >= 0 &&
                      found[i].point == d->pixels[e->point];
        wrong += isSame ? 0 : 1;
    }
    return wrong;
}

void wkRunGpuDepthRows(wkBench* bench, wkCuda* cuda)
{
    const char* name = "gpu/depth-frame";
    if (!wkBench_Wants(bench, name) || cuda == NULL) {
        return;
    }
    depthOnGpu d;
    if (openDepth(cuda, &d)) {
        wkBenchSide cpu = {.pass = passCpuDepth, .context = &d};
        wkMeasure(&cpu, 1, 1, bench->blockCount);
        wkBenchRow row = {.n = 1, .most = MOST, .theirs = 1e-6 * cpu.median};
        snprintf(row.name, sizeof row.name, "%s", name);
        wkTimeOnGpu(&row, passGpuDepth, &d);
        wkBench_Emit(bench, &row);
    }
    closeDepth(&d);
}
