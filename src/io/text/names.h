// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Hash table from names to numbers, with a capacity fixed at creation.

#include "io/file/arena.h"

typedef struct wkIoName wkIoName;

typedef struct wkIoNames {
    wkIoName* slots; // a power of two, at most half of them in use
    size_t slotCount;
} wkIoNames;

// Allocates for `capacity` names; returns false when out of memory.
bool wkIoNames_Init(wkIoNames* names, wkIoArena* arena, size_t capacity);

// Adds a name, which is borrowed. Returns -1 for a new name; a name that is present keeps its number, which
// is returned.
int32_t wkIoNames_Add(wkIoNames* names, const char* name, int32_t number);

// Returns the number of a name; -1 when there is none.
int32_t wkIoNames_Find(const wkIoNames* names, const char* name);
