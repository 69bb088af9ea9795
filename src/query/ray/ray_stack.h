// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What a ray has yet to look at: slots of box nodes, the nearest on top, and which slot comes next.
//
// A walk is a chain: the boxes of a node say which node is next. Where that is read by an index,
// every node waits for the one before. Here it is read behind a jump: the processor guesses the jump
// from the rays before, which often went the same way, and goes on before the boxes are known.

#include "query/tree/walk.h"
#include "simd/eight.h"

#include <string.h>

// Where the ray enters a slot, above its link: sorts like the former, as floats that are not
// negative compare like integers. Who looks for any hit leaves it zero.
typedef uint64_t wkRayEntry;

#define WK_RAY_ENTRIES (WK_TREE_MAX_DEPTH * (WK_TREE_WIDTH - 1) + WK_TREE_WIDTH + 1)

WK_FORCE_FN wkRayEntry wkMakeRayEntry(const float* enter, wkLink link)
{
    uint32_t bits;
    memcpy(&bits, enter, sizeof bits);
    return (wkRayEntry)bits << 32 | link;
}

// A slot and where the ray enters it in one number, which sorts like the latter: the last three bits
// do not matter.
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

// links[slot], see above.
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

// Many slots, with the nearest of those before: the nearest of all is left, the others go on the
// stack as they come.
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

// The nearest of three slots and more; the others go on the stack, so that the next nearest is on
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

// The nearest of the slots in the mask; the others go on the stack.
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

// The first of the slots; the others go on the stack as they come. To look for any hit, order is
// not worth its price, and nobody asks where they are.
WK_FORCE_FN wkLink wkTakeFirst(wkRayEntry** top, const wkLink* links, unsigned mask)
{
    uint32_t first = (uint32_t)__builtin_ctz(mask);
    for (mask &= mask - 1; mask != 0; mask &= mask - 1) {
        *(*top)++ = links[__builtin_ctz(mask)];
    }
    return wkGuessLink(links, first);
}

// The next link to look at, no further than the limit, which is that of an entry: at the bottom of
// the stack lies an entry that is never too far.
WK_FORCE_FN wkLink wkPopLink(wkRayEntry** top, wkRayEntry limit)
{
    wkRayEntry entry = *--*top;
    while (entry > limit) {
        entry = *--*top;
    }
    return (wkLink)entry;
}
