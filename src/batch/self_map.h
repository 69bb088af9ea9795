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

#include "batch/self_map_view.h"
#include "robot/chain.h"

#include <math.h>

// Two bodies that a map is about.
typedef struct wkMapBodies {
    const wkCollisionBody* a;
    const wkCollisionBody* b;
} wkMapBodies;

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
