// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

#include "cuda/host_answer.h"

#include <stdbool.h>
#include <string.h>

// Checks of the words before the driver is asked: some microseconds.
#define CHECKS 4096

// Reads the words that are there.
// @param count of those that are known to be there
// @return count of those that are there before the first that is not
static size_t readWords(const wkAnswerWord* words, size_t wordCount, uint32_t serial, size_t count,
                        char* answer)
{
    for (; count < wordCount; ++count) {
        uint64_t both =
            __atomic_load_n((const uint64_t*)(const void*)&words[count], __ATOMIC_ACQUIRE);
        if ((uint32_t)(both >> 32) != serial) {
            break;
        }
        uint32_t value = (uint32_t)both;
        memcpy(answer + count * sizeof value, &value, sizeof value);
    }
    return count;
}

cudaError_t wkWaitForAnswer(cudaStream_t stream, const wkAnswerWord* words, size_t wordCount,
                            uint32_t serial, void* answer)
{
    size_t count = 0;
    for (;;) {
        for (int i = 0; i < CHECKS; ++i) {
            count = readWords(words, wordCount, serial, count, (char*)answer);
            if (count == wordCount) {
                return cudaSuccess;
            }
        }
        cudaError_t error = cudaStreamQuery(stream);
        if (error == cudaErrorNotReady) {
            cudaGetLastError(); // the next call must not find it
        } else if (error != cudaSuccess) {
            return error;
        } else {
            count = readWords(words, wordCount, serial, count, (char*)answer);
            return count == wordCount ? cudaSuccess : cudaErrorUnknown;
        }
    }
}
