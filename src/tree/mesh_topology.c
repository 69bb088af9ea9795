// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The surface behind the triangles. Corners at one place count as one, whatever their indices.
//
// A surface is closed when each of its edges is passed as often one way as the other. Instead of
// counting every edge, numbers drawn from both ends of an edge are added for one way and subtracted
// for the other: what remains of 128 bits is zero when all are balanced, and by chance once in
// 10^38.

#include "tree/topology.h"

#include "base/memory.h"

#include <float.h>
#include <string.h>

// Triangles with a smaller share of their longest edge's square have no area: rounding makes as
// much.
#define AREA_FLOOR (4.0 * DBL_EPSILON)

static uint64_t mixBits(uint64_t bits)
{
    bits = (bits ^ bits >> 32) * 0x9e3779b97f4a7c15u;
    bits = (bits ^ bits >> 29) * 0xbf58476d1ce4e5b9u;
    return bits ^ bits >> 32;
}

static uint64_t hashPlace(wkVec3d place)
{
    // both zeros are one place
    double coordinates[3] = {place.x + 0.0, place.y + 0.0, place.z + 0.0};
    uint64_t bits[3];
    memcpy(bits, coordinates, sizeof bits);
    return mixBits(bits[0] * 0x9e3779b97f4a7c15u + bits[1] * 0xc2b2ae3d27d4eb4fu +
                   bits[2] * 0x165667b19e3779f9u);
}

static bool isSamePlace(wkVec3d a, wkVec3d b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

// For each vertex the first one at its place. `table` has room for `capacity` indices, a power of
// two and at least twice as many as vertices.
static void weld(const wkMeshDef* def, int32_t* table, size_t capacity, int32_t* firsts)
{
    memset(table, 0xff, capacity * sizeof *table);
    for (int32_t i = 0; i < def->vertexCount; ++i) {
        size_t slot = (size_t)hashPlace(def->vertices[i]) & (capacity - 1);
        while (table[slot] >= 0 && !isSamePlace(def->vertices[table[slot]], def->vertices[i])) {
            slot = (slot + 1) & (capacity - 1);
        }
        if (table[slot] < 0) {
            table[slot] = i;
        }
        firsts[i] = table[slot];
    }
}

// Root of a vertex in the forest of pieces; halves the way there for the next one.
static int32_t findRoot(int32_t* parents, int32_t vertex)
{
    while (parents[vertex] != vertex) {
        parents[vertex] = parents[parents[vertex]];
        vertex = parents[vertex];
    }
    return vertex;
}

// The smaller one of two roots takes the other. Returns it.
static int32_t join(int32_t* parents, int32_t a, int32_t b)
{
    int32_t smaller = a < b ? a : b;
    parents[a > b ? a : b] = smaller;
    return smaller;
}

// A number for an edge and its square, which the opposite edge takes away again.
static void addEdge(uint64_t sums[2], int32_t from, int32_t to)
{
    bool isForward = from < to;
    uint64_t low = (uint32_t)(isForward ? from : to), high = (uint32_t)(isForward ? to : from);
    uint64_t first = mixBits(low << 32 | high);
    uint64_t sign = from == to ? 0u : (isForward ? 1u : ~(uint64_t)0);
    sums[0] += sign * first;
    sums[1] += sign * first * first;
}

static void measureTriangle(const wkVec3d corners[3], wkVec3d origin, wkTopology* topology)
{
    wkVec3d u = wkSub(corners[1], corners[0]), v = wkSub(corners[2], corners[0]);
    wkVec3d w = wkSub(corners[2], corners[1]);
    wkVec3d cross = wkCross(u, v);
    double twiceArea = wkLength(cross);
    double longest = wkMaxD(wkMaxD(wkDot(u, u), wkDot(v, v)), wkDot(w, w));
    topology->degenerateCount += !(twiceArea > AREA_FLOOR * longest);
    topology->area += 0.5 * twiceArea;
    topology->volume += wkDot(wkSub(corners[0], origin), cross) / 6.0;
}

// Goes over the triangles once: edges, pieces, area and volume. `welded` becomes their corners with
// one index for each place.
static void measure(const wkMeshDef* def, const int32_t* firsts, int32_t* parents, int32_t* welded,
                    wkTopology* topology)
{
    uint64_t sums[2] = {0, 0};
    wkVec3d origin = def->triangleCount > 0 ? def->vertices[def->triangles[0]] : wkVec(0, 0, 0);
    for (int32_t i = 0; i < def->vertexCount; ++i) {
        parents[i] = i;
    }
    for (size_t i = 0; i < (size_t)def->triangleCount; ++i) {
        const int32_t* corners = def->triangles + 3 * i;
        int32_t a = firsts[corners[0]], b = firsts[corners[1]], c = firsts[corners[2]];
        wkVec3d points[3] = {def->vertices[a], def->vertices[b], def->vertices[c]};
        measureTriangle(points, origin, topology);
        addEdge(sums, a, b);
        addEdge(sums, b, c);
        addEdge(sums, c, a);
        int32_t root = join(parents, findRoot(parents, a), findRoot(parents, b));
        join(parents, root, findRoot(parents, c));
        welded[3 * i] = a;
        welded[3 * i + 1] = b;
        welded[3 * i + 2] = c;
    }
    bool hasArea = topology->degenerateCount < def->triangleCount;
    topology->isClosed = hasArea && sums[0] == 0 && sums[1] == 0;
}

// Takes the first triangle of each piece. `isTaken` has room for one per vertex.
static void listPieces(const wkMeshDef* def, const int32_t* welded, int32_t* parents, char* isTaken,
                       wkTopology* topology)
{
    memset(isTaken, 0, (size_t)def->vertexCount);
    for (int32_t i = 0; i < def->triangleCount; ++i) {
        int32_t root = findRoot(parents, welded[3 * (size_t)i]);
        if (!isTaken[root]) {
            isTaken[root] = 1;
            topology->components[topology->componentCount++] = i;
        }
    }
}

static size_t tableCapacity(int32_t vertexCount)
{
    size_t capacity = 16;
    while (capacity < 2 * (size_t)vertexCount) {
        capacity *= 2;
    }
    return capacity;
}

bool wkFindTopology(const wkMeshDef* def, wkTopology* topology)
{
    memset(topology, 0, sizeof *topology);

    // no more pieces than triangles, nor than a third of the corners that differ
    size_t vertexBytes = ((size_t)def->vertexCount + 1) * sizeof(int32_t);
    size_t weldedBytes = ((size_t)def->triangleCount + 1) * 3 * sizeof(int32_t);
    size_t tableBytes = tableCapacity(def->vertexCount) * sizeof(int32_t);
    topology->byteCount = ((size_t)def->triangleCount + 1) * sizeof(int32_t);
    topology->components = wkAlloc(topology->byteCount);
    int32_t* firsts = wkAlloc(vertexBytes);
    int32_t* parents = wkAlloc(vertexBytes);
    int32_t* table = wkAlloc(tableBytes);
    int32_t* welded = wkAlloc(weldedBytes);
    bool hasMemory = topology->components != NULL && firsts != NULL && parents != NULL &&
                     table != NULL && welded != NULL;
    if (hasMemory) {
        weld(def, table, tableBytes / sizeof *table, firsts);
        measure(def, firsts, parents, welded, topology);
        listPieces(def, welded, parents, (char*)firsts, topology);
        bool mayBeConvex = topology->isClosed && topology->componentCount == 1 &&
                           topology->degenerateCount == 0 && topology->volume > 0.0;
        topology->isConvex =
            mayBeConvex && wkIsConvexSurface(def->vertices, welded, def->triangleCount, &hasMemory);
    }
    wkFree(firsts, vertexBytes);
    wkFree(parents, vertexBytes);
    wkFree(table, tableBytes);
    wkFree(welded, weldedBytes);
    return hasMemory;
}

void wkReleaseTopology(wkTopology* topology)
{
    wkFree(topology->components, topology->byteCount);
}
