// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Launches of the emulated CUDA.

#include "cuda_runtime.h"

#include <functional>
#include <mutex>

// Shared memory of a block of an H200.
#define EMULATED_SHARED_BYTES (227 << 10)

// A kernel with its arguments.
struct emulatedKernel {
    std::function<void()> run;
    const void* function; // what cudaFuncSetAttribute knows it by
    const void* arguments;
    size_t argumentBytes;
    size_t sharedBytes; // of emulatedSharedBytes()
};

// Runs a kernel for every thread of a grid.
cudaError_t emulatedLaunch(const emulatedKernel& kernel, dim3 grid, dim3 block,
                           cudaStream_t stream);

// Shared memory whose size is chosen at the launch.
char* emulatedSharedBytes(void);

// Held by calls, and as long as a kernel runs.
std::recursive_mutex& emulatedMutex(void);

// Checks that a kernel can run on the device in use: that the stream is one of it, and that no argument points into the
// memory of another.
// @param isLost set where the kernel fails before it writes anything, which later calls report
cudaError_t emulatedBeginLaunch(const emulatedKernel& kernel, cudaStream_t stream, bool* isLost);
