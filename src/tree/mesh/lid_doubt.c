// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Winding numbers beside triangles tell whether a closed surface lost something: a triangle of a solid has the
// inside on one side at least, and the inside has one sign. Parts are connected by vertices.

#include "tree/mesh/lid_doubt.h"

#include "base/error.h"
#include "base/memory.h"
#include "tree/mesh/lid_nest.h"

#include <string.h>

// Distances of points beside a triangle, relative to the length that its area gives. The smaller one finds the
// inside of thin plates; it is at least twice the gap, since surfaces that were meant to coincide are that far
// apart.
#define NEAR_STEP 0.002
#define FAR_STEP 0.02

// Parts whose bounds are within this fraction of the size belong together: the largest gap that is sewn.
#define PART_GAP 1.001e-2

// Fraction of a part's triangles that must disagree with their patches for it to be doubtful. Where fewer do, the
// others say how it was meant: what encloses nothing then is a sheet.
#define CHANGED_SHARE 0.01

// Pairs of bounds are compared up to this number of parts; more parts are one.
#define MAX_PARTS 2048

// What is known of a part, at the root of its vertices.
typedef struct part {
    wkAabb bounds;
    int32_t lostCount;     // facets with both sides outside
    int32_t signCounts[2]; // facets beside positive and beside negative winding numbers
    int32_t triangleCount;
    int32_t changedCount; // triangles that disagree with their patches
    bool isListed;
    bool isDoubtful;
} part;

typedef struct doubts {
    wkClosedChain* chain;
    const bool* isChanged;
    wkFacets facets;
    wkNest nest;
    double gap;
    double reach;     // parts whose bounds are this far apart belong together
    bool isInverted;  // most of the enclosed volume is negative
    int32_t* parents; // of vertices
    part* parts;      // by vertex
    int32_t* roots;   // vertices that represent parts
    int32_t rootCount;
    bool* isMember;   // vertices of a part
    bool* isPart;     // facets that count
    bool* isChecked;  // facets
    size_t byteCount; // of all arrays
} doubts;

static wkResult noMemory(const wkClosedChain* chain)
{
    return wkFail(wk_errorMemory, "mesh: no memory for %d triangles", (int)chain->givenCount);
}

static void* take(char* memory, size_t* used, size_t byteCount)
{
    char* start = memory != NULL ? memory + *used : NULL;
    *used += (byteCount + 7u) & ~(size_t)7u;
    return start;
}

static size_t placeArrays(doubts* d, char* memory)
{
    size_t used = 0, vertices = (size_t)d->chain->def->vertexCount + 1;
    size_t facets = (size_t)d->facets.count + 1;
    d->parts = take(memory, &used, vertices * sizeof(part));
    d->parents = take(memory, &used, vertices * sizeof(int32_t));
    d->roots = take(memory, &used, vertices * sizeof(int32_t));
    d->isMember = take(memory, &used, vertices * sizeof(bool));
    d->isPart = take(memory, &used, facets * sizeof(bool));
    d->isChecked = take(memory, &used, facets * sizeof(bool));
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

// The vertex that represents the part of a triangle.
static int32_t partOf(const doubts* d, int32_t triangle)
{
    return rootOf(d->parents, d->chain->firsts[d->chain->triangles[3 * (size_t)triangle]]);
}

// Joins the vertices of all triangles and lids.
static void connectVertices(doubts* d)
{
    const wkClosedChain* chain = d->chain;
    for (int32_t i = 0; i < chain->def->vertexCount; ++i) {
        d->parents[i] = i;
    }
    for (size_t i = 0; i < 3 * (size_t)chain->count; ++i) {
        int32_t one = rootOf(d->parents, chain->firsts[chain->triangles[i]]);
        d->parents[one] = partOf(d, (int32_t)(i / 3));
    }
}

static void listParts(doubts* d)
{
    const wkClosedChain* chain = d->chain;
    const wkAabb nothing = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    for (int32_t i = 0; i < chain->count; ++i) {
        int32_t root = partOf(d, i);
        part* of = &d->parts[root];
        if (!of->isListed) {
            *of = (part){.bounds = nothing, .isListed = true};
            d->roots[d->rootCount++] = root;
        }
        for (int k = 0; k < 3; ++k) {
            wkVec3d vertex = chain->def->vertices[chain->triangles[3 * (size_t)i + (size_t)k]];
            of->bounds.lower = wkMin(of->bounds.lower, vertex);
            of->bounds.upper = wkMax(of->bounds.upper, vertex);
        }
        of->triangleCount += i < chain->givenCount;
        of->changedCount += i < chain->givenCount && d->isChanged[i];
    }
}

// Adds what the points beside a facet tell about its part. Points on the surface tell nothing.
static void checkFacet(doubts* d, const wkFacet* facet, part* of)
{
    const wkVec3d* vertices = d->chain->def->vertices;
    wkVec3d a = vertices[facet->faceVertices[0]], b = vertices[facet->faceVertices[1]];
    wkVec3d c = vertices[facet->faceVertices[2]], cross = wkFacetCross(vertices, facet);
    wkVec3d middle = wkMulAdd(a, 1.0 / 3.0, wkAdd(wkSub(b, a), wkSub(c, a)));
    wkVec3d normal = wkNormalizeOr(cross, wkVec(0.0, 0.0, 0.0));
    double length = sqrt(wkLength(cross));
    const double steps[2] = {FAR_STEP * length,
                             wkMinD(wkMaxD(NEAR_STEP * length, 2.0 * d->gap), FAR_STEP * length)};
    bool isLost = length > 0.0, isPositive = false, isNegative = false;
    for (int k = 0; k < 4; ++k) {
        int32_t winding = 0;
        double step = k % 2 == 0 ? steps[k / 2] : -steps[k / 2];
        bool isClear = wkFindNestWinding(&d->nest, wkMulAdd(middle, step, normal), &winding);
        isLost = isLost && isClear && winding == 0;
        isPositive |= isClear && winding > 0;
        isNegative |= isClear && winding < 0;
    }
    of->lostCount += isLost;
    of->signCounts[0] += isPositive;
    of->signCounts[1] += isNegative;
}

// Checks all facets of the caller's triangles.
// @return false when out of memory
static bool checkFacets(doubts* d)
{
    const wkClosedChain* chain = d->chain;
    for (int32_t i = 0; i < d->facets.count; ++i) {
        d->isPart[i] = d->facets.facets[i].net != 0;
    }
    if (!wkMakeNest(chain->def->vertices, &d->facets, d->isPart, &d->nest)) {
        return false;
    }
    for (int32_t i = 0; i < chain->givenCount; ++i) {
        int32_t facet = wkFacetOf(&d->facets, i);
        if (facet >= 0 && !d->isChecked[facet]) {
            d->isChecked[facet] = true;
            checkFacet(d, &d->facets.facets[facet], &d->parts[partOf(d, i)]);
        }
    }
    wkFreeNest(&d->nest);
    return true;
}

static bool isDoubtful(const part* p)
{
    bool isLost = p->lostCount > 0 || (p->signCounts[0] > 0 && p->signCounts[1] > 0);
    return isLost && p->changedCount > 0 && p->changedCount >= CHANGED_SHARE * p->triangleCount;
}

// @return whether there are any
static bool markDoubtful(doubts* d)
{
    bool areAny = false;
    for (int32_t i = 0; i < d->rootCount; ++i) {
        part* of = &d->parts[d->roots[i]];
        of->isDoubtful = isDoubtful(of);
        areAny |= of->isDoubtful;
    }
    return areAny;
}

static bool areNear(const wkAabb* a, const wkAabb* b, double reach)
{
    wkVec3d away = wkMax(wkSub(a->lower, b->upper), wkSub(b->lower, a->upper));
    return away.x <= reach && away.y <= reach && away.z <= reach;
}

static bool isWithin(const wkAabb* inner, const wkAabb* outer, double reach)
{
    wkVec3d away = wkMax(wkSub(outer->lower, inner->lower), wkSub(inner->upper, outer->upper));
    return away.x <= reach && away.y <= reach && away.z <= reach;
}

// Whether a part belongs to a doubtful one: it lies in its bounds, as a cavity does and a triangle that was not
// sewn, or overlaps them and is lost in parts or in the wrong direction itself. Sheets are lost as well, but
// nothing of them was changed.
static bool belongsTo(const doubts* d, const part* other, const part* doubtful)
{
    bool isWrong = other->signCounts[d->isInverted ? 0 : 1] > 0 ||
                   (other->lostCount > 0 && other->changedCount > 0);
    return isWithin(&other->bounds, &doubtful->bounds, d->reach) ||
           (isWrong && areNear(&other->bounds, &doubtful->bounds, d->reach));
}

static void joinParts(doubts* d, int32_t rootA, int32_t rootB)
{
    part* to = &d->parts[rootA];
    const part* from = &d->parts[rootB];
    to->bounds.lower = wkMin(to->bounds.lower, from->bounds.lower);
    to->bounds.upper = wkMax(to->bounds.upper, from->bounds.upper);
    d->parents[rootB] = rootA;
}

// Joins a doubtful part with one that belongs to it.
// @return false when there is none
static bool joinNextPart(doubts* d)
{
    for (int32_t i = 0; i < d->rootCount; ++i) {
        const part* at = &d->parts[d->roots[i]];
        for (int32_t k = 0; k < d->rootCount && at->isDoubtful; ++k) {
            if (k != i && belongsTo(d, &d->parts[d->roots[k]], at)) {
                joinParts(d, d->roots[i], d->roots[k]);
                d->roots[k] = d->roots[--d->rootCount];
                return true;
            }
        }
    }
    return false;
}

// Distance between bounds up to which parts belong together.
static double reachOf(const doubts* d)
{
    wkAabb all = d->parts[d->roots[0]].bounds;
    for (int32_t i = 1; i < d->rootCount; ++i) {
        all.lower = wkMin(all.lower, d->parts[d->roots[i]].bounds.lower);
        all.upper = wkMax(all.upper, d->parts[d->roots[i]].bounds.upper);
    }
    bool areMany = d->rootCount > MAX_PARTS;
    return areMany ? INFINITY : 0.5 * PART_GAP * wkLength(wkSub(all.upper, all.lower));
}

// Replaces a part by its hull. A flat part encloses nothing, and stays as it is.
static wkResult boundPart(doubts* d, int32_t root, wkPartHulls* hulls)
{
    wkClosedChain* chain = d->chain;
    memset(d->isMember, 0, (size_t)chain->def->vertexCount * sizeof(bool));
    for (size_t i = 0; i < 3 * (size_t)chain->givenCount; ++i) {
        int32_t vertex = chain->firsts[chain->triangles[i]];
        d->isMember[vertex] = rootOf(d->parents, vertex) == root;
    }
    bool isFlat;
    wkResult result = wkAddPartHull(chain->def, d->isMember, d->isInverted, hulls, &isFlat);
    for (int32_t i = 0; i < chain->count && result == wk_ok && !isFlat; ++i) {
        if (partOf(d, i) == root) {
            chain->weights[i] = 0;
        }
    }
    return result;
}

// Whether most of the enclosed volume is negative.
static bool isNegative(const doubts* d)
{
    const wkVec3d* vertices = d->chain->def->vertices;
    double volume = 0.0;
    for (int32_t i = 0; i < d->facets.count; ++i) {
        const wkFacet* facet = &d->facets.facets[i];
        wkVec3d origin = vertices[d->facets.facets[0].faceVertices[0]];
        volume += facet->net * wkFacetVolume(vertices, facet, origin);
    }
    return volume < 0.0;
}

static wkResult boundParts(doubts* d, wkPartHulls* hulls)
{
    d->isInverted = isNegative(d);
    d->reach = reachOf(d);
    while (joinNextPart(d)) {
    }
    wkResult result = wk_ok;
    for (int32_t i = 0; i < d->rootCount && result == wk_ok; ++i) {
        if (d->parts[d->roots[i]].isDoubtful) {
            result = boundPart(d, d->roots[i], hulls);
        }
    }
    return result;
}

static wkResult findDoubts(doubts* d, wkPartHulls* hulls)
{
    connectVertices(d);
    listParts(d);
    if (!checkFacets(d)) {
        return noMemory(d->chain);
    }
    return markDoubtful(d) ? boundParts(d, hulls) : wk_ok;
}

static bool areChanged(const bool* isChanged, int32_t count)
{
    return count > 0 && memchr(isChanged, 1, (size_t)count * sizeof(bool)) != NULL;
}

// Whether a surface is the caller's as it was given, without lids: what it encloses is stated. Triangles with the
// outside on both sides are where its thickness is zero.
static bool isAsGiven(const wkClosedChain* chain)
{
    int32_t i = 0;
    while (i < chain->givenCount && chain->weights[i] == 1) {
        ++i;
    }
    return i == chain->count;
}

wkResult wkBoundDoubtfulParts(wkClosedChain* chain, const bool* isChanged, double gap,
                              wkPartHulls* hulls)
{
    memset(hulls, 0, sizeof *hulls);
    if (!areChanged(isChanged, chain->givenCount) || isAsGiven(chain)) {
        return wk_ok;
    }
    doubts d = {.chain = chain, .isChanged = isChanged, .gap = gap};
    wkFacetSource source = {chain->triangles, chain->weights, chain->count, chain->firsts, true};
    if (!wkMakeFacets(&source, &d.facets)) {
        return noMemory(chain);
    }
    d.byteCount = placeArrays(&d, NULL);
    char* memory = wkAlloc(d.byteCount);
    wkResult result = memory != NULL ? wk_ok : noMemory(chain);
    if (result == wk_ok) {
        memset(memory, 0, d.byteCount);
        placeArrays(&d, memory);
        result = findDoubts(&d, hulls);
    }
    wkFree(memory, d.byteCount);
    wkFreeFacets(&d.facets);
    return result;
}
