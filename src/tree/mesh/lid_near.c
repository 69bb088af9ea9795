// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Finds near vertices by a lattice of cells as wide as the tolerance: vertices near another are in its cell
// or in one of the 26 around it. Vertices are processed in the order of their indices; one with no other
// near it represents those that come later.

#include "tree/mesh/lid_near.h"

#include "base/memory.h"
#include "math/vec.h"

#include <string.h>

// Squares of smaller lengths may underflow: then no vertices are near.
#define MIN_TOLERANCE 1e-140

// Representative vertices, by cell.
typedef struct lattice {
    const wkVec3d* vertices;
    wkVec3d origin;
    double tolerance;
    int32_t* heads; // first vertex of each slot; -1: none
    int32_t* nexts; // next one in the same slot, by vertex
    uint64_t mask;  // number of slots, minus one
} lattice;

static void cellOf(const lattice* l, wkVec3d position, int64_t cell[3])
{
    wkVec3d at = wkScale(1.0 / l->tolerance, wkSub(position, l->origin));
    cell[0] = (int64_t)floor(at.x);
    cell[1] = (int64_t)floor(at.y);
    cell[2] = (int64_t)floor(at.z);
}

static uint64_t slotOf(const lattice* l, int64_t x, int64_t y, int64_t z)
{
    uint64_t bits = (uint64_t)x * 0x9e3779b97f4a7c15u ^ (uint64_t)y * 0xc2b2ae3d27d4eb4fu ^
                    (uint64_t)z * 0x165667b19e3779f9u;
    return (bits ^ bits >> 31) & l->mask;
}

// The nearest representative within the tolerance, the first one of equals; -1: none.
static int32_t findNear(const lattice* l, wkVec3d position)
{
    int64_t cell[3];
    cellOf(l, position, cell);
    int32_t best = -1;
    double least = l->tolerance * l->tolerance;
    for (int i = 0; i < 27; ++i) {
        uint64_t slot =
            slotOf(l, cell[0] + i % 3 - 1, cell[1] + i / 3 % 3 - 1, cell[2] + i / 9 - 1);
        for (int32_t k = l->heads[slot]; k >= 0; k = l->nexts[k]) {
            double square = wkLengthSquared(wkSub(l->vertices[k], position));
            if (square < least || (square == least && best >= 0 && k < best)) {
                least = square;
                best = k;
            }
        }
    }
    return best;
}

static void addVertex(lattice* l, int32_t vertex)
{
    int64_t cell[3];
    cellOf(l, l->vertices[vertex], cell);
    uint64_t slot = slotOf(l, cell[0], cell[1], cell[2]);
    l->nexts[vertex] = l->heads[slot];
    l->heads[slot] = vertex;
}

bool wkFindNearVertices(const wkMeshDef* def, int32_t count, double tolerance, int32_t* near,
                        bool* areNear)
{
    *areNear = false;
    if (count == 0 || !(tolerance > MIN_TOLERANCE)) {
        for (int32_t i = 0; i < def->vertexCount; ++i) {
            near[i] = i;
        }
        return true;
    }
    size_t slotCount = 16;
    while (slotCount < 2 * (size_t)count) {
        slotCount *= 2;
    }
    size_t byteCount = (slotCount + (size_t)def->vertexCount) * sizeof(int32_t);
    int32_t* memory = wkAlloc(byteCount);
    if (memory == NULL) {
        return false;
    }
    lattice l = {.vertices = def->vertices,
                 .tolerance = tolerance,
                 .heads = memory,
                 .nexts = memory + slotCount,
                 .mask = slotCount - 1};
    memset(l.heads, 0xff, slotCount * sizeof *l.heads);
    bool isFirst = true;
    for (int32_t i = 0; i < def->vertexCount; ++i) {
        if (near[i] < 0) {
            l.origin = isFirst ? def->vertices[i] : l.origin;
            isFirst = false;
            int32_t found = findNear(&l, def->vertices[i]);
            near[i] = found >= 0 ? found : i;
            *areNear |= found >= 0;
            if (found < 0) {
                addVertex(&l, i);
            }
        }
    }
    wkFree(memory, byteCount);
    return true;
}
