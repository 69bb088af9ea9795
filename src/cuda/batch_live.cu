// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The third kernel of device_batch.h: spheres that look-ups in live fields leave open are compared with points, each by all
// lanes of a warp. A few per cent of the spheres of a configuration may be open, or none, so that a queue of all of
// them keeps every multiprocessor busy, also where there are few configurations.

#include "cuda/live_object_warp.h"
#include "cuda/state_warp.h"

#include "whisker/robot_scene.h"

#define THREADS (WK_STATE_WARPS * WK_WARP)

// Whether live points matter for a configuration: contacts that are found before them count first.
static __device__ __forceinline__ bool isUnsettled(uint8_t verdict)
{
    return verdict == wk_verdictFree || verdict == wk_verdictUnknown ||
           verdict == wk_verdictUnchecked;
}

// The sphere of a lane, and of what is left of its configuration.
static __device__ __forceinline__ wkOpenSphere loadSphere(const wkDeviceStates& states,
                                                          uint32_t index, bool isThere)
{
    wkOpenSphere none = {0.0f, 0.0f, 0.0f, 0.0f, 0, WK_MOST_LIVE};
    if (!isThere) {
        return none;
    }
    wkOpenSphere sphere = states.spheres[index];
    sphere.live = isUnsettled(states.verdicts[sphere.state]) ? sphere.live : WK_MOST_LIVE;
    return sphere;
}

template <bool hasObjects>
static __global__ void __launch_bounds__(THREADS)
    compareSpheres(const __grid_constant__ wkDeviceStates states)
{
    uint32_t queued = states.queueCounts[wk_queueSpheres], lane = (uint32_t)laneOf();
    uint32_t count = queued < states.sphereCapacity ? queued : states.sphereCapacity;
    uint32_t warps = gridDim.x * WK_STATE_WARPS;
    uint32_t warp = blockIdx.x * WK_STATE_WARPS + threadIdx.x / WK_WARP;
    // so many at once that all warps have some, and that their loads are side by side
    uint32_t each = count / warps + 1;
    each = each < WK_WARP ? each : WK_WARP;
    for (uint64_t first = (uint64_t)warp * each; first < count; first += (uint64_t)warps * each) {
        bool isThere = lane < each && first + lane < count;
        wkOpenSphere sphere = loadSphere(states, (uint32_t)first + lane, isThere);
        for (uint32_t i = 0; i < (uint32_t)states.liveCount; ++i) {
            unsigned open = __ballot_sync(ALL_LANES, sphere.live == i);
            unsigned touching = wkTouchesLiveOfWarp<hasObjects>(
                &states.lives[i].field, &states.objects[i], open, sphere.x, sphere.y, sphere.z, sphere.radius);
            if ((touching >> lane & 1u) != 0) {
                states.verdicts[sphere.state] = (uint8_t)wk_verdictWorld;
            }
        }
    }
}

typedef void liveKernel(wkDeviceStates states);

static liveKernel* chooseKernel(wkLiveKind kind)
{
    return kind == wk_liveWithObjects ? compareSpheres<true> : compareSpheres<false>;
}

cudaError_t wkCountLiveBlocks(wkLiveKind kind, int* count)
{
    return cudaOccupancyMaxActiveBlocksPerMultiprocessor(count, (const void*)chooseKernel(kind),
                                                         THREADS, 0);
}

cudaError_t wkLaunchOpenSpheres(const wkDeviceStates* states, cudaStream_t stream)
{
    wkLiveKind kind = wkKindOfLives(states->objects, states->liveCount);
    return wkLaunch(chooseKernel(kind), (unsigned)states->liveBlockCount, THREADS, stream, *states);
}
