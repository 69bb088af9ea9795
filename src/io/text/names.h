// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Numbers by name: a table that knows from the start how many names will come.

#include "io/file/arena.h"

typedef struct wkIoName wkIoName;

typedef struct wkIoNames {
    wkIoName* slots; // a power of two of them, at most half in use
    size_t slotCount;
} wkIoNames;

// Room for `capacity` names; false without memory.
bool wkIoNames_Init(wkIoNames* names, wkIoArena* arena, size_t capacity);

// Adds a name, which is borrowed. A name that is there already keeps its number, which is given back;
// -1 when it is new.
int32_t wkIoNames_Add(wkIoNames* names, const char* name, int32_t number);

// -1 when there is none.
int32_t wkIoNames_Find(const wkIoNames* names, const char* name);
