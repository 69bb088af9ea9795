// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// A list without holes: the last box moves into the slot of a removed one.

#include "scene/store.h"

#include "base/error.h"
#include "base/memory.h"

#include <string.h>

void wkStore_Free(wkStore* store)
{
    wkFree(store->items, (size_t)store->capacity * sizeof *store->items);
    wkFree(store->slotOf, (size_t)store->capacity * sizeof *store->slotOf);
}

void wkStore_Copy(const wkStore* from, wkStore* into)
{
    into->count = from->count;
    if (from->capacity > 0) {
        memcpy(into->items, from->items, (size_t)from->count * sizeof *from->items);
        memcpy(into->slotOf, from->slotOf, (size_t)from->capacity * sizeof *from->slotOf);
    }
    for (int32_t i = from->capacity; i < into->capacity; ++i) {
        into->slotOf[i] = -1;
    }
}

wkResult wkStore_Reserve(wkStore* store, int32_t capacity)
{
    if (capacity <= store->capacity) {
        return wk_ok;
    }
    wkStore grown = {(wkDynLeaf*)wkAlloc((size_t)capacity * sizeof *grown.items),
                     (int32_t*)wkAlloc((size_t)capacity * sizeof *grown.slotOf), 0, capacity};
    if (grown.items == NULL || grown.slotOf == NULL) {
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
    int32_t* slotIndex = &store->slotOf[item->name];
    *slotIndex = *slotIndex < 0 ? store->count++ : *slotIndex;
    store->items[*slotIndex] = *item;
}

bool wkStore_Remove(wkStore* store, int32_t name)
{
    int32_t slotIndex = store->slotOf[name];
    if (slotIndex < 0) {
        return false;
    }
    store->items[slotIndex] = store->items[--store->count];
    store->slotOf[store->items[slotIndex].name] = slotIndex;
    store->slotOf[name] = -1;
    return true;
}
