// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Hulls under construction: loops of indices into the caller's points. Steps:
//   points -> wkFindHullAxes -> wkBuilderFlat or wkBuilderQhull, or faces -> wkBuilderGiven
//   -> wkBuilderMerge -> wkHullFromBuilder -> wkWriteHullPlanes -> wkMeasureHull -> wkFitHullSpheres

#include "math/vec.h"
#include "whisker/hull.h"

typedef struct wkHullBuilder {
    const wkVec3d* points; // the caller's
    int32_t pointCount;
    wkVec3d center;   // middle of the box around the points: sums are taken relative to it
    double extent;    // largest edge of that box
    double tolerance; // error bound of the given coordinates, in metres

    // Vertices of the faces, anticlockwise from outside, face by face. Without faces (a segment or a point)
    // these are the one or two vertices.
    int32_t faceCount;
    int32_t vertexCount;
    int32_t* faceStarts; // faceCount + 1
    int32_t* vertices;
    int32_t faceCapacity;
    int32_t vertexCapacity;
} wkHullBuilder;

// Allocates capacity and discards the previous content. On failure nothing is allocated.
wkResult wkBuilderReserve(wkHullBuilder* builder, int32_t faceCapacity, int32_t vertexCapacity);
void wkBuilderRelease(wkHullBuilder* builder);

// Returns the vertex after `vertex` in the loop of `face`.
WK_FN int32_t wkNextVertex(const wkHullBuilder* builder, int32_t face, int32_t vertex)
{
    return vertex + 1 < builder->faceStarts[face + 1] ? vertex + 1 : builder->faceStarts[face];
}

// Returns the point of a vertex.
WK_FN wkVec3d wkVertexPoint(const wkHullBuilder* builder, int32_t vertex)
{
    return builder->points[builder->vertices[vertex]];
}

// Returns twice the area of a face times its outward normal.
wkVec3d wkBuilderAreaVector(const wkHullBuilder* builder, int32_t face);

// Returns the unit outward normal of a face; zero when it has no area.
wkVec3d wkBuilderNormal(const wkHullBuilder* builder, int32_t face);

// Returns true when `point` lies within the tolerance of the segment between two others.
bool wkBuilderIsBetween(const wkHullBuilder* builder, int32_t point, int32_t from, int32_t to);

// Every vertex of a loop starts an edge; its twin is the opposite edge in the adjacent face.
typedef struct wkHullEdges {
    int32_t* twins; // by vertex
    int32_t* faces; // by vertex: the face whose loop it is in
    int32_t vertexCount;
    int32_t openFace; // face with an edge that has no twin or more than one; -1: closed
} wkHullEdges;

wkResult wkFindHullEdges(const wkHullBuilder* builder, wkHullEdges* edges);
void wkReleaseHullEdges(wkHullEdges* edges);

// Axes of a point set, by decreasing extent.
typedef struct wkHullAxes {
    int rank;          // 0: a point, 1: a segment, 2: flat, 3: solid
    wkVec3d origin;    // one of the points
    wkVec3d axes[3];   // unit, orthogonal
    double extents[3]; // largest coordinate along each axis, > 0 below the rank
    int32_t farthest;  // one of the two points furthest along the first axis
} wkHullAxes;

wkHullAxes wkFindHullAxes(const wkHullBuilder* builder);

// Returns coordinates along the axes, scaled to about -1 .. 1: the hull has the same faces there, and thin
// point sets are no longer thin.
WK_FN wkVec3d wkToHullAxes(const wkHullAxes* axes, wkVec3d point)
{
    wkVec3d d = wkSub(point, axes->origin);
    wkVec3d local = wkVec(0.0, 0.0, 0.0);
    local.x = axes->rank > 0 ? wkDot(axes->axes[0], d) / axes->extents[0] : 0.0;
    local.y = axes->rank > 1 ? wkDot(axes->axes[1], d) / axes->extents[1] : 0.0;
    local.z = axes->rank > 2 ? wkDot(axes->axes[2], d) / axes->extents[2] : 0.0;
    return local;
}

// Builds the hull of a definition's points, which are not checked. The builder must be released in any case.
wkResult wkBuilderFromPoints(const wkHullDef* def, wkHullBuilder* builder, int* rank);

// Builds the hull of points of rank 0, 1 or 2.
wkResult wkBuilderFlat(wkHullBuilder* builder, const wkHullAxes* axes);

// Builds the hull of points of rank 3.
wkResult wkBuilderQhull(wkHullBuilder* builder, const wkHullAxes* axes);

// Copies and checks the faces given by the caller.
wkResult wkBuilderGiven(wkHullBuilder* builder, const wkHullDef* def);

// Merges faces that lie in one plane up to rounding, and removes vertices that no longer bound a face.
wkResult wkBuilderMerge(wkHullBuilder* builder);

// Copies into one block; wkHull_Destroy releases it. The functions below fill in the rest.
wkResult wkHullFromBuilder(const wkHullBuilder* builder, wkHull** hull);

void wkWriteHullPlanes(const wkHullBuilder* builder, const wkHullEdges* edges, wkHull* hull);

// Called last, because it needs vertices and spheres.
void wkWriteHullCells(wkHull* hull);

// Computes mass, area and mean width.
void wkMeasureHull(const wkHullBuilder* builder, const wkHullEdges* edges, wkHull* hull);

// Fits the spheres around and inside a hull that has been measured.
void wkFitHullSpheres(const wkHullBuilder* builder, wkHull* hull);
