// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Front lists (Pan et al. 2012; Li and Chen 1998): the pairs where a walk over two trees stopped, so that
// the next one starts there. Each entry also stores a lower bound of the distance of its volumes. B must
// come that much closer before the entry is tested again, so in a slow motion most of the front is not
// tested at all. For bounds that are squared distances.

#include "query/tree/distance_walk.h"
#include "whisker/query.h"

// Slots of the opened tree where the walk stopped against a slot of the other; or a pair as a whole.
typedef struct wkFrontEntry {
    wkSlot a;
    wkSlot b;
    float safe;   // the entry does not matter before the travel reaches this minus the limit
    uint8_t mask; // slots of the node in `a` or `b`; 0: the pair as a whole
    bool opensA;
    bool isGone;
} wkFrontEntry;

struct wkFront {
    size_t byteCount;
    int32_t capacity;
    int32_t count;
    int32_t freshCount; // entries after the last walk from the stems
    bool isOverflown;
    bool isFresh;        // this walk started at the stems
    const void* sourceA; // the pair that this front belongs to
    const void* sourceB;
    uint64_t contentA;
    uint64_t contentB;
    wkFrame bInA;
    double travel; // upper bound of the displacement of a point of B since the front was begun
    int32_t itemA; // closest or touching last time; -1: none
    int32_t itemB;
    wkFrontEntry entries[];
};

// Prepares a front for two bodies with the relative pose `bInA`. A front of another pair, or of the same
// pair before its content changed, starts empty.
void wkFrontBegin(wkFront* front, const void* sourceA, uint64_t contentA, const void* sourceB,
                  uint64_t contentB, const wkFrame* bInA, const wkAabb* boundsB);

// Drops removed entries, or everything when the capacity was exceeded.
void wkFrontEnd(wkFront* front);

WK_FN void wkFrontAdd(wkFront* front, wkFrontEntry entry)
{
    if (front->count < front->capacity) {
        front->entries[front->count++] = entry;
    } else {
        front->isOverflown = true;
    }
}

// The `safe` value of an entry whose volumes are at least the root of `square` apart, rounded down.
WK_FN float wkFrontSafe(const wkFront* front, float square)
{
    double safe = front->travel + sqrt((double)square);
    return safe < 1e37 ? (float)(safe * (1.0 - 1e-6)) : 1e37f;
}

WK_FN void wkFrontAddPair(wkFront* front, wkSlotPair pair)
{
    wkFrontEntry entry = {pair.a, pair.b, wkFrontSafe(front, pair.bound), 0, false, false};
    wkFrontAdd(front, entry);
}

// The least value of the slots in a mask.
WK_FN float wkLeastOf(const float* squares, unsigned mask)
{
    float least = INFINITY;
    for (; mask != 0; mask &= mask - 1) {
        float square = squares[__builtin_ctz(mask)];
        least = square < least ? square : least;
    }
    return least;
}

WK_FN unsigned wkFilledSlots(const wkTree* tree, uint32_t node)
{
    const wkLink* links = wkTreeLinks(tree, node);
    unsigned mask = 0;
    for (int i = 0; i < WK_TREE_WIDTH; ++i) {
        mask |= (links[i] != WK_LINK_EMPTY ? 1u : 0u) << i;
    }
    return mask;
}

// Pairs some slots of an opened node with the slot on the other side.
WK_FORCE_FN int wkPairSlots(wkSlotPair opened, bool opensA, uint32_t node, unsigned mask,
                            const wkBounds* bounds, wkSlotPair* pairs)
{
    int slots[WK_TREE_WIDTH] = {0};
    int count = wkSortSlots(mask, bounds->guesses, slots);
    for (int i = 0; i < count; ++i) {
        wkSlot slot = node * WK_TREE_WIDTH + (wkSlot)slots[i];
        pairs[i] = (wkSlotPair){opensA ? slot : opened.a, opensA ? opened.b : slot,
                                bounds->least[slots[i]]};
    }
    return count;
}

// Walks down from the pairs on the stack and stores where it stops.
WK_FORCE_FN wkStep wkWalkKeeping(wkTreesWalk* walk, const void* query, wkPairRule rule,
                                 wkSlotPair* stack, int count)
{
    wkFront* front = walk->front;
    wkStep step = wk_stepOn;
    while (count > 0) {
        wkSlotPair pair = stack[--count];
        if (step == wk_stepStop || pair.bound > walk->pairs.limit) {
            wkFrontAddPair(front, pair);
            continue;
        }
        wkLink linkA = wkTreeLink(&walk->pairs.a, pair.a),
               linkB = wkTreeLink(&walk->pairs.b, pair.b);
        bool isLeafA = wkIsLeaf(linkA), isLeafB = wkIsLeaf(linkB);
        if (isLeafA && isLeafB) {
            wkFrontAddPair(front, pair);
            step = walk->pairs.leaf(&walk->pairs, linkA, linkB);
            continue;
        }
        bool opensA = isLeafB || (!isLeafA && rule.opensA(query, pair.a, pair.b));
        uint32_t node = opensA ? linkA : linkB;
        wkBounds bounds;
        unsigned mask = rule.bounds(query, opensA, opensA ? pair.b : pair.a, node, &bounds);
        unsigned back = wkFilledSlots(opensA ? &walk->pairs.a : &walk->pairs.b, node) & ~mask;
        if (back != 0) {
            wkFrontEntry entry = {
                pair.a,        pair.b, wkFrontSafe(front, wkLeastOf(bounds.least, back)),
                (uint8_t)back, opensA, false};
            wkFrontAdd(front, entry);
        }
        count += wkPairSlots(pair, opensA, node, mask, &bounds, stack + count);
    }
    return step;
}

// Tests an entry again that may have come close, and walks down where it has.
WK_FORCE_FN wkStep wkReopen(wkTreesWalk* walk, const void* query, wkPairRule rule,
                            wkFrontEntry* entry)
{
    wkSlotPair stack[WK_WALK_STACK];
    wkSlotPair pair = {entry->a, entry->b, 0.0f};
    wkBounds bounds;
    int count = 0;
    if (entry->mask == 0) {
        unsigned slot = pair.b % WK_TREE_WIDTH;
        unsigned near = rule.bounds(query, false, pair.a, pair.b / WK_TREE_WIDTH, &bounds);
        pair.bound = bounds.least[slot];
        entry->safe = wkFrontSafe(walk->front, pair.bound);
        entry->isGone = (near >> slot & 1u) != 0;
        stack[0] = pair;
        count = entry->isGone ? 1 : 0;
    } else {
        bool opensA = entry->opensA;
        uint32_t node =
            opensA ? wkTreeLink(&walk->pairs.a, pair.a) : wkTreeLink(&walk->pairs.b, pair.b);
        unsigned near = rule.bounds(query, opensA, opensA ? pair.b : pair.a, node, &bounds);
        unsigned came = entry->mask & near;
        entry->mask = (uint8_t)(entry->mask & ~near);
        entry->isGone = entry->mask == 0;
        entry->safe = wkFrontSafe(walk->front, wkLeastOf(bounds.least, entry->mask));
        count = wkPairSlots(pair, opensA, node, came, &bounds, stack);
    }
    return wkWalkKeeping(walk, query, rule, stack, count);
}

// Walks over two trees from where the last walk stopped.
WK_FORCE_FN void wkWalkFront(wkTreesWalk* walk, const void* query, wkPairRule rule)
{
    wkFront* front = walk->front;
    front->isFresh = front->count == 0;
    if (front->isFresh) {
        wkSlotPair stem = {0, 0, 0.0f};
        wkFrontAddPair(front, stem);
    }
    int32_t count = front->count;
    for (int32_t i = 0; i < count; ++i) {
        double gap = (double)front->entries[i].safe - front->travel;
        if (gap > 0.0 && gap * gap > (double)walk->pairs.limit) {
            continue;
        }
        if (wkReopen(walk, query, rule, &front->entries[i]) == wk_stepStop) {
            break;
        }
    }
}
