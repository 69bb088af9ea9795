// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A map against a surface of triangles.

#include "query/map/map_query.h"
#include "solve/pair.h"
#include "tree/bvh/tree_shape.h"

// A query about a cell and a triangle. Not to be copied: it points into itself.
typedef struct wkSurfaceAsk {
    bool isReady; // the rest is set, which happens when the first pair is near
    wkShape cell;
    wkShape triangle;
    wkPose cellPose;
    wkPose trianglePose;
    wkQuestion pair;
    double radii;   // sum of the sphere radii around both cores
    bool isVerdict; // only whether they are near enough is requested
} wkSurfaceAsk;

// The closest pair of a cell and a triangle: A is a surface with boxes.
void wkSearchSurface(const wkBodyQuestion* question, wkSurfaceAsk* ask, wkBodyAnswer* answer);

// Finds the triangle of A closest to one cell, up to `reach` away; infinite distance when there is none.
void wkAskSurface(wkSurfaceAsk* ask, const wkBodyQuestion* question, wkVec3d half, wkVec3d center,
                  double reach, wkDistanceResult* found);
