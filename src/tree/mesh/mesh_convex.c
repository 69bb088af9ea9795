// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Decides whether a closed surface is convex, in linear time (Mehlhorn et al. 1999): it is when every edge
// bends outward, some point is behind all faces, and a ray from that point passes through one face
// only. Without the last condition a surface could wind around the point twice. All triangles may be
// inverted.

#include "tree/mesh/topology.h"

#include "base/memory.h"

#include <float.h>
#include <string.h>

// Rounding bound of a vertex's distance from the plane of a face, relative to the largest coordinate.
#define PLANE_SLACK (16.0 * DBL_EPSILON)

// Faces and vertices that are sampled first. A dent is a larger fraction of the largest coordinate than
// rounding could cause, even where many edges add up. Wide faces have at least this fraction of the
// square of a side.
#define SAMPLE_COUNT 32
#define DENT_SHARE 1e-3
#define WIDE_SHARE 1e-3

typedef struct surface {
    const wkVec3d* vertices;
    const int32_t* faceVertices; // three per triangle
    int32_t vertexCount;
    int32_t triangleCount;
    double outward; // -1: triangles are clockwise from outside
    double slack;   // metres
} surface;

typedef struct face {
    wkVec3d point;
    wkVec3d normal; // outward, of any length
} face;

static face faceOf(const surface* s, int64_t triangle)
{
    const int32_t* faceVertices = s->faceVertices + 3 * triangle;
    wkVec3d a = s->vertices[faceVertices[0]];
    wkVec3d u = wkSub(s->vertices[faceVertices[1]], a), v = wkSub(s->vertices[faceVertices[2]], a);
    face f = {a, wkScale(s->outward, wkCross(u, v))};
    return f;
}

// Height over a face, times the length of the normal.
static double heightOver(const face* f, wkVec3d point)
{
    return wkDot(f->normal, wkSub(point, f->point));
}

// A point inside, if the surface is convex: the mean of the triangles' centers.
static wkVec3d findMiddle(const surface* s)
{
    wkVec3d first = s->vertices[s->faceVertices[0]], sum = wkVec(0.0, 0.0, 0.0);
    for (size_t i = 0; i < 3 * (size_t)s->triangleCount; ++i) {
        sum = wkAdd(sum, wkSub(s->vertices[s->faceVertices[i]], first));
    }
    return wkMulAdd(first, 1.0 / (3.0 * s->triangleCount), sum);
}

static bool isBehindAll(const surface* s, wkVec3d middle)
{
    for (int32_t i = 0; i < s->triangleCount; ++i) {
        face f = faceOf(s, i);
        if (!(heightOver(&f, middle) < -s->slack * wkLength(f.normal))) {
            return false;
        }
    }
    return true;
}

// Whether the ray from `middle` along `way` passes through a triangle that faces along it; the reverse way
// for a triangle that is clockwise from outside.
static bool isPassed(const surface* s, int64_t triangle, wkVec3d middle, wkVec3d way)
{
    const int32_t* faceVertices = s->faceVertices + 3 * triangle;
    wkVec3d a = wkSub(s->vertices[faceVertices[0]], middle);
    wkVec3d b = wkSub(s->vertices[faceVertices[1]], middle);
    wkVec3d c = wkSub(s->vertices[faceVertices[2]], middle);
    return wkDot(wkCross(a, b), way) >= 0.0 && wkDot(wkCross(b, c), way) >= 0.0 &&
           wkDot(wkCross(c, a), way) >= 0.0;
}

static bool isPassedOnce(const surface* s, wkVec3d middle)
{
    wkVec3d sum = wkVec(0.0, 0.0, 0.0);
    for (int k = 0; k < 3; ++k) {
        sum = wkAdd(sum, wkSub(s->vertices[s->faceVertices[k]], middle));
    }
    int32_t count = 0;
    for (int32_t i = 0; i < s->triangleCount; ++i) {
        count += isPassed(s, i, middle, wkScale(s->outward, sum));
    }
    return count == 1;
}

// The vertex of a triangle that is not on its k-th edge.
static wkVec3d apexOf(const surface* s, int64_t side)
{
    return s->vertices[s->faceVertices[side / 3 * 3 + (side + 2) % 3]];
}

// Whether a point is not in front of a triangle, up to rounding.
static bool isBehind(const surface* s, int64_t triangle, wkVec3d point)
{
    face f = faceOf(s, triangle);
    double height = heightOver(&f, point);
    return height <= 0.0 || height <= s->slack * wkLength(f.normal);
}

// Whether the faces on both sides of an edge bend outward or lie in one plane. The plane of a needle is
// inaccurate, so that the test of either face suffices.
static bool bendsOutward(const surface* s, int64_t sideA, int64_t sideB)
{
    return isBehind(s, sideA / 3, apexOf(s, sideB)) || isBehind(s, sideB / 3, apexOf(s, sideA));
}

// Ends of a side.
static int32_t sideFrom(const surface* s, int64_t side)
{
    return s->faceVertices[side];
}

static int32_t sideTo(const surface* s, int64_t side)
{
    return s->faceVertices[side % 3 == 2 ? side - 2 : side + 1];
}

// Ascending sides, from a vertex to one with a larger index, in lists by the lower end.
typedef struct sideLists {
    int32_t* heads; // by vertex; -1: none
    int32_t* nexts; // by side; -1: the last one
} sideLists;

static void listSides(const surface* s, const sideLists* lists)
{
    memset(lists->heads, 0xff, (size_t)s->vertexCount * sizeof(int32_t));
    for (int32_t side = 0; side < 3 * s->triangleCount; ++side) {
        int32_t from = sideFrom(s, side);
        if (from < sideTo(s, side)) {
            lists->nexts[side] = lists->heads[from];
            lists->heads[from] = side;
        }
    }
}

// The ascending side between two vertices; -1 when there is none, or several.
static int32_t findSide(const surface* s, const sideLists* lists, int32_t from, int32_t to)
{
    int32_t found = -1, count = 0;
    for (int32_t side = lists->heads[from]; side >= 0; side = lists->nexts[side]) {
        bool isIt = sideTo(s, side) == to;
        found = isIt ? side : found;
        count += isIt;
    }
    return count == 1 ? found : -1;
}

// Each side must match one other. Between two vertices as many ascend as descend, since the surface is
// closed.
static bool allBendOutward(const surface* s, const sideLists* lists)
{
    listSides(s, lists);
    for (int32_t side = 0; side < 3 * s->triangleCount; ++side) {
        int32_t from = sideFrom(s, side), to = sideTo(s, side);
        if (from > to) {
            int32_t other = findSide(s, lists, to, from);
            if (other < 0 || !bendsOutward(s, side, other)) {
                return false;
            }
        }
    }
    return true;
}

// Whether one of some vertices is far in front of one of some faces, all evenly spread. Only faces with
// accurate planes are tested.
static bool hasDent(const surface* s, double dent)
{
    int32_t step = s->triangleCount / SAMPLE_COUNT + 1;
    for (int32_t i = 0; i < s->triangleCount; i += step) {
        face f = faceOf(s, i);
        wkVec3d side = wkSub(s->vertices[s->faceVertices[3 * (size_t)i + 1]], f.point);
        double length = wkLength(f.normal), reach = wkLengthSquared(side);
        for (int32_t k = 0; k < s->triangleCount && length > WIDE_SHARE * reach; k += step) {
            if (heightOver(&f, s->vertices[s->faceVertices[3 * (size_t)k]]) > dent * length) {
                return true;
            }
        }
    }
    return false;
}

// The cheap tests first: few surfaces reach the last one.
static bool mayBeConvex(const surface* s)
{
    if (hasDent(s, s->slack * (DENT_SHARE / PLANE_SLACK))) {
        return false;
    }
    wkVec3d middle = findMiddle(s);
    return isBehindAll(s, middle) && isPassedOnce(s, middle);
}

bool wkIsConvexSurface(const wkMeshDef* def, const int32_t* firsts, const wkTopology* topology,
                       bool* hasMemory)
{
    size_t sideCount = 3 * (size_t)def->triangleCount;
    const wkAabb* bounds = &topology->bounds;
    surface s = {
        .vertices = def->vertices,
        .faceVertices = def->triangles,
        .vertexCount = def->vertexCount,
        .triangleCount = def->triangleCount,
        .outward = topology->volume < 0.0 ? -1.0 : 1.0,
        .slack = PLANE_SLACK * wkMaxD(wkMaxAbs(bounds->lower), wkMaxAbs(bounds->upper)),
    };
    if (sideCount > INT32_MAX || !mayBeConvex(&s)) {
        return false;
    }
    size_t byteCount = (2 * sideCount + (size_t)def->vertexCount) * sizeof(int32_t);
    int32_t* faceVertices = wkAlloc(byteCount);
    *hasMemory = faceVertices != NULL;
    if (faceVertices == NULL) {
        return false;
    }
    for (size_t i = 0; i < sideCount; ++i) {
        faceVertices[i] = firsts[def->triangles[i]];
    }
    s.faceVertices = faceVertices;
    sideLists lists = {faceVertices + 2 * sideCount, faceVertices + sideCount};
    bool isConvex = allBendOutward(&s, &lists);
    wkFree(faceVertices, byteCount);
    return isConvex;
}
