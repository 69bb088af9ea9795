// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Looks at spheres the plain way: random points of a surface, and random points of spheres.

#include "kit.h"
#include "scenes/mesh_zoo.h"
#include "whisker/sphere_model.h"

// Bounded types of shapes that are convex.
#define FIT_CONVEX_COUNT 8
extern const wkShapeType fitConvexTypes[FIT_CONVEX_COUNT];

// Triangles of a surface to draw random points from.
typedef struct fitSurface {
    wkShape shape;
    wkVec3d* vertices;
    int32_t* indices;
    int32_t triangleCount;
    double size; // diagonal of its bounds
} fitSurface;

void fitSurface_Create(const wkShape* shape, fitSurface* surface);
void fitSurface_Destroy(fitSurface* surface);

// A point of the true surface, also where it bulges out between triangles.
wkVec3d fitSurface_Point(const fitSurface* surface, wkRng* rng);

// How far the worst of some random points of the surface is outside of all spheres; negative: none is.
double fitWorstGap(const fitSurface* surface, const wkSphere3d* spheres, int32_t count, int points,
                   wkRng* rng);

// How far the worst of some random points on the spheres is outside of the shape.
double fitWorstProtrusion(const wkShape* shape, const wkSphere3d* spheres, int32_t count,
                          int points, wkRng* rng);

// Fails the test unless random points of a body are in spheres of its link.
void fitCheckCovered(const wkSphereModel* model, const wkBodyInfo* body, int points, wkRng* rng);

// A solid mesh of a model; the caller destroys it.
wkMesh* fitMakeSolid(const wkModel* model);

// What random points may be off by in a shape of that size.
#define FIT_ROUNDING 1e-8
