// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Points whose convex hull, inflated by a radius, contains a collision body, or what a box has of it.

#include "robot/body_set.h"

// Points in the frame of the rigid group. Grows as needed.
typedef struct wkPiecePoints {
    wkVec3d* points;
    int32_t count;
    int32_t capacity;
    double radius;
} wkPiecePoints;

// Returns whether a body has convex pieces: it is bounded, of a known type and without negative padding.
bool wkHasPieces(const wkCollisionBody* body);

// Sets the points of a body.
// @param box in the frame of a mesh; other shapes are taken as a whole
// @return false: no memory
bool wkFindPiecePoints(const wkCollisionBody* body, const wkAabb* box, wkPiecePoints* points);

void wkPiecePoints_Free(wkPiecePoints* points);

// Vertices of a triangle that is cut by the planes of a box, at most.
#define WK_CUT_VERTICES 9

// Cuts off what a triangle has outside a box.
// @return the number of vertices that are left
int32_t wkCutTriangle(const wkVec3d triangle[3], const wkAabb* box, wkVec3d cut[WK_CUT_VERTICES]);
