// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The dynamic tree as a broad phase: which way of changing it suits how many changes.

#include "base/error.h"
#include "base/memory.h"
#include "scene/broad.h"
#include "scene/store.h"

#include <string.h>

// From this share of all boxes on, boxes that move are refitted where they are.
#define REFIT_SHARE 4
// A tree whose cost has grown by so much since it was built is built anew.
#define WORN_COST 1.4
// Paths that are improved with each update.
#define REFINED_COUNT 8

typedef struct treePhase {
    wkDynTree* tree;
    wkStore store;    // the same boxes, to build from
    double builtCost; // when it was new
} treePhase;

static void destroyTree(void* broad)
{
    treePhase* phase = (treePhase*)broad;
    if (phase != NULL) {
        wkDynTree_Destroy(phase->tree);
        wkStore_Free(&phase->store);
        wkFree(phase, sizeof *phase);
    }
}

static wkResult createTree(void** broad)
{
    treePhase* phase = (treePhase*)wkAlloc(sizeof *phase);
    if (phase == NULL) {
        return wkFail(wk_errorMemory, "scene: no memory");
    }
    memset(phase, 0, sizeof *phase);
    wkResult result = wkDynTree_Create(&phase->tree);
    if (result != wk_ok) {
        destroyTree(phase);
        return result;
    }
    *broad = phase;
    return wk_ok;
}

static wkResult reserveTree(void* broad, int32_t capacity)
{
    treePhase* phase = (treePhase*)broad;
    wkResult result = wkDynTree_Reserve(phase->tree, capacity, capacity);
    return result == wk_ok ? wkStore_Reserve(&phase->store, capacity) : result;
}

static wkResult copyTree(const void* from, void* into)
{
    const treePhase* f = (const treePhase*)from;
    treePhase* phase = (treePhase*)into;
    wkResult result = wkDynTree_Copy(f->tree, phase->tree);
    if (result == wk_ok) {
        wkStore_Copy(&f->store, &phase->store);
        phase->builtCost = f->builtCost;
    }
    return result;
}

// @return false when there is no memory for it: the tree is as it was
static bool build(treePhase* phase, wkDynQuality quality)
{
    bool isBuilt =
        wkDynTree_Build(phase->tree, phase->store.items, phase->store.count, quality) == wk_ok;
    phase->builtCost = isBuilt ? wkDynTree_Cost(phase->tree) : phase->builtCost;
    return isBuilt;
}

// The boxes that the tree does not know are the last ones of the store.
static void insertNew(treePhase* phase, int32_t knownCount)
{
    for (int32_t i = knownCount; i < phase->store.count; ++i) {
        // room for it was made before
        (void)wkDynTree_Insert(phase->tree, &phase->store.items[i]);
    }
}

static void moveKnown(treePhase* phase, const wkDynLeaf* items, int32_t count, int32_t knownCount)
{
    for (int32_t i = 0; i < count; ++i) {
        if (phase->store.placeOf[items[i].name] < knownCount) {
            wkDynTree_Move(phase->tree, items[i].name, items[i].box);
        }
    }
}

static void refitAll(treePhase* phase, const wkDynLeaf* items, int32_t count)
{
    wkDynTree_Refit(phase->tree, items, count);
    if (wkDynTree_Cost(phase->tree) > WORN_COST * phase->builtCost) {
        build(phase, wk_dynFast);
    }
}

static void setTree(void* broad, const wkDynLeaf* items, int32_t count)
{
    treePhase* phase = (treePhase*)broad;
    int32_t knownCount = phase->store.count;
    for (int32_t i = 0; i < count; ++i) {
        wkStore_Set(&phase->store, &items[i]);
    }
    int32_t newCount = phase->store.count - knownCount;
    if (newCount >= knownCount && build(phase, wk_dynFull)) {
        return;
    }
    insertNew(phase, knownCount);
    if (count - newCount > knownCount / REFIT_SHARE) {
        refitAll(phase, items, count);
    } else {
        moveKnown(phase, items, count, knownCount);
    }
    for (int i = 0; i < REFINED_COUNT; ++i) {
        wkDynTree_Refine(phase->tree);
    }
}

static void removeTree(void* broad, int32_t name)
{
    treePhase* phase = (treePhase*)broad;
    if (wkStore_Remove(&phase->store, name)) {
        wkDynTree_Remove(phase->tree, name);
    }
}

static size_t treeByteCount(const void* broad)
{
    const treePhase* phase = (const treePhase*)broad;
    return sizeof *phase + wkStore_ByteCount(&phase->store) + wkDynTree_ByteCount(phase->tree);
}

static const wkDynTree* treeOf(const void* broad)
{
    return ((const treePhase*)broad)->tree;
}

static bool visitBoxTree(const void* broad, const wkFloatBox* box, wkDynVisitFcn* fcn,
                         void* context)
{
    return wkDynTree_VisitBox(treeOf(broad), box, fcn, context);
}

static bool visitPairsTree(const void* broad, wkDynPairFcn* fcn, void* context)
{
    return wkDynTree_VisitPairs(treeOf(broad), fcn, context);
}

static bool visitPairsOfTrees(const void* a, const void* b, wkDynPairFcn* fcn, void* context)
{
    return wkDynTree_VisitPairsOf(treeOf(a), treeOf(b), fcn, context);
}

static bool visitRayTree(const void* broad, wkVec3d origin, wkVec3d inverseDirection,
                         const double* limit, wkDynVisitFcn* fcn, void* context)
{
    return wkDynTree_VisitRay(treeOf(broad), origin, inverseDirection, limit, fcn, context);
}

static bool visitNearTree(const void* broad, const wkFloatBox* box, const double* limit,
                          wkDynVisitFcn* fcn, void* context)
{
    return wkDynTree_VisitNear(treeOf(broad), box, limit, fcn, context);
}

static bool visitNearPairsTree(const void* broad, const double* limit, wkDynPairFcn* fcn,
                               void* context)
{
    return wkDynTree_VisitNearPairs(treeOf(broad), limit, fcn, context);
}

static bool visitNearPairsOfTrees(const void* a, const void* b, const double* limit,
                                  wkDynPairFcn* fcn, void* context)
{
    return wkDynTree_VisitNearPairsOf(treeOf(a), treeOf(b), limit, fcn, context);
}

const wkBroadRow wkBroadTreeRow = {
    .name = "tree",
    .create = createTree,
    .destroy = destroyTree,
    .reserve = reserveTree,
    .copy = copyTree,
    .set = setTree,
    .remove = removeTree,
    .byteCount = treeByteCount,
    .visitBox = visitBoxTree,
    .visitPairs = visitPairsTree,
    .visitPairsOf = visitPairsOfTrees,
    .visitRay = visitRayTree,
    .visitNear = visitNearTree,
    .visitNearPairs = visitNearPairsTree,
    .visitNearPairsOf = visitNearPairsOfTrees,
};
