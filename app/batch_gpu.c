// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

#include "batch_gpu.h"

#include <stdio.h>
#include <string.h>

// Configurations that are sent at once: several of them in a block, so that some are sent while others are checked.
#define PIECE_ROWS ((int64_t)1 << 18)

bool wkGpuChoice_Read(const char* text, wkGpuChoice* choice)
{
    static const char* const wishes[] = {
        [wk_gpuAuto] = "auto",
        [wk_gpuAlways] = "always",
        [wk_gpuNever] = "never",
    };
    for (int i = 0; i < (int)(sizeof wishes / sizeof wishes[0]); i++) {
        if (strcmp(text, wishes[i]) == 0) {
            *choice = (wkGpuChoice){(wkGpuWish)i, -1};
            return true;
        }
    }
    choice->wish = wk_gpuAlways;
    return wkReadGpuNumber(text, &choice->device);
}

static bool openLibrary(wkBatchGpu* gpu, char* why, size_t capacity)
{
    if (!wkGpuLibrary_Open(&gpu->library, why, capacity)) {
        return false;
    }
    if (!wkGpuLibrary_SharesWhisker(&gpu->library)) {
        snprintf(why, capacity,
                 "libwhisker-cuda uses another copy of libwhisker than this command, which is "
                 "linked statically; BUILD_SHARED_LIBS=ON makes both use one");
        return false;
    }
    return true;
}

bool wkBatchGpu_Open(wkBatchGpu* gpu, const wkBatch* batch, int32_t device, bool hasMotions,
                     char* why, size_t capacity)
{
    const wkGpuLibrary* library = &gpu->library;
    bool isOpen = openLibrary(gpu, why, capacity);
    if (isOpen) {
        wkCudaDef def = library->defaultDef();
        wkCudaBatchDef batchDef = library->defaultBatchDef();
        def.device = device;
        batchDef.batch = batch;
        batchDef.pieceCount = PIECE_ROWS;
        batchDef.motionCount = hasMotions ? batchDef.motionCount : 0;
        isOpen = library->create(&def, &batchDef.cuda) == wk_ok;
        gpu->cuda = batchDef.cuda;
        isOpen = isOpen && library->createBatch(&batchDef, &gpu->batch) == wk_ok;
        if (!isOpen) {
            snprintf(why, capacity, "%s", library->lastError());
        }
    }
    if (!isOpen) {
        wkBatchGpu_Close(gpu);
        return false;
    }
    gpu->info = library->info(gpu->cuda);
    return true;
}

void wkBatchGpu_Leave(wkBatchGpu* gpu)
{
    if (gpu->batch != NULL) {
        gpu->library.destroyBatch(gpu->batch);
        gpu->batch = NULL;
    }
}

void wkBatchGpu_Close(wkBatchGpu* gpu)
{
    wkBatchGpu_Leave(gpu);
    if (gpu->cuda != NULL) {
        gpu->library.destroy(gpu->cuda);
    }
    wkGpuLibrary_Close(&gpu->library);
    *gpu = (wkBatchGpu){.cuda = NULL};
}

void* wkBatchGpu_AllocatePinned(const wkBatchGpu* gpu, size_t byteCount)
{
    void* memory = NULL;
    bool isPinned =
        gpu->cuda != NULL && gpu->library.allocatePinned(gpu->cuda, byteCount, &memory) == wk_ok;
    return isPinned ? memory : NULL;
}

void wkBatchGpu_ReleasePinned(const wkBatchGpu* gpu, void* memory)
{
    if (gpu->cuda != NULL) {
        gpu->library.releasePinned(gpu->cuda, memory);
    }
}
