// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// A hash table with linear probing; entries are never removed.

#include "io/text/names.h"

#include <string.h>

struct wkIoName {
    const char* name; // NULL: the slot is empty
    int32_t number;
};

bool wkIoNames_Init(wkIoNames* names, wkIoArena* arena, size_t capacity)
{
    names->slotCount = 4;
    while (names->slotCount < 2 * capacity) {
        names->slotCount *= 2;
    }
    names->slots = wkIoArena_AllocArray(arena, names->slotCount, sizeof *names->slots);
    return names->slots != NULL;
}

// FNV-1a.
static size_t hash(const char* name)
{
    uint64_t h = 0xcbf29ce484222325u;
    for (const char* c = name; *c != '\0'; c++) {
        h = (h ^ (unsigned char)*c) * 0x100000001b3u;
    }
    return (size_t)(h ^ h >> 32);
}

// Returns the slot of a name, or the empty slot for it.
static wkIoName* slotOf(const wkIoNames* names, const char* name)
{
    size_t slot = hash(name) & (names->slotCount - 1);
    while (names->slots[slot].name != NULL && strcmp(names->slots[slot].name, name) != 0) {
        slot = (slot + 1) & (names->slotCount - 1);
    }
    return &names->slots[slot];
}

int32_t wkIoNames_Add(wkIoNames* names, const char* name, int32_t number)
{
    wkIoName* slot = slotOf(names, name);
    if (slot->name != NULL) {
        return slot->number;
    }
    slot->name = name;
    slot->number = number;
    return -1;
}

int32_t wkIoNames_Find(const wkIoNames* names, const char* name)
{
    const wkIoName* slot = slotOf(names, name);
    return slot->name != NULL ? slot->number : -1;
}
