// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Images of lenses that bend, as a pinhole would have them.
//
// A pixel of the pinhole stands for all pixels of the image that its square can fall on: it proves what
// all of them prove. Where the corners of the square fall is computed. What lies between them is off a
// straight line by no more than an eighth of the second derivatives, which are measured over the image
// and taken several times over.

#include "sense/depth_fill.h"
#include "sense/depth_image.h"
#include "sense/lens.h"

// Slopes up to which lenses are straightened: 75 degrees to each side.
#define STEEPEST 3.7320508
// Along each side of an image.
#define EDGE_SAMPLES 32
#define GRID_SAMPLES 32
// Times that measured derivatives are taken, and pixels that are added to what they give.
#define BEND_SAFETY 4.0
#define BEND_SLACK 0.02

// Takes in what a lens sees at a point of the edge of the image.
static void widen(const wkLens* lens, double u, double v, double* low, double* high, bool isColumn)
{
    wkVec3d seen = wkLens_Unproject(lens, u, v);
    double slope = wkClamp(isColumn ? seen.x : seen.y, -STEEPEST, STEEPEST);
    if (isfinite(seen.x) && isfinite(seen.y)) {
        *low = wkMinD(*low, slope);
        *high = wkMaxD(*high, slope);
    }
}

wkCamera wkStraightCamera(const wkCamera* camera)
{
    if (camera->distortion == wk_distortionNone) {
        return *camera;
    }
    wkLens lens = wkMakeLens(camera);
    double width = camera->width, height = camera->height;
    // what is seen in the middle at least
    double left = -0.5 / camera->fx, right = 0.5 / camera->fx;
    double top = -0.5 / camera->fy, bottom = 0.5 / camera->fy;
    for (int i = 0; i <= EDGE_SAMPLES; ++i) {
        double u = width * i / EDGE_SAMPLES - 0.5, v = height * i / EDGE_SAMPLES - 0.5;
        widen(&lens, -0.5, v, &left, &right, true);
        widen(&lens, width - 0.5, v, &left, &right, true);
        widen(&lens, u, -0.5, &top, &bottom, false);
        widen(&lens, u, height - 0.5, &top, &bottom, false);
    }
    wkCamera straight = {
        .width = camera->width,
        .height = camera->height,
        .fx = width / (right - left),
        .fy = height / (bottom - top),
    };
    straight.cx = -0.5 - left * straight.fx;
    straight.cy = -0.5 - top * straight.fy;
    return straight;
}

// A place in the bent image; NaN: the lens does not have it.
typedef struct place {
    double u, v;
} place;

typedef struct straightening {
    const wkDepthImage* image;
    wkLens lens;
    wkCamera straight;
    wkDepthRecipe recipe;
    double slack; // pixels of the bent image
} straightening;

static place placeOf(const straightening* s, double u, double v)
{
    wkVec3d seen = {(u - s->straight.cx) / s->straight.fx, (v - s->straight.cy) / s->straight.fy,
                    1.0};
    place p;
    wkLens_Project(&s->lens, seen, &p.u, &p.v);
    return p;
}

// Second differences over a pixel along a direction.
static double bendAt(const straightening* s, double u, double v, double du, double dv)
{
    place before = placeOf(s, u - du, v - dv), at = placeOf(s, u, v);
    place after = placeOf(s, u + du, v + dv);
    double bend =
        wkMaxD(fabs(before.u - 2.0 * at.u + after.u), fabs(before.v - 2.0 * at.v + after.v));
    return isfinite(bend) ? bend : 0.0;
}

// Pixels by which the square of a pixel may fall outside of the corners of its image.
static double slackOf(const straightening* s)
{
    double largest = 0.0;
    for (int i = 0; i <= GRID_SAMPLES; ++i) {
        for (int k = 0; k <= GRID_SAMPLES; ++k) {
            double u = (double)s->straight.width * i / GRID_SAMPLES;
            double v = (double)s->straight.height * k / GRID_SAMPLES;
            double bend = bendAt(s, u, v, 1.0, 0.0) + bendAt(s, u, v, 0.0, 1.0);
            largest = wkMaxD(largest, bend);
        }
    }
    return BEND_SAFETY * largest / 8.0 + BEND_SLACK;
}

static double least(double a, double b, double c, double d)
{
    return wkMinD(wkMinD(a, b), wkMinD(c, d));
}

static double most(double a, double b, double c, double d)
{
    return wkMaxD(wkMaxD(a, b), wkMaxD(c, d));
}

// What all pixels of a rectangle prove together: free space up to the nearest, and its surface.
static wkProvenDepth proveTogether(const straightening* s, wkPixelRange range)
{
    wkProvenDepth none = {0.0f, WK_NO_SURFACE}, nearest = {WK_FARTHEST, WK_NO_SURFACE};
    for (int32_t v = range.top; v <= range.bottom; ++v) {
        const void* row = wkDepthRow(s->image, v);
        for (int32_t u = range.left; u <= range.right; ++u) {
            float value = s->image->type == wk_depthFloat ? ((const float*)row)[u]
                                                          : (float)((const uint16_t*)row)[u];
            wkProvenDepth proven = wkProveDepth(&s->recipe, value);
            bool isNone = proven.freeTo <= 0.0f && proven.surfaceEnd < 0.0f;
            if (isNone) {
                return none;
            }
            nearest = proven.freeTo < nearest.freeTo ? proven : nearest;
        }
    }
    return nearest;
}

// A pixel from the places of its corners: those of its upper edge, and of its lower one.
static wkProvenDepth provePixel(const straightening* s, const place* upper, const place* lower)
{
    double left = least(upper[0].u, upper[1].u, lower[0].u, lower[1].u) - s->slack + 0.5;
    double right = most(upper[0].u, upper[1].u, lower[0].u, lower[1].u) + s->slack + 0.5;
    double top = least(upper[0].v, upper[1].v, lower[0].v, lower[1].v) - s->slack + 0.5;
    double bottom = most(upper[0].v, upper[1].v, lower[0].v, lower[1].v) + s->slack + 0.5;
    double sum = (upper[0].u + upper[1].u) + (lower[0].u + lower[1].u);
    const wkCamera* c = &s->image->camera;
    bool isSeen =
        isfinite(sum) && left >= 0.0 && top >= 0.0 && right < c->width && bottom < c->height;
    wkProvenDepth none = {0.0f, WK_NO_SURFACE};
    if (!isSeen) {
        return none;
    }
    wkPixelRange range = {(int32_t)left, (int32_t)right, (int32_t)top, (int32_t)bottom};
    return proveTogether(s, range);
}

static void placeCorners(const straightening* s, int32_t v, place* corners)
{
    for (int32_t u = 0; u <= s->straight.width; ++u) {
        corners[u] = placeOf(s, u - 0.5, v - 0.5);
    }
}

int32_t wkStraightenDepths(wkDepthMap* map, const wkDepthImage* image)
{
    straightening s = {image, wkMakeLens(&image->camera), map->camera,
                       wkMakeDepthRecipe(map, image), 0.0};
    s.slack = slackOf(&s);
    place* upper = (place*)(void*)map->scratch;
    place* lower = upper + map->camera.width + 1;
    int32_t measuredCount = 0;
    placeCorners(&s, 0, upper);
    for (int32_t v = 0; v < map->camera.height; ++v) {
        placeCorners(&s, v + 1, lower);
        for (int32_t u = 0; u < map->camera.width; ++u) {
            wkProvenDepth proven = provePixel(&s, upper + u, lower + u);
            size_t i = (size_t)v * (size_t)map->pitch + (size_t)u;
            map->freeTo[i] = proven.freeTo;
            map->surfaceEnd[i] = proven.surfaceEnd;
            measuredCount += proven.freeTo > 0.0f || proven.surfaceEnd >= 0.0f;
        }
        place* done = upper;
        upper = lower;
        lower = done;
    }
    return measuredCount;
}
