// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Sweep and prune: boxes sorted by their lower bound along one axis, so that the boxes that overlap
// a box follow soon after it. Changes are merged into the order instead of bubbled through it, so
// many equal boxes in one spot cost no more than others.

#include "base/error.h"
#include "base/memory.h"
#include "base/sort.h"
#include "scene/broad.h"

#include <string.h>

// The largest upper bound is stored for each block of BLOCK boxes, so that whole blocks are skipped.
#define BLOCK 64
#define BLOCKS_OF(count) (((count) + BLOCK - 1) / BLOCK)

#define NO_ITEM (-1)

typedef struct sweep {
    wkDynLeaf* items; // by lower[axis]; a name of -1: removed
    wkDynLeaf* spare;
    wkSortKey* keys;
    wkSortKey* spareKeys;
    int32_t* slotOf; // by name; -1: unknown
    float* reach;    // largest upper[axis] of each block
    int32_t count;   // removed ones included
    int32_t capacity;
    int axis;
} sweep;

static wkResult createSweep(void** broad)
{
    sweep* s = (sweep*)wkAlloc(sizeof *s);
    if (s == NULL) {
        return wkFail(wk_errorMemory, "scene: no memory");
    }
    memset(s, 0, sizeof *s);
    *broad = s;
    return wk_ok;
}

static void freeArrays(sweep* s)
{
    size_t n = (size_t)s->capacity;
    wkFree(s->items, n * sizeof *s->items);
    wkFree(s->spare, n * sizeof *s->spare);
    wkFree(s->keys, n * sizeof *s->keys);
    wkFree(s->spareKeys, n * sizeof *s->spareKeys);
    wkFree(s->slotOf, n * sizeof *s->slotOf);
    wkFree(s->reach, n * sizeof *s->reach);
}

static void destroySweep(void* broad)
{
    sweep* s = (sweep*)broad;
    if (s != NULL) {
        freeArrays(s);
        wkFree(s, sizeof *s);
    }
}

static wkResult copySweep(const void* from, void* into)
{
    const sweep* f = (const sweep*)from;
    sweep* s = (sweep*)into;
    s->count = f->count;
    s->axis = f->axis;
    if (f->capacity > 0) {
        memcpy(s->items, f->items, (size_t)f->count * sizeof *f->items);
        memcpy(s->slotOf, f->slotOf, (size_t)f->capacity * sizeof *f->slotOf);
        memcpy(s->reach, f->reach, (size_t)BLOCKS_OF(f->count) * sizeof *f->reach);
    }
    for (int32_t i = f->capacity; i < s->capacity; ++i) {
        s->slotOf[i] = NO_ITEM;
    }
    return wk_ok;
}

static wkResult reserveSweep(void* broad, int32_t capacity)
{
    sweep* s = (sweep*)broad;
    if (capacity <= s->capacity) {
        return wk_ok;
    }
    size_t n = (size_t)capacity;
    sweep grown;
    memset(&grown, 0, sizeof grown);
    grown.capacity = capacity;
    grown.items = (wkDynLeaf*)wkAlloc(n * sizeof *grown.items);
    grown.spare = (wkDynLeaf*)wkAlloc(n * sizeof *grown.spare);
    grown.keys = (wkSortKey*)wkAlloc(n * sizeof *grown.keys);
    grown.spareKeys = (wkSortKey*)wkAlloc(n * sizeof *grown.spareKeys);
    grown.slotOf = (int32_t*)wkAlloc(n * sizeof *grown.slotOf);
    grown.reach = (float*)wkAlloc(n * sizeof *grown.reach);
    if (grown.items == NULL || grown.spare == NULL || grown.keys == NULL ||
        grown.spareKeys == NULL || grown.slotOf == NULL || grown.reach == NULL) {
        freeArrays(&grown);
        return wkFail(wk_errorMemory, "scene: no memory for %d objects", (int)capacity);
    }
    wkResult result = copySweep(s, &grown);
    freeArrays(s);
    *s = grown;
    return result;
}

// Maps floats to integers in the same order.
static uint64_t orderOf(float value)
{
    uint32_t bits;
    value += 0.0f; // maps -0 to +0
    memcpy(&bits, &value, sizeof bits);
    return (bits & 0x80000000u) != 0 ? ~bits : bits | 0x80000000u;
}

// The axis with the largest spread of box centers.
static int bestAxis(const wkDynLeaf* items, int32_t count)
{
    double sum[3] = {0.0, 0.0, 0.0}, squares[3] = {0.0, 0.0, 0.0};
    for (int32_t i = 0; i < count; ++i) {
        for (int axis = 0; axis < 3; ++axis) {
            double middle = 0.5 * ((double)items[i].box.lower[axis] + items[i].box.upper[axis]);
            // unbounded boxes are ignored
            middle = fabs(middle) < (double)FLT_MAX ? middle : 0.0;
            sum[axis] += middle;
            squares[axis] += middle * middle;
        }
    }
    int best = 0;
    double spread[3];
    for (int axis = 0; axis < 3; ++axis) {
        spread[axis] = squares[axis] - sum[axis] * (sum[axis] / (count > 0 ? count : 1));
        best = spread[axis] > spread[best] ? axis : best;
    }
    return best;
}

// Sorts the keys of boxes, each with the index of its box.
static void sortItems(sweep* s, const wkDynLeaf* items, int32_t count)
{
    for (int32_t i = 0; i < count; ++i) {
        s->keys[i].key = orderOf(items[i].box.lower[s->axis]);
        s->keys[i].value = i;
    }
    if (count > 0) {
        wkSortKeys(s->keys, s->spareKeys, count);
    }
}

static void appendSpare(sweep* s, int32_t* count, const wkDynLeaf* item)
{
    s->slotOf[item->name] = *count;
    s->spare[(*count)++] = *item;
}

// Merges boxes with sorted keys into the stored order.
static void mergeItems(sweep* s, const wkDynLeaf* items, int32_t itemCount)
{
    int32_t count = 0, next = 0;
    for (int32_t i = 0; i < s->count; ++i) {
        if (s->items[i].name == NO_ITEM) {
            continue;
        }
        uint64_t key = orderOf(s->items[i].box.lower[s->axis]);
        while (next < itemCount && s->keys[next].key < key) {
            appendSpare(s, &count, &items[s->keys[next++].value]);
        }
        appendSpare(s, &count, &s->items[i]);
    }
    while (next < itemCount) {
        appendSpare(s, &count, &items[s->keys[next++].value]);
    }
    wkDynLeaf* old = s->items;
    s->items = s->spare;
    s->spare = old;
    s->count = count;
}

// Sorts the stored boxes along another axis.
static void switchAxis(sweep* s, int axis)
{
    int32_t count = 0;
    for (int32_t i = 0; i < s->count; ++i) {
        if (s->items[i].name != NO_ITEM) {
            s->items[count++] = s->items[i];
        }
    }
    s->axis = axis;
    s->count = 0;
    sortItems(s, s->items, count);
    mergeItems(s, s->items, count);
}

static void setReach(sweep* s)
{
    for (int32_t block = 0; block < BLOCKS_OF(s->count); ++block) {
        int32_t end = (block + 1) * BLOCK < s->count ? (block + 1) * BLOCK : s->count;
        float reach = -INFINITY;
        for (int32_t i = block * BLOCK; i < end; ++i) {
            float upper = s->items[i].box.upper[s->axis];
            reach = upper > reach ? upper : reach;
        }
        s->reach[block] = reach;
    }
}

static void setSweep(void* broad, const wkDynLeaf* items, int32_t count)
{
    sweep* s = (sweep*)broad;
    for (int32_t i = 0; i < count; ++i) {
        int32_t slotIndex = s->slotOf[items[i].name];
        if (slotIndex >= 0) {
            s->items[slotIndex].name = NO_ITEM;
        }
    }
    // changing the axis re-sorts everything: only when most boxes change
    if (2 * (int64_t)count >= s->count) {
        int axis = bestAxis(items, count);
        if (axis != s->axis) {
            switchAxis(s, axis);
        }
    }
    sortItems(s, items, count);
    mergeItems(s, items, count);
    setReach(s);
}

static void removeSweep(void* broad, int32_t name)
{
    sweep* s = (sweep*)broad;
    int32_t slotIndex = s->slotOf[name];
    if (slotIndex >= 0) {
        s->items[slotIndex].name = NO_ITEM;
        s->slotOf[name] = NO_ITEM;
    }
}

static size_t sweepByteCount(const void* broad)
{
    const sweep* s = (const sweep*)broad;
    return sizeof *s + (size_t)s->capacity * (2 * sizeof *s->items + 2 * sizeof *s->keys +
                                              sizeof *s->slotOf + sizeof *s->reach);
}

static bool visitBoxSweep(const void* broad, const wkFloatBox* box, wkDynVisitFcn* fcn,
                          void* context)
{
    const sweep* s = (const sweep*)broad;
    int axis = s->axis;
    for (int32_t block = 0; block < BLOCKS_OF(s->count); ++block) {
        if (s->items[block * BLOCK].box.lower[axis] > box->upper[axis]) {
            break;
        }
        if (s->reach[block] < box->lower[axis]) {
            continue;
        }
        int32_t end = (block + 1) * BLOCK < s->count ? (block + 1) * BLOCK : s->count;
        for (int32_t i = block * BLOCK; i < end; ++i) {
            const wkDynLeaf* item = &s->items[i];
            if (wkDoFloatBoxesMeet(&item->box, box) && item->name != NO_ITEM &&
                !fcn(item->name, context)) {
                return false;
            }
        }
    }
    return true;
}

// Visits the boxes whose lower bound lies between the bounds of this one.
static bool visitFollowers(const sweep* s, int32_t first, wkDynPairFcn* fcn, void* context)
{
    const wkDynLeaf* item = &s->items[first];
    float end = item->box.upper[s->axis];
    for (int32_t i = first + 1; i < s->count; ++i) {
        const wkDynLeaf* other = &s->items[i];
        if (other->box.lower[s->axis] > end) {
            break;
        }
        if (wkDoFloatBoxesMeet(&item->box, &other->box) && other->name != NO_ITEM &&
            !fcn(item->name, other->name, context)) {
            return false;
        }
    }
    return true;
}

static bool visitPairsSweep(const void* broad, wkDynPairFcn* fcn, void* context)
{
    const sweep* s = (const sweep*)broad;
    for (int32_t i = 0; i < s->count; ++i) {
        if (s->items[i].name != NO_ITEM && !visitFollowers(s, i, fcn, context)) {
            return false;
        }
    }
    return true;
}

const wkBroadRow wkBroadSweepRow = {
    .name = "sweep",
    .create = createSweep,
    .destroy = destroySweep,
    .reserve = reserveSweep,
    .copy = copySweep,
    .set = setSweep,
    .remove = removeSweep,
    .byteCount = sweepByteCount,
    .visitBox = visitBoxSweep,
    .visitPairs = visitPairsSweep,
};
