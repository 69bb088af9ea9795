// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The kernel of point_scan.h.

#include "cuda/scan_walk.h"

#include <float.h>

#define THREADS WK_SCAN_THREADS
#define WARPS (THREADS / WK_WARP)

// Points of each thread that are culled together, and those of a tile.
#define POINTS_EACH 4
#define TILE (THREADS * POINTS_EACH)

// Pairs of a point and a hierarchy that wait for a walk. What does not fit waits for its turn.
#define QUEUE 2048

// How often a block checks whether all others have guessed: they have after one or two, where all of them run at once.
#define MOST_CHECKS 64

// Loops over points in registers: indices have to be constants.
#if defined(__CUDACC__)
#define UNROLL _Pragma("unroll")
#else
#define UNROLL
#endif

// A point relative to the origin.
struct scanPoint {
    float x, y, z;
    float slack; // its radius, and the rounding of its distances
    float mark;  // 0; NaN: the point is not finite, or there is none, and no comparison is true for it
};

// What every point is compared with, of a tree: kept by each block where it is read fastest.
struct treeBox {
    float4 rows[3];     // rotation, and what follows it
    float4 halfOrBound; // half of the sides, and the larger of the bounds of both hierarchies
};

// The spheres of the root of a hierarchy, relative to the middle of the box, and what is around them.
struct rootSpheres {
    float4 slots[WK_SPHERE_WIDTH]; // radius minus infinity: nothing is there
    wkDeviceBounds around;
    float bound; // of the distance
};

// What the threads of a block share.
struct scanBlock {
    treeBox boxes[WK_DEVICE_TREES];
    rootSpheres roots[WK_DEVICE_TARGETS];
    wkBlockBests bests;
    uint32_t guesses[WK_DEVICE_TREES][WARPS]; // the nearest point of each warp
    uint32_t stacks[WK_SCAN_GROUPS][WK_SCAN_STACK];
    uint16_t queue[QUEUE]; // hierarchy, and point within the tile
    unsigned queued;       // those that do not fit are counted, too
    bool isLast; // all other blocks have ended
};

// Finds the address of a point whose coordinates are aligned.
static __device__ __forceinline__ const char* pointAt(const wkDeviceScan* scan, int64_t index)
{
    return scan->layout.data + index * scan->layout.stride;
}

static __device__ __forceinline__ float floatOf(const wkDeviceScan* scan, const char* point,
                                                int axis)
{
    return *(const float*)(point + scan->layout.offsets[axis]);
}

// As wkScanPosition, with one load for each coordinate where these are aligned.
static __device__ __forceinline__ wkVec3d loadPosition(const wkDeviceScan* scan, int64_t index)
{
    const wkCloudLayout* layout = &scan->layout;
    if (!scan->isAligned) {
        return wkScanPosition(layout, index);
    }
    const char* point = pointAt(scan, index);
    if (layout->isDouble) {
        return wkVec(*(const double*)(point + layout->offsets[0]),
                     *(const double*)(point + layout->offsets[1]),
                     *(const double*)(point + layout->offsets[2]));
    }
    return wkVec((double)floatOf(scan, point, 0), (double)floatOf(scan, point, 1),
                 (double)floatOf(scan, point, 2));
}

// Returns the radius of a point as a float, and notes one that is not valid.
static __device__ float loadRadius(const wkDeviceScan* scan, int64_t index)
{
    float own = wkScanOwnRadius(&scan->layout, index);
    if (!wkIsScanRadius(own)) {
        atomicMin(&scan->state->badPoint, (unsigned long long)(scan->firstPoint + index));
        return 0.0f;
    }
    return wkRoundUp((double)own + scan->radius);
}

// Loads a point; `isFinite` becomes true where it is finite.
// @param isPlain coordinates are aligned floats, and there are no radii
template <bool isPlain>
static __device__ __forceinline__ scanPoint loadPoint(const wkDeviceScan* scan, int64_t index,
                                                      bool* isFinite)
{
    scanPoint p;
    float radius = 0.0f;
    if (isPlain) { // the origin has the digits of floats
        const char* point = pointAt(scan, index);
        p.x = floatOf(scan, point, 0) - scan->origin[0];
        p.y = floatOf(scan, point, 1) - scan->origin[1];
        p.z = floatOf(scan, point, 2) - scan->origin[2];
        radius = wkRoundUp(scan->radius);
    } else {
        wkVec3d at = loadPosition(scan, index);
        p.x = (float)(at.x - (double)scan->origin[0]);
        p.y = (float)(at.y - (double)scan->origin[1]);
        p.z = (float)(at.z - (double)scan->origin[2]);
        radius = loadRadius(scan, index);
        *isFinite = *isFinite || (isfinite(at.x) && isfinite(at.y) && isfinite(at.z));
    }
    p.mark = 0.0f * p.x + 0.0f * p.y + 0.0f * p.z;
    if (isPlain) {
        *isFinite = *isFinite || p.mark == 0.0f;
    }
    float largest = fmaxf(fmaxf(fabsf(p.x), fabsf(p.y)), fabsf(p.z));
    p.slack = radius + WK_SCAN_ROUNDING * (largest + scan->size);
    return p;
}

static __device__ __forceinline__ scanPoint noPoint(void)
{
    scanPoint none = {0.0f, 0.0f, 0.0f, 0.0f, NAN};
    return none;
}

static __device__ __forceinline__ float placeOnAxis(float4 row, const scanPoint* p)
{
    return fmaf(row.x, p->x, fmaf(row.y, p->y, fmaf(row.z, p->z, row.w)));
}

// The square of the distance of a point from the box of a tree; NaN for a point that is marked.
static __device__ __forceinline__ float squareToBox(const treeBox* box, const scanPoint* p)
{
    float x = fmaxf(fabsf(placeOnAxis(box->rows[0], p)) - box->halfOrBound.x, 0.0f);
    float y = fmaxf(fabsf(placeOnAxis(box->rows[1], p)) - box->halfOrBound.y, 0.0f);
    float z = fmaxf(fabsf(placeOnAxis(box->rows[2], p)) - box->halfOrBound.z, 0.0f);
    return fmaf(x, x, fmaf(y, y, fmaf(z, z, p->mark)));
}

static __device__ __forceinline__ bool isNearBox(const treeBox* box, const scanPoint* p)
{
    float reach = fmaxf(box->halfOrBound.w + p->slack, 0.0f);
    return squareToBox(box, p) <= reach * reach;
}

static __device__ __forceinline__ float onAxis(const wkSphereNode* node, int32_t axis, int slot)
{
    return axis == 0 ? node->x[slot] : axis == 1 ? node->y[slot] : node->z[slot];
}

static __device__ void openRoots(const wkDeviceScan* scan, scanBlock* block)
{
    int32_t count = scan->treeCount * WK_SPHERE_KIND_COUNT * WK_SPHERE_WIDTH;
    for (int32_t i = (int32_t)threadIdx.x; i < count; i += THREADS) {
        int32_t target = i / WK_SPHERE_WIDTH, slot = i % WK_SPHERE_WIDTH;
        const wkDeviceTree* tree = &scan->trees[target / WK_SPHERE_KIND_COUNT];
        const wkSphereNode* root = tree->kinds[target % WK_SPHERE_KIND_COUNT].nodes;
        float4 sphere = make_float4(0.0f, 0.0f, 0.0f, -INFINITY);
        if (root != NULL) {
            sphere = make_float4(onAxis(root, tree->axes[0], slot) - tree->middle[0],
                                 onAxis(root, tree->axes[1], slot) - tree->middle[1],
                                 onAxis(root, tree->axes[2], slot) - tree->middle[2],
                                 root->radius[slot]);
        }
        block->roots[target].slots[slot] = sphere;
        if (slot == 0) {
            block->roots[target].around = tree->kinds[target % WK_SPHERE_KIND_COUNT].bounds;
        }
    }
}

static __device__ void openBlock(const wkDeviceScan* scan, scanBlock* block)
{
    int32_t index = (int32_t)threadIdx.x;
    if (index < scan->treeCount) {
        const wkDeviceTree* tree = &scan->trees[index];
        treeBox* box = &block->boxes[index];
        for (int axis = 0; axis < 3; ++axis) {
            const float* row = tree->rows[axis];
            box->rows[axis] = make_float4(row[0], row[1], row[2], tree->shift[axis]);
        }
        const float* half = tree->bounds.half;
        box->halfOrBound = make_float4(half[0], half[1], half[2], 0.0f);
    }
    if (index < WK_DEVICE_TARGETS) {
        wkClearBest(&block->bests.best[index], scan->bound);
        block->bests.locks[index] = 0;
    }
    if (index == 0) {
        block->queued = 0;
    }
    openRoots(scan, block);
    __syncthreads();
}

// The nearest point of a warp to a box: the bits of its square, the last of which are its lane.
static __device__ __forceinline__ uint32_t nearestOfWarp(float square)
{
    uint32_t bits;
    memcpy(&bits, &square, sizeof bits);
    return __reduce_min_sync(0xffffffffu, (bits & ~(WK_WARP - 1u)) | threadIdx.x % WK_WARP);
}

#define INFINITE_BITS 0x7f800000u

// Returns the thread of the block whose point is nearest to a box; -1: none.
static __device__ int nearestOfBlock(const uint32_t guesses[WARPS])
{
    int nearest = 0;
    for (int warp = 1; warp < WARPS; ++warp) {
        nearest = guesses[warp] < guesses[nearest] ? warp : nearest;
    }
    return guesses[nearest] < INFINITE_BITS
               ? nearest * WK_WARP + (int)(guesses[nearest] % WK_WARP)
               : -1;
}

// Lowers bounds by descents with the points of a sample that are nearest to each tree: a point for each thread of the grid.
template <bool isPlain>
static __device__ void guessBounds(const wkDeviceScan* scan, scanBlock* block)
{
    int64_t step = scan->layout.count / ((int64_t)gridDim.x * THREADS) + 1;
    int64_t first = (int64_t)blockIdx.x * THREADS * step;
    int64_t index = first + threadIdx.x * step;
    bool isFinite = false;
    scanPoint p = index < scan->layout.count ? loadPoint<isPlain>(scan, index, &isFinite)
                                             : noPoint();
    for (int32_t i = 0; i < scan->treeCount; ++i) {
        uint32_t nearest = nearestOfWarp(squareToBox(&block->boxes[i], &p));
        if (threadIdx.x % WK_WARP == 0) {
            block->guesses[i][threadIdx.x / WK_WARP] = nearest;
        }
    }
    __syncthreads();
    int32_t target = (int32_t)(threadIdx.x / WK_SCAN_LANES);
    if (target < scan->treeCount * WK_SPHERE_KIND_COUNT) {
        const wkDeviceTree* tree = &scan->trees[target / WK_SPHERE_KIND_COUNT];
        const wkDeviceSpheres* set = &tree->kinds[target % WK_SPHERE_KIND_COUNT];
        int thread = nearestOfBlock(block->guesses[target / WK_SPHERE_KIND_COUNT]);
        if (thread >= 0 && set->nodes != NULL) {
            wkWalkPoint point =
                wkPlacePoint(scan, tree, loadPosition(scan, first + thread * step));
            float bound = wkDescend(set->nodes, &point) + point.rounding;
            if (threadIdx.x % WK_SCAN_LANES == 0 && bound == bound) {
                atomicMin(&scan->state->bounds[target], wkOrderFloat(bound));
            }
        }
    }
}

// Waits until all blocks have guessed, or for a moment where not all of them run.
static __device__ void waitForGuesses(const wkDeviceScan* scan)
{
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        atomicAdd(&scan->state->guessCount, 1u);
        const volatile uint32_t* count = &scan->state->guessCount;
        for (int i = 0; i < MOST_CHECKS && *count < gridDim.x; ++i) {
        }
    }
    __syncthreads();
}

// Reads the bounds that all blocks share. They only ever fall, so that those of a moment ago leave out nothing.
static __device__ void refreshBounds(const wkDeviceScan* scan, scanBlock* block)
{
    int32_t index = (int32_t)threadIdx.x;
    if (index < scan->treeCount) {
        float inner = wkSharedBound(scan, index * WK_SPHERE_KIND_COUNT);
        float outer = wkSharedBound(scan, index * WK_SPHERE_KIND_COUNT + 1);
        block->roots[index * WK_SPHERE_KIND_COUNT].bound = inner;
        block->roots[index * WK_SPHERE_KIND_COUNT + 1].bound = outer;
        block->boxes[index].halfOrBound.w = wkMaxFloat(inner, outer);
    }
    __syncthreads();
}

// Returns a bit for each tree that a point may be near to, eight for each point of the thread.
template <bool isPlain>
static __device__ __forceinline__ uint32_t cullTile(const wkDeviceScan* scan,
                                                    const scanBlock* block, int64_t first,
                                                    int64_t end, bool* isFinite)
{
    scanPoint points[POINTS_EACH];
    UNROLL
    for (int i = 0; i < POINTS_EACH; ++i) {
        int64_t index = first + i * THREADS + threadIdx.x;
        points[i] = index < end ? loadPoint<isPlain>(scan, index, isFinite) : noPoint();
    }
    uint32_t near = 0;
    for (int32_t tree = 0; tree < scan->treeCount; ++tree) {
        treeBox box = block->boxes[tree];
        UNROLL
        for (int i = 0; i < POINTS_EACH; ++i) {
            uint32_t bit = 1u << (i * WK_DEVICE_TREES + tree);
            near |= isNearBox(&box, &points[i]) ? bit : 0u;
        }
    }
    return near;
}

// Whether a point can be nearer to the spheres of a hierarchy than its bound.
static __device__ bool isNearRoot(const rootSpheres* root, float x, float y, float z, float slack)
{
    const wkDeviceBounds* around = &root->around;
    float reach = fmaxf(root->bound + slack, 0.0f);
    float outX = fmaxf(fabsf(x) - around->half[0], 0.0f);
    float outY = fmaxf(fabsf(y) - around->half[1], 0.0f);
    float outZ = fmaxf(fabsf(z) - around->half[2], 0.0f);
    float outside = fmaxf(sqrtf(fmaf(x, x, y * y)) - around->radius, 0.0f);
    float across = fmaxf(fmaf(outX, outX, outY * outY), outside * outside);
    if (fmaf(outZ, outZ, across) > reach * reach) {
        return false;
    }
    for (int slot = 0; slot < WK_SPHERE_WIDTH; ++slot) {
        float4 s = root->slots[slot];
        float dx = x - s.x, dy = y - s.y, dz = z - s.z, all = root->bound + slack + s.w;
        if (all >= 0.0f && fmaf(dx, dx, fmaf(dy, dy, dz * dz)) <= all * all) {
            return true;
        }
    }
    return false;
}

// Puts the hierarchies that points can be near to into the queue, as long as there is space.
// @param near bits of cullTile; those that are done are cleared
// @return whether anything was put there or is left
template <bool isMarking, bool isPlain>
static __device__ bool enqueue(const wkDeviceScan* scan, scanBlock* block, int64_t first,
                               uint32_t* near)
{
    bool isBusy = false;
    for (; *near != 0; *near &= *near - 1u) {
        unsigned bit = (unsigned)__ffs((int)*near) - 1u, tree = bit % WK_DEVICE_TREES;
        unsigned at = bit / WK_DEVICE_TREES * THREADS + threadIdx.x;
        const treeBox* box = &block->boxes[tree];
        bool isFinite = false;
        scanPoint p = loadPoint<isPlain>(scan, first + at, &isFinite);
        float x = placeOnAxis(box->rows[0], &p), y = placeOnAxis(box->rows[1], &p);
        float z = placeOnAxis(box->rows[2], &p);
        for (unsigned kind = 0; kind < (isMarking ? 1u : WK_SPHERE_KIND_COUNT); ++kind) {
            unsigned target = tree * WK_SPHERE_KIND_COUNT + kind;
            if (isNearRoot(&block->roots[target], x, y, z, p.slack)) {
                unsigned slot = atomicAdd(&block->queued, 1u);
                isBusy = true;
                if (slot >= QUEUE) {
                    return true; // what is there already is done twice, which changes nothing
                }
                block->queue[slot] = (uint16_t)(target * TILE + at);
            }
        }
    }
    return isBusy;
}

// Groups of lanes walk with what is in the queue.
template <bool isMarking>
static __device__ void walkQueue(const wkDeviceScan* scan, scanBlock* block, int64_t first)
{
    unsigned group = threadIdx.x / WK_SCAN_LANES;
    unsigned count = block->queued < QUEUE ? block->queued : QUEUE;
    for (unsigned i = group; i < count; i += WK_SCAN_GROUPS) {
        unsigned entry = block->queue[i];
        int32_t target = (int32_t)(entry / TILE);
        int64_t index = first + entry % TILE;
        const wkDeviceTree* tree = &scan->trees[target / WK_SPHERE_KIND_COUNT];
        wkWalkPoint p = wkPlacePoint(scan, tree, loadPosition(scan, index));
        double radius = scan->radius + (double)wkScanOwnRadius(&scan->layout, index);
        wkWalk<isMarking>(scan, &block->bests, block->stacks[group], target, &p, radius, index);
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        block->queued = 0;
    }
    __syncthreads();
}

// Tells the last block what this one has found. Returns whether this is the last one.
static __device__ bool closeBlock(const wkDeviceScan* scan, scanBlock* block, bool isFinite)
{
    wkScanState* state = scan->state;
    bool isAnyFinite = __syncthreads_or(isFinite) != 0;
    int32_t index = (int32_t)threadIdx.x;
    if (index < scan->treeCount * WK_SPHERE_KIND_COUNT) {
        wkScanFind find = {block->bests.best[index], index};
        // the best of all is not above the bound
        if (find.pair.point != WK_SCAN_NONE &&
            find.pair.distance <= (double)wkSharedBound(scan, index)) {
            scan->finds[atomicAdd(&state->findCount, 1u)] = find;
        }
    }
    if (index == 0 && isAnyFinite) {
        state->hasFinite = 1;
    }
    __threadfence();
    __syncthreads();
    if (index == 0) {
        block->isLast = atomicAdd(&state->endCount, 1u) == gridDim.x - 1;
    }
    __syncthreads();
    return block->isLast;
}

static __device__ void clearState(wkScanState* state, int32_t thread)
{
    if (thread < WK_DEVICE_TARGETS) {
        state->bounds[thread] = UINT32_MAX;
        wkClearBest(&state->best[thread], (double)INFINITY);
    }
    if (thread == 0) {
        state->guessCount = 0;
        state->endCount = 0;
        state->findCount = 0;
        state->hasFinite = 0;
        state->badPoint = WK_SCAN_NO_BAD_POINT;
    }
}

// Finds the best of all blocks, a warp for each hierarchy in turn.
static __device__ void reduceFinds(const wkDeviceScan* scan, scanBlock* block)
{
    wkScanState* state = scan->state;
    int32_t targetCount = scan->treeCount * WK_SPHERE_KIND_COUNT;
    uint32_t findCount = *(const volatile uint32_t*)&state->findCount;
    for (int32_t target = (int32_t)(threadIdx.x / WK_WARP); target < targetCount; target += WARPS) {
        wkScanBest best = state->best[target];
        for (uint32_t i = threadIdx.x % WK_WARP; i < findCount; i += WK_WARP) {
            const wkScanFind* find = &scan->finds[i];
            bool isBetter = find->target == target && wkIsBetterPair(&find->pair, &best);
            best = isBetter ? find->pair : best;
        }
        best = wkBestOfLanes(0xffffffffu, WK_WARP, best);
        if (threadIdx.x % WK_WARP == 0) {
            block->bests.best[target] = best;
        }
    }
    __syncthreads();
}

// Writes the answer of the scan to the host, and prepares the state for the next one.
static __device__ void answer(const wkDeviceScan* scan, const scanBlock* block)
{
    wkScanState* state = scan->state;
    int32_t index = (int32_t)threadIdx.x;
    if (index < scan->treeCount * WK_SPHERE_KIND_COUNT) {
        scan->answer->best[index] = block->bests.best[index];
    }
    if (index == 0) {
        scan->answer->badPoint = *(const volatile unsigned long long*)&state->badPoint;
        scan->answer->hasFinite = *(const volatile uint32_t*)&state->hasFinite;
    }
    __threadfence_system();
    __syncthreads();
    clearState(state, index);
    if (index == 0) {
        *(volatile uint32_t*)&scan->answer->serial = scan->serial;
    }
}

// Keeps what the launches up to this one have found.
static __device__ void keep(const wkDeviceScan* scan, const scanBlock* block)
{
    wkScanState* state = scan->state;
    int32_t index = (int32_t)threadIdx.x;
    if (index < scan->treeCount * WK_SPHERE_KIND_COUNT) {
        state->best[index] = block->bests.best[index];
    }
    if (index == 0) {
        state->guessCount = 0;
        state->endCount = 0;
        state->findCount = 0;
    }
}

// Points of a tile: where there are few points, all blocks have some of them.
static __device__ __forceinline__ int64_t tileSize(const wkDeviceScan* scan)
{
    int64_t rounds = (scan->layout.count - 1) / ((int64_t)gridDim.x * TILE) + 1;
    int64_t size = (scan->layout.count - 1) / (gridDim.x * rounds) + 1;
    return (size + WK_WARP - 1) / WK_WARP * WK_WARP;
}

template <bool isMarking, bool isPlain>
static __global__ void __launch_bounds__(THREADS, WK_SCAN_BLOCKS_EACH)
    scanPoints(const __grid_constant__ wkDeviceScan scan)
{
    __shared__ scanBlock block;
    openBlock(&scan, &block);
    if (!isMarking) {
        guessBounds<isPlain>(&scan, &block);
        waitForGuesses(&scan);
    }
    bool isFinite = false;
    int64_t count = scan.layout.count, size = tileSize(&scan);
    for (int64_t first = blockIdx.x * size; first < count; first += gridDim.x * size) {
        int64_t end = first + size < count ? first + size : count;
        refreshBounds(&scan, &block);
        uint32_t near = cullTile<isPlain>(&scan, &block, first, end, &isFinite);
        while (__syncthreads_or(enqueue<isMarking, isPlain>(&scan, &block, first, &near)) != 0) {
            walkQueue<isMarking>(&scan, &block, first);
        }
    }
    if (closeBlock(&scan, &block, isFinite)) {
        __threadfence();
        reduceFinds(&scan, &block);
        if (scan.isLast) {
            answer(&scan, &block);
        } else {
            keep(&scan, &block);
        }
    }
}

static __global__ void clearStates(wkScanState* states)
{
    clearState(&states[blockIdx.x], (int32_t)threadIdx.x);
}

template <bool isMarking>
static cudaError_t launchScan(const wkDeviceScan* scan, cudaStream_t stream)
{
    const wkCloudLayout* layout = &scan->layout;
    bool isPlain = scan->isAligned && !layout->isDouble && layout->radiusOffset < 0;
    return wkLaunch(isPlain ? scanPoints<isMarking, true> : scanPoints<isMarking, false>,
                    (unsigned)scan->blockCount, THREADS, stream, *scan);
}

cudaError_t wkLaunchScanClear(wkScanState* states, int32_t count, cudaStream_t stream)
{
    return wkLaunch(clearStates, (unsigned)count, WK_WARP, stream, states);
}

cudaError_t wkLaunchScan(const wkDeviceScan* scan, cudaStream_t stream)
{
    return launchScan<false>(scan, stream);
}

cudaError_t wkLaunchMark(const wkDeviceScan* scan, cudaStream_t stream)
{
    return launchScan<true>(scan, stream);
}
