// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The kernels of device_depth_map.h that check sets of spheres.

#include "cuda/device_depth_map.h"
#include "cuda/launch.h"

// Look-ups: threads of a block, and sets that a warp takes at once, whose verdicts are written together.
#define PROVE_THREADS 256
#define TILE_SETS 32

// Searches: threads of a block, and its warps.
#define SEARCH_THREADS 128
#define SEARCH_WARPS (SEARCH_THREADS / WK_WARP)

// Blocks of pixels that are replaced by their parts at once, and those that wait: 25 of the first level at most, and
// fewer than 32 parts for each level on the way down.
#define PARENTS_AT_ONCE (WK_WARP / 4)
#define STACK (25 + WK_WARP * WK_MAX_DEPTH_LEVELS)

#define ALL_LANES 0xffffffffu

static __device__ __forceinline__ int laneOf(void)
{
    return (int)(threadIdx.x % WK_WARP);
}

// Loads a sphere at once.
static __device__ __forceinline__ wkViewSphere loadSphere(const wkDeviceSets* sets, int64_t at)
{
    float4 s = ((const float4*)sets->spheres)[at];
    wkViewSphere sphere = {s.x, s.y, s.z, s.w};
    return sphere;
}

// Loads the sphere of the lane among those of a tile; lanes behind the last one repeat it.
static __device__ __forceinline__ wkViewSphere loadOfTile(const wkDeviceSets* sets,
                                                          int64_t firstSphere, unsigned at,
                                                          unsigned end)
{
    unsigned index = at + (unsigned)laneOf();
    return loadSphere(sets, firstSphere + (index < end ? index : end - 1));
}

// Returns a bit for each set of a tile with a sphere that look-ups do not prove free. Lanes take the spheres of the tile in
// their order, and leave out the rest of a set once its bit is set. The next spheres are on their way meanwhile.
static __device__ unsigned openSets(const wkDeviceSets* sets, int64_t firstSphere, int tileSets)
{
    unsigned open = 0, size = (unsigned)sets->sphereCount, end = (unsigned)tileSets * size;
    unsigned at = 0, setOfAt = 0, loadedAt = 0;
    wkViewSphere loaded = loadOfTile(sets, firstSphere, 0, end);
    while (at < end) {
        unsigned index = at + (unsigned)laneOf();
        unsigned isBehind = index >= (setOfAt + 1) * size ? 1u : 0u; // divisions take long
        unsigned set = size >= WK_WARP ? setOfAt + isBehind : index / size;
        wkViewSphere sphere =
            at == loadedAt ? loaded : loadOfTile(sets, firstSphere, at, end); // after a set
        loadedAt = at + WK_WARP;
        loaded = loadOfTile(sets, firstSphere, loadedAt, end);
        bool isAsked = index < end && (open >> set & 1u) == 0;
        bool isOpen = isAsked && !wkIsProvenFree(&sets->map.view,
                                                 wkToCamera(&sets->camera, sphere));
        open |= __reduce_or_sync(ALL_LANES, isOpen ? 1u << set : 0u);
        at += WK_WARP;
        for (; setOfAt < (unsigned)tileSets; ++setOfAt) {
            unsigned next = (setOfAt + 1) * size;
            if (at < next && (open >> setOfAt & 1u) == 0) {
                break;
            }
            at = at < next ? next : at;
        }
    }
    return open;
}

static __global__ void __launch_bounds__(PROVE_THREADS) proveSets(wkDeviceSets sets)
{
    int64_t warp = ((int64_t)blockIdx.x * PROVE_THREADS + threadIdx.x) / WK_WARP;
    int64_t first = warp * TILE_SETS;
    if (first >= sets.setCount) {
        return;
    }
    int64_t left = sets.setCount - first;
    int count = left < TILE_SETS ? (int)left : TILE_SETS, lane = laneOf();
    unsigned open = openSets(&sets, first * sets.sphereCount, count);
    unsigned start = 0;
    if (open != 0 && lane == 0) {
        start = atomicAdd(sets.queueCount, (unsigned)__popc(open));
    }
    start = __shfl_sync(ALL_LANES, start, 0);
    if (lane < count) {
        bool isOpen = (open >> lane & 1u) != 0;
        sets.verdicts[first + lane] = (uint8_t)(isOpen ? wk_depthUnchecked : wk_depthFree);
        if (isOpen) {
            sets.queue[start + (unsigned)__popc(open & ((1u << lane) - 1u))] =
                (uint32_t)(first + lane);
        }
    }
}

// A search for pixels that do not prove a sphere free. The same in all lanes of a warp.
struct pixelSearch {
    const wkDepthMap* map;
    wkCameraSphere sphere;
    wkPixelRange range;
    unsigned found; // findings so far, of the set
};

// A block of a level, or a pixel, whose level is -1.
struct pixelBlock {
    int32_t level, u, v;
};

// A level has at most 2^13 blocks to a side.
static __device__ __forceinline__ uint32_t packBlock(pixelBlock block)
{
    return (uint32_t)block.level << 28 | (uint32_t)block.v << 14 | (uint32_t)block.u;
}

static __device__ __forceinline__ pixelBlock unpackBlock(uint32_t packed)
{
    pixelBlock block = {(int32_t)(packed >> 28), (int32_t)(packed & 0x3fffu),
                        (int32_t)(packed >> 14 & 0x3fffu)};
    return block;
}

// Whether pixels of a block are in the range.
static __device__ __forceinline__ bool isInRange(const pixelSearch* search, pixelBlock block)
{
    int32_t shift = block.level + 1;
    const wkPixelRange* range = &search->range;
    return block.u >= range->left >> shift && block.u <= range->right >> shift &&
           block.v >= range->top >> shift && block.v <= range->bottom >> shift;
}

// Whether pixels of a block may change the findings.
static __device__ bool mayChange(const pixelSearch* search, pixelBlock block)
{
    // once a pixel is known not to prove the sphere free, the search continues with surfaces alone
    wkDepthKind kind = search->found != 0 ? wk_depthOfSurfaces : wk_depthOfFree;
    const wkDepthMap* map = search->map;
    const wkCameraSphere* sphere = &search->sphere;
    const wkDepthLevel* level = &map->levels[block.level];
    double least =
        (double)wkShortDepth(level->values[kind][(int64_t)block.v * level->pitch + block.u]);
    if (sphere->deepest < least) {
        return false;
    }
    wkRayWay way;
    double outside = wkOutsideOfBlocks(map, sphere, block.level);
    return wkWayThroughBlock(map, sphere, outside, block.level, block.u, block.v, &way) &&
           way.to >= least &&
           (kind == wk_depthOfFree ||
            wkIsNewsInBlock(map, search->found, block.level, block.u, block.v, way));
}

// Checks a block for each lane, puts those that may change the findings onto the stack, and adds the findings of pixels.
// @return the new height of the stack
static __device__ int checkBlocks(pixelSearch* search, bool isBlock, pixelBlock block,
                                  uint32_t* stack, int height)
{
    bool isAsked = isBlock && isInRange(search, block), isKept = false;
    unsigned found = 0;
    if (isAsked && block.level < 0) {
        found = wkFindAtPixel(search->map, &search->sphere, block.u, block.v);
    } else if (isAsked) {
        isKept = mayChange(search, block);
    }
    search->found |= __reduce_or_sync(ALL_LANES, found);
    unsigned kept = __ballot_sync(ALL_LANES, isKept);
    if (isKept) {
        stack[height + __popc(kept & ((1u << laneOf()) - 1u))] = packBlock(block);
    }
    __syncwarp();
    return height + __popc(kept);
}

// Searches all pixels that the sphere can reach, until it is known to hit.
static __device__ void searchPixels(pixelSearch* search, uint32_t* stack)
{
    search->range = wkDepthMap_Range(search->map, &search->sphere);
    const wkPixelRange* range = &search->range;
    if (range->left > range->right || range->top > range->bottom) {
        return;
    }
    // the center pixel first, which decides most spheres that are not free
    search->found |=
        wkFindAtPixel(search->map, &search->sphere, (range->left + range->right + 1) / 2,
                      (range->top + range->bottom + 1) / 2);
    if ((search->found & wk_findHit) != 0) {
        return;
    }
    // no more than five blocks to each side
    int32_t level = wkFirstLevel(search->map, range), lane = laneOf();
    int32_t across = (range->right >> (level + 1)) - (range->left >> (level + 1)) + 1;
    pixelBlock block = {level, (range->left >> (level + 1)) + lane % across,
                        (range->top >> (level + 1)) + lane / across};
    int height = checkBlocks(search, true, block, stack, 0);
    while (height > 0 && (search->found & wk_findHit) == 0) {
        // parts of the last blocks on the stack, four for each
        int parents = height < PARENTS_AT_ONCE ? height : PARENTS_AT_ONCE;
        bool isPart = lane / 4 < parents;
        if (isPart) {
            pixelBlock parent = unpackBlock(stack[height - 1 - lane / 4]);
            block.level = parent.level - 1;
            block.u = 2 * parent.u + lane % 2;
            block.v = 2 * parent.v + lane / 2 % 2;
        }
        __syncwarp();
        height = checkBlocks(search, isPart, block, stack, height - parents);
    }
    __syncwarp();
}

// What look-ups tell about a sphere.
enum proof {
    provenFree,
    provenUnobserved,
    provenNothing,
};

static __device__ proof prove(const wkDeviceSets* sets, wkViewSphere world)
{
    wkSphere3d exact = {{(double)world.x, (double)world.y, (double)world.z}, (double)world.radius};
    const wkDepthView* view = &sets->map.view;
    wkViewSphere inCamera = wkToCamera(&sets->camera, world);
    if (!wkIsSeeableSphere(&exact)) {
        return provenUnobserved;
    }
    return wkIsProvenFree(view, inCamera)      ? provenFree
           : wkIsProvenOutside(view, inCamera) ? provenUnobserved
                                               : provenNothing;
}

static __device__ __forceinline__ wkViewSphere sphereOfLane(wkViewSphere sphere, int lane)
{
    sphere.x = __shfl_sync(ALL_LANES, sphere.x, lane);
    sphere.y = __shfl_sync(ALL_LANES, sphere.y, lane);
    sphere.z = __shfl_sync(ALL_LANES, sphere.z, lane);
    sphere.radius = __shfl_sync(ALL_LANES, sphere.radius, lane);
    return sphere;
}

// Adds the findings about a sphere, which is the same in all lanes.
static __device__ void searchSphere(pixelSearch* search, wkViewSphere world, uint32_t* stack)
{
    wkSphere3d exact = {{(double)world.x, (double)world.y, (double)world.z}, (double)world.radius};
    wkDepthMap_Place(search->map, &exact, &search->sphere);
    search->found |= wkFirstFindings(&search->sphere);
    searchPixels(search, stack);
}

// Whether the findings end the search in a set.
static __device__ __forceinline__ bool isEnough(const wkDeviceSets* sets, unsigned found)
{
    return wkVerdictOf(found) >= sets->stopAt;
}

// Adds the findings about up to 32 spheres, in their order: one in each lane.
static __device__ void searchSpheres(const wkDeviceSets* sets, pixelSearch* search, bool isSphere,
                                     wkViewSphere sphere, float nearestSurface, uint32_t* stack)
{
    proof known = isSphere ? prove(sets, sphere) : provenFree;
    unsigned unobserved = __ballot_sync(ALL_LANES, known == provenUnobserved);
    unsigned open = __ballot_sync(ALL_LANES, known == provenNothing);
    bool isEnd = unobserved != 0 && sets->stopAt <= wk_depthUnobserved;
    if (isEnd) {
        open &= (1u << (__ffs((int)unobserved) - 1)) - 1u; // those before the sphere that ends it
    } else if (unobserved != 0) {
        search->found |= wk_findUnobserved; // order does not matter below the verdict that ends it
    }
    if (search->found != 0) {
        bool isClear =
            (open >> laneOf() & 1u) != 0 &&
            wkIsProvenClear(&sets->map.view, nearestSurface, wkToCamera(&sets->camera, sphere));
        open &= ~__ballot_sync(ALL_LANES, isClear);
    }
    while (open != 0 && !isEnough(sets, search->found)) {
        searchSphere(search, sphereOfLane(sphere, __ffs((int)open) - 1), stack);
        open &= open - 1u;
    }
    if (isEnd) {
        search->found |= search->found == 0 ? (unsigned)wk_findUnobserved : 0u;
    }
}

static __device__ wkDepthVerdict searchSet(const wkDeviceSets* sets, int64_t set,
                                           float nearestSurface, uint32_t* stack)
{
    pixelSearch search;
    search.map = &sets->map;
    search.found = 0;
    int64_t firstSphere = set * sets->sphereCount;
    unsigned count = (unsigned)sets->sphereCount;
    wkViewSphere next = loadOfTile(sets, firstSphere, 0, count);
    for (unsigned first = 0; first < count && !isEnough(sets, search.found); first += WK_WARP) {
        wkViewSphere sphere = next;
        next = loadOfTile(sets, firstSphere, first + WK_WARP, count); // on its way meanwhile
        bool isSphere = first + (unsigned)laneOf() < count;
        searchSpheres(sets, &search, isSphere, sphere, nearestSurface, stack);
    }
    return wkVerdictOf(search.found);
}

static __global__ void __launch_bounds__(SEARCH_THREADS, WK_SEARCH_BLOCKS_EACH) searchSets(wkDeviceSets sets)
{
    __shared__ uint32_t stacks[SEARCH_WARPS][STACK];
    unsigned warp = threadIdx.x / WK_WARP;
    const wkDepthMap* map = &sets.map;
    wkSurfaceRange all = wkSurfaceLevel_Range(&map->surfaces[map->surfaceLevelCount - 1], 0, 0);
    float nearestSurface = all.nearest * (1.0f - WK_ENTRY_SLACK);
    for (unsigned i = blockIdx.x * SEARCH_WARPS + warp; i < *sets.queueCount;
         i += gridDim.x * SEARCH_WARPS) {
        uint32_t set = sets.queue[i];
        wkDepthVerdict verdict = searchSet(&sets, (int64_t)set, nearestSurface, stacks[warp]);
        if (laneOf() == 0) {
            sets.verdicts[set] = (uint8_t)verdict;
        }
    }
}

cudaError_t wkLaunchProveSets(const wkDeviceSets* sets, cudaStream_t stream)
{
    const int64_t each = (int64_t)PROVE_THREADS / WK_WARP * TILE_SETS;
    return wkLaunch(proveSets, (unsigned)((sets->setCount + each - 1) / each), PROVE_THREADS,
                    stream, *sets);
}

cudaError_t wkLaunchSearchSets(const wkDeviceSets* sets, cudaStream_t stream)
{
    return wkLaunch(searchSets, (unsigned)sets->blockCount, SEARCH_THREADS, stream, *sets);
}
