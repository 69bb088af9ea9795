// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Queries about pairs with an occupancy map in them. The distance to a map is the least of the
// distances to its cells: a walk finds those that may matter, each is asked as a box, and what is
// said about it is gathered here. Everything is in the frame of B, which is a map; A is any shape.

#include "query/map/map_walk.h"
#include "tree/bvh/tree_view.h"
#include "whisker/query.h"

// What is asked, and where the bodies are.
typedef struct wkMapQuestion {
    const wkShape* a;
    const wkShape* b;
    wkFrame aInB;
    wkPose poseOfA;  // the same as a pose
    double slack;    // rounding of places in the frame of B, subtracted from every distance
    wkMapView viewA; // when A is a map
    wkMapView viewB;
    const wkTreeView* treeA; // when A is a hierarchy
    const wkCubes* nearB;    // all cells of B that may matter; NULL: not known

    double cutoff;    // what is further apart does not matter
    double enough;    // a distance that ends the search; -infinity: none
    double tolerance; // metres the answer may lie below the truth
    bool isSigned;    // depths are wanted where bodies overlap
    bool isCommon;    // bodies that overlap are answered with 0 and a point of both

    wkContact* contacts; // NULL: the closest answer is all
    int32_t contactCapacity;
    bool stopsWhenFull;
    bool wantsAll; // cells of both kinds are told apart: no contact hides another
} wkMapQuestion;

// What was found so far, in the frame of B.
typedef struct wkMapAnswer {
    wkDistanceResult closest; // distance is DBL_MAX before the first
    bool isUnknown;           // an unknown cell is the closest
    bool isOccupiedTouched;   // occupied cells are within the cutoff
    int32_t contactCount;
    int32_t visitCount; // cells that were looked at
} wkMapAnswer;

// How far a shape reaches from the origin of its frame; of one without end, its surface.
double wkMapBodyReach(const wkShape* shape);

// How far apart two things may be to matter still.
double wkMapReach(const wkMapQuestion* question, const wkMapAnswer* answer);

// Takes what was found about a cell of B or the space beyond it, whose parts are filled in.
// @return wk_stepStop when nothing more is needed
wkStep wkTakeCell(const wkMapQuestion* question, const wkDistanceResult* found, bool isUnknown,
                  wkMapAnswer* answer);

// The searches: all that is found goes through wkTakeCell.
void wkSearchCells(const wkMapQuestion* question, wkMapAnswer* answer); // A is no map
void wkSearchMaps(const wkMapQuestion* question, wkMapAnswer* answer);

// Which cells of a map count: occupied ones, and unknown ones unless they are free.
wkMapView wkViewOfMap(const wkShape* shape);

// Whether anything about a map is not valid, and what.
bool wkMapIsValid(const wkShape* shape);
wkResult wkMapCheck(const wkShape* shape);

// One side of six of the space beyond a map: a half-space with the margins of the map.
wkShape wkBeyondMap(const wkShape* map, int side);

WK_FN bool wkIsMapType(wkShapeType type)
{
    return type == wk_shapeOctree;
}

// The public queries about pairs with a map in them.
wkDistanceResult wkDistanceOfMaps(const wkShape* a, const wkPose* poseA, const wkShape* b,
                                  const wkPose* poseB, const wkDistanceRequest* request);
wkCollideResult wkCollideMaps(const wkShape* a, const wkPose* poseA, const wkShape* b,
                              const wkPose* poseB, const wkCollideRequest* request);

// The same for a body that is no map, where it is known which cells are near it; NULL: it is not.
wkCollideResult wkCollideNearMap(const wkShape* a, const wkPose* poseA, const wkShape* b,
                                 const wkPose* poseB, const wkCollideRequest* request,
                                 const wkCubes* near);

// The closest point of a map, in its frame: see wkClosestPoint.
void wkNearMap(const wkShape* shape, wkVec3d point, double cutoff, wkPointResult* result);
