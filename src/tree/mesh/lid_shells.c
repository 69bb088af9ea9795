// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Each facet has two sides. Around an edge with several facets, each side faces that of the next facet: they
// belong to one shell. Edges are divided at vertices that lie on them, as at T-junctions. A shell that encloses a positive volume, with its facets facing away from it, surrounds a
// body; the others are inside of it.

#include "tree/mesh/lid_shells.h"

#include "base/memory.h"
#include "base/sort.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Facets around an edge that are sorted; the sides of edges with more are left alone.
#define MAX_AROUND 64

// Facets with angles that differ by less lie on each other.
#define LEVEL_ANGLE 1e-6
#define FULL_ANGLE 6.283185307179586

// Volumes below this fraction of what the area could enclose may be due to rounding.
#define FLAT_SHARE 1e-9

// Vertices on an edge that divide it, and how far beside it they may be, relative to its length. The search for
// them ends after a number of comparisons.
#define MAX_BETWEEN 16
#define BESIDE 1e-7
#define MAX_COMPARISONS 200000000

// A part of an edge of a facet.
typedef struct edgePart {
    int32_t from; // in the direction of the facet
    int32_t to;
    int32_t facet;
} edgePart;

typedef struct shells {
    const wkVec3d* vertices;
    wkFacets* facets;
    int32_t* parents;  // of the two sides of each facet, the one that the facet faces first
    int32_t* bodies;   // parents of facets that share edges
    int32_t* times;    // triangles of each facet
    double* volumes;   // of each shell, at its root, six times
    double* areas;     // twice
    bool* isIrregular; // bodies, at their roots
    int8_t* targets;   // of facets
    wkSortKey* byX;    // vertices of facets by their x coordinate
    int32_t byXCount;  // 0: edges are not divided
    int64_t comparisonCount;
    edgePart* parts;
    wkSortKey* partKeys; // parts by their vertices
    wkSortKey* spare;
    int32_t partCount;
    size_t byteCount;
    size_t partBytes;
} shells;

static void* take(char* memory, size_t* used, size_t byteCount)
{
    char* start = memory != NULL ? memory + *used : NULL;
    *used += (byteCount + 7u) & ~(size_t)7u;
    return start;
}

static size_t placeArrays(shells* s, char* memory)
{
    size_t used = 0, count = (size_t)s->facets->count + 1;
    s->volumes = take(memory, &used, 2 * count * sizeof(double));
    s->areas = take(memory, &used, 2 * count * sizeof(double));
    s->byX = take(memory, &used, 6 * count * sizeof(wkSortKey));
    s->parents = take(memory, &used, 2 * count * sizeof(int32_t));
    s->bodies = take(memory, &used, count * sizeof(int32_t));
    s->times = take(memory, &used, count * sizeof(int32_t));
    s->isIrregular = take(memory, &used, count * sizeof(bool));
    s->targets = take(memory, &used, count * sizeof(int8_t));
    return used;
}

static int32_t rootOf(int32_t* parents, int32_t at)
{
    while (parents[at] != at) {
        parents[at] = parents[parents[at]]; // halves the path for the next search
        at = parents[at];
    }
    return at;
}

static void join(int32_t* parents, int32_t a, int32_t b)
{
    parents[rootOf(parents, a)] = rootOf(parents, b);
}

// A key in the order of numbers.
static uint64_t keyOf(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits >> 63 != 0 ? ~bits : bits | (uint64_t)1 << 63;
}

// Sorts the vertices of facets along x, if there are open edges that they may divide.
static void sortVertices(shells* s)
{
    const wkFacets* f = s->facets;
    bool areOpen = false;
    for (int32_t i = 0; i < f->edgeCount && !areOpen; ++i) {
        areOpen = f->edges[i].count == 1;
    }
    int32_t count = 0;
    for (int32_t i = 0; i < 3 * f->count && areOpen; ++i) {
        int32_t vertex = f->facets[i / 3].faceVertices[i % 3];
        s->byX[count++] = (wkSortKey){keyOf(s->vertices[vertex].x), vertex};
    }
    wkSortKeys(s->byX, s->byX + 3 * f->count, count);
    for (int32_t i = 0; i < count; ++i) {
        bool isNew = true;
        for (int32_t k = s->byXCount - 1; k >= 0 && s->byX[k].key == s->byX[i].key; --k) {
            isNew &= s->byX[k].value != s->byX[i].value;
        }
        s->byX[s->byXCount] = s->byX[i];
        s->byXCount += isNew;
    }
}

// The first vertex that is not before a coordinate.
static int32_t firstFrom(const shells* s, double x)
{
    int32_t low = 0, high = s->byXCount;
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (s->byX[middle].key < keyOf(x)) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

// Lists the vertices between the ends of an edge, in its direction.
static int32_t findBetween(shells* s, int32_t from, int32_t to, int32_t between[MAX_BETWEEN])
{
    wkVec3d a = s->vertices[from], way = wkSub(s->vertices[to], a);
    double square = wkLengthSquared(way), beside = BESIDE * sqrt(square), shares[MAX_BETWEEN];
    double end = wkMaxD(a.x, a.x + way.x) + beside;
    int32_t count = 0;
    for (int32_t i = firstFrom(s, wkMinD(a.x, a.x + way.x) - beside); i < s->byXCount; ++i) {
        int32_t vertex = (int32_t)s->byX[i].value;
        wkVec3d offset = wkSub(s->vertices[vertex], a);
        if (s->vertices[vertex].x > end || ++s->comparisonCount > MAX_COMPARISONS) {
            break;
        }
        double share = wkDot(offset, way) / square;
        if (!(share > BESIDE && share < 1.0 - BESIDE) || count == MAX_BETWEEN ||
            wkLength(wkMulSub(offset, share, way)) > beside) {
            continue;
        }
        int32_t k = count++;
        for (; k > 0 && shares[k - 1] > share; --k) {
            shares[k] = shares[k - 1];
            between[k] = between[k - 1];
        }
        shares[k] = share;
        between[k] = vertex;
    }
    return count;
}

// Divides the edges of all facets, or counts their parts.
static void divideEdges(shells* s)
{
    s->partCount = 0;
    s->comparisonCount = 0;
    for (int32_t i = 0; i < 3 * s->facets->count; ++i) {
        const wkFacet* facet = &s->facets->facets[i / 3];
        int32_t from = facet->faceVertices[i % 3], to = facet->faceVertices[(i + 1) % 3];
        int32_t between[MAX_BETWEEN + 1];
        int32_t count = s->byXCount > 0 ? findBetween(s, from, to, between) : 0;
        between[count] = to;
        for (int32_t k = 0; k <= count; ++k) {
            if (s->parts != NULL) {
                uint64_t low = (uint64_t)(from < between[k] ? from : between[k]);
                uint64_t high = (uint64_t)(from < between[k] ? between[k] : from);
                s->parts[s->partCount] = (edgePart){from, between[k], i / 3};
                s->partKeys[s->partCount] = (wkSortKey){low << 32 | high, s->partCount};
            }
            s->partCount += 1;
            from = between[k];
        }
    }
}

// A facet beside an edge: its angle about the edge, and the sides towards larger and smaller angles.
typedef struct spoke {
    double angle;
    int32_t facet;
    int32_t ahead;
    int32_t behind;
} spoke;

static int compareSpokes(const void* left, const void* right)
{
    const spoke *a = (const spoke*)left, *b = (const spoke*)right;
    if (a->angle != b->angle) {
        return a->angle < b->angle ? -1 : 1;
    }
    return a->facet < b->facet ? -1 : a->facet > b->facet;
}

// @param axis of the edge, from the lower vertex to the higher
static spoke spokeOf(const shells* s, const edgePart* part, wkVec3d axis, wkVec3d across)
{
    const wkFacet* facet = &s->facets->facets[part->facet];
    wkVec3d origin = s->vertices[part->from], way = wkVec(0.0, 0.0, 0.0);
    // the vertex that is not on the edge is the one furthest from it
    for (int k = 0; k < 3; ++k) {
        wkVec3d offset = wkSub(s->vertices[facet->faceVertices[k]], origin);
        offset = wkMulSub(offset, wkDot(axis, offset), axis);
        way = wkLengthSquared(offset) > wkLengthSquared(way) ? offset : way;
    }
    int isDownward = part->from > part->to;
    return (spoke){atan2(wkDot(wkCross(axis, across), way), wkDot(across, way)), part->facet,
                   2 * part->facet + isDownward, 2 * part->facet + 1 - isDownward};
}

// Joins the sides that face each other around a part of an edge. Facets that lie on each other have both sides in
// common. The sides of a single facet stay apart: a lid will close the surface.
static void joinAround(shells* s, int32_t first, int32_t end)
{
    const edgePart* one = &s->parts[s->partKeys[first].value];
    int32_t low = one->from < one->to ? one->from : one->to, high = one->from + one->to - low;
    wkVec3d axis = wkNormalizeOr(wkSub(s->vertices[high], s->vertices[low]), wkVec(0.0, 0.0, 1.0));
    wkVec3d across = wkPerpendicular(axis);
    int32_t count = end - first;
    spoke spokes[MAX_AROUND];
    if (count < 2 || count > MAX_AROUND) {
        return;
    }
    for (int32_t i = 0; i < count; ++i) {
        const edgePart* part = &s->parts[s->partKeys[first + i].value];
        spokes[i] = spokeOf(s, part, axis, across);
        join(s->bodies, one->facet, part->facet);
    }
    qsort(spokes, (size_t)count, sizeof *spokes, compareSpokes);
    for (int32_t i = 0; i < count; ++i) {
        const spoke *at = &spokes[i], *next = &spokes[(i + 1) % count];
        double angle = next->angle - at->angle + (i + 1 < count ? 0.0 : FULL_ANGLE);
        if (angle > LEVEL_ANGLE && angle < FULL_ANGLE - LEVEL_ANGLE) {
            join(s->parents, at->ahead, next->behind);
        } else {
            join(s->parents, at->ahead, next->ahead);
            join(s->parents, at->behind, next->behind);
        }
    }
}

static void measureShells(shells* s)
{
    for (int32_t i = 0; i < 2 * s->facets->count; ++i) {
        const wkFacet* facet = &s->facets->facets[i / 2];
        int32_t root = rootOf(s->parents, i);
        // from a vertex of the same shell, so that nothing cancels far from the origin
        wkVec3d origin = s->vertices[s->facets->facets[root / 2].faceVertices[0]];
        double volume = wkFacetVolume(s->vertices, facet, origin);
        s->volumes[root] += i % 2 == 0 ? volume : -volume;
        s->areas[root] += wkLength(wkFacetCross(s->vertices, facet));
    }
}

// Marks the bodies whose triangles contradict each other: facets that are there several times, and neighbours of
// different directions.
static void markIrregular(shells* s, int32_t triangleCount)
{
    const wkFacets* f = s->facets;
    for (int32_t i = 0; i < triangleCount; ++i) {
        int32_t facet = wkFacetOf(f, i);
        if (facet >= 0) {
            s->times[facet] += 1;
        }
    }
    for (int32_t i = 0; i < f->count; ++i) {
        s->isIrregular[rootOf(s->bodies, i)] |= s->times[i] != 1;
    }
    for (int32_t i = 0; i < f->edgeCount; ++i) {
        if (f->edges[i].count == 2) {
            const wkFacet* a = &f->facets[f->edges[i].facets[0]];
            const wkFacet* b = &f->facets[f->edges[i].facets[1]];
            bool areAlike = (a->edges[2] == i) == (b->edges[2] == i);
            s->isIrregular[rootOf(s->bodies, f->edges[i].facets[0])] |=
                (a->net == b->net) == areAlike;
        }
    }
}

static bool isOutside(const shells* s, int32_t root)
{
    return s->volumes[root] > FLAT_SHARE * s->areas[root] * sqrt(s->areas[root]);
}

// The direction in which a facet counts.
static int targetOf(const shells* s, int32_t facet)
{
    int32_t front = rootOf(s->parents, 2 * facet), back = rootOf(s->parents, 2 * facet + 1);
    if (!s->isIrregular[rootOf(s->bodies, facet)] || front == back) {
        return WK_TARGET_KEPT;
    }
    return (int)isOutside(s, front) - (int)isOutside(s, back);
}

// @return false when out of memory
static bool findShells(shells* s)
{
    for (int32_t i = 0; i < 2 * s->facets->count; ++i) {
        s->parents[i] = i;
    }
    for (int32_t i = 0; i < s->facets->count; ++i) {
        s->bodies[i] = i;
    }
    sortVertices(s);
    divideEdges(s);
    size_t count = (size_t)s->partCount + 1;
    s->partBytes = count * (2 * sizeof(wkSortKey) + sizeof(edgePart));
    s->partKeys = wkAlloc(s->partBytes);
    if (s->partKeys == NULL) {
        return false;
    }
    s->spare = s->partKeys + count;
    s->parts = (edgePart*)(s->spare + count);
    divideEdges(s);
    wkSortKeys(s->partKeys, s->spare, s->partCount);
    for (int32_t first = 0, end; first < s->partCount; first = end) {
        for (end = first; end < s->partCount && s->partKeys[end].key == s->partKeys[first].key;) {
            ++end;
        }
        joinAround(s, first, end);
    }
    wkFree(s->partKeys, s->partBytes);
    measureShells(s);
    return true;
}

bool wkOrientByShells(const wkMeshDef* def, const int32_t* firsts, wkFacets* f, wkOrientation* to,
                      bool* isDifferent)
{
    shells s = {.vertices = def->vertices, .facets = f};
    s.byteCount = placeArrays(&s, NULL);
    char* memory = wkAlloc(s.byteCount);
    *isDifferent = false;
    if (memory == NULL) {
        return false;
    }
    memset(memory, 0, s.byteCount);
    placeArrays(&s, memory);
    if (!findShells(&s)) {
        wkFree(memory, s.byteCount);
        return false;
    }
    markIrregular(&s, def->triangleCount);
    for (int32_t i = 0; i < f->count; ++i) {
        s.targets[i] = (int8_t)targetOf(&s, i);
        *isDifferent |= s.targets[i] != WK_TARGET_KEPT;
    }
    for (int32_t i = 0; i < def->triangleCount; ++i) {
        int32_t facet = wkFacetOf(f, i);
        if (facet >= 0 && s.targets[facet] != WK_TARGET_KEPT) {
            to->isTwoSided[i] = true;
            to->isWall[i] = false;
        }
    }
    bool hasMemory = wkWeighTriangles(def, firsts, f, s.targets, to->weights);
    wkFree(memory, s.byteCount);
    return hasMemory;
}
