// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// From a stage to pixels: one ray through the middle of each pixel, then some more where
// neighbours differ. Rows are shared out between threads; the picture does not depend on how many there are.

#include "picture_light.h"

#include "threads.h"
#include "vector.h"

#include <math.h>
#include <stdlib.h>

#define CONTRAST 0.045   // difference between neighbours that calls for them
#define HIDDEN_MARK 0.45 // how strongly a mark shines through a body

// One ray's answer.
typedef struct sample {
    wkColor color; // as shown on the screen
    int key;       // what was seen, for telling neighbours apart
} sample;

typedef struct render {
    const wkStage* stage;
    const wkViewpoint* camera;
    wkPicture* picture;
    int* keys; // one per pixel
    bool isFinePass;
    const wkColor* base; // first pass, for the second to compare
} render;

static wkColor mix(wkColor a, wkColor b, double share)
{
    return (wkColor){a.r + share * (b.r - a.r), a.g + share * (b.g - a.g),
                     a.b + share * (b.b - a.b)};
}

// Bright light is compressed instead of cut off; the result is what the screen is told (sRGB).
static double toScreen(double light)
{
    double square = light * light;
    double value = light / sqrt(sqrt(1.0 + square * square));
    return value <= 0.0031308 ? 12.92 * value : 1.055 * pow(value, 1.0 / 2.4) - 0.055;
}

static wkColor colorToScreen(wkColor color)
{
    return (wkColor){toScreen(color.r), toScreen(color.g), toScreen(color.b)};
}

// The pane is a piece of the plane: clear in the middle, with a brighter rim.
static wkColor lookThroughPane(const wkStage* stage, wkRay ray, double farthest, wkColor color,
                               int* key)
{
    if (!stage->hasPane) {
        return color;
    }
    wkRayResult hit = wkRayCast(&stage->pane.shape, stage->pane.pose, ray);
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

// The nearest one that a ray meets; -1: none.
static int findNearest(const wkVisibles* visibles, wkRay ray, wkRayResult* nearest)
{
    int index = -1;
    *nearest = (wkRayResult){.distance = INFINITY};
    for (int i = 0; i < visibles->count; i++) {
        const wkVisible* visible = &visibles->items[i];
        if (wkMeetsBall(visible, ray.origin, ray.direction, 0.0)) {
            wkRayResult hit = wkRayCast(&visible->shape, visible->pose, ray);
            if (hit.isHit && hit.distance < nearest->distance) {
                *nearest = hit;
                index = i;
            }
        }
    }
    return index;
}

// Glass is clear where it is looked at straight on, and shows its colour towards its rim.
static wkColor lookThroughGlass(const wkStage* stage, wkRay ray, double farthest, wkColor color,
                                int* key)
{
    wkRayResult hit;
    int index = findNearest(&stage->glass, ray, &hit);
    if (index < 0 || hit.distance >= farthest) {
        return color;
    }
    *key += 1000 * (index + 1);
    double facing = fabs(wkVec_Dot(hit.normal, ray.direction));
    double lit = 0.62 + 0.55 * fmax(wkVec_Dot(hit.normal, stage->lamp), 0.0);
    wkVec3d mirror = wkVec_MulAdd(ray.direction, 2.0 * facing, hit.normal);
    double spot = 0.5 * pow(fmax(wkVec_Dot(mirror, stage->lamp), 0.0), 60.0);
    wkColor paint = stage->glass.items[index].color;
    wkColor shown = {paint.r * lit + spot, paint.g * lit + spot, paint.b * lit + spot};
    return mix(color, shown, fmin(0.34 + 0.56 * pow(1.0 - facing, 2.0) + spot, 1.0));
}

static wkColor overlayMarks(const wkStage* stage, wkRay ray, double bodyDistance, wkColor color,
                            int* key)
{
    wkRayResult nearest;
    int index = findNearest(&stage->marks, ray, &nearest);
    if (index < 0) {
        return color;
    }
    *key += 1000 * (index + 1);
    double facing = fabs(wkVec_Dot(nearest.normal, ray.direction));
    wkColor paint = stage->marks.items[index].color;
    wkColor glow = mix((wkColor){0.55 * paint.r, 0.55 * paint.g, 0.55 * paint.b}, paint, facing);
    return mix(color, glow, nearest.distance < bodyDistance ? 1.0 : HIDDEN_MARK);
}

static sample lookAlong(const render* job, double x, double y)
{
    wkRay ray = wkViewpointRay(job->camera, x, y);
    wkSight sight = wkFindBody(job->stage, ray);
    sample seen = {.key = sight.index};
    seen.color = sight.index == WK_SIGHT_NONE ? wkBackdrop(ray.direction)
                                              : wkShadeBody(job->stage, &sight, ray.direction);
    seen.color = lookThroughPane(job->stage, ray, sight.distance, seen.color, &seen.key);
    seen.color = lookThroughGlass(job->stage, ray, sight.distance, seen.color, &seen.key);
    seen.color = overlayMarks(job->stage, ray, sight.distance, seen.color, &seen.key);
    seen.color = colorToScreen(seen.color);
    return seen;
}

static bool isFarFrom(wkColor a, wkColor b)
{
    return fabs(a.r - b.r) > CONTRAST || fabs(a.g - b.g) > CONTRAST || fabs(a.b - b.b) > CONTRAST;
}

// True when a pixel of the first pass differs from one of its eight neighbours.
static bool needsFinePass(const render* job, int x, int y)
{
    int width = job->picture->width;
    int here = y * width + x;
    for (int j = y > 0 ? y - 1 : 0; j <= y + 1 && j < job->picture->height; j++) {
        for (int i = x > 0 ? x - 1 : 0; i <= x + 1 && i < width; i++) {
            int there = j * width + i;
            if (job->keys[there] != job->keys[here] ||
                isFarFrom(job->base[there], job->base[here])) {
                return true;
            }
        }
    }
    return false;
}

static wkColor lookFinely(const render* job, int x, int y)
{
    int steps = job->stage->fineSteps;
    wkColor sum = {0.0, 0.0, 0.0};
    for (int j = 0; j < steps; j++) {
        for (int i = 0; i < steps; i++) {
            sample seen = lookAlong(job, x + (i + 0.5) / steps, y + (j + 0.5) / steps);
            sum = (wkColor){sum.r + seen.color.r, sum.g + seen.color.g, sum.b + seen.color.b};
        }
    }
    const double share = 1.0 / (steps * steps);
    return (wkColor){sum.r * share, sum.g * share, sum.b * share};
}

static void renderRow(void* context, int y)
{
    render* job = context;
    int width = job->picture->width;
    for (int x = 0; x < width; x++) {
        wkColor* pixel = &job->picture->pixels[y * width + x];
        if (!job->isFinePass) {
            sample seen = lookAlong(job, x + 0.5, y + 0.5);
            *pixel = seen.color;
            job->keys[y * width + x] = seen.key;
        } else if (needsFinePass(job, x, y)) {
            *pixel = lookFinely(job, x, y);
        }
    }
}

bool wkRenderStage(wkStage* stage, const wkViewpoint* camera, wkPicture* picture)
{
    size_t count = (size_t)picture->width * (size_t)picture->height;
    int* keys = malloc(count * sizeof *keys);
    wkColor* base = malloc(count * sizeof *base);
    bool hasMemory = keys != NULL && base != NULL && !stage->bodies.isOutOfMemory &&
                     !stage->marks.isOutOfMemory && !stage->glass.isOutOfMemory;
    if (hasMemory) {
        wkAimLamp(stage);
        render job = {.stage = stage, .camera = camera, .picture = picture, .keys = keys};
        wkRunOnThreads(renderRow, &job, picture->height);
        for (size_t i = 0; i < count; i++) {
            base[i] = picture->pixels[i];
        }
        job.base = base;
        job.isFinePass = true;
        wkRunOnThreads(renderRow, &job, picture->height);
    }
    free(keys);
    free(base);
    return hasMemory;
}
