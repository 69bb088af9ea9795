// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The walks over the cubes of an occupancy map, over the pairs of cubes of two maps, and over those of a map
// and a tree, whose bounds are lower bounds of a distance. The other body is a box in the frame of the map,
// or a half-space. The query decides what happens at uniform cubes, and how far away they may be to matter.
//
// Bounds are signed squares: where box and cube overlap, no cell of the cube is deeper in the box than the
// least overlap along an axis of either. So the search for the deepest cell culls as much as the
// search for the nearest.

#include "base/cpu.h"
#include "math/frame.h"
#include "query/tree/walk.h"
#include "tree/octree/octree_impl.h"

// A cube of cells during the descent.
typedef struct wkCube {
    wkOctreeLink link; // block of its children; 0: uniform
    float bound;       // no result below the cube is less: the rule of the walk gives its meaning
    uint16_t x;        // key of its lowest cell
    uint16_t y;
    uint16_t z;
    uint8_t depth;
    bool isUnknown; // where uniform
} wkCube;

// Maximum number of cubes that a walk starts with.
#define WK_FEW_CUBES 32

// Unordered cubes, none inside another: all cells near a body.
typedef struct wkCubes {
    int count;
    wkCube cubes[WK_FEW_CUBES];
} wkCubes;

// Which cells of a map count.
typedef struct wkMapView {
    const wkOctree* octree;
    float below; // occupied cells are above this
    bool wantsOccupied;
    bool wantsUnknown;
} wkMapView;

// The other body, in the frame of the map.
typedef struct wkMapBody {
    const wkMat3d* axes; // of the box
    wkVec3d center;      // of the box; a point of the plane
    wkVec3d half;        // of the box; the unit normal of the plane
    bool isFlat;         // a half-space or a plane instead of a box
    bool isBothSided;    // a plane
} wkMapBody;

typedef struct wkMapWalk wkMapWalk;

// A walk over one map. Queries put this first in a struct of their own.
struct wkMapWalk {
    wkMapView view;
    wkMapBody body;
    const wkCubes* start; // cubes to start with; NULL: not known
    bool isVerdict;       // the first cell within reach decides, whichever it is
    double reach;         // signed distances up to here matter; the leaf may lower it
    wkStep (*leaf)(wkMapWalk* walk, const wkCube* cube);
};

typedef struct wkMapsWalk wkMapsWalk;

// A walk over two maps.
struct wkMapsWalk {
    wkMapView a;
    wkMapView b;
    wkFrame aInB;
    double reach;
    wkStep (*leaf)(wkMapsWalk* walk, const wkCube* a, const wkCube* b);
};

typedef struct wkMapTreeWalk wkMapTreeWalk;

// A walk over a map and a tree of boxes.
struct wkMapTreeWalk {
    wkMapView view;
    const wkTree* tree;
    const wkFrame* treeInMap;
    double treeReach;     // its largest coordinate
    const wkCubes* start; // as above
    bool isVerdict;
    double reach;
    // a leaf of the tree, and a cell or a cube that is no larger than it
    wkStep (*leaf)(wkMapTreeWalk* walk, const wkCube* cube, wkLink link);
};

// Half the edge of a cube of that depth, in cells.
WK_FN double wkHalfOfDepth(int depth)
{
    return (double)(1 << (WK_OCTREE_DEPTH - depth)) * 0.5;
}

#define WK_MIDDLE_KEY 32768.0

WK_FN double wkCubeHalf(const wkOctree* octree, const wkCube* cube)
{
    return wkHalfOfDepth(cube->depth) * octree->def.resolution;
}

WK_FN wkVec3d wkCubeCenter(const wkOctree* octree, const wkCube* cube)
{
    double half = wkHalfOfDepth(cube->depth) - WK_MIDDLE_KEY;
    return wkScale(octree->def.resolution,
                   wkVec((double)cube->x + half, (double)cube->y + half, (double)cube->z + half));
}

// Id of a cube as results report it: the number of a part.
WK_FN int64_t wkCubeId(const wkCube* cube)
{
    wkCellKey key = {cube->x, cube->y, cube->z};
    return wkCellIdOf(wkMortonOfKey(key), cube->depth).bits;
}

// Sets the root cube, without a bound. Returns false when no cell counts.
WK_FN bool wkMapRoot(const wkMapView* view, wkCube* root)
{
    const wkOctree* octree = view->octree;
    bool isUnknown = octree->rootValue != octree->rootValue;
    bool hasUnknown = isUnknown || (octree->rootLink & WK_OCTREE_HAS_UNKNOWN) != 0;
    *root = (wkCube){
        .link = octree->rootLink & WK_OCTREE_SLOT, .bound = -INFINITY, .isUnknown = isUnknown};
    return (view->wantsOccupied && octree->rootValue > view->below) ||
           (view->wantsUnknown && hasUnknown);
}

// A child of a cube.
WK_FN wkCube wkCubeChild(const wkCube* cube, const float* values, const wkOctreeLink* links,
                         unsigned i)
{
    unsigned edge = 1u << (WK_OCTREE_DEPTH - 1 - cube->depth);
    wkCube child = {
        .link = links != NULL ? links[i] & WK_OCTREE_SLOT : 0,
        .bound = cube->bound,
        .x = (uint16_t)(cube->x + (i & 1u ? edge : 0u)),
        .y = (uint16_t)(cube->y + (i & 2u ? edge : 0u)),
        .z = (uint16_t)(cube->z + (i & 4u ? edge : 0u)),
        .depth = (uint8_t)(cube->depth + 1),
        .isUnknown = values[i] != values[i],
    };
    return child;
}

// The children of a cube with a block that count.
WK_FN int wkOpenCube(const wkMapView* view, const wkCube* cube, wkCube children[8])
{
    const float* values = wkOctreeValues(view->octree, cube->link, cube->depth);
    const wkOctreeLink* links = wkOctreeLinks(view->octree, cube->link, cube->depth);
    int count = 0;
    for (unsigned i = 0; i < 8; ++i) {
        bool isUnknown = values[i] != values[i];
        bool hasUnknown = isUnknown || (links != NULL && (links[i] & WK_OCTREE_HAS_UNKNOWN) != 0);
        if ((view->wantsOccupied && values[i] > view->below) ||
            (view->wantsUnknown && hasUnknown)) {
            children[count++] = wkCubeChild(cube, values, links, i);
        }
    }
    return count;
}

// Capacity of the stack of cubes: one step pops one and pushes eight, and there are 16 levels.
#define WK_MAP_STACK (WK_FEW_CUBES + WK_OCTREE_DEPTH * 7 + 8)

// Walks with the fastest SIMD kernels.
void wkWalkMap(wkMapWalk* walk);
void wkWalkMaps(wkMapsWalk* walk);
void wkWalkMapTree(wkMapTreeWalk* walk);

// Compiled once per instruction set.
typedef struct wkMapLanes {
    void (*walkMap)(wkMapWalk* walk);
    void (*walkMaps)(wkMapsWalk* walk);
    // whether a cell that counts is within `reach` of an axis-aligned box, or nearly so: then all such
    // cells are in `nearCubes`. Unknown cells must not count
    bool (*findNear)(const wkMapView* view, wkVec3d center, wkVec3d half, double reach,
                     wkCubes* nearCubes);
} wkMapLanes;

const wkMapLanes* wkMapLanesOf(wkIsa isa);
const wkMapLanes* wkMapLanesOfMachine(void);

typedef struct wkMapTreeLanes {
    void (*walkMapTree)(wkMapTreeWalk* walk);
} wkMapTreeLanes;

const wkMapTreeLanes* wkMapTreeLanesOf(wkIsa isa);
const wkMapTreeLanes* wkMapTreeLanesOfMachine(void);
