// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The points of a sensor as a clearance field in the memory of a GPU, made again for every frame, with objects
// (live_object.h).
//
// Space is divided into cells (batch/field_grid.h), and these are grouped into bricks of 2 x 2 x 2 cells, which list their
// points, and tiles of 4 x 4 x 4 bricks, which have a bit for each brick that has points. The outermost layer of cells is
// no part of the region where spheres are decided: there, and beyond, every sphere touches. Points beyond the region
// within reach of it are in the outermost cells.
//
// Update: a thread for each point finds its cell, sets the bit of the cell and counts the point in its brick; bricks
// receive ranges of the list; points are written there. A distance transform of the bits in two passes, along x and y,
// then along z, gives how many whole cells are between each cell and the nearest one with points, and the word of the cell.
//
// Why this is a bound: a position moves no further away from points of the region when both are moved to the nearest
// positions in the grid, so points beyond the grid may count as points of its outermost cells. What is between two cells
// is between all their positions.
//
// Check: one look-up decides most spheres. For the others the points of the bricks that the sphere reaches are tested
// (live_field_item.h). Sums, bits and ranges may be made in any order: no answer depends on the order of the list.

#include "base/compiler.h"
#include "batch/field_grid.h"
#include "cuda/live_object.h"
#include "math/frame.h"
#include "tree/cloud/cloud_view.h"

#include <cuda_runtime_api.h>

#ifdef __cplusplus
extern "C" {
#endif

// Cells along an edge: of bricks, of tiles, and of the grid at most.
#define WK_LIVE_BRICK 2
#define WK_LIVE_TILE 8
#define WK_LIVE_MOST_CELLS 256

// Bricks along the edge of a tile, and in a tile.
#define WK_LIVE_SPLIT (WK_LIVE_TILE / WK_LIVE_BRICK)
#define WK_LIVE_PARTS (WK_LIVE_SPLIT * WK_LIVE_SPLIT * WK_LIVE_SPLIT)

// Cells that the reach covers, at most: squares of distances are numbers of 16 bits, and sums of two of them, too.
#define WK_LIVE_MOST_REACH 120

// Rounding of a position in the grid, in cells: the difference to the lower vertex and a product, which are off by one part
// in 2^24 each, and numbers up to 256. Twice, for a point and a sphere.
#define WK_LIVE_ROUNDING 1e-4f

// A point in the frame of the field; its radius includes that of all points and what rounding has moved the point by.
typedef struct wkLivePoint {
    float x, y, z, radius; // read and written as one float4
} wkLivePoint;

// A sphere of the robot itself in the frame of the field, made smaller by all rounding.
typedef struct wkLiveOwn {
    float x, y, z, squaredRadius; // read as one float4
} wkLiveOwn;

// Where the points of a brick are in the list. Undefined for bricks without points.
typedef struct wkLiveRange {
    uint32_t first, count;
} wkLiveRange;

// What kernels find out about points. Zeros before.
typedef struct wkLiveStatus {
    uint32_t takenCount;     // in the list
    uint32_t notFiniteCount; // left out
    uint32_t beyondCount;    // left out: out of reach
    uint32_t ownCount;       // left out: on the robot itself
    uint32_t largestRadius;  // the bits of a float
    uint32_t badMark;        // UINT32_MAX less the first point whose radius is not valid; 0: none
} wkLiveStatus;

// What a check reads. All pointers are to memory of the device.
typedef struct wkLiveField {
    wkFieldGrid grid; // counts are multiples of WK_LIVE_TILE
    float reach;      // larger spheres touch
    bool isKnown;     // else every sphere touches
    const uint64_t* masks;
    const wkLiveRange* ranges;
    const wkLivePoint* points;
    const wkLiveStatus* status;
} wkLiveField;

// What an update writes.
typedef struct wkLiveBuild {
    wkLiveField field; // its pointers are those below
    uint32_t* words;
    uint64_t* masks;
    wkLiveRange* ranges;
    wkLivePoint* points;
    wkLiveStatus* status;
    uint32_t* counts; // of points in each brick, in the order of tiles; zeros before and after
    uint32_t*
        bits; // of cells with points, x first, rows of `bitPitch` words; zeros before and after
    uint32_t* wordOf;     // words of squares of distances
    uint16_t* squares;    // of distances along x and y, in cells
    wkLivePoint* taken;   // points in their order
    uint32_t* ranks;      // of these among those of the brick; WK_LIVE_NOT_TAKEN
    int32_t bitPitch;     //
    int32_t brickCount;   //
    int32_t pointCount;   // of the frame
    int32_t reachCells;   // cells that are looked through to each side
    float leastRadius;    // of all points
    float sizeBelow;      // of cells, rounded down
    float sizeAbove;      // rounded up
    float reachPositions; // `reach` in cells, rounded up
    float perStep;        // steps of planes for each metre, rounded down by one part in 10^5
    float perGapStep;     // of gaps, rounded up
    // of whole cells between cells whose indices differ by so many, twice: for two cells at once
    uint32_t squareOf[WK_LIVE_MOST_REACH + 16];
} wkLiveBuild;

#define WK_LIVE_NOT_TAKEN UINT32_MAX

// Points of a frame, or of a piece of it.
typedef struct wkLiveTake {
    wkLiveBuild build;
    wkCloudLayout layout;
    int64_t firstPoint;   // index of the first of them in the frame
    wkFrame frame;        // of the points in that of the field
    double radius;        // of all points, and what rounding may move a point by
    bool isAligned;       // as wkIsAligned has it
    const wkLiveOwn* own; // points inside are left out
    int32_t ownCount;
} wkLiveTake;

// Counts points, finds their cells, and keeps them in their order.
cudaError_t wkLaunchLiveTake(const wkLiveTake* take, cudaStream_t stream);

// Gives every brick with points its range of the list.
cudaError_t wkLaunchLiveRanges(const wkLiveBuild* build, cudaStream_t stream);

// Writes points into the list.
cudaError_t wkLaunchLiveList(const wkLiveBuild* build, cudaStream_t stream);

// Finds distances along x and y.
cudaError_t wkLaunchLiveSquares(const wkLiveBuild* build, cudaStream_t stream);

// Finds distances and writes the words of all cells.
cudaError_t wkLaunchLiveWords(const wkLiveBuild* build, cudaStream_t stream);

// Objects of a field, whose lists are made when they change. Pointers are to memory of the device.
typedef struct wkLiveObjectBuild {
    wkLiveBuild build;
    wkLiveObjects objects;
    const wkLiveBounds* bounds; // by object
    uint32_t* list;
    wkLiveRange* tiles; // with `listCount` behind them: zeros before wkLaunchLiveTiles
    uint32_t* listCount;
    float cellRadius; // of spheres around cells, rounding included
} wkLiveObjectBuild;

// Makes the lists of tiles.
cudaError_t wkLaunchLiveTiles(const wkLiveObjectBuild* objects, cudaStream_t stream);

// Sets the bits of the cells that objects may be in.
cudaError_t wkLaunchLiveMarks(const wkLiveObjectBuild* objects, cudaStream_t stream);

// Spheres to be checked. Pointers are to memory of the device.
typedef struct wkLiveSpheres {
    wkLiveField field;
    double origin[3];     // of the field in the frame of the spheres
    const float* spheres; // x, y, z, radius; aligned to 16 bytes
    int64_t count;
    float rounding;    // by which a center may move
    uint8_t* verdicts; // wkVerdict
    wkLiveObjects objects;
} wkLiveSpheres;

cudaError_t wkLaunchLiveCheck(const wkLiveSpheres* spheres, cudaStream_t stream);

#ifdef __cplusplus
}
#endif
