// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What other queries on a GPU need of a camera: its images as points in the memory of the GPU. They are valid for kernels
// behind on the same stream, until the next call with this camera.

#include "cuda/cuda_impl.h"
#include "cuda/depth_unproject.h"

int32_t wkDeviceOfCamera(const wkCudaCamera* camera);

// Checks an image for a camera, either of which may be NULL.
// @return as wkCheckFrame; wk_errorArgument
wkResult wkCheckCameraImage(const wkCudaCamera* camera, const wkDepthImage* image,
                            wkCudaMemory memory);

// Describes how the points of a checked image are made.
wkDeviceDepth wkDepthOfCamera(const wkCudaCamera* camera, const wkDepthImage* image);

// Submits what makes the points: `columnCount` times `rowCount`, in the frame of the camera, NaN where there is none. Nothing
// is left out for the robot itself.
wkResult wkUnproject(const wkCudaCamera* camera, wkDeviceDepth* depth, wkCudaMemory memory,
                     cudaStream_t stream);
