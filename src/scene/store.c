// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// A list without holes: the last box takes the place of one that is removed.

#include "scene/store.h"

#include "base/error.h"
#include "base/memory.h"

#include <string.h>

void wkStore_Free(wkStore* store)
{
    wkFree(store->items, (size_t)store->capacity * sizeof *store->items);
    wkFree(store->placeOf, (size_t)store->capacity * sizeof *store->placeOf);
}

void wkStore_Copy(const wkStore* from, wkStore* into)
{
    into->count = from->count;
    if (from->capacity > 0) {
        memcpy(into->items, from->items, (size_t)from->count * sizeof *from->items);
        memcpy(into->placeOf, from->placeOf, (size_t)from->capacity * sizeof *from->placeOf);
    }
    for (int32_t i = from->capacity; i < into->capacity; ++i) {
        into->placeOf[i] = -1;
    }
}

wkResult wkStore_Reserve(wkStore* store, int32_t capacity)
{
    if (capacity <= store->capacity) {
        return wk_ok;
    }
    wkStore grown = {(wkDynLeaf*)wkAlloc((size_t)capacity * sizeof *grown.items),
                     (int32_t*)wkAlloc((size_t)capacity * sizeof *grown.placeOf), 0, capacity};
    if (grown.items == NULL || grown.placeOf == NULL) {
        wkStore_Free(&grown);
        return wkFail(wk_errorMemory, "scene: no memory for %d objects", (int)capacity);
    }
    wkStore_Copy(store, &grown);
    wkStore_Free(store);
    *store = grown;
    return wk_ok;
}

void wkStore_Set(wkStore* store, const wkDynLeaf* item)
{
    int32_t* place = &store->placeOf[item->name];
    *place = *place < 0 ? store->count++ : *place;
    store->items[*place] = *item;
}

bool wkStore_Remove(wkStore* store, int32_t name)
{
    int32_t place = store->placeOf[name];
    if (place < 0) {
        return false;
    }
    store->items[place] = store->items[--store->count];
    store->placeOf[store->items[place].name] = place;
    store->placeOf[name] = -1;
    return true;
}
