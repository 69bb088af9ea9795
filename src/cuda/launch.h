// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Launches of kernels, each of which takes one struct. C++ and CUDA.

#include <cuda_runtime.h>

#if !defined(__CUDACC__)
#include <emulated_cuda.h> // tests run kernels on the CPU
#endif

// Threads of a warp.
#define WK_WARP 32

template <typename Arguments>
static cudaError_t wkLaunch(void (*kernel)(Arguments), unsigned blockCount, unsigned threadCount,
                            cudaStream_t stream, Arguments arguments)
{
#if defined(__CUDACC__)
    void* list[] = {&arguments};
    return cudaLaunchKernel((const void*)kernel, dim3(blockCount), dim3(threadCount), list, 0,
                            stream);
#else
    (void)stream;
    return emulatedLaunch([&] { kernel(arguments); }, dim3(blockCount), dim3(threadCount));
#endif
}
