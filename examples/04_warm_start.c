// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Warm starts: when a pair moves little between two queries, the second query needs fewer iterations if it
// starts from the last closest features. The cache belongs to the caller, one per pair.

#include "whisker/whisker.h"

#include <math.h>
#include <stdio.h>

#define POINT_COUNT 500
#define FRAME_COUNT 100

// A pebble: points spread evenly over an ellipsoid.
static wkResult makePebble(double x, double y, double z, wkHull** hull)
{
    wkVec3d points[POINT_COUNT];
    const double goldenAngle = 2.39996322972865332;
    for (int i = 0; i < POINT_COUNT; i++) {
        double height = 1.0 - (2.0 * i + 1.0) / POINT_COUNT;
        double radius = sqrt(1.0 - height * height);
        points[i] = (wkVec3d){x * radius * cos(i * goldenAngle), y * radius * sin(i * goldenAngle),
                              z * height};
    }
    wkHullDef def = wkDefaultHullDef();
    def.points = points;
    def.pointCount = POINT_COUNT;
    return wkHull_Create(&def, hull);
}

int main(void)
{
    wkHull* hullA = NULL;
    wkHull* hullB = NULL;
    if (makePebble(0.5, 0.4, 0.3, &hullA) != wk_ok || makePebble(0.3, 0.6, 0.4, &hullB) != wk_ok) {
        printf("no hull: %s\n", wkGetLastError());
        wkHull_Destroy(hullA);
        return 1;
    }
    wkShape a = wkMakeHull(hullA); // borrows the hull: keep it alive
    wkShape b = wkMakeHull(hullB);

    wkPairCache cache = {0};
    wkDistanceRequest warm = wkDefaultDistanceRequest();
    warm.cache = &cache;
    long coldSteps = 0;
    long warmSteps = 0;
    double largestDifference = 0.0;
    double nearest = INFINITY;
    for (int frame = 0; frame < FRAME_COUNT; frame++) {
        // the second pebble moves in a circle around the first and rotates
        double angle = 0.02 * frame;
        wkVec3d position = {1.3 * cos(angle), 1.3 * sin(angle), 0.1};
        wkPose poseB = wkMakePoseRpy(position, angle, 0.5 * angle, 0.0);
        wkDistanceResult first = wkDistance(&a, wkIdentityPose(), &b, poseB, NULL);
        wkDistanceResult again = wkDistance(&a, wkIdentityPose(), &b, poseB, &warm);
        coldSteps += first.iterations;
        warmSteps += again.iterations;
        largestDifference = fmax(largestDifference, fabs(first.distance - again.distance));
        nearest = fmin(nearest, again.distance);
    }
    printf("hulls of %d and %d vertices, %d frames\n", wkHull_Info(hullA).vertexCount,
           wkHull_Info(hullB).vertexCount, FRAME_COUNT);
    printf("nearest approach %.3f m\n", nearest);
    printf("warm answers equal cold ones to 1e-9: %s\n", largestDifference < 1e-9 ? "yes" : "no");
    printf("warm starts take fewer steps: %s\n", warmSteps < coldSteps ? "yes" : "no");

    wkHull_Destroy(hullA);
    wkHull_Destroy(hullB);
    return 0;
}
