// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A hierarchy of boxes that change: leaves are inserted, removed and moved. A leaf is named by a number
// that the caller chooses, small and not negative, such as the index of an object in an array; the tree
// stores the node of each. Visits are read-only and use no memory but the stack; no leaf is visited
// twice. Infinite boxes are allowed.

#include "bv/float_box.h"

typedef struct wkDynTree wkDynTree;

// A leaf and its box.
typedef struct wkDynLeaf {
    wkFloatBox box;
    int32_t name;
} wkDynLeaf;

typedef enum wkDynQuality {
    wk_dynFast, // by Morton code
    wk_dynFull, // least expected cost
} wkDynQuality;

wkResult wkDynTree_Create(wkDynTree** tree);
void wkDynTree_Destroy(wkDynTree* tree);

// Makes `into` equal to `from`, in its own memory where that suffices.
// @return wk_errorMemory: `into` is unchanged
wkResult wkDynTree_Copy(const wkDynTree* from, wkDynTree* into);

// Ensures capacity for `leafCount` leaves with names below `nameCount`: no insertion up to there fails.
wkResult wkDynTree_Reserve(wkDynTree* tree, int32_t leafCount, int32_t nameCount);

wkResult wkDynTree_Insert(wkDynTree* tree, const wkDynLeaf* leaf);

// A name that is not in the tree is ignored.
void wkDynTree_Remove(wkDynTree* tree, int32_t name);

// Gives a leaf another box. It keeps its node while its parent's box contains the new box, and is inserted
// again otherwise.
void wkDynTree_Move(wkDynTree* tree, int32_t name, wkFloatBox box);

// Replaces the tree by a new one with these leaves. No two of them have the same name.
// @return wk_errorMemory: the tree is unchanged
wkResult wkDynTree_Build(wkDynTree* tree, const wkDynLeaf* leaves, int32_t count,
                         wkDynQuality quality);

// Finds a better node for one leaf, another leaf each time; costs O(log n). As many steps as there are
// leaves make a tree as good as a full build does.
void wkDynTree_Refine(wkDynTree* tree);

// Expected cost of a query: sum of the surfaces of inner boxes over that of the root.
double wkDynTree_Cost(const wkDynTree* tree);

int32_t wkDynTree_Count(const wkDynTree* tree);

// Bytes of memory in use.
size_t wkDynTree_ByteCount(const wkDynTree* tree);

// Visitors return false to stop, and a visit that was stopped returns false.
typedef bool wkDynVisitFcn(int32_t name, void* context);
typedef bool wkDynPairFcn(int32_t nameA, int32_t nameB, void* context);

// Visits leaves whose boxes overlap a box; touching counts.
bool wkDynTree_VisitBox(const wkDynTree* tree, const wkFloatBox* box, wkDynVisitFcn* fcn,
                        void* context);

// Visits pairs of leaves whose boxes overlap, each pair once.
bool wkDynTree_VisitPairs(const wkDynTree* tree, wkDynPairFcn* fcn, void* context);

// Visits pairs of a leaf of A and one of B.
bool wkDynTree_VisitPairsOf(const wkDynTree* a, const wkDynTree* b, wkDynPairFcn* fcn,
                            void* context);

// Visits leaves that a ray hits before `*limit`, which the visitor may lower; the nearer branch first.
bool wkDynTree_VisitRay(const wkDynTree* tree, wkVec3d origin, wkVec3d inverseDirection,
                        const double* limit, wkDynVisitFcn* fcn, void* context);

// Visits leaves whose boxes are no further from a box than `*limit` by wkFloatBoxGap, the nearer branch
// first; the visitor may lower the limit.
bool wkDynTree_VisitNear(const wkDynTree* tree, const wkFloatBox* box, const double* limit,
                         wkDynVisitFcn* fcn, void* context);

// Visits pairs of leaves in the same way, of one tree or of two.
bool wkDynTree_VisitNearPairs(const wkDynTree* tree, const double* limit, wkDynPairFcn* fcn,
                              void* context);
bool wkDynTree_VisitNearPairsOf(const wkDynTree* a, const wkDynTree* b, const double* limit,
                                wkDynPairFcn* fcn, void* context);
