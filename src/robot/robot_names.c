// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// A hash table of names with open addressing, in memory of the caller.

#include "robot/robot_names.h"

#include <string.h>

size_t wkNameSlotCount(int32_t count)
{
    size_t slotCount = 4;
    while (slotCount < 2 * (size_t)count) {
        slotCount *= 2;
    }
    return slotCount;
}

void wkNames_Begin(wkNames* names, const void* first, size_t stride, int32_t count, int32_t* slots)
{
    size_t slotCount = wkNameSlotCount(count);
    names->first = (const char* const*)first;
    names->stride = stride;
    names->slots = slots;
    names->mask = (uint32_t)(slotCount - 1);
    memset(slots, 0, slotCount * sizeof *slots);
}

static const char* nameOf(const wkNames* names, int32_t number)
{
    const char* thing = (const char*)(const void*)names->first + (size_t)number * names->stride;
    return *(const char* const*)(const void*)thing;
}

// FNV-1a.
static uint32_t hashOf(const char* name)
{
    uint32_t hash = 2166136261u;
    for (; *name != '\0'; name++) {
        hash = (hash ^ (unsigned char)*name) * 16777619u;
    }
    return hash ^ (hash >> 15);
}

// Returns the slot with that name, or the empty slot for it.
static int32_t* slotOf(const wkNames* names, const char* name)
{
    uint32_t slot = hashOf(name) & names->mask;
    while (names->slots[slot] != 0 && strcmp(nameOf(names, names->slots[slot] - 1), name) != 0) {
        slot = (slot + 1) & names->mask;
    }
    return &names->slots[slot];
}

int32_t wkNames_Add(wkNames* names, int32_t number)
{
    int32_t* slot = slotOf(names, nameOf(names, number));
    if (*slot != 0) {
        return *slot - 1;
    }
    *slot = number + 1;
    return -1;
}

int32_t wkNames_Find(const wkNames* names, const char* name)
{
    return name != NULL ? *slotOf(names, name) - 1 : -1;
}
