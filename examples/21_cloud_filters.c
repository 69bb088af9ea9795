// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Which points of a sensor become obstacles: a wall, a cup, the robot's own arm and noise, filtered in steps. Every
// point that is removed has the step that did it.

#include <stdio.h>
#include <whisker/whisker.h>

#define MAX_POINTS 4000

static float points[3 * MAX_POINTS];
static int32_t pointCount;

static void add(double x, double y, double z)
{
    points[3 * pointCount] = (float)x;
    points[3 * pointCount + 1] = (float)y;
    points[3 * pointCount + 2] = (float)z;
    pointCount++;
}

// What the sensor at the origin sees, looking along z.
static void measure(void)
{
    for (int i = 0; i < 40; i++) {
        for (int k = 0; k < 40; k++) {
            add(-1.0 + 0.05 * i, -1.0 + 0.05 * k, 4.0); // a wall, 4 m away
        }
    }
    for (int i = 0; i < 30; i++) {
        for (int k = 0; k < 30; k++) {
            add(0.3 + 0.004 * i, -0.1 + 0.004 * k, 1.0); // a cup
        }
    }
    for (int i = 0; i < 100; i++) {
        add(-0.3 + 0.004 * i, 0.2, 0.85); // the arm of the robot
    }
    add(0.0, -0.4, 1.5); // a speck of dust
}

int main(void)
{
    measure();
    // Spheres of the robot, as wkSphereModel_PlaceState places them.
    wkSphere3d spheres[6];
    for (int i = 0; i < 6; i++) {
        spheres[i].center = (wkVec3d){-0.3 + 0.08 * i, 0.2, 0.9};
        spheres[i].radius = 0.06;
    }
    wkFilterRobot robot = {.spheres = spheres, .sphereCount = 6};
    const wkFilterStep steps[] = {
        wkMakeRangeFilter((wkVec3d){0.0, 0.0, 0.0}, 0.3, 5.0),
        wkMakeSelfFilter(robot, 0.02),
        wkMakeDistanceFilter(robot, 1.5),
        wkMakeRadiusFilter(0.05, 3),
        wkMakeVoxelFilter(0.02),
    };
    wkFilterRequest request = wkDefaultFilterRequest();
    request.points = wkMakeCloudView(points, pointCount);
    request.steps = steps;
    request.stepCount = 5;

    // The filter is memory: one for all frames.
    wkCloudFilter* filter = NULL;
    wkFilterResult result;
    if (wkCloudFilter_Create(&filter) != wk_ok ||
        wkCloudFilter_Run(filter, &request, &result) != wk_ok) {
        fprintf(stderr, "%s\n", wkGetLastError());
        wkCloudFilter_Destroy(filter);
        return 1;
    }
    for (int i = 0; i < result.stepCount; i++) {
        printf("%-12s %4d points, %4d removed\n", wkFilterTypeName(steps[i].type),
               (int)result.steps[i].examinedCount, (int)result.steps[i].removedCount);
    }
    printf("kept         %4d of %d\n", (int)result.keptCount, (int)result.pointCount);
    printf("removed points are within %.3f m of kept ones\n", result.steps[4].reach);
    wkFilterType speck = steps[result.marks[pointCount - 1] - wk_markRemoved].type;
    printf("the speck of dust was removed by: %s\n", wkFilterTypeName(speck));
    wkCloudFilter_Destroy(filter);
    return 0;
}
