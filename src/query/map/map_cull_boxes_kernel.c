// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Eight boxes descend a map together: neighbouring bodies are near the same cubes, so one walk serves
// all of them. Keys alone decide; no bounds are computed and no order is kept.

#include "query/map/cube_bounds.h"
#include "query/map/map_cull_boxes.h"
#include "query/pair/rotate_boxes.h"

// Rounding bound of an end of a box, in cells: keys are relative to the first entry cell, or to the end of
// the space, where floats are coarser.
#define KEY_ROUNDING 0.02f

// Eight boxes in cells of the map; ends that are NaN cull nothing.
typedef struct keyBoxes {
    wkEight lower[3];
    wkEight upper[3];
} keyBoxes;

// A cube, and the boxes that reach it.
typedef struct culledCube {
    wkOctreeLink link;
    int32_t packedKey[3]; // of its lowest cell, relative like the ends of the boxes
    int32_t depth;
    unsigned lanes;
} culledCube;

// Sets the boxes enlarged by the reach, in cells relative to `first`.
WK_FORCE_FN void placeBoxes(const wkMapBoxCull* cull, const wkEightBoxes* boxes, wkVec3d apart,
                            double reach, const int32_t first[3], keyBoxes* keys)
{
    const float from[3] = {(float)apart.x, (float)apart.y, (float)apart.z};
    wkEight middle[3], half[3], wide = wkSplat8((float)wkSumAbs(apart));
    wkEight two = wkSplat8(0.5f);
    for (int k = 0; k < 3; ++k) {
        wkEight lower = wkMul8(two, wkLoad8(boxes->lower[k]));
        wkEight upper = wkMul8(two, wkLoad8(boxes->upper[k]));
        middle[k] = wkSub8(wkAdd8(lower, upper), wkSplat8(from[k]));
        half[k] = wkSub8(upper, lower);
        wide = wkAdd8(wide, wkAdd8(wkAbs8(middle[k]), half[k]));
    }
    if (!cull->isStraight) {
        wkRotateBoxes(&cull->worldFromMap, middle, half);
    }
    double resolution = cull->view.octree->def.resolution;
    double wider = (reach + cull->wider) * (1.0 + WK_BOUND_ROUNDING) / resolution;
    wkEight perCell = wkSplat8((float)(1.0 / resolution));
    wide = wkMul8(wkMul8(wide, wkSplat8((float)WK_BOUND_ROUNDING)), perCell);
    wide = wkAdd8(wide, wkSplat8(wider < 1e30 ? (float)wider + KEY_ROUNDING : INFINITY));
    for (int k = 0; k < 3; ++k) {
        wkEight center =
            wkAdd8(wkMul8(middle[k], perCell), wkSplat8((float)(WK_MIDDLE_KEY - (double)first[k])));
        wkEight around = wkAdd8(wkMul8(half[k], perCell), wide);
        keys->lower[k] = wkSub8(center, around);
        keys->upper[k] = wkAdd8(center, around);
    }
}

// Finds the boxes that reach each entry cell along an axis.
WK_FORCE_FN void meetEntryGrid(const keyBoxes* keys, int axis, int32_t edge,
                               unsigned met[WK_ENTRY_GRID_SIDE])
{
    for (int i = 0; i < WK_ENTRY_GRID_SIDE; ++i) {
        wkEight begin = wkSplat8((float)(i * edge)), end = wkSplat8((float)((i + 1) * edge));
        met[i] = wkNotAbove8(keys->lower[axis], end) & wkNotAbove8(begin, keys->upper[axis]);
    }
}

// Pushes the entry cells of one row along x that boxes reach. @return their number
WK_FORCE_FN int enterRow(const wkMapBoxCull* cull, int y, int z, unsigned lanes,
                         const unsigned met[WK_ENTRY_GRID_SIDE], culledCube* stack)
{
    const wkOctreeEntryGrid* entryGrid = cull->entryGrid;
    int32_t edge = 1 << (WK_OCTREE_DEPTH - entryGrid->depth);
    int count = 0;
    for (int x = 0; x < WK_ENTRY_GRID_SIDE; ++x) {
        int slot = x + WK_ENTRY_GRID_SIDE * (y + WK_ENTRY_GRID_SIDE * z);
        if ((lanes & met[x]) != 0 && entryGrid->values[slot] > cull->view.below) {
            stack[count++] = (culledCube){.link = entryGrid->links[slot],
                                          .packedKey = {x * edge, y * edge, z * edge},
                                          .depth = entryGrid->depth,
                                          .lanes = lanes & met[x]};
        }
    }
    return count;
}

// Pushes the entry cells that boxes reach, not always children of one cube. @return their number
WK_FORCE_FN int enterEntryGrid(const wkMapBoxCull* cull, const keyBoxes* keys, unsigned lanes,
                               culledCube* stack)
{
    int32_t edge = 1 << (WK_OCTREE_DEPTH - cull->entryGrid->depth);
    unsigned met[3][WK_ENTRY_GRID_SIDE];
    for (int k = 0; k < 3; ++k) {
        meetEntryGrid(keys, k, edge, met[k]);
    }
    int count = 0;
    for (int z = 0; z < WK_ENTRY_GRID_SIDE; ++z) {
        unsigned layer = lanes & met[2][z];
        for (int y = 0; y < WK_ENTRY_GRID_SIDE && layer != 0; ++y) {
            if ((layer & met[1][y]) != 0) {
                count += enterRow(cull, y, z, layer & met[1][y], met[0], &stack[count]);
            }
        }
    }
    return count;
}

// Pushes the root.
WK_FORCE_FN int enterRoot(const wkMapBoxCull* cull, unsigned lanes, culledCube* stack)
{
    wkCube root;
    if (!wkMapRoot(&cull->view, &root)) {
        return 0;
    }
    stack[0] = (culledCube){.link = root.link, .lanes = lanes};
    return 1;
}

// Pushes the children that boxes reach. @return boxes that reach uniform cells
WK_FORCE_FN unsigned openCube(const wkMapView* view, const keyBoxes* keys, const culledCube* cube,
                              culledCube* stack, int* count)
{
    const float* values = wkOctreeValues(view->octree, cube->link, cube->depth);
    const wkOctreeLink* links = wkOctreeLinks(view->octree, cube->link, cube->depth);
    int32_t edge = 1 << (WK_OCTREE_DEPTH - 1 - cube->depth);
    unsigned sides[3][2];
    for (int k = 0; k < 3; ++k) {
        wkEight plane = wkSplat8((float)(cube->packedKey[k] + edge));
        sides[k][0] = wkNotAbove8(keys->lower[k], plane);
        sides[k][1] = wkNotAbove8(plane, keys->upper[k]);
    }
    unsigned met = 0;
    for (unsigned mask = wkCountedOf(view, values, links); mask != 0; mask &= mask - 1) {
        unsigned i = (unsigned)__builtin_ctz(mask);
        unsigned x = i & 1u, y = i >> 1 & 1u, z = i >> 2;
        unsigned here = cube->lanes & sides[0][x] & sides[1][y] & sides[2][z];
        wkOctreeLink link = links != NULL ? links[i] & WK_OCTREE_SLOT : 0;
        if (here != 0 && link == 0) {
            met |= here;
        } else if (here != 0) {
            stack[(*count)++] = (culledCube){
                .link = link,
                .packedKey = {cube->packedKey[0] + (x != 0 ? edge : 0),
                              cube->packedKey[1] + (y != 0 ? edge : 0),
                              cube->packedKey[2] + (z != 0 ? edge : 0)},
                .depth = cube->depth + 1,
                .lanes = here,
            };
        }
    }
    return met;
}

unsigned WK_KERNEL(wkCullBoxes)(const wkMapBoxCull* cull, const wkEightBoxes* boxes, wkVec3d origin,
                                double reach, unsigned lanes);

unsigned WK_KERNEL(wkCullBoxes)(const wkMapBoxCull* cull, const wkEightBoxes* boxes, wkVec3d origin,
                                double reach, unsigned lanes)
{
    const wkOctreeEntryGrid* entryGrid = cull->entryGrid;
    bool hasEntryGrid = entryGrid->depth > 0;
    int32_t first[3];
    for (int k = 0; k < 3; ++k) {
        first[k] = hasEntryGrid ? entryGrid->lowest[k] << (WK_OCTREE_DEPTH - entryGrid->depth) : 0;
    }
    keyBoxes keys;
    placeBoxes(cull, boxes, wkSub(cull->position, origin), reach, first, &keys);
    culledCube stack[WK_MAP_STACK + WK_ENTRY_COUNT];
    int count =
        hasEntryGrid ? enterEntryGrid(cull, &keys, lanes, stack) : enterRoot(cull, lanes, stack);
    unsigned met = 0;
    while (count > 0 && met != lanes) {
        culledCube cube = stack[--count];
        cube.lanes &= ~met;
        if (cube.link == 0) {
            met |= cube.lanes;
        } else if (cube.lanes != 0) {
            met |= openCube(&cull->view, &keys, &cube, stack, &count);
        }
    }
    return met;
}
