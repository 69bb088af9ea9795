// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Finds the observed surface nearest to a sphere by descending the tree over surfaces.
//
// The surface of a pixel is the segment of its center ray from where it can begin to where it ends, with
// the whole pixel around it. The distance from a sphere is that from the segment, less half a pixel
// at the deeper one of the two; so the distance is never above 0 for a sphere that hits a surface.

#include "sense/depth_sphere_item.h"

#include <math.h>

typedef struct nearSearch {
    const wkDepthMap* map;
    const wkCameraSphere* sphere;
    wkDepthClearanceResult best;
    bool isFound;
    wkVec3d point; // of the nearest surface so far, in the frame of the camera
} nearSearch;

// Returns how far pixels extend from their center rays between the camera and a depth, or the sphere.
static double pixelReach(const nearSearch* s, double depth)
{
    return s->map->halfPixel * wkMaxD(depth, wkMaxD(s->sphere->deepest, 0.0));
}

static void checkPixel(nearSearch* s, int32_t u, int32_t v)
{
    size_t i = (size_t)v * (size_t)s->map->pitch + (size_t)u;
    double end = (double)s->map->surfaceEnd[i];
    if (end < 0.0) {
        return;
    }
    wkVec3d ray = {wkSlopeOfColumn(s->map, u), wkSlopeOfRow(s->map, v), 1.0};
    double along = wkDot(ray, s->sphere->center) / wkDot(ray, ray);
    wkVec3d point = wkScale(wkClamp(along, (double)s->map->freeTo[i], end), ray);
    double taken = s->sphere->radius + pixelReach(s, end);
    double distance = wkLength(wkSub(s->sphere->center, point)) - taken;
    if (distance < s->best.distance) {
        s->best.distance = distance;
        s->best.u = u;
        s->best.v = v;
        s->point = point;
        s->isFound = true;
    }
}

// Returns the distance of `x` from an interval that grows with the depth from `low` to `high`.
static double gapAlong(double x, double low, double high, wkSurfaceRange range)
{
    double near = (double)range.nearest, far = (double)range.farthest;
    double least = wkMinD(low * near, low * far), most = wkMaxD(high * near, high * far);
    return wkMaxD(wkMaxD(least - x, x - most), 0.0);
}

// Returns a lower bound on the distance of all surfaces of a block.
static double leastDistance(const nearSearch* s, int32_t side, int32_t u, int32_t v,
                            wkSurfaceRange range)
{
    const wkDepthMap* map = s->map;
    wkVec3d c = s->sphere->center;
    wkVec3d gap = {
        gapAlong(c.x, wkSlopeOfColumn(map, u * side), wkSlopeOfColumn(map, u * side + side - 1),
                 range),
        gapAlong(c.y, wkSlopeOfRow(map, v * side), wkSlopeOfRow(map, v * side + side - 1), range),
        gapAlong(c.z, 1.0, 1.0, range)};
    double slack = 1e-12 * (wkLength(c) + (double)range.farthest);
    return wkLength(gap) - s->sphere->radius - pixelReach(s, (double)range.farthest) - slack;
}

static void checkPixels(nearSearch* s, int32_t left, int32_t top)
{
    const wkCamera* c = &s->map->camera;
    for (int32_t v = top; v < top + 8 && v < c->height; ++v) {
        for (int32_t u = left; u < left + 8 && u < c->width; ++u) {
            checkPixel(s, u, v);
        }
    }
}

// A block that is not checked yet.
typedef struct openBlock {
    double distance; // lower bound for all its surfaces
    int32_t u, v;
} openBlock;

// Lists those of eight by eight blocks that may be near enough.
static int32_t openBlocks(const nearSearch* s, int32_t level, int32_t left, int32_t top,
                          openBlock* blocks)
{
    const wkSurfaceLevel* surfaces = &s->map->surfaces[level];
    int32_t count = 0, side = 8 << (3 * level);
    for (int32_t v = top; v < top + 8 && v < surfaces->height; ++v) {
        for (int32_t u = left; u < left + 8 && u < surfaces->width; ++u) {
            wkSurfaceRange range = wkSurfaceLevel_Range(surfaces, u, v);
            if (range.farthest >= 0.0f) {
                blocks[count] = (openBlock){leastDistance(s, side, u, v, range), u, v};
                count += blocks[count].distance < s->best.distance;
            }
        }
    }
    return count;
}

// Checks the nearest block first, as long as a block may be near enough.
static void checkBlocks(nearSearch* s, int32_t level, int32_t left, int32_t top)
{
    openBlock blocks[64];
    int32_t count = openBlocks(s, level, left, top, blocks);
    while (count > 0) {
        int32_t nearest = 0;
        for (int32_t i = 1; i < count; ++i) {
            nearest = blocks[i].distance < blocks[nearest].distance ? i : nearest;
        }
        openBlock block = blocks[nearest];
        blocks[nearest] = blocks[--count];
        if (block.distance >= s->best.distance) {
            return;
        }
        if (level == 0) {
            checkPixels(s, 8 * block.u, 8 * block.v);
        } else {
            checkBlocks(s, level - 1, 8 * block.u, 8 * block.v);
        }
    }
}

// Checks a pixel near the projection of the center of the sphere, for a first bound.
static void checkStraight(nearSearch* s)
{
    const wkCamera* c = &s->map->camera;
    wkVec3d p = s->sphere->center;
    double z = wkMaxD(p.z, 1e-9);
    double u = wkClamp(p.x / z * c->fx + c->cx, 0.0, c->width - 1);
    double v = wkClamp(p.y / z * c->fy + c->cy, 0.0, c->height - 1);
    checkPixels(s, (int32_t)u & ~7, (int32_t)v & ~7);
}

static void searchMap(nearSearch* s)
{
    int32_t top = s->map->surfaceLevelCount - 1;
    if (s->map->camera.width > 0) {
        checkStraight(s);
        checkBlocks(s, top, 0, 0);
    }
}

wkDepthClearanceResult wkDepthMap_Clearance(const wkDepthMap* const* maps, int32_t mapCount,
                                            const wkSphere3d* spheres, int32_t count, double cutoff)
{
    wkDepthClearanceResult best = {.distance = cutoff, .sphere = -1, .map = -1, .u = -1, .v = -1};
    for (int32_t k = 0; k < count; ++k) {
        if (!wkIsSeeableSphere(&spheres[k])) {
            best.distance = NAN; // an invalid sphere has no position, so no distance holds
            best.sphere = k;
            return best;
        }
    }
    for (int32_t i = 0; i < mapCount; ++i) {
        for (int32_t k = 0; k < count; ++k) {
            wkCameraSphere sphere;
            wkDepthMap_Place(maps[i], &spheres[k], &sphere);
            nearSearch s = {maps[i], &sphere, best, false, {0.0, 0.0, 0.0}};
            searchMap(&s);
            if (s.isFound) {
                wkVec3d away = wkSub(sphere.center, s.point);
                wkVec3d normal = wkNormalizeOr(away, wkVec(0.0, 0.0, -1.0));
                best = s.best;
                best.map = i;
                best.sphere = k;
                best.point = wkFramePoint(&maps[i]->frame, s.point);
                best.normal = wkMulMV(&maps[i]->frame.rotation, normal);
            }
        }
    }
    return best;
}
