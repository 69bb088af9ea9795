// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Shading with the library's queries: wkShape_RayCast for visibility, wkShape_RayHits for the shadow of a round lamp,
// wkShape_ClosestPoint for the occlusion of the sky, wkScene_RayCast for mirror images.

#include "picture_light.h"

#include "vector.h"

#include <math.h>

// Rays start this far off a surface, so that they do not hit it again.
#define SURFACE_OFFSET 1e-4

// The lamp: how large it looks (tangent of its radius), how many rays go to it.
#define LAMP_SPREAD 0.075
#define MIN_PROBES 4 // rays that decide whether the others are needed, and what share of all
#define PROBE_SHARE 0.2

// Nearby surfaces darken a point up to this distance.
#define SKY_REACH 0.55

// Weaker mirror images are replaced by the backdrop.
#define LEAST_MIRROR 0.06

// Cosine to the lamp from which its image is visible.
#define LEAST_SPOT 0.9

// Light floor lines one metre apart, and where the floor dissolves into the backdrop.
#define GRID_WIDTH 0.012
#define FADE_START 9.0
#define FADE_END 24.0

static const wkColor lampLight = {1.38, 1.31, 1.20};
static const wkColor skyLight = {0.44, 0.50, 0.60};
static const wkColor groundLight = {0.28, 0.26, 0.25};
static const wkColor floorPaint = {0.52, 0.535, 0.56};
static const wkColor gridPaint = {0.36, 0.375, 0.41};

static wkColor scale(wkColor a, double s)
{
    return (wkColor){a.r * s, a.g * s, a.b * s};
}

static wkColor add(wkColor a, wkColor b)
{
    return (wkColor){a.r + b.r, a.g + b.g, a.b + b.b};
}

static wkColor multiply(wkColor a, wkColor b)
{
    return (wkColor){a.r * b.r, a.g * b.g, a.b * b.b};
}

static wkColor mix(wkColor a, wkColor b, double share)
{
    return add(scale(a, 1.0 - share), scale(b, share));
}

static double smoothStep(double from, double to, double x)
{
    double t = fmin(fmax((x - from) / (to - from), 0.0), 1.0);
    return t * t * (3.0 - 2.0 * t);
}

wkColor wkBackdrop(wkVec3d direction)
{
    static const wkColor horizon = {0.83, 0.86, 0.90};
    static const wkColor zenith = {0.34, 0.47, 0.66};
    return mix(horizon, zenith, smoothStep(-0.02, 0.75, direction.z));
}

// Spreads the rays evenly over the lamp's disc (sunflower pattern).
void wkAimLamp(wkStage* stage)
{
    const double goldenAngle = 2.39996322972865332;
    wkVec3d side = wkVec_Unit(wkVec_Cross(stage->lamp, (wkVec3d){0.0, 0.0, 1.0}));
    wkVec3d other = wkVec_Cross(stage->lamp, side);
    for (int i = 0; i < stage->lampRayCount; i++) {
        double radius = LAMP_SPREAD * sqrt((i + 0.5) / stage->lampRayCount);
        wkVec3d ray = wkVec_MulAdd(stage->lamp, radius * cos(i * goldenAngle), side);
        ray = wkVec_MulAdd(ray, radius * sin(i * goldenAngle), other);
        stage->lampRays[i] = wkVec_Unit(ray);
    }
}

wkPictureRay wkFindBody(const wkStage* stage, const wkNearby* nearby, wkRay ray)
{
    wkPictureRay sight = {.distance = INFINITY, .index = WK_SIGHT_NONE};
    wkRayResult hit;
    if (stage->hasFloor) {
        hit = wkShape_RayCast(&stage->floor.shape, stage->floor.pose, ray);
        if (hit.isHit) {
            sight = (wkPictureRay){hit.distance, hit.point, hit.normal, WK_SIGHT_FLOOR};
            ray.maxDistance = hit.distance;
        }
    }
    const wkVisible* body = wkFindNearest(nearby, ray, &hit);
    if (body != NULL) {
        sight =
            (wkPictureRay){hit.distance, hit.point, hit.normal, (int)(body - stage->bodies.items)};
    }
    return sight;
}

void wkGatherBlockers(const wkStage* stage, wkVec3d center, double radius, wkNearby* blockers)
{
    wkBundle bundle = {center, stage->lamp, radius + SURFACE_OFFSET, LAMP_SPREAD};
    wkGatherAlong(&stage->bodies, &bundle, blockers);
}

double wkLampShare(const wkStage* stage, const wkPictureRay* sight, wkNearby* blockers,
                   double guess)
{
    if (wkVec_Dot(sight->normal, stage->lamp) <= 0.0) {
        return 0.0;
    }
    if (blockers->count == 0) {
        return 1.0;
    }
    wkVec3d start = wkVec_MulAdd(sight->point, SURFACE_OFFSET, sight->normal);
    if (guess >= 0.0 &&
        wkMeetsAny(blockers, (wkRay){start, stage->lamp, INFINITY}) == !(guess > 0.5)) {
        return guess;
    }
    // from the rim of the lamp inward: if all or none of these rays pass, so do the rest
    int blocked = 0, rayCount = stage->lampRayCount;
    int probeCount = (int)fmin(fmax(MIN_PROBES, PROBE_SHARE * rayCount), rayCount);
    for (int i = 0; i < probeCount; i++) {
        wkRay ray = {start, stage->lampRays[rayCount - 1 - i * (rayCount / probeCount)], INFINITY};
        blocked += wkMeetsAny(blockers, ray);
    }
    if (blocked == 0 || blocked == probeCount) {
        return blocked == 0 ? 1.0 : 0.0;
    }
    blocked = 0;
    for (int i = 0; i < rayCount; i++) {
        blocked += wkMeetsAny(blockers, (wkRay){start, stage->lampRays[i], INFINITY});
    }
    return 1.0 - (double)blocked / rayCount;
}

void wkGatherCovers(const wkStage* stage, wkVec3d center, double radius, wkNearby* covers)
{
    wkGatherAround(&stage->bodies, center, radius + 2.0 * SKY_REACH, covers);
}

// Returns the distance of a point above a surface to all other bodies, up to a limit.
static double distanceToOthers(const wkStage* stage, const wkNearby* covers, wkVec3d point,
                               double height, int self)
{
    double floor = stage->hasFloor ? point.z - stage->floor.pose.position.z : INFINITY;
    double nearest = self == WK_SIGHT_FLOOR ? height : fmin(floor, height);
    for (int i = 0; i < covers->count; i++) {
        const wkVisible* body = covers->items[i].visible;
        if (body - stage->bodies.items != self && wkBoundDistance(body, point) < nearest) {
            double distance =
                wkShape_ClosestPoint(&body->shape, body->pose, point, nearest).distance;
            nearest = fmin(nearest, distance);
        }
    }
    return nearest;
}

// Samples distances along the normal: where one is shorter than the height of the sample, a body occludes.
double wkSkyShare(const wkStage* stage, const wkPictureRay* sight, const wkNearby* covers)
{
    double missing = 0.0;
    double weight = 0.5;
    for (int i = 1; i <= stage->skySteps; i++) {
        double height = SKY_REACH * i / stage->skySteps;
        wkVec3d above = wkVec_MulAdd(sight->point, height, sight->normal);
        double free = distanceToOthers(stage, covers, above, height, sight->index);
        missing += weight * fmax(0.0, height - fmax(free, 0.0)) / height;
        weight *= 0.62;
    }
    return fmax(0.0, 1.0 - 0.72 * missing);
}

// Coverage of the metre lines at a floor point, blurred by the size of a pixel there.
static double gridShare(wkVec3d point, double pixelSize)
{
    double share = 0.0;
    const double coordinates[2] = {point.x, point.y};
    for (int i = 0; i < 2; i++) {
        double offset = fabs(coordinates[i] - round(coordinates[i]));
        double blur = fmax(pixelSize, 0.004);
        double line = 1.0 - smoothStep(GRID_WIDTH, GRID_WIDTH + 2.0 * blur, offset);
        share = fmax(share, line * fmin(1.0, GRID_WIDTH / blur + 0.35));
    }
    return share;
}

static wkColor paintOf(const wkStage* stage, const wkPictureRay* sight, double distance)
{
    if (sight->index != WK_SIGHT_FLOOR) {
        const wkVisible* body = &stage->bodies.items[sight->index];
        return body->paint == NULL ? body->color
                                   : body->paint(body->paintContext, sight->point, sight->normal);
    }
    return mix(floorPaint, gridPaint, 0.55 * gridShare(sight->point, 0.0012 * distance));
}

// Computes the light from a point without mirror images.
static wkColor diffuseLight(const wkStage* stage, const wkPictureRay* sight, wkLight shares)
{
    double facing = fmax(wkVec_Dot(sight->normal, stage->lamp), 0.0);
    wkColor ambient = mix(groundLight, skyLight, 0.5 + 0.5 * sight->normal.z);
    wkColor light =
        add(scale(lampLight, facing * (double)shares.lamp), scale(ambient, (double)shares.sky));
    return multiply(paintOf(stage, sight, sight->distance), light);
}

static wkColor fadeFloor(const wkPictureRay* sight, wkVec3d direction, wkColor color)
{
    if (sight->index != WK_SIGHT_FLOOR) {
        return color;
    }
    double range = hypot(sight->point.x, sight->point.y);
    wkVec3d level = wkVec_Unit((wkVec3d){direction.x, direction.y, 0.0});
    return mix(color, wkBackdrop(level), smoothStep(FADE_START, FADE_END, range));
}

static wkPictureRay findMirrored(const wkStage* stage, wkRay ray)
{
    static const wkNearby none = {.count = 0};
    wkPictureRay sight = wkFindBody(stage, &none, ray);
    ray.maxDistance = sight.distance;
    wkSceneRayResult first = wkScene_RayCast(stage->scene, ray, NULL);
    wkObjectDef object;
    if (!wkObjectId_IsNull(first.id) && wkScene_Get(stage->scene, first.id, &object) == wk_ok) {
        const wkVisible* body = object.user;
        sight = (wkPictureRay){first.hit.distance, first.hit.point, first.hit.normal,
                               (int)(body - stage->bodies.items)};
    }
    return sight;
}

// Computes the mirror image on a polished surface: the backdrop, or another surface in diffuse light.
static wkColor mirrored(const wkStage* stage, wkVec3d point, wkVec3d direction)
{
    wkPictureRay sight = findMirrored(stage, (wkRay){point, direction, INFINITY});
    if (sight.index == WK_SIGHT_NONE) {
        return wkBackdrop(direction);
    }
    wkColor color = diffuseLight(stage, &sight, (wkLight){0.75f, 1.0f});
    return fadeFloor(&sight, direction, color);
}

wkColor wkShadeBody(const wkStage* stage, const wkPictureRay* sight, wkLight light,
                    wkVec3d direction)
{
    wkVec3d normal = sight->normal;
    wkColor color = diffuseLight(stage, sight, light);

    // Schlick's approximation of Fresnel's law, and the lamp's own image as a soft spot
    double facing = fmin(fmax(-wkVec_Dot(normal, direction), 0.0), 1.0);
    bool isFloor = sight->index == WK_SIGHT_FLOOR;
    double aside = 1.0 - facing, square = aside * aside;
    double fresnel = 0.04 + (isFloor ? 0.30 : 0.55) * square * square * aside;
    wkVec3d mirror = wkVec_Unit(wkVec_MulAdd(direction, 2.0 * facing, normal));
    color = mix(color, wkBackdrop(mirror), fmin(fresnel, LEAST_MIRROR));
    if (fresnel > LEAST_MIRROR) {
        wkVec3d start = wkVec_MulAdd(sight->point, SURFACE_OFFSET, normal);
        color = mix(color, mirrored(stage, start, mirror), fresnel - LEAST_MIRROR);
    }
    double toLamp = wkVec_Dot(mirror, stage->lamp);
    if (!isFloor && wkVec_Dot(normal, stage->lamp) > 0.0 && toLamp > LEAST_SPOT) {
        double spot = pow(toLamp, 90.0);
        color = add(color, scale(lampLight, 0.42 * spot));
    }
    return fadeFloor(sight, direction, color);
}
