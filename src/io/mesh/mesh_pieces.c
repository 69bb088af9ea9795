// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Connected parts of a mesh, by union-find over the vertices of each triangle, and their hulls.

#include "io/mesh/mesh_pieces.h"

#include "whisker/detail/library.h"

#include <string.h>

// Vertices sorted by their piece.
typedef struct pieces {
    size_t vertexCount;
    int32_t* piece;  // per vertex; -1: no triangle uses it
    int32_t* starts; // first point of each piece; one more for the end
    wkVec3d* points;
    int32_t pieceCount;
} pieces;

// Returns the root of a vertex and shortens the path to it.
static int32_t findRoot(int32_t* parents, int32_t vertex)
{
    while (parents[vertex] != vertex) {
        parents[vertex] = parents[parents[vertex]];
        vertex = parents[vertex];
    }
    return vertex;
}

// Joins the vertices of each triangle, or all vertices. The smaller index becomes the root.
static void joinVertices(const wkMeshData* data, bool byPiece, int32_t* parents)
{
    for (size_t i = 0; i < 3 * (size_t)data->triangleCount; i++) {
        int32_t a = findRoot(parents, data->triangles[byPiece ? i / 3 * 3 : 0]);
        int32_t b = findRoot(parents, data->triangles[i]);
        parents[a > b ? a : b] = a < b ? a : b;
    }
}

// Numbers the pieces in the order of their first vertices. `starts` has capacity for a piece per vertex.
static void numberPieces(const wkMeshData* data, int32_t* parents, pieces* p)
{
    for (size_t i = 0; i < p->vertexCount; i++) {
        p->piece[i] = -1;
    }
    for (size_t i = 0; i < 3 * (size_t)data->triangleCount; i++) {
        p->piece[data->triangles[i]] = 0; // in use
    }
    for (int32_t i = 0; i < data->vertexCount; i++) {
        if (p->piece[i] >= 0) {
            int32_t root = findRoot(parents, i);
            p->piece[i] = root == i ? p->pieceCount++ : p->piece[root];
            p->starts[p->piece[i] + 1]++;
        }
    }
    for (int32_t i = 0; i < p->pieceCount; i++) {
        p->starts[i + 1] += p->starts[i];
    }
}

static void sortPoints(const wkMeshData* data, pieces* p)
{
    for (int32_t i = 0; i < data->vertexCount; i++) {
        if (p->piece[i] >= 0) {
            p->points[p->starts[p->piece[i]]++] = data->vertices[i];
        }
    }
    // each start has advanced to the start of the next piece
    for (int32_t i = p->pieceCount; i > 0; i--) {
        p->starts[i] = p->starts[i - 1];
    }
    p->starts[0] = 0;
}

static void dropPieces(pieces* p)
{
    wkRelease(p->piece, p->vertexCount * sizeof *p->piece);
    wkRelease(p->starts, (p->vertexCount + 1) * sizeof *p->starts);
    wkRelease(p->points, p->vertexCount * sizeof *p->points);
}

static wkResult findPieces(const char* name, const wkMeshData* data, bool byPiece, pieces* p)
{
    size_t count = (size_t)data->vertexCount;
    p->vertexCount = count;
    p->piece = wkAllocate(count * sizeof *p->piece);
    p->starts = wkAllocate((count + 1) * sizeof *p->starts);
    p->points = wkAllocate(count * sizeof *p->points);
    int32_t* parents = wkAllocate(count * sizeof *parents);
    bool hasMemory = p->piece != NULL && p->starts != NULL && p->points != NULL && parents != NULL;
    if (hasMemory) {
        memset(p->starts, 0, (count + 1) * sizeof *p->starts);
        for (int32_t i = 0; i < data->vertexCount; i++) {
            parents[i] = i;
        }
        joinVertices(data, byPiece, parents);
        numberPieces(data, parents, p);
        sortPoints(data, p);
    }
    wkRelease(parents, count * sizeof *parents);
    return hasMemory ? wk_ok : wkIoFail(name, wk_errorMemory, "no memory for its parts");
}

static wkResult makeHulls(const char* name, const pieces* p, wkHull** hulls)
{
    for (int32_t i = 0; i < p->pieceCount; i++) {
        wkHullDef def = wkDefaultHullDef();
        def.points = p->points + p->starts[i];
        def.pointCount = p->starts[i + 1] - p->starts[i];
        wkResult result = wkHull_Create(&def, &hulls[i]);
        if (result != wk_ok) {
            wkIoSource source = {.name = name};
            return wkIoFailAgain(&source, result);
        }
    }
    return wk_ok;
}

void wkIoForgetHulls(wkHull** hulls, int32_t hullCount)
{
    wkRelease(hulls, (size_t)hullCount * sizeof(wkHull*));
}

void wkIoDropHulls(wkHull** hulls, int32_t hullCount)
{
    for (int32_t i = 0; i < hullCount; i++) {
        wkHull_Destroy(hulls[i]);
    }
    wkIoForgetHulls(hulls, hullCount);
}

wkResult wkIoMakeHulls(const char* name, wkMeshData* data, bool byPiece, wkHull*** hulls,
                       int32_t* hullCount)
{
    *hulls = NULL;
    *hullCount = 0;
    if (data->triangleCount == 0) {
        return wk_ok;
    }
    pieces p = {0};
    wkIoSource source = {.name = name};
    // the data is the first member of its builder
    wkResult result = byPiece ? wkIoWeld((wkIoBuilder*)data, &source) : wk_ok;
    if (result == wk_ok) {
        result = findPieces(name, data, byPiece, &p);
    }
    if (result == wk_ok) {
        size_t byteCount = (size_t)p.pieceCount * sizeof(wkHull*);
        *hulls = wkAllocate(byteCount);
        result = *hulls != NULL ? wk_ok : wkIoFail(name, wk_errorMemory, "no memory for its hulls");
    }
    if (result == wk_ok) {
        memset((void*)*hulls, 0, (size_t)p.pieceCount * sizeof(wkHull*));
        *hullCount = p.pieceCount;
        result = makeHulls(name, &p, *hulls);
    }
    dropPieces(&p);
    if (result != wk_ok) {
        wkIoDropHulls(*hulls, *hullCount);
        *hulls = NULL;
        *hullCount = 0;
    }
    return result;
}
