// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Triangles that enclose something, and some that nearly do. One row per set.
// Those that are not watertight are closed by lids when they are made solid.

#include "mesh_sets.h"

#include <string.h>

// A cube from -1 to 1.
static inline meshSet cubeSet(int32_t size)
{
    static const int32_t faces[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                        {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
    (void)size;
    meshSet set = makeSet(8, 12);
    for (int32_t i = 0; i < 8; ++i) {
        set.vertices[i] = wkVec(i & 1 ? 1.0 : -1.0, i & 2 ? 1.0 : -1.0, i & 4 ? 1.0 : -1.0);
    }
    for (int32_t i = 0; i < 6; ++i) {
        const int32_t* f = faces[i];
        setTriangle(&set, 2 * i, f[0], f[1], f[2]);
        setTriangle(&set, 2 * i + 1, f[0], f[2], f[3]);
    }
    return set;
}

// The same cube with each face in squares: all edges are along axes or diagonals of squares.
static inline meshSet latticeSet(int32_t size)
{
    int32_t side = size + 1;
    meshSet set = makeSet(6 * side * side, 12 * size * size);
    for (int32_t face = 0, triangle = 0; face < 6; ++face) {
        int axis = face / 2;
        for (int32_t i = 0; i < side * side; ++i) {
            double* coordinates = &set.vertices[face * side * side + i].x;
            coordinates[axis] = face % 2 == 0 ? -1.0 : 1.0;
            coordinates[(axis + 1) % 3] = 2.0 * (i % side) / size - 1.0;
            coordinates[(axis + 2) % 3] = 2.0 * (i / side) / size - 1.0;
        }
        for (int32_t i = 0; i < size * size; ++i) {
            int32_t a = face * side * side + i / size * side + i % size, b = a + 1, c = a + side;
            bool isFront = face % 2 == 1;
            setTriangle(&set, triangle++, a, isFront ? b : c, isFront ? c : b);
            setTriangle(&set, triangle++, c + 1, isFront ? c : b, isFront ? b : c);
        }
    }
    return set;
}

static inline meshSet sphereSet(int32_t size)
{
    return solidSphereSet(size, 0.0);
}

// A closed tube around a curve that winds `p` times around the axis and `q` times through the hole
// of a torus: (1, 0) is a torus, (2, 3) a knot.
static inline meshSet tubeSet(int32_t around, int32_t along, int p, int q)
{
    meshSet set = makeSet(around * along, 2 * around * along);
    double turn = 6.28318530717958648;
    for (int32_t i = 0; i < along; ++i) {
        double t = turn * i / along, reach = 1.0 + (q > 0 ? 0.4 * cos(q * t) : 0.0);
        double up = q > 0 ? 0.4 * sin(q * t) : 0.0;
        wkVec3d center = wkVec(reach * cos(p * t), reach * sin(p * t), up);
        wkVec3d out = wkVec(cos(p * t), sin(p * t), 0.0);
        for (int32_t k = 0; k < around; ++k) {
            double s = turn * k / around, radius = q > 0 ? 0.15 : 0.35;
            wkVec3d way = wkAdd(wkScale(cos(s), out), wkVec(0.0, 0.0, sin(s)));
            set.vertices[i * around + k] = wkMulAdd(center, radius, way);
            int32_t a = i * around + k, b = i * around + (k + 1) % around;
            int32_t c = (i + 1) % along * around + k;
            int32_t d = (i + 1) % along * around + (k + 1) % around;
            setTriangle(&set, 2 * a, a, c, b);
            setTriangle(&set, 2 * a + 1, b, c, d);
        }
    }
    return set;
}

static inline meshSet torusSet(int32_t size)
{
    return tubeSet(size, 2 * size, 1, 0);
}

static inline meshSet knotSet(int32_t size)
{
    return tubeSet(size / 2, 8 * size, 2, 3);
}

// Both sets in one; frees them.
static inline meshSet joinSets(meshSet a, meshSet b)
{
    meshSet set = makeSet(a.vertexCount + b.vertexCount, a.triangleCount + b.triangleCount);
    memcpy(set.vertices, a.vertices, (size_t)a.vertexCount * sizeof(wkVec3d));
    memcpy(set.vertices + a.vertexCount, b.vertices, (size_t)b.vertexCount * sizeof(wkVec3d));
    memcpy(set.triangles, a.triangles, (size_t)a.triangleCount * 3 * sizeof(int32_t));
    for (int32_t i = 0; i < 3 * b.triangleCount; ++i) {
        set.triangles[3 * a.triangleCount + i] = b.triangles[i] + a.vertexCount;
    }
    freeSet(&a);
    freeSet(&b);
    return set;
}

static inline void moveSet(meshSet* set, double scale, wkVec3d way)
{
    for (int32_t i = 0; i < set->vertexCount; ++i) {
        set->vertices[i] = wkMulAdd(way, scale, set->vertices[i]);
    }
}

// A cavity inside a sphere.
static inline meshSet shellSet(int32_t size)
{
    meshSet inner = sphereSet(size);
    moveSet(&inner, 0.5, wkVec(0.1, 0.0, 0.0));
    flipSet(&inner);
    return joinSets(sphereSet(size), inner);
}

static inline meshSet twoSet(int32_t size)
{
    meshSet second = cubeSet(size);
    moveSet(&second, 0.3, wkVec(1.6, 0.2, 0.0));
    return joinSets(torusSet(size), second);
}

static inline meshSet invertedSet(int32_t size)
{
    meshSet set = shellSet(size);
    flipSet(&set);
    return set;
}

// Every 37th triangle is missing.
static inline meshSet punchedSet(int32_t size)
{
    meshSet set = ordinarySet(size);
    int32_t count = 0;
    for (int32_t i = 0; i < set.triangleCount; ++i) {
        if (i % 37 != 0) {
            memmove(set.triangles + 3 * count++, set.triangles + 3 * i, 3 * sizeof(int32_t));
        }
    }
    set.triangleCount = count;
    return set;
}

// A sphere without its cap.
static inline meshSet bowlSet(int32_t size)
{
    meshSet set = sphereSet(size);
    int32_t count = 0;
    for (int32_t i = 0; i < set.triangleCount; ++i) {
        if (set.vertices[set.triangles[3 * i]].z < 0.3) {
            memmove(set.triangles + 3 * count++, set.triangles + 3 * i, 3 * sizeof(int32_t));
        }
    }
    set.triangleCount = count;
    return set;
}

// A cube from -1 to 1 without the face above.
static inline meshSet openBoxSet(int32_t size)
{
    meshSet set = cubeSet(size);
    set.triangleCount = 10;
    return set;
}

// Every fifth triangle is the wrong way round.
static inline meshSet flippedSet(int32_t size)
{
    meshSet set = sphereSet(size);
    for (int32_t i = 0; i < set.triangleCount; i += 5) {
        int32_t* t = set.triangles + 3 * i;
        int32_t kept = t[1];
        t[1] = t[2];
        t[2] = kept;
    }
    return set;
}

// Vertices of triangles are apart by 1e-7, each triangle for itself above a height.
static inline meshSet crackedSet(int32_t size)
{
    meshSet sphere = sphereSet(size);
    meshSet set = makeSet(3 * sphere.triangleCount, sphere.triangleCount);
    for (int32_t i = 0; i < 3 * sphere.triangleCount; ++i) {
        wkVec3d v = sphere.vertices[sphere.triangles[i]];
        double shift = i % 3 == 0 && v.z > 0.4 ? 1e-7 * (i % 7) : 0.0;
        set.vertices[i] = wkAdd(v, wkVec(shift, -shift, shift));
        set.triangles[i] = i;
    }
    freeSet(&sphere);
    return set;
}

// A strip with half a turn: it has one side and one edge.
static inline meshSet moebiusSet(int32_t size)
{
    meshSet set = makeSet(2 * size, 2 * size);
    for (int32_t i = 0; i < size; ++i) {
        double t = 6.28318530717958648 * i / size;
        wkVec3d middle = wkVec(cos(t), sin(t), 0.0);
        wkVec3d across = wkAdd(wkScale(cos(0.5 * t), middle), wkVec(0.0, 0.0, sin(0.5 * t)));
        set.vertices[2 * i] = wkMulAdd(middle, 0.4, across);
        set.vertices[2 * i + 1] = wkMulSub(middle, 0.4, across);
        int32_t a = 2 * i, b = 2 * i + 1, next = (i + 1) % size, isRotated = next == 0 ? 1 : 0;
        int32_t c = 2 * next + isRotated, d = 2 * next + 1 - isRotated;
        setTriangle(&set, 2 * i, a, c, b);
        setTriangle(&set, 2 * i + 1, b, c, d);
    }
    return set;
}

// Squares of a cube whose vertices lie in the middle of the edges of others.
static inline meshSet junctionSet(int32_t size)
{
    meshSet coarse = latticeSet(2), fine = latticeSet(6);
    (void)size;
    coarse.triangleCount = 2 * 2 * 2 * 3; // three faces of each
    int32_t rest = fine.triangleCount / 2;
    memmove(fine.triangles, fine.triangles + 3 * rest, (size_t)rest * 3 * sizeof(int32_t));
    fine.triangleCount = rest;
    return joinSets(coarse, fine);
}

// A sphere with every triangle from both sides.
static inline meshSet doubledSet(int32_t size)
{
    meshSet back = sphereSet(size);
    flipSet(&back);
    return joinSets(sphereSet(size), back);
}

typedef struct solidSetRow {
    const char* name;
    meshSet (*make)(int32_t size);
    bool isClosed;
    bool isConvex;
} solidSetRow;

static const solidSetRow solidSets[] = {
    {"cube", cubeSet, true, true},
    {"sphere", sphereSet, true, true},
    {"bumpy", ordinarySet, true, false},
    {"torus", torusSet, true, false},
    {"knot", knotSet, true, false},
    {"shell", shellSet, true, false},
    {"two", twoSet, true, false},
    {"inverted", invertedSet, true, false},
    {"punched", punchedSet, false, false},
    {"bowl", bowlSet, false, true},
    {"box", openBoxSet, false, true},
    {"flipped", flippedSet, false, false},
    {"cracked", crackedSet, false, false},
    {"moebius", moebiusSet, false, false},
    {"junction", junctionSet, false, false},
    {"doubled", doubledSet, true, false},
};

#define SOLID_SET_COUNT ((int)(sizeof solidSets / sizeof *solidSets))

// The surface of a solid: the triangles of the mesh and its lids.
static inline meshSet closedSet(const wkMesh* mesh)
{
    wkMeshInfo info = wkMesh_Info(mesh);
    meshSet set = makeSet(info.vertexCount, info.triangleCount + info.lidCount);
    for (int32_t i = 0; i < set.vertexCount; ++i) {
        set.vertices[i] = wkMesh_Vertex(mesh, i);
    }
    for (int32_t i = 0; i < set.triangleCount; ++i) {
        wkMesh_TriangleIndices(mesh, i, set.triangles + 3 * i);
    }
    return set;
}

// Winding number of a point by the arctangents of all triangles.
static inline double windingBySum(const meshSet* set, wkVec3d p)
{
    double sum = 0.0;
    for (int32_t i = 0; i < set->triangleCount; ++i) {
        wkVec3d a = wkSub(set->vertices[set->triangles[3 * i]], p);
        wkVec3d b = wkSub(set->vertices[set->triangles[3 * i + 1]], p);
        wkVec3d c = wkSub(set->vertices[set->triangles[3 * i + 2]], p);
        double la = wkLength(a), lb = wkLength(b), lc = wkLength(c);
        sum += 2.0 * atan2(wkDot(a, wkCross(b, c)),
                           la * lb * lc + wkDot(a, b) * lc + wkDot(b, c) * la + wkDot(c, a) * lb);
    }
    return sum / 12.566370614359172;
}
