// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Boxes in groups of eight, these in groups again, up to a single one. What belongs together is
// found by halving along the longest side; after that boxes may change where they are, and all
// groups are fitted anew in one sweep. Groups have their places by number: there is nothing to
// link. For crowds in which everything moves; boxes that are not in it cannot be added.

#include "base/cpu.h"
#include "scene/broad.h"

// The middle of a box, for sorting.
typedef struct wkPackPoint {
    float middle[3];
    int32_t item;
} wkPackPoint;

// Enough for 2^31 boxes.
#define WK_PACK_LEVELS 11

typedef struct wkPackedBoxes {
    // of boxes first, then those of groups, level by level; a place without a box has one that meets
    // nothing
    wkEightBoxes* groups;
    int32_t* names;      // by place; -1: nobody
    int32_t* slotOf;     // by name; -1: unknown
    wkPackPoint* points; // spare room
    int32_t capacity;
    int32_t count;                      // places of boxes in use, empty ones included
    int32_t levelCount;                 // the last level has one group; 0: there is nothing
    int32_t levelStart[WK_PACK_LEVELS]; // first group of each level
    double builtSize;                   // of all groups of boxes together, when they were new
    int64_t looseCount;                 // boxes changed since it was last compared with that
} wkPackedBoxes;

void wkPackedBoxes_Free(wkPackedBoxes* packed);
wkResult wkPackedBoxes_Reserve(wkPackedBoxes* packed, int32_t capacity);
void wkPackedBoxes_Copy(const wkPackedBoxes* from, wkPackedBoxes* into); // `into` has the room

// Everything anew.
void wkPackedBoxes_Build(wkPackedBoxes* packed, const wkDynLeaf* items, int32_t count);

// New boxes of names that are in it.
// @return how much larger groups of boxes have become since they were built
double wkPackedBoxes_Refit(wkPackedBoxes* packed, const wkDynLeaf* items, int32_t count);

void wkPackedBoxes_Remove(wkPackedBoxes* packed, int32_t name);

WK_FN size_t wkPackedBoxes_GroupCapacity(int32_t capacity)
{
    return (size_t)capacity / (WK_GROUP - 1) + WK_PACK_LEVELS + 1;
}

WK_FN size_t wkPackedBoxes_ByteCount(const wkPackedBoxes* packed)
{
    return packed->capacity == 0
               ? 0
               : wkPackedBoxes_GroupCapacity(packed->capacity) * sizeof *packed->groups +
                     ((size_t)packed->capacity + WK_GROUP) * sizeof *packed->names +
                     (size_t)packed->capacity * (sizeof *packed->slotOf + sizeof *packed->points);
}

// Visits, as those of dyn_tree.h.
bool wkPackedBoxes_VisitRay(const wkPackedBoxes* packed, wkVec3d origin, wkVec3d inverseDirection,
                            const double* limit, wkDynVisitFcn* fcn, void* context);
bool wkPackedBoxes_VisitNear(const wkPackedBoxes* packed, const wkFloatBox* box,
                             const double* limit, wkDynVisitFcn* fcn, void* context);

// Compiled once per instruction set.
typedef struct wkPackedBoxKernels {
    bool (*visitPairs)(const wkPackedBoxes* packed, wkDynPairFcn* fcn, void* context);
    // with `cull`, only what that lets through
    bool (*visitBox)(const wkPackedBoxes* packed, const wkFloatBox* box, wkCullFcn* cull,
                     wkDynVisitFcn* fcn, void* context);
} wkPackedBoxKernels;

// NULL when the instruction set is not present.
const wkPackedBoxKernels* wkPackedBoxKernelsOf(wkIsa isa);

// Those of this machine.
const wkPackedBoxKernels* wkPackedBoxKernelsOfMachine(void);
