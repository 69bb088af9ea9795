// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Names and the numbers that go with them, found without looking at all of them: descriptions of
// robots name everything, and large ones would take quadratic time otherwise.

#include "whisker/base.h"

typedef struct wkNames {
    const char* const* first; // the name with number 0; the next ones are `stride` bytes apart
    size_t stride;
    int32_t* slots; // number of a name plus one; 0: empty
    uint32_t mask;  // number of slots less one
} wkNames;

// Slots for so many names: at most half of them are used.
size_t wkNameSlotCount(int32_t count);

// No names yet, of an array of things that begin with their names.
void wkNames_Begin(wkNames* names, const void* things, size_t stride, int32_t count,
                   int32_t* slots);

// Adds the name with that number.
// @return the number of an equal one, which stays; -1: there was none
int32_t wkNames_Add(wkNames* names, int32_t number);

// Number of a name; -1: it was not added, or is NULL.
int32_t wkNames_Find(const wkNames* names, const char* name);
