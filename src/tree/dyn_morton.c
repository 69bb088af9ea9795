// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Builds a dynamic tree from the bottom up. Items are sorted along a space-filling curve (Morton
// 1966), then neighbours are joined in one pass: two of them before either is joined with what is on
// its other side, if the cell of the curve that holds both is smaller (Apetrei 2014). Cells that hold
// more than one item are split from the top down, so that boxes crowded in a corner do no harm.

#include "tree/dyn_build.h"

#include <string.h>

// Three digits of the radix sort make a code.
#define BITS_PER_AXIS 10
#define DIGIT_BITS 10
#define DIGIT_COUNT 3
#define DIGIT_VALUES (1 << DIGIT_BITS)

// Nodes that wait have cells of different size.
#define JOIN_STACK (3 * BITS_PER_AXIS + 2)

// Moves ten bits apart, two zeros after each.
static uint32_t spreadBits(uint32_t bits)
{
    bits = (bits | bits << 16) & 0x030000ffu;
    bits = (bits | bits << 8) & 0x0300f00fu;
    bits = (bits | bits << 4) & 0x030c30c3u;
    return (bits | bits << 2) & 0x09249249u;
}

static uint32_t codeOf(const wkBvhItem* item, wkQuad base, wkQuad scale)
{
    wkQuad place = (wkItemCenter(item) - base) * scale;
    uint32_t x = (uint32_t)place[0], y = (uint32_t)place[1], z = (uint32_t)place[2];
    return spreadBits(x) << 2 | spreadBits(y) << 1 | spreadBits(z);
}

// A key is a code with the place of an item below it.
static void makeKeys(const wkDynDraft* draft, uint32_t counts[DIGIT_COUNT][DIGIT_VALUES])
{
    wkBvhBox centers = wkEmptyBox();
    for (uint32_t i = 0; i < draft->itemCount; ++i) {
        centers = wkBoxWith(centers, wkItemCenter(&draft->items[i]));
    }
    // cubes, not boxes: all axes are cut alike
    wkQuad size = centers.upper - centers.lower;
    float extent = size[wkLongestAxis(centers)];
    float scale = extent > 1e-30f ? (float)((1 << BITS_PER_AXIS) - 1) / extent : 0.0f;
    memset(counts, 0, sizeof(uint32_t) * DIGIT_COUNT * DIGIT_VALUES);
    for (uint32_t i = 0; i < draft->itemCount; ++i) {
        uint32_t code = codeOf(&draft->items[i], centers.lower, wkQuadOf(scale));
        draft->keys[i] = (uint64_t)code << 32 | i;
        for (int digit = 0; digit < DIGIT_COUNT; ++digit) {
            ++counts[digit][code >> digit * DIGIT_BITS & (DIGIT_VALUES - 1)];
        }
    }
}

// Moves keys to where their digit belongs.
static void moveByDigit(const uint64_t* from, uint64_t* to, uint32_t count, int digit,
                        uint32_t counts[DIGIT_VALUES])
{
    uint32_t sum = 0;
    for (int i = 0; i < DIGIT_VALUES; ++i) {
        uint32_t here = counts[i];
        counts[i] = sum;
        sum += here;
    }
    int shift = 32 + digit * DIGIT_BITS;
    for (uint32_t i = 0; i < count; ++i) {
        to[counts[from[i] >> shift & (DIGIT_VALUES - 1)]++] = from[i];
    }
}

// @return the sorted keys
static const uint64_t* sortKeys(const wkDynDraft* draft)
{
    uint32_t counts[DIGIT_COUNT][DIGIT_VALUES];
    makeKeys(draft, counts);
    uint64_t* from = draft->keys;
    uint64_t* to = draft->keys + draft->itemCount;
    for (int digit = 0; digit < DIGIT_COUNT; ++digit) {
        moveByDigit(from, to, draft->itemCount, digit, counts[digit]);
        uint64_t* other = from;
        from = to;
        to = other;
    }
    return from;
}

static uint32_t codeAt(const uint64_t* keys, uint32_t i)
{
    return (uint32_t)(keys[i] >> 32);
}

// A node that waits for its sibling.
typedef struct waiting {
    wkDynTop top;
    uint32_t height;
    uint32_t change; // bits in which the code after it differs
} waiting;

// Puts a node into its place, now that it is known.
static void placeTop(wkDynTree* tree, uint32_t node, const wkDynTop* top, uint32_t up)
{
    wkWriteDynNode(&tree->nodes[node], top->box, top->link, up);
    wkAnnounceDynNode(tree, node);
}

// The node above two others, which go to a pair.
static waiting joinTops(wkDynTree* tree, uint32_t pair, const waiting* a, const waiting* b)
{
    uint32_t height = 1 + (a->height > b->height ? a->height : b->height);
    placeTop(tree, pair, &a->top, WK_DYN_NONE);
    placeTop(tree, pair + 1, &b->top, height);
    waiting joined = {{wkJoinDynBoxes(a->top.box, b->top.box), pair}, height, 0};
    return joined;
}

// The node above the items of one cell, whose pairs end before `next`.
static waiting cellTop(const wkDynDraft* draft, const uint64_t* keys, uint32_t count,
                       uint32_t* next)
{
    if (count == 1) {
        waiting leaf = {wkDraftDynLeaf(draft, &draft->items[(uint32_t)keys[0]]), 0, 0};
        return leaf;
    }
    for (uint32_t i = 0; i < count; ++i) {
        draft->spare[i] = draft->items[(uint32_t)keys[i]];
    }
    *next -= 2 * (count - 1);
    waiting cell = {wkSplitDynItems(draft, draft->spare, count, *next), 0, 0};
    cell.height = draft->tree->nodes[cell.top.link + 1].up;
    return cell;
}

wkDynTop wkJoinDynItems(const wkDynDraft* draft, uint32_t pair)
{
    const uint64_t* keys = sortKeys(draft);
    waiting stack[JOIN_STACK];
    int stackCount = 0;
    // backward, so that parents come to lie before their children
    uint32_t next = pair + 2 * (draft->itemCount - 1);
    for (uint32_t i = 0, end; i < draft->itemCount; i = end) {
        uint32_t code = codeAt(keys, i);
        end = i + 1;
        while (end < draft->itemCount && codeAt(keys, end) == code) {
            ++end;
        }
        uint32_t change = end < draft->itemCount ? code ^ codeAt(keys, end) : UINT32_MAX;
        waiting w = cellTop(draft, keys + i, end - i, &next);
        while (stackCount > 0 && stack[stackCount - 1].change < change) {
            next -= 2;
            w = joinTops(draft->tree, next, &stack[--stackCount], &w);
        }
        w.change = change;
        stack[stackCount++] = w;
    }
    return stack[0].top;
}
