// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Transparent objects in front of bodies: the pane, glass, marks.

#include "picture_light.h"

#include "vector.h"

#include <math.h>

#define HIDDEN_MARK 0.45 // how strongly a mark shines through a body

static wkColor mix(wkColor a, wkColor b, double share)
{
    return (wkColor){a.r + share * (b.r - a.r), a.g + share * (b.g - a.g),
                     a.b + share * (b.b - a.b)};
}

// The pane is a piece of the plane: clear in the middle, with a brighter rim.
wkColor wkSeeThroughPane(const wkStage* stage, wkRay ray, double farthest, wkColor color, int* key)
{
    if (!stage->hasPane) {
        return color;
    }
    wkRayResult hit = wkShape_RayCast(&stage->pane.shape, stage->pane.pose, ray);
    if (!hit.isHit || hit.distance >= farthest) {
        return color;
    }
    wkVec3d local = wkTransformPoint(wkInvPose(stage->pane.pose), hit.point);
    double inset =
        fmin(stage->paneHalfWidth - fabs(local.x), stage->paneHalfHeight - fabs(local.z));
    if (inset < 0.0) {
        return color;
    }
    *key += inset < 0.03 ? 2000000 : 1000000;
    double facing = fabs(wkVec_Dot(hit.normal, ray.direction));
    double opacity = inset < 0.03 ? 0.85 : 0.38 + 0.35 * pow(1.0 - facing, 3.0);
    return mix(color, stage->pane.color, opacity);
}

// Glass is clear at normal incidence, and shows its colour towards its rim.
wkColor wkSeeThroughGlass(const wkStage* stage, const wkNearby* nearby, wkRay ray, double farthest,
                          wkColor color, int* key)
{
    wkRayResult hit;
    ray.maxDistance = farthest;
    const wkVisible* glass = wkFindNearest(nearby, ray, &hit);
    if (glass == NULL) {
        return color;
    }
    *key += 1000 * ((int)(glass - stage->glass.items) + 1);
    double facing = fabs(wkVec_Dot(hit.normal, ray.direction));
    double lit = 0.62 + 0.55 * fmax(wkVec_Dot(hit.normal, stage->lamp), 0.0);
    wkVec3d mirror = wkVec_MulAdd(ray.direction, 2.0 * facing, hit.normal);
    double spot = 0.5 * pow(fmax(wkVec_Dot(mirror, stage->lamp), 0.0), 60.0);
    wkColor paint = glass->paint == NULL ? glass->color
                                         : glass->paint(glass->paintContext, hit.point, hit.normal);
    wkColor shown = {paint.r * lit + spot, paint.g * lit + spot, paint.b * lit + spot};
    return mix(color, shown, fmin(0.34 + 0.56 * pow(1.0 - facing, 2.0) + spot, 1.0));
}

wkColor wkOverlayMarks(const wkStage* stage, const wkNearby* nearby, wkRay ray, double bodyDistance,
                       wkColor color, int* key)
{
    wkRayResult hit;
    const wkVisible* mark = wkFindNearest(nearby, ray, &hit);
    if (mark == NULL) {
        return color;
    }
    *key += 1000 * ((int)(mark - stage->marks.items) + 1);
    double facing = fabs(wkVec_Dot(hit.normal, ray.direction));
    wkColor paint = mark->color;
    wkColor glow = mix((wkColor){0.55 * paint.r, 0.55 * paint.g, 0.55 * paint.b}, paint, facing);
    return mix(color, glow, hit.distance < bodyDistance ? 1.0 : HIDDEN_MARK);
}
