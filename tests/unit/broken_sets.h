// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Random bodies and what files do to them. A body is a few closed pieces that may overlap, touch or be
// nested; damage changes its triangles without changing what it encloses, but for a margin.

#include "solid_sets.h"
#include "unit_kit.h"

#define MAX_PIECES 6

// What was done to a body, a bit for each.
typedef enum damage {
    damageFlips = 1,       // triangles the other way round
    damageCopies = 2,      // triangles several times, in any direction
    damageHoles = 4,       // triangles that are missing
    damageSplits = 8,      // vertices of their own for each triangle
    damageJitter = 16,     // and those moved
    damageJunctions = 32,  // vertices in the middle of edges of one side
    damageStray = 64,      // vertices that no triangle uses
    damageFlat = 128,      // triangles without area
    damageReversed = 256,  // pieces inside out
    damageDoubled = 512,   // all triangles of a piece from both sides
    damageInverted = 1024, // all triangles the other way round
    damageCount = 11
} damage;

// Closed pieces, one after the other.
typedef struct body {
    meshSet set;
    int32_t starts[MAX_PIECES + 1]; // first triangle of each piece
    int32_t pieceCount;
} body;

typedef struct brokenBody {
    body whole;
    meshSet set;
    unsigned damages;
    int32_t starts[MAX_PIECES + 1];
    double margin; // how far from the surface what is inside stays inside
} brokenBody;

static inline void addPiece(body* b, meshSet piece)
{
    b->starts[b->pieceCount] = b->set.triangleCount;
    b->set = b->pieceCount == 0 ? piece : joinSets(b->set, piece);
    b->starts[++b->pieceCount] = b->set.triangleCount;
}

static inline void rotateSet(meshSet* set, wkQuat rotation)
{
    for (int32_t i = 0; i < set->vertexCount; ++i) {
        wkPose pose = {{0.0, 0.0, 0.0}, rotation};
        set->vertices[i] = wkTransformPoint(pose, set->vertices[i]);
    }
}

// Compilers evaluate arguments in any order: draws that depend on each other are statements of their own.
static inline wkVec3d drawShift(wkRng* rng, double longest)
{
    double length = wkRngRange(rng, 0.0, longest);
    return wkScale(length, wkRngDirection(rng));
}

// A piece about the origin, of a radius about 1.
static inline meshSet drawPiece(wkRng* rng)
{
    int32_t size = 5 + wkRngBelow(rng, 5);
    switch (wkRngBelow(rng, 4)) {
    case 0:
        return latticeSet(3 + wkRngBelow(rng, 4));
    case 1:
        return torusSet(size);
    case 2:
        return solidSphereSet(size + 3, 0.1);
    default:
        return sphereSet(size + 3);
    }
}

// Cubes on a coarse grid, which share vertices, edges, faces or all of them.
static inline void drawGridPieces(wkRng* rng, body* b)
{
    int32_t count = 2 + wkRngBelow(rng, 2);
    for (int32_t i = 0; i < count; ++i) {
        meshSet cube = latticeSet(wkRngChance(rng, 2) ? 2 : 4);
        int32_t x = wkRngBelow(rng, 3), y = wkRngBelow(rng, 3), z = wkRngBelow(rng, 2);
        moveSet(&cube, 1.0, wkVec(x, y, z));
        addPiece(b, cube);
    }
}

static inline body drawBody(wkRng* rng)
{
    body b = {.pieceCount = 0};
    if (wkRngChance(rng, 4)) {
        drawGridPieces(rng, &b);
        return b;
    }
    int32_t count = 1 + wkRngBelow(rng, 3);
    for (int32_t i = 0; i < count; ++i) {
        meshSet piece = drawPiece(rng);
        double scale = wkRngRange(rng, 0.5, 1.0);
        wkVec3d way = drawShift(rng, 1.5);
        rotateSet(&piece, wkRngRotation(rng));
        moveSet(&piece, scale, way);
        addPiece(&b, piece);
        if (i == 0 && wkRngChance(rng, 3)) {
            meshSet cavity = sphereSet(6);
            double radius = wkRngRange(rng, 0.1, 0.5);
            rotateSet(&cavity, wkRngRotation(rng));
            moveSet(&cavity, radius * scale, way);
            flipSet(&cavity);
            addPiece(&b, cavity);
        }
    }
    return b;
}

static inline void flipTriangle(int32_t* t)
{
    int32_t kept = t[0];
    t[0] = t[1];
    t[1] = kept;
}

static inline meshSet copySet(const meshSet* set)
{
    meshSet copy = makeSet(set->vertexCount, set->triangleCount);
    memcpy(copy.vertices, set->vertices, (size_t)set->vertexCount * sizeof(wkVec3d));
    memcpy(copy.triangles, set->triangles, (size_t)set->triangleCount * 3 * sizeof(int32_t));
    return copy;
}

// The triangles of a set as often as `times` says, the first as they are, others in any direction.
static inline void repeatTriangles(meshSet* set, wkRng* rng, const int32_t* times, bool areBacks)
{
    int32_t count = 0, to = 0;
    for (int32_t i = 0; i < set->triangleCount; ++i) {
        count += times[i];
    }
    meshSet more = makeSet(set->vertexCount, count);
    memcpy(more.vertices, set->vertices, (size_t)set->vertexCount * sizeof(wkVec3d));
    for (int32_t i = 0; i < set->triangleCount; ++i) {
        for (int32_t k = 0; k < times[i]; ++k, ++to) {
            memcpy(more.triangles + 3 * to, set->triangles + 3 * i, 3 * sizeof(int32_t));
            if (k > 0 && (areBacks || wkRngChance(rng, 2))) {
                flipTriangle(more.triangles + 3 * to);
            }
        }
    }
    freeSet(set);
    *set = more;
}

// Whether a vertex of one piece is inside other pieces, or outside of all.
static inline bool isEntangled(const body* b, int32_t piece)
{
    meshSet own = b->set, rest = copySet(&b->set);
    int32_t first = b->starts[piece], end = b->starts[piece + 1];
    own.triangles += 3 * first;
    own.triangleCount = end - first;
    memmove(rest.triangles + 3 * first, rest.triangles + 3 * end,
            (size_t)(rest.triangleCount - end) * 3 * sizeof(int32_t));
    rest.triangleCount -= end - first;
    bool isFree = false, isAround = false;
    for (int32_t i = 0; i < 3 * own.triangleCount && !isFree; ++i) {
        isFree = windingBySum(&rest, own.vertices[own.triangles[i]]) < 0.5;
    }
    for (int32_t i = 0; i < rest.triangleCount && !isAround; ++i) {
        isAround = fabs(windingBySum(&own, rest.vertices[rest.triangles[3 * i]])) > 0.5;
    }
    freeSet(&rest);
    return !isFree || isAround;
}

// Pieces that are inside out. What is nested in others or around them would be a cavity then.
static inline void reversePieces(brokenBody* broken, wkRng* rng)
{
    for (int32_t i = 0; i < broken->whole.pieceCount; ++i) {
        if (wkRngChance(rng, 2) && !isEntangled(&broken->whole, i)) {
            for (int32_t k = broken->whole.starts[i]; k < broken->whole.starts[i + 1]; ++k) {
                flipTriangle(broken->set.triangles + 3 * k);
            }
        }
    }
}

// Missing triangles that share no vertices, so that holes are no wider than a triangle.
static inline void punchHoles(brokenBody* broken, wkRng* rng)
{
    meshSet* set = &broken->set;
    bool* isUsed = calloc((size_t)set->vertexCount, sizeof *isUsed);
    int32_t oneIn = 3 + wkRngBelow(rng, 40), count = 0;
    for (int32_t i = 0; i < set->triangleCount; ++i) {
        int32_t* t = set->triangles + 3 * i;
        bool isMissing = wkRngChance(rng, oneIn);
        for (int k = 0; k < 3 && isMissing; ++k) {
            for (int32_t v = 0; v < set->vertexCount; ++v) {
                bool isSame = wkLength(wkSub(set->vertices[v], set->vertices[t[k]])) < 1e-9;
                isMissing &= !(isSame && isUsed[v]);
            }
        }
        if (!isMissing) {
            memmove(set->triangles + 3 * count++, t, 3 * sizeof(int32_t));
            continue;
        }
        for (int k = 0; k < 3; ++k) {
            isUsed[t[k]] = true;
        }
    }
    set->triangleCount = count;
    free(isUsed);
}

static inline void splitVertices(brokenBody* broken, wkRng* rng, double jitter)
{
    meshSet set = makeSet(3 * broken->set.triangleCount, broken->set.triangleCount);
    for (int32_t i = 0; i < set.vertexCount; ++i) {
        wkVec3d v = broken->set.vertices[broken->set.triangles[i]];
        set.vertices[i] = wkAdd(v, drawShift(rng, jitter));
        set.triangles[i] = i;
    }
    broken->margin += 2.0 * jitter;
    freeSet(&broken->set);
    broken->set = set;
}

// Halves some triangles at an edge, the neighbour not.
static inline void addJunctions(brokenBody* broken, wkRng* rng)
{
    meshSet* set = &broken->set;
    int32_t oneIn = 2 + wkRngBelow(rng, 20);
    meshSet more = makeSet(set->vertexCount + set->triangleCount, 2 * set->triangleCount);
    int32_t vertexCount = set->vertexCount, count = 0, piece = 0;
    memcpy(more.vertices, set->vertices, (size_t)set->vertexCount * sizeof(wkVec3d));
    for (int32_t i = 0; i < set->triangleCount; ++i) {
        const int32_t* t = set->triangles + 3 * i;
        if (i == broken->whole.starts[piece]) {
            broken->starts[piece++] = count;
        }
        if (!wkRngChance(rng, oneIn)) {
            setTriangle(&more, count++, t[0], t[1], t[2]);
            continue;
        }
        more.vertices[vertexCount] = wkMiddle(set->vertices[t[0]], set->vertices[t[1]]);
        setTriangle(&more, count++, t[0], vertexCount, t[2]);
        setTriangle(&more, count++, vertexCount++, t[1], t[2]);
    }
    broken->starts[piece] = count;
    more.vertexCount = vertexCount;
    more.triangleCount = count;
    freeSet(set);
    *set = more;
}

// Vertices without triangles far away, and triangles without area.
static inline void addLitter(meshSet* set, wkRng* rng, bool areStray, bool areFlat)
{
    int32_t strayCount = areStray ? 5 : 0, flatCount = areFlat ? 10 : 0;
    meshSet more = makeSet(set->vertexCount + strayCount, set->triangleCount + flatCount);
    memcpy(more.vertices, set->vertices, (size_t)set->vertexCount * sizeof(wkVec3d));
    memcpy(more.triangles, set->triangles, (size_t)set->triangleCount * 3 * sizeof(int32_t));
    for (int32_t i = 0; i < strayCount; ++i) {
        more.vertices[set->vertexCount + i] = wkScale(100.0, wkRngDirection(rng));
    }
    for (int32_t i = 0; i < flatCount; ++i) {
        const int32_t* t = set->triangles + 3 * wkRngBelow(rng, set->triangleCount);
        setTriangle(&more, set->triangleCount + i, t[0], t[1], t[wkRngBelow(rng, 2)]);
    }
    freeSet(set);
    *set = more;
}

static inline void shuffleTriangles(meshSet* set, wkRng* rng)
{
    for (int32_t i = set->triangleCount - 1; i > 0; --i) {
        int32_t other = wkRngBelow(rng, i + 1), kept[3];
        memcpy(kept, set->triangles + 3 * i, sizeof kept);
        memcpy(set->triangles + 3 * i, set->triangles + 3 * other, sizeof kept);
        memcpy(set->triangles + 3 * other, kept, sizeof kept);
    }
}

static inline void copyTriangles(brokenBody* broken, wkRng* rng)
{
    int32_t count = broken->set.triangleCount, oneIn = 1 + wkRngBelow(rng, 10);
    int32_t* times = calloc((size_t)count, sizeof *times);
    for (int32_t i = 0; i < count; ++i) {
        times[i] = wkRngChance(rng, oneIn) ? 2 + wkRngBelow(rng, 2) : 1;
    }
    repeatTriangles(&broken->set, rng, times, false);
    free(times);
}

static inline void doublePieces(brokenBody* broken, wkRng* rng)
{
    int32_t* times = calloc((size_t)broken->set.triangleCount, sizeof *times);
    for (int32_t i = 0; i < broken->whole.pieceCount; ++i) {
        int32_t twice = wkRngChance(rng, 2) ? 2 : 1;
        for (int32_t k = broken->starts[i]; k < broken->starts[i + 1]; ++k) {
            times[k] = twice;
        }
    }
    repeatTriangles(&broken->set, rng, times, true);
    free(times);
}

static inline brokenBody breakBody(wkRng* rng, body whole, unsigned damages)
{
    brokenBody broken = {.whole = whole, .set = copySet(&whole.set), .damages = damages};
    memcpy(broken.starts, whole.starts, sizeof broken.starts);
    if (damages & damageReversed) {
        reversePieces(&broken, rng);
    }
    if (damages & damageJunctions) {
        addJunctions(&broken, rng);
    }
    if (damages & damageDoubled) {
        doublePieces(&broken, rng);
    }
    if (damages & damageHoles) {
        punchHoles(&broken, rng);
    }
    if (damages & damageCopies) {
        copyTriangles(&broken, rng);
    }
    int32_t flipOneIn = damages & damageFlips ? 4 + wkRngBelow(rng, 30) : 0;
    for (int32_t i = 0; i < broken.set.triangleCount; ++i) {
        if ((damages & damageInverted) != 0) {
            flipTriangle(broken.set.triangles + 3 * i);
        }
        if (flipOneIn > 0 && wkRngChance(rng, flipOneIn)) {
            flipTriangle(broken.set.triangles + 3 * i);
        }
    }
    if (damages & (damageSplits | damageJitter)) {
        double jitter = damages & damageJitter ? wkRngLogRange(rng, 1e-8, 1e-3) : 0.0;
        splitVertices(&broken, rng, jitter);
    }
    addLitter(&broken.set, rng, (damages & damageStray) != 0, (damages & damageFlat) != 0);
    shuffleTriangles(&broken.set, rng);
    return broken;
}

static inline void freeBroken(brokenBody* broken)
{
    freeSet(&broken->whole.set);
    freeSet(&broken->set);
}
