// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Builds dynamic trees from the bottom up. Leaves are sorted along a space-filling curve (Morton 1966), then
// neighbours are joined in one pass: two of them are joined before either is joined with its other
// neighbour, if the cell of the curve that contains both is smaller (Apetrei 2014). Cells with more than
// one leaf are split from the top down, so that boxes crowded in one spot do no harm.

#include "tree/dynamic/dyn_build.h"

#include <string.h>

// A code has as many bits per axis as the radix sort processes in a pass, in three passes. Fewer are
// faster, because the buckets stay in the cache; many leaves need finer cells.
#define MAX_BITS 10
#define FEW_BITS 8
#define FEW_LEAVES 32768
#define DIGIT_COUNT 3

// Nodes on the stack have cells of different sizes.
#define JOIN_STACK (DIGIT_COUNT * MAX_BITS + 2)

typedef struct curve {
    const wkDynLeaf* leaves;
    wkQuad base;  // smallest of the centers, times two
    wkQuad scale; // cells per metre
    int bits;     // per axis
    uint32_t counts[DIGIT_COUNT][1 << MAX_BITS];
} curve;

// Spreads ten bits, two zeros after each.
static uint32_t spreadBits(uint32_t bits)
{
    bits = (bits | bits << 16) & 0x030000ffu;
    bits = (bits | bits << 8) & 0x0300f00fu;
    bits = (bits | bits << 4) & 0x030c30c3u;
    return (bits | bits << 2) & 0x09249249u;
}

static uint32_t codeOf(const curve* c, wkDynBox box)
{
    wkQuad position = (box.lower + box.upper - c->base) * c->scale;
    wkQuadInt cell = __builtin_convertvector(position, wkQuadInt);
    return spreadBits((uint32_t)cell[0]) << 2 | spreadBits((uint32_t)cell[1]) << 1 |
           spreadBits((uint32_t)cell[2]);
}

// Uses cubes, not boxes: all axes have the same scale.
static void placeCurve(curve* c, uint32_t count)
{
    wkBvhBox centers = wkEmptyBox();
    for (uint32_t i = 0; i < count; ++i) {
        wkDynBox box = wkMakeDynBox(&c->leaves[i].box);
        if (wkIsDynModerate(box)) {
            centers = wkBoxWith(centers, box.lower + box.upper);
        }
    }
    wkQuad size = centers.upper - centers.lower;
    float extent = size[wkLongestAxis(centers)];
    c->base = centers.lower;
    c->scale = wkQuadOf(extent > 1e-30f ? (float)((1 << c->bits) - 1) / extent : 0.0f);
}

// A key is a code with the index of a leaf below it.
static void makeKeys(curve* c, uint32_t count, uint64_t* keys)
{
    memset(c->counts, 0, sizeof c->counts);
    uint32_t digitMask = (1u << c->bits) - 1, keyCount = 0;
    for (uint32_t i = 0; i < count; ++i) {
        wkDynBox box = wkMakeDynBox(&c->leaves[i].box);
        if (!wkIsDynModerate(box)) {
            continue;
        }
        uint32_t code = codeOf(c, box);
        keys[keyCount++] = (uint64_t)code << 32 | i;
        for (int digit = 0; digit < DIGIT_COUNT; ++digit) {
            ++c->counts[digit][code >> digit * c->bits & digitMask];
        }
    }
}

// Moves keys to the buckets of their digit.
static void moveByDigit(curve* c, int digit, const uint64_t* from, uint64_t* to, uint32_t count)
{
    uint32_t* counts = c->counts[digit];
    uint32_t sum = 0;
    for (int i = 0; i < 1 << c->bits; ++i) {
        uint32_t here = counts[i];
        counts[i] = sum;
        sum += here;
    }
    int shift = 32 + digit * c->bits;
    uint32_t digitMask = (1u << c->bits) - 1;
    for (uint32_t i = 0; i < count; ++i) {
        to[counts[from[i] >> shift & digitMask]++] = from[i];
    }
}

// @return the sorted keys; `keys` has capacity for twice as many
static const uint64_t* sortKeys(const wkDynLeaf* leaves, uint32_t count, uint32_t keyCount,
                                uint64_t* keys)
{
    curve c;
    c.leaves = leaves;
    c.bits = keyCount < FEW_LEAVES ? FEW_BITS : MAX_BITS;
    placeCurve(&c, count);
    makeKeys(&c, count, keys);
    uint64_t* from = keys;
    uint64_t* to = keys + keyCount;
    for (int digit = 0; digit < DIGIT_COUNT; ++digit) {
        moveByDigit(&c, digit, from, to, keyCount);
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

// A node without a sibling yet.
typedef struct waiting {
    wkDynTop top;
    uint32_t height;
    uint32_t change; // bits in which the code after it differs
} waiting;

// Writes a node to its final index.
static void placeTop(wkDynTree* tree, uint32_t node, const wkDynTop* top, uint32_t up)
{
    wkWriteDynNode(&tree->nodes[node], top->box, top->link, up);
    wkAnnounceDynNode(tree, node);
}

// Joins two nodes, which are written to a pair.
static waiting joinTops(wkDynTree* tree, uint32_t pair, const waiting* a, const waiting* b)
{
    uint32_t height = 1 + (a->height > b->height ? a->height : b->height);
    placeTop(tree, pair, &a->top, WK_DYN_NONE);
    placeTop(tree, pair + 1, &b->top, height);
    waiting joined = {{wkJoinDynBoxes(a->top.box, b->top.box), pair}, height, 0};
    return joined;
}

// Builds the node above the leaves of one cell, whose pairs end before `next`.
static waiting cellTop(wkDynTree* tree, const wkDynLeaf* leaves, const uint64_t* keys,
                       uint32_t count, wkBvhItem* items, uint32_t* next)
{
    if (count == 1) {
        const wkDynLeaf* leaf = &leaves[(uint32_t)keys[0]];
        waiting only = {{wkMakeDynBox(&leaf->box), (uint32_t)leaf->name | WK_DYN_LEAF}, 0, 0};
        return only;
    }
    for (uint32_t i = 0; i < count; ++i) {
        items[i] = wkDynItem(&leaves[(uint32_t)keys[i]]);
    }
    *next -= 2 * (count - 1);
    waiting cell = {wkSplitDynItems(tree, items, count, *next), 0, 0};
    cell.height = tree->nodes[cell.top.link + 1].up;
    return cell;
}

wkDynTop wkJoinDynLeaves(wkDynTree* tree, const wkDynLeaf* leaves, uint32_t count,
                         uint32_t moderateCount, void* scratch, uint32_t pair)
{
    wkBvhItem* items = (wkBvhItem*)scratch;
    const uint64_t* keys =
        sortKeys(leaves, count, moderateCount, (uint64_t*)(items + moderateCount));
    waiting stack[JOIN_STACK];
    stack[0] = (waiting){.height = 0};
    int stackCount = 0;
    // backward, so that parents come before their children
    uint32_t next = pair + 2 * (moderateCount - 1);
    for (uint32_t i = 0, end; i < moderateCount; i = end) {
        uint32_t code = codeAt(keys, i);
        end = i + 1;
        while (end < moderateCount && codeAt(keys, end) == code) {
            ++end;
        }
        uint32_t change = end < moderateCount ? code ^ codeAt(keys, end) : UINT32_MAX;
        waiting w = cellTop(tree, leaves, keys + i, end - i, items, &next);
        while (stackCount > 0 && stack[stackCount - 1].change < change) {
            next -= 2;
            w = joinTops(tree, next, &stack[--stackCount], &w);
        }
        w.change = change;
        stack[stackCount++] = w;
    }
    return stack[0].top;
}
