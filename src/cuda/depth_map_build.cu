// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The kernels of device_depth_map.h that fill a map: each number is that of the CPU, in whatever order.

#include "cuda/device_depth_map.h"
#include "cuda/launch.h"

#define THREADS 256

// Pixels along the side of a tile, and the levels of blocks that a tile has: those of 2 to 64 pixels.
#define TILE 64
#define TILE_LEVELS 6
// Blocks along the side of a tile, of 2 and of 8 pixels.
#define TILE_BLOCKS (TILE / 2)
#define TILE_BOUNDS (TILE / 8)

static __device__ __forceinline__ int16_t lesser(int16_t a, int16_t b)
{
    return a < b ? a : b;
}

static __device__ __forceinline__ wkProvenDepth maskPixel(const wkDeviceFrame* frame, int32_t u,
                                                          int32_t v, wkProvenDepth proven)
{
    for (int32_t i = 0; i < frame->ownCount && proven.surfaceEnd >= 0.0f; ++i) {
        const wkOwnSphere* own = &frame->own[i];
        bool isInRange = u >= own->range.left && u <= own->range.right && v >= own->range.top &&
                         v <= own->range.bottom;
        if (isInRange && wkIsMaskedBy(&frame->map, own, u, v, proven.freeTo, proven.surfaceEnd)) {
            proven.surfaceEnd = WK_NO_SURFACE;
            proven.freeTo = frame->rule == wk_maskRemove ? 0.0f : proven.freeTo;
        }
    }
    return proven;
}

static __global__ void __launch_bounds__(THREADS) provePixels(wkDeviceFrame frame)
{
    const wkDepthMap* map = &frame.map;
    int64_t at = (int64_t)blockIdx.x * THREADS + threadIdx.x;
    if (at >= (int64_t)map->pitch * map->camera.height) {
        return;
    }
    int32_t u = (int32_t)(at % map->pitch), v = (int32_t)(at / map->pitch);
    wkProvenDepth proven = {WK_FARTHEST, WK_NO_SURFACE}; // beyond the image
    if (u < map->camera.width) {
        proven = map->isStraightened
                     ? wkProveSource(&frame.recipe, &frame.image,
                                     frame.sources[(int64_t)v * map->camera.width + u])
                     : wkProveDepth(&frame.recipe,
                                    wkDepthValue(&frame.image, wkDepthRow(&frame.image, v), u));
        proven = maskPixel(&frame, u, v, proven);
    }
    map->freeTo[at] = proven.freeTo;
    map->surfaceEnd[at] = proven.surfaceEnd;
}

// Blocks of a tile: least depths of both kinds, and where surfaces end.
struct depthTile {
    int16_t leasts[wk_depthKindCount][TILE_BLOCKS * TILE_BLOCKS];
    int16_t ends[TILE_BLOCKS * TILE_BLOCKS]; // of blocks of 2, then of 4 and of 8 pixels
};

// Computes a block of 2 x 2 pixels.
static __device__ void halvePixels(const wkDepthMap* map, depthTile* tile, int32_t left,
                                   int32_t top, int32_t index)
{
    int32_t u = left + 2 * (index % TILE_BLOCKS), v = top + 2 * (index / TILE_BLOCKS);
    int16_t free = INT16_MAX, nearest = INT16_MAX, end = INT16_MAX;
    for (int i = 0; i < 4; ++i) {
        int32_t column = u + i % 2, row = v + i / 2;
        if (column < map->camera.width && row < map->camera.height) {
            int64_t at = (int64_t)row * map->pitch + column;
            float freeTo = map->freeTo[at], surfaceEnd = map->surfaceEnd[at];
            free = lesser(free, wkNarrowDepth(freeTo));
            nearest = surfaceEnd > 0.0f ? lesser(nearest, wkNarrowDepth(freeTo)) : nearest;
            end = lesser(end, wkNarrowEnd(surfaceEnd));
        }
    }
    tile->leasts[wk_depthOfFree][index] = free;
    tile->leasts[wk_depthOfSurfaces][index] = nearest;
    tile->ends[index] = end;
}

// Returns the least of four neighbours.
static __device__ __forceinline__ int16_t leastOfFour(const int16_t* values, int32_t side,
                                                      int32_t u, int32_t v)
{
    const int16_t* at = values + 2 * v * side + 2 * u;
    return lesser(lesser(at[0], at[1]), lesser(at[side], at[side + 1]));
}

// Stores a block of a level that is part of the image.
static __device__ void storeBlock(const wkDepthMap* map, int32_t level, int32_t u, int32_t v,
                                  int16_t free, int16_t nearest)
{
    const wkDepthLevel* to = &map->levels[level];
    if (level < map->levelCount && u < to->width && v < to->height) {
        to->values[wk_depthOfFree][(int64_t)v * to->pitch + u] = free;
        to->values[wk_depthOfSurfaces][(int64_t)v * to->pitch + u] = nearest;
    }
}

static __device__ void storeBounds(const wkDepthMap* map, int32_t level, int32_t u, int32_t v,
                                   int16_t nearest, int16_t end)
{
    const wkSurfaceLevel* to = &map->surfaces[level];
    if (level < map->surfaceLevelCount && u < to->width && v < to->height) {
        wkSurfaceBounds bounds = {nearest, end};
        to->bounds[(int64_t)v * to->width + u] = bounds;
    }
}

static __global__ void __launch_bounds__(THREADS) halveTiles(wkDepthMap map)
{
    __shared__ depthTile tile;
    int32_t tilesAcross = (map.camera.width - 1) / TILE + 1;
    int32_t tileU = (int32_t)blockIdx.x % tilesAcross, tileV = (int32_t)blockIdx.x / tilesAcross;
    for (int32_t i = (int32_t)threadIdx.x; i < TILE_BLOCKS * TILE_BLOCKS; i += THREADS) {
        halvePixels(&map, &tile, tileU * TILE, tileV * TILE, i);
        storeBlock(&map, 0, tileU * TILE_BLOCKS + i % TILE_BLOCKS,
                   tileV * TILE_BLOCKS + i / TILE_BLOCKS, tile.leasts[wk_depthOfFree][i],
                   tile.leasts[wk_depthOfSurfaces][i]);
    }
    for (int32_t level = 1, side = TILE_BLOCKS / 2; level < TILE_LEVELS; ++level, side /= 2) {
        __syncthreads();
        int32_t at = (int32_t)threadIdx.x, u = at % side, v = at / side;
        bool isBlock = at < side * side;
        int16_t free = 0, nearest = 0, end = 0;
        if (isBlock) {
            free = leastOfFour(tile.leasts[wk_depthOfFree], 2 * side, u, v);
            nearest = leastOfFour(tile.leasts[wk_depthOfSurfaces], 2 * side, u, v);
            end = leastOfFour(tile.ends, 2 * side, u, v);
        }
        __syncthreads();
        if (isBlock) {
            tile.leasts[wk_depthOfFree][at] = free;
            tile.leasts[wk_depthOfSurfaces][at] = nearest;
            tile.ends[at] = end;
            storeBlock(&map, level, tileU * side + u, tileV * side + v, free, nearest);
            if (level % 3 == 2) {
                storeBounds(&map, level / 3, tileU * side + u, tileV * side + v, nearest, end);
            }
        }
    }
}

// Returns the least of the blocks of a level below that a block holds.
static __device__ int16_t leastBelow(const wkDepthLevel* from, wkDepthKind kind, int32_t u,
                                     int32_t v)
{
    int16_t least = INT16_MAX;
    for (int i = 0; i < 4; ++i) {
        int32_t column = 2 * u + i % 2, row = 2 * v + i / 2;
        if (column < from->width && row < from->height) {
            least = lesser(least, from->values[kind][(int64_t)row * from->pitch + column]);
        }
    }
    return least;
}

// Combines eight by eight blocks into one.
static __device__ void boundMore(const wkDepthMap* map, int32_t level, int32_t u, int32_t v)
{
    const wkSurfaceLevel* from = &map->surfaces[level - 1];
    wkSurfaceBounds all = {INT16_MAX, INT16_MAX};
    for (int32_t row = 8 * v; row < 8 * v + 8 && row < from->height; ++row) {
        for (int32_t column = 8 * u; column < 8 * u + 8 && column < from->width; ++column) {
            wkSurfaceBounds part = from->bounds[(int64_t)row * from->width + column];
            all.nearest = lesser(all.nearest, part.nearest);
            all.rotatedEnd = lesser(all.rotatedEnd, part.rotatedEnd);
        }
    }
    storeBounds(map, level, u, v, all.nearest, all.rotatedEnd);
}

// One block of threads: levels need those below them.
static __global__ void __launch_bounds__(THREADS) halveRest(wkDepthMap map)
{
    for (int32_t level = TILE_LEVELS; level < map.levelCount; ++level) {
        const wkDepthLevel *from = &map.levels[level - 1], *to = &map.levels[level];
        for (int32_t i = (int32_t)threadIdx.x; i < to->width * to->height; i += THREADS) {
            int32_t u = i % to->width, v = i / to->width;
            storeBlock(&map, level, u, v, leastBelow(from, wk_depthOfFree, u, v),
                       leastBelow(from, wk_depthOfSurfaces, u, v));
        }
        __syncthreads();
    }
    for (int32_t level = TILE_LEVELS / 3; level < map.surfaceLevelCount; ++level) {
        const wkSurfaceLevel* to = &map.surfaces[level];
        for (int32_t i = (int32_t)threadIdx.x; i < to->width * to->height; i += THREADS) {
            boundMore(&map, level, i % to->width, i / to->width);
        }
        __syncthreads();
    }
}

// Columns and rows of a level in the pyramid, with those that rounding to whole registers and pairs adds on the CPU.
static __host__ __device__ __forceinline__ int32_t spreadColumns(const wkDepthLevel* level)
{
    return (level->width + 31) / 32 * 32;
}

static __host__ __device__ __forceinline__ int32_t spreadRows(const wkDepthLevel* level)
{
    return (level->height + 1) / 2 * 2;
}

// Fills an entry for narrow margins and that for wide ones.
static __device__ void spreadEntry(const wkDepthMap* map, int32_t k, wkDepthKind kind, int32_t u,
                                   int32_t v)
{
    const wkDepthLevel* level = &map->levels[map->tableFirst + k];
    int16_t narrow = INT16_MAX, wide = INT16_MAX;
    for (int32_t down = -3; down <= 3; ++down) {
        int32_t row = v + down;
        row = row < 0 ? 0 : row < level->height ? row : level->height - 1;
        for (int32_t across = -3; across <= 3; ++across) {
            int32_t column = u + across;
            if (column >= 0 && column < level->width) {
                int16_t value = level->values[kind][(int64_t)row * level->pitch + column];
                bool isNarrow = down >= -2 && down <= 2 && across >= -2 && across <= 2;
                wide = lesser(wide, value);
                narrow = isNarrow ? lesser(narrow, value) : narrow;
            }
        }
    }
    int64_t rows = (int64_t)map->view.doubleRows, first = rows - (rows >> k);
    int64_t pitch = map->view.pitch;
    int16_t* entry = map->table + (int64_t)kind * map->tableSize + (first + v) * pitch + u;
    entry[0] = narrow;
    entry[rows * pitch] = wide;
}

static __global__ void __launch_bounds__(THREADS) spread(wkDepthMap map)
{
    int64_t at = (int64_t)blockIdx.x * THREADS + threadIdx.x;
    for (int32_t k = 0; k < map.tableCount; ++k) {
        const wkDepthLevel* level = &map.levels[map.tableFirst + k];
        int32_t columns = spreadColumns(level);
        int64_t count = (int64_t)columns * spreadRows(level);
        if (at < count) {
            int32_t u = (int32_t)(at % columns), v = (int32_t)(at / columns);
            spreadEntry(&map, k, wk_depthOfFree, u, v);
            spreadEntry(&map, k, wk_depthOfSurfaces, u, v);
            return;
        }
        at -= count;
    }
}

static unsigned blocksOf(int64_t threadCount)
{
    return (unsigned)((threadCount + THREADS - 1) / THREADS);
}

cudaError_t wkLaunchProvePixels(const wkDeviceFrame* frame, cudaStream_t stream)
{
    int64_t count = (int64_t)frame->map.pitch * frame->map.camera.height;
    return wkLaunch(provePixels, blocksOf(count), THREADS, stream, *frame);
}

cudaError_t wkLaunchHalveTiles(const wkDepthMap* map, cudaStream_t stream)
{
    int32_t across = (map->camera.width - 1) / TILE + 1, down = (map->camera.height - 1) / TILE + 1;
    return wkLaunch(halveTiles, (unsigned)(across * down), THREADS, stream, *map);
}

cudaError_t wkLaunchHalveRest(const wkDepthMap* map, cudaStream_t stream)
{
    return wkLaunch(halveRest, 1, THREADS, stream, *map);
}

cudaError_t wkLaunchSpread(const wkDepthMap* map, cudaStream_t stream)
{
    int64_t count = 0;
    for (int32_t k = 0; k < map->tableCount; ++k) {
        const wkDepthLevel* level = &map->levels[map->tableFirst + k];
        count += (int64_t)spreadColumns(level) * spreadRows(level);
    }
    return wkLaunch(spread, blocksOf(count), THREADS, stream, *map);
}
