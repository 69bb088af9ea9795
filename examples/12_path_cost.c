// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Collision cost of paths: a camera observes a crate, but neither the space behind it nor that outside of its
// view. Three paths of a gripper, one through observed space and two not, and the uncertain cells on them.
// With an argument the cells are printed as a table, from which tools/cost_figure.py draws.

#include "whisker/whisker.h"

#include <math.h>
#include <stdio.h>

#define COLUMNS 160
#define ROWS 100
#define HEIGHT 0.55 // of the hand
#define POSE(X, Y) wkMakePoseRpy((wkVec3d){X, Y, HEIGHT}, 0.0, 1.5707963267948966, 0.0)

// Length of a ray from the camera to the floor, the wall or the crate.
static double rangeOf(wkVec3d origin, wkVec3d direction)
{
    const wkShape shapes[] = {wkMakeHalfspace((wkVec3d){0.0, 0.0, 1.0}, 0.0),
                              wkMakeBox(0.2, 8.0, 6.0), wkMakeBox(0.6, 0.8, 1.0)};
    const wkPose poses[] = {wkIdentityPose(), wkMakePose(3.1, 0.0, 1.0), wkMakePose(1.5, 0.0, 0.5)};
    wkRay ray = {origin, direction, 6.0};
    double range = ray.maxDistance;
    for (int i = 0; i < 3; i++) {
        wkRayResult hit = wkShape_RayCast(&shapes[i], poses[i], ray);
        range = hit.isHit ? fmin(range, hit.distance) : range;
    }
    return range;
}

// Inserts one image, 70 degrees wide, rotated by `turn` to the left.
static wkResult check(wkOctree* map, double turn)
{
    static float points[3 * COLUMNS * ROWS];
    const wkVec3d eye = {0.05, 0.05, 1.25};
    for (int i = 0; i < COLUMNS * ROWS; i++) {
        double yaw = turn + 1.22 * ((i % COLUMNS + 0.5) / COLUMNS - 0.5);
        double pitch = -0.4 + 0.9 * ((i / COLUMNS + 0.5) / ROWS - 0.5);
        wkVec3d direction = {cos(pitch) * cos(yaw), cos(pitch) * sin(yaw), sin(pitch)};
        double range = rangeOf(eye, direction) + 1e-3; // in the cell behind the surface
        points[3 * i] = (float)(eye.x + range * direction.x);
        points[3 * i + 1] = (float)(eye.y + range * direction.y);
        points[3 * i + 2] = (float)(eye.z + range * direction.z);
    }
    wkScan scan = wkDefaultScan();
    scan.points = (wkPointsView){points, COLUMNS * ROWS, 0};
    scan.origin = eye;
    return wkOctree_Insert(map, &scan, NULL);
}

// The map at the height of the hand.
static void printSlice(const wkOctree* map)
{
    wkCellRequest filter = wkDefaultCellRequest();
    filter.box = (wkAabb){{-0.2, -1.8, HEIGHT - 0.01}, {3.2, 1.8, HEIGHT + 0.01}};
    wkCellIterator cells = wkOctree_Cells(map, &filter);
    for (wkCell c; wkCellIterator_Next(&cells, &c);) {
        printf("%s,%g,%g,%g,%.3f\n", wkCellStateName(c.state), c.center.x - 0.5 * c.size,
               c.center.y - 0.5 * c.size, c.size, c.probability);
    }
}

static void printBoxes(const wkCost* cost, const char* name)
{
    static wkCostBox boxes[10000];
    int64_t count = wkCost_Boxes(cost, boxes, 10000);
    for (int64_t i = 0; i < count && i < 10000; i++) {
        wkVec3d low = boxes[i].box.lower, high = boxes[i].box.upper;
        if (low.z < HEIGHT && high.z > HEIGHT) {
            double size = high.x - low.x;
            printf("%s,%g,%g,%g,%.3f\n", name, low.x, low.y, size, boxes[i].probability);
        }
    }
}

static void report(const wkCost* cost, const char* name)
{
    wkCostInfo sum = wkCost_Info(cost);
    printf("%-16s: cost %3.0f l, at most %.2f probable, %3.0f l unknown\n", name,
           1000.0 * sum.weightedVolume, sum.highestProbability, 1000.0 * sum.unknownVolume);
}

int main(int argc, char** argv)
{
    (void)argv;
    wkOctreeDef def = wkDefaultOctreeDef();
    def.resolution = 0.1;
    wkOctree* octree = NULL;
    wkCost* cost = NULL;
    wkResult result = wkOctree_Create(&def, &octree);
    for (int i = 0; i < 6 && result == wk_ok; i++) {
        result = check(octree, 0.06 * i - 0.15); // cells at the sides are observed less often
    }
    result = result == wk_ok ? wkCost_Create(NULL, &cost) : result;

    // a hand and the arm that holds it, along x, from their current position by way of a second one
    wkShape map = wkMakeOctree(octree), links[] = {wkMakeSphere(0.12), wkMakeCapsule(0.07, 0.4)};
    const char* names[] = {"beside the crate", "behind the crate", "out of sight"};
    const wkPose paths[][3] = {{POSE(0.85, 0.5), POSE(1.1, 0.75), POSE(1.6, 0.75)},
                               {POSE(0.85, 0.5), POSE(2.05, 0.75), POSE(2.3, 0.1)},
                               {POSE(0.85, 0.5), POSE(0.85, -0.5), POSE(1.1, -1.2)}};
    for (int i = 0; i < 3 && result == wk_ok; i++) {
        wkCost_Clear(cost);
        for (int k = 0; k < 2 && result == wk_ok; k++) { // cells that both meet count once
            result = wkCost_AddMotion(cost, &map, wkIdentityPose(), &links[k], paths[i], 3);
        }
        (argc > 1 ? printBoxes : report)(cost, names[i]);
    }
    if (result != wk_ok) {
        fprintf(stderr, "%s\n", wkGetLastError());
    } else if (argc > 1) {
        printSlice(octree);
    }
    wkCost_Destroy(cost);
    wkOctree_Destroy(octree);
    return result == wk_ok ? 0 : 1;
}
