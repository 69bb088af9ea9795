// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Points with noise as an obstacle: a finger approaches a box that a depth camera saw, and stops while the
// probability of touching is certainly below one in a thousand.

#include "whisker/whisker.h"

#include <stdio.h>

typedef struct point {
    float x, y, z;
    float deviation; // standard deviation of the noise, in metres
} point;

#define SIDE 41

static point points[2 * SIDE * SIDE];

// The camera is at the origin and looks along z. Its noise grows with the square of the distance: 1.5 mm at 1 m.
static point observe(double x, double y, double z)
{
    point p = {(float)x, (float)y, (float)z, (float)(0.0015 * z * z)};
    return p;
}

// The front of a box of 20 cm, 1 m away, and the wall behind it.
static int scan(void)
{
    int count = 0;
    for (int i = 0; i < SIDE * SIDE; i++) {
        double x = (double)(i % SIDE) / (SIDE - 1) - 0.5, y = (double)(i / SIDE) / (SIDE - 1) - 0.5;
        points[count++] = observe(0.2 * x, 0.2 * y, 1.0);
        points[count++] = observe(1.5 * x, 1.5 * y, 1.6);
    }
    return count;
}

int main(void)
{
    wkCloudDef def = wkDefaultCloudDef();
    def.points.data = points;
    def.points.count = scan();
    def.points.stride = sizeof(point);
    def.points.deviationOffset = (int32_t)offsetof(point, deviation);
    wkCloud* cloud = NULL;
    if (wkCloud_Create(&def, &cloud) != wk_ok) {
        fprintf(stderr, "%s\n", wkGetLastError());
        return 1;
    }
    wkShape obstacle = wkMakeCloud(cloud), finger = wkMakeSphere(0.02);
    wkNoiseRequest request = wkDefaultNoiseRequest();
    request.tolerance = 1e-12; // what far points may add to the upper bound

    for (int step = 0; step < 6; step++) {
        wkPose pose = wkMakePose(0.003, 0.001, 0.965 + 0.003 * step);
        wkNoiseResult r =
            wkCollisionProbability(&obstacle, wkIdentityPose(), &finger, pose, &request);
        double gap = wkDistance(&obstacle, wkIdentityPose(), &finger, pose, NULL).distance;
        printf("gap %4.1f mm: probability %.1e to %.1e, %s\n", 1000.0 * gap, r.lower, r.upper,
               r.upper < 1e-3 ? "go on" : "stop");
    }
    wkCloud_Destroy(cloud);
    return 0;
}
