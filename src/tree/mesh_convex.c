// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Is a closed surface convex? In time proportional to its size (Mehlhorn et al. 1999): it is when
// every edge bends outward, some point is behind all faces, and a ray from that point passes
// through one face only. Without the last a surface could wind around the point twice.

#include "tree/topology.h"

#include "base/memory.h"
#include "base/sort.h"

#include <float.h>

// Share of the largest coordinate by which rounding may move a corner across the plane of a face.
#define PLANE_SLACK (16.0 * DBL_EPSILON)

typedef struct surface {
    const wkVec3d* vertices;
    const int32_t* corners; // three per triangle
    int32_t triangleCount;
    double slack; // metres
} surface;

typedef struct face {
    wkVec3d point;
    wkVec3d normal; // unit
} face;

static face faceOf(const surface* s, int64_t triangle)
{
    const int32_t* corners = s->corners + 3 * triangle;
    wkVec3d a = s->vertices[corners[0]];
    wkVec3d u = wkSub(s->vertices[corners[1]], a), v = wkSub(s->vertices[corners[2]], a);
    face f = {a, wkNormalizeOr(wkCross(u, v), wkVec(0.0, 0.0, 0.0))};
    return f;
}

static double heightOver(const face* f, wkVec3d point)
{
    return wkDot(f->normal, wkSub(point, f->point));
}

// A point inside, if it is convex: the mean of the triangles' centres.
static wkVec3d findMiddle(const surface* s)
{
    wkVec3d first = s->vertices[s->corners[0]], sum = wkVec(0.0, 0.0, 0.0);
    for (size_t i = 0; i < 3 * (size_t)s->triangleCount; ++i) {
        sum = wkAdd(sum, wkSub(s->vertices[s->corners[i]], first));
    }
    return wkMulAdd(first, 1.0 / (3.0 * s->triangleCount), sum);
}

static bool isBehindAll(const surface* s, wkVec3d middle)
{
    for (int32_t i = 0; i < s->triangleCount; ++i) {
        face f = faceOf(s, i);
        if (!(heightOver(&f, middle) < -s->slack)) {
            return false;
        }
    }
    return true;
}

// Whether the ray from `middle` along `way` passes through a triangle that it is behind of.
static bool isPassed(const surface* s, int64_t triangle, wkVec3d middle, wkVec3d way)
{
    const int32_t* corners = s->corners + 3 * triangle;
    wkVec3d a = wkSub(s->vertices[corners[0]], middle);
    wkVec3d b = wkSub(s->vertices[corners[1]], middle);
    wkVec3d c = wkSub(s->vertices[corners[2]], middle);
    return wkDot(wkCross(a, b), way) >= 0.0 && wkDot(wkCross(b, c), way) >= 0.0 &&
           wkDot(wkCross(c, a), way) >= 0.0;
}

static bool isPassedOnce(const surface* s, wkVec3d middle)
{
    wkVec3d sum = wkVec(0.0, 0.0, 0.0);
    for (int k = 0; k < 3; ++k) {
        sum = wkAdd(sum, wkSub(s->vertices[s->corners[k]], middle));
    }
    int32_t count = 0;
    for (int32_t i = 0; i < s->triangleCount; ++i) {
        count += isPassed(s, i, middle, sum);
    }
    return count == 1;
}

// The corner of a triangle that is not on its k-th edge.
static wkVec3d apexOf(const surface* s, int64_t side)
{
    return s->vertices[s->corners[side / 3 * 3 + (side + 2) % 3]];
}

// Whether the faces on both sides of an edge bend outward or lie in one plane. Needles know their
// plane badly, so that the word of either will do.
static bool bendsOutward(const surface* s, int64_t sideA, int64_t sideB)
{
    face a = faceOf(s, sideA / 3), b = faceOf(s, sideB / 3);
    return heightOver(&a, apexOf(s, sideB)) <= s->slack ||
           heightOver(&b, apexOf(s, sideA)) <= s->slack;
}

// Sorts the sides of all triangles by their ends; each must meet one other.
static bool allBendOutward(const surface* s, wkSortKey* sides)
{
    int32_t count = 3 * s->triangleCount;
    for (int32_t i = 0; i < count; ++i) {
        int32_t from = s->corners[i], to = s->corners[i / 3 * 3 + (i + 1) % 3];
        uint64_t low = (uint32_t)(from < to ? from : to), high = (uint32_t)(from < to ? to : from);
        sides[i].key = low << 32 | high;
        sides[i].value = i;
    }
    wkSortKeys(sides, sides + count, count);
    for (int32_t i = 0; i < count; i += 2) {
        bool isPair = i + 1 < count && sides[i].key == sides[i + 1].key &&
                      (i + 2 == count || sides[i + 2].key != sides[i].key);
        if (!isPair || !bendsOutward(s, sides[i].value, sides[i + 1].value)) {
            return false;
        }
    }
    return true;
}

bool wkIsConvexSurface(const wkVec3d* vertices, const int32_t* corners, int32_t triangleCount,
                       bool* hasMemory)
{
    surface s = {vertices, corners, triangleCount, 0.0};
    for (size_t i = 0; i < 3 * (size_t)triangleCount; ++i) {
        s.slack = wkMaxD(s.slack, PLANE_SLACK * wkMaxAbs(vertices[corners[i]]));
    }

    // the cheap questions first: few surfaces get as far as the last one
    wkVec3d middle = findMiddle(&s);
    if (triangleCount > INT32_MAX / 6 || !isBehindAll(&s, middle) || !isPassedOnce(&s, middle)) {
        return false;
    }
    size_t byteCount = 6 * (size_t)triangleCount * sizeof(wkSortKey);
    wkSortKey* sides = wkAlloc(byteCount);
    *hasMemory = sides != NULL;
    bool isConvex = sides != NULL && allBendOutward(&s, sides);
    wkFree(sides, byteCount);
    return isConvex;
}
