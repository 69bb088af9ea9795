// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The scene of `whisker demo`: the ten shapes and a mesh, standing, lying and leaning on each other.

#include "whisker/whisker.h"

// Places in wkDemoScene.bodies.
typedef enum wkDemoPlace {
    wk_demoSphere,
    wk_demoBox,
    wk_demoCapsule,
    wk_demoCylinder,
    wk_demoCone,
    wk_demoEllipsoid,
    wk_demoConvex,
    wk_demoTriangle,
    wk_demoMesh,
    wk_demoHalfspace,
    wk_demoPlane,
    wk_demoBodyCount,
} wkDemoPlace;

typedef struct wkDemoBody {
    wkShape shape;
    wkPose pose;
    const char* name;
} wkDemoBody;

typedef struct wkDemoScene {
    wkDemoBody bodies[wk_demoBodyCount];
    wkHull* hull; // what the convex body borrows
    wkMesh* mesh; // what the knot borrows
    wkMesh* skin; // the same as a surface, which is faster to draw
    wkRay ray;    // aimed at the cone
} wkDemoScene;

wkResult wkDemoScene_Create(wkDemoScene* scene);
void wkDemoScene_Destroy(wkDemoScene* scene);
