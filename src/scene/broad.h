// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What a broad phase can be asked: one row of functions for each. It knows boxes by the places of
// their objects and nothing else of them. After `reserve` nothing fails.

#include "bv/eight_boxes.h"
#include "tree/dynamic/dyn_tree.h"
#include "whisker/scene.h"

// Which of the boxes in `lanes` are wanted, a bit for each. Inner ones are boxes about groups, of which
// nothing is wanted if they are not.
typedef unsigned wkCullFcn(const wkEightBoxes* boxes, unsigned lanes, bool areInner, void* context);

typedef struct wkBroadRow {
    const char* name;
    wkResult (*create)(void** broad);
    void (*destroy)(void* broad); // NULL is fine
    // room for objects at places below `capacity`
    wkResult (*reserve)(void* broad, int32_t capacity);
    // makes `into`, which has the same room, equal to `from`
    wkResult (*copy)(const void* from, void* into);
    // takes in new boxes, of objects known and unknown
    void (*set)(void* broad, const wkDynLeaf* items, int32_t count);
    void (*remove)(void* broad, int32_t name); // one that is unknown is ignored
    size_t (*byteCount)(const void* broad);
    // boxes that meet a box; all pairs of boxes that meet
    bool (*visitBox)(const void* broad, const wkFloatBox* box, wkDynVisitFcn* fcn, void* context);
    bool (*visitPairs)(const void* broad, wkDynPairFcn* fcn, void* context);
    // What follows may be NULL, and is done by visits of boxes then. Limits may be lowered by the
    // visitor: see dyn_tree.h, whose functions these are.
    // boxes that meet a box and that `cull` lets through, where they are in groups now
    bool (*hasGroups)(const void* broad);
    bool (*visitGroups)(const void* broad, const wkFloatBox* box, wkCullFcn* cull,
                        wkDynVisitFcn* fcn, void* context);
    // pairs of two, if they are a match; else they are found by visits of boxes
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

extern const wkBroadRow* const wkBroadTable[wk_broadPhaseCount];

// The rows, each in its own file.
extern const wkBroadRow wkBroadTreeRow, wkBroadSweepRow, wkBroadGridRow, wkBroadBruteRow;
