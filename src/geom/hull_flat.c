// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Hulls without volume: a point, a segment, or a polygon with two sides. The polygon is Andrew's
// monotone chain (1979) in the plane of the points.

#include "geom/hull_builder.h"

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

// Returns a value > 0 when a, b, c form a left turn.
static double rotation(planePoint a, planePoint b, planePoint c)
{
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

// Writes the vertices of the hull of sorted points, anticlockwise. `chain` has capacity for count + 1.
static int32_t monotoneChain(const planePoint* points, int32_t count, planePoint* chain)
{
    int32_t size = 0;
    for (int32_t i = 0; i < count; ++i) {
        while (size >= 2 && rotation(chain[size - 2], chain[size - 1], points[i]) <= 0.0) {
            --size;
        }
        chain[size++] = points[i];
    }
    int32_t lowerSize = size;
    for (int32_t i = count - 2; i >= 0; --i) {
        while (size > lowerSize && rotation(chain[size - 2], chain[size - 1], points[i]) <= 0.0) {
            --size;
        }
        chain[size++] = points[i];
    }
    return size - 1; // the first point was added again
}

// Removes vertices that rounding leaves along straight sides. Starting from the vertex furthest from the
// middle, each side is extended while all vertices it skips stay within the tolerance of it.
static int32_t rectify(const wkHullBuilder* builder, const planePoint* chain, int32_t count,
                       int32_t* vertices)
{
    int32_t start = 0;
    double farthest = -1.0;
    for (int32_t i = 0; i < count; ++i) {
        double squared = wkLengthSquared(wkSub(builder->points[chain[i].index], builder->center));
        if (squared > farthest) {
            farthest = squared;
            start = i;
        }
    }

    int32_t size = 0;
    for (int32_t anchor = 0, next; anchor < count; anchor = next) {
        int32_t from = chain[(start + anchor) % count].index;
        vertices[size++] = from;
        next = anchor + 1;
        for (bool isStraight = true; isStraight && next < count;) {
            int32_t to = chain[(start + next + 1) % count].index;
            for (int32_t i = anchor + 1; i <= next && isStraight; ++i) {
                int32_t skipped = chain[(start + i) % count].index;
                isStraight = wkBuilderIsBetween(builder, skipped, from, to);
            }
            next += isStraight;
        }
    }
    return size;
}

static void addSecondSide(wkHullBuilder* builder, int32_t count)
{
    for (int32_t i = 0; i < count; ++i) {
        builder->vertices[count + i] = builder->vertices[count - 1 - i];
    }
    builder->faceStarts[1] = count;
    builder->faceStarts[2] = 2 * count;
    builder->faceCount = 2;
    builder->vertexCount = 2 * count;
}

static wkResult builderPolygon(wkHullBuilder* builder, const wkHullAxes* axes)
{
    int32_t count = builder->pointCount;
    size_t bytes = (2 * (size_t)count + 1) * sizeof(planePoint);
    planePoint* points = wkAlloc(bytes);
    if (points == NULL) {
        return wkFail(wk_errorMemory, "hull: no memory for %d points", (int)count);
    }
    planePoint* chain = points + count;
    for (int32_t i = 0; i < count; ++i) {
        wkVec3d local = wkToHullAxes(axes, builder->points[i]);
        planePoint p = {local.x, local.y, i};
        points[i] = p;
    }
    qsort(points, (size_t)count, sizeof *points, comparePlanePoints);
    int32_t size = monotoneChain(points, count, chain);

    wkResult result = wkBuilderReserve(builder, 2, 2 * size);
    if (result == wk_ok) {
        int32_t straight = rectify(builder, chain, size, builder->vertices);
        if (straight < 3) {
            for (int32_t i = 0; i < size; ++i) {
                builder->vertices[i] = chain[i].index;
            }
            straight = size;
        }
        addSecondSide(builder, straight);
    }
    wkFree(points, bytes);
    return result;
}

static wkResult builderSegment(wkHullBuilder* builder, const wkHullAxes* axes)
{
    wkResult result = wkBuilderReserve(builder, 0, 2);
    if (result != wk_ok) {
        return result;
    }
    double least = INFINITY, most = -INFINITY;
    for (int32_t i = 0; i < builder->pointCount; ++i) {
        double along = wkToHullAxes(axes, builder->points[i]).x;
        if (along < least) {
            least = along;
            builder->vertices[0] = i;
        }
        if (along > most) {
            most = along;
            builder->vertices[1] = i;
        }
    }
    builder->vertexCount = 2;
    return wk_ok;
}

static wkResult builderPoint(wkHullBuilder* builder)
{
    wkResult result = wkBuilderReserve(builder, 0, 1);
    if (result == wk_ok) {
        builder->vertices[0] = 0;
        builder->vertexCount = 1;
    }
    return result;
}

wkResult wkBuilderFlat(wkHullBuilder* builder, const wkHullAxes* axes)
{
    if (axes->rank == 2) {
        return builderPolygon(builder, axes);
    }
    return axes->rank == 1 ? builderSegment(builder, axes) : builderPoint(builder);
}
