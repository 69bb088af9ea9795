// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Copies the blocks of a batch to a GPU.

#include "batch/batch_impl.h"
#include "cuda/cuda_impl.h"
#include "cuda/device_batch.h"

// A batch on a GPU: a view with pointers to the memory of the device.
typedef struct wkBatchCopy {
    wkDeviceBatch view;
    char* memory;
    size_t byteCount;
} wkBatchCopy;

// Copies a batch, and waits until it is there.
// @param copy nothing is allocated in it on failure
// @return wk_errorMemory naming the bytes that the GPU lacks; wk_errorDevice
wkResult wkBatchCopy_Make(const wkBatch* batch, cudaStream_t stream, wkBatchCopy* copy);

void wkBatchCopy_Free(wkBatchCopy* copy);
