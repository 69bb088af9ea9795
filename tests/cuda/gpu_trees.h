// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The trees of a case on a GPU, for tests of all that is computed with them.

#include "failing_gpu.h"
#include "gpu_kit.h"
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

// Places the trees of the shared case, draws its points and opens a GPU with the trees.
pointsCase* drawOnGpu(wkRng* rng, double reach, double gap, gpuTrees* gpu);

// Releases both; nothing of the GPU is in use afterwards.
void closeGpuTrees(gpuTrees* gpu);

// Compares results bit for bit.
void compareTreeResults(const wkSphereTreeResult* found, const wkSphereTreeResult* expected);
