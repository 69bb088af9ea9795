// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Which few things a bundle of rays can meet: those through a tile of pixels, or those from the points
// that a tile shows to the lamp.

#include "picture.h"

// Rays that start within `radius` of the origin and leave a line along `direction`, which has unit
// length, by no more than `spread` per metre.
typedef struct wkBundle {
    wkVec3d origin;
    wkVec3d direction;
    double radius;
    double spread;
} wkBundle;

// One of them, and how far its rays go at least to meet it.
typedef struct wkNearVisible {
    const wkVisible* visible;
    double nearest;
} wkNearVisible;

#define WK_NEARBY_CAPACITY 128

// The nearest first.
typedef struct wkNearby {
    wkNearVisible items[WK_NEARBY_CAPACITY];
    int count;
} wkNearby;

// What rays of the bundle may meet. More than the capacity: those nearest, so what is far away may be
// missing in a picture of thousands of things in a row.
void wkGatherAlong(const wkVisibles* visibles, const wkBundle* bundle, wkNearby* nearby);

// What is within a distance of a point, with its distance as `nearest`.
void wkGatherAround(const wkVisibles* visibles, wkVec3d point, double distance, wkNearby* nearby);

// Lower bound of the distance of a point to a visible.
double wkBoundDistance(const wkVisible* visible, wkVec3d point);

// The first that a ray meets; NULL: none.
const wkVisible* wkFindNearest(const wkNearby* nearby, wkRay ray, wkRayResult* hit);

// True when a ray meets any. Those that are met move to the front: neighbours meet them too.
bool wkMeetsAny(wkNearby* nearby, wkRay ray);
