// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// A map from a point cloud: a depth image is saved as a .pcd with the pose of its camera, read back,
// inserted into a map with cells of 5 cm, and a robot arm is checked against the map. The map is saved as
// a .bt file of OctoMap.

#include "whisker/io.h"
#include "whisker/whisker.h"

#include <math.h>
#include <stdio.h>

#define WIDTH 160
#define HEIGHT 120

// What a camera at the origin, looking along x, sees of a table with a box on it and a wall behind;
// pixels that would see farther than 3 m have no depth.
static void check(float points[3 * WIDTH * HEIGHT])
{
    wkShape table = wkMakeBox(1.0, 1.2, 0.04), box = wkMakeBox(0.3, 0.2, 0.4);
    wkShape wall = wkMakeBox(0.1, 2.0, 1.0);
    const wkShape* shapes[] = {&table, &box, &wall};
    const wkPose poses[] = {wkMakePose(1.2, 0.0, -0.5), wkMakePose(1.2, 0.2, -0.28),
                            wkMakePose(2.5, 0.4, 0.0)};
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        int column = i % WIDTH, row = i / WIDTH;
        double u = (column + 0.5) / WIDTH - 0.5, v = (row + 0.5) / HEIGHT - 0.5;
        wkRay ray = {{0.0, 0.0, 0.0}, {1.0, -1.2 * u, -0.9 * v}, 3.0};
        double nearest = INFINITY;
        for (int k = 0; k < 3; k++) {
            wkRayResult hit = wkShape_RayCast(shapes[k], poses[k], ray);
            nearest = hit.isHit ? fmin(nearest, hit.distance) : nearest;
        }
        double length = sqrt(1.0 + 1.44 * u * u + 0.81 * v * v), factor = nearest / length;
        points[3 * i] = (float)(isfinite(factor) ? factor : NAN);
        points[3 * i + 1] = (float)(isfinite(factor) ? -1.2 * u * factor : NAN);
        points[3 * i + 2] = (float)(isfinite(factor) ? -0.9 * v * factor : NAN);
    }
}

static wkResult saveImage(const char* path)
{
    static float points[3 * WIDTH * HEIGHT];
    check(points);
    wkPointData image = {.points = points,
                         .count = WIDTH * HEIGHT,
                         .width = WIDTH,
                         .height = HEIGHT,
                         .hasSensor = true,
                         .sensor = wkMakePose(0.0, 0.0, 0.0)};
    return wkPointData_Save(path, &image);
}

// Points of the file into a new map; the camera stood 1.2 m above the floor.
static wkResult mapFile(const char* path, wkOctree** map)
{
    wkPointData* cloud = NULL;
    wkLoadInfo report;
    wkLoadDef options = wkDefaultLoadDef();
    wkResult result = wkPointData_Load(path, &options, &report, &cloud);
    if (result != wk_ok) {
        return result;
    }
    printf("%d x %d pixels, %d without depth\n", cloud->width, cloud->height,
           report.notFiniteCount);
    wkScan scan = wkDefaultScan();
    scan.points.points = cloud->points;
    scan.points.count = cloud->count;
    scan.origin = cloud->sensor.position;
    scan.frame = wkMakePose(0.0, 0.0, 1.2);
    wkScanInfo info;
    result = wkOctree_Create(NULL, map);
    result = result == wk_ok ? wkOctree_Insert(*map, &scan, &info) : result;
    if (result == wk_ok) {
        printf("%d points taken in, %d dropped\n", info.usedCount, info.notFiniteCount);
    }
    wkPointData_Destroy(cloud);
    return result;
}

int main(void)
{
    const char *cloudPath = "map_from_cloud.pcd", *mapPath = "map_from_cloud.bt";
    wkOctree *map = NULL, *again = NULL;
    wkResult result = saveImage(cloudPath);
    result = result == wk_ok ? mapFile(cloudPath, &map) : result;
    result = result == wk_ok ? wkOctree_Save(mapPath, map) : result;
    result = result == wk_ok ? wkOctree_Load(mapPath, &again) : result;
    if (result != wk_ok) {
        fprintf(stderr, "%s\n", wkGetLastError());
    } else {
        wkShape world = wkMakeOctree(again), arm = wkMakeCapsule(0.05, 0.4);
        const double heights[] = {1.5, 1.3, 0.9};
        for (int i = 0; i < 3; i++) {
            wkPose pose = wkMakePose(1.08, 0.17, heights[i]);
            wkDistanceResult gap = wkDistance(&world, wkIdentityPose(), &arm, pose, NULL);
            printf("arm at %.1f m: %.2f m%s\n", heights[i], gap.distance,
                   gap.distance > 0.0 ? "" : ", in the way");
        }
    }
    remove(cloudPath);
    remove(mapPath);
    wkOctree_Destroy(again);
    wkOctree_Destroy(map);
    return result == wk_ok ? 0 : 1;
}
