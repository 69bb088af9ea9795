// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The topology of the triangles. Vertices at one position count as one, whatever their indices.
//
// A surface is closed when each of its edges is passed equally often in both directions. Instead of
// counting every edge, random numbers derived from both ends of an edge are added for one direction and
// subtracted for the other: the 128-bit sum is zero when all are balanced, and otherwise with a
// probability of about 10^-35.

#include "tree/mesh/topology.h"

#include "simd/twin.h"

#include <float.h>
#include <string.h>

// Triangles with a smaller area relative to the square of their longest edge count as without area: rounding
// can cause as much.
#define AREA_FLOOR (4.0 * DBL_EPSILON)

static uint64_t mixBits(uint64_t bits)
{
    bits = (bits ^ bits >> 32) * 0x9e3779b97f4a7c15u;
    bits = (bits ^ bits >> 29) * 0xbf58476d1ce4e5b9u;
    return bits ^ bits >> 32;
}

// Hashes a position; the upper bits are used. Rotated, so that signs of two coordinates do not cancel.
static uint64_t hashPosition(wkVec3d position)
{
    // both zeros are one position
    double coordinates[3] = {position.x + 0.0, position.y + 0.0, position.z + 0.0};
    uint64_t bits[3];
    memcpy(bits, coordinates, sizeof bits);
    return bits[0] * 0x9e3779b97f4a7c15u + (bits[1] << 21 | bits[1] >> 43) * 0xc2b2ae3d27d4eb4fu +
           (bits[2] << 42 | bits[2] >> 22) * 0x165667b19e3779f9u;
}

static bool isSamePosition(wkVec3d a, wkVec3d b)
{
    bool isSameColumn = wkAreEqual(wkMakeTwin(a.x, a.y), wkMakeTwin(b.x, b.y));
    return isSameColumn & wkAreEqual(wkTwinOf(a.z), wkTwinOf(b.z));
}

// Finds for each vertex the first one at its position. `table` has 2^`capacityBits` indices, at least
// twice as many as vertices. Also draws the numbers for edges, at first vertices.
// @return whether vertices share a position
static bool weld(const wkMeshDef* def, int32_t* table, int capacityBits, int32_t* firsts,
                 uint64_t* numbers)
{
    int32_t positionCount = 0;
    size_t capacity = (size_t)1 << capacityBits;
    memset(table, 0xff, capacity * sizeof *table);

    // computes all slots ahead: then they do not wait for mispredicted branches on the table
    for (int32_t i = 0; i < def->vertexCount; ++i) {
        firsts[i] = (int32_t)(hashPosition(def->vertices[i]) >> (64 - capacityBits));
    }
    for (int32_t i = 0; i < def->vertexCount; ++i) {
        size_t slot = (size_t)firsts[i];
        while (table[slot] >= 0 && !isSamePosition(def->vertices[table[slot]], def->vertices[i])) {
            slot = (slot + 1) & (capacity - 1);
        }
        if (table[slot] < 0) {
            table[slot] = i;
            numbers[i] = mixBits((uint64_t)i + 1);
            ++positionCount;
        }
        firsts[i] = table[slot];
    }
    return positionCount < def->vertexCount;
}

// Root of a vertex in the forest of pieces; halves the path for the next search.
static int32_t findRoot(int32_t* parents, int32_t vertex)
{
    while (parents[vertex] != vertex) {
        parents[vertex] = parents[parents[vertex]];
        vertex = parents[vertex];
    }
    return vertex;
}

// Joins the pieces of three vertices. The smallest root becomes the common one.
static void joinPieces(int32_t* parents, int32_t a, int32_t b, int32_t c)
{
    // most triangles have neighbours that came before them
    if (parents[a] == parents[b] && parents[b] == parents[c]) {
        return;
    }
    int32_t roots[3] = {findRoot(parents, a), findRoot(parents, b), findRoot(parents, c)};
    int32_t smallest = roots[0] < roots[1] ? roots[0] : roots[1];
    smallest = roots[2] < smallest ? roots[2] : smallest;
    for (int k = 0; k < 3; ++k) {
        parents[roots[k]] = smallest;
    }
}

// Adds the numbers of the three edges of a triangle, from those of its vertices. That of an edge is
// f(a) g(b) - f(b) g(a), which is 0 when both ends are the same.
static void addEdges(uint64_t sums[2], uint64_t a, uint64_t b, uint64_t c)
{
    uint64_t a2 = a * a, b2 = b * b, c2 = c * c;
    uint64_t a4 = a2 * a2, b4 = b2 * b2, c4 = c2 * c2;
    sums[0] += a * (b2 - c2) + b * (c2 - a2) + c * (a2 - b2);
    sums[1] += a * (b4 - c4) + b * (c4 - a4) + c * (a4 - b4);
}

// One vector of each of two triangles.
typedef struct twinVec {
    wkTwin x;
    wkTwin y;
    wkTwin z;
} twinVec;

static twinVec makeTwins(const wkVec3d* a, const wkVec3d* b)
{
    twinVec both = {wkMakeTwin(a->x, b->x), wkMakeTwin(a->y, b->y), wkMakeTwin(a->z, b->z)};
    return both;
}

static twinVec subTwins(twinVec a, twinVec b)
{
    twinVec difference = {a.x - b.x, a.y - b.y, a.z - b.z};
    return difference;
}

static twinVec crossTwins(twinVec a, twinVec b)
{
    twinVec cross = {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
    return cross;
}

static wkTwin dotTwins(twinVec a, twinVec b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static bool isLid(const wkGiven* given, int32_t triangle)
{
    return (given->ids != NULL ? given->ids[triangle] : triangle) >= given->givenCount;
}

// Sums over triangles: the caller's, and lids.
typedef struct sizes {
    int32_t flatCount[2];
    double twiceArea[2];
    double sixVolumes;
} sizes;

// Adds the triangle `first`, or two that follow each other.
static void addSizes(sizes* sum, const wkMeshDef* def, const wkGiven* given, int32_t first,
                     int count, twinVec origin)
{
    const wkVec3d* vertices = def->vertices;
    const int32_t* triangle = def->triangles + 3 * (size_t)first;
    const int32_t* last = triangle + 3 * (count - 1);
    twinVec faceVertices[3];
    for (int k = 0; k < 3; ++k) {
        faceVertices[k] = makeTwins(&vertices[triangle[k]], &vertices[last[k]]);
    }
    twinVec u = subTwins(faceVertices[1], faceVertices[0]),
            v = subTwins(faceVertices[2], faceVertices[0]);
    twinVec w = subTwins(faceVertices[2], faceVertices[1]), cross = crossTwins(u, v);
    wkTwin squares = dotTwins(cross, cross);
    wkTwin longest = wkMaxTwin(wkMaxTwin(dotTwins(u, u), dotTwins(v, v)), dotTwins(w, w));
    wkTwin volumes = dotTwins(subTwins(faceVertices[0], origin), cross);
    for (int k = 0; k < count; ++k) {
        double length = sqrt(squares[k]);
        int kind = isLid(given, first + k) ? 1 : 0;
        sum->flatCount[kind] += !(length > AREA_FLOOR * longest[k]);
        sum->twiceArea[kind] += length;
        sum->sixVolumes += volumes[k];
    }
}

// Computes area, volume, and the number of triangles without area.
static void measure(const wkMeshDef* def, const wkGiven* given, wkTopology* topology)
{
    sizes sum = {{0, 0}, {0.0, 0.0}, 0.0};
    if (def->triangleCount > 0) {
        const wkVec3d* faceVertex = &def->vertices[def->triangles[0]];
        twinVec origin = makeTwins(faceVertex, faceVertex);
        for (int32_t i = 0; i < def->triangleCount; i += 2) {
            bool hasNext = i + 1 < def->triangleCount;
            addSizes(&sum, def, given, i, hasNext ? 2 : 1, origin);
        }
    }
    topology->degenerateCount = sum.flatCount[0];
    topology->hasFlatLids = sum.flatCount[1] > 0;
    topology->area = 0.5 * sum.twiceArea[0];
    topology->lidArea = 0.5 * sum.twiceArea[1];
    topology->volume = sum.sixVolumes / 6.0;
}

// Visits the edges once: pieces, used vertices, and whether all edges are balanced.
static void joinTriangles(const wkMeshDef* def, const wkGiven* given, const uint64_t* numbers,
                          int32_t* parents, char* isUsed, wkTopology* topology)
{
    uint64_t sums[2][2] = {{0, 0}, {0, 0}};
    const int32_t* firsts = topology->firsts;
    memcpy(parents, firsts, (size_t)def->vertexCount * sizeof *parents);
    for (size_t i = 0; i < (size_t)def->triangleCount; ++i) {
        const int32_t* faceVertices = def->triangles + 3 * i;
        int32_t a = firsts[faceVertices[0]], b = firsts[faceVertices[1]],
                c = firsts[faceVertices[2]];
        isUsed[faceVertices[0]] = isUsed[faceVertices[1]] = isUsed[faceVertices[2]] = 1;
        addEdges(sums[isLid(given, (int32_t)i) ? 1 : 0], numbers[a], numbers[b], numbers[c]);
        joinPieces(parents, a, b, c);
    }
    topology->isClosed = sums[0][0] == 0 && sums[0][1] == 0;
    topology->isBalanced = sums[0][0] + sums[1][0] == 0 && sums[0][1] + sums[1][1] == 0;
}

// Lists the first triangle of each piece. `isTaken` has a zero for each vertex.
static void listPieces(const wkMeshDef* def, int32_t* parents, char* isTaken, wkTopology* topology)
{
    // parents come before their children, so this links all of them to their roots
    for (int32_t i = 0; i < def->vertexCount; ++i) {
        parents[i] = parents[parents[i]];
    }
    for (int32_t i = 0; i < def->triangleCount; ++i) {
        int32_t root = parents[def->triangles[3 * (size_t)i]];
        if (WK_UNLIKELY(!isTaken[root])) {
            isTaken[root] = 1;
            topology->components[topology->componentCount++] = i;
        }
    }
}

// Whether the surface is its own convex hull.
static bool isConvexSurface(const wkMeshDef* def, const wkTopology* topology, bool* hasMemory)
{
    bool mayBe = topology->isBalanced && topology->componentCount == 1 &&
                 topology->degenerateCount == 0 && !topology->hasFlatLids;
    return mayBe && wkIsConvexSurface(def, topology->firsts, topology, hasMemory);
}

// Computes a box around all vertices, and a sphere around its center.
static void findBounds(const wkMeshDef* def, const char* isUsed, wkTopology* topology)
{
    wkAabb bounds = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    for (int32_t i = 0; i < def->vertexCount; ++i) {
        if (WK_LIKELY(isUsed[i])) {
            bounds.lower = wkMin(bounds.lower, def->vertices[i]);
            bounds.upper = wkMax(bounds.upper, def->vertices[i]);
        }
    }
    bool isEmpty = def->triangleCount == 0;
    wkVec3d center = isEmpty ? wkVec(0.0, 0.0, 0.0) : wkMiddle(bounds.lower, bounds.upper);
    double squared = 0.0;
    for (int32_t i = 0; i < def->vertexCount; ++i) {
        if (WK_LIKELY(isUsed[i])) {
            squared = wkMaxD(squared, wkLengthSquared(wkSub(def->vertices[i], center)));
        }
    }
    topology->bounds = bounds;
    topology->sphereCenter = center;

    // a difference, three squares, two sums and a root, each off by half a unit; and squares of
    // lengths below 1e-154 may underflow
    topology->sphereRadius = isEmpty ? 0.0 : sqrt(squared) * (1.0 + 1e-15) + 1e-150;
}

// Binary logarithm of the number of slots in the table.
static int tableBits(int32_t vertexCount)
{
    int bits = 4;
    while ((size_t)1 << bits < 2 * (size_t)vertexCount) {
        ++bits;
    }
    return bits;
}

size_t wkComponentBytes(const wkMeshDef* def)
{
    // no more pieces than triangles, nor than a third of the distinct vertices
    return ((size_t)def->triangleCount + 1) * sizeof(int32_t);
}

size_t wkTopologyBytes(const wkMeshDef* def)
{
    size_t vertexBytes = 2 * sizeof(int32_t) + sizeof(uint64_t);
    return (sizeof(int32_t) << tableBits(def->vertexCount)) +
           (size_t)def->vertexCount * vertexBytes;
}

bool wkFindTopology(const wkMeshDef* def, const wkGiven* given, int32_t* components, void* scratch,
                    wkTopology* topology)
{
    memset(topology, 0, sizeof *topology);
    topology->components = components;

    // the table is no longer needed when its memory is reused to mark vertices
    int capacityBits = tableBits(def->vertexCount);
    int32_t* table = (int32_t*)scratch;
    uint64_t* numbers = (uint64_t*)(table + ((size_t)1 << capacityBits));
    int32_t* firsts = (int32_t*)(numbers + def->vertexCount);
    int32_t* parents = firsts + def->vertexCount;
    char *isUsed = (char*)table, *isTaken = isUsed + def->vertexCount;
    bool hasMemory = true;
    topology->firsts = firsts;
    topology->hasTwins = weld(def, table, capacityBits, firsts, numbers);
    memset(isUsed, 0, 2 * (size_t)def->vertexCount);
    measure(def, given, topology);
    joinTriangles(def, given, numbers, parents, isUsed, topology);
    topology->isClosed = topology->isClosed && topology->degenerateCount < given->givenCount;
    listPieces(def, parents, isTaken, topology);
    findBounds(def, isUsed, topology);
    topology->isConvex = isConvexSurface(def, topology, &hasMemory);
    return hasMemory;
}
