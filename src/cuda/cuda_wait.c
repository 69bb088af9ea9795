// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

#include "cuda/cuda_wait.h"

#include <stdbool.h>

// Checks of the number before the driver is asked: some microseconds.
#define CHECKS 4096

static bool isThere(const uint32_t* serial, uint32_t expected)
{
    return __atomic_load_n(serial, __ATOMIC_ACQUIRE) == expected;
}

cudaError_t wkWaitForSerial(cudaStream_t stream, const uint32_t* serial, uint32_t expected)
{
    for (;;) {
        for (int i = 0; i < CHECKS; ++i) {
            if (isThere(serial, expected)) {
                return cudaSuccess;
            }
        }
        cudaError_t error = cudaStreamQuery(stream);
        if (error == cudaErrorNotReady) {
            cudaGetLastError(); // the next call must not find it
        } else if (error != cudaSuccess) {
            return error;
        } else {
            return isThere(serial, expected) ? cudaSuccess : cudaErrorUnknown;
        }
    }
}
