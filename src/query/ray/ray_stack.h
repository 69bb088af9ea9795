// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The stack of a ray walk: slots of box nodes, the nearest on top, and the choice of the next slot.
//
// A walk is a dependency chain: the boxes of a node determine the next node. If its link is loaded by
// index, every node waits for the one before. Here it is loaded behind a branch: the processor predicts
// the branch from earlier rays, which often went the same way, and continues before the boxes are known.

#include "query/tree/walk.h"
#include "simd/eight.h"

#include <string.h>

// The distance at which the ray enters a slot, above its link: sorts by distance, as non-negative floats
// compare like integers. Searches for any hit leave the distance zero.
typedef uint64_t wkRayEntry;

#define WK_RAY_ENTRIES (WK_TREE_MAX_DEPTH * (WK_TREE_WIDTH - 1) + WK_TREE_WIDTH + 1)

WK_FORCE_FN wkRayEntry wkMakeRayEntry(const float* enter, wkLink link)
{
    uint32_t bits;
    memcpy(&bits, enter, sizeof bits);
    return (wkRayEntry)bits << 32 | link;
}

// A slot and its entry distance in one number, which sorts by the distance: the last three bits do not
// matter.
typedef uint32_t wkSlotKey;

WK_FORCE_FN wkSlotKey wkSlotKeyOf(const float* enters, int slot)
{
    uint32_t bits;
    memcpy(&bits, &enters[slot], sizeof bits);
    return (bits & ~7u) | (uint32_t)slot;
}

WK_FORCE_FN void wkSortKeys(wkSlotKey* a, wkSlotKey* b)
{
    wkSlotKey low = *a < *b ? *a : *b, high = *a < *b ? *b : *a;
    *a = low;
    *b = high;
}

// Returns links[slot] by branches, see above.
WK_FORCE_FN wkLink wkGuessLink(const wkLink* links, uint32_t slot)
{
#define WK_GUESS(number)                                                                           \
    case number:                                                                                   \
        WK_KEEP_APART(number);                                                                     \
        return links[number]
    switch (slot & 7u) {
        WK_GUESS(0);
        WK_GUESS(1);
        WK_GUESS(2);
        WK_GUESS(3);
        WK_GUESS(4);
        WK_GUESS(5);
        WK_GUESS(6);
    default: // of eight, the last
        return links[7];
    }
#undef WK_GUESS
}

WK_FORCE_FN void wkPushSlot(wkRayEntry** top, const wkLink* links, const float* enters,
                            uint32_t slot)
{
    *(*top)++ = wkMakeRayEntry(&enters[slot], links[slot]);
}

// Several slots, with the nearest of those before: the nearest of all remains, the others are pushed
// in their order.
typedef struct wkManySlots {
    wkRayEntry* top;
    wkSlotKey nearest;
} wkManySlots;

WK_APART_FN wkManySlots wkTakeOfMany(wkManySlots many, const wkLink* links, const float* enters,
                                     unsigned mask)
{
    for (; mask != 0; mask &= mask - 1) {
        wkSlotKey other = wkSlotKeyOf(enters, __builtin_ctz(mask));
        wkSortKeys(&many.nearest, &other);
        wkPushSlot(&many.top, links, enters, other & 7u);
    }
    return many;
}

// Returns the nearest of three or more slots; the others are pushed so that the next nearest is on
// top.
WK_FORCE_FN wkLink wkTakeOfThree(wkRayEntry** top, const wkLink* links, const float* enters,
                                 int first, int second, unsigned mask)
{
    wkSlotKey a = wkSlotKeyOf(enters, first), b = wkSlotKeyOf(enters, second);
    wkSlotKey c = wkSlotKeyOf(enters, __builtin_ctz(mask));
    wkSortKeys(&a, &b);
    wkSortKeys(&b, &c);
    wkSortKeys(&a, &b);
    mask &= mask - 1;
    if (mask != 0) {
        wkSlotKey d = wkSlotKeyOf(enters, __builtin_ctz(mask));
        wkSortKeys(&c, &d);
        wkSortKeys(&b, &c);
        wkSortKeys(&a, &b);
        wkPushSlot(top, links, enters, d & 7u);
    }
    wkPushSlot(top, links, enters, c & 7u);
    wkPushSlot(top, links, enters, b & 7u);
    mask &= mask - 1;
    if (WK_UNLIKELY(mask != 0)) {
        wkManySlots many = {*top, a};
        many = wkTakeOfMany(many, links, enters, mask);
        *top = many.top;
        a = many.nearest;
    }
    return wkGuessLink(links, a);
}

// Returns the nearest of the slots in the mask; the others are pushed.
WK_FORCE_FN wkLink wkTakeNearest(wkRayEntry** top, const wkLink* links, unsigned mask,
                                 wkEight where)
{
    int first = __builtin_ctz(mask);
    mask &= mask - 1;
    if (mask == 0) {
        return wkGuessLink(links, (uint32_t)first);
    }
    _Alignas(32) float enters[WK_TREE_WIDTH];
    wkStore8(enters, where);
    int second = __builtin_ctz(mask);
    mask &= mask - 1;
    if (mask == 0) {
        int nearest = enters[first] > enters[second] ? second : first;
        wkPushSlot(top, links, enters, (uint32_t)(first + second - nearest));
        return wkGuessLink(links, (uint32_t)nearest);
    }
    return wkTakeOfThree(top, links, enters, first, second, mask);
}

// Returns the first of the slots; the others are pushed in their order. For a search of any hit, sorting
// does not pay, and entry distances are not used.
WK_FORCE_FN wkLink wkTakeFirst(wkRayEntry** top, const wkLink* links, unsigned mask)
{
    uint32_t first = (uint32_t)__builtin_ctz(mask);
    for (mask &= mask - 1; mask != 0; mask &= mask - 1) {
        *(*top)++ = links[__builtin_ctz(mask)];
    }
    return wkGuessLink(links, first);
}

// Pops the next link no further than the limit, which is that of an entry: the bottom entry of the stack
// is never too far.
WK_FORCE_FN wkLink wkPopLink(wkRayEntry** top, wkRayEntry limit)
{
    wkRayEntry entry = *--*top;
    while (entry > limit) {
        entry = *--*top;
    }
    return (wkLink)entry;
}
