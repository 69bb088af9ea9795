// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// How kernels read the position of a point. C++ and CUDA.

#include "cuda/launch.h"
#include "fit/sphere_tree/scan_item.h"

// Returns the position, with one load for each coordinate where these are aligned (point_feed.h).
static __device__ __forceinline__ wkVec3d wkLoadPosition(const wkCloudLayout* layout,
                                                         bool isAligned, int64_t at)
{
    if (!isAligned) {
        return wkScanPosition(layout, at);
    }
    const char* point = layout->data + at * layout->stride;
    if (layout->isDouble) {
        return wkVec(*(const double*)(point + layout->offsets[0]),
                     *(const double*)(point + layout->offsets[1]),
                     *(const double*)(point + layout->offsets[2]));
    }
    return wkVec((double)*(const float*)(point + layout->offsets[0]),
                 (double)*(const float*)(point + layout->offsets[1]),
                 (double)*(const float*)(point + layout->offsets[2]));
}
