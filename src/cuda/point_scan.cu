// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The kernels of point_scan.h.

#include "cuda/point_scan.h"

#include "cuda/launch.h"
#include "cuda/load_point.h"

// Threads of a block, and points of a tile.
#define THREADS 256

// Lanes that walk together, one for each slot of a node, and such groups of a block.
#define LANES WK_SPHERE_WIDTH
#define GROUPS (THREADS / LANES)

// Hierarchies that a tile is compared with at once: the queue holds all pairs.
#define TARGETS_AT_ONCE 8

// Nodes that wait: of each level on the way down, all slots but one.
#define STACK (WK_SPHERE_MAX_DEPTH * WK_SPHERE_WIDTH)

// Points of the first guess.
#define SAMPLES 4096

// A point relative to the origin of a hierarchy.
struct scanPoint {
    float x, y, z;
    float radius;
    float largest; // coordinate
};

static __device__ __forceinline__ float maxFloat(float a, float b)
{
    return a > b ? a : b;
}

// The position is NaN for a point that is not finite: no comparison is true for it.
static __device__ __forceinline__ scanPoint placePoint(const wkDeviceTarget* target, wkVec3d p,
                                                       float radius)
{
    float x = (float)(p.x - target->origin[0]), y = (float)(p.y - target->origin[1]);
    float z = (float)(p.z - target->origin[2]);
    float mark = 0.0f * (fabsf(x) + fabsf(y) + fabsf(z));
    float largest = maxFloat(maxFloat(fabsf(x), fabsf(y)), fabsf(z));
    scanPoint point = {x + mark, y, z, radius, largest};
    return point;
}

// The rounding of the distance of a point from anything in a hierarchy.
static __device__ __forceinline__ float roundingOf(scanPoint p, float size)
{
    return WK_SCAN_ROUNDING * (p.largest + size);
}

// Whether an offset is within a reach. Slots and hierarchies without spheres have a reach of minus infinity, and nothing
// is near to them, not even a point at their centre.
static __device__ __forceinline__ bool isWithin(float x, float y, float z, float reach)
{
    return reach >= 0.0f && x * x + y * y + z * z <= reach * reach;
}

static __device__ __forceinline__ float outside(float lower, float upper, float value)
{
    return maxFloat(0.0f, maxFloat(lower - value, value - upper));
}

// A rotation to the frame of a tree, after a translation.
static __device__ __forceinline__ scanPoint toTree(const float rows[3][3], const float start[3],
                                                   scanPoint p)
{
    float x = p.x - start[0], y = p.y - start[1], z = p.z - start[2];
    scanPoint local = p;
    local.x = rows[0][0] * x + rows[0][1] * y + rows[0][2] * z;
    local.y = rows[1][0] * x + rows[1][1] * y + rows[1][2] * z;
    local.z = rows[2][0] * x + rows[2][1] * y + rows[2][2] * z;
    return local;
}

// What every point is compared with, of a hierarchy: kept by each block where it is read fastest.
struct targetBounds {
    float center[3], radius, size; // as in wkDeviceTarget
    float rows[3][3], start[3];    // as in wkPlacedSpheres
    float lower[3], upper[3];      // of the set of spheres
    float bound;                   // of the distance, as it was when the tile began
    int32_t origin;                // first hierarchy with the same origin
};

static __device__ void loadBounds(const wkDeviceScan* scan, int32_t index, targetBounds* bounds)
{
    const wkDeviceTarget* target = &scan->targets[index];
    bool isThere = target->radius >= 0.0f;
    bounds->radius = target->radius;
    bounds->size = target->size;
    for (int axis = 0; axis < 3; ++axis) {
        bounds->center[axis] = target->center[axis];
        bounds->start[axis] = target->at.start[axis];
        bounds->lower[axis] = isThere ? target->at.set->lower[axis] : INFINITY;
        bounds->upper[axis] = isThere ? target->at.set->upper[axis] : -INFINITY;
        for (int i = 0; i < 3; ++i) {
            bounds->rows[axis][i] = target->at.rows[axis][i];
        }
    }
    bounds->origin = index;
    for (int32_t i = index - 1; i >= 0; --i) {
        const double* other = scan->targets[i].origin;
        bool isSame = other[0] == target->origin[0] && other[1] == target->origin[1] &&
                      other[2] == target->origin[2];
        bounds->origin = isSame ? i : bounds->origin;
    }
}

// Whether a point can be nearer to the spheres of a hierarchy than its bound.
static __device__ bool isNearTarget(const targetBounds* target, scanPoint p)
{
    float reach = p.radius + target->bound + roundingOf(p, target->size);
    if (!isWithin(p.x - target->center[0], p.y - target->center[1], p.z - target->center[2],
                  reach + target->radius)) {
        return false;
    }
    scanPoint local = toTree(target->rows, target->start, p);
    return isWithin(outside(target->lower[0], target->upper[0], local.x),
                    outside(target->lower[1], target->upper[1], local.y),
                    outside(target->lower[2], target->upper[2], local.z), maxFloat(reach, 0.0f));
}

static __device__ float boundOf(const uint32_t* bounds, int32_t target)
{
    return wkFloatOfOrder(*(const volatile uint32_t*)&bounds[target]);
}

static __device__ void clearBest(wkScanBest* best, double bound)
{
    best->distance = bound;
    best->point = WK_SCAN_NONE;
    best->sphere = 0;
}

static __global__ void clearScan(wkDeviceScan scan)
{
    int32_t count = scan.blockCount * scan.targetCount;
    int32_t first = (int32_t)(blockIdx.x * blockDim.x + threadIdx.x);
    for (int32_t i = first; i < count; i += (int32_t)(gridDim.x * blockDim.x)) {
        clearBest(&scan.bests[i], scan.bound);
    }
    if (first < scan.targetCount) {
        scan.bounds[first] = wkOrderFloat(wkRoundUp(scan.bound));
    }
    if (first == 0) {
        *scan.badPoint = (uint64_t)WK_SCAN_NONE;
        *scan.hasFinite = 0;
    }
}

// The lanes of a group of eight, as bits of a warp.
static __device__ __forceinline__ unsigned groupMask(void)
{
    return 0xffu << (threadIdx.x % WK_WARP / LANES * LANES);
}

// Returns the slot of the node whose sphere is nearest to a point, of those that are not empty; each lane has one.
static __device__ int nearestSlot(float distance, float* least)
{
    *least = distance;
    for (int lane = LANES / 2; lane > 0; lane /= 2) {
        float other = __shfl_xor_sync(groupMask(), *least, lane);
        *least = other < *least ? other : *least;
    }
    unsigned bits = __ballot_sync(groupMask(), distance == *least);
    return __ffs((int)(bits & groupMask())) - 1 - (int)(threadIdx.x % WK_WARP / LANES * LANES);
}

// Follows the nearest slots of a hierarchy from its root down to a sphere. Returns its distance, which may be NaN.
static __device__ float descend(const wkDeviceTarget* target, scanPoint local)
{
    int slot = (int)(threadIdx.x % LANES);
    uint32_t link = 0;
    float least = 0.0f;
    while (!wkIsSphereSlot(link)) {
        const wkSphereNode* node = &target->at.nodes[link];
        float x = local.x - node->x[slot], y = local.y - node->y[slot];
        float z = local.z - node->z[slot];
        bool isEmpty = node->link[slot] == WK_SPHERE_EMPTY;
        float distance = isEmpty ? INFINITY : sqrtf(x * x + y * y + z * z) - node->radius[slot];
        int best = nearestSlot(distance, &least);
        if (best < 0) {
            return NAN;
        }
        link = node->link[best];
    }
    return least;
}

// A group of lanes for each point of the sample and hierarchy.
static __global__ void guessBounds(wkDeviceScan scan)
{
    int64_t step = scan.layout.count / SAMPLES + 1;
    int64_t sampleCount = (scan.layout.count + step - 1) / step;
    int64_t group = (int64_t)blockIdx.x * GROUPS + threadIdx.x / LANES;
    int64_t groupCount = (int64_t)gridDim.x * GROUPS;
    for (int64_t i = group; i < sampleCount * scan.targetCount; i += groupCount) {
        const wkDeviceTarget* target = &scan.targets[i / sampleCount];
        if (!(target->radius >= 0.0f)) {
            continue;
        }
        scanPoint p = placePoint(target, wkLoadPosition(&scan.layout, scan.isAligned, i % sampleCount * step), 0.0f);
        float distance = descend(target, toTree(target->at.rows, target->at.start, p));
        float bound = distance + roundingOf(p, target->size);
        if (threadIdx.x % LANES == 0 && bound == bound) {
            atomicMin(&scan.bounds[i / sampleCount], wkOrderFloat(bound));
        }
    }
}

// What the threads of a block share.
struct scanBlock {
    targetBounds targets[WK_DEVICE_TARGETS];
    wkScanBest best[WK_DEVICE_TARGETS]; // nearest pairs so far
    unsigned locks[WK_DEVICE_TARGETS];  // of these
    uint32_t stacks[GROUPS][STACK];
    uint16_t queue[THREADS * TARGETS_AT_ONCE]; // hierarchy and thread of the point
    unsigned queued;
};

// Takes a pair if it is better than the best of the block.
static __device__ void takePair(const wkDeviceScan* scan, scanBlock* block, int32_t target,
                                wkScanBest found)
{
    for (bool isDone = false; !isDone;) {
        if (atomicCAS(&block->locks[target], 0u, 1u) == 0u) {
            __threadfence_block();
            if (wkIsBetterPair(&found, &block->best[target])) {
                block->best[target] = found;
            }
            __threadfence_block();
            atomicExch(&block->locks[target], 0u);
            isDone = true;
        }
    }
    atomicMin(&scan->bounds[target], wkOrderFloat(wkRoundUp(found.distance)));
}

// The better of the pairs of all lanes in a mask that exchange with `width` neighbours.
static __device__ wkScanBest bestOfLanes(unsigned mask, int width, wkScanBest best)
{
    for (int lane = width / 2; lane > 0; lane /= 2) {
        wkScanBest other;
        other.distance = __shfl_xor_sync(mask, best.distance, lane);
        other.point = __shfl_xor_sync(mask, (long long)best.point, lane);
        other.sphere = __shfl_xor_sync(mask, best.sphere, lane);
        best = wkIsBetterPair(&other, &best) ? other : best;
    }
    return best;
}

// A group of lanes walks through a hierarchy with one point, to find the nearest sphere or to mark those that it touches.
template <bool isMarking>
static __device__ void walk(const wkDeviceScan* scan, scanBlock* block, int32_t index, int64_t at)
{
    const wkDeviceTarget* target = &scan->targets[index];
    wkVec3d position = wkLoadPosition(&scan->layout, scan->isAligned, at);
    double radius = scan->radius + (double)wkScanOwnRadius(&scan->layout, at);
    scanPoint p =
        toTree(target->at.rows, target->at.start, placePoint(target, position, wkRoundUp(radius)));
    wkVec3d local = wkFrameLocal(&target->at.frame, position);
    float bound = boundOf(scan->bounds, index), margin = p.radius + roundingOf(p, target->size);
    wkScanBest best;
    clearBest(&best, scan->bound);

    unsigned mask = groupMask();
    int slot = (int)(threadIdx.x % LANES), shift = (int)(threadIdx.x % WK_WARP / LANES * LANES);
    uint32_t* stack = block->stacks[threadIdx.x / LANES];
    int count = 1;
    uint32_t next = 0;
    while (count > 0) {
        const wkSphereNode* node = &target->at.nodes[next];
        uint32_t link = node->link[slot];
        bool isNear = isWithin(p.x - node->x[slot], p.y - node->y[slot], p.z - node->z[slot],
                               margin + bound + node->radius[slot]);
        if (isNear && wkIsSphereSlot(link)) {
            wkScanBest found;
            found.sphere = (int32_t)(link & ~WK_SPHERE_LEAF);
            found.point = scan->firstPoint + at;
            found.distance = wkDistanceToSphere(&target->at.spheres[found.sphere], local) - radius;
            if (isMarking) {
                if (found.distance <= scan->bound) {
                    target->touched[found.sphere] = 1;
                }
            } else {
                best = wkIsBetterPair(&found, &best) ? found : best;
                float limit = wkRoundUp(best.distance);
                bound = limit < bound ? limit : bound;
            }
        }
        // nodes that are near go onto the stack, in the order of their slots
        unsigned bits = __ballot_sync(mask, isNear && !wkIsSphereSlot(link)) >> shift & 0xffu;
        --count;
        if ((bits >> slot & 1u) != 0) {
            stack[count + __popc(bits & ((1u << slot) - 1u))] = link;
        }
        count += __popc(bits);
        __syncwarp(mask);
        next = count > 0 ? stack[count - 1] : 0;
        __syncwarp(mask);
    }
    if (!isMarking) {
        best = bestOfLanes(mask, LANES, best);
        if (slot == 0 && best.point != WK_SCAN_NONE) {
            takePair(scan, block, index, best);
        }
    }
}

// Puts the hierarchies that a point can be near to into the queue.
// @param p relative to the origin of hierarchy `origin`
static __device__ void cull(const wkDeviceScan* scan, scanBlock* block, int32_t first,
                            wkVec3d position, scanPoint* p, int32_t* origin)
{
    for (int32_t i = 0; i < TARGETS_AT_ONCE && first + i < scan->targetCount; ++i) {
        const targetBounds* target = &block->targets[first + i];
        if (target->origin != *origin) {
            *origin = target->origin;
            *p = placePoint(&scan->targets[*origin], position, p->radius);
        }
        if (isNearTarget(target, *p)) {
            block->queue[atomicAdd(&block->queued, 1u)] =
                (uint16_t)((unsigned)i * THREADS + threadIdx.x);
        }
    }
}

// Returns the radius of a point as a float, and notes one that is not valid.
static __device__ float loadRadius(const wkDeviceScan* scan, int64_t at)
{
    float own = wkScanOwnRadius(&scan->layout, at);
    if (!wkIsScanRadius(own)) {
        atomicMin(scan->badPoint, (unsigned long long)(scan->firstPoint + at));
        return 0.0f;
    }
    return wkRoundUp((double)own + scan->radius);
}

// Reads the bounds that all blocks share. They only ever fall, so that those of a moment ago leave out nothing.
static __device__ void refreshBounds(const wkDeviceScan* scan, scanBlock* block)
{
    for (int32_t i = (int32_t)threadIdx.x; i < scan->targetCount; i += THREADS) {
        block->targets[i].bound = boundOf(scan->bounds, i);
    }
    if (threadIdx.x == 0) {
        block->queued = 0;
    }
}

template <bool isMarking>
static __global__ void __launch_bounds__(THREADS, WK_SCAN_BLOCKS_EACH) scanPoints(wkDeviceScan scan)
{
    __shared__ scanBlock block;
    wkScanBest* bests = &scan.bests[(size_t)blockIdx.x * scan.targetCount];
    for (int32_t i = (int32_t)threadIdx.x; i < scan.targetCount; i += THREADS) {
        loadBounds(&scan, i, &block.targets[i]);
        block.best[i] = bests[i];
        block.locks[i] = 0;
    }
    bool hasFinite = false;
    for (int64_t tile = (int64_t)blockIdx.x * THREADS; tile < scan.layout.count;
         tile += (int64_t)gridDim.x * THREADS) {
        int64_t at = tile + threadIdx.x;
        bool isPoint = at < scan.layout.count;
        wkVec3d position = wkVec(0.0, 0.0, 0.0);
        scanPoint p = {0.0f, 0.0f, 0.0f, 0.0f, 0.0f};
        int32_t origin = -1;
        if (isPoint) {
            position = wkLoadPosition(&scan.layout, scan.isAligned, at);
            p.radius = loadRadius(&scan, at);
            hasFinite =
                hasFinite || (isfinite(position.x) && isfinite(position.y) && isfinite(position.z));
        }
        for (int32_t first = 0; first < scan.targetCount; first += TARGETS_AT_ONCE) {
            refreshBounds(&scan, &block);
            __syncthreads();
            if (isPoint) {
                cull(&scan, &block, first, position, &p, &origin);
            }
            __syncthreads();
            for (unsigned i = threadIdx.x / LANES; i < block.queued; i += GROUPS) {
                unsigned entry = block.queue[i];
                walk<isMarking>(&scan, &block, first + (int32_t)(entry / THREADS),
                                tile + entry % THREADS);
            }
            __syncthreads();
        }
    }
    if (hasFinite) {
        *scan.hasFinite = 1;
    }
    for (int32_t i = (int32_t)threadIdx.x; i < scan.targetCount; i += THREADS) {
        bests[i] = block.best[i];
    }
}

// A warp for each hierarchy.
static __global__ void reduceBests(wkDeviceScan scan)
{
    wkScanBest best;
    clearBest(&best, scan.bound);
    for (int32_t i = (int32_t)threadIdx.x; i < scan.blockCount; i += WK_WARP) {
        const wkScanBest* other = &scan.bests[(size_t)i * scan.targetCount + blockIdx.x];
        best = wkIsBetterPair(other, &best) ? *other : best;
    }
    best = bestOfLanes(0xffffffffu, WK_WARP, best);
    if (threadIdx.x == 0) {
        scan.best[blockIdx.x] = best;
    }
}

cudaError_t wkLaunchScanClear(const wkDeviceScan* scan, cudaStream_t stream)
{
    return wkLaunch(clearScan, (unsigned)scan->blockCount, THREADS, stream, *scan);
}

cudaError_t wkLaunchScanGuess(const wkDeviceScan* scan, cudaStream_t stream)
{
    return wkLaunch(guessBounds, (unsigned)scan->blockCount, THREADS, stream, *scan);
}

cudaError_t wkLaunchScan(const wkDeviceScan* scan, cudaStream_t stream)
{
    return wkLaunch(scanPoints<false>, (unsigned)scan->blockCount, THREADS, stream, *scan);
}

cudaError_t wkLaunchMark(const wkDeviceScan* scan, cudaStream_t stream)
{
    return wkLaunch(scanPoints<true>, (unsigned)scan->blockCount, THREADS, stream, *scan);
}

cudaError_t wkLaunchScanReduce(const wkDeviceScan* scan, cudaStream_t stream)
{
    return wkLaunch(reduceBests, (unsigned)scan->targetCount, WK_WARP, stream, *scan);
}
