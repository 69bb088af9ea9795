// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Pairs of triangles with the same vertices and opposite directions, by sorting, and the pieces of a
// surface that consist of such pairs.

#include "tree/lid_backs.h"

#include "base/memory.h"
#include "base/sort.h"
#include "math/vec.h"

#include <string.h>

// The vertices of a triangle in ascending order.
// @return whether they are passed in that direction
static bool sortVertices(const wkMeshDef* def, const int32_t* firsts, int64_t triangle,
                         int32_t sorted[3])
{
    const int32_t* corners = def->triangles + 3 * triangle;
    int32_t a = firsts[corners[0]], b = firsts[corners[1]], c = firsts[corners[2]];
    int32_t low = a < b ? a : b, high = a < b ? b : a;
    sorted[0] = c < low ? c : low;
    sorted[2] = c > high ? c : high;
    sorted[1] = c < low ? low : c > high ? high : c;
    // the second one follows the first in one of the two directions
    return (a == sorted[0] && b == sorted[1]) || (b == sorted[0] && c == sorted[1]) ||
           (c == sorted[0] && a == sorted[1]);
}

static uint64_t mixVertices(const int32_t sorted[3])
{
    uint64_t bits = (uint64_t)sorted[0] * 0x9e3779b97f4a7c15u;
    bits = (bits ^ bits >> 29 ^ (uint64_t)sorted[1]) * 0xbf58476d1ce4e5b9u;
    bits = (bits ^ bits >> 32 ^ (uint64_t)sorted[2]) * 0x94d049bb133111ebu;
    return bits ^ bits >> 31;
}

// Marks the triangles of one key that are another one the other way round. Others that have the key by
// chance are left alone.
static void markBacks(const wkMeshDef* def, const int32_t* firsts, const wkSortKey* keys,
                      int32_t count, int32_t* isBack)
{
    int32_t first[3];
    sortVertices(def, firsts, keys[0].value, first);
    int32_t openCount = 0; // triangles without their opposite so far, all in one direction
    bool isOpenForward = false;
    for (int32_t i = 0; i < count; ++i) {
        int32_t sorted[3];
        bool isForward = sortVertices(def, firsts, keys[i].value, sorted);
        bool isFlat = sorted[0] == sorted[1] || sorted[1] == sorted[2];
        if (isFlat || memcmp(first, sorted, sizeof first) != 0) {
            continue;
        }
        if (openCount > 0 && isForward != isOpenForward) {
            isBack[keys[i].value] = 1;
            --openCount;
        } else {
            isOpenForward = isForward;
            ++openCount;
        }
    }
}

int32_t wkFindBacks(const wkMeshDef* def, const int32_t* firsts, int32_t* backs)
{
    int32_t count = def->triangleCount;
    size_t byteCount = 2 * ((size_t)count + 1) * sizeof(wkSortKey);
    wkSortKey* keys = wkAlloc(byteCount);
    if (keys == NULL) {
        return -1;
    }
    for (int32_t i = 0; i < count; ++i) {
        int32_t sorted[3];
        sortVertices(def, firsts, i, sorted);
        keys[i] = (wkSortKey){mixVertices(sorted), i};
        backs[i] = 0;
    }
    wkSortKeys(keys, keys + count, count);
    for (int32_t i = 0, end; i < count; i = end) {
        for (end = i + 1; end < count && keys[end].key == keys[i].key; ++end) {
        }
        if (end - i > 1) {
            markBacks(def, firsts, keys + i, end - i, backs);
        }
    }
    wkFree(keys, byteCount);
    int32_t backCount = 0;
    for (int32_t i = 0; i < count; ++i) {
        if (backs[i] != 0) {
            backs[backCount++] = i;
        }
    }
    return backCount;
}

// What is known about a connected piece of a surface, at the vertex that stands for it.
typedef struct piece {
    int32_t parent;    // a vertex of the same piece, itself where it stands for it
    int32_t keptCount; // triangles that are no backs
    int32_t backCount;
    double volume; // of those that are no backs
    uint64_t sum;  // of numbers of their edges, 0 when they are a closed surface
} piece;

static int32_t findPiece(piece* pieces, int32_t vertex)
{
    while (pieces[vertex].parent != vertex) {
        pieces[vertex].parent = pieces[pieces[vertex].parent].parent;
        vertex = pieces[vertex].parent;
    }
    return vertex;
}

// The number of an edge, that of the opposite direction with the other sign.
static uint64_t edgeNumber(int32_t from, int32_t to)
{
    int32_t ends[3] = {from < to ? from : to, from < to ? to : from, 0};
    uint64_t number = mixVertices(ends);
    return from < to ? number : 0u - number;
}

// The vertices of a triangle, each the first one at its place.
// @return false when two of them are one
static bool findCorners(const wkMeshDef* def, const int32_t* firsts, int32_t triangle,
                        int32_t corners[3])
{
    for (int k = 0; k < 3; ++k) {
        corners[k] = firsts[def->triangles[3 * (size_t)triangle + (size_t)k]];
    }
    return corners[0] != corners[1] && corners[1] != corners[2] && corners[2] != corners[0];
}

static void joinCorners(const wkMeshDef* def, const int32_t* firsts, piece* pieces)
{
    memset(pieces, 0, (size_t)def->vertexCount * sizeof *pieces);
    for (int32_t i = 0; i < def->vertexCount; ++i) {
        pieces[i].parent = i;
    }
    for (int32_t i = 0; i < def->triangleCount; ++i) {
        int32_t corners[3];
        if (findCorners(def, firsts, i, corners)) {
            int32_t root = findPiece(pieces, corners[0]);
            pieces[findPiece(pieces, corners[1])].parent = root;
            pieces[findPiece(pieces, corners[2])].parent = root;
        }
    }
}

static void addTriangle(const wkMeshDef* def, const int32_t corners[3], int32_t root, piece* of)
{
    wkVec3d origin = def->vertices[root], edges[3];
    for (int k = 0; k < 3; ++k) {
        edges[k] = wkSub(def->vertices[corners[k]], origin);
        of->sum += edgeNumber(corners[k], corners[(k + 1) % 3]);
    }
    of->volume += wkDot(edges[0], wkCross(edges[1], edges[2]));
    of->keptCount += 1;
}

// Keeps of the backs those of pieces that are closed surfaces twice, and turns those around that face
// the wrong way.
static int32_t keepDoubled(const wkMeshDef* def, const int32_t* firsts, bool isInverted,
                           piece* pieces, int32_t* backs, int32_t backCount)
{
    joinCorners(def, firsts, pieces);
    for (int32_t i = 0, back = 0; i < def->triangleCount; ++i) {
        int32_t corners[3];
        bool isBack = back < backCount && backs[back] == i;
        back += isBack;
        if (findCorners(def, firsts, i, corners)) {
            int32_t root = findPiece(pieces, corners[0]);
            if (isBack) {
                pieces[root].backCount += 1;
            } else {
                addTriangle(def, corners, root, &pieces[root]);
            }
        }
    }
    // as many are kept as were backs of the same piece, but in another order: a list of its own behind
    int32_t* list = backs + def->triangleCount;
    int32_t listCount = 0;
    for (int32_t i = 0, back = 0; i < def->triangleCount; ++i) {
        int32_t corners[3];
        bool isBack = back < backCount && backs[back] == i;
        back += isBack;
        if (findCorners(def, firsts, i, corners)) {
            const piece* of = &pieces[findPiece(pieces, corners[0])];
            bool isDoubled = of->keptCount == of->backCount && of->sum == 0 && of->volume != 0.0;
            bool isTurned = (of->volume < 0.0) != isInverted;
            if (isDoubled && isBack != isTurned) {
                list[listCount++] = i;
            }
        }
    }
    memcpy(backs, list, (size_t)listCount * sizeof *list);
    return listCount;
}

int32_t wkFindDoubledPieces(const wkMeshDef* def, const int32_t* firsts, bool isInverted,
                            int32_t* backs)
{
    int32_t backCount = wkFindBacks(def, firsts, backs);
    if (backCount <= 0) {
        return backCount;
    }
    size_t byteCount = (size_t)def->vertexCount * sizeof(piece);
    piece* pieces = wkAlloc(byteCount);
    if (pieces == NULL) {
        return -1;
    }
    backCount = keepDoubled(def, firsts, isInverted, pieces, backs, backCount);
    wkFree(pieces, byteCount);
    return backCount;
}
