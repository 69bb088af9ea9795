// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The search for a short translation that separates two bodies: along single directions, over a grid of directions, and
// locally around the best of them.

#include "math/frame.h"

#include "whisker/query.h"

// Directions that are refined.
#define WK_SEPARATION_KEPT 4

// A direction, and the least translation along it after which the bodies are apart.
typedef struct wkSeparationWay {
    double length; // infinite: none
    wkVec3d direction;
    wkVec3d normal; // from A to B, where the bodies are nearest afterwards
} wkSeparationWay;

typedef struct wkSeparationSearch {
    const wkShape* a;
    const wkShape* b;
    wkPose poseA;
    wkPose poseB;
    double margin;
    double tolerance;
    double
        stride; // the least step outward, as a share of the shortest way: narrower gaps may be missed
    double roughGap; // what may be left of a gap while ways are compared, as a share of the length
    double scale;    // of the lengths that enter computations
    double furthest; // no translation that matters is longer
    bool hasTrueDepth; // signed distances are depths: no translation below them separates
    int32_t queriesLeft;
    wkSeparationWay kept[WK_SEPARATION_KEPT]; // shortest first; no two of them are nearly parallel
} wkSeparationSearch;

// The distance after a translation of B. Of overlapping bodies without true depth it is 0, with a common point.
wkDistanceResult wkSeparationMeasure(wkSeparationSearch* search, wkVec3d translation);

// Finds how far B moves along a unit direction until the bodies are apart, from a length on, and keeps the way.
// @return whether it is the shortest
bool wkSeparationTry(wkSeparationSearch* search, wkVec3d direction, double from);

// Starts where the convex hulls are apart along one of some unit directions, the one where that is soonest. This finds a
// way for all bounded bodies.
void wkSeparationTryHulls(wkSeparationSearch* search, const wkVec3d* directions, int count);

// Tries directions all over the sphere, given in a frame, each from a share of the shortest length on, until a way is no
// longer than `enough`.
void wkSeparationTryAll(wkSeparationSearch* search, const wkMat3d* axes, int count, double from,
                        double enough);

// Moves the kept directions towards the normals where bodies are nearest, and by smaller and smaller angles. The
// shortest way is kept alone.
void wkSeparationRefine(wkSeparationSearch* search, double enough);

// Takes off the shortest way what is left of its gap.
void wkSeparationFinish(wkSeparationSearch* search);

// Climbs from a point to one whose depths in both bodies have a large sum, and returns it, rounded down: no shorter
// translation separates the bodies.
double wkSeparationDepthSum(const wkSeparationSearch* search, wkVec3d start);
