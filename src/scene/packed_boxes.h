// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Boxes in groups of eight, groups in groups of eight, up to a single root. The build groups boxes by
// halving along the longest side; afterwards boxes may move, and one sweep refits all groups. Groups
// are addressed by index, without links. For crowds where everything moves; a box can be added only
// by a new build.

#include "base/cpu.h"
#include "scene/broad.h"

// The center of a box, for sorting.
typedef struct wkPackPoint {
    float middle[3];
    int32_t item;
} wkPackPoint;

// Enough for 2^31 boxes.
#define WK_PACK_LEVELS 11

typedef struct wkPackedBoxes {
    // groups of boxes first, then groups of groups, level by level; an empty slot holds a box that overlaps
    // nothing
    wkEightBoxes* groups;
    int32_t* names;      // by slot; -1: empty
    int32_t* slotOf;     // by name; -1: unknown
    wkPackPoint* points; // scratch
    int32_t capacity;
    int32_t count;                      // box slots in use, empty ones included
    int32_t levelCount;                 // the last level has one group; 0: empty
    int32_t levelStart[WK_PACK_LEVELS]; // first group of each level
    double builtSize;                   // sum over all lowest-level groups, when they were built
    int64_t looseCount;                 // boxes changed since sizes were last compared
} wkPackedBoxes;

void wkPackedBoxes_Free(wkPackedBoxes* packed);
wkResult wkPackedBoxes_Reserve(wkPackedBoxes* packed, int32_t capacity);
void wkPackedBoxes_Copy(const wkPackedBoxes* from, wkPackedBoxes* into); // `into` has the capacity

// Orders boxes so that runs of `unit` boxes, a power of eight, are close together, and so is each eighth of a
// run. Writes the order into `points`.
void wkArrangeBoxes(wkPackPoint* points, const wkDynLeaf* items, int32_t count, int32_t unit);

// Builds all groups from scratch.
void wkPackedBoxes_Build(wkPackedBoxes* packed, const wkDynLeaf* items, int32_t count);

// Sets new boxes for names that are present.
// @return ratio by which the lowest-level groups have grown since they were built
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

// Visits, like those of dyn_tree.h.
bool wkPackedBoxes_VisitRay(const wkPackedBoxes* packed, wkVec3d origin, wkVec3d inverseDirection,
                            const double* limit, wkDynVisitFcn* fcn, void* context);
bool wkPackedBoxes_VisitNear(const wkPackedBoxes* packed, const wkFloatBox* box,
                             const double* limit, wkDynVisitFcn* fcn, void* context);

// Compiled once per instruction set.
typedef struct wkPackedBoxKernels {
    bool (*visitPairs)(const wkPackedBoxes* packed, wkDynPairFcn* fcn, void* context);
    // with `cull`, only boxes that pass it
    bool (*visitBox)(const wkPackedBoxes* packed, const wkFloatBox* box, wkCullFcn* cull,
                     wkDynVisitFcn* fcn, void* context);
} wkPackedBoxKernels;

// NULL when the instruction set is not available.
const wkPackedBoxKernels* wkPackedBoxKernelsOf(wkIsa isa);

// Kernels for this machine.
const wkPackedBoxKernels* wkPackedBoxKernelsOfMachine(void);
