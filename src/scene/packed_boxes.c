// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Builds and refits groups of boxes; visits that test one box at a time.

#include "scene/packed_boxes.h"

#include "base/error.h"
#include "base/isa_table.h"
#include "base/memory.h"

#include <string.h>

WK_DEFINE_LANES(const wkPackedBoxKernels, wkPackedBoxKernels)

#define NOBODY (-1)
// A selection needs about 1.5 rounds per bit of the count.
#define SELECT_ROUNDS 64
// Boxes larger than most by this factor are sorted last, where they enlarge few groups.
#define LARGE_FACTOR 8.0f

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
        into->slotOf[i] = NOBODY;
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

static float longestSide(const wkFloatBox* box)
{
    float x = box->upper[0] - box->lower[0], y = box->upper[1] - box->lower[1];
    float z = box->upper[2] - box->lower[2];
    float longest = x > y ? x : y;
    return z > longest ? z : longest;
}

// A size that few boxes exceed; unbounded boxes are ignored.
static float largeSize(const wkDynLeaf* items, int32_t count)
{
    double sum = 0.0;
    int32_t sizedCount = 0;
    for (int32_t i = 0; i < count; ++i) {
        float size = longestSide(&items[i].box);
        if (size < FLT_MAX) {
            sum += (double)size;
            ++sizedCount;
        }
    }
    return LARGE_FACTOR * (float)(sizedCount > 0 ? sum / sizedCount : 0.0);
}

// Collects the centers of all boxes, those of large boxes last.
// @return number of boxes that are not large
static int32_t makePoints(wkPackPoint* points, const wkDynLeaf* items, int32_t count)
{
    float large = largeSize(items, count);
    int32_t front = 0, back = count;
    for (int32_t i = 0; i < count; ++i) {
        const wkFloatBox* box = &items[i].box;
        bool isSmall = longestSide(box) <= large;
        wkPackPoint* point = &points[isSmall ? front++ : --back];
        for (int axis = 0; axis < 3; ++axis) {
            point->middle[axis] = 0.5f * box->lower[axis] + 0.5f * box->upper[axis];
        }
        point->item = i;
    }
    return front;
}

static int longestAxis(const wkPackPoint* points, int32_t count)
{
    float lower[3] = {INFINITY, INFINITY, INFINITY}, upper[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (int32_t i = 0; i < count; ++i) {
        for (int axis = 0; axis < 3; ++axis) {
            float middle = points[i].middle[axis];
            lower[axis] = middle < lower[axis] ? middle : lower[axis];
            upper[axis] = middle > upper[axis] ? middle : upper[axis];
        }
    }
    float x = upper[0] - lower[0], y = upper[1] - lower[1], z = upper[2] - lower[2];
    return x >= y && x >= z ? 0 : (y >= z ? 1 : 2);
}

static float middleOfThree(float a, float b, float c)
{
    float low = a < b ? a : b, high = a < b ? b : a;
    return c < low ? low : (c > high ? high : c);
}

// Moves the `middle` smallest points along an axis to the front (Hoare's selection). When the limit of
// rounds is reached the rest stays as it is: groups are looser then but still correct.
static void selectFirst(wkPackPoint* points, int32_t count, int32_t middle, int axis)
{
    int32_t first = 0, last = count - 1;
    for (int round = 0; round < SELECT_ROUNDS && first < last; ++round) {
        float pivot = middleOfThree(points[first].middle[axis],
                                    points[first + (last - first) / 2].middle[axis],
                                    points[last].middle[axis]);
        int32_t i = first, j = last;
        while (i <= j) {
            while (points[i].middle[axis] < pivot) {
                ++i;
            }
            while (points[j].middle[axis] > pivot) {
                --j;
            }
            if (i <= j) {
                wkPackPoint point = points[i];
                points[i++] = points[j];
                points[j--] = point;
            }
        }
        if (middle <= j) {
            last = j;
        } else if (middle >= i) {
            first = i;
        } else {
            break;
        }
    }
}

// Orders points so that each run of `unit` points, a power of eight, is close together, and so is each
// eighth of a run.
static void arrange(wkPackPoint* points, int32_t count, int32_t unit)
{
    while (unit > 1 && count <= unit) {
        unit /= WK_GROUP;
    }
    if (unit < WK_GROUP) {
        return;
    }
    int32_t units = (count + unit - 1) / unit;
    int32_t half = (units + 1) / 2 * unit;
    selectFirst(points, count, half, longestAxis(points, count));
    arrange(points, half, unit);
    arrange(points + half, count - half, unit);
}

// Infinity marks slots without a box: unbounded boxes end at the largest float instead.
static void setPlace(wkEightBoxes* groups, int32_t slotIndex, const wkFloatBox* box)
{
    wkEightBoxes* group = &groups[slotIndex / WK_GROUP];
    int lane = slotIndex % WK_GROUP;
    for (int axis = 0; axis < 3; ++axis) {
        float lower = box->lower[axis], upper = box->upper[axis];
        group->lower[axis][lane] = lower > -FLT_MAX ? lower : -FLT_MAX;
        group->upper[axis][lane] = upper < FLT_MAX ? upper : FLT_MAX;
    }
}

static void clearPlace(wkEightBoxes* groups, int32_t slotIndex)
{
    wkEightBoxes* group = &groups[slotIndex / WK_GROUP];
    int lane = slotIndex % WK_GROUP;
    for (int axis = 0; axis < 3; ++axis) {
        group->lower[axis][lane] = INFINITY;
        group->upper[axis][lane] = -INFINITY;
    }
}

// Reads the box as it was given. @return false when the slot is empty
static bool getPlace(const wkEightBoxes* groups, int32_t slotIndex, wkFloatBox* box)
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
        clearPlace(above, group);
        return 0.0f;
    }
    setPlace(above, group, &box);
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
        if (packed->names[i] != NOBODY) {
            packed->slotOf[packed->names[i]] = NOBODY;
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
    arrange(packed->points, makePoints(packed->points, items, count), unit);
    for (int32_t slotIndex = 0; slotIndex < count; ++slotIndex) {
        const wkDynLeaf* item = &items[packed->points[slotIndex].item];
        packed->names[slotIndex] = item->name;
        packed->slotOf[item->name] = slotIndex;
        setPlace(packed->groups, slotIndex, &item->box);
    }
    // the last group of each level may have empty slots
    for (int level = 0; level < packed->levelCount; ++level) {
        int32_t used = level == 0 ? count : groupsOfLevel(packed, level - 1);
        wkEightBoxes* groups = &packed->groups[packed->levelStart[level]];
        for (int32_t slotIndex = used; slotIndex % WK_GROUP != 0; ++slotIndex) {
            clearPlace(groups, slotIndex);
        }
    }
    for (int32_t slotIndex = count; slotIndex % WK_GROUP != 0; ++slotIndex) {
        packed->names[slotIndex] = NOBODY;
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
        setPlace(packed->groups, packed->slotOf[items[i].name], &items[i].box);
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
    packed->slotOf[name] = NOBODY;
    packed->names[slotIndex] = NOBODY;
    clearPlace(packed->groups, slotIndex);
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
            if (!getPlace(groups, slotIndex, &box)) {
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
