// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Loops of a hull under construction, their edges, and the axes of a point set.

#include "geom/hull_draft.h"

#include "base/error.h"
#include "base/memory.h"

#include <string.h>

wkResult wkDraftReserve(wkHullDraft* draft, int32_t faceCapacity, int32_t cornerCapacity)
{
    wkDraftRelease(draft);
    size_t startBytes = ((size_t)faceCapacity + 1) * sizeof(int32_t);
    size_t cornerBytes = (size_t)cornerCapacity * sizeof(int32_t);
    int32_t* starts = wkAlloc(startBytes);
    int32_t* corners = wkAlloc(cornerBytes);
    if (starts == NULL || corners == NULL) {
        wkFree(starts, startBytes);
        wkFree(corners, cornerBytes);
        return wkFail(wk_errorMemory, "hull: no memory for %d faces", (int)faceCapacity);
    }
    starts[0] = 0;
    draft->faceStarts = starts;
    draft->corners = corners;
    draft->faceCapacity = faceCapacity;
    draft->cornerCapacity = cornerCapacity;
    return wk_ok;
}

void wkDraftRelease(wkHullDraft* draft)
{
    if (draft->faceStarts != NULL) {
        wkFree(draft->faceStarts, ((size_t)draft->faceCapacity + 1) * sizeof(int32_t));
        wkFree(draft->corners, (size_t)draft->cornerCapacity * sizeof(int32_t));
    }
    draft->faceStarts = NULL;
    draft->corners = NULL;
    draft->faceCount = 0;
    draft->cornerCount = 0;
}

wkVec3d wkDraftAreaVector(const wkHullDraft* draft, int32_t face)
{
    int32_t first = draft->faceStarts[face], last = draft->faceStarts[face + 1] - 1;
    wkVec3d base = wkCornerPoint(draft, first);
    wkVec3d sum = wkVec(0.0, 0.0, 0.0);
    for (int32_t i = first + 1; i < last; ++i) {
        wkVec3d b = wkSub(wkCornerPoint(draft, i), base);
        wkVec3d c = wkSub(wkCornerPoint(draft, i + 1), base);
        sum = wkAdd(sum, wkCross(b, c));
    }
    return sum;
}

wkVec3d wkDraftNormal(const wkHullDraft* draft, int32_t face)
{
    // the sum of cross products is poor along a needle, where its rounding is large against the
    // area; taking out its part along the longest chord makes up for that
    int32_t first = draft->faceStarts[face];
    wkVec3d base = wkCornerPoint(draft, first), chord = wkVec(0.0, 0.0, 0.0);
    for (int32_t i = first + 1; i < draft->faceStarts[face + 1]; ++i) {
        wkVec3d other = wkSub(wkCornerPoint(draft, i), base);
        chord = wkLengthSquared(other) > wkLengthSquared(chord) ? other : chord;
    }
    const wkVec3d zero = wkVec(0.0, 0.0, 0.0);
    wkVec3d along = wkNormalizeOr(chord, zero);
    wkVec3d normal = wkNormalizeOr(wkDraftAreaVector(draft, face), zero);
    return wkNormalizeOr(wkMulSub(normal, wkDot(normal, along), along), zero);
}

bool wkDraftIsBetween(const wkHullDraft* draft, int32_t point, int32_t from, int32_t to)
{
    wkVec3d chord = wkSub(draft->points[to], draft->points[from]);
    wkVec3d d = wkSub(draft->points[point], draft->points[from]);
    double squared = wkLengthSquared(chord);
    double share = squared > 0.0 ? wkClamp(wkDot(d, chord) / squared, 0.0, 1.0) : 0.0;
    return wkLength(wkMulSub(d, share, chord)) <= draft->tolerance;
}

// Both directions of an edge are kept at its end with the fewer corners, so that no list gets long:
// the apex of a cone with a million sides is never searched.
static int32_t keeperOf(const int32_t* degrees, int32_t a, int32_t b)
{
    if (degrees[a] != degrees[b]) {
        return degrees[a] < degrees[b] ? a : b;
    }
    return a < b ? a : b;
}

static int32_t endOf(const wkHullDraft* draft, const wkHullEdges* edges, int32_t corner)
{
    return draft->corners[wkNextCorner(draft, edges->faces[corner], corner)];
}

// Finds the twin of `corner` in the list of its keeper, or notes that there is none.
static void pairUp(const wkHullDraft* draft, wkHullEdges* edges, int32_t corner,
                   const int32_t* heads, const int32_t* nexts, int32_t keeper)
{
    int32_t start = draft->corners[corner], end = endOf(draft, edges, corner);
    int32_t twin = -1;
    int twinCount = 0, sameCount = 0;
    for (int32_t other = heads[keeper]; other >= 0; other = nexts[other]) {
        int32_t otherStart = draft->corners[other], otherEnd = endOf(draft, edges, other);
        if (otherStart == end && otherEnd == start) {
            twin = other;
            ++twinCount;
        }
        sameCount += otherStart == start && otherEnd == end;
    }
    edges->twins[corner] = twin;
    if ((twinCount != 1 || sameCount != 1 || start == end) && edges->openFace < 0) {
        edges->openFace = edges->faces[corner];
    }
}

wkResult wkFindHullEdges(const wkHullDraft* draft, wkHullEdges* edges)
{
    size_t cornerBytes = (size_t)draft->cornerCount * sizeof(int32_t);
    size_t pointBytes = (size_t)draft->pointCount * sizeof(int32_t);
    int32_t* degrees = wkAlloc(pointBytes);
    int32_t* heads = wkAlloc(pointBytes);
    int32_t* nexts = wkAlloc(cornerBytes);
    edges->twins = wkAlloc(cornerBytes);
    edges->faces = wkAlloc(cornerBytes);
    edges->cornerCount = draft->cornerCount;
    edges->openFace = -1;
    wkResult result = wk_ok;
    if (degrees == NULL || heads == NULL || nexts == NULL || edges->twins == NULL ||
        edges->faces == NULL) {
        result = wkFail(wk_errorMemory, "hull: no memory for %d edges", (int)draft->cornerCount);
        wkReleaseHullEdges(edges);
        goto cleanup;
    }

    memset(degrees, 0, pointBytes);
    memset(heads, 0xff, pointBytes);
    for (int32_t face = 0; face < draft->faceCount; ++face) {
        for (int32_t i = draft->faceStarts[face]; i < draft->faceStarts[face + 1]; ++i) {
            edges->faces[i] = face;
            ++degrees[draft->corners[i]];
        }
    }
    for (int32_t i = draft->cornerCount - 1; i >= 0; --i) {
        int32_t keeper = keeperOf(degrees, draft->corners[i], endOf(draft, edges, i));
        nexts[i] = heads[keeper];
        heads[keeper] = i;
    }
    for (int32_t i = 0; i < draft->cornerCount; ++i) {
        int32_t keeper = keeperOf(degrees, draft->corners[i], endOf(draft, edges, i));
        pairUp(draft, edges, i, heads, nexts, keeper);
    }

cleanup:
    wkFree(degrees, pointBytes);
    wkFree(heads, pointBytes);
    wkFree(nexts, cornerBytes);
    return result;
}

void wkReleaseHullEdges(wkHullEdges* edges)
{
    size_t cornerBytes = (size_t)edges->cornerCount * sizeof(int32_t);
    wkFree(edges->twins, cornerBytes);
    wkFree(edges->faces, cornerBytes);
    edges->twins = NULL;
    edges->faces = NULL;
}

// Part of `d` at right angles to the unit vector `axis`. Twice, because one pass leaves rounding of
// the long part behind when `d` nearly follows the axis.
static wkVec3d reject(wkVec3d d, wkVec3d axis)
{
    d = wkMulSub(d, wkDot(d, axis), axis);
    return wkMulSub(d, wkDot(d, axis), axis);
}

static int32_t farthestFrom(const wkHullDraft* draft, wkVec3d place)
{
    int32_t best = 0;
    double bestSquared = -1.0;
    for (int32_t i = 0; i < draft->pointCount; ++i) {
        double squared = wkLengthSquared(wkSub(draft->points[i], place));
        if (squared > bestSquared) {
            bestSquared = squared;
            best = i;
        }
    }
    return best;
}

static int32_t farthestFromLine(const wkHullDraft* draft, wkVec3d origin, wkVec3d axis)
{
    int32_t best = 0;
    double bestSquared = -1.0;
    for (int32_t i = 0; i < draft->pointCount; ++i) {
        double squared = wkLengthSquared(reject(wkSub(draft->points[i], origin), axis));
        if (squared > bestSquared) {
            bestSquared = squared;
            best = i;
        }
    }
    return best;
}

wkHullAxes wkFindHullAxes(const wkHullDraft* draft)
{
    // the longest axis: from the point furthest from the middle to the one furthest from that
    int32_t first = farthestFrom(draft, draft->center);
    wkHullAxes axes = {.rank = 0, .origin = draft->points[first]};
    axes.farthest = farthestFrom(draft, axes.origin);
    wkVec3d along = wkSub(draft->points[axes.farthest], axes.origin);
    axes.extents[0] = wkLength(along);
    if (!(axes.extents[0] > draft->tolerance)) {
        return axes;
    }
    axes.rank = 1;
    axes.axes[0] = wkScale(1.0 / axes.extents[0], along);

    // the widest point off that line
    int32_t third = farthestFromLine(draft, axes.origin, axes.axes[0]);
    wkVec3d across = reject(wkSub(draft->points[third], axes.origin), axes.axes[0]);
    axes.extents[1] = wkLength(across);
    if (!(axes.extents[1] > draft->tolerance)) {
        return axes;
    }
    axes.rank = 2;
    axes.axes[1] = wkScale(1.0 / axes.extents[1], across);

    // the thickness off that plane
    axes.axes[2] = wkCross(axes.axes[0], axes.axes[1]);
    for (int32_t i = 0; i < draft->pointCount; ++i) {
        double height = fabs(wkDot(axes.axes[2], wkSub(draft->points[i], axes.origin)));
        axes.extents[2] = wkMaxD(axes.extents[2], height);
    }
    if (axes.extents[2] > draft->tolerance) {
        axes.rank = 3;
    }
    return axes;
}
