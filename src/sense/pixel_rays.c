// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

#include "sense/pixel_rays.h"

#include "sense/depth_item.h"
#include "whisker/detail/device.h"

// Columns of a tile. The share of the length changes slowly: with 32 of them, a pixel takes hardly more steps than from
// the solution of its neighbour.
#define TILE 32

wkRowRays wkMakeRowRays(const wkLens* lens, int32_t v)
{
    const wkCamera* camera = &lens->camera;
    wkRowRays rays = {lens, {1.0 / camera->fx, 1.0 / camera->fy}, v, -1, 1.0, 1.0};
    return rays;
}

static wkSlope bentSlope(const wkRowRays* rays, int32_t u)
{
    return wkBentSlope(&rays->lens->camera, rays->perPixel, u, rays->v);
}

// Returns the share of the first column of a tile.
static double shareOf(const wkRowRays* rays, int32_t tile)
{
    double share = 1.0;
    wkLens_UnbendNear(rays->lens, bentSlope(rays, tile * TILE), &share);
    return share;
}

wkSlope wkRowRays_At(wkRowRays* rays, int32_t u)
{
    int32_t tile = u / TILE;
    if (tile != rays->tile) {
        bool isNext = rays->tile >= 0 && tile == rays->tile + 1;
        rays->first = isNext ? rays->end : shareOf(rays, tile);
        rays->end = shareOf(rays, tile + 1);
        rays->tile = tile;
    }
    double share = rays->first + (rays->end - rays->first) * (u % TILE) * (1.0 / TILE);
    return wkLens_UnbendNear(rays->lens, bentSlope(rays, u), &share);
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
