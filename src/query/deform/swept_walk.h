// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A walk over the pairs of triangles of two meshes, or of one mesh with itself, whose boxes overlap. The volumes of a
// mesh with previous positions bound the paths of its triangles.

#include "math/frame.h"
#include "query/deform/elements_impl.h"
#include "whisker/query.h"

// A mesh in the world.
typedef struct wkSweptMesh {
    const wkMesh* mesh;
    const uint8_t* masks;
    const wkVec3d* start; // positions at t = 0
    const wkVec3d* end;
    wkTree tree;
    wkPose pose;
    wkFrame frame;
    bool isIdentity; // the pose: coordinates of the mesh are those of the world, to the bit
} wkSweptMesh;

// A triangle and its path, in the world.
typedef struct wkSweptTriangle {
    wkVec3d start[3];
    wkVec3d end[3];
    wkAabb paths[3]; // of the vertices
    wkAabb box;      // around them
    int32_t vertices[3];
    int32_t id; // the caller's index
    uint32_t mask;
} wkSweptTriangle;

typedef struct wkSweptWalk wkSweptWalk;

// Visits two triangles whose boxes overlap.
typedef void wkVisitTrianglesFcn(wkSweptWalk* walk, const wkSweptTriangle* a,
                                 const wkSweptTriangle* b);

// Searches put this first in a struct of their own.
struct wkSweptWalk {
    wkSweptMesh a;
    wkSweptMesh b; // the same as A for a mesh with itself
    wkVisitTrianglesFcn* visit;
    bool isDone; // set by `visit`: nothing further matters
};

// Whether two triangles have a vertex in common, by its number.
WK_FN bool wkDoShareVertex(const wkSweptTriangle* a, const wkSweptTriangle* b)
{
    for (int i = 0; i < 9; ++i) {
        if (a->vertices[i / 3] == b->vertices[i % 3]) {
            return true;
        }
    }
    return false;
}

// A triangle as a shape. Its vertices are valid: those of a mesh were checked.
WK_FN wkShape wkShapeOfTriangle(const wkVec3d points[3])
{
    wkShape shape = {.type = wk_shapeTriangle};
    for (int k = 0; k < 3; ++k) {
        shape.triangle.points[k] = points[k];
    }
    return shape;
}

// Whether two triangles cross or touch, as wkCollide says.
bool wkDoTrianglesCross(const wkVec3d a[3], const wkVec3d b[3]);

// Prepares a mesh in a valid pose.
// @param hasMotion false: the current positions alone
void wkPlaceSweptMesh(const wkMeshElements* elements, wkPose pose, bool hasMotion,
                      wkSweptMesh* swept);

// Visits the pairs of a triangle of A and one of B.
void wkWalkTwoMeshes(wkSweptWalk* walk);

// Visits the pairs of different triangles of A, each once.
void wkWalkOneMesh(wkSweptWalk* walk);

WK_FN bool wkDoOverlap(const wkAabb* a, const wkAabb* b)
{
    return (a->lower.x <= b->upper.x) & (b->lower.x <= a->upper.x) & (a->lower.y <= b->upper.y) &
           (b->lower.y <= a->upper.y) & (a->lower.z <= b->upper.z) & (b->lower.z <= a->upper.z);
}
