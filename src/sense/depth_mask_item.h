// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Whether a pixel shows the robot itself, decided alike by the CPU and other devices. Code of this header is C, C++ and CUDA.

#include "sense/depth_sphere_item.h"

// More than the rounding of depths, which counts as noise, as a share.
#define WK_NOISE_SLACK 1e-5

// A sphere of the robot: it masks pixels whose surface, whatever the error of its depth, comes within it.
typedef struct wkOwnSphere {
    wkCameraSphere inCamera;
    double squaredRadius;
    wkPixelRange range; // pixels that it can mask
} wkOwnSphere;

WK_FN wkOwnSphere wkMakeOwnSphere(const wkDepthMap* map, const wkDepthMask* mask, int32_t index)
{
    const wkSphere3d* sphere = &mask->spheres[index];
    double radius = sphere->radius + mask->padding;
    wkOwnSphere own;
    own.inCamera = wkDepthMap_See(map, wkFrameLocal(&map->frame, sphere->center), radius);
    own.squaredRadius = radius * radius;
    own.range = wkDepthMap_Range(map, &own.inCamera);
    return own;
}

// Returns an upper bound on the end of a surface of a pixel that begins at `from`. A rectified pixel has
// surfaces up to the furthest of the pixels that it stands for, but the nearest one decides whether it shows
// the robot: depth - noise is solved for the depth.
WK_FN double wkNearestEnd(const wkDepthMap* map, double from, double end)
{
    const wkDepthMapDef* t = &map->def;
    double sum = (from + t->noise) * (1.0 + WK_NOISE_SLACK);
    double left = 1.0 - 4.0 * t->noiseSquare * (1.0 + WK_NOISE_SLACK) * sum;
    if (!map->isStraightened || !(left > 0.0)) {
        return end; // not rectified, or the noise exceeds any depth
    }
    double depth = 2.0 * sum / (1.0 + sqrt(left));
    return wkMinD(end, from + 2.0 * (depth * (1.0 + WK_NOISE_SLACK) - from));
}

// Returns whether a pixel shows the robot: the part of its center ray between the bounds of its surface meets the sphere.
WK_FN bool wkIsMaskedBy(const wkDepthMap* map, const wkOwnSphere* sphere, int32_t u, int32_t v,
                        float freeTo, float surfaceEnd)
{
    double from = (double)freeTo;
    if (!(surfaceEnd >= 0.0f && from <= sphere->inCamera.deepest)) {
        return false;
    }
    double to = wkNearestEnd(map, from, (double)surfaceEnd - map->def.thickness);
    double a = wkSlopeOfColumn(map, u), b = wkSlopeOfRow(map, v);
    wkVec3d ray = {a, b, 1.0};
    double along = wkClamp(wkDot(ray, sphere->inCamera.center) / wkDot(ray, ray), from, to);
    wkVec3d apart = wkSub(wkScale(along, ray), sphere->inCamera.center);
    return wkDot(apart, apart) <= sphere->squaredRadius;
}
