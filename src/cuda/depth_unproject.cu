// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The kernel of depth_unproject.h.

#include "cuda/depth_unproject.h"

#include "cuda/launch.h"

#define THREADS 256

static __global__ void __launch_bounds__(THREADS) unproject(wkDeviceDepth depth)
{
    int32_t at = (int32_t)(blockIdx.x * THREADS + threadIdx.x);
    if (at < depth.columnCount * depth.rowCount) {
        int32_t u = at % depth.columnCount * depth.request.step;
        int32_t v = at / depth.columnCount * depth.request.step;
        wkSlope ray = depth.rays[v * depth.image.camera.width + u];
        depth.points[at] = wkPointOfPixel(&depth.image, &depth.request, ray, u, v);
    }
}

cudaError_t wkLaunchUnproject(const wkDeviceDepth* depth, cudaStream_t stream)
{
    unsigned count = (unsigned)depth->columnCount * (unsigned)depth->rowCount;
    return wkLaunch(unproject, (count + THREADS - 1) / THREADS, THREADS, stream, *depth);
}
