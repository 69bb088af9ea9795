// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Checks spheres line by line of the image, without reading a pixel twice where it proves free space.
//
// Spheres are sorted by their furthest points, the furthest first. A pixel that is free up to the
// furthest point of one sphere is so for all later ones. Each line keeps the runs of such
// pixels, and later spheres skip them.

#include "sense/depth_sphere_item.h"

// Maximum number of runs of a line; pixels of other runs are read again.
#define MAX_RUNS 64

typedef struct clearRuns {
    int32_t count;
    int32_t first[MAX_RUNS];
    int32_t last[MAX_RUNS];
} clearRuns;

static void addRun(clearRuns* runs, int32_t first, int32_t last)
{
    if (runs->count > 0 && first <= runs->last[runs->count - 1] + 1) {
        int32_t* end = &runs->last[runs->count - 1];
        *end = last > *end ? last : *end;
    } else if (first <= last && runs->count < MAX_RUNS) {
        runs->first[runs->count] = first;
        runs->last[runs->count++] = last;
    }
}

// Merges two lists of runs, in order.
static void mergeRuns(clearRuns* runs, const clearRuns* fresh)
{
    clearRuns old = *runs;
    int32_t i = 0, j = 0;
    runs->count = 0;
    while (i < old.count || j < fresh->count) {
        bool isOld = j == fresh->count || (i < old.count && old.first[i] < fresh->first[j]);
        if (isOld) {
            addRun(runs, old.first[i], old.last[i]);
            ++i;
        } else {
            addRun(runs, fresh->first[j], fresh->last[j]);
            ++j;
        }
    }
}

// Checks pixels from `first` to `last` of a line.
static unsigned scanGap(const wkDepthMap* map, const wkCameraSphere* sphere, int32_t v,
                        int32_t first, int32_t last, clearRuns* fresh)
{
    const float* freeTo = map->freeTo + (size_t)v * (size_t)map->pitch;
    unsigned found = 0;
    int32_t clearFrom = first;
    for (int32_t u = first; u <= last; ++u) {
        if (!(sphere->deepest < (double)freeTo[u])) {
            addRun(fresh, clearFrom, u - 1);
            clearFrom = u + 1;
            found |= wkClassifyPixel(map, sphere, u, v);
        }
    }
    addRun(fresh, clearFrom, last);
    return found;
}

static unsigned scanLine(const wkDepthMap* map, const wkCameraSphere* sphere, int32_t v,
                         int32_t first, int32_t last, clearRuns* runs)
{
    clearRuns fresh;
    fresh.count = 0;
    unsigned found = 0;
    int32_t u = first, i = 0;
    while (u <= last) {
        while (i < runs->count && runs->last[i] < u) {
            ++i;
        }
        bool isRun = i < runs->count && runs->first[i] <= last;
        int32_t gapEnd = isRun ? runs->first[i] - 1 : last;
        if (u <= gapEnd) {
            found |= scanGap(map, sphere, v, u, gapEnd, &fresh);
        }
        u = isRun ? runs->last[i] + 1 : last + 1;
    }
    mergeRuns(runs, &fresh);
    return found;
}

// Finds the pixels of a line whose center rays can meet the sphere: where a quadratic function of their
// slope, which is negative far away, is not negative. @return false: none
static bool lineOfSphere(const wkDepthMap* map, const wkCameraSphere* sphere,
                         const wkPixelRange* range, int32_t v, int32_t* first, int32_t* last)
{
    double b = wkSlopeOfRow(map, v), x = sphere->center.x;
    double across = b * sphere->center.y + sphere->center.z, square = 1.0 + b * b;
    double outside = sphere->squared - sphere->grown * sphere->grown;
    double bend = x * x - outside, start = across * across - square * outside;
    double scale = sphere->squared + sphere->grown * sphere->grown;
    *first = range->left;
    *last = range->right;
    if (!(bend < -1e-6 * scale)) {
        return *first <= *last;
    }
    double inside = x * x * across * across - bend * start;
    double slack = 1e-12 * (x * x * across * across + scale * (across * across + square * scale));
    if (inside < -slack) {
        return false;
    }
    double root = sqrt(inside + slack);
    double low = (-x * across + root) / bend, high = (-x * across - root) / bend;
    const wkCamera* c = &map->camera;
    double left = floor(low * c->fx + c->cx) - 1.0, right = ceil(high * c->fx + c->cx) + 1.0;
    *first = left > *first ? (int32_t)wkMinD(left, c->width) : *first;
    *last = right < *last ? (int32_t)wkMaxD(right, -1.0) : *last;
    return *first <= *last;
}

// Sorts the indices of the spheres, the one with the furthest point first.
static void sortByDepth(const wkCameraSphere* spheres, int32_t count, int32_t* order)
{
    for (int32_t i = 0; i < count; ++i) {
        int32_t at = i;
        for (; at > 0 && spheres[order[at - 1]].deepest < spheres[i].deepest; --at) {
            order[at] = order[at - 1];
        }
        order[at] = i;
    }
}

void wkFindByLines(const wkDepthMap* map, const wkCameraSphere* spheres, int32_t count,
                   unsigned* findings)
{
    wkPixelRange ranges[WK_MAX_CAMERA_SPHERES];
    int32_t order[WK_MAX_CAMERA_SPHERES], top = map->camera.height, bottom = -1;
    for (int32_t i = 0; i < count; ++i) {
        ranges[i] = wkDepthMap_Range(map, &spheres[i]);
        findings[i] = wkFirstFindings(&spheres[i]);
        top = ranges[i].top < top ? ranges[i].top : top;
        bottom = ranges[i].bottom > bottom ? ranges[i].bottom : bottom;
    }
    sortByDepth(spheres, count, order);
    for (int32_t v = top; v <= bottom; ++v) {
        clearRuns runs;
        runs.count = 0;
        for (int32_t k = 0; k < count; ++k) {
            int32_t i = order[k], first = 0, last = -1;
            bool isMet =
                v >= ranges[i].top && v <= ranges[i].bottom && (findings[i] & wk_findHit) == 0;
            if (isMet && lineOfSphere(map, &spheres[i], &ranges[i], v, &first, &last)) {
                findings[i] |= scanLine(map, &spheres[i], v, first, last, &runs);
            }
        }
    }
}
