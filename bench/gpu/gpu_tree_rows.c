// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// gpu/ist/<points>: milliseconds on the wall for the work of cloud/ist/<points> on a GPU, from pinned memory to results;
// with /resident: points that are on the GPU already. From one query to the next, the points move by a centimetre and half
// a degree, as before a camera on a robot; with /jump, by half a metre and a right angle, so that the last answer tells
// nothing about the next one. Beside the CPU, on one thread, whose results must be the same to the bit.

#include "gpu/gpu_rows.h"

#include "clouds/sphere_tree_case.h"
#include "gpu/gpu_timing.h"
#include "measure.h"

#include <cuda_runtime_api.h>
#include <math.h>
#include <string.h>

// Places of the points, in turn: there and back.
#define MOMENTS 16

static const struct {
    const char* name;
    int width, height;
    double most, mostResident; // milliseconds on an H200
} sizes[] = {
    {"300k", 640, 480, 0.110, 0.025},
    {"1M", 1160, 864, 0.280, 0.045},
    {"5M", 2592, 1930, 1.250, 0.150},
};

// The trees of a case on a GPU, and its points in both memories.
typedef struct treesOnGpu {
    wkCuda* cuda;
    const wkSphereTreeCase* task; // with the results of the CPU
    wkCudaTrees* trees;
    void* pinned;
    void* resident;
    wkCloudView view;
    wkCudaMemory memory;
    wkPose moments[MOMENTS];
    wkSphereTreeResult expected[MOMENTS][WK_IST_LINKS];
    int moment;
    wkSphereTreeResult results[WK_IST_LINKS];
} treesOnGpu;

// How far the points go at each moment, and by which angle.
typedef struct step {
    double distance, angle;
    bool isBackAndForth; // between two places
} step;

static const step smallStep = {0.01, 0.0087, false}, jump = {0.5, 1.57, true};

// Places the points at all moments, and asks the CPU.
static bool planMoments(treesOnGpu* gpu, step each)
{
    gpu->moment = 0;
    wkCloudView view = wkMakeCloudView(gpu->task->points, gpu->task->pointCount);
    bool isPlanned = true;
    for (int i = 0; i < MOMENTS && isPlanned; i++) {
        double share = each.isBackAndForth ? i % 2 : fmin(i, MOMENTS - i);
        wkVec3d position = {share * each.distance, 0.0, 0.0};
        gpu->moments[i] = wkMakePoseRpy(position, 0.0, 0.0, share * each.angle);
        isPlanned =
            wkPlacedSphereTree_PointDistances(gpu->task->placed, WK_IST_LINKS, &view,
                                              gpu->moments[i], NULL, gpu->expected[i]) == wk_ok;
    }
    return isPlanned;
}

static bool openTrees(wkCuda* cuda, const wkSphereTreeCase* c, treesOnGpu* gpu)
{
    memset(gpu, 0, sizeof *gpu);
    gpu->cuda = cuda;
    gpu->task = c;
    wkCudaTreesDef def = wkDefaultCudaTreesDef();
    const wkSphereTree* trees[WK_IST_LINKS];
    for (int i = 0; i < WK_IST_LINKS; i++) {
        trees[i] = c->trees[i];
    }
    def.cuda = cuda;
    def.trees = trees;
    def.treeCount = WK_IST_LINKS;
    size_t bytes = 3 * (size_t)c->pointCount * sizeof *c->points;
    bool isOpen = wkCudaTrees_Create(&def, &gpu->trees) == wk_ok &&
                  wkCuda_AllocatePinned(cuda, bytes, &gpu->pinned) == wk_ok &&
                  cudaMalloc(&gpu->resident, bytes) == cudaSuccess;
    if (isOpen) {
        memcpy(gpu->pinned, c->points, bytes);
        isOpen = cudaMemcpy(gpu->resident, c->points, bytes, cudaMemcpyHostToDevice) == cudaSuccess;
    }
    return isOpen;
}

static void closeTrees(treesOnGpu* gpu)
{
    cudaFree(gpu->resident);
    wkCuda_ReleasePinned(gpu->cuda, gpu->pinned);
    wkCudaTrees_Destroy(gpu->trees);
}

static long countDifferent(const wkSphereTreeResult* a, const wkSphereTreeResult* b)
{
    long different = 0;
    for (int i = 0; i < WK_IST_LINKS; i++) {
        bool isSame = a[i].lower == b[i].lower && a[i].upper == b[i].upper &&
                      a[i].point == b[i].point && a[i].sphere == b[i].sphere &&
                      a[i].outer == b[i].outer && a[i].outerPoint == b[i].outerPoint &&
                      a[i].verdict == b[i].verdict;
        different += isSame ? 0 : 1;
    }
    return different;
}

static long passTrees(void* context)
{
    treesOnGpu* gpu = (treesOnGpu*)context;
    int moment = gpu->moment++ % MOMENTS;
    wkResult result =
        wkCudaTrees_PointDistances(gpu->trees, gpu->task->placed, WK_IST_LINKS, &gpu->view,
                                   gpu->memory, gpu->moments[moment], NULL, gpu->results);
    return result == wk_ok ? countDifferent(gpu->results, gpu->expected[moment]) : 1;
}

// Times one way, after a pass on the CPU with the same points.
static void runWay(wkBench* bench, const char* name, double cpuMs, double most, treesOnGpu* gpu)
{
    wkBenchRow row = {.n = gpu->task->pointCount, .most = most, .theirs = cpuMs};
    snprintf(row.name, sizeof row.name, "%s", name);
    wkTimeOnGpu(&row, passTrees, gpu);
    wkBench_Emit(bench, &row);
}

// Rows of a case.
static const struct {
    const char* suffix;
    bool isResident, isJump;
} ways[] = {{"", false, false}, {"/resident", true, false}, {"/resident/jump", true, true}};
#define WAY_COUNT (sizeof ways / sizeof ways[0])

static void runSize(wkBench* bench, wkCuda* cuda, size_t size, const bool wants[WAY_COUNT])
{
    wkSphereTreeCase c;
    if (!wkSphereTreeCase_Open(&c)) {
        return;
    }
    treesOnGpu gpu;
    if (wkSphereTreeCase_See(&c, sizes[size].width, sizes[size].height) &&
        openTrees(cuda, &c, &gpu)) {
        wkBenchSide cpu = {.pass = wkPassSphereTrees, .context = &c};
        wkMeasure(&cpu, 1, 1, bench->blockCount);
        for (size_t i = 0; i < WAY_COUNT; i++) {
            char name[WK_ROW_NAME_CAPACITY];
            snprintf(name, sizeof name, "gpu/ist/%s%s", sizes[size].name, ways[i].suffix);
            double most = ways[i].isJump       ? 0.0
                          : ways[i].isResident ? sizes[size].mostResident
                                               : sizes[size].most;
            gpu.view =
                wkMakeCloudView(ways[i].isResident ? gpu.resident : gpu.pinned, c.pointCount);
            gpu.memory = ways[i].isResident ? wk_memoryDevice : wk_memoryHost;
            if (wants[i] && planMoments(&gpu, ways[i].isJump ? jump : smallStep)) {
                runWay(bench, name, 1e-6 * cpu.median, most, &gpu);
            }
        }
        closeTrees(&gpu);
    }
    wkSphereTreeCase_Close(&c);
}

void wkRunGpuTreeRows(wkBench* bench, wkCuda* cuda)
{
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        bool wants[WAY_COUNT], wantsAny = false;
        for (size_t k = 0; k < WAY_COUNT; k++) {
            char name[WK_ROW_NAME_CAPACITY];
            snprintf(name, sizeof name, "gpu/ist/%s%s", sizes[i].name, ways[k].suffix);
            wants[k] = wkBench_Wants(bench, name);
            wantsAny = wantsAny || wants[k];
        }
        if (cuda != NULL && wantsAny) {
            runSize(bench, cuda, i, wants);
        }
    }
}
