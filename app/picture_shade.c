// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Light, by asking the library: wkRayCast finds what is seen, wkRayHits what lies in the shadow of a
// round lamp, wkClosestPoint how much of the sky a point misses.

#include "picture_light.h"

#include "vector.h"

#include <math.h>

// Rays start this far off a surface, so that they do not meet it again.
#define SURFACE_OFFSET 1e-4

// The lamp: how large it looks (tangent of its radius), how many rays go to it.
#define LAMP_SPREAD 0.075
#define LAMP_PROBES 12  // rays that decide whether the others are needed
#define MAX_BLOCKERS 64 // bodies between a point and the lamp

// Nearby surfaces darken a point up to this distance.
#define SKY_REACH 0.55

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

bool wkMeetsBall(const wkVisible* visible, wkVec3d origin, wkVec3d direction, double spread)
{
    wkVec3d toCenter = wkVec_Sub(visible->ballCenter, origin);
    double along = wkVec_Dot(toCenter, direction);
    double square = wkVec_Dot(toCenter, toCenter) - along * along;
    double reach = visible->ballRadius + spread * fmax(along, 0.0);
    return along > -visible->ballRadius && square <= reach * reach;
}

wkSight wkFindBody(const wkStage* stage, wkRay ray)
{
    wkSight sight = {.distance = INFINITY, .index = WK_SIGHT_NONE};
    wkRayResult hit = wkRayCast(&stage->floor.shape, stage->floor.pose, ray);
    if (stage->hasFloor && hit.isHit) {
        sight = (wkSight){hit.distance, hit.point, hit.normal, WK_SIGHT_FLOOR};
    }
    for (int i = 0; i < stage->bodies.count; i++) {
        const wkVisible* body = &stage->bodies.items[i];
        if (!wkMeetsBall(body, ray.origin, ray.direction, 0.0)) {
            continue;
        }
        hit = wkRayCast(&body->shape, body->pose, ray);
        if (hit.isHit && hit.distance < sight.distance) {
            sight = (wkSight){hit.distance, hit.point, hit.normal, i};
        }
    }
    return sight;
}

static bool isBlocked(const wkVisible* const* blockers, int count, wkRay ray)
{
    for (int i = 0; i < count; i++) {
        if (wkRayHits(&blockers[i]->shape, blockers[i]->pose, ray)) {
            return true;
        }
    }
    return false;
}

// Share of the lamp that is seen from a point: 0 ... 1.
static double lampShare(const wkStage* stage, wkVec3d point, wkVec3d normal)
{
    wkVec3d start = wkVec_MulAdd(point, SURFACE_OFFSET, normal);
    const wkVisible* blockers[MAX_BLOCKERS];
    int blockerCount = 0;
    for (int i = 0; i < stage->bodies.count && blockerCount < MAX_BLOCKERS; i++) {
        if (wkMeetsBall(&stage->bodies.items[i], start, stage->lamp, LAMP_SPREAD)) {
            blockers[blockerCount++] = &stage->bodies.items[i];
        }
    }
    if (blockerCount == 0) {
        return 1.0;
    }

    // the rim of the lamp first: when it is all seen or all hidden, so is the rest
    int blocked = 0, rayCount = stage->lampRayCount;
    int probeCount = rayCount < LAMP_PROBES ? rayCount : LAMP_PROBES;
    for (int i = 0; i < probeCount; i++) {
        wkRay ray = {start, stage->lampRays[rayCount - 1 - i * (rayCount / probeCount)], INFINITY};
        blocked += isBlocked(blockers, blockerCount, ray);
    }
    if (blocked == 0 || blocked == probeCount || probeCount == rayCount) {
        return 1.0 - (double)blocked / probeCount;
    }
    blocked = 0;
    for (int i = 0; i < rayCount; i++) {
        blocked += isBlocked(blockers, blockerCount, (wkRay){start, stage->lampRays[i], INFINITY});
    }
    return 1.0 - (double)blocked / rayCount;
}

static double distanceToOthers(const wkStage* stage, wkVec3d point, int self)
{
    double nearest = self == WK_SIGHT_FLOOR ? SKY_REACH : fmin(point.z, SKY_REACH);
    for (int i = 0; i < stage->bodies.count; i++) {
        const wkVisible* body = &stage->bodies.items[i];
        wkVec3d offset = wkVec_Sub(point, body->ballCenter);
        double reach = body->ballRadius + nearest;
        if (i != self && wkVec_Dot(offset, offset) < reach * reach) {
            double distance = wkClosestPoint(&body->shape, body->pose, point, nearest).distance;
            nearest = fmin(nearest, distance);
        }
    }
    return nearest;
}

// Share of the sky that is seen from a point: where the way up along the normal is narrower than it
// is long, something stands in the way.
static double skyShare(const wkStage* stage, wkVec3d point, wkVec3d normal, int self)
{
    double missing = 0.0;
    double weight = 0.5;
    for (int i = 1; i <= stage->skySteps; i++) {
        double height = SKY_REACH * i / stage->skySteps;
        wkVec3d above = wkVec_MulAdd(point, height, normal);
        double free = distanceToOthers(stage, above, self);
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

static wkColor paintOf(const wkStage* stage, const wkSight* sight, double distance)
{
    if (sight->index != WK_SIGHT_FLOOR) {
        const wkVisible* body = &stage->bodies.items[sight->index];
        return body->paint == NULL ? body->color
                                   : body->paint(body->paintContext, sight->point, sight->normal);
    }
    return mix(floorPaint, gridPaint, 0.55 * gridShare(sight->point, 0.0012 * distance));
}

// Light that leaves a point towards `view` without any mirror image.
static wkColor diffuseLight(const wkStage* stage, const wkSight* sight, double distance)
{
    wkVec3d normal = sight->normal;
    double facing = wkVec_Dot(normal, stage->lamp);
    double lamp = facing > 0.0 ? facing * lampShare(stage, sight->point, normal) : 0.0;
    double sky = skyShare(stage, sight->point, normal, sight->index);
    wkColor ambient = mix(groundLight, skyLight, 0.5 + 0.5 * normal.z);
    wkColor light = add(scale(lampLight, lamp), scale(ambient, sky));
    return multiply(paintOf(stage, sight, distance), light);
}

static wkColor fadeFloor(const wkSight* sight, wkVec3d direction, wkColor color)
{
    if (sight->index != WK_SIGHT_FLOOR) {
        return color;
    }
    double range = hypot(sight->point.x, sight->point.y);
    wkVec3d level = wkVec_Unit((wkVec3d){direction.x, direction.y, 0.0});
    return mix(color, wkBackdrop(level), smoothStep(FADE_START, FADE_END, range));
}

// What a polished surface mirrors: the backdrop, or another surface in plain light.
static wkColor mirrored(const wkStage* stage, wkVec3d point, wkVec3d direction)
{
    wkSight sight = wkFindBody(stage, (wkRay){point, direction, INFINITY});
    if (sight.index == WK_SIGHT_NONE) {
        return wkBackdrop(direction);
    }
    double facing = fmax(wkVec_Dot(sight.normal, stage->lamp), 0.0);
    wkColor ambient = mix(groundLight, skyLight, 0.5 + 0.5 * sight.normal.z);
    wkColor light = add(scale(lampLight, 0.75 * facing), ambient);
    wkColor color = multiply(paintOf(stage, &sight, sight.distance), light);
    return fadeFloor(&sight, direction, color);
}

wkColor wkShadeBody(const wkStage* stage, const wkSight* sight, wkVec3d direction)
{
    wkVec3d normal = sight->normal;
    wkColor color = diffuseLight(stage, sight, sight->distance);

    // Schlick's approximation of Fresnel's law, and the lamp's own image as a soft spot
    double facing = fmin(fmax(-wkVec_Dot(normal, direction), 0.0), 1.0);
    bool isFloor = sight->index == WK_SIGHT_FLOOR;
    double fresnel = 0.04 + (isFloor ? 0.30 : 0.55) * pow(1.0 - facing, 5.0);
    wkVec3d mirror = wkVec_MulAdd(direction, 2.0 * facing, normal);
    wkVec3d start = wkVec_MulAdd(sight->point, SURFACE_OFFSET, normal);
    color = mix(color, mirrored(stage, start, wkVec_Unit(mirror)), fresnel);
    if (!isFloor && wkVec_Dot(normal, stage->lamp) > 0.0) {
        double spot = pow(fmax(wkVec_Dot(mirror, stage->lamp), 0.0), 90.0);
        color = add(color, scale(lampLight, 0.42 * spot));
    }
    return fadeFloor(sight, direction, color);
}
