// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What hulls look like while they are built: loops of indices into the caller's points. Steps:
//   points -> wkFindHullAxes -> wkDraftFlat or wkDraftQhull, or faces -> wkDraftGiven
//   -> wkDraftMerge -> wkHullFromDraft -> wkWriteHullPlanes -> wkMeasureHull -> wkFitHullSpheres

#include "math/vec.h"
#include "whisker/hull.h"

typedef struct wkHullDraft {
    const wkVec3d* points; // the caller's
    int32_t pointCount;
    wkVec3d center;   // middle of the box around the points: sums are taken relative to it
    double extent;    // largest edge of that box
    double tolerance; // what the rounding of the given coordinates can hide, in metres

    // Corners of the faces, anticlockwise from outside, face by face. Without faces (a segment or a
    // point) the corners are the one or two vertices.
    int32_t faceCount;
    int32_t cornerCount;
    int32_t* faceStarts; // faceCount + 1
    int32_t* corners;
    int32_t faceCapacity;
    int32_t cornerCapacity;
} wkHullDraft;

// Makes room, losing what was there. Either all or nothing.
wkResult wkDraftReserve(wkHullDraft* draft, int32_t faceCapacity, int32_t cornerCapacity);
void wkDraftRelease(wkHullDraft* draft);

// Corner after `corner` in the loop of `face`.
WK_FN int32_t wkNextCorner(const wkHullDraft* draft, int32_t face, int32_t corner)
{
    return corner + 1 < draft->faceStarts[face + 1] ? corner + 1 : draft->faceStarts[face];
}

// Point of a corner.
WK_FN wkVec3d wkCornerPoint(const wkHullDraft* draft, int32_t corner)
{
    return draft->points[draft->corners[corner]];
}

// Twice the area of a face times its outward normal.
wkVec3d wkDraftAreaVector(const wkHullDraft* draft, int32_t face);

// Unit outward normal of a face; zero when it has no area.
wkVec3d wkDraftNormal(const wkHullDraft* draft, int32_t face);

// True when `point` lies within the tolerance of the segment between two others.
bool wkDraftIsBetween(const wkHullDraft* draft, int32_t point, int32_t from, int32_t to);

// Every corner starts an edge; the twin of an edge runs the other way in the face across.
typedef struct wkHullEdges {
    int32_t* twins; // by corner
    int32_t* faces; // by corner: whose loop it is in
    int32_t cornerCount;
    int32_t openFace; // face with an edge that has no twin or more than one; -1: closed
} wkHullEdges;

wkResult wkFindHullEdges(const wkHullDraft* draft, wkHullEdges* edges);
void wkReleaseHullEdges(wkHullEdges* edges);

// Axes along which a point set is long, wide and thick.
typedef struct wkHullAxes {
    int rank;          // 0: a point, 1: a segment, 2: flat, 3: solid
    wkVec3d origin;    // one of the points
    wkVec3d axes[3];   // unit, orthogonal
    double extents[3]; // largest coordinate along each axis, > 0 below the rank
    int32_t farthest;  // one of the two points furthest along the first axis
} wkHullAxes;

wkHullAxes wkFindHullAxes(const wkHullDraft* draft);

// Coordinates along the axes, scaled to about -1 .. 1: the hull has the same faces there, and thin
// point sets are thin no more.
WK_FN wkVec3d wkToHullAxes(const wkHullAxes* axes, wkVec3d point)
{
    wkVec3d d = wkSub(point, axes->origin);
    wkVec3d local = wkVec(0.0, 0.0, 0.0);
    local.x = axes->rank > 0 ? wkDot(axes->axes[0], d) / axes->extents[0] : 0.0;
    local.y = axes->rank > 1 ? wkDot(axes->axes[1], d) / axes->extents[1] : 0.0;
    local.z = axes->rank > 2 ? wkDot(axes->axes[2], d) / axes->extents[2] : 0.0;
    return local;
}

// Points of rank 0, 1 or 2.
wkResult wkDraftFlat(wkHullDraft* draft, const wkHullAxes* axes);

// Points of rank 3.
wkResult wkDraftQhull(wkHullDraft* draft, const wkHullAxes* axes);

// Faces given by the caller, checked.
wkResult wkDraftGiven(wkHullDraft* draft, const wkHullDef* def);

// Joins faces that lie in one plane to rounding, and drops the corners
// that no longer bound anything.
wkResult wkDraftMerge(wkHullDraft* draft);

// Copies into one block; wkHull_Destroy releases it. The two functions below fill in the rest.
wkResult wkHullFromDraft(const wkHullDraft* draft, wkHull** hull);

void wkWriteHullPlanes(const wkHullDraft* draft, const wkHullEdges* edges, wkHull* hull);

// Last, because it takes vertices and balls.
void wkWriteHullCells(wkHull* hull);

// Mass, area and mean width.
void wkMeasureHull(const wkHullDraft* draft, const wkHullEdges* edges, wkHull* hull);

// The spheres around and inside a hull that has been measured.
void wkFitHullSpheres(const wkHullDraft* draft, wkHull* hull);
