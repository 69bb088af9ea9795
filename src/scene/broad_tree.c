// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The dynamic tree as a broad phase. A crowd, where many objects move in every update, is kept in
// groups instead (packed_boxes.h), which refit in a fraction of the time. Adding objects switches
// back to the tree.

#include "base/error.h"
#include "base/memory.h"
#include "scene/broad.h"
#include "scene/broad_pairs.h"
#include "scene/packed_boxes.h"
#include "scene/store.h"

#include <string.h>

// An update of more than 1/CROWD_SHARE of the boxes switches to groups.
#define CROWD_SHARE 16
// Groups are rebuilt once their size has grown by this factor since they were built.
#define WORN_SIZE 1.3
// After boxes of the tree were moved one by one: paths that are improved in each update.
#define REFINED_COUNT 8

typedef struct treePhase {
    wkDynTree* tree; // unused while there are groups
    wkPackedBoxes packed;
    wkStore store; // all boxes, to build from
    bool isPacked;
} treePhase;

static void destroyTree(void* broad)
{
    treePhase* phase = (treePhase*)broad;
    if (phase != NULL) {
        wkDynTree_Destroy(phase->tree);
        wkPackedBoxes_Free(&phase->packed);
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
    result = result == wk_ok ? wkPackedBoxes_Reserve(&phase->packed, capacity) : result;
    return result == wk_ok ? wkStore_Reserve(&phase->store, capacity) : result;
}

static wkResult copyTree(const void* from, void* into)
{
    const treePhase* f = (const treePhase*)from;
    treePhase* phase = (treePhase*)into;
    if (f->isPacked) {
        wkPackedBoxes_Copy(&f->packed, &phase->packed);
    } else {
        wkResult result = wkDynTree_Copy(f->tree, phase->tree);
        if (result != wk_ok) {
            return result;
        }
    }
    wkStore_Copy(&f->store, &phase->store);
    phase->isPacked = f->isPacked;
    return wk_ok;
}

static void buildGroups(treePhase* phase)
{
    wkPackedBoxes_Build(&phase->packed, phase->store.items, phase->store.count);
    phase->isPacked = true;
}

// @return false when out of memory: nothing has changed
static bool buildTree(treePhase* phase, wkDynQuality quality)
{
    bool isBuilt =
        wkDynTree_Build(phase->tree, phase->store.items, phase->store.count, quality) == wk_ok;
    phase->isPacked = phase->isPacked && !isBuilt;
    return isBuilt;
}

// The boxes that are not in the tree yet are the last ones of the store.
static void changeTree(treePhase* phase, const wkDynLeaf* items, int32_t count, int32_t knownCount)
{
    for (int32_t i = 0; i < count; ++i) {
        if (phase->store.slotOf[items[i].name] < knownCount) {
            wkDynTree_Move(phase->tree, items[i].name, items[i].box);
        } else {
            // capacity was reserved before
            (void)wkDynTree_Insert(phase->tree, &items[i]);
        }
    }
    for (int i = 0; i < REFINED_COUNT; ++i) {
        wkDynTree_Refine(phase->tree);
    }
}

static void changeGroups(treePhase* phase, const wkDynLeaf* items, int32_t count)
{
    if (wkPackedBoxes_Refit(&phase->packed, items, count) > WORN_SIZE) {
        buildGroups(phase);
    }
}

static void setTree(void* broad, const wkDynLeaf* items, int32_t count)
{
    treePhase* phase = (treePhase*)broad;
    int32_t knownCount = phase->store.count;
    for (int32_t i = 0; i < count; ++i) {
        wkStore_Set(&phase->store, &items[i]);
    }
    bool hasNew = phase->store.count > knownCount;
    bool isMostlyNew = phase->store.count - knownCount >= knownCount;
    bool isCrowd = count > phase->store.count / CROWD_SHARE;
    if (isMostlyNew) {
        // fall back to groups, which need no memory beyond what is reserved
        if (!buildTree(phase, wk_dynFull)) {
            buildGroups(phase);
        }
    } else if (phase->isPacked && !hasNew) {
        changeGroups(phase, items, count);
    } else if (isCrowd || (phase->isPacked && !buildTree(phase, wk_dynFast))) {
        buildGroups(phase);
    } else {
        changeTree(phase, items, count, knownCount);
    }
}

static void removeTree(void* broad, int32_t name)
{
    treePhase* phase = (treePhase*)broad;
    if (!wkStore_Remove(&phase->store, name)) {
        return;
    }
    if (phase->isPacked) {
        wkPackedBoxes_Remove(&phase->packed, name);
    } else {
        wkDynTree_Remove(phase->tree, name);
    }
}

static size_t treeByteCount(const void* broad)
{
    const treePhase* phase = (const treePhase*)broad;
    return sizeof *phase + wkStore_ByteCount(&phase->store) +
           wkPackedBoxes_ByteCount(&phase->packed) + wkDynTree_ByteCount(phase->tree);
}

static bool visitBoxTree(const void* broad, const wkFloatBox* box, wkDynVisitFcn* fcn,
                         void* context)
{
    const treePhase* phase = (const treePhase*)broad;
    return phase->isPacked
               ? wkPackedBoxKernelsOfMachine()->visitBox(&phase->packed, box, NULL, fcn, context)
               : wkDynTree_VisitBox(phase->tree, box, fcn, context);
}

static bool visitPairsTree(const void* broad, wkDynPairFcn* fcn, void* context)
{
    const treePhase* phase = (const treePhase*)broad;
    return phase->isPacked ? wkPackedBoxKernelsOfMachine()->visitPairs(&phase->packed, fcn, context)
                           : wkDynTree_VisitPairs(phase->tree, fcn, context);
}

static bool visitRayTree(const void* broad, wkVec3d origin, wkVec3d inverseDirection,
                         const double* limit, wkDynVisitFcn* fcn, void* context)
{
    const treePhase* phase = (const treePhase*)broad;
    return phase->isPacked
               ? wkPackedBoxes_VisitRay(&phase->packed, origin, inverseDirection, limit, fcn,
                                        context)
               : wkDynTree_VisitRay(phase->tree, origin, inverseDirection, limit, fcn, context);
}

static bool visitNearTree(const void* broad, const wkFloatBox* box, const double* limit,
                          wkDynVisitFcn* fcn, void* context)
{
    const treePhase* phase = (const treePhase*)broad;
    return phase->isPacked ? wkPackedBoxes_VisitNear(&phase->packed, box, limit, fcn, context)
                           : wkDynTree_VisitNear(phase->tree, box, limit, fcn, context);
}

static bool hasGroups(const void* broad)
{
    return ((const treePhase*)broad)->isPacked;
}

static bool visitGroups(const void* broad, const wkFloatBox* box, wkCullFcn* cull,
                        wkDynVisitFcn* fcn, void* context)
{
    const treePhase* phase = (const treePhase*)broad;
    return wkPackedBoxKernelsOfMachine()->visitBox(&phase->packed, box, cull, fcn, context);
}

// Finds near pairs while there are groups: a box visit for each box.
static bool visitEachNear(const treePhase* phase, const double* limit, wkDynPairFcn* fcn,
                          void* context)
{
    for (int32_t i = 0; i < phase->store.count; ++i) {
        const wkDynLeaf* item = &phase->store.items[i];
        wkPairVisit visit = {fcn, context, item->name};
        if (!wkPackedBoxes_VisitNear(&phase->packed, &item->box, limit, wkReportEarlier, &visit)) {
            return false;
        }
    }
    return true;
}

// Groups of one broad phase cannot be traversed against those of another.
static bool areBothTrees(const void* a, const void* b)
{
    return !((const treePhase*)a)->isPacked && !((const treePhase*)b)->isPacked;
}

static bool visitPairsOfTrees(const void* a, const void* b, wkDynPairFcn* fcn, void* context)
{
    return wkDynTree_VisitPairsOf(((const treePhase*)a)->tree, ((const treePhase*)b)->tree, fcn,
                                  context);
}

static bool visitNearPairsTree(const void* broad, const double* limit, wkDynPairFcn* fcn,
                               void* context)
{
    const treePhase* phase = (const treePhase*)broad;
    return phase->isPacked ? visitEachNear(phase, limit, fcn, context)
                           : wkDynTree_VisitNearPairs(phase->tree, limit, fcn, context);
}

static bool visitNearPairsOfTrees(const void* a, const void* b, const double* limit,
                                  wkDynPairFcn* fcn, void* context)
{
    return wkDynTree_VisitNearPairsOf(((const treePhase*)a)->tree, ((const treePhase*)b)->tree,
                                      limit, fcn, context);
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
    .hasGroups = hasGroups,
    .visitGroups = visitGroups,
    .isMatch = areBothTrees,
    .visitPairsOf = visitPairsOfTrees,
    .visitRay = visitRayTree,
    .visitNear = visitNearTree,
    .visitNearPairs = visitNearPairsTree,
    .visitNearPairsOf = visitNearPairsOfTrees,
};
