// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The trees of a case on a GPU, for tests of all that is computed with them.

#include "emulated_calls.h"
#include "points_case.h"
#include "whisker/cuda.h"

typedef struct gpuTrees {
    wkCuda* cuda;
    wkCudaTrees* trees;
} gpuTrees;

// Opens a GPU and copies the trees of a case to it. What was made is set even on failure.
wkResult tryGpuTrees(const pointsCase* c, gpuTrees* gpu);

// Opens a GPU with the trees of a case, or fails the test.
void openGpuTrees(const pointsCase* c, gpuTrees* gpu);

// Releases both; nothing of the GPU is in use afterwards.
void closeGpuTrees(gpuTrees* gpu);

// Copies bytes into new memory of the GPU; release them with cudaFree.
void* copyToGpu(const void* bytes, size_t byteCount);

// Compares results bit for bit.
void compareTreeResults(const wkSphereTreeResult* found, const wkSphereTreeResult* expected);

// Creates what it needs, asks it and destroys it.
typedef wkResult storyFcn(void* context);

// Runs a story with every call of CUDA failing in turn, for several errors, then with every allocation of the host failing
// in turn: its result is that of the failure, and nothing stays allocated.
void failEverywhere(storyFcn* story, void* context);
