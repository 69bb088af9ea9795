// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Finds facets and their edges by hash tables, patches by union-find with the relative direction.

#include "tree/mesh/lid_facets.h"

#include "base/memory.h"

#include <string.h>

static uint64_t mixBits(uint64_t bits)
{
    bits = (bits ^ bits >> 32) * 0x9e3779b97f4a7c15u;
    bits = (bits ^ bits >> 29) * 0xbf58476d1ce4e5b9u;
    return bits ^ bits >> 32;
}

static uint64_t mixEdge(int32_t low, int32_t high)
{
    return mixBits((uint64_t)low << 32 | (uint64_t)high);
}

// Sorts the vertices of a triangle.
// @return whether it passes them in ascending order
static bool sortVertices(const wkFacetSource* s, int32_t triangle, int32_t sorted[3])
{
    const int32_t* faceVertices = s->triangles + 3 * (size_t)triangle;
    int32_t a = s->ids[faceVertices[0]], b = s->ids[faceVertices[1]], c = s->ids[faceVertices[2]];
    int32_t low = a < b ? a : b, high = a < b ? b : a;
    sorted[0] = c < low ? c : low;
    sorted[2] = c > high ? c : high;
    sorted[1] = c < low ? low : c > high ? high : c;
    return (a == sorted[0] && b == sorted[1]) || (b == sorted[0] && c == sorted[1]) ||
           (c == sorted[0] && a == sorted[1]);
}

// Slots of the table, for as many facets as triangles or as many edges as they have.
static size_t slotCount(int32_t triangleCount)
{
    size_t count = 16;
    while (count < 4 * (size_t)triangleCount + (size_t)triangleCount / 2) {
        count *= 2;
    }
    return count;
}

static void* take(char* memory, size_t* used, size_t byteCount)
{
    char* start = memory != NULL ? memory + *used : NULL;
    *used += (byteCount + 7u) & ~(size_t)7u;
    return start;
}

static size_t placeArrays(wkFacets* f, size_t count, char* memory)
{
    size_t used = 0;
    f->facets = take(memory, &used, (count + 1) * sizeof(wkFacet));
    f->edges = take(memory, &used, (3 * count + 1) * sizeof(wkFacetEdge));
    f->sides = take(memory, &used, (count + 1) * sizeof(int32_t));
    f->table = take(memory, &used, slotCount((int32_t)count) * sizeof(int32_t));
    return used;
}

static int32_t findFacet(wkFacets* f, const int32_t sorted[3], size_t mask)
{
    uint64_t bits = mixBits(mixEdge(sorted[0], sorted[1]) + (uint64_t)sorted[2]);
    size_t slot = (size_t)bits & mask;
    for (; f->table[slot] >= 0; slot = (slot + 1) & mask) {
        if (memcmp(f->facets[f->table[slot]].faceVertices, sorted, 3 * sizeof(int32_t)) == 0) {
            return f->table[slot];
        }
    }
    int32_t index = f->count++;
    wkFacet facet = {{sorted[0], sorted[1], sorted[2]}, 0, {-1, -1, -1}, index, false, false};
    f->facets[index] = facet;
    f->table[slot] = index;
    return index;
}

static void addTriangles(const wkFacetSource* s, wkFacets* f, size_t mask)
{
    for (int32_t i = 0; i < s->count; ++i) {
        int32_t sorted[3];
        bool isForward = sortVertices(s, i, sorted);
        f->sides[i] = -1;
        if (sorted[0] != sorted[1] && sorted[1] != sorted[2]) {
            int32_t facet = findFacet(f, sorted, mask), weight = s->weights ? s->weights[i] : 1;
            f->facets[facet].net += isForward ? weight : -weight;
            f->sides[i] = facet << 1 | (isForward ? 0 : 1);
        }
    }
}

static int32_t findEdge(wkFacets* f, int32_t low, int32_t high, size_t mask)
{
    size_t slot = (size_t)mixEdge(low, high) & mask;
    for (; f->table[slot] >= 0; slot = (slot + 1) & mask) {
        const wkFacetEdge* edge = &f->edges[f->table[slot]];
        if (edge->ends[0] == low && edge->ends[1] == high) {
            return f->table[slot];
        }
    }
    int32_t index = f->edgeCount++;
    f->edges[index] = (wkFacetEdge){{low, high}, {-1, -1}, 0};
    f->table[slot] = index;
    return index;
}

static void addEdges(const wkFacetSource* s, wkFacets* f, size_t mask)
{
    static const int ends[3][2] = {{0, 1}, {1, 2}, {0, 2}};
    for (int32_t i = 0; i < f->count; ++i) {
        wkFacet* facet = &f->facets[i];
        for (int k = 0; k < 3 && !(s->dropsBalanced && facet->net == 0); ++k) {
            int32_t low = facet->faceVertices[ends[k][0]], high = facet->faceVertices[ends[k][1]];
            facet->edges[k] = findEdge(f, low, high, mask);
            wkFacetEdge* edge = &f->edges[facet->edges[k]];
            if (edge->count < 2) {
                edge->facets[edge->count] = i;
            }
            edge->count += 1;
        }
    }
}

int32_t wkFindPatch(wkFacets* f, int32_t facet, bool* isFlipped)
{
    wkFacet* facets = f->facets;
    bool rotation = false;
    while (facets[facet].parent != facet) {
        // halves the path for the next search
        wkFacet* at = &facets[facet];
        const wkFacet* above = &facets[at->parent];
        if (above->parent != at->parent) {
            at->isFlipped ^= above->isFlipped;
            at->parent = above->parent;
        }
        rotation ^= at->isFlipped;
        facet = at->parent;
    }
    *isFlipped = rotation;
    return facet;
}

void wkJoinPatches(wkFacets* f, int32_t a, int32_t b, bool isFlipped)
{
    bool rotationA, rotationB;
    int32_t rootA = wkFindPatch(f, a, &rotationA), rootB = wkFindPatch(f, b, &rotationB);
    bool isRootRotated = (isFlipped ^ rotationA) ^ rotationB;
    if (rootA == rootB) {
        f->facets[rootA].isOneSided |= isRootRotated;
        return;
    }
    f->facets[rootB].parent = rootA;
    f->facets[rootB].isFlipped = isRootRotated;
    f->facets[rootA].isOneSided |= f->facets[rootB].isOneSided;
}

// The direction of a facet passes its last edge, between the lowest vertex and the highest, downward.
static bool isUpward(const wkFacet* facet, int32_t edge)
{
    return facet->edges[2] != edge;
}

static void joinNeighbours(wkFacets* f)
{
    for (int32_t i = 0; i < f->edgeCount; ++i) {
        const wkFacetEdge* edge = &f->edges[i];
        if (edge->count == 2) {
            const wkFacet *a = &f->facets[edge->facets[0]], *b = &f->facets[edge->facets[1]];
            wkJoinPatches(f, edge->facets[0], edge->facets[1], isUpward(a, i) == isUpward(b, i));
        }
    }
}

bool wkMakeFacets(const wkFacetSource* s, wkFacets* f)
{
    memset(f, 0, sizeof *f);
    f->byteCount = placeArrays(f, (size_t)s->count, NULL);
    char* memory = wkAlloc(f->byteCount);
    if (memory == NULL) {
        return false;
    }
    placeArrays(f, (size_t)s->count, memory);
    size_t slots = slotCount(s->count);
    memset(f->table, 0xff, slots * sizeof *f->table);
    addTriangles(s, f, slots - 1);
    memset(f->table, 0xff, slots * sizeof *f->table);
    addEdges(s, f, slots - 1);
    joinNeighbours(f);
    return true;
}

void wkFreeFacets(wkFacets* f)
{
    if (f->facets != NULL) {
        wkFree(f->facets, f->byteCount); // the first array of the block
    }
    memset(f, 0, sizeof *f);
}

int32_t wkNumberPatches(wkFacets* f, int32_t* numbers)
{
    int32_t count = 0;
    for (int32_t i = 0; i < f->count; ++i) {
        if (f->facets[i].parent == i) {
            numbers[i] = count++;
        }
    }
    for (int32_t i = 0; i < f->count; ++i) {
        bool isFlipped;
        numbers[i] = numbers[wkFindPatch(f, i, &isFlipped)];
    }
    return count;
}

uint64_t wkEdgeNumber(const wkFacet* facet, int edge)
{
    uint64_t low = (uint64_t)(uint32_t)facet->faceVertices[edge == 1 ? 1 : 0];
    uint64_t high = (uint64_t)(uint32_t)facet->faceVertices[edge == 0 ? 1 : 2];
    uint64_t number = mixBits(mixBits(low << 32 | high) + 0x9e3779b97f4a7c15u);
    return edge == 2 ? 0u - number : number;
}

wkVec3d wkFacetCross(const wkVec3d* vertices, const wkFacet* facet)
{
    wkVec3d a = vertices[facet->faceVertices[0]];
    return wkCross(wkSub(vertices[facet->faceVertices[1]], a),
                   wkSub(vertices[facet->faceVertices[2]], a));
}

double wkFacetVolume(const wkVec3d* vertices, const wkFacet* facet, wkVec3d from)
{
    return wkDot(wkSub(vertices[facet->faceVertices[0]], from), wkFacetCross(vertices, facet));
}
