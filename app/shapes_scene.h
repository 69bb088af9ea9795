// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The scene of `whisker shapes`: the ten shapes and a mesh, standing, lying and leaning on each other.

#include "whisker/whisker.h"

// Indices in wkShapesScene.bodies.
typedef enum wkShapesSlot {
    wk_shapesSphere,
    wk_shapesBox,
    wk_shapesCapsule,
    wk_shapesCylinder,
    wk_shapesCone,
    wk_shapesEllipsoid,
    wk_shapesConvex,
    wk_shapesTriangle,
    wk_shapesMesh,
    wk_shapesHalfspace,
    wk_shapesPlane,
    wk_shapesBodyCount,
} wkShapesSlot;

typedef struct wkShapesBody {
    wkShape shape;
    wkPose pose;
    const char* name;
} wkShapesBody;

typedef struct wkShapesScene {
    wkShapesBody bodies[wk_shapesBodyCount];
    wkHull* hull;    // borrowed by the convex body
    wkMesh* mesh;    // borrowed by the knot
    wkMesh* surface; // the same as a surface, which is faster to draw
    wkRay ray;       // aimed at the cone
} wkShapesScene;

wkResult wkShapesScene_Create(wkShapesScene* scene);
void wkShapesScene_Destroy(wkShapesScene* scene);
