// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A scan that is being inserted into a map.
//
// Points are processed in independent slices, each piece by piece. First they become ends of rays, of
// which each cell needs one; then all rays are traced; at last the cells that they hit are marked, which
// takes precedence over being crossed.

#include "tree/octree/octree_grid.h"
#include "tree/octree/octree_sparse.h"

#define WK_PIECES_PER_SLICE 16
#define WK_POINTS_PER_SLICE (WK_POINTS_PER_PIECE * WK_PIECES_PER_SLICE)

// Reads the points of a piece, in the frame of the scan. Called by several threads at once.
// @return their number
typedef int32_t wkReadPieceFcn(const void* context, int32_t number, wkPiece* piece);

// The source of the points of a scan.
typedef struct wkPointSource {
    wkReadPieceFcn* read;
    const void* context;
    int32_t pieceCount;
} wkPointSource;

// An end of a ray: the key of the cell whose center it is, or the index of a kept point.
typedef uint64_t wkScanEnd;
#define WK_END_IS_POINT ((wkScanEnd)1 << 62)
#define WK_END_IS_FAR ((wkScanEnd)1 << 63)
#define WK_END_IS_NOWHERE UINT64_MAX // a point that is in no cell

typedef struct wkScanSlice {
    int32_t first;     // first end, and first kept point
    int32_t endCount;  // ends from there on
    int32_t keptCount; // points
    int32_t lowest[3];
    int32_t highest[3]; // keys of all ends
    wkScanInfo report;
} wkScanSlice;

typedef struct wkScanJob {
    const wkScan* scan;
    wkGridRaySource source;
    const wkPointSource* points;
    float* kept; // points that are ends, in the map; NULL: none are kept
    wkScanEnd* ends;
    wkScanSlice* slices;
    int32_t sliceCount;
    wkScanGrid grid;
    wkBrickTable table;
    wkSortKey* keys; // of bricks, and as many for sorting
    int32_t keyCapacity;
} wkScanJob;

// Converts points to ends, slice by slice.
void wkTakePoints(wkScanJob* job);

// Computes the cells of the points of a piece.
void wkPackPiece(const wkGridRaySource* source, const wkPiece* piece, int32_t count,
                 wkScanEnd* ends);

WK_FN void wkUnpackEnd(wkScanEnd end, int32_t key[3])
{
    key[0] = (int32_t)(end & 0xffff);
    key[1] = (int32_t)(end >> 16 & 0xffff);
    key[2] = (int32_t)(end >> 32 & 0xffff);
}

// Computes the end point of a ray. @return whether the range limits it
bool wkPlaceEnd(const wkScanJob* job, wkScanEnd end, float endPoint[3]);

// Key of the cell that the ray ends in without a range.
void wkKeyOfEnd(const wkScanJob* job, wkScanEnd end, int32_t key[3]);

// Traces all rays, and lists the bricks with their changes, in any order: in a grid with no more cells
// than the job's own limit, or in a table.
// @return false when out of memory
bool wkTraceEnds(wkScanJob* job, const wkScanSlice* sum, wkBrickList* list);

size_t wkKeyBytes(const wkScanJob* job);

// Inserts a scan whose points come from `points`: the points of the scan itself are ignored.
wkResult wkInsertScan(wkOctree* octree, const wkScan* scan, const wkPointSource* points,
                      wkScanInfo* report);
