// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Rays of a pinhole camera. See mesh_rays.h.

#include "mesh/mesh_rays.h"

#include "../tests/scenes/scene_math.h"

// Pixels from the eye to the image, as in the first depth cameras for robots.
#define FOCAL_LENGTH 525.0

static wkVec3d unit(wkVec3d v)
{
    return wkSceneScale(v, 1.0 / wkSceneLength(v));
}

void wkMakeCameraRays(wkVec3d eye, wkVec3d target, wkRay* rays)
{
    wkVec3d ahead = unit(wkSceneSub(target, eye));
    wkVec3d right = unit(wkSceneCross(ahead, wkSceneVec(0.0, 0.0, 1.0)));
    wkVec3d down = wkSceneCross(ahead, right);
    for (int row = 0; row < WK_IMAGE_HEIGHT; row++) {
        for (int column = 0; column < WK_IMAGE_WIDTH; column++) {
            double x = (column + 0.5 - 0.5 * WK_IMAGE_WIDTH) / FOCAL_LENGTH;
            double y = (row + 0.5 - 0.5 * WK_IMAGE_HEIGHT) / FOCAL_LENGTH;
            wkVec3d across = wkSceneAdd(wkSceneScale(right, x), wkSceneScale(down, y));
            wkRay ray = {eye, unit(wkSceneAdd(ahead, across)), INFINITY};
            rays[row * WK_IMAGE_WIDTH + column] = ray;
        }
    }
}
