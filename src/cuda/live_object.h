// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Objects beside the points of a live field: shapes and cells of maps, in the frame of the field.
//
// An object is a box or a cylinder and a distance around it, so that spheres, capsules and cells of maps are objects, too.
// Its distance is exact but for rounding, which its radius includes.
//
// Each update marks the cells that objects may be in, beside those of points: then words are bounds for both. The cell of
// an object is marked where the sphere around the cell touches it. So the object is no further from the middle of a marked
// cell than its vertices are, and what live_field_item.h says of the upper bound of words holds.
//
// A sphere that words leave open is compared with objects themselves: tiles have lists of the objects whose bounds reach
// into them. Large ones, which would be in too many lists, are compared with every such sphere.

#include "base/compiler.h"

#include <stdint.h>

// One object. The sizes of a cylinder are its radius, WK_LIVE_CYLINDER and half its length.
typedef struct wkLiveObject {
    WK_ALIGNAS(16) float x;
    float y, z;
    float radius;  // around it, what rounding may move it by included
    float axes[9]; // of the object: x, then y, then z
    float half[3];
} wkLiveObject;

#define WK_LIVE_CYLINDER (-1.0f)

// Cells that the bounds of an object reach into, along each axis.
typedef struct wkLiveBounds {
    uint8_t first[3], last[3];
    uint8_t unused[2];
} wkLiveBounds;

// Cells by which an object may be further from the middle of a marked cell than its vertices are: rounding, twice.
#define WK_MARK_SLACK 2e-3f

// Tiles in whose lists an object may be, and entries of lists for each object that there is memory for. An object has 8
// entries where it is smaller than a tile, so that there are some for larger ones.
#define WK_LIVE_MOST_TILES 512
#define WK_LIVE_LISTED 32

// Objects as a check reads them. All pointers are to memory of the device.
typedef struct wkLiveObjects {
    const wkLiveObject* objects;
    const uint32_t* list; // of objects, by tile
    const struct wkLiveRange* tiles;
    int32_t listedCount;          // objects in lists, the first ones
    int32_t largeFirst, largeEnd; // others
} wkLiveObjects;

// Whether there are any: then checks need kernels that compare spheres with them.
WK_FN bool wkHasLiveObjects(const wkLiveObjects* objects)
{
    return objects->listedCount > 0 || objects->largeFirst < objects->largeEnd;
}
