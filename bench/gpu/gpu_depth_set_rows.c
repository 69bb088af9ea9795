// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// gpu/batch/depth: milliseconds on the wall to check the 209 spheres of 262144 poses, which are in the memory of the GPU,
// against a depth image of 640 x 480 pixels. The bar is 3e8 poses a second. Beside it is one thread of the CPU, whose
// verdicts must be the same. Poses are those of Marshall (2012), 256 of them in turn.

#include "gpu/gpu_rows.h"

#include "batch/marshall_case.h"
#include "gpu/gpu_timing.h"
#include "measure.h"

#include <cuda_runtime_api.h>
#include <stdlib.h>
#include <string.h>

#define POSES 256
#define SETS 262144
#define MOST (1e3 * SETS / 3e8)

typedef struct setsOnGpu {
    wkMarshallCase task;
    wkCuda* cuda;
    wkCudaDepthMap* map;
    int32_t sphereCount;
    float* placed;       // of POSES
    wkSphere3d* spheres; // the same for the CPU
    float* resident;     // of SETS, on the GPU
    void* pinned;        // their verdicts
    uint8_t expected[POSES];
} setsOnGpu;

// Places the spheres of all poses.
static bool placePoses(setsOnGpu* s)
{
    wkBatchDef def = wkMarshallCase_Def(&s->task);
    wkBatch* batch = NULL;
    if (wkBatch_Create(&def, &batch) != wk_ok) {
        return false;
    }
    s->sphereCount = wkBatch_Info(batch).robotSphereCount;
    size_t count = (size_t)POSES * (size_t)s->sphereCount;
    s->placed = malloc(count * sizeof(float[4]));
    s->spheres = malloc(count * sizeof *s->spheres);
    bool isPlaced = s->placed != NULL && s->spheres != NULL &&
                    wkBatch_PlaceSpheres(batch, NULL, s->task.poses, POSES, s->placed) == wk_ok;
    for (size_t i = 0; i < count && isPlaced; i++) {
        const float* p = s->placed + 4 * i;
        s->spheres[i] = (wkSphere3d){{(double)p[0], (double)p[1], (double)p[2]}, (double)p[3]};
    }
    wkBatch_Destroy(batch);
    return isPlaced;
}

// Repeats the poses in the memory of the GPU.
static bool copySets(setsOnGpu* s)
{
    size_t bytes = (size_t)POSES * (size_t)s->sphereCount * sizeof(float[4]);
    bool isCopied = cudaMalloc((void**)&s->resident, SETS / POSES * bytes) == cudaSuccess;
    for (size_t i = 0; i < SETS / POSES && isCopied; i++) {
        isCopied = cudaMemcpy((char*)s->resident + i * bytes, s->placed, bytes,
                              cudaMemcpyHostToDevice) == cudaSuccess;
    }
    return isCopied;
}

static bool openSets(wkCuda* cuda, setsOnGpu* s)
{
    memset(s, 0, sizeof *s);
    s->cuda = cuda;
    wkCudaDepthMapDef def = wkDefaultCudaDepthMapDef();
    def.cuda = cuda;
    bool isOpen = wkMarshallCase_Open(&s->task, POSES) &&
                  wkMarshallCase_Render(&s->task, wk_viewWhole) && placePoses(s) && copySets(s) &&
                  wkCuda_AllocatePinned(cuda, SETS, &s->pinned) == wk_ok;
    def.camera = s->task.camera;
    isOpen = isOpen && wkCudaDepthMap_Create(&def, &s->map) == wk_ok &&
             wkCudaDepthMap_Update(s->map, &s->task.image, wk_memoryHost, NULL, NULL) == wk_ok;
    if (!isOpen) {
        fprintf(stderr, "gpu/batch/depth: left out: %s\n", wkGetLastError());
    }
    return isOpen;
}

static void closeSets(setsOnGpu* s)
{
    wkCudaDepthMap_Destroy(s->map);
    wkCuda_ReleasePinned(s->cuda, s->pinned);
    cudaFree(s->resident);
    free(s->placed);
    free(s->spheres);
    wkMarshallCase_Close(&s->task);
}

static void passCpuSets(void* context)
{
    setsOnGpu* s = (setsOnGpu*)context;
    const wkDepthMap* maps[1] = {s->task.map};
    for (int i = 0; i < POSES; i++) {
        s->expected[i] =
            (uint8_t)wkDepthMap_CheckSpheres(maps, 1, s->spheres + (ptrdiff_t)i * s->sphereCount,
                                             s->sphereCount, wk_depthByPyramid, NULL);
    }
}

static long passGpuSets(void* context)
{
    setsOnGpu* s = (setsOnGpu*)context;
    uint8_t* verdicts = (uint8_t*)s->pinned;
    if (wkCudaDepthMap_CheckSets(s->map, s->resident, wk_memoryDevice, s->sphereCount, SETS,
                                 wk_depthHit, verdicts) != wk_ok) {
        return 1;
    }
    long wrong = 0;
    for (int i = 0; i < SETS; i += POSES) {
        wrong += memcmp(verdicts + i, s->expected, POSES) != 0;
    }
    return wrong;
}

void wkRunGpuDepthSetRows(wkBench* bench, wkCuda* cuda)
{
    const char* name = "gpu/batch/depth";
    if (!wkBench_Wants(bench, name) || cuda == NULL) {
        return;
    }
    setsOnGpu s;
    if (openSets(cuda, &s)) {
        wkBenchSide cpu = {.pass = passCpuSets, .context = &s};
        wkMeasure(&cpu, 1, 1, bench->blockCount);
        wkBenchRow row = {.n = SETS, .most = MOST, .theirs = 1e-6 * cpu.median * SETS / POSES};
        snprintf(row.name, sizeof row.name, "%s", name);
        wkTimeOnGpu(&row, passGpuSets, &s);
        wkBench_Emit(bench, &row);
    }
    closeSets(&s);
}
