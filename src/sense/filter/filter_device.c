// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// What a device that filters points takes from here: parameters of steps and grids, computed as for a run on the CPU.

#include "sense/filter/filter_impl.h"
#include "whisker/detail/device.h"

bool wkFilterStep_Place(const wkFilterStep* step, wkPose pose, wkVec3d origin, wkSphere3d* spheres,
                        wkPointItem* item)
{
    if (!wkIsPointTest(step->type)) {
        return false;
    }
    wkPlacePointItem(step, pose, origin, item);
    const wkFilterRobot* robot = wkFilterStepRobot(step);
    if (robot != NULL && robot->sphereCount > 0) {
        wkPlaceItemSpheres(step, pose, origin, spheres);
        item->spheres = spheres;
        item->sphereCount = robot->sphereCount;
    }
    return true;
}

// A set with these bounds, and without points.
static wkPointSet setOf(const wkFilterBounds* bounds)
{
    wkPointSet set = {.count = bounds->count};
    memcpy(set.lower, bounds->lower, sizeof set.lower);
    memcpy(set.upper, bounds->upper, sizeof set.upper);
    return set;
}

int wkFilterBounds_VoxelGrid(const wkFilterBounds* bounds, double size, wkVoxelGrid* grid)
{
    wkPointSet set = setOf(bounds);
    int most = 64 - wkIndexBits(set.count) - WK_VOXEL_RANK_BITS;
    return wkMakeVoxelGrid(&set, size, most, grid);
}

double wkFilterBounds_VoxelReach(const wkFilterBounds* bounds, double size)
{
    wkPointSet set = setOf(bounds);
    return wkVoxelReach(&set, size);
}

void wkFilterBounds_CurveGrid(const wkFilterBounds* bounds, wkCurveGrid* grid)
{
    wkPointSet set = setOf(bounds);
    *grid = wkMakePointGrid(&set);
}
