// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Waits for a number that a kernel writes to the memory of the host. A copy of a few bytes takes longer than most
// kernels do, and so does the end of a stream, which the driver notices late.

#include <cuda_runtime_api.h>

#include <stdint.h>

// Waits until a number in pinned memory is that which the last kernel of a stream writes there after everything else.
// @return what cudaStreamQuery says where the kernel fails; cudaErrorUnknown where it ends without the number
cudaError_t wkWaitForSerial(cudaStream_t stream, const uint32_t* serial, uint32_t expected);
