// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Tries several orientations of the triangles of a solid, and keeps the one that loses least.

#include "tree/mesh/lid_attempt.h"

#include "base/error.h"
#include "base/memory.h"
#include "tree/bvh/tree.h"
#include "tree/mesh/lid_shells.h"
#include "tree/mesh/lids.h"

#include <string.h>

// The surface that is being closed.
typedef struct surface {
    const wkMeshDef* given;
    const int32_t* firsts;
    const int32_t* ids;
    wkFacets* facets;
} surface;

void wkFreeAttempt(wkAttempt* a)
{
    wkFree(a->chain.triangles, a->byteCount);
    memset(a, 0, sizeof *a);
}

static wkResult noMemory(const surface* s)
{
    return wkFail(wk_errorMemory, "mesh: no memory for %d triangles", (int)s->given->triangleCount);
}

// Marks the triangles that an orientation changed.
static void markChanged(const int8_t* weights, int32_t count, bool* isChanged)
{
    for (int32_t i = 0; i < count; ++i) {
        isChanged[i] |= weights[i] != 1;
    }
}

static bool areAllOnce(const int8_t* weights, int32_t count)
{
    for (int32_t i = 0; i < count; ++i) {
        if (weights[i] != 1) {
            return false;
        }
    }
    return true;
}

// Joins triangles and lids to a chain, and flips its pieces.
static wkResult makeChain(const surface* s, const wkOrientation* by, const wkLids* lids,
                          wkAttempt* a)
{
    size_t given = (size_t)s->given->triangleCount, lidCount = (size_t)lids->count;
    size_t count = given + lidCount;
    if (count > WK_TREE_MAX_ITEMS) {
        return wkFail(wk_errorRange, "mesh: %d triangles and %d to close the solid, at most %d",
                      (int)given, (int)lidCount, WK_TREE_MAX_ITEMS);
    }
    a->byteCount = (count + 1) * (3 * sizeof(int32_t) + sizeof(int8_t)) + 2 * given * sizeof(bool);
    int32_t* triangles = wkAlloc(a->byteCount);
    if (triangles == NULL) {
        return noMemory(s);
    }
    a->chain = (wkClosedChain){.def = s->given,
                               .firsts = s->firsts,
                               .triangles = triangles,
                               .weights = (int8_t*)(triangles + 3 * count),
                               .givenCount = (int32_t)given,
                               .count = (int32_t)count};
    memcpy(triangles, s->given->triangles, 3 * given * sizeof(int32_t));
    memcpy(a->chain.weights, by->weights, given);
    if (lidCount > 0) {
        memcpy(triangles + 3 * given, lids->triangles, 3 * lidCount * sizeof(int32_t));
        memset(a->chain.weights + given, 1, lidCount);
    }
    a->loopCount = lids->loopCount;
    a->report.isHollow = (bool*)(a->chain.weights + count);
    a->report.isChanged = a->report.isHollow + given;
    a->report.isNeeded = by->isNeeded;
    return wkFlipPieces(&a->chain, by, &a->report) ? wk_ok : noMemory(s);
}

// Closes the surface with its triangles oriented by `by`.
static wkResult closeOriented(const surface* s, const wkOrientation* by, wkAttempt* a)
{
    wkLids lids = {NULL, 0, 0, 0};
    memset(a, 0, sizeof *a);
    bool hasMemory = wkMakeLids(s->given, s->firsts, by->weights, s->ids, &lids);
    if (hasMemory && !areAllOnce(by->weights, s->given->triangleCount)) {
        hasMemory = wkCountLoops(s->given, s->firsts, &lids.loopCount);
    }
    wkResult result = hasMemory ? makeChain(s, by, &lids, a) : noMemory(s);
    wkFreeLids(&lids);
    return result;
}

static wkResult orientAndClose(const surface* s, wkOrientation* by, wkAttempt* a)
{
    bool hasMemory = wkOrientTriangles(s->given, s->firsts, s->facets, by);
    return hasMemory ? closeOriented(s, by, a) : noMemory(s);
}

// Keeps the attempt that lost less, the first one of equals; frees the other.
static wkResult keepBetter(const surface* s, wkAttempt* kept, wkAttempt* other)
{
    int64_t count = 0, otherCount = 0;
    bool hasMemory =
        wkCountInside(&kept->chain, &count) && wkCountInside(&other->chain, &otherCount);
    if (hasMemory && otherCount > count) {
        wkAttempt worse = *kept;
        *kept = *other;
        *other = worse;
    }
    wkFreeAttempt(other);
    return hasMemory ? wk_ok : noMemory(s);
}

// Whether the directions of an attempt leave nothing to choose: two facets meet at each edge, so that neighbours
// belong to one piece, and no lid was needed.
static bool isSettled(const surface* s, const wkAttempt* a)
{
    for (int32_t i = 0; i < s->facets->edgeCount; ++i) {
        if (s->facets->edges[i].count != 2) {
            return false;
        }
    }
    return a->chain.count == a->chain.givenCount;
}

// Tries it with directions by the regions that facets separate.
static wkResult tryShells(const surface* s, wkOrientation* by, wkAttempt* a)
{
    wkAttempt other = {.loopCount = 0};
    bool isDifferent;
    if (!wkOrientByShells(s->given, s->firsts, s->facets, by, &isDifferent)) {
        return noMemory(s);
    }
    if (!isDifferent) {
        return wk_ok;
    }
    wkResult result = closeOriented(s, by, &other);
    result = result == wk_ok ? keepBetter(s, a, &other) : result;
    wkFreeAttempt(&other);
    return result;
}

// Tries it with walls unchanged, with those walls oriented that are not inside, by the regions that facets
// separate, and with all triangles unchanged: where pieces touch each other, neighbours may belong to different
// pieces.
// @param isChanged for each triangle: whether the vote of its patch changed it
static wkResult tryOrientations(const surface* s, wkOrientation* by, bool* isChanged, wkAttempt* a)
{
    int32_t triangleCount = s->given->triangleCount;
    size_t count = (size_t)triangleCount;
    wkAttempt other = {.loopCount = 0};
    memset(by->isNeeded, 0, count);
    wkResult result = orientAndClose(s, by, a);
    bool areOnce = areAllOnce(by->weights, triangleCount);
    markChanged(by->weights, triangleCount, isChanged);
    if (result == wk_ok && a->report.areNeeded) {
        result = orientAndClose(s, by, &other);
        areOnce = areOnce && areAllOnce(by->weights, triangleCount);
        markChanged(by->weights, triangleCount, isChanged);
        result = result == wk_ok ? keepBetter(s, a, &other) : result;
    }
    bool isOpen = !areOnce && !isSettled(s, a);
    if (result == wk_ok && isOpen) {
        result = tryShells(s, by, a);
    }
    if (result == wk_ok && isOpen) {
        memset(by->weights, 1, count);
        memset(by->isTwoSided, 0, count);
        memset(by->isWall, 0, count);
        wkFreeAttempt(&other);
        result = closeOriented(s, by, &other);
        result = result == wk_ok ? keepBetter(s, a, &other) : result;
    }
    wkFreeAttempt(&other);
    return result;
}

wkResult wkTryToClose(const wkMeshDef* given, const int32_t* firsts, const int32_t* ids,
                      wkFacets* facets, wkAttempt* attempt)
{
    surface s = {given, firsts, ids, facets};
    size_t count = (size_t)given->triangleCount, byteCount = 5 * count + 1;
    int8_t* weights = wkAlloc(byteCount);
    memset(attempt, 0, sizeof *attempt);
    if (weights == NULL) {
        return noMemory(&s);
    }
    bool* flags = (bool*)(weights + count);
    wkOrientation by = {weights, flags, flags + count, flags + 2 * count};
    bool* isChanged = flags + 3 * count;
    memset(isChanged, 0, count);
    wkResult result = tryOrientations(&s, &by, isChanged, attempt);
    if (result == wk_ok) {
        memcpy(attempt->report.isChanged, isChanged, count);
    }
    attempt->report.isNeeded = NULL;
    wkFree(weights, byteCount);
    return result;
}
