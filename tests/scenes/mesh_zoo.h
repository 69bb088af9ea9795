// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Small meshes of every sort, each with every volume and every split, and bodies made from them that
// can be taken apart again: a query about the body must say what queries about its parts say.

#include "mesh_models.h"
#include "shapes.h"

#include "whisker/detail/counts.h"

#ifdef __cplusplus
extern "C" {
#endif

#define WK_ZOO_VARIANTS (WK_VOLUME_KIND_COUNT * WK_SPLIT_METHOD_COUNT)

// One set of triangles. `variants` are in order of volumes, then of splits.
typedef struct wkZooRow {
    const char* name;
    wkModel model;
    double reach; // largest coordinate
    wkMesh* variants[WK_ZOO_VARIANTS];
} wkZooRow;

#define WK_ZOO_COUNT 19

typedef struct wkZoo {
    wkZooRow rows[WK_ZOO_COUNT];
} wkZoo;

// Makes all surfaces; false when memory is short.
bool wkZoo_Create(wkZoo* zoo, uint64_t seed);

void wkZoo_Destroy(wkZoo* zoo);

// A convex shape or one of the meshes, and where it is.
typedef struct wkZooBody {
    const wkZooRow* row; // NULL: `shape` is convex
    wkShape shape;       // with rounding and padding; the mesh is filled in by wkZooShape
    wkPose pose;
} wkZooBody;

// The body with that variant of its mesh.
wkShape wkZooShape(const wkZooBody* body, int variant);

// The convex shapes that it consists of: triangles with its rounding and padding, or itself.
int32_t wkZooPartCount(const wkZooBody* body);
wkShape wkZooPart(const wkZooBody* body, int64_t part);

// Two bodies near each other; the first is a mesh.
typedef struct wkZooPair {
    wkZooBody a;
    wkZooBody b;
    double scale; // of the numbers in the frame of a body
    double world; // of the numbers in the world
} wkZooPair;

// A random pair about `type`: a convex one or wk_shapeMesh. They touch, are a little apart or far,
// stand free or on a grid, near the world's origin or far from it.
wkZooPair wkZooRandomPair(const wkZoo* zoo, const wkShapeBank* bank, wkRng* rng, int rowA,
                          wkShapeType type);

#ifdef __cplusplus
}
#endif
