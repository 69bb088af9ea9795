// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

#include "sense/pixel_rays.h"

#include "sense/depth_item.h"
#include "whisker/detail/device.h"

// Pixels of a row that begin at the solution of the first of them. Shares of the length change slowly: with 32 of them,
// undistortion takes about as long as from pixel to pixel.
#define TILE 32

wkRowRays wkMakeRowRays(const wkLens* lens, int32_t v)
{
    const wkCamera* camera = &lens->camera;
    wkRowRays rays = {lens, {1.0 / camera->fx, 1.0 / camera->fy}, v, -1, 1.0};
    return rays;
}

wkSlope wkRowRays_At(wkRowRays* rays, int32_t u)
{
    const wkLens* lens = rays->lens;
    if (u / TILE != rays->tile) {
        int32_t first = u / TILE * TILE;
        rays->tile = u / TILE;
        rays->share = 1.0;
        wkLens_UnbendNear(lens, wkBentSlope(&lens->camera, rays->perPixel, first, rays->v),
                          &rays->share);
    }
    double share = rays->share;
    return wkLens_UnbendNear(lens, wkBentSlope(&lens->camera, rays->perPixel, u, rays->v), &share);
}

wkResult wkCamera_Rays(const wkCamera* camera, double* rays)
{
    wkResult result = wkCamera_Check(camera);
    if (result != wk_ok) {
        return result;
    }
    wkLens lens = wkMakeLens(camera);
    for (int32_t v = 0; v < camera->height; ++v) {
        wkRowRays row = wkMakeRowRays(&lens, v);
        for (int32_t u = 0; u < camera->width; ++u) {
            wkSlope ray = wkRowRays_At(&row, u);
            bool isRay = isfinite(ray.x) && isfinite(ray.y);
            size_t at = 2 * ((size_t)v * (size_t)camera->width + (size_t)u);
            rays[at] = isRay ? ray.x : (double)NAN;
            rays[at + 1] = isRay ? ray.y : (double)NAN;
        }
    }
    return wk_ok;
}
