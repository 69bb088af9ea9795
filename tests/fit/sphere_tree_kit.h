// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Looks at sphere trees the plain way: all triangles, all spheres, all points.

#include "fit_kit.h"
#include "whisker/sphere_tree.h"

#include <math.h>

// A definition of one body with few spheres.
wkSphereTreeDef treeDefOf(const wkSphereTreeBody* bodies, int32_t count, int32_t innerCount);

// A random rotation, at a position with coordinates up to `reach`.
wkPose randomPose(wkRng* rng, double reach);

// Makes a tree, or fails the test.
wkSphereTree* makeTree(const wkSphereTreeDef* def);

// Distance of a point from the nearest triangle, and the winding number of all triangles around it.
double distanceToTriangles(const wkModel* model, wkVec3d point);
double windingNumber(const wkModel* model, wkVec3d point);

// Fails unless the inner spheres do not overlap each other.
void checkApart(const wkSphereTree* tree);

// Least distance of a point, with a radius, from the inner or outer spheres of a tree at a pose.
double distanceToSpheres(const wkPlacedSphereTree* placed, bool isInner, wkVec3d point,
                         double radius, int32_t* sphere);
