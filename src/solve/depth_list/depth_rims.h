// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Finds where two rims are shallowest against each other: the piece of B - A that is curved both ways.

#include "math/vec.h"

// One rim of each core, i and j, radiusJ <= radiusI. Coordinates are those of the frame of i: x in the plane
// of both axes and across that of i, y across both axes, z along the axis of i. The axis of j is (sine, 0,
// cosine). p points from the middle of rim j, negated about the origin, to that of rim i, so that normals n
// and points u of the unit circles about both axes have the depth
//
//     n . (radiusI ui + radiusJ uj - p),    ui and uj furthest along n,
//
// and p.y >= 0: of a normal and its mirror image across y = 0 the one with n.y >= 0 is no deeper.
typedef struct wkRimPair {
    double radiusI, radiusJ;
    double cosine, sine; // the latter is not negative
    wkVec3d p;
    double alongJ;       // p . axis of j
    double sideI, sideJ; // 1 or -1: the end of the axis that the rim is at
    double leanI, leanJ; // normals of the rim have side * n . axis >= -lean
} wkRimPair;

typedef struct wkRimContact {
    double depth;   // smallest found so far
    wkVec3d normal; // in the frame of i
} wkRimContact;

typedef enum wkRimSearch {
    wk_rimsFarther, // no minimum is below contact->depth by more than `tolerance`
    wk_rimsNearer,  // the least one has been written to `contact`
    wk_rimsUnknown, // a minimum too flat to separate from its neighbours
} wkRimSearch;

wkRimSearch wkSearchRims(const wkRimPair* rims, double tolerance, wkRimContact* contact);
