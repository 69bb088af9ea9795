// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The walks behind all queries about hierarchies: over the pairs of slots of two trees, and over the
// slots of one tree against a single body. A rule, passed as a literal and folded by the compiler,
// computes bounds; the query decides what happens at the leaves and up to which bound slots matter. The
// limit alone makes one walk serve all queries: it stays constant for a verdict and shrinks to the best
// result so far for the closest pair.
//
// A bound is a number whose meaning the rule gives: no result below the slot is less, and the walk compares
// it with the limit and with other bounds, nothing else. It is 0 or more. The rules for distances use squared metres
// (distance_walk.h), that of a ray metres along the ray, that of a support metres below the top of the tree;
// a cast of a moving body would use its time of contact.

#include "tree/bvh/tree.h"

typedef enum wkStep {
    wk_stepOn,
    wk_stepStop,
} wkStep;

// Two slots, and the bound of all that is below them.
typedef struct wkSlotPair {
    wkSlot a;
    wkSlot b;
    float bound;
} wkSlotPair;

// Where a walk starts: no bound of a rule is less.
#define WK_LEAST_BOUND 0.0f
static const wkSlotPair wkStems = {0, 0, WK_LEAST_BOUND};

// One step down pops one pair and pushes eight: no deeper stack is possible.
#define WK_WALK_STACK (2 * WK_TREE_MAX_DEPTH * (WK_TREE_WIDTH - 1) + WK_TREE_WIDTH)

typedef struct wkPairWalk wkPairWalk;

// A walk over two trees. Queries put this first in a struct of their own.
struct wkPairWalk {
    wkTree a;
    wkTree b;
    float limit; // slots with a larger bound do not matter; the leaves may lower it
    wkStep (*leaf)(wkPairWalk* walk, wkLink a, wkLink b);
};

typedef struct wkSlotWalk wkSlotWalk;

// A walk over one tree when the other body is not a hierarchy.
struct wkSlotWalk {
    wkTree tree;
    float limit;
    wkStep (*leaf)(wkSlotWalk* walk, wkLink link);
};

// Bounds of the eight slots of a node, in the unit of the rule.
typedef struct wkBounds {
    _Alignas(32) float least[WK_TREE_WIDTH];   // no result below the slot is less
    _Alignas(32) float guesses[WK_TREE_WIDTH]; // slots with lower values are visited first
} wkBounds;

// Computes bounds of a volume of one tree against the slots of a node of the other.
typedef struct wkPairRule {
    // whether the first tree's slot is opened, of two that hold nodes
    bool (*opensA)(const void* query, wkSlot a, wkSlot b);
    // bounds of the volume in `slot` of the tree that stays closed against those in all slots of a
    // `node` of the other
    // @return a bit for each slot that is not empty and not above the limit; NaN is not above
    unsigned (*bounds)(const void* query, bool opensA, wkSlot slot, uint32_t node,
                       wkBounds* bounds);
} wkPairRule;

// Sorts the chosen slots so that the likeliest comes last, on top of the stack.
WK_FORCE_FN int wkSortSlots(unsigned mask, const float* guesses, int* slots)
{
    int count = 0;
    for (; mask != 0; mask &= mask - 1) {
        int slot = __builtin_ctz(mask), k = count++;
        for (; k > 0 && guesses[slots[k - 1]] < guesses[slot]; --k) {
            slots[k] = slots[k - 1];
        }
        slots[k] = slot;
    }
    return count;
}

// The pairs below one, at most eight, the likeliest last.
typedef struct wkPairsBelow {
    int count;
    wkSlotPair pairs[WK_TREE_WIDTH];
    float guesses[WK_TREE_WIDTH];
} wkPairsBelow;

// Asks for the memory of a node, which most walks come to soon.
WK_FORCE_FN void wkPrefetchNode(const wkTree* tree, wkLink link)
{
    if (!wkIsLeaf(link)) {
        const char* node = tree->nodes + (size_t)link * tree->nodeBytes;
        for (size_t line = 0; line < sizeof(wkBoxNode); line += 64) {
            __builtin_prefetch(node + line);
        }
    }
}

// Opens a pair, or evaluates its leaves.
WK_FORCE_FN wkStep wkOpenPair(wkPairWalk* walk, const void* query, wkPairRule rule, wkSlotPair pair,
                              wkPairsBelow* below)
{
    below->count = 0;
    wkLink linkA = wkTreeLink(&walk->a, pair.a), linkB = wkTreeLink(&walk->b, pair.b);
    bool isLeafA = wkIsLeaf(linkA), isLeafB = wkIsLeaf(linkB);
    if (isLeafA && isLeafB) {
        return walk->leaf(walk, linkA, linkB);
    }
    bool opensA = isLeafB || (!isLeafA && rule.opensA(query, pair.a, pair.b));
    uint32_t node = opensA ? linkA : linkB;
    wkBounds bounds;
    unsigned mask = rule.bounds(query, opensA, opensA ? pair.b : pair.a, node, &bounds);
    int slots[WK_TREE_WIDTH] = {0};
    int count = wkSortSlots(mask, bounds.guesses, slots);
    for (int i = 0; i < count; ++i) {
        wkSlot slot = node * WK_TREE_WIDTH + (wkSlot)slots[i];
        below->pairs[i] =
            (wkSlotPair){opensA ? slot : pair.a, opensA ? pair.b : slot, bounds.least[slots[i]]};
        below->guesses[i] = bounds.guesses[slots[i]];
        const wkTree* opened = opensA ? &walk->a : &walk->b;
        wkPrefetchNode(opened, wkTreeLink(opened, slot));
    }
    below->count = count;
    return wk_stepOn;
}

// Walks over all pairs below one, the last found first: for a constant limit. The limit is re-read each
// time.
WK_FORCE_FN wkStep wkWalkDown(wkPairWalk* walk, const void* query, wkPairRule rule,
                              wkSlotPair start)
{
    wkSlotPair stack[WK_WALK_STACK];
    int count = 0;
    stack[count++] = start;
    while (count > 0) {
        wkSlotPair pair = stack[--count];
        if (pair.bound > walk->limit) {
            continue;
        }
        wkPairsBelow below;
        if (wkOpenPair(walk, query, rule, pair, &below) == wk_stepStop) {
            return wk_stepStop;
        }
        for (int i = 0; i < below.count; ++i) {
            stack[count++] = below.pairs[i];
        }
    }
    return wk_stepOn;
}

// Pairs queued in a heap, the likeliest on top: the one with the lowest bound, where the guess decides
// between bounds that are nearly equal. Measured: without it a tenth slower, and the same with a
// fraction of 3e-3.
#define WK_AGENDA_CAPACITY 700
#define WK_GUESS_SHARE 1e-4f
typedef struct wkAgenda {
    int count;
    struct {
        float guess;
        wkSlotPair pair;
    } entries[WK_AGENDA_CAPACITY];
} wkAgenda;

WK_FORCE_FN void wkAgendaPush(wkAgenda* agenda, float guess, wkSlotPair pair)
{
    int i = agenda->count++;
    for (; i > 0 && agenda->entries[(i - 1) / 2].guess > guess; i = (i - 1) / 2) {
        agenda->entries[i] = agenda->entries[(i - 1) / 2];
    }
    agenda->entries[i].guess = guess;
    agenda->entries[i].pair = pair;
}

WK_FORCE_FN wkSlotPair wkAgendaPop(wkAgenda* agenda)
{
    wkSlotPair top = agenda->entries[0].pair;
    int count = --agenda->count, i = 0;
    float guess = agenda->entries[count].guess;
    for (int child = 1; child < count; child = 2 * i + 1) {
        child +=
            child + 1 < count && agenda->entries[child + 1].guess < agenda->entries[child].guess;
        if (!(agenda->entries[child].guess < guess)) {
            break;
        }
        agenda->entries[i] = agenda->entries[child];
        i = child;
    }
    agenda->entries[i] = agenda->entries[count];
    return top;
}

// An instance of the function above.
typedef wkStep wkWalkDownFcn(wkPairWalk* walk, const void* query, wkSlotPair start);

// Walks over all pairs, the likeliest first: for a limit that shrinks with the results. Pairs that exceed
// the capacity of the agenda are walked over at once.
WK_FORCE_FN void wkWalkNearest(wkPairWalk* walk, const void* query, wkPairRule rule,
                               wkWalkDownFcn* walkDown)
{
    wkAgenda agenda;
    agenda.count = 0;
    wkAgendaPush(&agenda, 0.0f, wkStems);
    while (agenda.count > 0) {
        wkSlotPair pair = wkAgendaPop(&agenda);
        if (pair.bound > walk->limit) {
            continue;
        }
        if (agenda.count + WK_TREE_WIDTH > WK_AGENDA_CAPACITY) {
            if (walkDown(walk, query, pair) == wk_stepStop) {
                return;
            }
            continue;
        }
        wkPairsBelow below;
        if (wkOpenPair(walk, query, rule, pair, &below) == wk_stepStop) {
            return;
        }
        for (int i = 0; i < below.count; ++i) {
            float guess = below.pairs[i].bound + WK_GUESS_SHARE * below.guesses[i];
            wkAgendaPush(&agenda, guess, below.pairs[i]);
        }
    }
}

// Computes bounds of the single body against the slots of a node: as above.
typedef struct wkSlotRule {
    unsigned (*bounds)(const void* query, uint32_t node, wkBounds* bounds);
} wkSlotRule;

// Walks over the whole tree.
WK_FORCE_FN void wkWalkSlots(wkSlotWalk* walk, const void* query, wkSlotRule rule)
{
    typedef struct entry {
        wkLink link;
        float bound;
    } entry;
    entry stack[WK_TREE_MAX_DEPTH * (WK_TREE_WIDTH - 1) + WK_TREE_WIDTH];
    int count = 0;
    stack[count++] = (entry){0, WK_LEAST_BOUND}; // the stem
    while (count > 0) {
        entry top = stack[--count];
        if (top.bound > walk->limit) {
            continue;
        }
        if (wkIsLeaf(top.link)) {
            if (walk->leaf(walk, top.link) == wk_stepStop) {
                return;
            }
            continue;
        }
        wkBounds bounds;
        unsigned mask = rule.bounds(query, top.link, &bounds);
        const wkLink* links = wkTreeLinks(&walk->tree, top.link);
        int slots[WK_TREE_WIDTH] = {0};
        int found = wkSortSlots(mask, bounds.guesses, slots);
        for (int i = 0; i < found; ++i) {
            stack[count++] = (entry){links[slots[i]], bounds.least[slots[i]]};
            wkPrefetchNode(&walk->tree, links[slots[i]]);
        }
    }
}
