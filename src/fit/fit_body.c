// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Comparison of bodies.

#include "fit/fit_surface.h"

#include <string.h>

// Bytes that determine a shape beside its type, rounding and padding. Other types never compare equal.
static const size_t byteCounts[wk_shapeTypeCount] = {
    [wk_shapeSphere] = sizeof(wkSphere),     [wk_shapeCapsule] = sizeof(wkCapsule),
    [wk_shapeBox] = sizeof(wkBox),           [wk_shapeCylinder] = sizeof(wkCylinder),
    [wk_shapeCone] = sizeof(wkCone),         [wk_shapeEllipsoid] = sizeof(wkEllipsoid),
    [wk_shapeTriangle] = sizeof(wkTriangle), [wk_shapeHull] = sizeof(const wkHull*),
    [wk_shapeMesh] = sizeof(const wkMesh*),  [wk_shapeHeightField] = sizeof(const wkHeightField*),
};

static bool areShapesAlike(const wkShape* a, const wkShape* b)
{
    size_t byteCount = byteCounts[a->type];
    return a->type == b->type && a->rounding == b->rounding && a->padding == b->padding &&
           byteCount > 0 && memcmp(&a->sphere, &b->sphere, byteCount) == 0;
}

bool wkAreBodiesAlike(const wkFitBody* a, const wkFitBody* b, int32_t count)
{
    for (int32_t i = 0; i < count; ++i) {
        if (!areShapesAlike(a[i].shape, b[i].shape) ||
            memcmp(&a[i].pose, &b[i].pose, sizeof a[i].pose) != 0) {
            return false;
        }
    }
    return true;
}
