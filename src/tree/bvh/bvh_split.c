// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The simple splitting rules: at the median, at the mean, by a plane of the caller.

#include "base/isa_table.h"
#include "tree/bvh/bvh_partition.h"

#include "whisker/detail/counts.h"

WK_DEFINE_LANES(wkSplitRangeFcn, wkSurfaceSplit)

void wkSplitBySurface(const wkBvhRule* rule, wkBvhItem* items, const wkBvhRange* range,
                      wkBvhRange halves[2])
{
    wkSurfaceSplitOfMachine()(rule, items, range, halves);
}

// clang-format off
wkSplitRangeFcn* const wkSplitTable[WK_SPLIT_METHOD_COUNT] = {
    [wk_splitSah]    = wkSplitBySurface,
    [wk_splitMedian] = wkSplitAtMedian,
    [wk_splitMean]   = wkSplitAtMean,
    [wk_splitMorton] = wkSplitByCode,
};
// clang-format on

// Puts the item of rank `middle` at that index, with no larger one before it (Hoare's quickselect).
// Equal ones are exchanged, so that a set of them is halved at each step.
static void selectMiddle(wkBvhItem* items, int32_t count, int32_t middle, int axis)
{
    int32_t low = 0, high = count - 1;
    while (low < high) {
        float pivot = wkItemCenterAlong(&items[low + (high - low) / 2], axis);
        int32_t i = low, k = high;
        while (i <= k) {
            while (wkItemCenterAlong(&items[i], axis) < pivot) {
                ++i;
            }
            while (wkItemCenterAlong(&items[k], axis) > pivot) {
                --k;
            }
            if (i <= k) {
                wkBvhItem other = items[i];
                items[i++] = items[k];
                items[k--] = other;
            }
        }
        if (middle <= k) {
            high = k;
        } else if (middle >= i) {
            low = i;
        } else {
            return;
        }
    }
}

void wkSplitAtMedian(const wkBvhRule* rule, wkBvhItem* items, const wkBvhRange* range,
                     wkBvhRange halves[2])
{
    (void)rule;
    int32_t half = range->count / 2;
    selectMiddle(items + range->first, range->count, half, wkLongestAxis(range->centers));
    halves[0] = wkGatherRange(items, range->first, half);
    halves[1] = wkGatherRange(items, range->first + half, range->count - half);
}

// A plane perpendicular to an axis.
typedef struct limit {
    int axis;
    float value;
} limit;

static bool isBelow(const void* context, const wkBvhItem* item)
{
    const limit* plane = (const limit*)context;
    return wkItemCenterAlong(item, plane->axis) < plane->value;
}

void wkSplitAtMean(const wkBvhRule* rule, wkBvhItem* items, const wkBvhRange* range,
                   wkBvhRange halves[2])
{
    limit plane = {wkLongestAxis(range->centers), 0.0f};
    double sum = 0.0;
    for (int32_t i = range->first; i < range->first + range->count; ++i) {
        sum += (double)wkItemCenterAlong(&items[i], plane.axis);
    }
    plane.value = (float)(sum / range->count);
    wkPartRange(items, range, isBelow, &plane, halves);
    if (halves[0].count == 0 || halves[1].count == 0) {
        wkSplitAtMedian(rule, items, range, halves);
    }
}

// A plane given by the caller, and the centers it is compared with.
typedef struct ownPlane {
    wkSplitPlane plane;
    const wkVec3d* centers;
} ownPlane;

static bool isBeforeOwn(const void* context, const wkBvhItem* item)
{
    const ownPlane* own = (const ownPlane*)context;
    return wkDot(own->plane.normal, own->centers[wkItemIndex(item)]) < own->plane.offset;
}

static wkSplitSet showSet(const wkBvhRule* rule, const wkBvhItem* items, const wkBvhRange* range)
{
    int32_t* indices = rule->indices + range->first;
    wkAabb bounds = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    for (int32_t i = 0; i < range->count; ++i) {
        indices[i] = wkItemIndex(&items[range->first + i]);
        bounds.lower = wkMin(bounds.lower, rule->centers[indices[i]]);
        bounds.upper = wkMax(bounds.upper, rule->centers[indices[i]]);
    }
    wkSplitSet set = {rule->centers, indices, range->count, bounds};
    return set;
}

void wkSplitByOwn(const wkBvhRule* rule, wkBvhItem* items, const wkBvhRange* range,
                  wkBvhRange halves[2])
{
    wkSplitSet set = showSet(rule, items, range);
    ownPlane own = {rule->ownSplit(&set, rule->context), rule->centers};

    // numbers that are not finite put all items on one side
    wkPartRange(items, range, isBeforeOwn, &own, halves);
    if (halves[0].count == 0 || halves[1].count == 0) {
        wkSplitAtMedian(rule, items, range, halves);
    }
}
