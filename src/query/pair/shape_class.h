// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Queries on single shapes, by their class: convex shapes, hierarchies of triangles, maps. Differences
// between the shapes of a class are in the tables of that class.

#include "query/ray/tree_ray.h"

// The hit of a ray on a shape, in its frame.
typedef struct wkShapeHit {
    bool isHit; // false: only the status is set
    wkStatus status;
    int64_t part;
    double distance;
    wkVec3d normal;
} wkShapeHit;

// The kinds of shapes, which select the row of a pair.
typedef enum wkShapeKind {
    wk_kindNone, // not a shape
    wk_kindConvex,
    wk_kindTree, // a hierarchy
    wk_kindMap,
    wk_kindCount,
} wkShapeKind;

// How candidates are culled by the content of a shape: query/pair/content_cull.h.
typedef struct wkCullRow wkCullRow;

typedef struct wkShapeClass {
    wkShapeKind kind;

    // the row of pairs whose second shape in canonical order is of this class; NULL: two convex shapes
    const struct wkBodyRow* bodies;

    const char* (*name)(wkShapeType type);

    const wkShapeFacts* (*facts)(wkShapeType type);

    // all parameters finite and in range; the fast twin of `check`
    bool (*isValid)(const wkShape* shape);

    // names the first parameter that is not valid
    wkResult (*check)(const wkShape* shape);

    // the functions of shape.h and query.h for valid shapes and poses, the last five in the frame of the
    // shape
    wkAabb (*bounds)(const wkShape* shape, const wkPose* pose);
    wkMass (*mass)(const wkShape* shape);
    wkResult (*triangulate)(const wkShape* shape, int segments, double extent,
                            wkTriangulation* out);
    wkVec3d (*support)(const wkShape* shape, wkVec3d direction); // of unit length
    double (*pointDistance)(const wkShape* shape, wkVec3d point);
    void (*closestPoint)(const wkShape* shape, wkVec3d point, double cutoff, wkPointResult* result);
    void (*cast)(const wkShape* shape, const wkLocalRay* ray, wkShapeHit* hit);
    bool (*isHit)(const wkShape* shape, const wkLocalRay* ray);

    const wkCullRow* cull; // NULL: bounds are enough
} wkShapeClass;

// Classes by wkShapeType; that of wk_shapeNone rejects every shape.
extern const wkShapeClass* const wkShapeClassTable[WK_SHAPE_TYPE_LIMIT];

// The class of a shape; for an unknown type, that of wk_shapeNone.
WK_FN const wkShapeClass* wkShapeClassOf(const wkShape* shape)
{
    bool isKnown = shape != NULL && (unsigned)shape->type < WK_SHAPE_TYPE_LIMIT;
    return wkShapeClassTable[isKnown ? shape->type : wk_shapeNone];
}

// Facts about the type of a shape; for an unknown type, all zero.
WK_FN const wkShapeFacts* wkShapeFactsOf(const wkShape* shape)
{
    return wkShapeClassOf(shape)->facts(shape->type);
}

WK_FN bool wkIsValidShape(const wkShape* shape)
{
    return wkShapeClassOf(shape)->isValid(shape);
}
