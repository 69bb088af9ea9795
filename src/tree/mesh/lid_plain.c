// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Pairs triangles at edges, which are sorted by their lower vertex: mostly neighbours in memory.

#include "tree/mesh/lid_plain.h"

#include "base/memory.h"
#include "math/vec.h"

#include <string.h>

// An edge of a triangle, at its lower vertex.
typedef struct halfEdge {
    int32_t high; // the other vertex; -1: the opposite edge has been found
    int32_t side; // the triangle times two, plus 1 where it passes the edge downward
} halfEdge;

typedef struct pairing {
    const wkMeshDef* def;
    const int32_t* firsts;
    halfEdge* edges;
    int32_t* starts;  // of the edges of each vertex, and one more for the end
    int32_t* marks;   // for each vertex the last edge that ends there
    int32_t* parents; // for each triangle one of the same piece
    double* volumes;  // of the pieces, six times, at their roots
    size_t byteCount;
} pairing;

static void* take(char* memory, size_t* used, size_t byteCount)
{
    char* start = memory != NULL ? memory + *used : NULL;
    *used += (byteCount + 7u) & ~(size_t)7u;
    return start;
}

static size_t placeArrays(pairing* p, char* memory)
{
    size_t used = 0, count = (size_t)p->def->triangleCount, vertices = (size_t)p->def->vertexCount;
    p->edges = take(memory, &used, 3 * count * sizeof(halfEdge));
    p->volumes = take(memory, &used, count * sizeof(double));
    p->parents = take(memory, &used, count * sizeof(int32_t));
    p->starts = take(memory, &used, (vertices + 2) * sizeof(int32_t));
    p->marks = take(memory, &used, vertices * sizeof(int32_t));
    return used;
}

// Returns the vertices of a triangle.
// @return false when two of them are the same
static bool findVertices(const pairing* p, int32_t triangle, int32_t faceVertices[3])
{
    const int32_t* indices = p->def->triangles + 3 * (size_t)triangle;
    for (int k = 0; k < 3; ++k) {
        faceVertices[k] = p->firsts[indices[k]];
    }
    return faceVertices[0] != faceVertices[1] && faceVertices[1] != faceVertices[2] &&
           faceVertices[2] != faceVertices[0];
}

// Sorts the edges by their lower vertices.
static void sortEdges(pairing* p)
{
    int32_t faceVertices[3], count = p->def->triangleCount;
    memset(p->starts, 0, ((size_t)p->def->vertexCount + 2) * sizeof(int32_t));
    for (int32_t i = 0; i < count; ++i) {
        bool hasVertices = findVertices(p, i, faceVertices);
        for (int k = 0; k < 3 && hasVertices; ++k) {
            int32_t from = faceVertices[k], to = faceVertices[(k + 1) % 3];
            p->starts[(from < to ? from : to) + 2] += 1;
        }
    }
    for (int32_t i = 0; i < p->def->vertexCount; ++i) {
        p->starts[i + 2] += p->starts[i + 1];
    }
    // the start of each is the next free index until all are written
    for (int32_t i = 0; i < count; ++i) {
        bool hasVertices = findVertices(p, i, faceVertices);
        p->parents[i] = i;
        for (int k = 0; k < 3 && hasVertices; ++k) {
            int32_t from = faceVertices[k], to = faceVertices[(k + 1) % 3];
            bool isUp = from < to;
            halfEdge edge = {isUp ? to : from, 2 * i + (isUp ? 0 : 1)};
            p->edges[p->starts[(isUp ? from : to) + 1]++] = edge;
        }
    }
}

static int32_t findRoot(int32_t* parents, int32_t triangle)
{
    while (parents[triangle] != triangle) {
        parents[triangle] = parents[parents[triangle]];
        triangle = parents[triangle];
    }
    return triangle;
}

static void join(int32_t* parents, int32_t a, int32_t b)
{
    if (parents[a] != parents[b]) {
        int32_t rootA = findRoot(parents, a), rootB = findRoot(parents, b);
        parents[rootA > rootB ? rootA : rootB] = rootA > rootB ? rootB : rootA;
    }
}

// Finds the opposite of each edge, and joins their triangles.
// @return false when an edge has none, or more than one
static bool pairEdges(pairing* p)
{
    memset(p->marks, 0xff, (size_t)p->def->vertexCount * sizeof(int32_t));
    for (int32_t vertex = 0; vertex < p->def->vertexCount; ++vertex) {
        int32_t start = p->starts[vertex], end = p->starts[vertex + 1], pairCount = 0;
        for (int32_t i = start; i < end; ++i) {
            int32_t* mark = &p->marks[p->edges[i].high];
            if (*mark < start) {
                *mark = i;
                continue;
            }
            halfEdge* other = &p->edges[*mark];
            if (other->high < 0 || (other->side & 1) == (p->edges[i].side & 1)) {
                return false;
            }
            other->high = -1;
            ++pairCount;
            join(p->parents, other->side >> 1, p->edges[i].side >> 1);
        }
        if (2 * pairCount != end - start) {
            return false;
        }
    }
    return true;
}

// Whether the volumes of all pieces have the same sign.
static bool faceOneWay(pairing* p)
{
    const wkVec3d* vertices = p->def->vertices;
    int32_t faceVertices[3], count = p->def->triangleCount;
    memset(p->volumes, 0, (size_t)count * sizeof(double));
    for (int32_t i = 0; i < count; ++i) {
        if (findVertices(p, i, faceVertices)) {
            int32_t root = findRoot(p->parents, i);
            wkVec3d origin = vertices[p->def->triangles[3 * (size_t)root]];
            wkVec3d a = wkSub(vertices[faceVertices[0]], origin),
                    b = wkSub(vertices[faceVertices[1]], origin);
            p->volumes[root] += wkDot(a, wkCross(b, wkSub(vertices[faceVertices[2]], origin)));
        }
    }
    bool arePositive = true, areNegative = true;
    for (int32_t i = 0; i < count; ++i) {
        arePositive &= p->volumes[i] >= 0.0;
        areNegative &= p->volumes[i] <= 0.0;
    }
    return arePositive || areNegative;
}

bool wkIsPlainSurface(const wkMeshDef* def, const int32_t* firsts, bool* hasMemory)
{
    pairing p = {.def = def, .firsts = firsts};
    p.byteCount = placeArrays(&p, NULL);
    char* memory = wkAlloc(p.byteCount);
    *hasMemory = memory != NULL;
    if (memory == NULL) {
        return false;
    }
    placeArrays(&p, memory);
    sortEdges(&p);
    bool isPlain = pairEdges(&p) && faceOneWay(&p);
    wkFree(memory, p.byteCount);
    return isPlain;
}
