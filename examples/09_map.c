// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Occupancy maps: space that a sensor observed to be free or occupied; the rest is unknown. A crate is added
// to the scene, and a comparison with an earlier copy of the map gives the cells that changed.

#include "whisker/whisker.h"

#include <math.h>
#include <stdio.h>

#define COLUMNS 180
#define ROWS 90

// Length of a ray from the middle of a room of 4 x 3 x 2.5 m, with the crate or without.
static double rangeOf(wkVec3d direction, bool hasCrate)
{
    wkRay ray = {{0.0, 0.0, 0.0}, direction, 10.0};
    wkShape wall = wkMakeBox(1.0, 10.0, 10.0), side = wkMakeBox(10.0, 1.0, 10.0);
    wkShape slab = wkMakeBox(10.0, 10.0, 1.0), crate = wkMakeBox(0.4, 0.4, 0.5);
    const wkShape* shapes[] = {&wall, &wall, &side, &side, &slab, &slab, &crate};
    const wkPose poses[] = {wkMakePose(2.5, 0.0, 0.0),   wkMakePose(-2.5, 0.0, 0.0),
                            wkMakePose(0.0, 2.0, 0.0),   wkMakePose(0.0, -2.0, 0.0),
                            wkMakePose(0.0, 0.0, 1.75),  wkMakePose(0.0, 0.0, -1.75),
                            wkMakePose(1.21, 0.33, -1.0)};
    double range = ray.maxDistance;
    for (int i = 0; i < (hasCrate ? 7 : 6); i++) {
        wkRayResult hit = wkShape_RayCast(shapes[i], poses[i], ray);
        range = hit.isHit ? fmin(range, hit.distance) : range;
    }
    return range;
}

static wkResult check(wkOctree* map, bool hasCrate)
{
    static float points[3 * COLUMNS * ROWS];
    for (int i = 0; i < COLUMNS * ROWS; i++) {
        int row = i / COLUMNS, column = i % COLUMNS;
        double yaw = 6.283185307179586 * (column + 0.5) / COLUMNS;
        double pitch = 3.141592653589793 * ((row + 0.5) / ROWS - 0.5);
        wkVec3d direction = {cos(pitch) * cos(yaw), cos(pitch) * sin(yaw), sin(pitch)};
        double range = rangeOf(direction, hasCrate) + 1e-3; // in the cell behind the surface
        points[3 * i] = (float)(range * direction.x);
        points[3 * i + 1] = (float)(range * direction.y);
        points[3 * i + 2] = (float)(range * direction.z);
    }
    wkScan scan = wkDefaultScan();
    scan.points.points = points;
    scan.points.count = COLUMNS * ROWS;
    return wkOctree_Insert(map, &scan, NULL);
}

static bool countNewObstacles(const wkCellChange* change, void* context)
{
    *(int*)context += change->after.state == wk_cellOccupied ? 1 : 0;
    return true;
}

int main(void)
{
    wkOctreeDef def = wkDefaultOctreeDef();
    def.resolution = 0.1;
    wkOctree *map = NULL, *before = NULL;
    wkResult result = wkOctree_Create(&def, &map);
    result = result == wk_ok ? check(map, false) : result;
    result = result == wk_ok ? wkOctree_Copy(map, &before) : result; // shares its memory
    for (int i = 0; i < 5 && result == wk_ok; i++) {
        result = check(map, true);
    }
    if (result != wk_ok) {
        fprintf(stderr, "%s\n", wkGetLastError());
        return 1;
    }

    const wkVec3d points[] = {{1.0, 0.0, 0.0}, {1.25, 0.35, -0.8}, {3.0, 0.0, 0.0}};
    for (int i = 0; i < 3; i++) {
        wkCellKey key;
        if (wkOctree_KeyAt(map, points[i], &key)) {
            wkCell then = wkOctree_CellAt(before, key), now = wkOctree_CellAt(map, key);
            printf("(%5.2f, %4.2f, %5.2f) was %s, is %s, in a cube of %.1f m\n", points[i].x,
                   points[i].y, points[i].z, wkCellStateName(then.state),
                   wkCellStateName(now.state), now.size);
        }
    }
    int newCount = 0;
    wkOctree_Compare(before, map, countNewObstacles, &newCount);
    printf("obstacles that were not there before: %s\n", newCount > 20 ? "a crate" : "none");

    // The corner that the crate now occludes was observed before, and stays free in the map.
    wkCellRequest filter = wkDefaultCellRequest();
    filter.box = (wkAabb){{-1.8, -1.3, -1.1}, {1.8, 1.3, 1.1}};
    filter.wantsFree = filter.wantsOccupied = false;
    filter.wantsUnknown = true;
    wkCellIterator iterator = wkOctree_Cells(map, &filter);
    wkCell cell;
    double unknown = 0.0;
    while (wkCellIterator_Next(&iterator, &cell)) {
        unknown += cell.size * cell.size * cell.size;
    }
    printf("unknown in the middle of the room: %.1f m3\n", unknown);
    wkOctree_Destroy(before);
    wkOctree_Destroy(map);
    return 0;
}
