// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What is to be covered: the surfaces of some bodies as triangles, and how far points are from the
// bodies.

#include "fit/nearest_triangle.h"
#include "whisker/query.h"

// A shape in the frame of what is covered.
typedef struct wkFitBody {
    const wkShape* shape;
    wkPose pose;
} wkFitBody;

// Whether bodies are the same, one by one, in the same places.
bool wkAreBodiesAlike(const wkFitBody* a, const wkFitBody* b, int32_t count);

// A part of the surface: all of it is within `slack` of a triangle.
typedef struct wkSurfacePiece {
    wkVec3d faceVertices[3];
    double slack;
    int32_t solid; // of which body
} wkSurfacePiece;

// A body that can be asked what is inside.
typedef struct wkSurfaceSolid {
    wkShape shape;
    wkPose pose;
    wkSphere3d around;  // all of it is inside
    wkMesh* own;        // a solid copy of a mesh that is none; NULL: not needed
    wkTriangleSet near; // of a mesh
} wkSurfaceSolid;

typedef struct wkFitSurface {
    wkSurfacePiece* pieces;
    wkSurfaceSolid* solids;
    int32_t pieceCount, pieceCapacity;
    int32_t solidCount, solidCapacity;
    wkAabb bounds;   // around the vertices
    double reach;    // largest coordinate, slack included
    double extent;   // diagonal of the bounds, slack included
    double area;     // of all triangles
    double slack;    // the largest one of a piece
    double rounding; // what a distance may be off by
} wkFitSurface;

// Surfaces of bodies; those without end and maps are refused. Meshes count as what they enclose,
// solid or not.
wkResult wkFitSurface_Create(const wkFitBody* bodies, int32_t count, wkFitSurface* surface);
void wkFitSurface_Destroy(wkFitSurface* surface);

// The place of the bodies' surfaces that a point is closest to. The distance is negative inside, and
// not below the truth; inside of several bodies, that to the one where it is deepest.
typedef struct wkSurfaceNear {
    double distance;
    wkVec3d point;
    wkVec3d normal; // away from the bodies
} wkSurfaceNear;

wkSurfaceNear wkFitSurface_Near(const wkFitSurface* surface, wkVec3d point);

// The same, sooner, and up to rounding: for searches.
wkSurfaceNear wkFitSurface_Quick(const wkFitSurface* surface, wkVec3d point);
double wkFitSurface_Distance(const wkFitSurface* surface, wkVec3d point);
