// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A GPU that checks a batch from the command line in place of the CPU.

#include "gpu_library.h"

typedef enum wkGpuWish {
    wk_gpuAuto,   // where one can be used and pays
    wk_gpuAlways, // or the command fails
    wk_gpuNever,
} wkGpuWish;

// The value of an option --gpu.
typedef struct wkGpuChoice {
    wkGpuWish wish;
    int32_t device; // -1: the first one that can be used
} wkGpuChoice;

#define WK_GPU_CHOICE_WORDS "auto, always, never or the number of a GPU"

// Reads "auto", "always", "never", or a number: always that GPU.
bool wkGpuChoice_Read(const char* text, wkGpuChoice* choice);

// Starts as all zeros.
typedef struct wkBatchGpu {
    wkGpuLibrary library;
    wkCuda* cuda;
    wkCudaBatch* batch; // NULL: the CPU checks
    wkCudaInfo info;
} wkBatchGpu;

// Loads the library, takes a GPU into use and copies a batch to it.
// @param batch borrowed
// @param hasMotions motions are checked
// @param why set to what is missing, where it fails; of `capacity` bytes
// @return false: the CPU checks, and there is nothing to close
bool wkBatchGpu_Open(wkBatchGpu* gpu, const wkBatch* batch, int32_t device, bool hasMotions,
                     char* why, size_t capacity);

// Leaves a GPU that has failed: the CPU checks from now on. Pinned memory stays until wkBatchGpu_Close.
void wkBatchGpu_Leave(wkBatchGpu* gpu);

void wkBatchGpu_Close(wkBatchGpu* gpu);

// Memory of the host that reaches the GPU fastest. Returns NULL where there is none.
void* wkBatchGpu_AllocatePinned(const wkBatchGpu* gpu, size_t byteCount);
void wkBatchGpu_ReleasePinned(const wkBatchGpu* gpu, void* memory);
