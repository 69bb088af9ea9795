// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A kernel with a known result, which shows that a GPU runs the code of this library.

#include <cuda_runtime_api.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define WK_PROBE_COUNT 64

// Writes wkProbeValue of each index.
// @param values array of WK_PROBE_COUNT in the memory of the device
cudaError_t wkLaunchProbe(double* values, cudaStream_t stream);

#ifdef __cplusplus
}
#endif
