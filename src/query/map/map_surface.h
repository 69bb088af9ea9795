// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A map against a surface of triangles.

#include "query/map/map_query.h"
#include "solve/pair.h"
#include "tree/bvh/tree_shape.h"

// The question about a cell and a triangle. Not to be copied: it points into itself.
typedef struct wkSurfaceAsk {
    bool isReady; // the rest is known: set when the first pair is near
    wkShape cell;
    wkShape triangle;
    wkPose cellPlace;
    wkPose trianglePlace;
    wkQuestion pair;
    double radii;   // of the spheres around both cores
    bool isVerdict; // all that is asked is whether they are near enough
} wkSurfaceAsk;

// The closest pair of a cell and a triangle: A is a surface with boxes.
void wkSearchSurface(const wkMapQuestion* question, wkSurfaceAsk* ask, wkMapAnswer* answer);

// The triangle of A that is closest to one cell, up to `reach` away; infinitely far when there is none.
void wkAskSurface(wkSurfaceAsk* ask, const wkMapQuestion* question, wkVec3d half, wkVec3d center,
                  double reach, wkDistanceResult* found);
