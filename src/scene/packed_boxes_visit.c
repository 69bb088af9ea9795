// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Visits of packed boxes in the order of a bound, one box at a time: near a box, or along a ray.

#include "scene/packed_boxes.h"

// Reads the box as it was given. @return false when the slot is empty
static bool getSlot(const wkEightBoxes* groups, int32_t slotIndex, wkFloatBox* box)
{
    const wkEightBoxes* group = &groups[slotIndex / WK_GROUP];
    int lane = slotIndex % WK_GROUP;
    for (int axis = 0; axis < 3; ++axis) {
        float lower = group->lower[axis][lane], upper = group->upper[axis][lane];
        box->lower[axis] = lower > -FLT_MAX ? lower : -INFINITY;
        box->upper[axis] = upper < FLT_MAX ? upper : INFINITY;
    }
    return group->lower[0][lane] < INFINITY;
}

// Groups to be visited; at most eight of each level.
typedef struct groupStack {
    struct {
        double bound; // lower bound of all boxes in it
        int32_t slotIndex;
        int32_t level; // of the group in that slot
    } entries[WK_PACK_LEVELS * WK_GROUP];
    int count;
} groupStack;

// Pushes an entry; the nearest of those just pushed stays on top.
static void pushByBound(groupStack* stack, int bottom, double bound, int32_t slotIndex,
                        int32_t level)
{
    int i = stack->count++;
    while (i > bottom && stack->entries[i - 1].bound < bound) {
        stack->entries[i] = stack->entries[i - 1];
        --i;
    }
    stack->entries[i].bound = bound;
    stack->entries[i].slotIndex = slotIndex;
    stack->entries[i].level = level;
}

// Rule that bounds a box for a visit: grows with distance; infinite: skip the box.
typedef struct boundRule {
    const wkFloatBox* box; // NULL: along the ray below
    wkVec3d origin;
    wkVec3d inverse;
    const double* limit;
} boundRule;

static double boundOf(const boundRule* rule, const wkFloatBox* box)
{
    return rule->box != NULL ? wkFloatBoxGap(rule->box, box)
                             : wkFloatBoxEntry(box, rule->origin, rule->inverse, *rule->limit);
}

static bool visitByBound(const wkPackedBoxes* packed, const boundRule* rule, wkDynVisitFcn* fcn,
                         void* context)
{
    groupStack stack;
    stack.count = 0;
    if (packed->levelCount > 0) {
        pushByBound(&stack, 0, -INFINITY, 0, packed->levelCount - 1);
    }
    while (stack.count > 0) {
        int top = --stack.count;
        int32_t group = stack.entries[top].slotIndex, level = stack.entries[top].level;
        if (stack.entries[top].bound > *rule->limit) {
            continue;
        }
        if (level < 0) {
            if (!fcn(packed->names[group], context)) {
                return false;
            }
            continue;
        }
        const wkEightBoxes* groups = &packed->groups[packed->levelStart[level]];
        for (int i = 0; i < WK_GROUP; ++i) {
            int32_t slotIndex = group * WK_GROUP + i;
            wkFloatBox box;
            if (!getSlot(groups, slotIndex, &box)) {
                continue;
            }
            double bound = boundOf(rule, &box);
            if (bound <= *rule->limit && bound < INFINITY) {
                pushByBound(&stack, top, bound, slotIndex, level - 1);
            }
        }
    }
    return true;
}

bool wkPackedBoxes_VisitRay(const wkPackedBoxes* packed, wkVec3d origin, wkVec3d inverseDirection,
                            const double* limit, wkDynVisitFcn* fcn, void* context)
{
    boundRule rule = {NULL, origin, inverseDirection, limit};
    return visitByBound(packed, &rule, fcn, context);
}

bool wkPackedBoxes_VisitNear(const wkPackedBoxes* packed, const wkFloatBox* box,
                             const double* limit, wkDynVisitFcn* fcn, void* context)
{
    wkVec3d zero = {0.0, 0.0, 0.0};
    boundRule rule = {box, zero, zero, limit};
    return visitByBound(packed, &rule, fcn, context);
}
