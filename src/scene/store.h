// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A dense array of boxes, found by the names of their objects.

#include "tree/dynamic/dyn_tree.h"

typedef struct wkStore {
    wkDynLeaf* items;
    int32_t* slotOf; // by name; -1: unknown
    int32_t count;
    int32_t capacity;
} wkStore;

void wkStore_Free(wkStore* store);
wkResult wkStore_Reserve(wkStore* store, int32_t capacity);
void wkStore_Copy(const wkStore* from, wkStore* into); // `into` has the capacity
void wkStore_Set(wkStore* store, const wkDynLeaf* item);
bool wkStore_Remove(wkStore* store, int32_t name); // false: unknown

WK_FN size_t wkStore_ByteCount(const wkStore* store)
{
    return (size_t)store->capacity * (sizeof *store->items + sizeof *store->slotOf);
}
