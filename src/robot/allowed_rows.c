// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Finds, adds and removes names and pairs of the allowed collision matrix.

#include "robot/allowed_rows.h"

#include "base/memory.h"

#include <string.h>

void wkFreeAllowedEntry(wkAllowedEntry* e)
{
    wkFree(e->name, strlen(e->name) + 1);
    wkFree(e->partners, (size_t)e->partnerCapacity * sizeof *e->partners);
}

// Returns the index of the first element that is not before the name. Elements begin with their names.
static int32_t findName(const void* array, int32_t count, size_t elementBytes, const char* name,
                        bool* isThere)
{
    int32_t first = 0, end = count;
    *isThere = false;
    while (first < end && !*isThere) {
        int32_t middle = first + (end - first) / 2;
        const char* there = (const char*)array + (size_t)middle * elementBytes;
        int order = strcmp(*(const char* const*)(const void*)there, name);
        first = order < 0 ? middle + 1 : first;
        end = order < 0 ? end : middle;
        *isThere = order == 0;
    }
    return end;
}

int32_t wkFindAllowedIndex(const wkAllowed* allowed, const char* name, bool* isThere)
{
    return findName(allowed->entries, allowed->count, sizeof(wkAllowedEntry), name, isThere);
}

int32_t wkFindPartner(const wkAllowedEntry* e, const char* name, bool* isThere)
{
    return findName(e->partners, e->partnerCount, sizeof(wkAllowedPartner), name, isThere);
}

wkAllowedEntry* wkFindAllowedEntry(const wkAllowed* allowed, const char* name)
{
    bool isThere = false;
    int32_t index = wkFindAllowedIndex(allowed, name, &isThere);
    return isThere ? &allowed->entries[index] : NULL;
}

// Grows the capacity of an array for one more element of `elementBytes` bytes.
// @return false: no memory, and nothing has changed
static bool growByOne(void** array, int32_t count, int32_t* capacity, size_t elementBytes)
{
    if (count < *capacity) {
        return true;
    }
    int32_t wider = *capacity < 4 ? 4 : 2 * *capacity;
    void* grown = wkAlloc((size_t)wider * elementBytes);
    if (grown == NULL) {
        return false;
    }
    if (count > 0) {
        memcpy(grown, *array, (size_t)count * elementBytes);
    }
    wkFree(*array, (size_t)*capacity * elementBytes);
    *array = grown;
    *capacity = wider;
    return true;
}

// Returns the entry of a name, and adds it when there is none.
// @return NULL: no memory
wkAllowedEntry* wkNeedAllowedEntry(wkAllowed* allowed, const char* name)
{
    bool isThere = false;
    int32_t index = wkFindAllowedIndex(allowed, name, &isThere);
    if (isThere) {
        return &allowed->entries[index];
    }
    void* entries = allowed->entries;
    bool hasCapacity =
        growByOne(&entries, allowed->count, &allowed->capacity, sizeof(wkAllowedEntry));
    allowed->entries = (wkAllowedEntry*)entries;
    size_t byteCount = strlen(name) + 1;
    char* text = hasCapacity ? (char*)wkAlloc(byteCount) : NULL;
    if (text == NULL) {
        return NULL;
    }
    memcpy(text, name, byteCount);
    wkAllowedEntry* e = &allowed->entries[index];
    memmove(e + 1, e, (size_t)(allowed->count - index) * sizeof *e);
    memset(e, 0, sizeof *e);
    e->name = text;
    ++allowed->count;
    return e;
}

// Removes an entry that no rule mentions.
void wkDropIdle(wkAllowed* allowed, int32_t index)
{
    wkAllowedEntry* e = &allowed->entries[index];
    if (e->hasDefault || e->mentionCount > 0) {
        return;
    }
    wkFreeAllowedEntry(e);
    --allowed->count;
    memmove(e, e + 1, (size_t)(allowed->count - index) * sizeof *e);
}

void wkDropIdleName(wkAllowed* allowed, const char* name)
{
    bool isThere = false;
    int32_t index = wkFindAllowedIndex(allowed, name, &isThere);
    if (isThere) {
        wkDropIdle(allowed, index);
    }
}

wkAllowedPartner* wkNeedPartner(wkAllowed* allowed, wkAllowedEntry* first, wkAllowedEntry* last)
{
    bool isThere = false;
    int32_t index = wkFindPartner(first, last->name, &isThere);
    if (isThere) {
        return &first->partners[index];
    }
    void* partners = first->partners;
    bool hasCapacity = growByOne(&partners, first->partnerCount, &first->partnerCapacity,
                                 sizeof(wkAllowedPartner));
    first->partners = (wkAllowedPartner*)partners;
    if (!hasCapacity) {
        return NULL;
    }
    wkAllowedPartner* p = &first->partners[index];
    memmove(p + 1, p, (size_t)(first->partnerCount - index) * sizeof *p);
    p->name = last->name;
    ++first->partnerCount;
    ++first->mentionCount;
    ++last->mentionCount;
    ++allowed->pairCount;
    return p;
}
