// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Groups of eight boxes against a box, and against each other.

#include "scene/packed_boxes.h"
#include "simd/eight.h"

// A box, broadcast to eight lanes.
typedef struct wideBox {
    wkEight lower[3];
    wkEight upper[3];
} wideBox;

// Clamps infinite ends like the boxes in groups.
WK_FORCE_FN wideBox widenBox(const wkFloatBox* box)
{
    wideBox wide;
    wkEight largest = wkSplat8(FLT_MAX), smallest = wkSplat8(-FLT_MAX);
    for (int axis = 0; axis < 3; ++axis) {
        wide.lower[axis] = wkMax8(wkSplat8(box->lower[axis]), smallest);
        wide.upper[axis] = wkMin8(wkSplat8(box->upper[axis]), largest);
    }
    return wide;
}

WK_FORCE_FN wideBox widenLane(const wkEightBoxes* group, int lane)
{
    wideBox wide;
    for (int axis = 0; axis < 3; ++axis) {
        wide.lower[axis] = wkSplat8(group->lower[axis][lane]);
        wide.upper[axis] = wkSplat8(group->upper[axis][lane]);
    }
    return wide;
}

WK_FORCE_FN wideBox loadGroup(const wkEightBoxes* group)
{
    wideBox wide;
    for (int axis = 0; axis < 3; ++axis) {
        wide.lower[axis] = wkLoad8(group->lower[axis]);
        wide.upper[axis] = wkLoad8(group->upper[axis]);
    }
    return wide;
}

// Returns a bit for each of eight boxes that overlaps; empty slots never do.
WK_FORCE_FN unsigned meets(const wideBox* a, const wideBox* b)
{
    // largest separation over all axes
    wkEight apart = wkSub8(a->lower[0], b->upper[0]);
    apart = wkMax8(apart, wkSub8(b->lower[0], a->upper[0]));
    for (int axis = 1; axis < 3; ++axis) {
        apart = wkMax8(apart, wkSub8(a->lower[axis], b->upper[axis]));
        apart = wkMax8(apart, wkSub8(b->lower[axis], a->upper[axis]));
    }
    return wkNotAbove8(apart, wkSplat8(0.0f));
}

typedef struct groupPair {
    int32_t a;
    int32_t b;
    int32_t level; // of the groups; -1: boxes
} groupPair;

// Each level leaves at most 64 pairs on the stack.
#define PAIR_STACK (WK_PACK_LEVELS * WK_GROUP * WK_GROUP)

typedef struct pairStack {
    groupPair pairs[PAIR_STACK];
    int count;
} pairStack;

WK_FORCE_FN void push(pairStack* stack, int32_t a, int32_t b, int32_t level)
{
    groupPair* pair = &stack->pairs[stack->count++];
    pair->a = a;
    pair->b = b;
    pair->level = level;
}

// Visits pairs of the boxes in two groups: pushes pairs of groups, reports pairs of boxes.
WK_FORCE_FN bool openPair(const wkPackedBoxes* packed, pairStack* stack, groupPair pair,
                          wkDynPairFcn* fcn, void* context)
{
    const wkEightBoxes* groups = &packed->groups[packed->levelStart[pair.level]];
    const wkEightBoxes *groupA = &groups[pair.a], *groupB = &groups[pair.b];
    bool isSelf = pair.a == pair.b;
    wideBox eightB = loadGroup(groupB);
    unsigned lanesA = 0xffu;
    if (!isSelf) {
        // the boxes of A near B
        const wkEightBoxes* above = &packed->groups[packed->levelStart[pair.level + 1]];
        wideBox allOfB = widenLane(&above[pair.b / WK_GROUP], pair.b % WK_GROUP);
        wideBox eightA = loadGroup(groupA);
        lanesA = meets(&eightA, &allOfB);
    }
    for (; lanesA != 0; lanesA &= lanesA - 1) {
        int i = __builtin_ctz(lanesA);
        wideBox one = widenLane(groupA, i);
        unsigned lanesB = meets(&one, &eightB);
        // within a group each pair once, and a group of groups with itself
        lanesB &= isSelf ? (pair.level > 0 ? 0xffu << i : 0xfeu << i) : 0xffu;
        for (; lanesB != 0; lanesB &= lanesB - 1) {
            int32_t a = pair.a * WK_GROUP + i, b = pair.b * WK_GROUP + __builtin_ctz(lanesB);
            if (pair.level > 0) {
                push(stack, a, b, pair.level - 1);
            } else if (!fcn(packed->names[a], packed->names[b], context)) {
                return false;
            }
        }
    }
    return true;
}

static bool visitPairs(const wkPackedBoxes* packed, wkDynPairFcn* fcn, void* context)
{
    pairStack stack;
    stack.count = 0;
    if (packed->levelCount > 0) {
        push(&stack, 0, 0, packed->levelCount - 1);
    }
    while (stack.count > 0) {
        groupPair pair = stack.pairs[--stack.count];
        if (!openPair(packed, &stack, pair, fcn, context)) {
            return false;
        }
    }
    return true;
}

static bool visitBox(const wkPackedBoxes* packed, const wkFloatBox* box, wkCullFcn* cull,
                     wkDynVisitFcn* fcn, void* context)
{
    struct {
        int32_t group, level;
    } stack[WK_PACK_LEVELS * WK_GROUP];
    int count = 0;
    wideBox wide = widenBox(box);
    if (packed->levelCount > 0) {
        stack[count].group = 0;
        stack[count++].level = packed->levelCount - 1;
    }
    while (count > 0) {
        int32_t group = stack[--count].group, level = stack[count].level;
        const wkEightBoxes* boxes = &packed->groups[packed->levelStart[level] + group];
        wideBox eight = loadGroup(boxes);
        unsigned lanes = meets(&wide, &eight);
        if (cull != NULL && lanes != 0) {
            lanes = cull(boxes, lanes, context);
        }
        for (; lanes != 0; lanes &= lanes - 1) {
            int32_t slotIndex = group * WK_GROUP + __builtin_ctz(lanes);
            if (level > 0) {
                stack[count].group = slotIndex;
                stack[count++].level = level - 1;
            } else if (!fcn(packed->names[slotIndex], context)) {
                return false;
            }
        }
    }
    return true;
}

extern const wkPackedBoxKernels WK_KERNEL(wkPackedBoxKernels);
const wkPackedBoxKernels WK_KERNEL(wkPackedBoxKernels) = {visitPairs, visitBox};
