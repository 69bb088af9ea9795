// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What other files need of clouds on a GPU.

#include "cuda/cuda_impl.h"

// The cloud in the memory of the host.
const wkCloud* wkCloudOfHost(const wkCudaCloud* cloud);

// Checks that there are two clouds, on the same GPU.
wkResult wkCheckCudaClouds(const wkCudaCloud* a, const wkCudaCloud* b);

// Computes the distance as wkCudaCloud_CenterDistance does.
// @param failure set to wk_ok, or to why there is no result of the GPU
wkCenterResult wkFindCudaCenters(wkCudaCloud* a, wkPose poseA, wkCudaCloud* b, wkPose poseB,
                                 const wkCenterRequest* request, wkResult* failure);
