// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Cells of a map: their keys and ids, and the value of one.

#include "base/assert.h"
#include "base/error.h"
#include "math/vec.h"
#include "tree/octree/octree_impl.h"

#define MIDDLE (1 << (WK_OCTREE_DEPTH - 1))
#define KEY_COUNT (1 << WK_OCTREE_DEPTH)

const char* wkCellStateName(wkCellState state)
{
    static const char* const names[] = {
        [wk_cellUnknown] = "unknown",
        [wk_cellFree] = "free",
        [wk_cellOccupied] = "occupied",
    };
    bool isState = state >= wk_cellUnknown && state <= wk_cellOccupied;
    return names[isState ? state : wk_cellUnknown];
}

static uint64_t mortonMask(int depth)
{
    return ((uint64_t)1 << 3 * (WK_OCTREE_DEPTH - depth)) - 1u;
}

wkCellId wkMakeCellId(wkCellKey key, int32_t depth)
{
    WK_ASSERT(depth >= 0 && depth <= WK_OCTREE_DEPTH);
    int32_t safe = depth < 0 ? 0 : (depth > WK_OCTREE_DEPTH ? WK_OCTREE_DEPTH : depth);
    return wkCellIdOf(wkMortonOfKey(key) & ~mortonMask(safe), safe);
}

wkCell wkOctreeMakeCell(const wkOctree* octree, uint64_t morton, int depth, float value,
                        float threshold)
{
    bool isKnown = !isnan(value);
    int32_t edge = 1 << (WK_OCTREE_DEPTH - depth);
    double half = 0.5 * edge - MIDDLE;
    wkCellKey key = wkKeyOfMorton(morton);
    wkCell cell = {
        .id = wkCellIdOf(morton, depth),
        .key = key,
        .depth = depth,
        .state = !isKnown ? wk_cellUnknown : (value >= threshold ? wk_cellOccupied : wk_cellFree),
        .logOdds = isKnown ? value : 0.0f,
        .probability = isKnown ? wkProbabilityOf(value) : 0.5,
        .center = wkScale(octree->def.resolution, wkVec(key.x + half, key.y + half, key.z + half)),
        .size = octree->def.resolution * edge,
    };
    return cell;
}

static bool keyAlongAxis(double cellsPerMetre, double coordinate, uint16_t* key)
{
    double cell = floor(cellsPerMetre * coordinate) + MIDDLE;
    bool isInside = cell >= 0.0 && cell < KEY_COUNT;
    *key = isInside ? (uint16_t)cell : 0;
    return isInside;
}

bool wkOctree_KeyAt(const wkOctree* octree, wkVec3d point, wkCellKey* key)
{
    double cellsPerMetre = 1.0 / octree->def.resolution; // then a product, as OctoMap rounds it
    return keyAlongAxis(cellsPerMetre, point.x, &key->x) &&
           keyAlongAxis(cellsPerMetre, point.y, &key->y) &&
           keyAlongAxis(cellsPerMetre, point.z, &key->z);
}

static bool rangeAlongAxis(double cellsPerMetre, double lower, double upper, uint16_t* lowest,
                           uint16_t* highest)
{
    double first = floor(cellsPerMetre * lower + WK_LEAST_OVERLAP) + MIDDLE;
    double last = ceil(cellsPerMetre * upper - WK_LEAST_OVERLAP) - 1.0 + MIDDLE;
    last = wkMaxD(first, last);
    if (!(lower <= upper) || first >= KEY_COUNT || last < 0.0) {
        return false;
    }
    *lowest = (uint16_t)wkMaxD(first, 0.0);
    *highest = (uint16_t)wkMinD(last, KEY_COUNT - 1);
    return true;
}

bool wkOctreeKeyRange(const wkOctree* octree, wkAabb box, wkCellKey* lowest, wkCellKey* highest)
{
    double cellsPerMetre = 1.0 / octree->def.resolution;
    wkVec3d lower = box.lower, upper = box.upper;
    return rangeAlongAxis(cellsPerMetre, lower.x, upper.x, &lowest->x, &highest->x) &&
           rangeAlongAxis(cellsPerMetre, lower.y, upper.y, &lowest->y, &highest->y) &&
           rangeAlongAxis(cellsPerMetre, lower.z, upper.z, &lowest->z, &highest->z);
}

// Finds the cube of that depth, or a larger uniform one around it.
static wkCell findCell(const wkOctree* octree, uint64_t morton, int maxDepth)
{
    wkOctreeChild cube = {octree->rootValue, octree->rootLink};
    int depth = 0;
    while (cube.link != 0 && depth < maxDepth) {
        cube = wkOctreeChildAt(octree, cube.link, depth, wkOctreeChildIndex(morton, depth));
        ++depth;
    }
    float value = wkOctreeMixedValue(cube, octree->occupied, wk_mixUnknown);
    return wkOctreeMakeCell(octree, morton & ~mortonMask(depth), depth, value, octree->occupied);
}

wkCell wkOctree_CellAt(const wkOctree* octree, wkCellKey key)
{
    return findCell(octree, wkMortonOfKey(key), WK_OCTREE_DEPTH);
}

wkResult wkOctree_FindCell(const wkOctree* octree, wkCellId id, wkCell* cell)
{
    if (octree == NULL || cell == NULL) {
        return wkFail(wk_errorArgument, "octree: the map or the output pointer is NULL");
    }
    int depth = wkDepthOfCellId(id);
    uint64_t morton = (uint64_t)id.bits >> WK_CELL_DEPTH_BITS;
    if (depth < 0 || depth > WK_OCTREE_DEPTH || morton > mortonMask(0) ||
        (morton & mortonMask(depth)) != 0) {
        return wkFail(wk_errorRange, "octree: %lld is not the id of a cell", (long long)id.bits);
    }
    *cell = findCell(octree, morton, depth);
    return wk_ok;
}
