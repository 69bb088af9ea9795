// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Brute force: every box against every box. Fastest for few objects, and simple enough to be the
// reference that the other broad phases are tested against.

#include "base/error.h"
#include "base/memory.h"
#include "scene/broad.h"
#include "scene/store.h"

#include <string.h>

static wkResult createBrute(void** broad)
{
    wkStore* store = (wkStore*)wkAlloc(sizeof *store);
    if (store == NULL) {
        return wkFail(wk_errorMemory, "scene: no memory");
    }
    memset(store, 0, sizeof *store);
    *broad = store;
    return wk_ok;
}

static void destroyBrute(void* broad)
{
    wkStore* store = (wkStore*)broad;
    if (store != NULL) {
        wkStore_Free(store);
        wkFree(store, sizeof *store);
    }
}

static wkResult reserveBrute(void* broad, int32_t capacity)
{
    return wkStore_Reserve((wkStore*)broad, capacity);
}

static wkResult copyBrute(const void* from, void* into)
{
    wkStore_Copy((const wkStore*)from, (wkStore*)into);
    return wk_ok;
}

static void setBrute(void* broad, const wkDynLeaf* items, int32_t count)
{
    for (int32_t i = 0; i < count; ++i) {
        wkStore_Set((wkStore*)broad, &items[i]);
    }
}

static void removeBrute(void* broad, int32_t name)
{
    wkStore_Remove((wkStore*)broad, name);
}

static size_t bruteByteCount(const void* broad)
{
    return sizeof(wkStore) + wkStore_ByteCount((const wkStore*)broad);
}

static bool visitBoxBrute(const void* broad, const wkFloatBox* box, wkDynVisitFcn* fcn,
                          void* context)
{
    const wkStore* store = (const wkStore*)broad;
    for (int32_t i = 0; i < store->count; ++i) {
        if (wkDoFloatBoxesMeet(&store->items[i].box, box) && !fcn(store->items[i].name, context)) {
            return false;
        }
    }
    return true;
}

static bool visitPairsBrute(const void* broad, wkDynPairFcn* fcn, void* context)
{
    const wkStore* store = (const wkStore*)broad;
    for (int32_t i = 0; i < store->count; ++i) {
        const wkDynLeaf* item = &store->items[i];
        for (int32_t j = 0; j < i; ++j) {
            const wkDynLeaf* other = &store->items[j];
            if (wkDoFloatBoxesMeet(&item->box, &other->box) &&
                !fcn(item->name, other->name, context)) {
                return false;
            }
        }
    }
    return true;
}

const wkBroadRow wkBroadBruteRow = {
    .name = "brute",
    .create = createBrute,
    .destroy = destroyBrute,
    .reserve = reserveBrute,
    .copy = copyBrute,
    .set = setBrute,
    .remove = removeBrute,
    .byteCount = bruteByteCount,
    .visitBox = visitBoxBrute,
    .visitPairs = visitPairsBrute,
};
