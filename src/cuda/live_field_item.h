// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// One position, cell or sphere of a live field (live_field.h). Code of this header is C, C++ and CUDA.

#include "base/bit_rows.h"
#include "cuda/live_field.h"

#include <float.h>
#include <math.h>
#include <string.h>

// Returns the position of a coordinate, in cells from the first.
WK_FN float wkLivePosition(const wkFieldGrid* grid, int axis, float value)
{
    return (value - grid->lower[axis]) * grid->perMetre;
}

// Returns the cell of a position, or the outermost one. NaN gets the last cell.
WK_FN int32_t wkLiveCell(const wkFieldGrid* grid, int axis, float position)
{
    float inside = position < grid->last[axis] ? position : grid->last[axis];
    return (int32_t)(inside > 0.0f ? inside : 0.0f);
}

// Returns the index of a brick among those of all tiles.
WK_FN int32_t wkLiveBrick(const wkFieldGrid* grid, const int32_t brick[3])
{
    int32_t acrossX = grid->count[0] / WK_LIVE_TILE, acrossY = grid->count[1] / WK_LIVE_TILE;
    int32_t tile = brick[0] / WK_LIVE_SPLIT +
                   acrossX * (brick[1] / WK_LIVE_SPLIT + acrossY * (brick[2] / WK_LIVE_SPLIT));
    int32_t part =
        brick[0] % WK_LIVE_SPLIT +
        WK_LIVE_SPLIT * (brick[1] % WK_LIVE_SPLIT + WK_LIVE_SPLIT * (brick[2] % WK_LIVE_SPLIT));
    return tile * WK_LIVE_PARTS + part;
}

// ---- words ----

// The longest way in a cell and that in another one, in cells: twice its diagonal.
#define WK_LIVE_DIAGONALS 3.4642f

// Returns the word of a cell that is far from the outermost layer.
// @param square of the length between the cell and the nearest one with points, in cells, at most that of the reach and one
// @param largestRadius of points
WK_FN uint32_t wkLiveWord(const wkLiveBuild* build, uint32_t square, float largestRadius)
{
    const wkFieldGrid* grid = &build->field.grid;
    float between = sqrtf((float)square);
    // Below: two roots of three times the rounding of positions; products are off by a few parts in 2^24.
    float lower = (between - 4.0f * WK_LIVE_ROUNDING) * build->sizeBelow - largestRadius;
    float steps = lower * build->perStep;
    uint32_t whole = steps >= (float)WK_FIELD_FAR ? WK_FIELD_FAR
                     : steps > 0.0f               ? (uint32_t)steps
                                                  : 0u;
    // Above: some point is in that cell, wherever it is; beyond the reach, there may be none.
    uint32_t most = (uint32_t)build->reachCells;
    if (square > most * most) {
        return whole | (uint32_t)WK_FIELD_NONE << 8;
    }
    float upper = (between + WK_LIVE_DIAGONALS + 4.0f * WK_LIVE_ROUNDING) * build->sizeAbove -
                  build->leastRadius;
    float gap = (upper * 1.00001f - (float)whole * grid->step) * build->perGapStep + 1.001f;
    // one step at least: a word of zero is that of a cell where everything touches
    uint32_t gaps = gap < (float)WK_FIELD_NONE ? (gap > 1.0f ? (uint32_t)gap : 1u) : WK_FIELD_NONE;
    return whole | gaps << 8;
}

// Returns the word of any cell. In the outermost layer, whatever its radius, a sphere touches. Points there may be beyond
// the grid: where they could be the nearest ones, no upper bound is known.
// @param word as wkLiveWord has it
// @param toEdge cells to the outermost layer: 1 for the cells beside it
WK_FN uint32_t wkLiveWordNearEdge(uint32_t word, uint32_t square, int32_t toEdge)
{
    uint32_t inner = (uint32_t)(toEdge - 1);
    bool isOpen = square >= inner * inner && word != 0;
    return toEdge < 1 ? 0u : isOpen ? word | (uint32_t)WK_FIELD_NONE << 8 : word;
}

// ---- spheres ----

// What a look-up finds.
typedef enum wkLiveFinding {
    wk_liveFree,
    wk_liveOpen,     // the points have to be tested
    wk_liveTouching, //
} wkLiveFinding;

// Checks a sphere by its cell. A radius that is NaN or negative touches.
WK_FN wkLiveFinding wkLiveField_Classify(const wkLiveField* field, float x, float y, float z,
                                         float radius)
{
    const wkFieldGrid* grid = &field->grid;
    if (!field->isKnown || !(radius >= 0.0f)) {
        return wk_liveTouching;
    }
    int32_t cellX = wkLiveCell(grid, 0, wkLivePosition(grid, 0, x));
    int32_t cellY = wkLiveCell(grid, 1, wkLivePosition(grid, 1, y));
    int32_t cellZ = wkLiveCell(grid, 2, wkLivePosition(grid, 2, z));
    uint32_t word = grid->words[cellX + grid->count[0] * (cellY + grid->count[1] * cellZ)];
    uint32_t gap = word >> 8 & WK_FIELD_NONE;
    float least = (float)(word & 0xff) * grid->step; // no plane has a slope
    if (least > radius) {
        return wk_liveFree;
    }
    float most = least + (float)gap * grid->gapStep;
    return gap < WK_FIELD_NONE && most <= radius ? wk_liveTouching : wk_liveOpen;
}

// Returns whether a sphere touches a point. True only where the distance is within one part in 2^19 of the sum of the
// radii, or 1e-18 metres; false only where they do not touch: differences, squares and sums are off by six parts in 2^24.
WK_FN bool wkTouchesLivePoint(wkLivePoint point, float x, float y, float z, float radius)
{
    float dx = point.x - x, dy = point.y - y, dz = point.z - z;
    float limit = (radius + point.radius) * (1.0f + 0x1p-20f) + 1e-18f;
    return !(dx * dx + dy * dy + dz * dz > limit * limit);
}

WK_FN wkLivePoint wkLoadLivePoint(const wkLivePoint* points, uint32_t index)
{
#if defined(__CUDACC__)
    float4 p = ((const float4*)points)[index];
    wkLivePoint point = {p.x, p.y, p.z, p.w};
    return point;
#else
    return points[index];
#endif
}

// A sphere among bricks: its position in cells, and how far it reaches.
typedef struct wkLiveSearch {
    float at[3];
    float limit;
    int32_t first[3], last[3]; // bricks along each axis
} wkLiveSearch;

// Returns how far a position is from the cells of a brick along an axis.
WK_FN float wkBeyondBrick(float at, int32_t brick)
{
    float below = (float)(brick * WK_LIVE_BRICK) - at;
    float above = at - (float)((brick + 1) * WK_LIVE_BRICK);
    float beyond = below > above ? below : above;
    return beyond > 0.0f ? beyond : 0.0f;
}

// Returns bits for indices of bricks along an axis of a tile.
WK_FN uint64_t wkLiveInterval(int32_t tile, int32_t first, int32_t last)
{
    int32_t low = first - tile * WK_LIVE_SPLIT, high = last - tile * WK_LIVE_SPLIT;
    low = low > 0 ? low : 0;
    high = high < WK_LIVE_SPLIT - 1 ? high : WK_LIVE_SPLIT - 1;
    return (2ull << high) - (1ull << low);
}

// Returns the bricks with points in a tile that are in the box of a search.
WK_FN uint64_t wkLiveBricksIn(const wkLiveField* field, const wkLiveSearch* search,
                              const int32_t tile[3])
{
    const wkFieldGrid* grid = &field->grid;
    int32_t acrossX = grid->count[0] / WK_LIVE_TILE, acrossY = grid->count[1] / WK_LIVE_TILE;
    uint64_t mask = field->masks[tile[0] + acrossX * (tile[1] + acrossY * tile[2])];
    if (mask == 0) {
        return 0;
    }
    // bits of the tile: x first
    uint64_t alongX = wkLiveInterval(tile[0], search->first[0], search->last[0]);
    uint64_t alongY = wkLiveInterval(tile[1], search->first[1], search->last[1]);
    uint64_t alongZ = wkLiveInterval(tile[2], search->first[2], search->last[2]);
    alongY = (alongY | alongY << 3 | alongY << 6 | alongY << 9) & 0x1111u;
    alongZ = (alongZ | alongZ << 15 | alongZ << 30 | alongZ << 45) & 0x0001000100010001u;
    return mask & alongX * 0x1111111111111111u & alongY * 0x000f000f000f000fu & alongZ * 0xffffu;
}

// Tests the points of the chosen bricks of a tile.
WK_FN bool wkTouchesInTile(const wkLiveField* field, const wkLiveSearch* search,
                           const int32_t tile[3], uint64_t bricks, float x, float y, float z,
                           float radius)
{
    const wkFieldGrid* grid = &field->grid;
    int32_t acrossX = grid->count[0] / WK_LIVE_TILE, acrossY = grid->count[1] / WK_LIVE_TILE;
    int32_t first = (tile[0] + acrossX * (tile[1] + acrossY * tile[2])) * WK_LIVE_PARTS;
    for (; bricks != 0; bricks &= bricks - 1) {
        int part = wkLowestBit64(bricks);
        float beyondX =
            wkBeyondBrick(search->at[0], tile[0] * WK_LIVE_SPLIT + part % WK_LIVE_SPLIT);
        float beyondY = wkBeyondBrick(search->at[1], tile[1] * WK_LIVE_SPLIT +
                                                         part / WK_LIVE_SPLIT % WK_LIVE_SPLIT);
        float beyondZ = wkBeyondBrick(search->at[2], tile[2] * WK_LIVE_SPLIT +
                                                         part / (WK_LIVE_SPLIT * WK_LIVE_SPLIT));
        float square = beyondX * beyondX + beyondY * beyondY + beyondZ * beyondZ;
        if (square > search->limit * search->limit) {
            continue;
        }
        wkLiveRange range = field->ranges[first + part];
        for (uint32_t i = range.first; i < range.first + range.count; ++i) {
            if (wkTouchesLivePoint(wkLoadLivePoint(field->points, i), x, y, z, radius)) {
                return true;
            }
        }
    }
    return false;
}

// Sets up a search; false where the sphere touches without one.
WK_FN bool wkBeginLiveSearch(const wkLiveField* field, const float center[3], float radius,
                             wkLiveSearch* search)
{
    const wkFieldGrid* grid = &field->grid;
    bool isDecided = field->isKnown && radius >= 0.0f && radius <= field->reach;
    if (!isDecided || field->status->badMark != 0) {
        return false;
    }
    float largest;
    memcpy(&largest, &field->status->largestRadius, sizeof largest);
    search->limit = (radius + largest) * grid->perMetre * 1.00001f + 0.001f;
    for (int axis = 0; axis < 3; ++axis) {
        float at = wkLivePosition(grid, axis, center[axis]);
        int32_t cell = wkLiveCell(grid, axis, at);
        if (cell < 1 || cell >= grid->count[axis] - 1) {
            return false; // points around it may be out of reach
        }
        search->at[axis] = at;
        search->first[axis] = wkLiveCell(grid, axis, at - search->limit) / WK_LIVE_BRICK;
        search->last[axis] = wkLiveCell(grid, axis, at + search->limit) / WK_LIVE_BRICK;
    }
    return true;
}

// Returns whether a sphere touches a point, or is beyond what the field knows: outside its region, or larger than the
// reach. False only where exact arithmetic says so; see wkTouchesLivePoint for how early it is true.
WK_FN bool wkLiveField_Touches(const wkLiveField* field, float x, float y, float z, float radius)
{
    const float center[3] = {x, y, z};
    wkLiveSearch search;
    if (!wkBeginLiveSearch(field, center, radius, &search)) {
        return true;
    }
    int32_t tile[3];
    for (tile[2] = search.first[2] / WK_LIVE_SPLIT; tile[2] <= search.last[2] / WK_LIVE_SPLIT;
         ++tile[2]) {
        for (tile[1] = search.first[1] / WK_LIVE_SPLIT; tile[1] <= search.last[1] / WK_LIVE_SPLIT;
             ++tile[1]) {
            for (tile[0] = search.first[0] / WK_LIVE_SPLIT;
                 tile[0] <= search.last[0] / WK_LIVE_SPLIT; ++tile[0]) {
                uint64_t bricks = wkLiveBricksIn(field, &search, tile);
                if (bricks != 0 && wkTouchesInTile(field, &search, tile, bricks, x, y, z, radius)) {
                    return true;
                }
            }
        }
    }
    return false;
}

// Returns whether a sphere touches: by its cell, and by the points where that leaves it open.
WK_FN bool wkLiveField_Check(const wkLiveField* field, float x, float y, float z, float radius)
{
    wkLiveFinding finding = wkLiveField_Classify(field, x, y, z, radius);
    return finding == wk_liveOpen ? wkLiveField_Touches(field, x, y, z, radius)
                                  : finding == wk_liveTouching;
}
