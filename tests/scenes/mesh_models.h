// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Triangle models made by formula, for tests and benchmarks that need no files.

#include "whisker/whisker.h"

#ifdef __cplusplus
extern "C" {
#endif

// Vertices and triangles of a model, before anything is built from them. All zero is an empty one.
typedef struct wkModel {
    wkVec3d* vertices;
    int32_t* indices; // three per triangle
    int32_t vertexCount;
    int32_t triangleCount;
    int32_t vertexCapacity;
    int32_t triangleCapacity;
} wkModel;

void wkModel_Free(wkModel* model);

// Makes room and appends; false when memory is short.
bool wkModel_AddVertex(wkModel* model, wkVec3d vertex);
bool wkModel_AddTriangle(wkModel* model, int32_t a, int32_t b, int32_t c);

// The default definition of a mesh of the model, which borrows its arrays.
wkMeshDef wkModel_MeshDef(const wkModel* model);

// Radius of the sphere about the origin around it.
double wkModel_Radius(const wkModel* model);

// Moves the centre of its bounding box to the origin and scales it.
void wkModel_Center(wkModel* model, double scale);

// The makers below append to the model, so that scenes are put together part by part; false when
// memory is short.

// A tube along a (2, 3) torus knot: not convex, 2 * around * across triangles.
bool wkModel_AddKnot(wkModel* model, double scale, double tubeRadius, int around, int across);

// A sphere with bumps of that share of its radius: 2 * (stacks - 1) * slices triangles.
bool wkModel_AddBlob(wkModel* model, wkVec3d center, double radius, double bump, int stacks,
                     int slices);

// A box whose faces are grids of `cells` by `cells` squares: 12 * cells * cells triangles.
bool wkModel_AddBox(wkModel* model, wkPose pose, wkVec3d half, int cells);

// The surface of a shape, with so many segments to a turn.
bool wkModel_AddShape(wkModel* model, const wkShape* shape, int segments);

// A furnished room of 6 by 5 by 2.6 metres with its floor at z = 0, about 50,000 triangles.
bool wkModel_AddRoom(wkModel* model);

#ifdef __cplusplus
}
#endif
