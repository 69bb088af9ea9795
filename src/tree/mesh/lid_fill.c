// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Triangulation of one loop. Short loops get the triangulation of least cost, by dynamic programming
// over all of them (Barequet and Sharir 1995). From long ones the cheapest ears are cut off first, one
// after the other, until they are short: ears of a densely sampled boundary are tiny, so cutting them
// hardly changes the shape of the lid.

#include "tree/mesh/lid_fill.h"

#include "math/vec.h"

#include <string.h>

// Vertices of a short loop. Time per vertex of the boundary grows with the square of this.
#define SHORT_LOOP 64

// Cost of a squared diagonal length compared to area. Flat lids have the same area with any
// triangulation: lengths prefer good triangles to slivers. Small, so that leaving the plane of a flat
// opening costs more than it saves.
#define LENGTH_COST 1e-3

// Ears of long loops are chosen mainly by length: they make the boundary uniformly coarser.
#define EAR_LENGTH_COST 0.05

// An ear that may be cut off; outdated when its vertex has another stamp.
typedef struct ear {
    double cost;
    int32_t vertex; // position in the loop
    int32_t stamp;
} ear;

// A loop that is being shortened.
typedef struct ring {
    const wkVec3d* vertices;
    const int32_t* loop;
    int32_t* before; // neighbours of each position
    int32_t* after;
    int32_t* stamps; // number of changes; -1: cut off
    ear* heap;       // the cheapest first
    int32_t heapCount;
} ring;

static double costOf(wkVec3d a, wkVec3d b, wkVec3d c, double lengthCost)
{
    wkVec3d u = wkSub(b, a), v = wkSub(c, a);
    return 0.5 * wkLength(wkCross(u, v)) + lengthCost * wkLengthSquared(v);
}

// Orders ears independently of their order of insertion.
static bool isCheaper(const ear* a, const ear* b)
{
    return a->cost < b->cost || (a->cost == b->cost && a->vertex < b->vertex);
}

static void pushEar(ring* r, ear e)
{
    int32_t at = r->heapCount++;
    while (at > 0 && isCheaper(&e, &r->heap[(at - 1) / 2])) {
        r->heap[at] = r->heap[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    r->heap[at] = e;
}

static ear popEar(ring* r)
{
    ear top = r->heap[0], last = r->heap[--r->heapCount];
    int32_t at = 0;
    for (;;) {
        int32_t below = 2 * at + 1;
        if (below >= r->heapCount) {
            break;
        }
        below += below + 1 < r->heapCount && isCheaper(&r->heap[below + 1], &r->heap[below]);
        if (!isCheaper(&r->heap[below], &last)) {
            break;
        }
        r->heap[at] = r->heap[below];
        at = below;
    }
    r->heap[at] = last;
    return top;
}

static wkVec3d pointOf(const ring* r, int32_t position)
{
    return r->vertices[r->loop[position]];
}

// Adds the ear at a position of the loop.
static void addEar(ring* r, int32_t at)
{
    wkVec3d a = pointOf(r, r->before[at]), b = pointOf(r, at), c = pointOf(r, r->after[at]);
    ear e = {costOf(a, b, c, EAR_LENGTH_COST), at, r->stamps[at]};
    pushEar(r, e);
}

static void writeTriangle(int32_t* triangle, int32_t a, int32_t b, int32_t c)
{
    triangle[0] = c;
    triangle[1] = b;
    triangle[2] = a;
}

// Cuts ears off until the loop is short.
// @return number of ears
static int32_t cutEars(ring* r, int32_t count, int32_t* triangles)
{
    for (int32_t i = 0; i < count; ++i) {
        r->before[i] = i > 0 ? i - 1 : count - 1;
        r->after[i] = i + 1 < count ? i + 1 : 0;
        r->stamps[i] = 0;
    }
    for (int32_t i = 0; i < count; ++i) {
        addEar(r, i);
    }
    int32_t cutCount = 0;
    while (count - cutCount > SHORT_LOOP) {
        ear e = popEar(r);
        if (e.stamp != r->stamps[e.vertex]) {
            continue;
        }
        int32_t a = r->before[e.vertex], c = r->after[e.vertex];
        writeTriangle(triangles + 3 * (size_t)cutCount, r->loop[a], r->loop[e.vertex], r->loop[c]);
        ++cutCount;
        r->stamps[e.vertex] = -1;
        r->after[a] = c;
        r->before[c] = a;
        ++r->stamps[a];
        ++r->stamps[c];
        addEar(r, a);
        addEar(r, c);
    }
    return cutCount;
}

// The best triangulations of all parts of a short loop: between positions i < j, and the diagonal.
typedef struct partTable {
    double costs[SHORT_LOOP][SHORT_LOOP];
    int8_t tips[SHORT_LOOP][SHORT_LOOP]; // third vertex of the triangle at the diagonal
} partTable;

static void findParts(const wkVec3d* vertices, const int32_t* loop, int count, partTable* table)
{
    for (int i = 0; i + 1 < count; ++i) {
        table->costs[i][i + 1] = 0.0;
    }
    for (int length = 2; length < count; ++length) {
        for (int i = 0; i + length < count; ++i) {
            int j = i + length, best = i + 1;
            double least = INFINITY;
            for (int k = i + 1; k < j; ++k) {
                double cost =
                    table->costs[i][k] + table->costs[k][j] +
                    costOf(vertices[loop[i]], vertices[loop[k]], vertices[loop[j]], LENGTH_COST);
                if (cost < least) {
                    least = cost;
                    best = k;
                }
            }
            table->costs[i][j] = least;
            table->tips[i][j] = (int8_t)best;
        }
    }
}

// Writes the triangles of the best triangulation.
static void writeParts(const partTable* table, const int32_t* loop, int count, int32_t* triangles)
{
    int8_t stack[SHORT_LOOP][2];
    int depth = 0;
    stack[depth][0] = 0;
    stack[depth++][1] = (int8_t)(count - 1);
    while (depth > 0) {
        --depth;
        int8_t i = stack[depth][0], j = stack[depth][1];
        if (j - i < 2) {
            continue;
        }
        int8_t k = table->tips[i][j];
        writeTriangle(triangles, loop[i], loop[k], loop[j]);
        triangles += 3;
        stack[depth][0] = k;
        stack[depth++][1] = j;
        stack[depth][0] = i;
        stack[depth++][1] = k;
    }
}

// Takes bytes of scratch memory; NULL when they are only counted.
static void* take(char* scratch, size_t* used, size_t byteCount)
{
    char* start = scratch != NULL ? scratch + *used : NULL;
    *used += (byteCount + 7u) & ~(size_t)7u;
    return start;
}

// Every cut removes one ear and adds two new ones to the heap.
static size_t placeRing(ring* r, char* scratch, int32_t count)
{
    size_t used = 0, size = (size_t)count;
    take(scratch, &used, sizeof(partTable));
    r->heap = take(scratch, &used, 3 * size * sizeof(ear));
    r->before = take(scratch, &used, size * sizeof(int32_t));
    r->after = take(scratch, &used, size * sizeof(int32_t));
    r->stamps = take(scratch, &used, size * sizeof(int32_t));
    return used;
}

size_t wkFillBytes(int32_t vertexCount)
{
    ring r;
    return placeRing(&r, NULL, vertexCount);
}

void wkFillLoop(const wkVec3d* vertices, int32_t* loop, int32_t count, void* scratch,
                int32_t* triangles)
{
    if (count > SHORT_LOOP) {
        ring r = {.vertices = vertices, .loop = loop};
        placeRing(&r, scratch, count);
        triangles += 3 * (size_t)cutEars(&r, count, triangles);
        int32_t kept = 0;
        for (int32_t i = 0; i < count; ++i) {
            if (r.stamps[i] >= 0) {
                loop[kept++] = loop[i];
            }
        }
        count = kept;
    }
    partTable* table = (partTable*)scratch;
    findParts(vertices, loop, (int)count, table);
    writeParts(table, loop, (int)count, triangles);
}
