// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The surface of a solid: the caller's triangles, and lids behind them.

#include "tree/mesh_close.h"

#include "base/error.h"
#include "base/memory.h"
#include "tree/crossing.h"
#include "tree/lid_backs.h"
#include "tree/lids.h"

#include <string.h>

// Triangles of a solid that are there from both sides: their backs are taken out of the surface that
// lids close, and get lids of their own, which are their fronts again.
typedef struct oneSided {
    wkMeshDef def; // without the backs
    int32_t* triangles;
    int32_t* backs;
    int32_t backCount;
    size_t byteCount; // of both arrays
} oneSided;

// @return false when there is no memory
static bool takeBacksOut(const wkMeshDef* given, const int32_t* firsts, wkBackRule rule,
                         oneSided* one)
{
    size_t count = (size_t)given->triangleCount;
    *one = (oneSided){.def = *given, .byteCount = (5 * count + 1) * sizeof(int32_t)};
    one->triangles = wkAlloc(one->byteCount);
    if (one->triangles == NULL) {
        return false;
    }
    one->backs = one->triangles + 3 * count;
    one->backCount =
        rule == wk_backsAll
            ? wkFindBacks(given, firsts, one->backs)
            : wkFindDoubledPieces(given, firsts, rule == wk_backsOfPiecesInverted, one->backs);
    if (one->backCount < 0) {
        return false;
    }
    size_t kept = 0, back = 0;
    for (size_t i = 0; i < count; ++i) {
        if (back < (size_t)one->backCount && (size_t)one->backs[back] == i) {
            ++back;
        } else {
            memcpy(one->triangles + 3 * kept++, given->triangles + 3 * i, 3 * sizeof(int32_t));
        }
    }
    one->def.triangles = one->triangles;
    one->def.triangleCount = (int32_t)kept;
    return true;
}

static wkResult noMemory(const wkMeshDef* given)
{
    return wkFail(wk_errorMemory, "mesh: no memory for %d triangles", (int)given->triangleCount);
}

static wkResult joinLids(const wkMeshDef* given, const oneSided* one, const wkLids* lids,
                         wkClosedSurface* closed)
{
    int64_t lidCount = (int64_t)one->backCount + lids->count;
    int64_t count = given->triangleCount + lidCount;
    if (count > WK_TREE_MAX_ITEMS) {
        return wkFail(wk_errorRange, "mesh: %d triangles and %lld to close the solid, at most %d",
                      (int)given->triangleCount, (long long)lidCount, WK_TREE_MAX_ITEMS);
    }
    size_t givenCount = (size_t)given->triangleCount;
    closed->byteCount = ((size_t)count + 1) * 3 * sizeof(int32_t);
    closed->triangles = wkAlloc(closed->byteCount);
    if (closed->triangles == NULL) {
        return noMemory(given);
    }
    memcpy(closed->triangles, given->triangles, givenCount * 3 * sizeof(int32_t));
    int32_t* end = closed->triangles + 3 * givenCount;
    for (int32_t i = 0; i < one->backCount; ++i, end += 3) {
        const int32_t* back = given->triangles + 3 * (size_t)one->backs[i];
        end[0] = back[2];
        end[1] = back[1];
        end[2] = back[0];
    }
    memcpy(end, lids->triangles, (size_t)lids->count * 3 * sizeof(int32_t));
    closed->givenCount = given->triangleCount;
    closed->count = (int32_t)count;
    closed->loopCount = lids->loopCount;
    return wk_ok;
}

wkResult wkCloseSurface(const wkMeshDef* given, const int32_t* firsts, double tolerance,
                        wkBackRule rule, wkClosedSurface* closed)
{
    memset(closed, 0, sizeof *closed);
    oneSided one;
    wkLids lids = {NULL, 0, 0, 0};
    wkResult result = takeBacksOut(given, firsts, rule, &one) ? wk_ok : noMemory(given);
    bool isAsItWas = rule != wk_backsAll && one.backCount == 0;
    if (result == wk_ok && !isAsItWas) {
        bool hasMemory = wkMakeLids(&one.def, firsts, tolerance, &lids);
        result = hasMemory ? joinLids(given, &one, &lids, closed) : noMemory(given);
    }
    wkFreeLids(&lids);
    wkFree(one.triangles, one.byteCount);
    return result;
}

void wkFreeClosedSurface(wkClosedSurface* closed)
{
    wkFree(closed->triangles, closed->byteCount);
    memset(closed, 0, sizeof *closed);
}

// Whether three vertices are on one line, without rounding.
static bool areInLine(const wkVec3d* vertices, const int32_t corners[3])
{
    double places[3][3];
    for (int i = 0; i < 3; ++i) {
        wkVec3d vertex = vertices[corners[i]];
        places[i][0] = vertex.x;
        places[i][1] = vertex.y;
        places[i][2] = vertex.z;
    }
    const double *a = places[0], *b = places[1], *c = places[2];
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
