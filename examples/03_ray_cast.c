// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Ray casts: a lidar rotates about the vertical axis, and the shapes that its rays hit are drawn as letters.

#include "whisker/whisker.h"

#include <math.h>
#include <stdio.h>

#define GRID_RAY_COUNT 72

typedef struct thing {
    char letter;
    wkShape shape;
    wkPose pose;
} thing;

// Returns the nearest shape on the ray, or NULL. Each hit shortens the ray for the shapes after it.
static const thing* findNearest(const thing* things, int count, wkRay ray, double* distance)
{
    const thing* nearest = NULL;
    for (int i = 0; i < count; i++) {
        wkRayResult hit = wkShape_RayCast(&things[i].shape, things[i].pose, ray);
        if (hit.isHit) {
            nearest = &things[i];
            ray.maxDistance = hit.distance;
        }
    }
    *distance = ray.maxDistance;
    return nearest;
}

int main(void)
{
    const double turn = 2.0 * acos(-1.0);
    const wkVec3d towardsWall = {-1.0, 0.0, 0.0};
    const thing things[] = {
        {'b', wkMakeBox(1.0, 1.0, 1.0), wkMakePose(3.0, 0.0, 0.5)},
        {'c', wkMakeCylinder(0.4, 2.0), wkMakePose(0.0, 2.0, 1.0)},
        {'k', wkMakeCone(0.8, 1.6), wkMakePose(1.5, -2.0, 0.8)},
        {'w', wkMakeHalfspace(towardsWall, 0.0), wkMakePose(5.0, 0.0, 0.0)},
    };

    char view[GRID_RAY_COUNT + 1];
    double nearestDistance = INFINITY;
    for (int i = 0; i < GRID_RAY_COUNT; i++) {
        double angle = turn * ((double)i / GRID_RAY_COUNT - 0.5);
        wkRay ray = {{0.0, 0.0, 0.6}, {cos(angle), sin(angle), 0.0}, 20.0};
        double distance = 0.0;
        const thing* hit = findNearest(things, 4, ray, &distance);
        view[i] = '.';
        if (hit != NULL) {
            view[i] = hit->letter;
            nearestDistance = fmin(nearestDistance, distance);
        }
    }
    view[GRID_RAY_COUNT] = '\0';
    printf("from behind over the right, the front and the left:\n%s\n", view);
    printf("nearest surface after %.3f m\n", nearestDistance);

    // A hit also has a point and the outward normal of the surface there.
    wkRay ahead = {{0.0, 0.0, 0.6}, {1.0, 0.0, 0.0}, INFINITY};
    wkRayResult hit = wkShape_RayCast(&things[0].shape, things[0].pose, ahead);
    printf("straight ahead: x = %.3f, normal x = %.1f\n", hit.point.x, hit.normal.x);
    return 0;
}
