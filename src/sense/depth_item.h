// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// One pixel of a depth image and its point: what the CPU and other devices compute alike, so that their points have the
// same bits. Code of this header is C, C++ and CUDA.

#include "math/vec.h"
#include "sense/depth_image_impl.h"
#include "sense/slope.h"

// Returns what undistortion begins with: the slope of a pixel as the lens has bent it.
// @param perPixel 1 / fx and 1 / fy
WK_FN wkSlope wkBentSlope(const wkCamera* camera, wkSlope perPixel, int32_t u, int32_t v)
{
    wkSlope bent = {(u - camera->cx) * perPixel.x, (v - camera->cy) * perPixel.y};
    return bent;
}

// Returns whether a depth is within the limits of a request; false for one that was not measured.
WK_FN bool wkIsDepthWithin(const wkPixelRequest* request, float depth)
{
    double z = (double)depth;
    return z >= request->minDepth && z <= request->maxDepth;
}

// Returns whether a pixel is between two surfaces, or at the edge of one.
WK_FN bool wkIsFlyingPixel(const wkDepthImage* image, double maxJump, float depth, int32_t u,
                           int32_t v)
{
    const int32_t columns[4] = {u - 1, u + 1, u, u}, rows[4] = {v, v, v - 1, v + 1};
    for (int i = 0; i < 4; ++i) {
        float other = wkDepthAt(image, columns[i], rows[i]);
        // a pixel without a measurement is no neighbour: comparisons with NaN are false
        double jump = fabs((double)depth - (double)other);
        if (jump > maxJump * wkMinD((double)depth, (double)other)) {
            return true;
        }
    }
    return false;
}

// A point in the frame of the camera.
typedef struct wkPixelPoint {
    float x, y, z;
} wkPixelPoint;

WK_FN wkPixelPoint wkPointOnRay(wkSlope ray, float depth)
{
    wkPixelPoint point = {(float)(ray.x * (double)depth), (float)(ray.y * (double)depth), depth};
    return point;
}

// Returns the point of a pixel, all NaN where the request drops it or it has no ray.
// @param ray of the pixel; NaN: none
WK_FN wkPixelPoint wkPointOfPixel(const wkDepthImage* image, const wkPixelRequest* request,
                                  wkSlope ray, int32_t u, int32_t v)
{
    float depth = wkDepthInRow(image, wkDepthRow(image, v), u);
    bool isTaken = wkIsDepthWithin(request, depth) && isfinite(ray.x) && isfinite(ray.y);
    if (isTaken && request->maxJump < (double)INFINITY) {
        isTaken = !wkIsFlyingPixel(image, request->maxJump, depth, u, v);
    }
    wkPixelPoint none = {NAN, NAN, NAN};
    return isTaken ? wkPointOnRay(ray, depth) : none;
}
