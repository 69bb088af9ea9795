// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Pairs of triangles with the same vertices and opposite directions, by sorting.

#include "tree/lid_backs.h"

#include "base/memory.h"
#include "base/sort.h"

#include <string.h>

// The vertices of a triangle in ascending order.
// @return whether they are passed in that direction
static bool sortVertices(const wkMeshDef* def, const int32_t* firsts, int64_t triangle,
                         int32_t sorted[3])
{
    const int32_t* corners = def->triangles + 3 * triangle;
    int32_t a = firsts[corners[0]], b = firsts[corners[1]], c = firsts[corners[2]];
    int32_t low = a < b ? a : b, high = a < b ? b : a;
    sorted[0] = c < low ? c : low;
    sorted[2] = c > high ? c : high;
    sorted[1] = c < low ? low : c > high ? high : c;
    // the second one follows the first in one of the two directions
    return (a == sorted[0] && b == sorted[1]) || (b == sorted[0] && c == sorted[1]) ||
           (c == sorted[0] && a == sorted[1]);
}

static uint64_t mixVertices(const int32_t sorted[3])
{
    uint64_t bits = (uint64_t)sorted[0] * 0x9e3779b97f4a7c15u;
    bits = (bits ^ bits >> 29 ^ (uint64_t)sorted[1]) * 0xbf58476d1ce4e5b9u;
    bits = (bits ^ bits >> 32 ^ (uint64_t)sorted[2]) * 0x94d049bb133111ebu;
    return bits ^ bits >> 31;
}

// Marks the triangles of one key that are another one the other way round. Others that have the key by
// chance are left alone.
static void markBacks(const wkMeshDef* def, const int32_t* firsts, const wkSortKey* keys,
                      int32_t count, int32_t* isBack)
{
    int32_t first[3];
    sortVertices(def, firsts, keys[0].value, first);
    int32_t openCount = 0; // triangles without their opposite so far, all in one direction
    bool isOpenForward = false;
    for (int32_t i = 0; i < count; ++i) {
        int32_t sorted[3];
        bool isForward = sortVertices(def, firsts, keys[i].value, sorted);
        bool isFlat = sorted[0] == sorted[1] || sorted[1] == sorted[2];
        if (isFlat || memcmp(first, sorted, sizeof first) != 0) {
            continue;
        }
        if (openCount > 0 && isForward != isOpenForward) {
            isBack[keys[i].value] = 1;
            --openCount;
        } else {
            isOpenForward = isForward;
            ++openCount;
        }
    }
}

int32_t wkFindBacks(const wkMeshDef* def, const int32_t* firsts, int32_t* backs)
{
    int32_t count = def->triangleCount;
    size_t byteCount = 2 * ((size_t)count + 1) * sizeof(wkSortKey);
    wkSortKey* keys = wkAlloc(byteCount);
    if (keys == NULL) {
        return -1;
    }
    for (int32_t i = 0; i < count; ++i) {
        int32_t sorted[3];
        sortVertices(def, firsts, i, sorted);
        keys[i] = (wkSortKey){mixVertices(sorted), i};
        backs[i] = 0;
    }
    wkSortKeys(keys, keys + count, count);
    for (int32_t i = 0, end; i < count; i = end) {
        for (end = i + 1; end < count && keys[end].key == keys[i].key; ++end) {
        }
        if (end - i > 1) {
            markBacks(def, firsts, keys + i, end - i, backs);
        }
    }
    wkFree(keys, byteCount);
    int32_t backCount = 0;
    for (int32_t i = 0; i < count; ++i) {
        if (backs[i] != 0) {
            backs[backCount++] = i;
        }
    }
    return backCount;
}
