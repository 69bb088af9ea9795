// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The surface of a solid: the caller's triangles, followed by lids. First, boundary vertices that are near
// each other are sewn together, then triangles are oriented, then loops are closed, then pieces are
// flipped. Where panels enclose nothing, the same is tried with larger gaps. Parts that remain doubtful are
// bounded by their hulls.

#include "tree/mesh/mesh_close.h"

#include "base/error.h"
#include "base/memory.h"
#include "tree/mesh/crossing.h"
#include "tree/mesh/lid_attempt.h"
#include "tree/mesh/lid_doubt.h"
#include "tree/mesh/lid_near.h"
#include "tree/mesh/lid_plain.h"

#include <string.h>

// Boundary vertices of a solid that are nearer than this, relative to its radius, are sewn together: more
// than the gaps of files in single precision or with six digits.
#define SEAM_TOLERANCE 1e-5

// Gaps of one kind differ by less than this factor; maximum number of searches for larger ones.
#define GAP_GROWTH 4.0
#define MAX_GROWTHS 4

// Panels that enclose nothing are sewn across gaps that grow by this factor each time, up to a limit:
// gaps must be small compared to the object.
#define SEAM_GROWTH 10.0
#define MAX_SEAM_TOLERANCE 1.001e-2

// Maximum fraction of the hollow area that may remain for a larger gap to be accepted.
#define HOLLOW_SHARE 0.9

// A surface that is being closed.
typedef struct closing {
    const wkMeshDef* given;
    const int32_t* firsts;
    int32_t* ids;     // for each vertex the one that it is sewn to
    int32_t* near;    // the same for the next try
    bool* isHollow;   // triangles that enclose nothing so far
    size_t byteCount; // of all arrays
} closing;

static wkResult noMemory(const wkMeshDef* given)
{
    return wkFail(wk_errorMemory, "mesh: no memory for %d triangles", (int)given->triangleCount);
}

static bool allocateClosing(closing* c)
{
    size_t vertices = (size_t)c->given->vertexCount, count = (size_t)c->given->triangleCount;
    c->byteCount = (2 * vertices + 1) * sizeof(int32_t) + count * sizeof(bool);
    c->ids = wkAlloc(c->byteCount);
    if (c->ids == NULL) {
        return false;
    }
    c->near = c->ids + vertices;
    c->isHollow = (bool*)(c->ids + 2 * vertices);
    memset(c->isHollow, 1, count * sizeof(bool));
    memcpy(c->ids, c->firsts, vertices * sizeof(int32_t));
    return true;
}

static bool makeFacets(const closing* c, const int32_t* ids, wkFacets* facets)
{
    wkFacetSource source = {
        .triangles = c->given->triangles, .count = c->given->triangleCount, .ids = ids};
    return wkMakeFacets(&source, facets);
}

// Finds for each vertex at the boundary of hollow triangles the one that it will be sewn to.
// @return false when out of memory
static bool findSeams(closing* c, const wkFacets* facets, double tolerance, bool* areSewn)
{
    int32_t vertexCount = c->given->vertexCount, count = 0;
    for (int32_t i = 0; i < vertexCount; ++i) {
        c->near[i] = i;
    }
    for (int32_t i = 0; i < c->given->triangleCount; ++i) {
        int32_t facet = c->isHollow[i] ? wkFacetOf(facets, i) : -1;
        for (int k = 0; k < 3 && facet >= 0; ++k) {
            const wkFacetEdge* edge = &facets->edges[facets->facets[facet].edges[k]];
            for (int end = 0; end < 2 && edge->count % 2 != 0; ++end) {
                count += c->near[edge->ends[end]] >= 0;
                c->near[edge->ends[end]] = -1;
            }
        }
    }
    if (!wkFindNearVertices(c->given, count, tolerance, c->near, areSewn)) {
        return false;
    }
    // representatives have represented themselves before
    for (int32_t i = 0; i < vertexCount; ++i) {
        c->near[i] = c->near[c->ids[i]];
    }
    return true;
}

// Tries again with a larger gap, and keeps the result that encloses more.
static wkResult tryLargerGap(closing* c, double tolerance, wkAttempt* best, double* gap)
{
    wkFacets before, after = {.count = 0};
    wkAttempt next = {.loopCount = 0};
    bool areSewn = false;
    bool hasMemory = makeFacets(c, c->ids, &before) && findSeams(c, &before, tolerance, &areSewn);
    wkFreeFacets(&before);
    wkResult result = hasMemory ? wk_ok : noMemory(c->given);
    if (result == wk_ok && areSewn) {
        result = makeFacets(c, c->near, &after)
                     ? wkTryToClose(c->given, c->firsts, c->near, &after, &next)
                     : noMemory(c->given);
        wkFreeFacets(&after);
    }
    bool isBetter = result == wk_ok && areSewn && next.report.volume > best->report.volume &&
                    next.report.hollowArea <= HOLLOW_SHARE * best->report.hollowArea;
    if (isBetter) {
        wkAttempt worse = *best;
        *best = next;
        next = worse;
        *gap = tolerance;
        memcpy(c->ids, c->near, (size_t)c->given->vertexCount * sizeof(int32_t));
        memcpy(c->isHollow, best->report.isHollow, (size_t)c->given->triangleCount);
    }
    wkFreeAttempt(&next);
    return result;
}

// Sews the gaps that files have. Remaining vertices that are hardly further apart than those that were
// sewn belong to the same kind of gap, and are sewn as well.
// @param gap that was sewn; 0: none
// @return false when out of memory
static bool sewDefaultGaps(closing* c, double tolerance, wkFacets* facets, double* gap)
{
    bool areSewn = true;
    bool hasMemory = makeFacets(c, c->firsts, facets);
    for (int i = 0; i < MAX_GROWTHS && areSewn && hasMemory; ++i) {
        hasMemory = findSeams(c, facets, tolerance, &areSewn);
        if (hasMemory && areSewn) {
            *gap = tolerance;
            tolerance *= GAP_GROWTH;
            memcpy(c->ids, c->near, (size_t)c->given->vertexCount * sizeof(int32_t));
            wkFreeFacets(facets);
            hasMemory = makeFacets(c, c->ids, facets);
        }
    }
    return hasMemory;
}

// Makes the first attempt, with the gaps that files have.
static wkResult tryDefaultGap(closing* c, double tolerance, wkAttempt* best, double* gap)
{
    wkFacets facets;
    bool hasMemory = sewDefaultGaps(c, tolerance, &facets, gap);
    wkResult result = hasMemory ? wkTryToClose(c->given, c->firsts, *gap > 0.0 ? c->ids : c->firsts,
                                               &facets, best)
                                : noMemory(c->given);
    wkFreeFacets(&facets);
    if (result == wk_ok) {
        memcpy(c->isHollow, best->report.isHollow, (size_t)c->given->triangleCount);
    }
    return result;
}

static void writeReversed(int32_t* to, const int32_t* triangle)
{
    to[0] = triangle[2];
    to[1] = triangle[1];
    to[2] = triangle[0];
}

// Writes the caller's triangles, then lids that apply the weights of the chain, then the chain's lids and
// hulls.
static wkResult writeSurface(const wkAttempt* a, const wkPartHulls* hulls, wkClosedSurface* closed)
{
    const wkClosedChain* chain = &a->chain;
    int64_t count = chain->givenCount + hulls->count;
    for (int32_t i = 0; i < chain->count; ++i) {
        count += i < chain->givenCount ? 1 - chain->weights[i] : chain->weights[i] != 0;
    }
    if (count > WK_TREE_MAX_ITEMS) {
        return wkFail(wk_errorRange, "mesh: %d triangles and %lld to close the solid, at most %d",
                      (int)chain->givenCount, (long long)(count - chain->givenCount),
                      WK_TREE_MAX_ITEMS);
    }
    if (count == chain->givenCount) {
        return wk_ok;
    }
    closed->byteCount = ((size_t)count + 1) * 3 * sizeof(int32_t);
    closed->triangles = wkAlloc(closed->byteCount);
    if (closed->triangles == NULL) {
        return noMemory(chain->def);
    }
    size_t givenBytes = 3 * (size_t)chain->givenCount * sizeof(int32_t);
    memcpy(closed->triangles, chain->triangles, givenBytes);
    int32_t* end = closed->triangles + 3 * (size_t)chain->givenCount;
    for (int32_t i = 0; i < chain->count; ++i) {
        const int32_t* triangle = chain->triangles + 3 * (size_t)i;
        bool isLid = i >= chain->givenCount;
        if (isLid && chain->weights[i] > 0) {
            memcpy(end, triangle, 3 * sizeof(int32_t));
            end += 3;
        }
        int reversed = isLid ? chain->weights[i] < 0 : 1 - chain->weights[i];
        for (int k = 0; k < reversed; ++k, end += 3) {
            writeReversed(end, triangle);
        }
    }
    if (hulls->count > 0) {
        memcpy(end, hulls->triangles, 3 * (size_t)hulls->count * sizeof(int32_t));
    }
    closed->givenCount = chain->givenCount;
    closed->count = (int32_t)count;
    closed->loopCount = a->loopCount;
    closed->hullCount = hulls->partCount;
    return wk_ok;
}

wkResult wkCloseSurface(const wkMeshDef* given, const int32_t* firsts, double radius,
                        wkClosedSurface* closed)
{
    memset(closed, 0, sizeof *closed);
    closing c = {.given = given, .firsts = firsts};
    wkAttempt best = {.loopCount = 0};
    wkPartHulls hulls = {.count = 0};
    double share = SEAM_TOLERANCE;
    bool hasMemory;
    if (wkIsPlainSurface(given, firsts, &hasMemory)) {
        return wk_ok;
    }
    wkResult result = hasMemory && allocateClosing(&c)
                          ? tryDefaultGap(&c, share * radius, &best, &closed->gap)
                          : noMemory(given);
    while (result == wk_ok && best.report.hollowArea > 0.0 &&
           share * SEAM_GROWTH <= MAX_SEAM_TOLERANCE) {
        share *= SEAM_GROWTH;
        result = tryLargerGap(&c, share * radius, &best, &closed->gap);
    }
    if (result == wk_ok) {
        result = wkBoundDoubtfulParts(&best.chain, best.report.isChanged, closed->gap, &hulls);
    }
    if (result == wk_ok) {
        result = writeSurface(&best, &hulls, closed);
    }
    wkFreePartHulls(&hulls);
    wkFreeAttempt(&best);
    wkFree(c.ids, c.byteCount);
    return result;
}

void wkFreeClosedSurface(wkClosedSurface* closed)
{
    wkFree(closed->triangles, closed->byteCount);
    memset(closed, 0, sizeof *closed);
}

// Whether three vertices are exactly collinear.
static bool areInLine(const wkVec3d* vertices, const int32_t faceVertices[3])
{
    double points[3][3];
    for (int i = 0; i < 3; ++i) {
        wkVec3d vertex = vertices[faceVertices[i]];
        points[i][0] = vertex.x;
        points[i][1] = vertex.y;
        points[i][2] = vertex.z;
    }
    const double *a = points[0], *b = points[1], *c = points[2];
    bool areOn = true, isDoubtful = false;
    for (int u = 0; u < 3 && areOn; ++u) {
        int v = (u + 1) % 3;
        const double left[2] = {a[u], a[v]}, right[2] = {b[u], b[v]}, point[2] = {c[u], c[v]};
        areOn = wkExactSide(left, right, point, &isDoubtful) == 0;
    }
    return areOn && !isDoubtful;
}

void wkDropLinearLids(const wkVec3d* vertices, wkClosedSurface* closed)
{
    int32_t kept = closed->givenCount;
    for (int32_t i = kept; i < closed->count; ++i) {
        int32_t* lid = closed->triangles + 3 * (size_t)i;
        if (!areInLine(vertices, lid)) {
            memmove(closed->triangles + 3 * (size_t)kept++, lid, 3 * sizeof(int32_t));
        }
    }
    closed->count = kept;
}
