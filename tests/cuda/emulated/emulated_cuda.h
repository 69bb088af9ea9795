// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Launches of the emulated CUDA.

#include "cuda_runtime.h"

#include <functional>

// Runs a kernel with its arguments for every thread of a grid.
// @param sharedBytes of emulatedSharedBytes()
cudaError_t emulatedLaunch(const std::function<void()>& kernel, dim3 grid, dim3 block,
                           size_t sharedBytes);

// Shared memory whose size is chosen at the launch.
char* emulatedSharedBytes(void);
