// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The geometry to be covered: the surfaces of bodies as triangles, and signed distances of points from the
// bodies.

#include "fit/nearest_triangle.h"
#include "whisker/query.h"

// A shape with its pose in the frame of the cover.
typedef struct wkFitBody {
    const wkShape* shape;
    wkPose pose;
} wkFitBody;

// Returns whether two arrays hold the same bodies in the same order at the same poses.
bool wkAreBodiesAlike(const wkFitBody* a, const wkFitBody* b, int32_t count);

// A part of the surface: all of it is within `slack` of the triangle.
typedef struct wkSurfacePiece {
    wkVec3d faceVertices[3];
    double slack;
    int32_t solid; // index of its body
} wkSurfacePiece;

// A body that answers inside/outside queries.
typedef struct wkSurfaceSolid {
    wkShape shape;
    wkPose pose;
    wkSphere3d around;       // bounding sphere
    wkMesh* own;             // a solid copy of a mesh that is not solid; NULL: not needed
    wkTriangleSet triangles; // triangles of a mesh
} wkSurfaceSolid;

typedef struct wkFitSurface {
    wkSurfacePiece* pieces;
    wkSurfaceSolid* solids;
    int32_t pieceCount, pieceCapacity;
    int32_t solidCount, solidCapacity;
    wkAabb bounds;   // of the vertices
    double reach;    // largest coordinate, slack included
    double extent;   // diagonal of the bounds, slack included
    double area;     // of all triangles
    double slack;    // largest of any piece
    double rounding; // error bound of a distance
} wkFitSurface;

// Creates the surface of bodies. Refuses unbounded shapes and maps. A mesh stands for the volume that it
// encloses, solid or not.
wkResult wkFitSurface_Create(const wkFitBody* bodies, int32_t count, wkFitSurface* surface);
void wkFitSurface_Destroy(wkFitSurface* surface);

// The closest point of the bodies' surfaces to a query point. The distance is negative inside and never below
// the true one; inside several bodies it refers to the body in which the point is deepest.
typedef struct wkClosestOnSurface {
    double distance;
    wkVec3d point;
    wkVec3d normal; // away from the bodies
} wkClosestOnSurface;

wkClosestOnSurface wkFitSurface_Closest(const wkFitSurface* surface, wkVec3d point);

// The same, faster and up to rounding: for searches.
wkClosestOnSurface wkFitSurface_QuickClosest(const wkFitSurface* surface, wkVec3d point);
double wkFitSurface_Distance(const wkFitSurface* surface, wkVec3d point);
