// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Each pixel has its own random numbers, so that a picture does not depend on the threads.

#include "depth_camera.h"

#include "threads.h"
#include "vector.h"

#include <math.h>

#define FOCAL 525.0
#define NEAREST 0.35
#define FARTHEST 5.0
#define NOISE 0.0013     // metres at one metre; grows with the square
#define STEP 2.8e-5      // of the disparity, which the sensor counts
#define GRAZING 0.12     // cosine below which a surface gives no answer
#define LOST_SHARE 0.004 // of pixels, for no reason

typedef struct shot {
    wkDepthView* view;
    const wkScene* scene;
    uint32_t seed;
} shot;

// A well mixed number for each place, and numbers in [0, 1) from it.
static uint32_t hash(uint32_t x)
{
    x ^= x >> 16;
    x *= 0x7feb352du;
    x ^= x >> 15;
    x *= 0x846ca68bu;
    return x ^ (x >> 16);
}

static double uniform(uint32_t* state)
{
    *state = hash(*state + 0x9e3779b9u);
    return ((double)*state + 0.5) / 4294967296.0;
}

// Box and Muller's normal distribution.
static double gauss(uint32_t* state)
{
    double radius = sqrt(-2.0 * log(uniform(state)));
    return radius * cos(6.283185307179586 * uniform(state));
}

// What the sensor says about a surface that is `depth` away; NaN: nothing.
static double measure(double depth, double facing, uint32_t* state)
{
    bool isLost = uniform(state) < LOST_SHARE;
    double noisy = depth + NOISE * depth * depth * gauss(state);
    if (isLost || facing < GRAZING || noisy < NEAREST || noisy > FARTHEST) {
        return NAN;
    }
    double disparity = round(1.0 / (noisy * STEP)) * STEP;
    return 1.0 / disparity;
}

static void takeRow(void* context, int y)
{
    const shot* job = context;
    wkDepthView* view = job->view;
    for (int x = 0; x < WK_DEPTH_WIDTH; x++) {
        int pixel = y * WK_DEPTH_WIDTH + x;
        uint32_t state = hash(job->seed * 0x2545f491u + (uint32_t)pixel);
        double u = (x + 0.5 - 0.5 * WK_DEPTH_WIDTH) / FOCAL;
        double v = (y + 0.5 - 0.5 * WK_DEPTH_HEIGHT) / FOCAL;
        double length = sqrt(1.0 + u * u + v * v);
        wkRay ray = {view->camera.position,
                     wkRotateVector(view->camera, (wkVec3d){u / length, v / length, 1.0 / length}),
                     2.0 * FARTHEST};
        wkSceneRayResult seen = wkScene_RayCast(job->scene, ray, NULL);
        wkObjectDef object;
        double depth = NAN;
        if (seen.id != 0 && wkScene_Get(job->scene, seen.id, &object) == wk_ok &&
            object.user != NULL) {
            double facing = fabs(wkVec_Dot(seen.hit.normal, ray.direction));
            depth = measure(seen.hit.distance / length, facing, &state);
        }
        view->depths[pixel] = (float)depth;
        view->points[3 * pixel] = (float)(u * depth);
        view->points[3 * pixel + 1] = (float)(v * depth);
        view->points[3 * pixel + 2] = (float)depth;
    }
}

void wkDepthView_Take(wkDepthView* view, const wkScene* scene, wkPose camera, uint32_t seed)
{
    shot job = {view, scene, seed};
    view->camera = camera;
    wkRunOnThreads(takeRow, &job, WK_DEPTH_HEIGHT);
    view->measuredCount = 0;
    for (int i = 0; i < WK_DEPTH_PIXELS; i++) {
        view->measuredCount += isnan(view->depths[i]) ? 0 : 1;
    }
}
