// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Maps of joint values: a verdict for each cell of the one or two variables between two rigid groups. A cell is
// apart where that is proven of all checked bodies of the two groups, for every configuration in the cell. It
// counts as touching where bodies touch at all points of it that were tested, which needs no proof. The other
// cells are open: they count as touching, too, or the tests of pairs of parts decide. Maps are filled when a
// batch is made and never change, and one gather reads the cells of all lanes.
//
// With three variables between two rigid groups, the outermost joint is left out, and the bodies that it rotates
// are replaced by what they sweep (self_sweep.h).

#include "robot/chain.h"

#include <math.h>

#define WK_MAP_VARIABLES 2

// Cells along a variable, as powers of two: of a map of one variable, and of a map of two.
#define WK_MAP_LINE_LEVELS 12
#define WK_MAP_PLANE_LEVELS 9

// Values that are looked up, in radians or metres: floats resolve these well.
#define WK_MAP_REACH 8.0
// Distance outside the first and the last cell that still belongs to them.
#define WK_MAP_TOLERANCE 1e-5

// Two bodies that a map is about.
typedef struct wkMapBodies {
    const wkCollisionBody* a;
    const wkCollisionBody* b;
} wkMapBodies;

// One block of memory that means the same wherever it lies: the words are at an offset.
typedef struct wkSelfMap {
    size_t byteCount; // of the map with its words
    int32_t variableCount;
    int32_t variables[WK_MAP_VARIABLES];
    int32_t count;                     // cells along each variable, a power of two
    float lower[WK_MAP_VARIABLES];     // where the first cell begins
    float scale[WK_MAP_VARIABLES];     // cells per radian or metre
    bool isWhole[WK_MAP_VARIABLES];    // values a full revolution apart are the same
    float tolerance[WK_MAP_VARIABLES]; // WK_MAP_TOLERANCE in cells
    bool settles;   // touching cells touch; false: the tests of pairs decide about these, too
    bool decides;   // open cells count as touching; false: the tests of pairs decide about them
    size_t wordsAt; // offset of the words in bytes from the start
} wkSelfMap;

// Returns the words of a map: 16 cells each; those along the last variable are consecutive.
WK_FN const uint32_t* wkMapWords(const wkSelfMap* map)
{
    return (const uint32_t*)(const void*)((const char*)map + map->wordsAt);
}

// Bits of a cell. Zero: open.
typedef enum wkMapVerdict {
    wk_mapOpen = 0,
    wk_mapApart = 1,
    wk_mapTouching = 2,
    wk_mapOutside = 4, // the configuration is not in the map
} wkMapVerdict;

#define WK_MAP_WORD_CELLS 16

typedef struct wkBatch wkBatch;

// What a map is made from.
typedef struct wkSelfMapDef {
    wkChain chain;               // with one to three variables
    const wkMapBodies* bodies;   // checked pairs of bodies at the ends of the chain
    int32_t bodyPairCount;       //
    const wkCollisionBody** ofA; // all different bodies of these pairs
    const wkCollisionBody** ofB;
    int32_t countA, countB;
} wkSelfMapDef;

// Returns whether a map of these joints can be made: few variables within reach.
bool wkCanMapChain(const wkChain* chain);

// Makes and fills a map.
// @param map set to NULL on failure
// @return wk_errorMemory
wkResult wkSelfMap_Create(const wkBatch* batch, const wkSelfMapDef* def, wkSelfMap** map);
void wkSelfMap_Destroy(wkSelfMap* map);

// Returns the verdict of a map about a configuration.
wkMapVerdict wkSelfMap_Find(const wkSelfMap* map, const double* q);
