// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Loops of a hull under construction, their edges, and the axes of a point set.

#include "geom/hull_builder.h"

#include "base/error.h"
#include "base/memory.h"

#include <string.h>

wkResult wkBuilderReserve(wkHullBuilder* builder, int32_t faceCapacity, int32_t vertexCapacity)
{
    wkBuilderRelease(builder);
    size_t startBytes = ((size_t)faceCapacity + 1) * sizeof(int32_t);
    size_t vertexBytes = (size_t)vertexCapacity * sizeof(int32_t);
    int32_t* starts = wkAlloc(startBytes);
    int32_t* vertices = wkAlloc(vertexBytes);
    if (starts == NULL || vertices == NULL) {
        wkFree(starts, startBytes);
        wkFree(vertices, vertexBytes);
        return wkFail(wk_errorMemory, "hull: no memory for %d faces", (int)faceCapacity);
    }
    starts[0] = 0;
    builder->faceStarts = starts;
    builder->vertices = vertices;
    builder->faceCapacity = faceCapacity;
    builder->vertexCapacity = vertexCapacity;
    return wk_ok;
}

void wkBuilderRelease(wkHullBuilder* builder)
{
    if (builder->faceStarts != NULL) {
        wkFree(builder->faceStarts, ((size_t)builder->faceCapacity + 1) * sizeof(int32_t));
        wkFree(builder->vertices, (size_t)builder->vertexCapacity * sizeof(int32_t));
    }
    builder->faceStarts = NULL;
    builder->vertices = NULL;
    builder->faceCount = 0;
    builder->vertexCount = 0;
}

wkVec3d wkBuilderAreaVector(const wkHullBuilder* builder, int32_t face)
{
    int32_t first = builder->faceStarts[face], last = builder->faceStarts[face + 1] - 1;
    wkVec3d base = wkVertexPoint(builder, first);
    wkVec3d sum = wkVec(0.0, 0.0, 0.0);
    for (int32_t i = first + 1; i < last; ++i) {
        wkVec3d b = wkSub(wkVertexPoint(builder, i), base);
        wkVec3d c = wkSub(wkVertexPoint(builder, i + 1), base);
        sum = wkAdd(sum, wkCross(b, c));
    }
    return sum;
}

wkVec3d wkBuilderNormal(const wkHullBuilder* builder, int32_t face)
{
    // the sum of cross products is inaccurate for a needle, where its rounding is large against the area;
    // removing its component along the longest chord corrects that
    int32_t first = builder->faceStarts[face];
    wkVec3d base = wkVertexPoint(builder, first), chord = wkVec(0.0, 0.0, 0.0);
    for (int32_t i = first + 1; i < builder->faceStarts[face + 1]; ++i) {
        wkVec3d other = wkSub(wkVertexPoint(builder, i), base);
        chord = wkLengthSquared(other) > wkLengthSquared(chord) ? other : chord;
    }
    const wkVec3d zero = wkVec(0.0, 0.0, 0.0);
    wkVec3d along = wkNormalizeOr(chord, zero);
    wkVec3d normal = wkNormalizeOr(wkBuilderAreaVector(builder, face), zero);
    return wkNormalizeOr(wkMulSub(normal, wkDot(normal, along), along), zero);
}

bool wkBuilderIsBetween(const wkHullBuilder* builder, int32_t point, int32_t from, int32_t to)
{
    wkVec3d chord = wkSub(builder->points[to], builder->points[from]);
    wkVec3d d = wkSub(builder->points[point], builder->points[from]);
    double squared = wkLengthSquared(chord);
    double share = squared > 0.0 ? wkClamp(wkDot(d, chord) / squared, 0.0, 1.0) : 0.0;
    return wkLength(wkMulSub(d, share, chord)) <= builder->tolerance;
}

// Both directions of an edge are stored at the end with the fewer edges, so that no list gets long: the apex
// of a cone with a million sides is never searched.
static int32_t keeperOf(const int32_t* degrees, int32_t a, int32_t b)
{
    if (degrees[a] != degrees[b]) {
        return degrees[a] < degrees[b] ? a : b;
    }
    return a < b ? a : b;
}

static int32_t endOf(const wkHullBuilder* builder, const wkHullEdges* edges, int32_t vertex)
{
    return builder->vertices[wkNextVertex(builder, edges->faces[vertex], vertex)];
}

// Finds the twin of `vertex` in the list at its keeper, or records that there is none.
static void pairUp(const wkHullBuilder* builder, wkHullEdges* edges, int32_t vertex,
                   const int32_t* heads, const int32_t* nexts, int32_t keeper)
{
    int32_t start = builder->vertices[vertex], end = endOf(builder, edges, vertex);
    int32_t twin = -1;
    int twinCount = 0, sameCount = 0;
    for (int32_t other = heads[keeper]; other >= 0; other = nexts[other]) {
        int32_t otherStart = builder->vertices[other], otherEnd = endOf(builder, edges, other);
        if (otherStart == end && otherEnd == start) {
            twin = other;
            ++twinCount;
        }
        sameCount += otherStart == start && otherEnd == end;
    }
    edges->twins[vertex] = twin;
    if ((twinCount != 1 || sameCount != 1 || start == end) && edges->openFace < 0) {
        edges->openFace = edges->faces[vertex];
    }
}

wkResult wkFindHullEdges(const wkHullBuilder* builder, wkHullEdges* edges)
{
    size_t vertexBytes = (size_t)builder->vertexCount * sizeof(int32_t);
    size_t pointBytes = (size_t)builder->pointCount * sizeof(int32_t);
    int32_t* degrees = wkAlloc(pointBytes);
    int32_t* heads = wkAlloc(pointBytes);
    int32_t* nexts = wkAlloc(vertexBytes);
    edges->twins = wkAlloc(vertexBytes);
    edges->faces = wkAlloc(vertexBytes);
    edges->vertexCount = builder->vertexCount;
    edges->openFace = -1;
    wkResult result = wk_ok;
    if (degrees == NULL || heads == NULL || nexts == NULL || edges->twins == NULL ||
        edges->faces == NULL) {
        result = wkFail(wk_errorMemory, "hull: no memory for %d edges", (int)builder->vertexCount);
        wkReleaseHullEdges(edges);
        goto cleanup;
    }

    memset(degrees, 0, pointBytes);
    memset(heads, 0xff, pointBytes);
    for (int32_t face = 0; face < builder->faceCount; ++face) {
        for (int32_t i = builder->faceStarts[face]; i < builder->faceStarts[face + 1]; ++i) {
            edges->faces[i] = face;
            ++degrees[builder->vertices[i]];
        }
    }
    for (int32_t i = builder->vertexCount - 1; i >= 0; --i) {
        int32_t keeper = keeperOf(degrees, builder->vertices[i], endOf(builder, edges, i));
        nexts[i] = heads[keeper];
        heads[keeper] = i;
    }
    for (int32_t i = 0; i < builder->vertexCount; ++i) {
        int32_t keeper = keeperOf(degrees, builder->vertices[i], endOf(builder, edges, i));
        pairUp(builder, edges, i, heads, nexts, keeper);
    }

cleanup:
    wkFree(degrees, pointBytes);
    wkFree(heads, pointBytes);
    wkFree(nexts, vertexBytes);
    return result;
}

void wkReleaseHullEdges(wkHullEdges* edges)
{
    size_t vertexBytes = (size_t)edges->vertexCount * sizeof(int32_t);
    wkFree(edges->twins, vertexBytes);
    wkFree(edges->faces, vertexBytes);
    edges->twins = NULL;
    edges->faces = NULL;
}

// Returns the part of `d` perpendicular to the unit vector `axis`. Two passes, because one leaves the
// rounding error of the long part behind when `d` is nearly parallel to the axis.
static wkVec3d reject(wkVec3d d, wkVec3d axis)
{
    d = wkMulSub(d, wkDot(d, axis), axis);
    return wkMulSub(d, wkDot(d, axis), axis);
}

static int32_t farthestFrom(const wkHullBuilder* builder, wkVec3d point)
{
    int32_t best = 0;
    double bestSquared = -1.0;
    for (int32_t i = 0; i < builder->pointCount; ++i) {
        double squared = wkLengthSquared(wkSub(builder->points[i], point));
        if (squared > bestSquared) {
            bestSquared = squared;
            best = i;
        }
    }
    return best;
}

static int32_t farthestFromLine(const wkHullBuilder* builder, wkVec3d origin, wkVec3d axis)
{
    int32_t best = 0;
    double bestSquared = -1.0;
    for (int32_t i = 0; i < builder->pointCount; ++i) {
        double squared = wkLengthSquared(reject(wkSub(builder->points[i], origin), axis));
        if (squared > bestSquared) {
            bestSquared = squared;
            best = i;
        }
    }
    return best;
}

wkHullAxes wkFindHullAxes(const wkHullBuilder* builder)
{
    // the longest axis: from the point furthest from the middle to the point furthest from that one
    int32_t first = farthestFrom(builder, builder->center);
    wkHullAxes axes = {.rank = 0, .origin = builder->points[first]};
    axes.farthest = farthestFrom(builder, axes.origin);
    wkVec3d along = wkSub(builder->points[axes.farthest], axes.origin);
    axes.extents[0] = wkLength(along);
    if (!(axes.extents[0] > builder->tolerance)) {
        return axes;
    }
    axes.rank = 1;
    axes.axes[0] = wkScale(1.0 / axes.extents[0], along);

    // the widest point off that line
    int32_t third = farthestFromLine(builder, axes.origin, axes.axes[0]);
    wkVec3d across = reject(wkSub(builder->points[third], axes.origin), axes.axes[0]);
    axes.extents[1] = wkLength(across);
    if (!(axes.extents[1] > builder->tolerance)) {
        return axes;
    }
    axes.rank = 2;
    axes.axes[1] = wkScale(1.0 / axes.extents[1], across);

    // the thickness off that plane
    axes.axes[2] = wkCross(axes.axes[0], axes.axes[1]);
    for (int32_t i = 0; i < builder->pointCount; ++i) {
        double height = fabs(wkDot(axes.axes[2], wkSub(builder->points[i], axes.origin)));
        axes.extents[2] = wkMaxD(axes.extents[2], height);
    }
    if (axes.extents[2] > builder->tolerance) {
        axes.rank = 3;
    }
    return axes;
}
