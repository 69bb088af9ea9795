// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The kernel of live_field.h that checks spheres, a thread for each, and all threads of a warp for those that look-ups leave open.

#include "cuda/launch.h"
#include "cuda/live_object_warp.h"

#include "whisker/robot_scene.h"

#define THREADS 256

template <bool hasObjects>
static __global__ void __launch_bounds__(THREADS) checkSpheres(const __grid_constant__ wkLiveSpheres s)
{
    int64_t at = (int64_t)blockIdx.x * THREADS + threadIdx.x;
    bool isThere = at < s.count;
    float4 sphere = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    if (isThere) {
        sphere = ((const float4*)s.spheres)[at];
    }
    float x = (float)((double)sphere.x - s.origin[0]), y = (float)((double)sphere.y - s.origin[1]);
    float z = (float)((double)sphere.z - s.origin[2]);
    // a radius below zero stays so
    float radius = sphere.w >= 0.0f ? (sphere.w + s.rounding) * (1.0f + 0x1p-22f) : sphere.w;
    wkLiveFinding finding =
        isThere ? wkLiveField_Classify(&s.field, x, y, z, radius) : wk_liveFree;
    unsigned open = __ballot_sync(0xffffffffu, finding == wk_liveOpen);
    unsigned touching = wkTouchesLiveOfWarp<hasObjects>(&s.field, &s.objects, open, x, y, z, radius);
    if (isThere) {
        bool isTouching =
            finding == wk_liveTouching || (touching >> (threadIdx.x % WK_WARP) & 1u) != 0;
        s.verdicts[at] = (uint8_t)(isTouching ? wk_verdictWorld : wk_verdictFree);
    }
}

cudaError_t wkLaunchLiveCheck(const wkLiveSpheres* spheres, cudaStream_t stream)
{
    unsigned blocks = (unsigned)((spheres->count + THREADS - 1) / THREADS);
    auto* kernel = wkHasLiveObjects(&spheres->objects) ? checkSpheres<true> : checkSpheres<false>;
    return wkLaunch(kernel, blocks, THREADS, stream, *spheres);
}
