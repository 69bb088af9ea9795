// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Gathers the cubes of a map that overlap an axis-aligned box, by their keys alone: for SIMD kernels.
// Verdicts start here, as most bodies are small compared to a map and meet few of its cells. All cubes of
// one depth are opened before the next depth, so that their memory accesses overlap. Whether a child
// counts is unpredictable, so no branch depends on it.

#include "query/map/cube_bounds.h"

#include <string.h>

// Cube positions have ten bits for each axis, of which these are used.
#define WK_PACKED_KEY_BITS 10
#define WK_SIDE_BITS 5

WK_FORCE_FN uint32_t wkPackKey(uint32_t x, uint32_t y, uint32_t z)
{
    return x | y << WK_PACKED_KEY_BITS | z << 2 * WK_PACKED_KEY_BITS;
}

WK_FORCE_FN uint32_t wkAlongKey(uint32_t key, int axis)
{
    return key >> WK_PACKED_KEY_BITS * axis & ((1u << WK_PACKED_KEY_BITS) - 1u);
}

// The cubes of one depth that overlap the box, with capacity for eight that do not.
typedef struct wkKeyLayer {
    int depth;
    int32_t lowest[3]; // the first along each axis, in cubes
    int32_t more[3];   // number of cubes after it
    int count;         // of cubes that count
    wkOctreeLink links[WK_FEW_CUBES + 8];
    uint32_t keys[WK_FEW_CUBES + 8]; // relative to the lowest
} wkKeyLayer;

// Makes an empty layer. @return false when the box is too large for it
WK_FORCE_FN bool wkBeginLayer(const wkKeyBox* keys, int depth, wkKeyLayer* layer)
{
    int shift = WK_OCTREE_DEPTH - depth;
    bool isSmall = true;
    for (int k = 0; k < 3; ++k) {
        layer->lowest[k] = keys->lower[k] >> shift;
        layer->more[k] = (keys->upper[k] >> shift) - layer->lowest[k];
        isSmall = isSmall && layer->more[k] < 1 << WK_SIDE_BITS;
    }
    layer->depth = depth;
    layer->count = 0;
    return isSmall;
}

// Makes the first layer: cells of the entry grid, or the root. Clips the keys to the entry grid.
// @return false when there are too many
WK_FORCE_FN bool wkEnterLayers(const wkMapView* view, wkKeyBox* keys, wkKeyLayer* layer)
{
    const wkOctreeEntryGrid* entryGrid = &view->octree->entryGrid;
    if (entryGrid->depth == 0) {
        wkBeginLayer(keys, 0, layer);
        layer->links[0] = view->octree->rootLink;
        layer->keys[0] = 0;
        layer->count = 1;
        return true;
    }
    int shift = WK_OCTREE_DEPTH - entryGrid->depth;
    for (int k = 0; k < 3; ++k) {
        int32_t lower = entryGrid->lowest[k] << shift,
                upper = lower + (WK_ENTRY_GRID_SIDE << shift) - 1;
        keys->lower[k] = keys->lower[k] > lower ? keys->lower[k] : lower;
        keys->upper[k] = keys->upper[k] < upper ? keys->upper[k] : upper;
    }
    wkBeginLayer(keys, entryGrid->depth, layer);
    const int32_t* more = layer->more;
    if ((more[0] < 0) | (more[1] < 0) | (more[2] < 0)) {
        return true;
    }
    if ((more[0] > 1) | (more[1] > 1) | (more[2] > 1)) {
        return false;
    }
    int32_t first = 0;
    for (int k = 2; k >= 0; --k) {
        first = first * WK_ENTRY_GRID_SIDE + layer->lowest[k] - entryGrid->lowest[k];
    }
    for (int32_t z = 0; z <= more[2]; ++z) {
        for (int32_t y = 0; y <= more[1]; ++y) {
            for (int32_t x = 0; x <= more[0]; ++x) {
                int32_t slot = first + x + WK_ENTRY_GRID_SIDE * (y + WK_ENTRY_GRID_SIDE * z);
                layer->links[layer->count] = entryGrid->links[slot];
                layer->keys[layer->count] = wkPackKey((uint32_t)x, (uint32_t)y, (uint32_t)z);
                layer->count += entryGrid->values[slot] > view->below ? 1 : 0;
            }
        }
    }
    return true;
}

WK_FORCE_FN wkCube wkCubeInLayer(const wkKeyLayer* layer, int i)
{
    int shift = WK_OCTREE_DEPTH - layer->depth;
    uint32_t key = layer->keys[i];
    wkCube cube = {
        .link = layer->links[i] & WK_OCTREE_SLOT,
        .bound = -INFINITY,
        .x = (uint16_t)((layer->lowest[0] + (int32_t)wkAlongKey(key, 0)) << shift),
        .y = (uint16_t)((layer->lowest[1] + (int32_t)wkAlongKey(key, 1)) << shift),
        .z = (uint16_t)((layer->lowest[2] + (int32_t)wkAlongKey(key, 2)) << shift),
        .depth = (uint8_t)layer->depth,
    };
    return cube;
}

// For each position along an axis, the children of cubes there that the box overlaps.
typedef struct wkLayerSides {
    uint8_t children[3][1 << WK_SIDE_BITS];
} wkLayerSides;

WK_FORCE_FN void wkSetSides(const wkKeyLayer* layer, const wkKeyLayer* below, wkLayerSides* sides)
{
    static const uint8_t low[3] = {0x55, 0x33, 0x0f};
    memset(sides, 0xff, sizeof *sides);
    for (int k = 0; k < 3; ++k) {
        int32_t highest = below->lowest[k] + below->more[k];
        sides->children[k][0] &= below->lowest[k] & 1 ? (uint8_t)~low[k] : 0xff;
        sides->children[k][layer->more[k]] &= highest & 1 ? 0xff : low[k];
    }
}

WK_FORCE_FN unsigned wkOverlappedAt(const wkLayerSides* sides, uint32_t key)
{
    return (unsigned)(sides->children[0][wkAlongKey(key, 0)] &
                      sides->children[1][wkAlongKey(key, 1)] &
                      sides->children[2][wkAlongKey(key, 2)]);
}

// Positions of the children relative to the lowest one.
static const uint32_t wkChildKeys[8] = {0x000000u, 0x000001u, 0x000400u, 0x000401u,
                                        0x100000u, 0x100001u, 0x100400u, 0x100401u};

// Position of the lowest cube of a layer relative to the lowest child of its parent.
WK_FORCE_FN uint32_t wkFirstKey(const wkKeyLayer* layer)
{
    const int32_t* lowest = layer->lowest;
    return wkPackKey((uint32_t)lowest[0] & 1u, (uint32_t)lowest[1] & 1u, (uint32_t)lowest[2] & 1u);
}

// Opens all cubes of a layer. Uniform ones are appended to `found`, which had `foundCount`.
// @return their new number; -1 when the layer below has no capacity for all others
WK_FORCE_FN int wkOpenLayer(const wkMapView* view, const wkKeyLayer* layer, wkKeyLayer* below,
                            wkCube* found, int foundCount)
{
    static const wkOctreeLink noLinks[8] = {0}; // for single cells
    uint32_t before = wkFirstKey(below);
    wkLayerSides sides;
    wkSetSides(layer, below, &sides);
    int count = 0;
    for (int i = 0; i < layer->count; ++i) {
        if ((layer->links[i] & WK_OCTREE_SLOT) == 0) {
            found[foundCount++] = wkCubeInLayer(layer, i);
            continue;
        }
        const float* values = wkOctreeValues(view->octree, layer->links[i], layer->depth);
        const wkOctreeLink* links = wkOctreeLinks(view->octree, layer->links[i], layer->depth);
        unsigned mask = ~wkNotAbove8(wkLoad8(values), wkSplat8(view->below)) &
                        wkOverlappedAt(&sides, layer->keys[i]);
        wkPackLanes8(mask, links != NULL ? links : noLinks, 0, &below->links[count]);
        wkPackLanes8(mask, wkChildKeys, 2 * layer->keys[i] - before, &below->keys[count]);
        count += __builtin_popcount(mask);
        if (count + foundCount > WK_FEW_CUBES) {
            return -1;
        }
    }
    below->count = count;
    return count + foundCount > WK_FEW_CUBES ? -1 : foundCount;
}

// Gathers the cubes that overlap the box and count, down to the depth where they are still few: single
// cells and larger uniform cubes, or all of one depth. Unknown cells must not count, and the root
// must.
// @return their number; -1 when there are too many at the start
WK_FORCE_FN int wkGatherCubes(const wkMapView* view, wkKeyBox keys, wkCube found[WK_FEW_CUBES])
{
    wkKeyLayer layers[2];
    wkKeyLayer *layer = &layers[0], *below = &layers[1];
    if (!wkEnterLayers(view, &keys, layer)) {
        return -1;
    }
    int foundCount = 0;
    while (layer->count > 0 && layer->depth < WK_OCTREE_DEPTH &&
           wkBeginLayer(&keys, layer->depth + 1, below)) {
        int next = wkOpenLayer(view, layer, below, found, foundCount);
        if (next < 0) {
            break;
        }
        foundCount = next;
        wkKeyLayer* opened = layer;
        layer = below;
        below = opened;
    }
    for (int i = 0; i < layer->count; ++i) {
        found[foundCount++] = wkCubeInLayer(layer, i);
    }
    return foundCount;
}

// Bounds of up to eight cubes, `half` is the largest of their halves.
WK_FORCE_FN wkEight wkBoundFew(const wkBoxBody* box, const wkOctree* octree, const wkCube* cubes,
                               int count, double* half)
{
    _Alignas(32) float keys[3][8] = {{0.0f}}, halves[8] = {0.0f};
    *half = 0.0;
    for (int i = 0; i < count; ++i) {
        wkVec3d between = wkSub(wkCubeCenter(octree, &cubes[i]), box->center);
        double own = wkCubeHalf(octree, &cubes[i]);
        keys[0][i] = (float)between.x;
        keys[1][i] = (float)between.y;
        keys[2][i] = (float)between.z;
        halves[i] = (float)own;
        *half = wkMaxD(*half, own);
    }
    const wkEight apart[3] = {wkLoad8(keys[0]), wkLoad8(keys[1]), wkLoad8(keys[2])};
    return wkBoundApart(box, apart, wkLoad8(halves));
}

// Keeps those of a few cubes whose bounds are within `reach`, the likeliest of each eight last; `size` is
// that of the box, for rounding.
// @return their number
WK_FORCE_FN int wkCullFew(const wkBoxBody* box, const wkOctree* octree, const wkCubes* few,
                          double reach, double size, wkCube* culled)
{
    int found = 0;
    for (int first = 0; first < few->count; first += 8) {
        const wkCube* cubes = &few->cubes[first];
        int count = few->count - first < 8 ? few->count - first : 8;
        double half;
        wkEight eight = wkBoundFew(box, octree, cubes, count, &half);
        _Alignas(32) float bounds[8];
        wkStore8(bounds, eight);
        unsigned mask = wkNotAbove8(eight, wkSplat8(wkBoundLimit(reach, half + size)));
        int order[8] = {0};
        int nearCount = wkSortSlots(mask & ((1u << count) - 1u), bounds, order);
        for (int i = 0; i < nearCount; ++i) {
            culled[found] = cubes[order[i]];
            culled[found++].bound = bounds[order[i]];
        }
    }
    return found;
}
