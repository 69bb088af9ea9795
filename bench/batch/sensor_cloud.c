// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

#include "batch/sensor_cloud.h"

#include "../tests/scenes/rng.h"

#include <math.h>

#define NOISE 0.002 // standard deviation of a point along each axis, about

// Boxes whose surfaces are observed: middle, edges and rotation about z.
static const struct {
    double middle[3], edges[3], yaw;
} surfaces[] = {
    {{0.45, 0.00, -0.06}, {1.20, 1.80, 0.04}, 0.00},  // table
    {{0.85, 0.00, 0.75}, {0.02, 1.00, 0.90}, 0.00},   // back of a shelf
    {{0.72, 0.00, 0.45}, {0.26, 1.00, 0.02}, 0.00},   // boards
    {{0.72, 0.00, 0.80}, {0.26, 1.00, 0.02}, 0.00},   //
    {{0.72, 0.00, 1.15}, {0.26, 1.00, 0.02}, 0.00},   //
    {{0.72, -0.50, 0.75}, {0.26, 0.02, 0.90}, 0.00},  // sides
    {{0.72, 0.50, 0.75}, {0.26, 0.02, 0.90}, 0.00},   //
    {{0.45, 0.35, 0.06}, {0.12, 0.18, 0.20}, 0.40},   // boxes on the table
    {{0.40, -0.40, 0.04}, {0.20, 0.10, 0.16}, -0.70}, //
    {{0.20, 0.60, 0.11}, {0.15, 0.15, 0.30}, 1.10},   //
    {{0.70, -0.15, 0.52}, {0.10, 0.10, 0.12}, 0.30},  // and in the shelf
    {{0.68, 0.20, 0.88}, {0.08, 0.14, 0.14}, -0.20},  //
    {{-0.35, 0.55, 0.60}, {0.06, 0.06, 1.30}, 0.80},  // a post
};
#define SURFACE_COUNT ((int)(sizeof surfaces / sizeof *surfaces))

static double areaOf(int box)
{
    const double* e = surfaces[box].edges;
    return 2.0 * (e[0] * e[1] + e[1] * e[2] + e[2] * e[0]);
}

// A point on the surface of a box.
static void drawPoint(wkRng* rng, int box, float* point)
{
    const double* e = surfaces[box].edges;
    double faces[3] = {e[1] * e[2], e[2] * e[0], e[0] * e[1]}, local[3];
    double left = wkRngRange(rng, 0.0, faces[0] + faces[1] + faces[2]);
    int axis = left < faces[0] ? 0 : left < faces[0] + faces[1] ? 1 : 2;
    for (int k = 0; k < 3; k++) {
        local[k] = k == axis ? 0.5 * wkRngSign(rng) * e[k] : wkRngRange(rng, -0.5, 0.5) * e[k];
        // the sum of three uniform numbers is close enough to a normal one
        local[k] += NOISE * (wkRngRange(rng, -1.0, 1.0) + wkRngRange(rng, -1.0, 1.0) +
                             wkRngRange(rng, -1.0, 1.0));
    }
    double c = cos(surfaces[box].yaw), s = sin(surfaces[box].yaw);
    point[0] = (float)(surfaces[box].middle[0] + c * local[0] - s * local[1]);
    point[1] = (float)(surfaces[box].middle[1] + s * local[0] + c * local[1]);
    point[2] = (float)(surfaces[box].middle[2] + local[2]);
}

void wkDrawCloud(int count, uint64_t seed, float* points)
{
    wkRng rng = wkMakeRng(seed);
    double all = 0.0;
    for (int i = 0; i < SURFACE_COUNT; i++) {
        all += areaOf(i);
    }
    for (int i = 0; i < count; i++) {
        double left = wkRngRange(&rng, 0.0, all);
        int box = 0;
        while (box < SURFACE_COUNT - 1 && left >= areaOf(box)) {
            left -= areaOf(box++);
        }
        drawPoint(&rng, box, &points[3 * i]);
    }
}
