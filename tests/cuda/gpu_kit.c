// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

#include "gpu_kit.h"

#include "cuda_runtime_api.h"
#include "emulated_calls.h"
#include "kit.h"

// Configurations that are checked at once: several pieces for each test.
#define PIECE 1024

void* copyToGpu(const void* bytes, size_t byteCount)
{
    void* memory = NULL;
    assert_int_equal(cudaMalloc(&memory, byteCount > 0 ? byteCount : 1), cudaSuccess);
    assert_int_equal(cudaMemcpyAsync(memory, bytes, byteCount, cudaMemcpyHostToDevice, 0),
                     cudaSuccess);
    assert_int_equal(cudaStreamSynchronize(0), cudaSuccess);
    return memory;
}

wkResult createOnGpu(const wkBatch* batch, int64_t motionCount, wkCuda** cuda, wkCudaBatch** onGpu)
{
    wkCudaDef def = wkDefaultCudaDef();
    wkCudaBatchDef batchDef = wkDefaultCudaBatchDef();
    *cuda = NULL;
    *onGpu = NULL;
    wkResult result = wkCuda_Create(&def, cuda);
    batchDef.cuda = *cuda;
    batchDef.batch = batch;
    batchDef.pieceCount = PIECE;
    batchDef.motionCount = motionCount;
    return result == wk_ok ? wkCudaBatch_Create(&batchDef, onGpu) : result;
}

void destroyOnGpu(wkCuda* cuda, wkCudaBatch* onGpu)
{
    wkCudaBatch_Destroy(onGpu);
    wkCuda_Destroy(cuda);
    assert_int_equal(emulatedByteCount(), 0);
}
