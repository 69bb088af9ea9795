// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What tests on a GPU share: memory of the GPU, and batches on it.

#include "whisker/cuda.h"

#include <stddef.h>

// Copies bytes to memory of the GPU; given back with cudaFree.
void* copyToGpu(const void* bytes, size_t byteCount);

// Takes a GPU into use and copies a batch to it.
// @param motionCount of the definition
wkResult createOnGpu(const wkBatch* batch, int64_t motionCount, wkCuda** cuda, wkCudaBatch** onGpu);

// Releases both; nothing stays allocated.
void destroyOnGpu(wkCuda* cuda, wkCudaBatch* onGpu);
