// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Builds and refits groups of boxes.

#include "scene/packed_boxes.h"

#include "base/error.h"
#include "base/isa_table.h"
#include "base/memory.h"

#include <string.h>

WK_DEFINE_LANES(const wkPackedBoxKernels, wkPackedBoxKernels)

#define NO_NAME (-1)

void wkPackedBoxes_Free(wkPackedBoxes* packed)
{
    size_t n = (size_t)packed->capacity;
    wkFree(packed->groups, wkPackedBoxes_GroupCapacity(packed->capacity) * sizeof *packed->groups);
    wkFree(packed->names, (n + WK_GROUP) * sizeof *packed->names);
    wkFree(packed->slotOf, n * sizeof *packed->slotOf);
    wkFree(packed->points, n * sizeof *packed->points);
}

static int32_t groupCount(const wkPackedBoxes* packed)
{
    return packed->levelCount > 0 ? packed->levelStart[packed->levelCount - 1] + 1 : 0;
}

void wkPackedBoxes_Copy(const wkPackedBoxes* from, wkPackedBoxes* into)
{
    if (from->levelCount > 0) {
        size_t slotIndices = ((size_t)from->count + WK_GROUP - 1) / WK_GROUP * WK_GROUP;
        memcpy(into->groups, from->groups, (size_t)groupCount(from) * sizeof *from->groups);
        memcpy(into->names, from->names, slotIndices * sizeof *from->names);
    }
    if (from->capacity > 0) {
        memcpy(into->slotOf, from->slotOf, (size_t)from->capacity * sizeof *from->slotOf);
    }
    for (int32_t i = from->capacity; i < into->capacity; ++i) {
        into->slotOf[i] = NO_NAME;
    }
    into->count = from->count;
    into->levelCount = from->levelCount;
    memcpy(into->levelStart, from->levelStart, sizeof into->levelStart);
    into->builtSize = from->builtSize;
    into->looseCount = from->looseCount;
}

wkResult wkPackedBoxes_Reserve(wkPackedBoxes* packed, int32_t capacity)
{
    if (capacity <= packed->capacity) {
        return wk_ok;
    }
    size_t n = (size_t)capacity;
    wkPackedBoxes grown;
    memset(&grown, 0, sizeof grown);
    grown.capacity = capacity;
    grown.groups =
        (wkEightBoxes*)wkAlloc(wkPackedBoxes_GroupCapacity(capacity) * sizeof *grown.groups);
    grown.names = (int32_t*)wkAlloc((n + WK_GROUP) * sizeof *grown.names);
    grown.slotOf = (int32_t*)wkAlloc(n * sizeof *grown.slotOf);
    grown.points = (wkPackPoint*)wkAlloc(n * sizeof *grown.points);
    if (grown.groups == NULL || grown.names == NULL || grown.slotOf == NULL ||
        grown.points == NULL) {
        wkPackedBoxes_Free(&grown);
        return wkFail(wk_errorMemory, "scene: no memory for %d objects", (int)capacity);
    }
    wkPackedBoxes_Copy(packed, &grown);
    wkPackedBoxes_Free(packed);
    *packed = grown;
    return wk_ok;
}

// Infinity marks slots without a box: unbounded boxes end at the largest float instead.
static void setSlot(wkEightBoxes* groups, int32_t slotIndex, const wkFloatBox* box)
{
    wkEightBoxes* group = &groups[slotIndex / WK_GROUP];
    int lane = slotIndex % WK_GROUP;
    for (int axis = 0; axis < 3; ++axis) {
        float lower = box->lower[axis], upper = box->upper[axis];
        group->lower[axis][lane] = lower > -FLT_MAX ? lower : -FLT_MAX;
        group->upper[axis][lane] = upper < FLT_MAX ? upper : FLT_MAX;
    }
}

static void clearSlot(wkEightBoxes* groups, int32_t slotIndex)
{
    wkEightBoxes* group = &groups[slotIndex / WK_GROUP];
    int lane = slotIndex % WK_GROUP;
    for (int axis = 0; axis < 3; ++axis) {
        group->lower[axis][lane] = INFINITY;
        group->upper[axis][lane] = -INFINITY;
    }
}

static wkFloatBox boxOfGroup(const wkEightBoxes* group)
{
    wkFloatBox box;
    for (int axis = 0; axis < 3; ++axis) {
        const float *lowers = group->lower[axis], *uppers = group->upper[axis];
        float lower = lowers[0], upper = uppers[0];
        for (int i = 1; i < WK_GROUP; ++i) {
            lower = lowers[i] < lower ? lowers[i] : lower;
            upper = uppers[i] > upper ? uppers[i] : upper;
        }
        box.lower[axis] = lower;
        box.upper[axis] = upper;
    }
    return box;
}

// Sets the number of groups on each level, and their first indices.
static void layOut(wkPackedBoxes* packed, int32_t count)
{
    int32_t start = 0, groups = (count + WK_GROUP - 1) / WK_GROUP;
    packed->count = count;
    packed->levelCount = 0;
    while (groups > 0) {
        packed->levelStart[packed->levelCount++] = start;
        start += groups;
        groups = groups > 1 ? (groups + WK_GROUP - 1) / WK_GROUP : 0;
    }
}

static int32_t groupsOfLevel(const wkPackedBoxes* packed, int level)
{
    bool isLast = level + 1 == packed->levelCount;
    return isLast ? 1 : packed->levelStart[level + 1] - packed->levelStart[level];
}

// Writes the bounds of a group into its parent group.
// @return sum of its sides; 0 when unbounded
static float fitGroup(wkPackedBoxes* packed, int level, int32_t group)
{
    wkFloatBox box = boxOfGroup(&packed->groups[packed->levelStart[level] + group]);
    wkEightBoxes* above = &packed->groups[packed->levelStart[level + 1]];
    if (box.lower[0] > box.upper[0]) {
        clearSlot(above, group);
        return 0.0f;
    }
    setSlot(above, group, &box);
    float sides = (box.upper[0] - box.lower[0]) + (box.upper[1] - box.lower[1]) +
                  (box.upper[2] - box.lower[2]);
    return sides < FLT_MAX ? sides : 0.0f;
}

// Refits all groups, from the lowest level up.
// @return sum of the sides of all lowest-level groups, unbounded ones left out
static double fitGroups(wkPackedBoxes* packed)
{
    double size = 0.0;
    for (int level = 0; level + 1 < packed->levelCount; ++level) {
        int32_t count = groupsOfLevel(packed, level);
        for (int32_t i = 0; i < count; ++i) {
            float sides = fitGroup(packed, level, i);
            size += level == 0 ? (double)sides : 0.0;
        }
    }
    return size;
}

void wkPackedBoxes_Build(wkPackedBoxes* packed, const wkDynLeaf* items, int32_t count)
{
    for (int32_t i = 0; i < packed->count; ++i) {
        if (packed->names[i] != NO_NAME) {
            packed->slotOf[packed->names[i]] = NO_NAME;
        }
    }
    layOut(packed, count);
    if (count == 0) {
        return;
    }
    int32_t unit = 1;
    for (int level = 1; level < packed->levelCount; ++level) {
        unit *= WK_GROUP;
    }
    wkArrangeBoxes(packed->points, items, count, unit);
    for (int32_t slotIndex = 0; slotIndex < count; ++slotIndex) {
        const wkDynLeaf* item = &items[packed->points[slotIndex].item];
        packed->names[slotIndex] = item->name;
        packed->slotOf[item->name] = slotIndex;
        setSlot(packed->groups, slotIndex, &item->box);
    }
    // the last group of each level may have empty slots
    for (int level = 0; level < packed->levelCount; ++level) {
        int32_t used = level == 0 ? count : groupsOfLevel(packed, level - 1);
        wkEightBoxes* groups = &packed->groups[packed->levelStart[level]];
        for (int32_t slotIndex = used; slotIndex % WK_GROUP != 0; ++slotIndex) {
            clearSlot(groups, slotIndex);
        }
    }
    for (int32_t slotIndex = count; slotIndex % WK_GROUP != 0; ++slotIndex) {
        packed->names[slotIndex] = NO_NAME;
    }
    packed->builtSize = fitGroups(packed);
    packed->looseCount = 0;
}

// Refits the groups that contain a slot, from the lowest level up.
static void fitPath(wkPackedBoxes* packed, int32_t slotIndex)
{
    for (int level = 0; level + 1 < packed->levelCount; ++level) {
        slotIndex /= WK_GROUP;
        fitGroup(packed, level, slotIndex);
    }
}

double wkPackedBoxes_Refit(wkPackedBoxes* packed, const wkDynLeaf* items, int32_t count)
{
    for (int32_t i = 0; i < count; ++i) {
        setSlot(packed->groups, packed->slotOf[items[i].name], &items[i].box);
    }
    // few boxes: refit only their ancestors, until the total of changes is large
    packed->looseCount += count;
    if (packed->looseCount * packed->levelCount < groupCount(packed)) {
        for (int32_t i = 0; i < count; ++i) {
            fitPath(packed, packed->slotOf[items[i].name]);
        }
        return 1.0;
    }
    packed->looseCount = 0;
    double size = fitGroups(packed);
    return size > packed->builtSize ? size / packed->builtSize : 1.0;
}

void wkPackedBoxes_Remove(wkPackedBoxes* packed, int32_t name)
{
    int32_t slotIndex = packed->slotOf[name];
    packed->slotOf[name] = NO_NAME;
    packed->names[slotIndex] = NO_NAME;
    clearSlot(packed->groups, slotIndex);
}
