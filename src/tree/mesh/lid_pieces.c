// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Closed pieces of a surface: patches that are closed, and patches that are closed together. Each has a
// volume, whose sign gives its direction.

#include "tree/mesh/lid_pieces.h"

#include "base/memory.h"
#include "tree/mesh/lid_nest.h"

#include <string.h>

// Volumes below this fraction of what the area could enclose may be due to rounding.
#define FLAT_SHARE 1e-12

// Distance beside a wall that must be inside, relative to the length that a facet's area gives.
#define WALL_STEP 0.02

// Approximate number of triangles beside which points are tested.
#define MOST_COUNTED 4000

// A total of volumes below this fraction of their sizes has no sign.
#define TIE_SHARE 1e-9

// Fraction of the area that lids may have in the wall of a cavity. More open pieces have no reliable
// direction: they are filled.
#define CAVITY_LID_SHARE 0.05

// A piece is hollow when lids have at least this fraction of its area, and it encloses less than this
// fraction of what its area could: it is a panel and the lid behind it.
#define HOLLOW_LID_SHARE 0.3
#define HOLLOW_VOLUME_SHARE 0.02

typedef struct piece {
    double volume;   // six times
    double area;     // twice, of triangles
    double lidArea;  // twice
    wkVec3d origin;  // a vertex
    uint64_t sum;    // of the edges' numbers; 0: closed
    bool isKnown;    // the origin is set
    bool isTwoSided; // has no predominant direction
    bool isCavity;   // or may be one
    bool isFlipped;
} piece;

typedef struct pieces {
    wkClosedChain* chain;
    wkFacets* facets;
    const wkOrientation* by;
    piece* list;
    int32_t* numbers; // piece of each facet
    bool* isPart;     // whether each facet belongs to the pieces that may contain others
    int32_t count;
    size_t listBytes;
    size_t numberBytes;
} pieces;

// @return false when out of memory
static bool allocatePieces(pieces* p)
{
    size_t count = (size_t)p->facets->count + 1;
    p->numberBytes = count * (sizeof(int32_t) + sizeof(bool));
    p->numbers = wkAlloc(p->numberBytes);
    if (p->numbers == NULL) {
        return false;
    }
    p->isPart = (bool*)(p->numbers + count);
    p->listBytes = ((size_t)wkNumberPatches(p->facets, p->numbers) + 1) * sizeof(piece);
    p->list = wkAlloc(p->listBytes);
    return p->list != NULL;
}

static void freePieces(pieces* p)
{
    wkFree(p->list, p->listBytes);
    wkFree(p->numbers, p->numberBytes);
}

// Numbers the pieces, and sums the edge numbers of each.
static void sumEdges(pieces* p)
{
    wkFacets* f = p->facets;
    p->count = wkNumberPatches(f, p->numbers);
    memset(p->list, 0, (size_t)p->count * sizeof *p->list);
    for (int32_t i = 0; i < f->count; ++i) {
        for (int k = 0; k < 3; ++k) {
            p->list[p->numbers[i]].sum +=
                (uint64_t)(int64_t)f->facets[i].net * wkEdgeNumber(&f->facets[i], k);
        }
    }
}

// Joins patches that are not closed at edges of several facets.
// @return whether there are any
static bool joinOpenPatches(pieces* p)
{
    wkFacets* f = p->facets;
    bool areJoined = false;
    for (int32_t i = 0; i < f->edgeCount; ++i) {
        f->edges[i].facets[0] = f->edges[i].count > 2 ? -1 : f->edges[i].facets[0];
    }
    for (int32_t i = 0; i < f->count; ++i) {
        bool isOpen = f->facets[i].net != 0 && p->list[p->numbers[i]].sum != 0;
        for (int k = 0; k < 3 && isOpen; ++k) {
            wkFacetEdge* edge = &f->edges[f->facets[i].edges[k]];
            if (edge->count > 2 && edge->facets[0] >= 0) {
                wkJoinPatches(f, edge->facets[0], i, false);
                areJoined = true;
            } else if (edge->count > 2) {
                edge->facets[0] = i;
            }
        }
    }
    return areJoined;
}

static void measurePieces(pieces* p)
{
    const wkVec3d* vertices = p->chain->def->vertices;
    for (int32_t i = 0; i < p->facets->count; ++i) {
        const wkFacet* facet = &p->facets->facets[i];
        piece* of = &p->list[p->numbers[i]];
        of->origin = of->isKnown ? of->origin : vertices[facet->faceVertices[0]];
        of->isKnown = true;
        of->volume += facet->net * wkFacetVolume(vertices, facet, of->origin);
    }
    for (int32_t i = 0; i < p->chain->count; ++i) {
        int32_t facet = p->chain->weights[i] != 0 ? wkFacetOf(p->facets, i) : -1;
        if (facet >= 0 && p->facets->facets[facet].net != 0) {
            double area = wkLength(wkFacetCross(vertices, &p->facets->facets[facet]));
            piece* of = &p->list[p->numbers[facet]];
            of->area += i < p->chain->givenCount ? area : 0.0;
            of->lidArea += i < p->chain->givenCount ? 0.0 : area;
            of->isTwoSided |= i < p->chain->givenCount && p->by->isTwoSided[i];
        }
    }
}

// Upper limit of a piece's volume: the cube of the length that its area gives.
static double capacityOf(const piece* p)
{
    double area = p->area + p->lidArea;
    return area * sqrt(area);
}

static bool isHollowPiece(const piece* p)
{
    return p->lidArea >= HOLLOW_LID_SHARE * p->area &&
           fabs(p->volume) <= HOLLOW_VOLUME_SHARE * capacityOf(p);
}

// Whether a facet lies in other pieces: it meets none of their facets, and one of its points is inside.
static bool isNested(const wkVec3d* vertices, const wkFacet* facet, const wkNest* nest,
                     bool isInverted)
{
    wkVec3d a = vertices[facet->faceVertices[0]], b = vertices[facet->faceVertices[1]];
    wkVec3d c = vertices[facet->faceVertices[2]];
    const wkVec3d points[4] = {wkMulAdd(a, 1.0 / 3.0, wkAdd(wkSub(b, a), wkSub(c, a))), a, b, c};
    for (int k = 0; k < 4; ++k) {
        // 0 also where rounding leaves it undecided
        int32_t winding = wkNestWinding(nest, points[k]);
        if (winding != 0) {
            return (isInverted ? -winding : winding) > 0 && !wkMayMeetNest(nest, facet);
        }
    }
    return false;
}

// Whether the direction of a piece is opposite to that of most of the volume.
static bool isOpposite(const piece* p, bool isInverted)
{
    double volume = isInverted ? -p->volume : p->volume;
    return volume < -FLAT_SHARE * capacityOf(p);
}

// Finds the cavities among the pieces to be flipped. Pieces without a direction of their own do not show that
// others have the opposite one.
// @return false when out of memory
static bool findCavities(pieces* p, bool isInverted)
{
    const wkVec3d* vertices = p->chain->def->vertices;
    const wkFacet* facets = p->facets->facets;
    for (int32_t i = 0; i < p->facets->count; ++i) {
        const piece* of = &p->list[p->numbers[i]];
        p->isPart[i] = facets[i].net != 0 && !of->isFlipped && !of->isTwoSided;
    }
    wkNest nest;
    if (!wkMakeNest(vertices, p->facets, p->isPart, &nest)) {
        return false;
    }
    for (int32_t i = 0; i < p->facets->count; ++i) {
        piece* of = &p->list[p->numbers[i]];
        if (of->isCavity && facets[i].net != 0) {
            of->isCavity = isNested(vertices, &facets[i], &nest, isInverted);
        }
    }
    wkFreeNest(&nest);
    return true;
}

// Chooses the pieces to be flipped.
// @return false when out of memory
static bool choosePieces(pieces* p, bool isInverted)
{
    bool areCavities = false;
    for (int32_t i = 0; i < p->count; ++i) {
        piece* of = &p->list[i];
        of->isFlipped = isOpposite(of, isInverted);
        of->isCavity =
            of->isFlipped && !of->isTwoSided && of->lidArea <= CAVITY_LID_SHARE * of->area;
        areCavities |= of->isCavity;
    }
    if (areCavities && !findCavities(p, isInverted)) {
        return false;
    }
    for (int32_t i = 0; i < p->count; ++i) {
        p->list[i].isFlipped &= !p->list[i].isCavity;
    }
    return true;
}

static void flipPieces(const pieces* p)
{
    wkFacet* facets = p->facets->facets;
    for (int32_t i = 0; i < p->chain->count; ++i) {
        int32_t facet = wkFacetOf(p->facets, i);
        if (facet >= 0 && facets[facet].net != 0 && p->list[p->numbers[facet]].isFlipped) {
            p->chain->weights[i] = (int8_t)-p->chain->weights[i];
        }
    }
    for (int32_t i = 0; i < p->facets->count; ++i) {
        facets[i].net *= p->list[p->numbers[i]].isFlipped ? -1 : 1;
    }
}

static void reportPieces(const pieces* p, wkPieceReport* report)
{
    const wkVec3d* vertices = p->chain->def->vertices;
    report->volume = report->hollowArea = 0.0;
    for (int32_t i = 0; i < p->count; ++i) {
        double volume = fabs(p->list[i].volume) / 6.0;
        report->volume += p->list[i].isCavity ? -volume : volume;
    }
    for (int32_t i = 0; i < p->chain->givenCount; ++i) {
        int32_t facet = p->chain->weights[i] != 0 ? wkFacetOf(p->facets, i) : -1;
        report->isHollow[i] = facet >= 0 && (p->facets->facets[facet].net == 0 ||
                                             isHollowPiece(&p->list[p->numbers[facet]]));
        if (report->isHollow[i]) {
            report->hollowArea += 0.5 * wkLength(wkFacetCross(vertices, &p->facets->facets[facet]));
        }
    }
}

// Whether a point beside a facet's center, at a fraction of the length that its area gives, is inside.
static bool isInsideAt(const wkVec3d* vertices, const wkFacet* facet, double share,
                       const wkNest* nest)
{
    wkVec3d a = vertices[facet->faceVertices[0]], b = vertices[facet->faceVertices[1]];
    wkVec3d edges = wkAdd(wkSub(b, a), wkSub(vertices[facet->faceVertices[2]], a));
    wkVec3d cross = wkFacetCross(vertices, facet), middle = wkMulAdd(a, 1.0 / 3.0, edges);
    double step = share / sqrt(wkMaxD(wkLength(cross), 1e-300));
    return wkNestWinding(nest, wkMulAdd(middle, step, cross)) != 0;
}

// Finds walls that are not inside a piece: they have to enclose a volume themselves.
// @return false when out of memory
static bool findNeeded(const pieces* p, wkPieceReport* report)
{
    const wkVec3d* vertices = p->chain->def->vertices;
    const wkFacet* facets = p->facets->facets;
    bool areWalls = false;
    for (int32_t i = 0; i < p->chain->givenCount; ++i) {
        report->isNeeded[i] = false;
        areWalls |= p->by->isWall[i];
    }
    report->areNeeded = false;
    if (!areWalls) {
        return true;
    }
    for (int32_t i = 0; i < p->facets->count; ++i) {
        p->isPart[i] = facets[i].net != 0;
    }
    wkNest nest;
    if (!wkMakeNest(vertices, p->facets, p->isPart, &nest)) {
        return false;
    }
    for (int32_t i = 0; i < p->chain->givenCount; ++i) {
        int32_t facet = p->by->isWall[i] ? wkFacetOf(p->facets, i) : -1;
        report->isNeeded[i] =
            facet >= 0 && !(isInsideAt(vertices, &facets[facet], WALL_STEP, &nest) &&
                            isInsideAt(vertices, &facets[facet], -WALL_STEP, &nest));
        report->areNeeded |= report->isNeeded[i];
    }
    wkFreeNest(&nest);
    return true;
}

static bool flipAndReport(pieces* p, wkPieceReport* report)
{
    if (!allocatePieces(p)) {
        return false;
    }
    sumEdges(p);
    if (joinOpenPatches(p)) {
        sumEdges(p);
    }
    measurePieces(p);
    double total = 0.0, size = 0.0;
    for (int32_t i = 0; i < p->count; ++i) {
        total += p->list[i].volume;
        size += fabs(p->list[i].volume);
    }
    if (!choosePieces(p, total < -TIE_SHARE * size)) {
        return false;
    }
    reportPieces(p, report);
    flipPieces(p);
    return findNeeded(p, report);
}

bool wkFlipPieces(wkClosedChain* chain, const wkOrientation* by, wkPieceReport* report)
{
    wkFacets facets;
    wkFacetSource source = {chain->triangles, chain->weights, chain->count, chain->firsts, true};
    pieces p = {.chain = chain, .facets = &facets, .by = by};
    bool hasMemory = wkMakeFacets(&source, &facets) && flipAndReport(&p, report);
    freePieces(&p);
    wkFreeFacets(&facets);
    return hasMemory;
}

bool wkCountInside(const wkClosedChain* chain, int64_t* count)
{
    static const double steps[4] = {-0.25, -WALL_STEP, WALL_STEP, 0.25};
    wkFacets f;
    wkFacetSource source = {chain->triangles, chain->weights, chain->count, chain->firsts, true};
    *count = 0;
    if (!wkMakeFacets(&source, &f)) {
        return false;
    }
    bool* isPart = wkAlloc((size_t)f.count + 1);
    wkNest nest = {.byteCount = 0};
    for (int32_t i = 0; i < f.count && isPart != NULL; ++i) {
        isPart[i] = f.facets[i].net != 0;
    }
    bool hasMemory = isPart != NULL && wkMakeNest(chain->def->vertices, &f, isPart, &nest);
    // a sufficient sample, chosen by their vertices and not by their order
    uint64_t share = (uint64_t)chain->givenCount / MOST_COUNTED + 1;
    for (int32_t i = 0; i < chain->givenCount && hasMemory; ++i) {
        int32_t facet = wkFacetOf(&f, i);
        if (facet >= 0 && wkEdgeNumber(&f.facets[facet], 0) % share == 0) {
            for (int k = 0; k < 4; ++k) {
                *count += isInsideAt(chain->def->vertices, &f.facets[facet], steps[k], &nest);
            }
        }
    }
    wkFreeNest(&nest);
    wkFree(isPart, (size_t)f.count + 1);
    wkFreeFacets(&f);
    return hasMemory;
}
