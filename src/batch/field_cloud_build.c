// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Fills a cloud on the grid of a field: its octets, then cubes of two bricks along each edge, each a task, then the
// words of all cells.

#include "base/error.h"
#include "base/memory.h"
#include "batch/batch_reach.h"
#include "batch/field_cloud_kernel.h"
#include "tree/cloud/cloud_impl.h"

#include "whisker/detail/library.h"

#include <math.h>
#include <string.h>

// Rounding of a coordinate of a cell.
#define CELL_FLOAT_ROUNDING 0x1p-21f

static int32_t cubeCount(const wkCloudBuild* build)
{
    return build->cubes[0] * build->cubes[1] * build->cubes[2];
}

static void cellOfCube(const wkCloudBuild* build, int32_t cube, int32_t cell[3])
{
    cell[0] = cube % build->cubes[0] * WK_CLOUD_CUBE;
    cell[1] = cube / build->cubes[0] % build->cubes[1] * WK_CLOUD_CUBE;
    cell[2] = cube / (build->cubes[0] * build->cubes[1]) * WK_CLOUD_CUBE;
}

static int32_t brickOf(const wkFieldGrid* grid, const int32_t cell[3], int part)
{
    const int32_t at[3] = {cell[0] / WK_FIELD_SPLIT + part % 2,
                           cell[1] / WK_FIELD_SPLIT + part / 2 % 2,
                           cell[2] / WK_FIELD_SPLIT + part / 4};
    for (int axis = 0; axis < 3; ++axis) {
        if (at[axis] >= grid->count[axis] / WK_FIELD_SPLIT) {
            return -1;
        }
    }
    return at[0] +
           grid->count[0] / WK_FIELD_SPLIT * (at[1] + grid->count[1] / WK_FIELD_SPLIT * at[2]);
}

// Returns whether spheres can be in a cube of cells.
static bool isReached(const wkCloudBuild* build, const int32_t cell[3], int32_t cells)
{
    const wkFieldGrid* grid = build->grid;
    double lower[3], upper[3];
    for (int axis = 0; axis < 3; ++axis) {
        lower[axis] = (double)grid->lower[axis] + (double)grid->size * cell[axis];
        upper[axis] = lower[axis] + (double)grid->size * cells;
    }
    return build->reachCells == NULL || wkReach_Meets(build->reachCells, lower, upper);
}

// Returns bits of the bricks of a cube that are inside the grid and that spheres can be in.
static unsigned reachedParts(const wkCloudBuild* build, const int32_t cell[3])
{
    unsigned parts = 0;
    for (int part = 0; part < WK_FIELD_EIGHT && isReached(build, cell, WK_CLOUD_CUBE); ++part) {
        const int32_t first[3] = {cell[0] + part % 2 * WK_FIELD_SPLIT,
                                  cell[1] + part / 2 % 2 * WK_FIELD_SPLIT,
                                  cell[2] + part / 4 * WK_FIELD_SPLIT};
        int32_t brick = brickOf(build->grid, cell, part);
        if (brick >= 0 && isReached(build, first, WK_FIELD_SPLIT)) {
            parts |= 1u << part;
            build->isBounded[brick] = 1;
        }
    }
    return parts;
}

static void makeCube(const wkCloudBuild* build, int32_t cube, wkCubeScratch* scratch)
{
    wkCubeEntries* made = &build->made[cube];
    int32_t cell[3];
    cellOfCube(build, cube, cell);
    unsigned parts = reachedParts(build, cell);
    if (parts == 0) {
        return;
    }
    build->cloud->lanes->boundCube(build, cell, parts, scratch, made);
    size_t byteCount = made->count * sizeof *made->entries;
    made->entries = byteCount > 0 ? (wkCloudEntry*)wkAlloc(byteCount) : NULL;
    made->hasFailed = byteCount > 0 && made->entries == NULL;
    if (made->entries != NULL) {
        memcpy(made->entries, scratch->entries, byteCount);
    }
}

// Makes a row of cubes, as a task: its scratch is large.
static void makeCubes(void* context, int32_t row)
{
    const wkCloudBuild* build = (const wkCloudBuild*)context;
    wkCubeScratch* scratch = (wkCubeScratch*)wkAlloc(sizeof *scratch);
    for (int32_t i = row * build->cubes[0]; i < (row + 1) * build->cubes[0]; ++i) {
        build->made[i].hasFailed = scratch == NULL;
        if (scratch != NULL) {
            makeCube(build, i, scratch);
        }
    }
    wkFree(scratch, sizeof *scratch);
}

// Returns an entry for all points.
static wkCloudEntry entryOfAll(const wkFieldCloud* cloud)
{
    int top = cloud->levelCount - 1;
    wkCloudEntry all = {(uint32_t)cloud->firsts[top], 0, (uint16_t)top};
    for (int slot = 0; slot < WK_OCTET; ++slot) {
        bool isUsed = cloud->octets[all.octet].lower[0][slot] < 0.5f * WK_FAR_AWAY;
        all.mask |= (uint16_t)((isUsed ? 1u : 0u) << slot);
    }
    return all;
}

// Counts the entries of the bricks of all cubes, or copies them. Bricks that no sphere was expected in have one
// entry for all points.
static void gatherPass(const wkCloudBuild* build, bool isCopy)
{
    wkFieldCloud* cloud = build->cloud;
    const wkCloudEntry all = entryOfAll(cloud);
    for (int32_t i = 0; i < cubeCount(build); ++i) {
        const wkCubeEntries* made = &build->made[i];
        const wkCloudEntry* from = made->entries;
        int32_t cell[3];
        cellOfCube(build, i, cell);
        for (int part = 0; part < WK_FIELD_EIGHT; ++part) {
            int32_t brick = brickOf(build->grid, cell, part);
            uint32_t count = made->counts[part];
            if (brick >= 0 && build->isBounded[brick] == 0) {
                count = 1;
            }
            if (brick >= 0 && !isCopy) {
                cloud->bricks[brick] = count;
            } else if (brick >= 0 && count > 0) {
                memcpy(&cloud->entries[cloud->bricks[brick]],
                       build->isBounded[brick] == 0 ? &all : from, count * sizeof *from);
            }
            from = from != NULL ? from + made->counts[part] : NULL;
        }
    }
}

// Concatenates the entries of all cubes, in the order of bricks.
static wkResult gatherEntries(const wkCloudBuild* build)
{
    wkFieldCloud* cloud = build->cloud;
    memset(cloud->bricks, 0, (size_t)cloud->startCount * sizeof *cloud->bricks);
    gatherPass(build, false);
    size_t total = 0;
    for (int32_t i = 0; i < cloud->startCount; ++i) {
        uint32_t here = cloud->bricks[i];
        cloud->bricks[i] = (uint32_t)total;
        total += here;
    }
    bool fits = total <= INT32_MAX;
    cloud->entries = (wkCloudEntry*)(fits ? wkAlloc(total * sizeof *cloud->entries) : NULL);
    cloud->entryCount = cloud->entries != NULL ? (int32_t)total : 0;
    if (cloud->entries == NULL && total > 0) {
        return wkFail(wk_errorMemory, "field: no memory for %zu boxes of a cloud", total);
    }
    gatherPass(build, true);
    return wk_ok;
}

static void fillSlice(void* context, int32_t z)
{
    const wkCloudBuild* build = (const wkCloudBuild*)context;
    build->cloud->lanes->fillSlice(build, z + 1);
}

static void fillUnknown(const wkCloudBuild* build)
{
    size_t count = wkFieldCloud_WordBytes(build->cloud) / sizeof(uint32_t);
    for (size_t i = 0; i < count + WK_LANE_PADDING; ++i) {
        build->lower[i] = 0.0f;
        build->upper[i] = WK_CLOUD_FAR;
    }
    memset(build->cloud->words, 0, wkFieldCloud_WordBytes(build->cloud));
}

// The outermost cells stand for the space beyond, which the layers know about.
static void clearOutermost(const wkCloudBuild* build)
{
    const int32_t* count = build->grid->count;
    uint32_t* row = build->cloud->words;
    for (int32_t z = 0; z < count[2]; ++z) {
        for (int32_t y = 0; y < count[1]; ++y, row += count[0]) {
            bool isOuter = z == 0 || z == count[2] - 1 || y == 0 || y == count[1] - 1;
            int32_t step = isOuter ? 1 : count[0] - 1;
            for (int32_t x = 0; x < count[0]; x += step) {
                row[x] = (uint32_t)(WK_FIELD_FAR | WK_FIELD_NONE << 8);
            }
        }
    }
}

static wkResult fillWords(wkCloudBuild* build, const wkParallel* parallel)
{
    int32_t count = cubeCount(build);
    fillUnknown(build);
    memset(build->made, 0, (size_t)count * sizeof *build->made);
    wkRunTasks(parallel, makeCubes, build, build->cubes[1] * build->cubes[2]);
    bool hasFailed = false;
    for (int32_t i = 0; i < count; ++i) {
        hasFailed = hasFailed || build->made[i].hasFailed;
    }
    wkResult result =
        hasFailed ? wkFail(wk_errorMemory, "field: no memory for a cloud") : gatherEntries(build);
    if (result == wk_ok) {
        wkRunTasks(parallel, fillSlice, build, build->grid->count[2] - 2);
        clearOutermost(build);
    }
    for (int32_t i = 0; i < count; ++i) {
        wkFree(build->made[i].entries, build->made[i].count * sizeof(wkCloudEntry));
    }
    return result;
}

wkResult wkFieldCloud_Fill(wkFieldCloud* cloud, const wkField* field, const wkParallel* parallel)
{
    const wkFieldGrid* grid = &cloud->grid;
    wkCloudBuild b;
    memset(&b, 0, sizeof b);
    b.cloud = cloud;
    b.grid = grid;
    b.reach = (float)field->reach;
    b.reachCells = field->reachCells;
    float largest = 0.0f;
    for (int axis = 0; axis < 3; ++axis) {
        b.cubes[axis] = (grid->count[axis] + WK_CLOUD_CUBE - 1) / WK_CLOUD_CUBE;
        largest = fmaxf(largest, fabsf(grid->lower[axis]) + grid->size * (float)grid->count[axis]);
    }
    b.wider = (float)WK_CELL_ROUNDING * grid->size + CELL_FLOAT_ROUNDING * largest;
    double deepest = (double)(cloud->sphere + cloud->slack + b.wider) +
                     (cloud->cloud->radiusOffset != 0 ? cloud->cloud->maxRadius : 0.0);
    b.flatSteps =
        wkStepsBelow((float)((double)grid->bias - deepest), 1.0f / grid->step, WK_FIELD_FAR);
    wkFieldCloud_PlaceOctets(cloud, parallel);
    size_t madeBytes = (size_t)cubeCount(&b) * sizeof *b.made;
    size_t floatBytes = wkFieldCloud_WordBytes(cloud) + WK_LANE_PADDING * sizeof(float);
    size_t brickCount = (size_t)wkField_BrickCount(grid);
    b.lower = (float*)wkAlloc(2 * floatBytes);
    b.isBounded = b.lower != NULL ? (uint8_t*)wkAlloc(brickCount) : NULL;
    b.made = b.isBounded != NULL ? (wkCubeEntries*)wkAlloc(madeBytes) : NULL;
    wkResult result = wk_errorMemory;
    if (b.made != NULL) {
        b.upper = b.lower + floatBytes / sizeof(float);
        memset(b.isBounded, 0, brickCount);
        result = fillWords(&b, parallel);
    } else {
        result = wkFail(result, "field: no memory for a cloud");
    }
    wkFree(b.made, madeBytes);
    wkFree(b.isBounded, brickCount);
    wkFree(b.lower, 2 * floatBytes);
    return result;
}
