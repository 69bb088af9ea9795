// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The growing convex polytope of EPA: triangles with their neighbours, in fixed memory.

#include "solve/simplex.h"

// A closed triangle mesh over V vertices has 2 V - 4 faces.
#define WK_POLYTOPE_VERTICES 88
#define WK_POLYTOPE_FACES (2 * WK_POLYTOPE_VERTICES)

typedef struct wkPolytopeFace {
    wkVec3d normal;      // unit, outward; zero when the triangle is degenerate
    double offset;       // of its plane along the normal; infinite when degenerate
    int16_t vertex[3];   // anticlockwise from outside
    int16_t neighbor[3]; // face over the edge from vertex[i] to vertex[i + 1]
    int8_t back[3];      // number of that edge in the neighbour
    bool isAlive;
} wkPolytopeFace;

typedef struct wkPolytope {
    int vertexCount;
    int faceCount;                            // used so far, dead ones included
    int freeFace;                             // first dead face to reuse, linked through vertex[0]; -1: none
    double distance[WK_POLYTOPE_FACES];       // of the face from the origin; infinite: not to be visited
    wkPolytopeFace faces[WK_POLYTOPE_FACES];
    wkVec3d w[WK_POLYTOPE_VERTICES];          // points of B - A
    wkVec3d a[WK_POLYTOPE_VERTICES];          // the points of A they came from
} wkPolytope;

// Starts from the four points of a simplex; false when they are thinner than `flat`.
bool wkPolytope_StartTetrahedron(wkPolytope* p, const wkSimplex* s, double flat);

// Starts from a triangle and an apex on one or both sides (NULL: none there); false without any apex.
bool wkPolytope_StartBipyramid(wkPolytope* p, const wkSimplex* s, const wkVec3d* top,
                               const wkVec3d* topA, const wkVec3d* bottom, const wkVec3d* bottomA);

// Face whose plane is nearest the origin; -1 when none is left.
int wkPolytope_Nearest(const wkPolytope* p);

// Takes a face out of wkPolytope_Nearest; it stays part of the surface.
void wkPolytope_Settle(wkPolytope* p, int face);

// Adds a point beyond `face`: the faces it sees, by more than `noise`, make way for a fan around it.
// False when memory or geometry does not allow it; the polytope is then not to be used any more.
bool wkPolytope_Grow(wkPolytope* p, int face, wkVec3d w, wkVec3d a, double noise);

// Point of A that belongs to the point depth * normal of the surface: from the face, among those in that
// plane up to `noise`, that it lies on.
wkVec3d wkPolytope_PointA(const wkPolytope* p, wkVec3d normal, double depth, double noise);
