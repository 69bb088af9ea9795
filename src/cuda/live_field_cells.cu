// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The kernels of live_field.h that compute distances: a separable transform (Felzenszwalb & Huttenlocher 2012) of squares
// of whole cells between cells, each axis by trying all offsets up to the reach, the nearest first. A block of threads
// has all rows of a slab of 64 columns in shared memory; a lane takes two columns, and eight rows at once, so that each
// value that it loads counts for sixteen cells.

#include "cuda/launch.h"
#include "cuda/live_field_item.h"

#define THREADS 256
#define ALL_LANES 0xffffffffu
#define WARPS (THREADS / WK_WARP)

// Columns of a slab, two for each lane; rows that a lane computes at once, which are offsets that it tries at once, too.
#define COLUMNS (2 * WK_WARP)
#define GROUP 8

// The CPU compiles these files, too (tests/cuda).
#if defined(__CUDACC__)
#define UNROLL _Pragma("unroll")
#else
#define UNROLL
#endif

// Rows that a warp loads before it looks at them.
#define ROWS_AHEAD 4

// Squares of two columns in each word.
struct cellSlab {
    uint32_t squares[WK_LIVE_MOST_CELLS][WK_WARP];
    uint32_t nearGroups; // bits of groups of rows with a distance within reach
};

// Returns the lesser of a + b and c in both halves.
static __device__ __forceinline__ uint32_t lesserSum(uint32_t a, uint32_t b, uint32_t c)
{
#if defined(__CUDA_ARCH__)
    return __viaddmin_u16x2(a, b, c);
#else
    uint32_t low = (a + b) & 0xffffu, high = (a >> 16) + (b >> 16);
    low = low < (c & 0xffffu) ? low : c & 0xffffu;
    high = high < c >> 16 ? high : c >> 16;
    return low | high << 16;
#endif
}

// Returns the greatest of the halves of words.
static __device__ __forceinline__ uint32_t greatestHalf(const uint32_t words[GROUP])
{
    uint32_t greatest = 0;
    for (int i = 0; i < GROUP; ++i) {
        uint32_t low = words[i] & 0xffffu, high = words[i] >> 16;
        low = low > high ? low : high;
        greatest = greatest > low ? greatest : low;
    }
    return greatest;
}

// The square of what is between cells that no offset has found, at least; in both halves.
static __device__ __forceinline__ uint32_t farSquares(const wkLiveBuild* build)
{
    return (uint32_t)((build->reachCells + 1) * (build->reachCells + 1)) * 0x10001u;
}

// Lowers the squares of a group of rows by those of another group.
// @param squareOf of the offsets from the last row of the lower group to the first one of the upper group, and on
static __device__ __forceinline__ void lowerByGroup(const cellSlab* slab, int32_t from, bool isBelow,
                                                    const uint32_t squareOf[2 * GROUP - 1],
                                                    uint32_t least[GROUP])
{
    int lane = (int)(threadIdx.x % WK_WARP);
UNROLL
    for (int k = 0; k < GROUP; ++k) {
        uint32_t value = slab->squares[isBelow ? from + GROUP - 1 - k : from + k][lane];
UNROLL
        for (int i = 0; i < GROUP; ++i) {
            least[i] = lesserSum(value, squareOf[isBelow ? k + i : k + GROUP - 1 - i], least[i]);
        }
    }
}

// Computes a group of rows of two columns from all rows of the slab.
static __device__ __forceinline__ void searchRows(const wkLiveBuild* build, const cellSlab* slab,
                                                  int32_t group, int32_t groupCount,
                                                  uint32_t least[GROUP])
{
    int lane = (int)(threadIdx.x % WK_WARP);
    uint32_t own[GROUP];
UNROLL
    for (int i = 0; i < GROUP; ++i) {
        own[i] = least[i] = slab->squares[GROUP * group + i][lane];
    }
UNROLL
    for (int i = 0; i < GROUP; ++i) {
UNROLL
        for (int j = 0; j < GROUP; ++j) {
            least[i] = lesserSum(own[j], build->squareOf[i > j ? i - j : j - i], least[i]);
        }
    }
    uint32_t nearGroups = slab->nearGroups;
    for (int32_t away = 1; GROUP * (away - 1) <= build->reachCells; ++away) {
        bool isBelow = group - away >= 0 && (nearGroups >> (group - away) & 1u) != 0;
        bool isAbove = group + away < groupCount && (nearGroups >> (group + away) & 1u) != 0;
        if (!isBelow && !isAbove) {
            continue;
        }
        int32_t offset = GROUP * (away - 1) + 1;
        if ((build->squareOf[offset] & 0xffffu) >= greatestHalf(least)) {
            break;
        }
        uint32_t squareOf[2 * GROUP - 1];
UNROLL
        for (int i = 0; i < 2 * GROUP - 1; ++i) {
            squareOf[i] = build->squareOf[offset + i];
        }
        if (isBelow) {
            lowerByGroup(slab, GROUP * (group - away), true, squareOf, least);
        }
        if (isAbove) {
            lowerByGroup(slab, GROUP * (group + away), false, squareOf, least);
        }
    }
}

// A row of bits: the two words of the slab, and the nearest bits beyond these, as indices of cells.
struct __attribute__((aligned(16))) bitRow {
    uint32_t words[2];
    int32_t before, after;
};

// No cell is as far away.
#define NO_CELL 0x10000

static __device__ __forceinline__ int32_t highestBit(uint32_t bits)
{
    return 31 - __clz((int)bits);
}

static __device__ __forceinline__ int32_t lowestBit(uint32_t bits)
{
    return __ffs((int)bits) - 1;
}

// Finds the bits of a row, for a slab that begins at a word.
static __device__ bitRow makeRow(const uint32_t* row, int32_t pitch, int32_t firstWord)
{
    bitRow made = {{0, 0}, -NO_CELL, NO_CELL};
    for (int32_t i = 0; i < pitch; ++i) {
        uint32_t bits = row[i];
        if (i >= firstWord && i < firstWord + 2) {
            made.words[i - firstWord] = bits;
        } else if (bits != 0 && i < firstWord) {
            made.before = 32 * i + highestBit(bits);
        } else if (bits != 0 && made.after == NO_CELL) {
            made.after = 32 * i + lowestBit(bits);
        }
    }
    return made;
}

// Returns the square of the cells between a cell of the slab and the nearest one with a bit in its row, at most that of the
// reach and one.
// @param column of the slab
static __device__ __forceinline__ uint32_t squareInRow(const wkLiveBuild* build, const bitRow* row,
                                                       int32_t firstColumn, int32_t column)
{
    uint64_t bits = row->words[0] | (uint64_t)row->words[1] << 32;
    uint64_t below = bits & (~0ull >> (63 - column)), above = bits >> column;
    uint32_t belowHigh = (uint32_t)(below >> 32), aboveLow = (uint32_t)above;
    int32_t before = belowHigh != 0 ? 32 + highestBit(belowHigh) + firstColumn
                     : below != 0   ? highestBit((uint32_t)below) + firstColumn
                                    : row->before;
    int32_t after = aboveLow != 0 ? lowestBit(aboveLow) + column + firstColumn
                    : above != 0  ? 32 + lowestBit((uint32_t)(above >> 32)) + column + firstColumn
                                  : row->after;
    int32_t cell = firstColumn + column, toBefore = cell - before, toAfter = after - cell;
    int32_t nearest = toBefore < toAfter ? toBefore : toAfter;
    int32_t between = nearest > 0 ? nearest - 1 : 0, most = build->reachCells + 1;
    between = between < most ? between : most;
    return (uint32_t)(between * between);
}

// Finds the rows of a slice.
static __device__ void makeRows(const wkLiveBuild* build, bitRow* rows, int32_t firstColumn,
                                int32_t z)
{
    int32_t rowCount = build->field.grid.count[1], pitch = build->bitPitch;
    for (int32_t y = (int32_t)threadIdx.x; y < rowCount; y += THREADS) {
        rows[y] = makeRow(&build->bits[(int64_t)pitch * (y + rowCount * z)], pitch,
                          firstColumn / 32);
    }
}

// Stores a row of a slab, and marks its group where a distance is within reach.
static __device__ __forceinline__ void storeRow(cellSlab* slab, int32_t row, uint32_t squares,
                                                uint32_t far)
{
    int lane = (int)(threadIdx.x % WK_WARP);
    slab->squares[row][lane] = squares;
    if (__ballot_sync(ALL_LANES, squares != far) != 0 && lane == 0) {
        atomicOr(&slab->nearGroups, 1u << (row / GROUP));
    }
}

// Fills a slab with distances along x. A warp takes a row at a time.
static __device__ void fillFromBits(const wkLiveBuild* build, const bitRow* rows, cellSlab* slab,
                                    int32_t firstColumn)
{
    const wkFieldGrid* grid = &build->field.grid;
    int lane = (int)(threadIdx.x % WK_WARP), warp = (int)(threadIdx.x / WK_WARP);
    uint32_t far = farSquares(build);
    for (int32_t y = warp; y < grid->count[1]; y += WARPS) {
        const bitRow row = rows[y];
        uint32_t squares = far;
        if ((row.words[0] | row.words[1]) != 0 || row.before >= 0 || row.after < NO_CELL) {
            squares = squareInRow(build, &row, firstColumn, 2 * lane) |
                      squareInRow(build, &row, firstColumn, 2 * lane + 1) << 16;
        }
        storeRow(slab, y, squares, far);
    }
}

// Writes the words of all squares, which the next kernel reads.
static __device__ void makeWords(const wkLiveBuild* build)
{
    float largestRadius;
    memcpy(&largestRadius, &build->status->largestRadius, sizeof largestRadius);
    int32_t count = (build->reachCells + 1) * (build->reachCells + 1) + 1;
    for (int32_t square = (int32_t)(blockIdx.x * THREADS + threadIdx.x); square < count;
         square += (int32_t)gridDim.x * THREADS) {
        // Zero: whatever its radius, a sphere touches. So it is where the radius of a point is not valid.
        build->wordOf[square] = build->status->badMark != 0
                                    ? 0u
                                    : wkLiveWord(build, (uint32_t)square, largestRadius);
    }
}

// One block for each slab of a slice: z, and 64 columns.
static __global__ void __launch_bounds__(THREADS) findSquares(wkLiveBuild build)
{
    __shared__ cellSlab slab;
    __shared__ bitRow rows[WK_LIVE_MOST_CELLS];
    const wkFieldGrid* grid = &build.field.grid;
    int32_t across = (grid->count[0] - 1) / COLUMNS + 1;
    int32_t firstColumn = (int32_t)blockIdx.x % across * COLUMNS, z = (int32_t)blockIdx.x / across;
    makeRows(&build, rows, firstColumn, z);
    if (threadIdx.x == 0) {
        slab.nearGroups = 0;
    }
    __syncthreads();
    fillFromBits(&build, rows, &slab, firstColumn);
    makeWords(&build);
    __syncthreads();
    int32_t column = firstColumn + 2 * (int32_t)(threadIdx.x % WK_WARP);
    int32_t groupCount = grid->count[1] / GROUP;
    for (int32_t group = (int32_t)(threadIdx.x / WK_WARP); group < groupCount; group += WARPS) {
        uint32_t least[GROUP];
        searchRows(&build, &slab, group, groupCount, least);
        int64_t row = GROUP * group + (int64_t)grid->count[1] * z;
        for (int i = 0; i < GROUP && column < grid->count[0]; ++i) {
            *(uint32_t*)&build.squares[column + grid->count[0] * (row + i)] = least[i];
        }
    }
}

// Fills a slab with the distances of a slice across y.
static __device__ void fillFromSquares(const wkLiveBuild* build, cellSlab* slab,
                                       int32_t firstColumn, int32_t y)
{
    const wkFieldGrid* grid = &build->field.grid;
    int lane = (int)(threadIdx.x % WK_WARP), warp = (int)(threadIdx.x / WK_WARP);
    int32_t column = firstColumn + 2 * lane;
    int64_t slice = (int64_t)grid->count[0] * grid->count[1];
    const uint16_t* row = &build->squares[column + (int64_t)grid->count[0] * y];
    uint32_t far = farSquares(build);
    for (int32_t first = warp; first < grid->count[2]; first += ROWS_AHEAD * WARPS) {
        uint32_t squares[ROWS_AHEAD];
UNROLL
        for (int i = 0; i < ROWS_AHEAD; ++i) {
            int32_t z = first + i * WARPS;
            bool isThere = z < grid->count[2] && column < grid->count[0];
            squares[i] = isThere ? *(const uint32_t*)&row[slice * z] : far;
        }
UNROLL
        for (int i = 0; i < ROWS_AHEAD; ++i) {
            if (first + i * WARPS < grid->count[2]) {
                storeRow(slab, first + i * WARPS, squares[i], far);
            }
        }
    }
}

// Returns the number of cells to the outermost layer along an axis; 0: in it.
static __device__ __forceinline__ int32_t toEdge(const wkFieldGrid* grid, int axis, int32_t cell)
{
    int32_t behind = grid->count[axis] - 1 - cell;
    return cell < behind ? cell : behind;
}

// The words of two cells, written at once.
struct __attribute__((aligned(8))) wordPair {
    uint32_t words[2];
};

static __device__ __forceinline__ void storeWords(const wkLiveBuild* build, int32_t x, int32_t y,
                                                  int32_t z, int32_t edge, uint32_t squares)
{
    const wkFieldGrid* grid = &build->field.grid;
    wordPair pair;
    for (int i = 0; i < 2; ++i) {
        int32_t edgeX = toEdge(grid, 0, x + i), nearest = edge < edgeX ? edge : edgeX;
        uint32_t square = squares >> (16 * i) & 0xffffu;
        pair.words[i] = wkLiveWordNearEdge(build->wordOf[square], square, nearest);
    }
    *(wordPair*)&build->words[x + (int64_t)grid->count[0] * (y + grid->count[1] * z)] = pair;
}

// Clears the part of the bits of a block: the next frame begins without any.
static __device__ void clearBits(const wkLiveBuild* build)
{
    const wkFieldGrid* grid = &build->field.grid;
    int32_t count = build->bitPitch * grid->count[1] * grid->count[2];
    int32_t share = (count - 1) / (int32_t)gridDim.x + 1, first = share * (int32_t)blockIdx.x;
    for (int32_t i = (int32_t)threadIdx.x; i < share && first + i < count; i += THREADS) {
        build->bits[first + i] = 0;
    }
}

// One block for each slab of a slice: y, and 64 columns.
static __global__ void __launch_bounds__(THREADS) findWords(wkLiveBuild build)
{
    __shared__ cellSlab slab;
    const wkFieldGrid* grid = &build.field.grid;
    int32_t across = (grid->count[0] - 1) / COLUMNS + 1;
    int32_t firstColumn = (int32_t)blockIdx.x % across * COLUMNS, y = (int32_t)blockIdx.x / across;
    clearBits(&build);
    if (threadIdx.x == 0) {
        slab.nearGroups = 0;
    }
    __syncthreads();
    fillFromSquares(&build, &slab, firstColumn, y);
    __syncthreads();
    int32_t column = firstColumn + 2 * (int32_t)(threadIdx.x % WK_WARP);
    int32_t groupCount = grid->count[2] / GROUP, edgeY = toEdge(grid, 1, y);
    for (int32_t group = (int32_t)(threadIdx.x / WK_WARP); group < groupCount; group += WARPS) {
        uint32_t least[GROUP];
        searchRows(&build, &slab, group, groupCount, least);
UNROLL
        for (int i = 0; i < GROUP; ++i) {
            if (column < grid->count[0]) {
                int32_t z = GROUP * group + i, edgeZ = toEdge(grid, 2, z);
                storeWords(&build, column, y, z, edgeY < edgeZ ? edgeY : edgeZ, least[i]);
            }
        }
    }
}

static unsigned slabsAcross(const wkLiveBuild* build)
{
    return (unsigned)(build->field.grid.count[0] - 1) / COLUMNS + 1;
}

cudaError_t wkLaunchLiveSquares(const wkLiveBuild* build, cudaStream_t stream)
{
    unsigned count = slabsAcross(build) * (unsigned)build->field.grid.count[2];
    return wkLaunch(findSquares, count, THREADS, stream, *build);
}

cudaError_t wkLaunchLiveWords(const wkLiveBuild* build, cudaStream_t stream)
{
    unsigned count = slabsAcross(build) * (unsigned)build->field.grid.count[1];
    return wkLaunch(findWords, count, THREADS, stream, *build);
}
