// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Keeps one point of each voxel: by a table, or, where the voxels are too many for it or too far apart, by sorting.

#include "base/isa_table.h"
#include "sense/filter/filter_impl.h"
#include "sense/filter/voxel_kernel.h"

WK_DEFINE_LANES(const wkVoxelLanes, wkVoxelLanes)
WK_DEFINE_LANES(const wkSharedVoxelLanes, wkSharedVoxelLanes)

// Numbers of voxels that lanes compute with: their differences are at most INT32_MAX.
#define MAX_VOXEL 0x1p30

// The square of half the diagonal of a voxel, as a share of its squared size, and a little more.
#define SQUARED_HALF_DIAGONAL 0.7501

// The diagonal of a voxel, as a share of its size, with the rounding of its sides.
#define DIAGONAL (1.7320508075688774 * (1.0 + 1e-6))

static int bitsFor(double count)
{
    int bits = 0;
    while (ldexp(1.0, bits) < count) {
        ++bits;
    }
    return bits;
}

int wkMakeVoxelGrid(const wkPointSet* set, double size, int most, wkVoxelGrid* grid)
{
    *grid = (wkVoxelGrid){.inverse = 1.0f / (float)size, .size = (float)size};
    grid->rankScale =
        (float)(ldexp(1.0, WK_VOXEL_RANK_BITS) / (SQUARED_HALF_DIAGONAL * size * size));
    int bits = 0;
    for (int axis = 0; axis < 3; ++axis) {
        float lowest = floorf(set->lower[axis] * grid->inverse);
        float highest = floorf(set->upper[axis] * grid->inverse);
        if (!(fabs((double)lowest) < MAX_VOXEL && fabs((double)highest) < MAX_VOXEL)) {
            return 0;
        }
        double last = (double)highest - (double)lowest; // exact, as in lanes
        grid->lowest[axis] = (int32_t)lowest;
        grid->blocks[axis] = (uint32_t)(last / 4.0) + 1;
        grid->shifts[axis] = bits;
        bits += bitsFor(last + 1.0);
    }
    return bits <= most ? bits + (bits == 0) : 0;
}

// Keeps the least of each voxel that has a number.
static void keepLeast(const wkPointSet* set, bool hasCentroids)
{
    const wkVoxelTable* table = &set->table;
    uint32_t mask = (1u << table->indexBits) - 1u;
    for (uint32_t voxel = 0; voxel < table->voxelCount; ++voxel) {
        uint32_t index = table->least[voxel] & mask;
        set->isRemoved[index] = 0;
        if (hasCentroids) {
            table->voxels[index] = voxel;
        }
    }
}

// Fills a table in one pass.
// @return false: it is full
static bool fillDense(wkFilterRun* run, const wkVoxelGrid* grid, bool hasCentroids)
{
    wkPointSet* set = &run->set;
    bool isFilled = wkVoxelLanesOfMachine()->fillTable(run, grid, hasCentroids, &set->table);
    if (isFilled) {
        memset(set->isRemoved, 1, (size_t)set->count);
        wkSumAllVoxels(&set->table, set->count);
    }
    return isFilled;
}

bool wkFindVoxels(wkFilterRun* run, double size, bool hasCentroids)
{
    wkPointSet* set = &run->set;
    const wkSharedVoxelLanes* shared = wkSharedVoxelLanesOfMachine();
    int indexBits = wkIndexBits(set->count);
    wkVoxelGrid grid;
    int keyBits = wkMakeVoxelGrid(set, size, 64 - indexBits - WK_VOXEL_RANK_BITS, &grid);
    if (keyBits == 0 || !wkClearVoxelTable(&set->table, &grid, indexBits)) {
        return false;
    }
    set->table.shift = wkVoxelShift(&grid, indexBits);
    if (!shared->fillTable(run, &grid, hasCentroids, false, &set->table)) {
        wkClearVoxelTable(&set->table, &grid, indexBits);
        if (!fillDense(run, &grid, hasCentroids)) {
            wkClearVoxelTable(&set->table, &grid, indexBits);
            shared->fillTable(run, &grid, hasCentroids, true, &set->table);
        }
    }
    keepLeast(set, hasCentroids);
    return true;
}

double wkVoxelReach(const wkPointSet* set, double size)
{
    float extent = 0.0f, inverse = 1.0f / (float)size;
    for (int axis = 0; axis < 3; ++axis) {
        extent = fmaxf(extent, fmaxf(fabsf(set->lower[axis]), fabsf(set->upper[axis])));
    }
    // points that were moved nearer, and those whose number of a voxel no float holds, are in one voxel
    bool isKnown = extent < (float)WK_FURTHEST_FLOAT && isfinite(extent * inverse);
    return isKnown ? DIAGONAL * size + (double)extent * WK_FILTER_ROUNDING : INFINITY;
}
