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
// @param firstOpen set for each lane, where the set of its number is open: its spheres before this one are free
static __device__ unsigned openSets(const wkDeviceSets* sets, int64_t firstSphere, int tileSets,
                                    unsigned* firstOpen)
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
        bool isOpen =
            isAsked && !wkIsProvenFree(&sets->map.view, wkToCamera(&sets->camera, sphere));
        unsigned opened = __reduce_or_sync(ALL_LANES, isOpen ? 1u << set : 0u);
        if ((opened >> laneOf() & 1u) != 0) {
            unsigned start = (unsigned)laneOf() * size;
            *firstOpen = at > start ? at - start : 0;
        }
        open |= opened;
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
    unsigned firstOpen = 0, start = 0;
    unsigned open = openSets(&sets, first * sets.sphereCount, count, &firstOpen);
    if (open != 0 && lane == 0) {
        start = atomicAdd(&sets.counts[wk_setsQueued], (unsigned)__popc(open));
    }
    start = __shfl_sync(ALL_LANES, start, 0);
    if (lane < count) {
        bool isOpen = (open >> lane & 1u) != 0;
        sets.verdicts[first + lane] = (uint8_t)(isOpen ? wk_depthUnchecked : wk_depthFree);
        if (isOpen) {
            wkOpenSet entry = {(uint32_t)(first + lane), firstOpen};
            sets.queue[start + (unsigned)__popc(open & ((1u << lane) - 1u))] = entry;
        }
    }
}

// A sphere in front of the camera, and the pixels that it can reach.
struct placedSphere {
    wkCameraSphere sphere;
    wkPixelRange range;
};

// Shared memory of a warp that searches.
struct searchMemory {
    placedSphere placed[WK_WARP]; // of each lane
    uint32_t stack[STACK];        // blocks that wait
};

// A search for pixels that do not prove a sphere free. The same in all lanes of a warp.
struct pixelSearch {
    const wkDepthMap* map;
    searchMemory* memory;
    const placedSphere* placed; // the sphere
    unsigned found;             // findings so far, of the set
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
    const wkPixelRange* range = &search->placed->range;
    return block.u >= range->left >> shift && block.u <= range->right >> shift &&
           block.v >= range->top >> shift && block.v <= range->bottom >> shift;
}

// Whether pixels of a block may change the findings.
static __device__ bool mayChange(const pixelSearch* search, pixelBlock block)
{
    // once a pixel is known not to prove the sphere free, the search continues with surfaces alone
    wkDepthKind kind = search->found != 0 ? wk_depthOfSurfaces : wk_depthOfFree;
    const wkDepthMap* map = search->map;
    const wkCameraSphere* sphere = &search->placed->sphere;
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
static __device__ int checkBlocks(pixelSearch* search, bool isBlock, pixelBlock block, int height)
{
    bool isAsked = isBlock && isInRange(search, block), isKept = false;
    unsigned found = 0;
    if (isAsked && block.level < 0) {
        found = wkFindAtPixel(search->map, &search->placed->sphere, block.u, block.v);
    } else if (isAsked) {
        isKept = mayChange(search, block);
    }
    search->found |= __reduce_or_sync(ALL_LANES, found);
    unsigned kept = __ballot_sync(ALL_LANES, isKept);
    if (isKept) {
        search->memory->stack[height + __popc(kept & ((1u << laneOf()) - 1u))] = packBlock(block);
    }
    __syncwarp();
    return height + __popc(kept);
}

// Searches all pixels that the sphere can reach, until it is known to hit.
static __device__ void searchPixels(pixelSearch* search)
{
    const wkPixelRange* range = &search->placed->range;
    const uint32_t* stack = search->memory->stack;
    // no more than five blocks to each side
    int32_t level = wkFirstLevel(search->map, range), lane = laneOf();
    int32_t across = (range->right >> (level + 1)) - (range->left >> (level + 1)) + 1;
    pixelBlock block = {level, (range->left >> (level + 1)) + lane % across,
                        (range->top >> (level + 1)) + lane / across};
    int height = checkBlocks(search, true, block, 0);
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
        height = checkBlocks(search, isPart, block, height - parents);
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

static __device__ __forceinline__ bool hasPixels(const wkPixelRange* range)
{
    return range->left <= range->right && range->top <= range->bottom;
}

// Places the sphere of a lane in front of the camera, and compares it with the pixel in the middle of its range: this
// decides most spheres that are not free.
static __device__ unsigned placeSphere(const wkDepthMap* map, wkViewSphere world,
                                       placedSphere* placed)
{
    wkSphere3d exact = {{(double)world.x, (double)world.y, (double)world.z}, (double)world.radius};
    wkCameraSphere sphere;
    wkDepthMap_Place(map, &exact, &sphere);
    wkPixelRange range = wkDepthMap_Range(map, &sphere);
    unsigned found = wkFirstFindings(&sphere);
    if (hasPixels(&range)) {
        found |= wkFindAtPixel(map, &sphere, (range.left + range.right + 1) / 2,
                               (range.top + range.bottom + 1) / 2);
    }
    placed->sphere = sphere;
    placed->range = range;
    return found;
}

// Whether the findings end the search in a set.
static __device__ __forceinline__ bool isEnough(const wkDeviceSets* sets, unsigned found)
{
    return wkVerdictOf(found) >= sets->stopAt;
}

// Adds the findings about spheres of lanes, in their order.
static __device__ void searchOpen(const wkDeviceSets* sets, pixelSearch* search, unsigned open,
                                  wkViewSphere sphere)
{
    unsigned found = 0;
    if ((open >> laneOf() & 1u) != 0) {
        found = placeSphere(search->map, sphere, &search->memory->placed[laneOf()]);
    }
    bool isHit = __any_sync(ALL_LANES, (found & wk_findHit) != 0);
    if (isHit && sets->stopAt == wk_depthHit) {
        search->found |= wk_findHit; // no verdict is worse: the spheres before it do not matter
        return;
    }
    __syncwarp(); // votes do not order memory, and all lanes read what each has placed
    for (; open != 0 && !isEnough(sets, search->found); open &= open - 1u) {
        int lane = __ffs((int)open) - 1;
        search->found |= __shfl_sync(ALL_LANES, found, lane);
        search->placed = &search->memory->placed[lane];
        if ((search->found & wk_findHit) == 0 && hasPixels(&search->placed->range)) {
            searchPixels(search);
        }
    }
    __syncwarp();
}

// Adds the findings about up to 32 spheres, in their order: one in each lane.
static __device__ void searchSpheres(const wkDeviceSets* sets, pixelSearch* search, bool isSphere,
                                     wkViewSphere sphere, float nearestSurface)
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
    if (open != 0) {
        searchOpen(sets, search, open, sphere);
    }
    if (isEnd) {
        search->found |= search->found == 0 ? (unsigned)wk_findUnobserved : 0u;
    }
}

static __device__ wkDepthVerdict searchSet(const wkDeviceSets* sets, wkOpenSet open,
                                           float nearestSurface, searchMemory* memory)
{
    pixelSearch search = {&sets->map, memory, NULL, 0};
    int64_t firstSphere = (int64_t)open.set * sets->sphereCount;
    unsigned count = (unsigned)sets->sphereCount;
    wkViewSphere next = loadOfTile(sets, firstSphere, open.firstSphere, count);
    for (unsigned first = open.firstSphere; first < count && !isEnough(sets, search.found);
         first += WK_WARP) {
        wkViewSphere sphere = next;
        next = loadOfTile(sets, firstSphere, first + WK_WARP, count); // on its way meanwhile
        bool isSphere = first + (unsigned)laneOf() < count;
        searchSpheres(sets, &search, isSphere, sphere, nearestSurface);
    }
    return wkVerdictOf(search.found);
}

// Takes the next set of the queue, for all lanes of a warp: searches take so different times that sets cannot be divided
// before.
static __device__ __forceinline__ unsigned takeSet(const wkDeviceSets* sets)
{
    unsigned taken = 0;
    if (laneOf() == 0) {
        taken = atomicAdd(&sets->counts[wk_setsTaken], 1u);
    }
    return __shfl_sync(ALL_LANES, taken, 0);
}

static __global__ void __launch_bounds__(SEARCH_THREADS, WK_SEARCH_BLOCKS_EACH)
    searchSets(wkDeviceSets sets)
{
    __shared__ searchMemory memory[SEARCH_WARPS];
    unsigned warp = threadIdx.x / WK_WARP, count = sets.counts[wk_setsQueued];
    const wkDepthMap* map = &sets.map;
    wkSurfaceRange all = wkSurfaceLevel_Range(&map->surfaces[map->surfaceLevelCount - 1], 0, 0);
    float nearestSurface = all.nearest * (1.0f - WK_ENTRY_SLACK);
    for (unsigned i = takeSet(&sets); i < count; i = takeSet(&sets)) {
        wkOpenSet open = sets.queue[i];
        wkDepthVerdict verdict = searchSet(&sets, open, nearestSurface, &memory[warp]);
        if (laneOf() == 0) {
            sets.verdicts[open.set] = (uint8_t)verdict;
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
