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

// Memory of a block whose size is chosen at the launch.
#if defined(__CUDACC__)
#define WK_SHARED_BYTES(name) extern __shared__ __align__(16) char name[]
#else
#define WK_SHARED_BYTES(name) char* name = emulatedSharedBytes()
#endif

// Makes the address of a parameter of a kernel one of memory like any other: threads read different words of it at once,
// where those of the bank of constants are read one after the other.
static __device__ __forceinline__ const void* wkInMemory(const void* parameter)
{
#if defined(__CUDA_ARCH__)
    asm("" : "+l"(parameter));
#endif
    return parameter;
}

template <typename Arguments>
static cudaError_t wkLaunchShared(void (*kernel)(Arguments), unsigned blockCount,
                                  unsigned threadCount, size_t sharedBytes, cudaStream_t stream,
                                  Arguments arguments)
{
#if defined(__CUDACC__)
    void* list[] = {&arguments};
    return cudaLaunchKernel((const void*)kernel, dim3(blockCount), dim3(threadCount), list,
                            sharedBytes, stream);
#else
    return emulatedLaunch({[&] { kernel(arguments); }, (const void*)kernel, &arguments,
                           sizeof arguments, sharedBytes},
                          dim3(blockCount), dim3(threadCount), stream);
#endif
}

template <typename Arguments>
static cudaError_t wkLaunch(void (*kernel)(Arguments), unsigned blockCount, unsigned threadCount,
                            cudaStream_t stream, Arguments arguments)
{
    return wkLaunchShared(kernel, blockCount, threadCount, 0, stream, arguments);
}

// Lets a kernel, which has no other shared memory, use all that a block may have: the limit is one for all launches on the
// device, so that a smaller one would be in the way of another batch that needs more.
// @param sharedBytes of the launches that are counted
// @param mostBytes of shared memory that a block may have
// @param count set to the blocks that run at once on a multiprocessor
template <typename Arguments>
static inline cudaError_t wkCountBlocks(void (*kernel)(Arguments), int threadCount,
                                        size_t sharedBytes, size_t mostBytes, int* count)
{
    cudaError_t error = cudaFuncSetAttribute(
        (const void*)kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)mostBytes);
    return error == cudaSuccess ? cudaOccupancyMaxActiveBlocksPerMultiprocessor(
                                      count, (const void*)kernel, threadCount, sharedBytes)
                                : error;
}
