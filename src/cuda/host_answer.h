// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Answers of kernels, which they write to the memory of the host. A copy of a few bytes takes longer than most kernels do,
// and so does the end of a stream, which the driver notices late. Each number goes with the serial of its query, in one
// store of 8 bytes: the host sees which numbers are there, and a kernel does not wait for the bus between them. C, C++ and CUDA.

#include "base/compiler.h"

#include <cuda_runtime_api.h>

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

// Four bytes of an answer.
typedef struct wkAnswerWord {
    WK_ALIGNAS(8) uint32_t value;
    uint32_t serial; // of the query that they answer
} wkAnswerWord;

// Words of an answer of a type, whose size is a multiple of 4.
#define WK_ANSWER_WORDS(type) (sizeof(type) / sizeof(uint32_t))

// Waits until all words of an answer in pinned memory, which the last kernel of a stream writes, have a serial.
// @param serial not that of the query before
// @param answer receives the values
// @return what cudaStreamQuery says where the kernel fails; cudaErrorUnknown where it ends without the answer
cudaError_t wkWaitForAnswer(cudaStream_t stream, const wkAnswerWord* words, size_t wordCount,
                            uint32_t serial, void* answer);

#ifdef __cplusplus
}
#endif

#if defined(__cplusplus)

#include "cuda/launch.h"

// Writes words of an answer: those of one of the threads that write it together.
// @param values of the answer
static __device__ __forceinline__ void wkWriteAnswer(wkAnswerWord* words, const void* values,
                                                     uint32_t wordCount, uint32_t serial,
                                                     uint32_t thread, uint32_t threadCount)
{
    for (uint32_t i = thread; i < wordCount; i += threadCount) {
        uint32_t value;
        memcpy(&value, (const char*)values + i * sizeof value, sizeof value);
        uint64_t both = (uint64_t)serial << 32 | value; // little-endian: the value comes first
        *(volatile uint64_t*)(void*)&words[i] = both;
    }
}

#endif
