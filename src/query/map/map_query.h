// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Queries about pairs that include an occupancy map. The distance to a map is the least distance to its
// cells: a walk finds the cells that may matter, each is queried as a box, and the results are collected
// here. Everything is in the frame of B, which is a map; A is any shape.

#include "query/map/map_walk.h"
#include "tree/bvh/tree_view.h"
#include "whisker/query.h"

// The query and the poses of the bodies.
typedef struct wkMapQuestion {
    const wkShape* a;
    const wkShape* b;
    wkFrame aInB;
    wkPose poseOfA;  // `aInB` as a pose
    double slack;    // rounding of positions in the frame of B, subtracted from every distance
    wkMapView viewA; // when A is a map
    wkMapView viewB;
    const wkTreeView* treeA; // when A is a hierarchy
    const wkCubes* nearB;    // all cells of B that may matter; NULL: not known

    double cutoff;    // pairs further apart do not matter
    double enough;    // a distance that ends the search; -infinity: none
    double tolerance; // metres the answer may lie below the truth
    bool isSigned;    // depths are computed where bodies overlap
    bool isCommon;    // for overlapping bodies the result is 0 and a point of both

    wkContact* contacts; // NULL: only the closest result is needed
    int32_t contactCapacity;
    bool stopsWhenFull;
    bool wantsAll; // cells of both kinds are distinguished: no contact hides another
} wkMapQuestion;

// Results so far, in the frame of B.
typedef struct wkMapAnswer {
    wkDistanceResult closest; // distance is DBL_MAX before the first
    bool isUnknown;           // an unknown cell is the closest
    bool isOccupiedTouched;   // occupied cells are within the cutoff
    int32_t contactCount;
    int32_t visitCount; // cells evaluated
} wkMapAnswer;

// Reach of a shape from the origin of its frame; of an unbounded shape, that of its surface.
double wkMapBodyReach(const wkShape* shape);

// Largest distance at which a pair still matters.
double wkMapReach(const wkMapQuestion* question, const wkMapAnswer* answer);

// Takes the result for a cell of B or the space beyond it, whose parts are filled in.
// @return wk_stepStop when nothing more is needed
wkStep wkTakeCell(const wkMapQuestion* question, const wkDistanceResult* found, bool isUnknown,
                  wkMapAnswer* answer);

// The searches: all results go through wkTakeCell.
void wkSearchCells(const wkMapQuestion* question, wkMapAnswer* answer); // A is not a map
void wkSearchMaps(const wkMapQuestion* question, wkMapAnswer* answer);

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

// The public queries about pairs that include a map.
wkDistanceResult wkDistanceOfMaps(const wkShape* a, const wkPose* poseA, const wkShape* b,
                                  const wkPose* poseB, const wkDistanceRequest* request);
wkCollideResult wkCollideMaps(const wkShape* a, const wkPose* poseA, const wkShape* b,
                              const wkPose* poseB, const wkCollideRequest* request);

// The same for a body that is not a map, where the cells near it are known; NULL: not known.
wkCollideResult wkCollideNearMap(const wkShape* a, const wkPose* poseA, const wkShape* b,
                                 const wkPose* poseB, const wkCollideRequest* request,
                                 const wkCubes* near);

// The closest point of a map, in its frame: see wkShape_ClosestPoint.
void wkNearMap(const wkShape* shape, wkVec3d point, double cutoff, wkPointResult* result);
