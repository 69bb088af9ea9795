// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Truths of mesh questions in double, apart from the library: distances of triangles by their
// features, overlaps by separating axes, over a plain binary tree of boxes. Some questions are
// answered again over all pairs of triangles, so that the tree is checked as well.

#include "../tests/scenes/mesh_models.h"

#ifdef __cplusplus
extern "C" {
#endif

// What is known about a pair of models in one pose.
typedef struct wkMeshTruth {
    double distance;       // 0 when touching
    double depth;          // of the deepest pair of triangles
    int32_t surePairs;     // pairs of triangles that touch, beyond doubt
    int32_t possiblePairs; // and those that rounding could decide either way
} wkMeshTruth;

// Where a ray meets a model: beyond doubt, and perhaps (on an edge, within rounding). Infinite: not.
typedef struct wkRayTruth {
    double sure;
    double possible;
} wkRayTruth;

// A model with a tree.
typedef struct wkMeshChecker wkMeshChecker;

// NULL when memory is short. Borrows the model.
wkMeshChecker* wkMeshChecker_Create(const wkModel* model);

void wkMeshChecker_Destroy(wkMeshChecker* checker);

// The truth about another model in a pose. Lengths below `slack` are rounding.
wkMeshTruth wkProveMeshes(wkMeshChecker* fixed, const wkModel* moving, wkPose pose, double slack);

// The same over all pairs of triangles.
wkMeshTruth wkProveMeshesByAll(const wkModel* fixed, const wkModel* moving, wkPose pose,
                               double slack);

// The first hit of a ray with a unit direction.
wkRayTruth wkProveRay(const wkMeshChecker* checker, const wkRay* ray, double slack);

// How far two triangles are apart along their best axis; negative by their depth when they overlap.
double wkTriangleGap(const wkVec3d* a, const wkVec3d* b);

#ifdef __cplusplus
}
#endif
