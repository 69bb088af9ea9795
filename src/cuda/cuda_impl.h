// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A GPU in use, and how its failures become results.

#include "whisker/cuda.h"

#include <cuda_runtime_api.h>

// Kernels are compiled for this compute capability and newer ones.
#define WK_LEAST_MAJOR 8

struct wkCuda {
    wkCudaInfo info;
    size_t sharedBytes; // of a block, at most
    bool readsPageable; // kernels may read all memory of the host
};

// Sets the message of wkGetLastError().
wkResult wkFailCuda(wkResult result, const char* format, ...) __attribute__((format(printf, 2, 3)));

// Turns an error of the CUDA runtime into a result: wk_errorMemory or wk_errorDevice.
// @param doing what failed, such as "copying points"
wkResult wkTakeCudaError(cudaError_t error, const char* doing);

// Checks where numbers of a caller are.
// @param name begins the message, such as "cuda field: memory"
// @return wk_errorArgument
wkResult wkCheckCudaMemory(const char* name, wkCudaMemory memory);

// Checks that kernels can read or write the numbers of a caller in the memory of the GPU in use: a kernel that cannot
// ends all use of the GPU by the process. Numbers in memory of the host are copied, and are not checked.
// @param name begins the message, such as "cuda batch: configurations"
// @param numbers NULL: there are none
// @param alignment of a number, bytes
// @return wk_errorArgument; wk_errorDevice
wkResult wkCheckCudaNumbers(const wkCuda* cuda, const char* name, wkCudaMemory memory,
                            const void* numbers, size_t alignment);

// Returns true where that is so, and makes the GPU that of the calling thread; for calls that are refused, whose message
// stays.
bool wkReachesNumbers(const wkCuda* cuda, const void* numbers, size_t alignment);

// Makes the GPU that of the calling thread.
wkResult wkUseCuda(const wkCuda* cuda);

// Allocates memory of the GPU and pinned memory of the host. The caller frees both, even where this fails.
// @param memory, pinned NULL before
// @return wk_errorMemory naming the bytes that the GPU lacks; wk_errorDevice
wkResult wkAllocateCuda(uint64_t byteCount, uint64_t pinnedBytes, char** memory, char** pinned);
