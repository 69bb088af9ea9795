// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Merges the faces of a closed builder that lie in one plane up to rounding. Groups grow from the largest
// face over its neighbours and are compared with the plane of that first face, so they cannot drift around a
// curve. A group whose rim is not one convex loop is left unchanged.

#include "geom/hull_builder.h"

#include "base/error.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

typedef struct sizedFace {
    double area;
    int32_t face;
} sizedFace;

// Scratch of one merge, in one allocation.
typedef struct mergeWork {
    sizedFace* order; // faces, largest first
    int32_t* groups;  // by face: the first face of its group; -1: not yet in one
    int32_t* queue;   // faces of the growing group
    int32_t* degrees; // by point: number of loops through it
    char* isDropped;  // by point
    void* memory;
    size_t byteCount;
} mergeWork;

static bool allocateWork(const wkHullBuilder* builder, mergeWork* work)
{
    size_t faces = (size_t)builder->faceCount, points = (size_t)builder->pointCount;
    work->byteCount = faces * (sizeof(sizedFace) + 2 * sizeof(int32_t)) +
                      points * (sizeof(int32_t) + sizeof(char));
    work->memory = wkAlloc(work->byteCount);
    if (work->memory == NULL) {
        return false;
    }
    memset(work->memory, 0, work->byteCount);
    work->order = work->memory;
    work->groups = (int32_t*)(work->order + faces);
    work->queue = work->groups + faces;
    work->degrees = work->queue + faces;
    work->isDropped = (char*)(work->degrees + points);
    return true;
}

static int compareSizes(const void* left, const void* right)
{
    const sizedFace *a = left, *b = right;
    if (a->area != b->area) {
        return a->area > b->area ? -1 : 1;
    }
    return a->face < b->face ? -1 : a->face > b->face;
}

// Returns true when all vertices of `face` lie in the plane of a group and it does not face the other way.
static bool isInPlane(const wkHullBuilder* builder, int32_t face, wkVec3d origin, wkVec3d normal)
{
    double longest = 0.0;
    wkVec3d first = wkVertexPoint(builder, builder->faceStarts[face]);
    for (int32_t i = builder->faceStarts[face]; i < builder->faceStarts[face + 1]; ++i) {
        wkVec3d vertex = wkVertexPoint(builder, i);
        if (!(fabs(wkDot(normal, wkSub(vertex, origin))) <= builder->tolerance)) {
            return false;
        }
        longest = wkMaxD(longest, wkLengthSquared(wkSub(vertex, first)));
    }

    // the facing side of a sliver is determined by rounding alone
    wkVec3d area = wkBuilderAreaVector(builder, face);
    bool isSliver = wkLengthSquared(area) <= builder->tolerance * builder->tolerance * longest;
    return isSliver || wkDot(area, normal) > 0.0;
}

// Fills the queue with the group around `seed` and returns its size.
static int32_t growGroup(const wkHullBuilder* builder, const wkHullEdges* edges, mergeWork* work,
                         int32_t seed)
{
    wkVec3d origin = wkVertexPoint(builder, builder->faceStarts[seed]);
    wkVec3d normal = wkBuilderNormal(builder, seed);
    work->groups[seed] = seed;
    work->queue[0] = seed;
    int32_t count = 1;
    if (wkLengthSquared(normal) == 0.0) {
        return count;
    }
    for (int32_t i = 0; i < count; ++i) {
        int32_t face = work->queue[i];
        for (int32_t k = builder->faceStarts[face]; k < builder->faceStarts[face + 1]; ++k) {
            int32_t across = edges->faces[edges->twins[k]];
            if (work->groups[across] < 0 && isInPlane(builder, across, origin, normal)) {
                work->groups[across] = seed;
                work->queue[count++] = across;
            }
        }
    }
    return count;
}

static bool isOnRim(const wkHullEdges* edges, const mergeWork* work, int32_t vertex)
{
    int32_t across = edges->faces[edges->twins[vertex]];
    return work->groups[edges->faces[vertex]] != work->groups[across];
}

static int32_t nextOnRim(const wkHullBuilder* builder, const wkHullEdges* edges,
                         const mergeWork* work, int32_t vertex)
{
    int32_t next = wkNextVertex(builder, edges->faces[vertex], vertex);
    while (!isOnRim(edges, work, next)) {
        next = edges->twins[next];
        next = wkNextVertex(builder, edges->faces[next], next);
    }
    return next;
}

// Finds an edge on the rim of the group in the queue, and counts them.
static int32_t rimStart(const wkHullBuilder* builder, const wkHullEdges* edges,
                        const mergeWork* work, int32_t memberCount, int32_t* rimCount)
{
    int32_t start = -1;
    *rimCount = 0;
    for (int32_t m = 0; m < memberCount; ++m) {
        int32_t face = work->queue[m];
        for (int32_t i = builder->faceStarts[face]; i < builder->faceStarts[face + 1]; ++i) {
            if (isOnRim(edges, work, i)) {
                start = start < 0 ? i : start;
                ++*rimCount;
            }
        }
    }
    return start;
}

// Returns true when the last loop is planar and turns left everywhere. An adjacent face that bends off by
// little more than the tolerance can leave a notch.
static bool isGoodFace(const wkHullBuilder* merged)
{
    int32_t face = merged->faceCount - 1;
    const int32_t* loop = merged->vertices + merged->faceStarts[face];
    int32_t count = merged->faceStarts[face + 1] - merged->faceStarts[face];
    wkVec3d normal = wkBuilderNormal(merged, face), base = merged->points[loop[0]];
    for (int32_t i = 0; i < count; ++i) {
        wkVec3d vertex = merged->points[loop[(i + 1) % count]];
        if (!(fabs(wkDot(normal, wkSub(vertex, base))) <= merged->tolerance)) {
            return false;
        }
        wkVec3d before = wkSub(vertex, merged->points[loop[i]]);
        wkVec3d after = wkSub(merged->points[loop[(i + 2) % count]], vertex);
        double slack = merged->tolerance * (wkMaxAbs(before) + wkMaxAbs(after));
        if (!(wkDot(normal, wkCross(before, after)) >= -slack)) {
            return false;
        }
    }
    return true;
}

// Appends the rim as a loop to `merged`; returns false when it is more than one loop or not convex.
static bool appendRim(const wkHullBuilder* builder, const wkHullEdges* edges, const mergeWork* work,
                      int32_t memberCount, wkHullBuilder* merged)
{
    int32_t rimCount;
    int32_t start = rimStart(builder, edges, work, memberCount, &rimCount);
    if (start < 0 || rimCount < 3) {
        return false;
    }
    int32_t count = 0;
    int32_t vertex = start;
    do {
        merged->vertices[merged->vertexCount + count++] = builder->vertices[vertex];
        vertex = nextOnRim(builder, edges, work, vertex);
    } while (vertex != start && count < rimCount);
    if (vertex != start || count != rimCount) {
        return false;
    }
    merged->vertexCount += count;
    merged->faceStarts[++merged->faceCount] = merged->vertexCount;
    if (memberCount == 1 || isGoodFace(merged)) {
        return true;
    }
    merged->vertexCount -= count;
    --merged->faceCount;
    return false;
}

static void appendFace(const wkHullBuilder* builder, int32_t face, wkHullBuilder* merged)
{
    for (int32_t i = builder->faceStarts[face]; i < builder->faceStarts[face + 1]; ++i) {
        merged->vertices[merged->vertexCount++] = builder->vertices[i];
    }
    merged->faceStarts[++merged->faceCount] = merged->vertexCount;
}

static void joinFaces(const wkHullBuilder* builder, const wkHullEdges* edges, mergeWork* work,
                      wkHullBuilder* merged)
{
    for (int32_t face = 0; face < builder->faceCount; ++face) {
        sizedFace sized = {wkLengthSquared(wkBuilderAreaVector(builder, face)), face};
        work->order[face] = sized;
        work->groups[face] = -1;
    }
    qsort(work->order, (size_t)builder->faceCount, sizeof *work->order, compareSizes);
    for (int32_t i = 0; i < builder->faceCount; ++i) {
        if (work->groups[work->order[i].face] >= 0) {
            continue;
        }
        int32_t count = growGroup(builder, edges, work, work->order[i].face);
        if (appendRim(builder, edges, work, count, merged)) {
            continue;
        }
        for (int32_t m = 0; m < count; ++m) {
            work->groups[work->queue[m]] = work->queue[m];
            appendFace(builder, work->queue[m], merged);
        }
    }
}

// Marks the vertices between two vertices of three or more faces when all lie on the straight line.
static void dropStraightVertices(const wkHullBuilder* merged, mergeWork* work, int32_t face)
{
    const int32_t* loop = merged->vertices + merged->faceStarts[face];
    int32_t count = merged->faceStarts[face + 1] - merged->faceStarts[face];
    int32_t first = 0;
    while (first < count && work->degrees[loop[first]] < 3) {
        ++first;
    }
    if (first == count) {
        return; // one side of a flat hull
    }
    for (int32_t from = 0, to; from < count; from = to) {
        to = from + 1;
        while (work->degrees[loop[(first + to) % count]] < 3) {
            ++to;
        }
        bool isStraight = true;
        for (int32_t i = from + 1; i < to && isStraight; ++i) {
            isStraight =
                wkBuilderIsBetween(merged, loop[(first + i) % count], loop[(first + from) % count],
                                   loop[(first + to) % count]);
        }
        for (int32_t i = from + 1; i < to && isStraight; ++i) {
            work->isDropped[loop[(first + i) % count]] = 1;
        }
    }
}

// A face must keep at least three vertices: otherwise all its vertices are kept.
static void keepTriangles(const wkHullBuilder* merged, mergeWork* work, int32_t face)
{
    int32_t left = 0;
    for (int32_t i = merged->faceStarts[face]; i < merged->faceStarts[face + 1]; ++i) {
        left += !work->isDropped[merged->vertices[i]];
    }
    for (int32_t i = merged->faceStarts[face]; i < merged->faceStarts[face + 1] && left < 3; ++i) {
        work->isDropped[merged->vertices[i]] = 0;
    }
}

static void dropVertices(wkHullBuilder* merged, mergeWork* work)
{
    for (int32_t i = 0; i < merged->vertexCount; ++i) {
        ++work->degrees[merged->vertices[i]];
    }
    for (int32_t face = 0; face < merged->faceCount; ++face) {
        dropStraightVertices(merged, work, face);
    }
    for (int32_t face = 0; face < merged->faceCount; ++face) {
        keepTriangles(merged, work, face);
    }
    int32_t count = 0;
    for (int32_t face = 0, i = 0; face < merged->faceCount; ++face) {
        for (; i < merged->faceStarts[face + 1]; ++i) {
            if (!work->isDropped[merged->vertices[i]]) {
                merged->vertices[count++] = merged->vertices[i];
            }
        }
        merged->faceStarts[face + 1] = count;
    }
    merged->vertexCount = count;
}

wkResult wkBuilderMerge(wkHullBuilder* builder)
{
    wkHullEdges edges;
    wkResult result = wkFindHullEdges(builder, &edges);
    if (result != wk_ok) {
        return result;
    }
    mergeWork work = {0};
    wkHullBuilder merged = *builder;
    merged.faceStarts = NULL;
    merged.vertices = NULL;
    result = wkBuilderReserve(&merged, builder->faceCount, builder->vertexCount);
    if (result == wk_ok && !allocateWork(builder, &work)) {
        result =
            wkFail(wk_errorMemory, "hull: no memory to merge %d faces", (int)builder->faceCount);
    }
    if (result == wk_ok) {
        joinFaces(builder, &edges, &work, &merged);
        dropVertices(&merged, &work);
        wkBuilderRelease(builder);
        *builder = merged;
    } else {
        wkBuilderRelease(&merged);
    }
    wkFree(work.memory, work.byteCount);
    wkReleaseHullEdges(&edges);
    return result;
}
