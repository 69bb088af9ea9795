// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Finds boundary edges of a surface and the loops that they form, and makes a lid for each.

#include "tree/mesh/lids.h"

#include "base/memory.h"
#include "base/sort.h"
#include "math/vec.h"
#include "tree/mesh/lid_fill.h"

#include <stdlib.h>
#include <string.h>

// Edges compared where several leave a vertex, which bounds the time per vertex.
#define MAX_CHOICES 16

// Boundary edges, each repeated by its excess, sorted by the vertex that they leave.
typedef struct boundary {
    int32_t count;
    int32_t* starts; // of the edges that leave each vertex, and one more for the end
    int32_t* ends;   // the vertex where each edge ends
    int32_t* next;   // the next edge of each vertex that is not in a loop yet
    int32_t* onPath; // position of each vertex on the current path; -1: not on it
    int32_t* path;   // vertices
    void* scratch;   // for wkFillLoop
    char* memory;
    size_t byteCount;
} boundary;

// Edges between different positions, each with the number of passes from the lower vertex to the higher
// one, minus the reverse.
typedef struct edgeSums {
    wkSortKey* keys; // the lower vertex above the higher one, 32 bits each
    wkSortKey* spare;
    int32_t count;
    int32_t total; // sum of the excesses
    size_t byteCount;
} edgeSums;

static void addEdge(edgeSums* sums, int32_t from, int32_t to, int64_t times)
{
    if (from != to) {
        uint64_t low = (uint64_t)(from < to ? from : to), high = (uint64_t)(from < to ? to : from);
        sums->keys[sums->count++] = (wkSortKey){low << 32 | high, from < to ? times : -times};
    }
}

// Joins equal edges, and drops those that are balanced.
static void joinEdges(edgeSums* sums)
{
    wkSortKeys(sums->keys, sums->spare, sums->count);
    int32_t kept = 0;
    sums->total = 0;
    for (int32_t i = 0, end; i < sums->count; i = end) {
        wkSortKey sum = {sums->keys[i].key, 0};
        for (end = i; end < sums->count && sums->keys[end].key == sum.key; ++end) {
            sum.value += sums->keys[end].value;
        }
        if (sum.value != 0) {
            sums->keys[kept++] = sum;
            sums->total += (int32_t)llabs(sum.value);
        }
    }
    sums->count = kept;
}

// Finds the boundary edges of a surface.
// @return false when out of memory
static bool sumEdges(const wkMeshDef* def, const int32_t* firsts, const int8_t* weights,
                     edgeSums* sums)
{
    size_t capacity = 3 * (size_t)def->triangleCount + 1;
    sums->byteCount = 2 * capacity * sizeof(wkSortKey);
    sums->keys = wkAlloc(sums->byteCount);
    if (sums->keys == NULL) {
        return false;
    }
    sums->spare = sums->keys + capacity;
    for (size_t i = 0; i < (size_t)def->triangleCount; ++i) {
        const int32_t* faceVertices = def->triangles + 3 * i;
        int8_t weight = (int8_t)(weights != NULL ? weights[i] : 1);
        for (int k = 0; k < 3 && weight != 0; ++k) {
            addEdge(sums, firsts[faceVertices[k]], firsts[faceVertices[(k + 1) % 3]], weight);
        }
    }
    joinEdges(sums);
    return true;
}

static void* take(char* memory, size_t* used, size_t byteCount)
{
    char* start = memory != NULL ? memory + *used : NULL;
    *used += (byteCount + 7u) & ~(size_t)7u;
    return start;
}

static size_t placeArrays(boundary* b, size_t vertexCount)
{
    size_t used = 0;
    b->starts = take(b->memory, &used, (vertexCount + 1) * sizeof(int32_t));
    b->next = take(b->memory, &used, vertexCount * sizeof(int32_t));
    b->onPath = take(b->memory, &used, vertexCount * sizeof(int32_t));
    b->ends = take(b->memory, &used, (size_t)b->count * sizeof(int32_t));
    b->path = take(b->memory, &used, ((size_t)b->count + 1) * sizeof(int32_t));
    b->scratch = take(b->memory, &used, wkFillBytes(b->count));
    return used;
}

static int32_t startOf(const wkSortKey* sum)
{
    return (int32_t)(sum->value > 0 ? sum->key >> 32 : sum->key & 0xffffffffu);
}

static int32_t endOf(const wkSortKey* sum)
{
    return (int32_t)(sum->value > 0 ? sum->key & 0xffffffffu : sum->key >> 32);
}

// Sorts the edges by the vertex that they leave.
static void fillBoundary(boundary* b, size_t vertexCount, const wkSortKey* sums, int32_t sumCount)
{
    memset(b->starts, 0, (vertexCount + 1) * sizeof *b->starts);
    for (int32_t i = 0; i < sumCount; ++i) {
        b->starts[startOf(&sums[i]) + 1] += (int32_t)llabs(sums[i].value);
    }
    for (size_t i = 0; i < vertexCount; ++i) {
        b->starts[i + 1] += b->starts[i];
        b->next[i] = b->starts[i];
        b->onPath[i] = -1;
    }
    for (int32_t i = 0; i < sumCount; ++i) {
        for (int64_t k = llabs(sums[i].value); k > 0; --k) {
            b->ends[b->next[startOf(&sums[i])]++] = endOf(&sums[i]);
        }
    }
    for (size_t i = 0; i < vertexCount; ++i) {
        b->next[i] = b->starts[i];
    }
}

// Makes the boundary from its edges.
// @return false when out of memory
static bool makeBoundary(const edgeSums* sums, int32_t vertexCount, boundary* b)
{
    memset(b, 0, sizeof *b);
    b->count = sums->total;
    b->byteCount = placeArrays(b, (size_t)vertexCount);
    b->memory = wkAlloc(b->byteCount);
    if (b->memory != NULL) {
        placeArrays(b, (size_t)vertexCount);
        fillBoundary(b, (size_t)vertexCount, sums->keys, sums->count);
    }
    return b->memory != NULL;
}

// Takes the edge that continues the path from its last vertex: of several the one with the sharpest turn
// back, so that cracks and T-junctions become separate loops.
// @return the vertex where it ends
static int32_t takeEdge(boundary* b, const wkVec3d* vertices, int32_t length)
{
    int32_t vertex = b->path[length - 1], first = b->next[vertex]++, best = first;
    int32_t end =
        b->starts[vertex + 1] - first > MAX_CHOICES ? first + MAX_CHOICES : b->starts[vertex + 1];
    if (length > 1 && end - first > 1) {
        wkVec3d at = vertices[vertex], from = wkSub(vertices[b->path[length - 2]], at);
        double most = -INFINITY;
        for (int32_t i = first; i < end; ++i) {
            wkVec3d way = wkSub(vertices[b->ends[i]], at);
            double rotation = wkDot(from, way) / wkLength(way);
            best = rotation > most ? i : best;
            most = wkMaxD(most, rotation);
        }
    }
    int32_t chosen = b->ends[best];
    b->ends[best] = b->ends[first];
    b->ends[first] = chosen;
    return chosen;
}

// Follows edges from a vertex until all reachable ones are in loops. A loop is closed where the path
// returns to a vertex, so that no loop passes a vertex twice.
// @param lids output; NULL: loops are only counted
// @return number of loops
static int32_t followEdges(boundary* b, const wkVec3d* vertices, int32_t vertex, wkLids* lids)
{
    int32_t length = 0, loopCount = 0;
    b->path[length] = vertex;
    b->onPath[vertex] = length++;
    while (b->next[vertex] < b->starts[vertex + 1]) {
        vertex = takeEdge(b, vertices, length);
        int32_t start = b->onPath[vertex];
        if (start < 0) {
            b->path[length] = vertex;
            b->onPath[vertex] = length++;
            continue;
        }
        int32_t count = length - start;
        for (int32_t i = start + 1; i < length; ++i) {
            b->onPath[b->path[i]] = -1;
        }
        if (lids != NULL) {
            wkFillLoop(vertices, b->path + start, count, b->scratch,
                       lids->triangles + 3 * (size_t)lids->count);
            lids->count += count - 2;
        }
        b->path[start] = vertex; // wkFillLoop moves vertices
        loopCount += 1;
        length = start + 1;
    }
    b->onPath[vertex] = -1;
    return loopCount;
}

// Closes all loops of a boundary, or counts them.
// @return false when out of memory
static bool closeLoops(const wkMeshDef* def, const edgeSums* sums, wkLids* lids, int32_t* loopCount)
{
    boundary b;
    bool hasMemory = makeBoundary(sums, def->vertexCount, &b);
    *loopCount = 0;
    for (int32_t i = 0; i < def->vertexCount && hasMemory; ++i) {
        if (b.next[i] < b.starts[i + 1]) {
            *loopCount += followEdges(&b, def->vertices, i, lids);
        }
    }
    wkFree(b.memory, b.byteCount);
    return hasMemory;
}

static void addLid(wkLids* lids, int32_t a, int32_t b, int32_t c)
{
    if (a != b && b != c && c != a) {
        int32_t* lid = lids->triangles + 3 * (size_t)lids->count++;
        lid[0] = a;
        lid[1] = b;
        lid[2] = c;
    }
}

// Moves the boundary to the representatives of near vertices. Two lids for each edge that moves fill the
// seam between the two, so that the surface stays closed at any distance.
static void sewSeams(edgeSums* sums, const int32_t* near, wkLids* lids)
{
    int32_t count = sums->count;
    sums->count = 0;
    for (int32_t i = 0; i < count; ++i) {
        int32_t from = startOf(&sums->keys[i]), to = endOf(&sums->keys[i]);
        int64_t times = llabs(sums->keys[i].value);
        for (int64_t k = 0; k < times; ++k) {
            addLid(lids, to, from, near[from]);
            addLid(lids, to, near[from], near[to]);
        }
        addEdge(sums, near[from], near[to], times); // overwrites an entry that was read
    }
    joinEdges(sums);
}

// Sews near vertices, then closes the remaining loops.
static bool closeEdges(const wkMeshDef* def, edgeSums* sums, const int32_t* ids, bool areSewn,
                       wkLids* lids)
{
    lids->byteCount = (3 * (size_t)sums->total + 1) * 3 * sizeof(int32_t);
    lids->triangles = wkAlloc(lids->byteCount);
    bool hasMemory = lids->triangles != NULL;
    if (hasMemory && areSewn) {
        hasMemory = closeLoops(def, sums, NULL, &lids->loopCount);
        sewSeams(sums, ids, lids);
    }
    int32_t loopCount = 0;
    hasMemory = hasMemory && closeLoops(def, sums, lids, &loopCount);
    lids->loopCount = lids->loopCount > 0 ? lids->loopCount : loopCount;
    return hasMemory;
}

bool wkMakeLids(const wkMeshDef* def, const int32_t* firsts, const int8_t* weights,
                const int32_t* ids, wkLids* lids)
{
    edgeSums sums = {.count = 0};
    memset(lids, 0, sizeof *lids);
    bool hasMemory = sumEdges(def, firsts, weights, &sums) &&
                     (sums.count == 0 || closeEdges(def, &sums, ids, ids != firsts, lids));
    wkFree(sums.keys, sums.byteCount);
    return hasMemory;
}

bool wkCountLoops(const wkMeshDef* def, const int32_t* firsts, int32_t* loopCount)
{
    edgeSums sums = {.count = 0};
    *loopCount = 0;
    bool hasMemory = sumEdges(def, firsts, NULL, &sums) &&
                     (sums.count == 0 || closeLoops(def, &sums, NULL, loopCount));
    wkFree(sums.keys, sums.byteCount);
    return hasMemory;
}

void wkFreeLids(wkLids* lids)
{
    wkFree(lids->triangles, lids->byteCount);
    memset(lids, 0, sizeof *lids);
}
