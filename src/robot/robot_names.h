// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A hash table from names to numbers. Descriptions of robots refer to everything by name, and linear searches
// would take quadratic time for large robots.

#include "whisker/base.h"

typedef struct wkNames {
    const char* const* first; // the name with number 0; the next ones are `stride` bytes apart
    size_t stride;
    int32_t* slots; // number of a name plus one; 0: empty
    uint32_t mask;  // number of slots less one
} wkNames;

// Returns the number of slots for `count` names: at most half of them are used.
size_t wkNameSlotCount(int32_t count);

// Starts an empty table for the names of an array of elements.
// @param first name of the first element; the next ones are `stride` bytes apart
void wkNames_Begin(wkNames* names, const void* first, size_t stride, int32_t count, int32_t* slots);

// Adds the name with a number.
// @return the number of an equal name, which stays in the table; -1: there was none
int32_t wkNames_Add(wkNames* names, int32_t number);

// Returns the number of a name; -1: it was not added, or is NULL.
int32_t wkNames_Find(const wkNames* names, const char* name);
