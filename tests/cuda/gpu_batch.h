// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A batch on the CPU and on a GPU, with configurations of all kinds and the verdicts of the CPU.

#include "batch_kit.h"
#include "emulated_calls.h"
#include "whisker/cuda.h"

// A batch on both sides, and configurations.
typedef struct batchOnGpu {
    wkBatchCase c;
    wkBatch* batch;
    wkCuda* cuda;
    wkCudaBatch* onGpu;
    int32_t count, length;
    uint8_t* expected;
} batchOnGpu;

// Draws configurations in some surroundings, and makes the batch of the CPU. Some are near their limits, beyond them, far
// away or not finite; all are floats.
void openBatch(batchOnGpu* b, int kind, wkExactness exactness, bool checksLimits);

// The same for a number of configurations.
void openStates(batchOnGpu* b, int kind, wkExactness exactness, bool checksLimits, int32_t count);

// Makes the batch again for the definition and the scene as they are, with the verdicts of the CPU.
void createBatch(batchOnGpu* b);

void closeBatch(batchOnGpu* b);

// Copies the batch to a GPU.
wkResult tryGpu(batchOnGpu* b);
void closeGpu(batchOnGpu* b);

// Fails where a verdict of the GPU is another one than that of the CPU.
// @param asBits a bit for each configuration, set where it is free
void compareVerdicts(const batchOnGpu* b, const uint8_t* found, bool asBits);

// Checks all configurations on the GPU in some of 16 ways: bit 0: as floats, 1: on the GPU, 2: verdicts on the GPU, 3: as bits.
void checkAllWays(batchOnGpu* b, int first, int count);
