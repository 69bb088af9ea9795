// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Determines directions of the patches of a surface by a vote of their triangles, weighted by area.

#include "tree/mesh/lid_orient.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

// A majority below this fraction of the area does not decide the direction of a patch.
#define VOTE_SHARE 0.1

// A patch with this average multiplicity is several coincident surfaces.
#define SEVERAL 1.5

// Volumes below this fraction may be due to rounding, or to the order of a sum.
#define TIE_SHARE 1e-9

// Properties of a patch, in the direction of its root.
typedef struct patch {
    double area;       // twice, of facets
    double votes;      // the same of triangles
    double vote;       // area in the direction of the root, minus the rest
    double volume;     // six times, with the middle of the boundary
    wkVec3d middle;    // of the boundary; first the sum of its edges
    int32_t edgeCount; // of the boundary
    int32_t lowest;    // the facet with the lowest vertices
    int64_t backCount; // triangles that others of their facets cancel
    int32_t fewest;    // minimum multiplicity of a facet in the direction of the root
    int32_t most;      // maximum
    bool isLowestFlipped;
    bool isAttached; // shares an edge with several others
    bool isNeeded;
    int sign; // 1: the direction of the root, -1: the opposite
} patch;

typedef struct patches {
    patch* list;
    int32_t* numbers; // patch of each facet
    int32_t count;
    size_t listBytes;
    size_t numberBytes;
} patches;

// Whether each facet counts once already, and neighbours have the same direction.
static bool isOriented(const wkFacets* f, int32_t triangleCount)
{
    for (int32_t i = 0; i < f->count; ++i) {
        if (f->facets[i].net != 1 && f->facets[i].net != -1) {
            return false;
        }
    }
    int32_t placed = 0;
    for (int32_t i = 0; i < triangleCount; ++i) {
        placed += f->sides[i] >= 0;
    }
    bool isEven = placed == f->count;
    for (int32_t i = 0; i < f->edgeCount && isEven; ++i) {
        const wkFacetEdge* edge = &f->edges[i];
        if (edge->count == 2) {
            const wkFacet *a = &f->facets[edge->facets[0]], *b = &f->facets[edge->facets[1]];
            bool areRotated = (a->edges[2] == i) == (b->edges[2] == i);
            isEven = (a->net != b->net) == areRotated;
        }
    }
    return isEven;
}

// @return false when out of memory
static bool listPatches(wkFacets* f, patches* p)
{
    p->numberBytes = ((size_t)f->count + 1) * sizeof(int32_t);
    p->numbers = wkAlloc(p->numberBytes);
    p->list = NULL;
    if (p->numbers == NULL) {
        return false;
    }
    p->count = wkNumberPatches(f, p->numbers);
    p->listBytes = ((size_t)p->count + 1) * sizeof(patch);
    p->list = wkAlloc(p->listBytes);
    if (p->list == NULL) {
        return false;
    }
    memset(p->list, 0, p->listBytes);
    for (int32_t i = 0; i < f->count; ++i) {
        if (f->facets[i].parent == i) {
            patch* of = &p->list[p->numbers[i]];
            of->lowest = i;
            of->fewest = INT32_MAX;
            of->most = INT32_MIN;
        }
    }
    return true;
}

static void freePatches(patches* p)
{
    wkFree(p->list, p->listBytes);
    wkFree(p->numbers, p->numberBytes);
}

static void addFacet(const wkVec3d* vertices, const wkFacets* f, int32_t index, bool isFlipped,
                     patch* p)
{
    const wkFacet* facet = &f->facets[index];
    double area = wkLength(wkFacetCross(vertices, facet));
    int32_t times = isFlipped ? -facet->net : facet->net;
    p->fewest = times < p->fewest ? times : p->fewest;
    p->most = times > p->most ? times : p->most;
    p->backCount -= abs(times);
    p->area += area;
    p->vote += (isFlipped ? -1.0 : 1.0) * facet->net * area;
    for (int k = 0; k < 3; ++k) {
        const wkFacetEdge* edge = &f->edges[facet->edges[k]];
        p->isAttached |= edge->count > 2;
        if (edge->count != 2) {
            p->middle =
                wkAdd(p->middle, wkMiddle(vertices[edge->ends[0]], vertices[edge->ends[1]]));
            p->edgeCount += 1;
        }
    }
    if (memcmp(facet->faceVertices, f->facets[p->lowest].faceVertices,
               sizeof facet->faceVertices) <= 0) {
        p->lowest = index;
        p->isLowestFlipped = isFlipped;
    }
}

static void measurePatches(const wkMeshDef* def, wkFacets* f, const patches* p,
                           const bool* isNeeded)
{
    const wkVec3d* vertices = def->vertices;
    for (int32_t i = 0; i < f->count; ++i) {
        bool isFlipped;
        wkFindPatch(f, i, &isFlipped);
        addFacet(vertices, f, i, isFlipped, &p->list[p->numbers[i]]);
    }
    for (int32_t i = 0; i < def->triangleCount; ++i) {
        int32_t facet = wkFacetOf(f, i);
        if (facet >= 0) {
            patch* of = &p->list[p->numbers[facet]];
            of->backCount += 1;
            of->votes += wkLength(wkFacetCross(vertices, &f->facets[facet]));
            of->isNeeded |= isNeeded[i];
        }
    }
    for (int32_t i = 0; i < p->count; ++i) {
        patch* of = &p->list[i];
        of->middle = of->edgeCount > 0 ? wkScale(1.0 / of->edgeCount, of->middle)
                                       : vertices[f->facets[of->lowest].faceVertices[0]];
    }
    for (int32_t i = 0; i < f->count; ++i) {
        bool isFlipped;
        wkFindPatch(f, i, &isFlipped);
        patch* of = &p->list[p->numbers[i]];
        double volume = wkFacetVolume(vertices, &f->facets[i], of->middle);
        of->volume += isFlipped ? -volume : volume;
    }
}

static bool isWall(const patch* p)
{
    return p->fewest == 0 && p->most == 0 && p->isAttached && !p->isNeeded;
}

// Whether a patch is left unchanged: all facets have one direction, or it is repeated, or it is a wall.
static bool isRegular(const patch* p)
{
    bool isOneWay = p->backCount == 0 && (p->fewest > 0 || p->most < 0);
    return isOneWay || isWall(p) || fabs(p->vote) >= SEVERAL * p->area;
}

// Whether a patch has no predominant direction.
static bool isTwoSided(const patch* p)
{
    return !(fabs(p->vote) > VOTE_SHARE * p->votes);
}

static int signOf(const patch* p)
{
    if (!isTwoSided(p)) {
        return p->vote > 0.0 ? 1 : -1;
    }
    if (fabs(p->volume) > TIE_SHARE * p->area * sqrt(p->area)) {
        return p->volume > 0.0 ? 1 : -1;
    }
    return p->isLowestFlipped ? -1 : 1;
}

// The wanted multiplicity of a facet, in its own direction.
static int targetOf(wkFacets* f, const patches* p, int32_t facet)
{
    bool isFlipped;
    int32_t root = wkFindPatch(f, facet, &isFlipped);
    if (f->facets[root].isOneSided) {
        return f->facets[facet].net < 0 ? -1 : 1;
    }
    int sign = p->list[p->numbers[facet]].sign;
    return isFlipped ? -sign : sign;
}

// Whether a triangle represents its facet better than another one: by the wanted direction, then by the
// lowest vertices.
static bool isBetter(const wkMeshDef* def, const int32_t* firsts, const wkFacets* f,
                     int32_t triangle, int32_t other, bool wantsForward)
{
    bool isWanted = wkIsForward(f, triangle) == wantsForward;
    if (isWanted != (wkIsForward(f, other) == wantsForward)) {
        return isWanted;
    }
    int64_t sums[2] = {0, 0};
    const int32_t* faceVertices[2] = {def->triangles + 3 * (size_t)triangle,
                                      def->triangles + 3 * (size_t)other};
    int32_t lowest[2] = {INT32_MAX, INT32_MAX};
    for (int i = 0; i < 2; ++i) {
        for (int k = 0; k < 3; ++k) {
            int32_t vertex = firsts[faceVertices[i][k]];
            sums[i] += vertex;
            lowest[i] = vertex < lowest[i] ? vertex : lowest[i];
        }
    }
    return lowest[0] != lowest[1] ? lowest[0] < lowest[1] : sums[0] < sums[1];
}

bool wkWeighTriangles(const wkMeshDef* def, const int32_t* firsts, const wkFacets* f,
                      const int8_t* targets, int8_t* weights)
{
    size_t chosenBytes = ((size_t)f->count + 1) * sizeof(int32_t);
    int32_t* chosen = wkAlloc(chosenBytes);
    if (chosen == NULL) {
        return false;
    }
    memset(chosen, 0xff, chosenBytes);
    for (int32_t i = 0; i < def->triangleCount; ++i) {
        int32_t facet = wkFacetOf(f, i);
        if (facet < 0 || targets[facet] == WK_TARGET_KEPT) {
            continue;
        }
        weights[i] = 0;
        int32_t other = chosen[facet];
        if (other < 0 || isBetter(def, firsts, f, i, other, targets[facet] > 0)) {
            chosen[facet] = i;
        }
    }
    for (int32_t i = 0; i < f->count; ++i) {
        if (chosen[i] >= 0) {
            weights[chosen[i]] = (int8_t)(wkIsForward(f, chosen[i]) ? targets[i] : -targets[i]);
        }
    }
    wkFree(chosen, chosenBytes);
    return true;
}

// Sets the targets of facets, and what is known of the patches of triangles.
static void setTargets(const wkMeshDef* def, wkFacets* f, const patches* p, int8_t* targets,
                       wkOrientation* to)
{
    for (int32_t i = 0; i < f->count; ++i) {
        bool isKept = isRegular(&p->list[p->numbers[i]]);
        targets[i] = (int8_t)(isKept ? WK_TARGET_KEPT : targetOf(f, p, i));
    }
    for (int32_t i = 0; i < def->triangleCount; ++i) {
        int32_t facet = wkFacetOf(f, i);
        const patch* of = facet >= 0 ? &p->list[p->numbers[facet]] : NULL;
        to->isTwoSided[i] = of != NULL && isTwoSided(of);
        to->isWall[i] = of != NULL && isWall(of);
    }
}

bool wkOrientTriangles(const wkMeshDef* def, const int32_t* firsts, wkFacets* f, wkOrientation* to)
{
    memset(to->weights, 1, (size_t)def->triangleCount);
    memset(to->isTwoSided, 0, (size_t)def->triangleCount);
    memset(to->isWall, 0, (size_t)def->triangleCount);
    if (isOriented(f, def->triangleCount)) {
        return true;
    }
    patches p = {.count = 0};
    size_t targetBytes = (size_t)f->count + 1;
    int8_t* targets = wkAlloc(targetBytes);
    bool hasMemory = targets != NULL && listPatches(f, &p);
    if (hasMemory) {
        measurePatches(def, f, &p, to->isNeeded);
        for (int32_t i = 0; i < p.count; ++i) {
            p.list[i].sign = signOf(&p.list[i]);
        }
        setTargets(def, f, &p, targets, to);
        hasMemory = wkWeighTriangles(def, firsts, f, targets, to->weights);
    }
    freePatches(&p);
    wkFree(targets, targetBytes);
    return hasMemory;
}
