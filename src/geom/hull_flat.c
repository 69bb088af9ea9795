// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Hulls without volume: a point, a segment, or a polygon with two sides. The polygon is Andrew's
// monotone chain (1979) in the plane of the points.

#include "geom/hull_draft.h"

#include "base/error.h"
#include "base/memory.h"

#include <stdlib.h>

typedef struct planePoint {
    double x, y;
    int32_t index;
} planePoint;

static int comparePlanePoints(const void* left, const void* right)
{
    const planePoint *a = left, *b = right;
    if (a->x != b->x) {
        return a->x < b->x ? -1 : 1;
    }
    if (a->y != b->y) {
        return a->y < b->y ? -1 : 1;
    }
    return a->index < b->index ? -1 : a->index > b->index;
}

// > 0 when a, b, c turn left
static double turn(planePoint a, planePoint b, planePoint c)
{
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

// Corners of the hull of sorted points, anticlockwise. `chain` has room for count + 1.
static int32_t monotoneChain(const planePoint* points, int32_t count, planePoint* chain)
{
    int32_t size = 0;
    for (int32_t i = 0; i < count; ++i) {
        while (size >= 2 && turn(chain[size - 2], chain[size - 1], points[i]) <= 0.0) {
            --size;
        }
        chain[size++] = points[i];
    }
    int32_t lowerSize = size;
    for (int32_t i = count - 2; i >= 0; --i) {
        while (size > lowerSize && turn(chain[size - 2], chain[size - 1], points[i]) <= 0.0) {
            --size;
        }
        chain[size++] = points[i];
    }
    return size - 1; // the first point came round again
}

// Rounding leaves corners along straight sides. Starting from the corner furthest from the middle,
// which is a true one, each side is made as long as all it skips stays within the tolerance of it.
static int32_t straighten(const wkHullDraft* draft, const planePoint* chain, int32_t count,
                          int32_t* corners)
{
    int32_t start = 0;
    double farthest = -1.0;
    for (int32_t i = 0; i < count; ++i) {
        double squared = wkLengthSquared(wkSub(draft->points[chain[i].index], draft->center));
        if (squared > farthest) {
            farthest = squared;
            start = i;
        }
    }

    int32_t size = 0;
    for (int32_t anchor = 0, next; anchor < count; anchor = next) {
        int32_t from = chain[(start + anchor) % count].index;
        corners[size++] = from;
        next = anchor + 1;
        for (bool isStraight = true; isStraight && next < count;) {
            int32_t to = chain[(start + next + 1) % count].index;
            for (int32_t i = anchor + 1; i <= next && isStraight; ++i) {
                int32_t skipped = chain[(start + i) % count].index;
                isStraight = wkDraftIsBetween(draft, skipped, from, to);
            }
            next += isStraight;
        }
    }
    return size;
}

static void addSecondSide(wkHullDraft* draft, int32_t count)
{
    for (int32_t i = 0; i < count; ++i) {
        draft->corners[count + i] = draft->corners[count - 1 - i];
    }
    draft->faceStarts[1] = count;
    draft->faceStarts[2] = 2 * count;
    draft->faceCount = 2;
    draft->cornerCount = 2 * count;
}

static wkResult draftPolygon(wkHullDraft* draft, const wkHullAxes* axes)
{
    int32_t count = draft->pointCount;
    size_t bytes = (2 * (size_t)count + 1) * sizeof(planePoint);
    planePoint* points = wkAlloc(bytes);
    if (points == NULL) {
        return wkFail(wk_errorMemory, "hull: no memory for %d points", (int)count);
    }
    planePoint* chain = points + count;
    for (int32_t i = 0; i < count; ++i) {
        wkVec3d local = wkToHullAxes(axes, draft->points[i]);
        planePoint p = {local.x, local.y, i};
        points[i] = p;
    }
    qsort(points, (size_t)count, sizeof *points, comparePlanePoints);
    int32_t size = monotoneChain(points, count, chain);

    wkResult result = wkDraftReserve(draft, 2, 2 * size);
    if (result == wk_ok) {
        int32_t straight = straighten(draft, chain, size, draft->corners);
        if (straight < 3) {
            for (int32_t i = 0; i < size; ++i) {
                draft->corners[i] = chain[i].index;
            }
            straight = size;
        }
        addSecondSide(draft, straight);
    }
    wkFree(points, bytes);
    return result;
}

static wkResult draftSegment(wkHullDraft* draft, const wkHullAxes* axes)
{
    wkResult result = wkDraftReserve(draft, 0, 2);
    if (result != wk_ok) {
        return result;
    }
    double least = INFINITY, most = -INFINITY;
    for (int32_t i = 0; i < draft->pointCount; ++i) {
        double along = wkToHullAxes(axes, draft->points[i]).x;
        if (along < least) {
            least = along;
            draft->corners[0] = i;
        }
        if (along > most) {
            most = along;
            draft->corners[1] = i;
        }
    }
    draft->cornerCount = 2;
    return wk_ok;
}

static wkResult draftPoint(wkHullDraft* draft)
{
    wkResult result = wkDraftReserve(draft, 0, 1);
    if (result == wk_ok) {
        draft->corners[0] = 0;
        draft->cornerCount = 1;
    }
    return result;
}

wkResult wkDraftFlat(wkHullDraft* draft, const wkHullAxes* axes)
{
    if (axes->rank == 2) {
        return draftPolygon(draft, axes);
    }
    return axes->rank == 1 ? draftSegment(draft, axes) : draftPoint(draft);
}
