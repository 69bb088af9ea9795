// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The growing convex polytope of EPA: triangles around the origin, in fixed memory.

#include "solve/gjk/simplex.h"

// A closed triangle mesh over V vertices has 2 V - 4 faces.
#define WK_POLYTOPE_VERTICES 128
#define WK_POLYTOPE_FACES (2 * WK_POLYTOPE_VERTICES - 4)

typedef struct wkPolytope {
    int vertexCount;
    int faceCount;
    bool isFine;                       // planes need double-double precision
    wkCsoPoint* point;                 // WK_POLYTOPE_VERTICES of them, in the caller's frame
    double key[WK_POLYTOPE_FACES];     // distance of the face's plane; infinite: not to be visited
    double offset[WK_POLYTOPE_FACES];  // of the plane along its normal; infinite: degenerate
    double normalX[WK_POLYTOPE_FACES]; // unit, outward
    double normalY[WK_POLYTOPE_FACES];
    double normalZ[WK_POLYTOPE_FACES];
    uint8_t vertex[WK_POLYTOPE_FACES][3];   // anticlockwise from outside
    uint8_t neighbor[WK_POLYTOPE_FACES][3]; // face over the edge from vertex i to the next
} wkPolytope;

WK_FN wkVec3d wkPolytope_Normal(const wkPolytope* p, int face)
{
    return wkVec(p->normalX[face], p->normalY[face], p->normalZ[face]);
}

// Starts from the four points of a simplex; false when they are thinner than `flat`.
bool wkPolytope_StartTetrahedron(wkPolytope* p, const wkSimplex* s, double flat);

// Starts from a triangle and an apex on one or both sides (NULL: none there); returns false without any apex.
bool wkPolytope_StartBipyramid(wkPolytope* p, const wkSimplex* s, const wkCsoPoint* top,
                               const wkCsoPoint* bottom);

// Returns the face to visit whose plane is nearest the origin; -1 when none is left.
int wkPolytope_Nearest(const wkPolytope* p);

// Excludes a face from wkPolytope_Nearest; it stays part of the surface.
void wkPolytope_Settle(wkPolytope* p, int face);

// Adds a point beyond `face`: the faces visible from it, by more than `noise`, are replaced by a fan around
// it. Returns false when memory or geometry does not allow it; the polytope is then unchanged.
bool wkPolytope_Grow(wkPolytope* p, int face, const wkCsoPoint* point, double noise);

// Returns the point of A for the point depth * normal of the surface: from the triangle of three vertices, or
// a better face in the same plane up to `noise`.
wkVec3d wkPolytope_PointA(const wkPolytope* p, const uint8_t vertex[3], wkVec3d normal,
                          double depth, double noise);
