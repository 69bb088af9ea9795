// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// gpu/ist/<points>: milliseconds on the wall for the work of cloud/ist/<points> on a GPU, from pinned memory to results;
// with /resident: points that are on the GPU already. Beside the CPU, on one thread, whose results must be the same to
// the bit.

#include "gpu/gpu_rows.h"

#include "clouds/sphere_tree_case.h"
#include "gpu/gpu_timing.h"
#include "measure.h"

#include <cuda_runtime_api.h>
#include <string.h>

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
    wkSphereTreeResult results[WK_IST_LINKS];
} treesOnGpu;

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
    wkResult result =
        wkCudaTrees_PointDistances(gpu->trees, gpu->task->placed, WK_IST_LINKS, &gpu->view,
                                   gpu->memory, wkIdentityPose(), NULL, gpu->results);
    return result == wk_ok ? countDifferent(gpu->results, gpu->task->results) : 1;
}

// Times one way, after a pass on the CPU with the same points.
static void runWay(wkBench* bench, const char* name, double cpuMs, double most, treesOnGpu* gpu)
{
    wkBenchRow row = {.n = gpu->task->pointCount, .most = most, .theirs = cpuMs};
    snprintf(row.name, sizeof row.name, "%s", name);
    wkTimeOnGpu(&row, passTrees, gpu);
    wkBench_Emit(bench, &row);
}

void wkRunGpuTreeRows(wkBench* bench, wkCuda* cuda)
{
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        char host[WK_ROW_NAME_CAPACITY], resident[WK_ROW_NAME_CAPACITY];
        snprintf(host, sizeof host, "gpu/ist/%s", sizes[i].name);
        snprintf(resident, sizeof resident, "gpu/ist/%s/resident", sizes[i].name);
        bool wantsHost = wkBench_Wants(bench, host), wantsResident = wkBench_Wants(bench, resident);
        wkSphereTreeCase c;
        treesOnGpu gpu;
        if (cuda == NULL || !(wantsHost || wantsResident) || !wkSphereTreeCase_Open(&c)) {
            continue;
        }
        if (wkSphereTreeCase_See(&c, sizes[i].width, sizes[i].height) &&
            openTrees(cuda, &c, &gpu)) {
            wkBenchSide cpu = {.pass = wkPassSphereTrees, .context = &c};
            wkMeasure(&cpu, 1, 1, bench->blockCount);
            gpu.view = wkMakeCloudView(gpu.pinned, c.pointCount);
            gpu.memory = wk_memoryHost;
            if (wantsHost) {
                runWay(bench, host, 1e-6 * cpu.median, sizes[i].most, &gpu);
            }
            gpu.view.data = gpu.resident;
            gpu.memory = wk_memoryDevice;
            if (wantsResident) {
                runWay(bench, resident, 1e-6 * cpu.median, sizes[i].mostResident, &gpu);
            }
            closeTrees(&gpu);
        }
        wkSphereTreeCase_Close(&c);
    }
}
