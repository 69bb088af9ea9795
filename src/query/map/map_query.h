// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Queries about pairs that include an occupancy map. The distance to a map is the least distance to its
// cells: a walk finds the cells that may matter, each is queried as a box, and the results are collected
// here. Everything is in the frame of B, which is a map; A is any shape.

#include "query/pair/body_question.h"

// Reach of a shape from the origin of its frame; of an unbounded shape, that of its surface.
double wkMapBodyReach(const wkShape* shape);

// Largest distance at which a pair still matters.
double wkMapReach(const wkBodyQuestion* question, const wkBodyAnswer* answer);

// Takes the result for a cell of B or the space beyond it, whose parts are filled in.
// @return wk_stepStop when nothing more is needed
wkStep wkTakeCell(const wkBodyQuestion* question, const wkDistanceResult* found, bool isUnknown,
                  wkBodyAnswer* answer);

// The searches: all results go through wkTakeCell.
void wkSearchCells(const wkBodyQuestion* question, wkBodyAnswer* answer); // A is not a map
void wkSearchMaps(const wkBodyQuestion* question, wkBodyAnswer* answer);

// Sets the box around the core of a convex shape, or its plane, where `frame` is its pose in the map.
void wkSetConvexBody(const wkShape* shape, const wkFrame* frame, wkMapBody* body);

// Which cells of a map count: occupied ones, and unknown ones unless they are free.
wkMapView wkViewOfMap(const wkShape* shape);

// Whether a map is valid; the error message names what is not.
bool wkMapIsValid(const wkShape* shape);
wkResult wkMapCheck(const wkShape* shape);

// One of the six sides of the space beyond a map: a half-space with the margins of the map.
wkShape wkBeyondMap(const wkShape* map, int side);

WK_FN bool wkIsMapType(wkShapeType type)
{
    return type == wk_shapeOctree;
}

// The closest point of a map, in its frame: see wkShape_ClosestPoint.
void wkClosestInMap(const wkShape* shape, wkVec3d point, double cutoff, wkPointResult* result);
