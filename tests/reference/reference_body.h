// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A body of the reference solver: a core placed in space, in extended precision, and the radius of
// the sphere around it. Positions are relative to the first body of the pair.

#include "reference.h"

typedef long double wkReal;

typedef struct wkVec3r {
    wkReal x, y, z;
} wkVec3r;

typedef enum wkCoreKind {
    wk_corePoints,    // hull of points: sphere (1), capsule (2), triangle, box, hull
    wk_coreCylinder,  // sizes: radius, half length
    wk_coreCone,      // sizes: radius, half length
    wk_coreEllipsoid, // sizes: radii
    wk_coreHalfspace, // normal, offset
    wk_corePlane,     // normal, offset
} wkCoreKind;

typedef struct wkEdge {
    int32_t from, to;
} wkEdge;

typedef struct wkVertices {
    int32_t index[3];
} wkVertices;

typedef struct wkRefBody {
    wkCoreKind kind;
    wkReal radius;    // around the core
    wkReal reach;     // no point of the core is further from `position`
    wkVec3r axes[3];  // the frame's axes in the world
    wkVec3r position; // of the frame
    wkReal sizes[3];  // of curved cores
    wkVec3r normal;   // of half-spaces and planes, in the world
    wkReal offset;    // along it, seen from the origin of the first body
    wkVec3r* points;  // vertices in the world
    int pointCount;
    wkEdge* edges;
    int edgeCount;
    wkVertices* triangles; // of the faces
    int triangleCount;
} wkRefBody;

// Allocates the lists. `origin` is the position of the first body.
void wkRefBody_Create(wkRefBody* body, const wkShape* shape, wkPose pose, wkVec3d origin);

void wkRefBody_Destroy(wkRefBody* body);

// Point of the core furthest along `direction`, which has any length but zero. Not for half-spaces.
wkVec3r wkRefSupport(const wkRefBody* body, wkVec3r direction);

static inline wkVec3r wkRefVec(wkReal x, wkReal y, wkReal z)
{
    wkVec3r v = {x, y, z};
    return v;
}

static inline wkVec3r wkRefAdd(wkVec3r a, wkVec3r b)
{
    return wkRefVec(a.x + b.x, a.y + b.y, a.z + b.z);
}

static inline wkVec3r wkRefSub(wkVec3r a, wkVec3r b)
{
    return wkRefVec(a.x - b.x, a.y - b.y, a.z - b.z);
}

static inline wkVec3r wkRefScale(wkVec3r a, wkReal s)
{
    return wkRefVec(a.x * s, a.y * s, a.z * s);
}

static inline wkReal wkRefDot(wkVec3r a, wkVec3r b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline wkVec3r wkRefCross(wkVec3r a, wkVec3r b)
{
    return wkRefVec(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

static inline wkReal wkRefLength(wkVec3r a)
{
    return __builtin_sqrtl(wkRefDot(a, a));
}

// Farthest point of the difference body A - B along `direction`.
static inline wkVec3r wkRefDifference(const wkRefBody* a, const wkRefBody* b, wkVec3r direction)
{
    wkVec3r back = wkRefScale(direction, -1.0L);
    return wkRefSub(wkRefSupport(a, direction), wkRefSupport(b, back));
}

// Signed distance of the cores: bounds and the direction of the lower one.
typedef struct wkRefBracket {
    wkReal lower, upper;
    wkVec3r normal;
} wkRefBracket;

// Polytopes: closest features when apart, all axes when overlapping. Exact.
wkRefBracket wkRefSolveAxes(const wkRefBody* a, const wkRefBody* b);

// Everything bounded: branch and bound over directions.
wkRefBracket wkRefSolveSearch(const wkRefBody* a, const wkRefBody* b, int budget);
