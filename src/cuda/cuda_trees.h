// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What other files need of trees on a GPU.

#include "cuda/cuda_impl.h"

// The stream on which queries run: what is submitted to it before a query is done when its kernels begin.
cudaStream_t wkStreamOfTrees(const wkCudaTrees* trees);

// The number of the GPU that has the trees.
int32_t wkDeviceOfTrees(const wkCudaTrees* trees);

// Nothing is known, of no tree.
void wkForgetTrees(wkSphereTreeResult* results, int32_t count);
