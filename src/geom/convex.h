// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Table of the convex shapes: one row per type. Functions work in the shape's own frame on its *core*: the
// shape without the sphere that sweeps it. Callers add the sphere's radius, once, as wkShapeRadius().

#include "math/frame.h"
#include "whisker/detail/counts.h"
#include "whisker/digest.h"
#include "whisker/shape.h"

// Result of projecting a point onto a core.
typedef struct wkProjection {
    double distance; // signed: negative inside
    wkVec3d point;   // closest point of the core's surface
    wkVec3d normal;  // unit, outward at `point`: point + distance * normal is the query point
} wkProjection;

// Two concentric spheres: one around the core, one inside it.
typedef struct wkInnerOuterSpheres {
    wkVec3d center;
    double radius;
    double innerRadius;
} wkInnerOuterSpheres;

// A flat piece of a core's surface: a vertex (1), an edge (2) or a convex polygon (3 or more
// points).
#define WK_FACE_CAPACITY 32
typedef struct wkFace {
    int count;
    wkVec3d points[WK_FACE_CAPACITY];
} wkFace;

typedef struct wkRayHit {
    bool isHit;
    double distance;
    wkVec3d normal;
} wkRayHit;

// Receives the triangles that approximate the surface of a shape, in its frame.
typedef struct wkTessellationSink wkTessellationSink;
struct wkTessellationSink {
    // all of the surface that the triangle approximates is within `slack` of it; false: out of memory
    bool (*add)(wkTessellationSink* sink, wkVec3d a, wkVec3d b, wkVec3d c, double slack);
};

// How bounds at any rotation follow from a few numbers, see query/pair/shape_extent.h.
typedef enum wkExtentKind {
    wk_extentOwn,  // they do not: the shape computes them each time
    wk_extentBox,  // a box around the core, and a sphere
    wk_extentDisc, // rotationally symmetric about z
} wkExtentKind;

// What layers above the queries need to know about a type: part of the row of each type, whichever its kind.
typedef struct wkShapeFacts {
    // bytes of its member of wkShape that distinguish two shapes: numbers, or a pointer; 0: they do not
    size_t byteCount;

    // adds the content of borrowed geometry, not its address; NULL: the member holds numbers
    void (*digest)(wkDigestBuilder* builder, const wkShape* shape);

    // the counter that changes with borrowed geometry; the function or its result is NULL where nothing changes
    const uint64_t* (*changes)(const wkShape* shape);

    wkExtentKind extent;

    // a robot can hold it
    bool isAttachable;

    // tessellates the surface moved outward by `offset`; NULL: the surface is unbounded or made of cells
    bool (*tessellate)(const wkShape* shape, double offset, wkTessellationSink* sink);
} wkShapeFacts;

typedef struct wkConvexRow {
    const char* name;

    wkShapeFacts facts;

    // true for shapes with finite extent
    bool isBounded;

    // true for cores without curved parts; the core of a sphere is a point
    bool isPolytope;

    // true when `rayCast` includes the sphere around the core; otherwise it casts against the core alone
    bool castsSphere;

    // true when all parameters are finite and in range; the fast twin of `check`
    bool (*isValid)(const wkShape* shape);

    // fails with the name of the first invalid parameter
    wkResult (*check)(const wkShape* shape);

    // furthest point along `direction`, which may have any length but zero
    wkVec3d (*support)(const wkShape* shape, wkVec3d direction);

    // signed distance, closest point and normal; always finite
    wkProjection (*project)(const wkShape* shape, wkVec3d point);

    // box of the core at pose `frame`, not yet rounded outward
    wkAabb (*bounds)(const wkShape* shape, const wkFrame* frame);

    // spheres around and inside the core; radii infinite and zero when the core is unbounded
    wkInnerOuterSpheres (*sphere)(const wkShape* shape);

    // with `rounding` in the volume (Steiner's formula), without padding
    wkMass (*mass)(const wkShape* shape);

    // unit direction, origin outside; called when the core has no sphere around it, or with castsSphere
    wkRayHit (*rayCast)(const wkShape* shape, wkVec3d origin, wkVec3d direction,
                        double maxDistance);

    // the largest flat piece whose normal is within `cosine` of the unit `direction`
    void (*face)(const wkShape* shape, wkVec3d direction, double cosine, wkFace* face);

    // see wkShape_Triangulate
    wkResult (*triangulate)(const wkShape* shape, int segments, double extent,
                            wkTriangulation* out);
} wkConvexRow;

// Rows by wkShapeType; the row of wk_shapeNone is never valid.
extern const wkConvexRow wkConvexTable[WK_CONVEX_TYPE_COUNT];

// Returns the row of a shape; the row of wk_shapeNone for NULL and for a type that is out of range.
WK_FN const wkConvexRow* wkConvexRowOf(const wkShape* shape)
{
    bool isKnown = shape != NULL && (unsigned)shape->type < (unsigned)WK_CONVEX_TYPE_COUNT;
    return &wkConvexTable[isKnown ? shape->type : wk_shapeNone];
}

// Returns the radius of the sphere around the core, with rounding but without padding. Sphere and capsule
// store theirs at the same offset.
WK_FN double wkShapeSolidRadius(const wkShape* shape)
{
    bool isSphereSwept = shape->type == wk_shapeSphere || shape->type == wk_shapeCapsule;
    return shape->rounding + (isSphereSwept ? shape->sphere.radius : 0.0);
}

// Returns the radius of the sphere around the core; negative when padding makes it so.
WK_FN double wkShapeRadius(const wkShape* shape)
{
    return wkShapeSolidRadius(shape) + shape->padding;
}
