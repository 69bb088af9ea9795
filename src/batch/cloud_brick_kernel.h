// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Bounds on the distance of a cloud at the vertices of the cells of a brick, and in their middles. Inline, for SIMD
// files.

#include "batch/cloud_near_kernel.h"

// Vectors for the 16 points of a layer of a brick.
#define WK_BRICK_GROUPS (16 / WK_FLOAT_LANES)

// Positions of the first vertices of the cells of a brick.
typedef struct brickVertices {
    _Alignas(64) float x[16];
    float y[16];
    float z[WK_FIELD_SPLIT];
} brickVertices;

static void placeBrick(const wkFieldGrid* grid, const int32_t cell[3], brickVertices* vertices)
{
    for (int i = 0; i < 16; ++i) {
        int column = i % WK_FIELD_SPLIT, row = i / WK_FIELD_SPLIT;
        vertices->x[i] = grid->lower[0] + grid->size * (float)(cell[0] + column);
        vertices->y[i] = grid->lower[1] + grid->size * (float)(cell[1] + row);
    }
    for (int z = 0; z < WK_FIELD_SPLIT; ++z) {
        vertices->z[z] = grid->lower[2] + grid->size * (float)(cell[2] + z);
    }
}

WK_FORCE_FN wkFloatW outsideOf(wkFloatW at, float lower, float upper)
{
    wkFloatW out = wkMaxF(wkSubF(wkSplatF(lower), at), wkSubF(at, wkSplatF(upper)));
    return wkMaxF(out, wkSplatF(0.0f));
}

// Computes squared distances between the vertices of a brick and the nearest box.
static void boundBelow(const wkNearBoxes* boxes, const uint16_t* list, int32_t count,
                       const brickVertices* vertices, float squares[WK_FIELD_SPLIT][16])
{
    wkFloatW x[WK_BRICK_GROUPS], y[WK_BRICK_GROUPS], least[WK_BRICK_GROUPS][WK_FIELD_SPLIT];
    wkQuad z, zero = wkQuadOf(0.0f);
    memcpy(&z, vertices->z, sizeof z);
    for (int g = 0; g < WK_BRICK_GROUPS; ++g) {
        x[g] = wkLoadF(&vertices->x[g * WK_FLOAT_LANES]);
        y[g] = wkLoadF(&vertices->y[g * WK_FLOAT_LANES]);
        for (int k = 0; k < WK_FIELD_SPLIT; ++k) {
            least[g][k] = wkSplatF(WK_CLOUD_FAR * WK_CLOUD_FAR);
        }
    }
    for (int32_t i = 0; i < count; ++i) {
        int32_t box = list[i];
        wkQuad up =
            wkMaxQuad(wkQuadOf(boxes->lower[2][box]) - z, z - wkQuadOf(boxes->upper[2][box]));
        up = wkMaxQuad(up, zero);
        up = up * up;
        for (int g = 0; g < WK_BRICK_GROUPS; ++g) {
            wkFloatW outX = outsideOf(x[g], boxes->lower[0][box], boxes->upper[0][box]);
            wkFloatW outY = outsideOf(y[g], boxes->lower[1][box], boxes->upper[1][box]);
            wkFloatW flat = wkAddF(wkMulF(outX, outX), wkMulF(outY, outY));
            for (int k = 0; k < WK_FIELD_SPLIT; ++k) {
                least[g][k] = wkMinF(least[g][k], wkAddF(flat, wkSplatF(up[k])));
            }
        }
    }
    for (int g = 0; g < WK_BRICK_GROUPS; ++g) {
        for (int k = 0; k < WK_FIELD_SPLIT; ++k) {
            wkStoreF(&squares[k][g * WK_FLOAT_LANES], least[g][k]);
        }
    }
}

// Finds points that are near the middle of each of the eight parts of a brick.
static void findPoints(const wkCloudBuild* build, const wkNearBoxes* boxes, const uint16_t* list,
                       int32_t count, const brickVertices* vertices,
                       float points[3][WK_FIELD_EIGHT])
{
    float size = build->grid->size;
    _Alignas(32) float middles[3][WK_FIELD_EIGHT], found[WK_FIELD_EIGHT];
    for (int part = 0; part < WK_FIELD_EIGHT; ++part) {
        int half[3] = {part % 2, part / 2 % 2, part / 4};
        middles[0][part] = vertices->x[0] + size * (float)(1 + 2 * half[0]);
        middles[1][part] = vertices->y[0] + size * (float)(1 + 2 * half[1]);
        middles[2][part] = vertices->z[0] + size * (float)(1 + 2 * half[2]);
    }
    wkEight x = wkLoad8(middles[0]), y = wkLoad8(middles[1]), z = wkLoad8(middles[2]);
    wkEight least = wkSplat8(FLT_MAX), best = wkSplat8(0.0f);
    for (int32_t i = 0; i < count; ++i) {
        int32_t box = list[i];
        wkEight toX = wkSub8(x, wkSplat8(boxes->point[0][box]));
        wkEight toY = wkSub8(y, wkSplat8(boxes->point[1][box]));
        wkEight toZ = wkSub8(z, wkSplat8(boxes->point[2][box]));
        wkEight square = wkAdd8(wkAdd8(wkMul8(toX, toX), wkMul8(toY, toY)), wkMul8(toZ, toZ));
        best = wkPickGreater8(least, square, wkSplat8((float)box), best);
        least = wkMin8(least, square);
    }
    wkStore8(found, best);
    for (int part = 0; part < WK_FIELD_EIGHT; ++part) {
        for (int axis = 0; axis < 3; ++axis) {
            points[axis][part] = boxes->point[axis][(int32_t)found[part]];
        }
    }
}

// Returns a slope in whole numbers, rounded to nearest.
WK_FORCE_FN wkFloatW wkRoundSlope(wkFloatW slope)
{
    wkFloatW large = wkSplatF(0x1.8p23f), most = wkSplatF((float)WK_FIELD_STEEPEST);
    slope = wkMaxF(wkMinF(slope, most), wkSubF(wkSplatF(0.0f), most));
    return wkSubF(wkAddF(slope, large), large);
}

WK_FORCE_FN wkIntW wkSlopeBits(wkFloatW slope, int shift)
{
    return wkShiftLeftI(wkAndI(wkTruncateF(slope), wkSplatI(63)), shift);
}

// Stores the distances of a brick, and the slopes of its cells: those of the distance from the point of their
// part.
static void storeBrick(const wkCloudBuild* build, const int32_t cell[3],
                       const brickVertices* vertices, float squares[WK_FIELD_SPLIT][16],
                       float points[3][WK_FIELD_EIGHT])
{
    const wkFieldGrid* grid = build->grid;
    wkFloatW half = wkSplatF(0.5f * grid->size);
    _Alignas(64) float from[3][16]; // points of the cells of a layer, and of the one above
    for (int k = 0; k < WK_FIELD_SPLIT; ++k) {
        _Alignas(64) float lower[16], upper[16];
        _Alignas(64) int32_t words[16];
        for (int i = 0; i < 16 && k % 2 == 0; ++i) {
            int part = i / 2 % 2 + 2 * (i / 8) + 4 * (k / 2);
            for (int axis = 0; axis < 3; ++axis) {
                from[axis][i] = points[axis][part];
            }
        }
        for (int at = 0; at < 16; at += WK_FLOAT_LANES) {
            wkFloatW x = wkAddF(wkSubF(wkLoadF(&vertices->x[at]), wkLoadF(&from[0][at])), half);
            wkFloatW y = wkAddF(wkSubF(wkLoadF(&vertices->y[at]), wkLoadF(&from[1][at])), half);
            wkFloatW z = wkAddF(wkSubF(wkSplatF(vertices->z[k]), wkLoadF(&from[2][at])), half);
            wkFloatW away = wkSqrtF(wkAddF(wkAddF(wkMulF(x, x), wkMulF(y, y)), wkMulF(z, z)));
            wkFloatW scale =
                wkDivF(wkSplatF((float)(WK_FIELD_STEEPEST + 1)), wkMaxF(away, wkSplatF(1e-9f)));
            wkIntW word = wkSlopeBits(wkRoundSlope(wkMulF(x, scale)), 14);
            word = wkOrI(word, wkSlopeBits(wkRoundSlope(wkMulF(y, scale)), 20));
            word = wkOrI(word, wkSlopeBits(wkRoundSlope(wkMulF(z, scale)), 26));
            wkStoreF(&lower[at], wkSqrtF(wkLoadF(&squares[k][at])));
            wkStoreF(&upper[at], away);
            wkStoreI(&words[at], word);
        }
        for (int y = 0; y < WK_FIELD_SPLIT; ++y) {
            size_t at = (size_t)cell[0] +
                        (size_t)grid->count[0] * ((size_t)(cell[1] + y) +
                                                  (size_t)grid->count[1] * (size_t)(cell[2] + k));
            memcpy(&build->lower[at], &lower[4 * y], 4 * sizeof *lower);
            memcpy(&build->upper[at], &upper[4 * y], 4 * sizeof *upper);
            memcpy(&build->cloud->words[at], &words[4 * y], 4 * sizeof *words);
        }
    }
}

// Stores that a brick is beyond the reach of the cloud.
static uint32_t farBrick(const wkCloudBuild* build, const int32_t cell[3])
{
    const wkFieldGrid* grid = build->grid;
    for (int i = 0; i < 16; ++i) {
        size_t at = (size_t)cell[0] +
                    (size_t)grid->count[0] * ((size_t)(cell[1] + i % 4) +
                                              (size_t)grid->count[1] * (size_t)(cell[2] + i / 4));
        for (size_t x = at; x < at + WK_FIELD_SPLIT; ++x) {
            build->lower[x] = build->upper[x] = WK_CLOUD_FAR;
            build->cloud->words[x] = 0;
        }
    }
    return 0;
}

// Bounds the distances of a brick, and lists its boxes. @return number of entries
static uint32_t boundBrick(const wkCloudBuild* build, const int32_t cell[3], wkCubeScratch* scratch,
                           wkCloudEntry* entries)
{
    const wkNearBoxes* boxes = &scratch->boxes;
    wkCubeSearch search = wkCubeSearchOf(build, cell, WK_FIELD_SPLIT);
    if (boxes->count == 0) {
        return farBrick(build, cell);
    }
    wkFindNearestPoint(&search, boxes);
    int32_t count = wkSelectNearBoxes(&search, boxes, scratch->list);
    brickVertices vertices;
    _Alignas(64) float squares[WK_FIELD_SPLIT][16], points[3][WK_FIELD_EIGHT];
    placeBrick(build->grid, cell, &vertices);
    boundBelow(boxes, scratch->list, count, &vertices, squares);
    findPoints(build, boxes, scratch->list, count, &vertices, points);
    storeBrick(build, cell, &vertices, squares, points);
    return wkMakeCloudEntries(build->cloud, boxes, scratch->list, count, entries);
}

static void wkBoundCube(const wkCloudBuild* build, const int32_t cell[3], unsigned parts,
                        wkCubeScratch* scratch, wkCubeEntries* made)
{
    const wkFieldCloud* cloud = build->cloud;
    wkCubeSearch search = wkCubeSearchOf(build, cell, WK_CLOUD_CUBE);
    uint32_t top = (uint32_t)cloud->firsts[cloud->levelCount - 1];
    search.boxes = &scratch->boxes;
    search.boxes->count = 0;
    unsigned used = wkNotAbove8(wkLoad8(cloud->octets[top].lower[0]), wkSplat8(0.5f * WK_FAR_AWAY));
    wkDescendToNearest(&search, top, cloud->levelCount - 1, used);
    wkVisitNearBoxes(&search, top, cloud->levelCount - 1, used, 0);
    wkPadBoxes(search.boxes);
    made->count = 0;
    for (int part = 0; part < WK_FIELD_EIGHT; ++part) {
        const int32_t first[3] = {cell[0] + part % 2 * WK_FIELD_SPLIT,
                                  cell[1] + part / 2 % 2 * WK_FIELD_SPLIT,
                                  cell[2] + part / 4 * WK_FIELD_SPLIT};
        bool isReached = (parts >> part & 1u) != 0;
        made->counts[part] =
            isReached ? boundBrick(build, first, scratch, &scratch->entries[made->count]) : 0;
        made->count += made->counts[part];
    }
}
