// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The faces of a hull relative to a box that has to leave it, or a segment, which is a box with one edge: one
// set of functions per instruction set.
//
// With the plane of face f at the height t over the middle of the box, and a_k the product of its unit normal
// n with half edge k, the way out through it is h(n) = t + |a_0| + |a_1| + |a_2|, the support function of
// hull - box. An edge between the faces f and g forms a piece of the surface with an edge of the box where
// the arc from n_f to n_g crosses the great circle perpendicular to that edge, with the normal q = |a_g| n_f
// + |a_f| n_g there. The planes of both faces meet in the edge, so that h(q) combines their heights with the
// same weights, and the box's other two edges.
//
// Where the arc crosses no other circle, the vertex of hull - box at g has the height h(n_g) along
// n_g and h(n_f) - 2 |a_f| along n_f, and h(q) is at least the sum of their shares. As |q| is at
// most |a_f| + |a_g|, such a piece is no nearer than the nearest face and that second height:
// neither the one of f nor the one of g may be above the best depth known.

#include "base/cpu.h"
#include "geom/hull_impl.h"

// The box or segment in the frame of the hull.
typedef struct wkSweep {
    wkVec3d center;
    wkVec3d edges[3]; // half edges
} wkSweep;

// Arrays over all faces, each with capacity for paddedFaceCount, 64-byte aligned.
typedef struct wkSweptFaces {
    double* height;
    double* along[3]; // a_k; only the first for a segment
    double* depth;    // h(n)
} wkSweptFaces;

// Fills `faces` and returns the nearest face; ties go to the lowest index.
typedef wkHullWayOut wkSweepFcn(const wkHull* hull, const wkSweep* sweep, wkSweptFaces* faces);

// Writes a number per face: the sum of 1, 2 and 4 for the a_k that are negative, and of 16, 32 and 64 for the
// k with a depth less 2 |a_k| below `limit`.
typedef void wkMarkFcn(const wkSweptFaces* faces, int32_t paddedCount, double limit, double* marks);

typedef struct wkSweepLanes {
    wkSweepFcn* sweepBox;
    wkMarkFcn* markBox;
    wkSweepFcn* sweepSegment;
    wkMarkFcn* markSegment;
} wkSweepLanes;

// Returns the functions for that instruction set; NULL when it is not present.
const wkSweepLanes* wkSweepLanesOf(wkIsa isa);

// Returns the functions of this machine, found by the first call.
const wkSweepLanes* wkSweepLanesOfMachine(void);
