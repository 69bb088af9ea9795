// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Contact points of two cores with a known normal: the faces that meet along it, clipped against each other.

#include "solve/pair.h"

// One contact between cores, in the frame of A.
typedef struct wkCorePoint {
    wkVec3d pointA;
    double depth; // pointB = pointA - depth * normal; negative when apart there
    double aside; // distance of the two points from their edges: 0 except for edges that cross
} wkCorePoint;

// Capacity for every clipped vertex: a polygon of WK_FACE_CAPACITY vertices gains one per clipping edge.
#define WK_MANIFOLD_CAPACITY (2 * WK_FACE_CAPACITY)

// Writes the contact points of the faces that meet along solution->normal, at most `depthRange` shallower
// than the deepest; none when the contact is a single point.
int wkFaceContacts(const wkPair* pair, const wkSolution* solution, double depthRange,
                   wkCorePoint* points);

// Fills solution->pointA and pointB for a known normal and distance.
void wkPlaceWitness(const wkPair* pair, wkSolution* solution);
