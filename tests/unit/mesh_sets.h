// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Triangles for tests of meshes: ordinary, degenerate, hostile. One row per set.

#include "math/vec.h"
#include "scenes/rng.h"
#include "whisker/mesh.h"

#include <stdlib.h>

typedef struct meshSet {
    wkVec3d* vertices;
    int32_t* triangles;
    int32_t vertexCount;
    int32_t triangleCount;
} meshSet;

static inline meshSet makeSet(int32_t vertexCount, int32_t triangleCount)
{
    meshSet set = {(wkVec3d*)calloc((size_t)vertexCount + 1, sizeof(wkVec3d)),
                   (int32_t*)calloc((size_t)triangleCount + 1, 3 * sizeof(int32_t)), vertexCount,
                   triangleCount};
    return set;
}

static inline void freeSet(meshSet* set)
{
    free(set->vertices);
    free(set->triangles);
}

static inline void setTriangle(meshSet* set, int32_t index, int32_t a, int32_t b, int32_t c)
{
    set->triangles[3 * index] = a;
    set->triangles[3 * index + 1] = b;
    set->triangles[3 * index + 2] = c;
}

// Turns all triangles round.
static inline void flipSet(meshSet* set)
{
    for (int32_t i = 0; i < set->triangleCount; ++i) {
        int32_t kept = set->triangles[3 * i];
        set->triangles[3 * i] = set->triangles[3 * i + 1];
        set->triangles[3 * i + 1] = kept;
    }
}

// A closed sphere of `steps` rings; bumps stand out by `bump` of its radius.
static inline meshSet solidSphereSet(int32_t steps, double bump)
{
    meshSet set = makeSet(2 + (steps - 1) * steps, 2 * steps * (steps - 1));
    int32_t south = 1 + (steps - 1) * steps, count = 0;
    set.vertices[0] = wkVec(0.0, 0.0, 1.0);
    set.vertices[south] = wkVec(0.0, 0.0, -1.0);
    for (int32_t ring = 1; ring < steps; ++ring) {
        for (int32_t k = 0; k < steps; ++k) {
            double down = 3.14159265358979 * ring / steps, around = 6.28318530717959 * k / steps;
            double radius = 1.0 + bump * sin(5.0 * down) * cos(3.0 * around);
            wkVec3d way = wkVec(sin(down) * cos(around), sin(down) * sin(around), cos(down));
            set.vertices[1 + (ring - 1) * steps + k] = wkScale(radius, way);
            int32_t a = 1 + (ring - 1) * steps + k, b = 1 + (ring - 1) * steps + (k + 1) % steps;
            if (ring == 1) {
                setTriangle(&set, count++, 0, a, b);
            }
            if (ring == steps - 1) {
                setTriangle(&set, count++, a, south, b);
            } else {
                setTriangle(&set, count++, a, a + steps, b);
                setTriangle(&set, count++, b, a + steps, b + steps);
            }
        }
    }
    return set;
}

static inline meshSet ordinarySet(int32_t size)
{
    return solidSphereSet(size, 0.2);
}

static inline meshSet emptySet(int32_t size)
{
    (void)size;
    return makeSet(0, 0);
}

static inline meshSet oneTriangleSet(int32_t size)
{
    (void)size;
    meshSet set = makeSet(3, 1);
    set.vertices[1] = wkVec(1.0, 0.1, 0.0);
    set.vertices[2] = wkVec(0.0, 1.0, 0.3);
    setTriangle(&set, 0, 0, 1, 2);
    return set;
}

// Triangles of random size that share nothing.
static inline meshSet soupSet(int32_t size)
{
    meshSet set = makeSet(3 * size * size, size * size);
    wkRng rng = wkMakeRng(7u + (uint64_t)size);
    for (int32_t i = 0; i < set.triangleCount; ++i) {
        wkVec3d center = wkScale(10.0, wkRngDirection(&rng));
        double extent = wkRngLogRange(&rng, 1e-4, 5.0);
        for (int32_t k = 0; k < 3; ++k) {
            set.vertices[3 * i + k] = wkMulAdd(center, extent, wkRngDirection(&rng));
        }
        setTriangle(&set, i, 3 * i, 3 * i + 1, 3 * i + 2);
    }
    return set;
}

static inline meshSet identicalSet(int32_t size)
{
    meshSet set = makeSet(3, size * size);
    set.vertices[1] = wkVec(1.0, 0.1, 0.0);
    set.vertices[2] = wkVec(0.0, 1.0, 0.3);
    for (int32_t i = 0; i < set.triangleCount; ++i) {
        setTriangle(&set, i, 0, 1, 2);
    }
    return set;
}

// All in one plane, or with `isLine` all on one line.
static inline meshSet flatSet(int32_t size, bool isLine)
{
    meshSet set = makeSet((size + 1) * (size + 1), 2 * size * size);
    for (int32_t i = 0; i < set.vertexCount; ++i) {
        double x = i % (size + 1), y = isLine ? 0.0 : (double)(i / (size + 1));
        set.vertices[i] = wkVec(0.1 * x, 0.1 * y, 0.25);
    }
    for (int32_t i = 0; i < size * size; ++i) {
        int32_t a = i / size * (size + 1) + i % size;
        setTriangle(&set, 2 * i, a, a + 1, a + size + 1);
        setTriangle(&set, 2 * i + 1, a + 1, a + size + 2, a + size + 1);
    }
    return set;
}

static inline meshSet planeSet(int32_t size)
{
    return flatSet(size, false);
}

static inline meshSet lineSet(int32_t size)
{
    return flatSet(size, true);
}

// Each ten times as large and as far as the one before: the deepest hierarchies.
static inline meshSet growingSet(int32_t size)
{
    int32_t count = size * size < 700 ? size * size : 700;
    meshSet set = makeSet(3 * count, count);
    for (int32_t i = 0; i < count; ++i) {
        double scale = 1e-15 * pow(1.1, i);
        set.vertices[3 * i] = wkVec(scale, 0.0, 0.0);
        set.vertices[3 * i + 1] = wkVec(1.1 * scale, 0.05 * scale, 0.0);
        set.vertices[3 * i + 2] = wkVec(scale, 0.0, 0.05 * scale);
        setTriangle(&set, i, 3 * i, 3 * i + 1, 3 * i + 2);
    }
    return set;
}

// As far away as is allowed.
static inline meshSet farSet(int32_t size)
{
    meshSet set = soupSet(size);
    for (int32_t i = 0; i < set.vertexCount; ++i) {
        set.vertices[i] = wkScale(6e13, set.vertices[i]);
    }
    return set;
}

typedef struct meshSetRow {
    const char* name;
    meshSet (*make)(int32_t size);
} meshSetRow;

static const meshSetRow meshSets[] = {
    {"empty", emptySet}, {"one triangle", oneTriangleSet}, {"ordinary", ordinarySet},
    {"soup", soupSet},   {"identical", identicalSet},      {"plane", planeSet},
    {"line", lineSet},   {"growing", growingSet},          {"far", farSet},
};

#define MESH_SET_COUNT ((int)(sizeof meshSets / sizeof *meshSets))

static inline wkMeshDef defOfSet(const meshSet* set)
{
    wkMeshDef def = wkDefaultMeshDef();
    def.isSolid = false;
    def.vertices = set->vertices;
    def.vertexCount = set->vertexCount;
    def.triangles = set->triangles;
    def.triangleCount = set->triangleCount;
    return def;
}
