// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Interface of a broad phase: one table of functions for each kind. A broad phase stores boxes, each
// named by the slot of its object, and nothing else. After `reserve` succeeds no function can fail.

#include "bv/eight_boxes.h"
#include "tree/dynamic/dyn_tree.h"
#include "whisker/detail/counts.h"
#include "whisker/scene.h"

// Returns a bit for each box in `lanes` that passes the cull. Inner boxes bound groups of boxes; where an
// inner box is culled, its whole group is.
typedef unsigned wkCullFcn(const wkEightBoxes* boxes, unsigned lanes, void* context);

typedef struct wkBroadRow {
    const char* name;
    wkResult (*create)(void** broad);
    void (*destroy)(void* broad); // accepts NULL
    // allocates for objects in slots below `capacity`
    wkResult (*reserve)(void* broad, int32_t capacity);
    // makes `into`, which has the same capacity, equal to `from`
    wkResult (*copy)(const void* from, void* into);
    // inserts or updates boxes, of known and unknown objects
    void (*set)(void* broad, const wkDynLeaf* items, int32_t count);
    void (*remove)(void* broad, int32_t name); // an unknown name is ignored
    size_t (*byteCount)(const void* broad);
    // boxes that overlap a box; all pairs of boxes that overlap
    bool (*visitBox)(const void* broad, const wkFloatBox* box, wkDynVisitFcn* fcn, void* context);
    bool (*visitPairs)(const void* broad, wkDynPairFcn* fcn, void* context);
    // The functions below may be NULL; box visits are used instead. The visitor may lower the limit:
    // see dyn_tree.h, which has the same functions.
    // `visitGroups`: boxes that overlap a box and pass `cull`, available while `hasGroups` returns true
    bool (*hasGroups)(const void* broad);
    bool (*visitGroups)(const void* broad, const wkFloatBox* box, wkCullFcn* cull,
                        wkDynVisitFcn* fcn, void* context);
    // pairs of two broad phases, if `isMatch`; else pairs are found by box visits
    bool (*isMatch)(const void* a, const void* b);
    bool (*visitPairsOf)(const void* a, const void* b, wkDynPairFcn* fcn, void* context);
    bool (*visitRay)(const void* broad, wkVec3d origin, wkVec3d inverseDirection,
                     const double* limit, wkDynVisitFcn* fcn, void* context);
    bool (*visitNear)(const void* broad, const wkFloatBox* box, const double* limit,
                      wkDynVisitFcn* fcn, void* context);
    bool (*visitNearPairs)(const void* broad, const double* limit, wkDynPairFcn* fcn,
                           void* context);
    bool (*visitNearPairsOf)(const void* a, const void* b, const double* limit, wkDynPairFcn* fcn,
                             void* context);
} wkBroadRow;

extern const wkBroadRow* const wkBroadTable[WK_BROAD_PHASE_COUNT];

// The tables, each in its own file.
extern const wkBroadRow wkBroadTreeRow, wkBroadSweepRow, wkBroadGridRow, wkBroadBruteRow;
