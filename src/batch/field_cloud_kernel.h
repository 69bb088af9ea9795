// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// SIMD kernels of clouds in a field, and what they share while a cloud is built.

#include "batch/field_build.h"
#include "batch/field_cloud.h"

// Cells along an edge of the cubes that a cloud is built in: two bricks.
#define WK_CLOUD_CUBE (2 * WK_FIELD_SPLIT)

// Stands for a distance beyond all others.
#define WK_CLOUD_FAR 1e9f

// Additional floats after arrays that lanes read past the last cell of.
#define WK_LANE_PADDING 32

// Maximum number of boxes of a cube, a power of two.
#define WK_NEAR_BOXES 4096

// The entries of the bricks of a cube, in the order of the bricks in it.
typedef struct wkCubeEntries {
    wkCloudEntry* entries;
    uint32_t counts[WK_FIELD_EIGHT];
    uint32_t count;
    bool hasFailed; // out of memory
} wkCubeEntries;

// The boxes that matter in a cube, or points where boxes are large. Columns are a cache line apart modulo a page:
// the numbers of one box would evict each other otherwise.
#define WK_NEAR_STRIDE (WK_NEAR_BOXES + 16)
typedef struct wkNearBoxes {
    _Alignas(64) float lower[3][WK_NEAR_STRIDE];
    float upper[3][WK_NEAR_STRIDE];
    float point[3][WK_NEAR_STRIDE];
    uint32_t ids[WK_NEAR_STRIDE];    // eight times the octet, and the slot in it
    uint32_t owners[WK_NEAR_STRIDE]; // the same of the boxes of entries that contain them
    int32_t count;
} wkNearBoxes;

// Scratch of a cube.
typedef struct wkCubeScratch {
    wkNearBoxes boxes;
    uint16_t list[WK_NEAR_BOXES]; // boxes of a brick
    wkCloudEntry entries[WK_FIELD_EIGHT * WK_NEAR_BOXES];
} wkCubeScratch;

// A cloud under construction.
typedef struct wkCloudBuild {
    wkFieldCloud* cloud;
    const wkFieldGrid* grid;
    float reach;       // of cells
    float wider;       // rounding of the position of a cell, in metres
    int32_t flatSteps; // of cells next to points: no distance is below the radius of a point
    int32_t cubes[3];
    const struct wkReach* reachCells; // NULL: all
    uint8_t* isBounded;               // of bricks: 1 where spheres can be
    float* lower; // lower bounds on the distance of points, at the first vertex of each cell
    float* upper; // upper bounds on the same in the middle of each cell
    wkCubeEntries* made;
} wkCloudBuild;

WK_FN size_t wkFieldCloud_WordBytes(const wkFieldCloud* cloud)
{
    return wkField_WordBytes(&cloud->grid);
}

// Fills the arrays of a cloud, of which those with a known size are allocated.
wkResult wkFieldCloud_Fill(wkFieldCloud* cloud, const wkField* field, const wkParallel* parallel);

// Counts the octets of all levels.
void wkFieldCloud_PlanOctets(wkFieldCloud* cloud);

// Computes the boxes of all levels and chooses the level of entries.
void wkFieldCloud_PlaceOctets(wkFieldCloud* cloud, const wkParallel* parallel);

typedef struct wkFieldCloudLanes {
    // computes the boxes of the groups of an octet of the lowest level
    void (*placeOctet)(const wkFieldCloud* cloud, int32_t octet, wkCloudOctet* boxes,
                       wkOctetPoints* points);
    // lists the boxes that matter in some bricks of a cube, and bounds the distances of their cells: `lower`,
    // `upper`, and slopes in the words
    void (*boundCube)(const wkCloudBuild* build, const int32_t cell[3], unsigned parts,
                      wkCubeScratch* scratch, wkCubeEntries* made);
    // writes the words of a layer of cells, all but the outermost
    void (*fillSlice)(const wkCloudBuild* build, int32_t z);
    void (*merge)(const wkFieldGrid* grid, const uint32_t* words, bool isCertain, int32_t count,
                  uint32_t* into);
    bool (*touches)(const wkFieldCloud* cloud, int32_t brick, const float center[3], float radius);
    float (*distance)(const wkFieldCloud* cloud, int32_t brick, const float center[3], float limit);
} wkFieldCloudLanes;

const wkFieldCloudLanes* wkFieldCloudLanesOf(wkIsa isa);
const wkFieldCloudLanes* wkFieldCloudLanesOfMachine(void);
