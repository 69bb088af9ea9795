// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Culls objects for a bundle of rays: those through a tile of pixels, or those from the points of a tile to
// the lamp.

#include "picture.h"

// Rays that start within `radius` of the origin and diverge from a line along the unit vector `direction` by
// at most `spread` per metre.
typedef struct wkBundle {
    wkVec3d origin;
    wkVec3d direction;
    double radius;
    double spread;
} wkBundle;

// An object, and a lower bound of the distance at which rays meet it.
typedef struct wkNearVisible {
    const wkVisible* visible;
    double nearest;
} wkNearVisible;

#define WK_NEARBY_CAPACITY 128

// Objects, nearest first.
typedef struct wkNearby {
    wkNearVisible items[WK_NEARBY_CAPACITY];
    int count;
} wkNearby;

// Gathers the objects that rays of the bundle may meet. Beyond the capacity the nearest are kept, so far ones
// may be missing in a picture of thousands of objects in a row.
void wkGatherAlong(const wkVisibles* visibles, const wkBundle* bundle, wkNearby* nearby);

// Gathers the objects within a distance of a point, with their distances as `nearest`.
void wkGatherAround(const wkVisibles* visibles, wkVec3d point, double distance, wkNearby* nearby);

// Returns a lower bound of the distance of a point to an object.
double wkBoundDistance(const wkVisible* visible, wkVec3d point);

// Returns the first object that a ray meets; NULL: none.
const wkVisible* wkFindNearest(const wkNearby* nearby, wkRay ray, wkRayResult* hit);

// Returns true when a ray meets any object, which moves to the front: neighbouring rays meet it too.
bool wkMeetsAny(wkNearby* nearby, wkRay ray);
