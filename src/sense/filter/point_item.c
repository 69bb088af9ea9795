// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Places the steps that decide each point by itself in the frame of the points.

#include "sense/filter/point_item.h"

#include <string.h>

// More than the rounding of sums and roots: what is within a distance is never found outside of it.
#define OUTWARD (1.0 + 1e-14)

static wkVec3d localPoint(wkPose pose, wkVec3d origin, wkVec3d world)
{
    wkFrame frame = wkFrameFromPose(pose);
    return wkSub(wkFrameLocal(&frame, world), origin);
}

static void placeRange(const wkFilterStep* step, wkPose pose, wkVec3d origin, wkPointItem* item)
{
    item->sensor = localPoint(pose, origin, step->range.sensor);
    item->minDistance = step->range.minDistance;
    item->maxDistance = step->range.maxDistance;
    item->keepsInside = true;
}

static void placeBox(const wkFilterStep* step, wkPose pose, wkVec3d origin, wkPointItem* item)
{
    wkMat3d worldFromPoints;
    item->boxFrame = wkRelativeFrame(&pose, &step->box.pose, &worldFromPoints);
    item->boxFrame.position = wkSub(item->boxFrame.position, origin);
    item->box = step->box.box;
    item->keepsInside = step->box.keepsInside;
    item->keepsOutside = !step->box.keepsInside;
}

static void placeDistance(const wkFilterStep* step, wkPose pose, wkVec3d origin, wkPointItem* item)
{
    (void)pose, (void)origin;
    item->keepsInside = true;
    item->distance = step->distance.maxDistance * OUTWARD;
}

static void placeSelf(const wkFilterStep* step, wkPose pose, wkVec3d origin, wkPointItem* item)
{
    const wkSelfFilter* self = &step->self;
    item->keepsInside = self->ownRule != wk_selfRemove;
    item->keepsOutside = true;
    item->markInside = self->ownRule == wk_selfMark ? wk_markOwn : wk_markKept;
    item->distance = self->padding;
    if (self->shadowRule != wk_selfKeep) {
        item->hasShadow = true;
        item->keepsShadow = self->shadowRule != wk_selfRemove;
        item->markShadow = wk_markShadow;
        item->sensor = localPoint(pose, origin, self->sensor);
    }
}

typedef void placeFcn(const wkFilterStep* step, wkPose pose, wkVec3d origin, wkPointItem* item);

static placeFcn* const rows[] = {
    [wk_filterRange] = placeRange,
    [wk_filterBox] = placeBox,
    [wk_filterDistance] = placeDistance,
    [wk_filterSelf] = placeSelf,
};

void wkPlacePointItem(const wkFilterStep* step, wkPose pose, wkVec3d origin, wkPointItem* item)
{
    memset(item, 0, sizeof *item);
    item->type = step->type;
    item->markInside = wk_markKept;
    rows[step->type](step, pose, origin, item);
}

void wkPlaceItemSpheres(const wkFilterStep* step, wkPose pose, wkVec3d origin, wkSphere3d* spheres)
{
    bool isSelf = step->type == wk_filterSelf;
    const wkFilterRobot* robot = isSelf ? &step->self.robot : &step->distance.robot;
    double distance = isSelf ? step->self.padding : step->distance.maxDistance;
    double factor = isSelf ? 1.0 : OUTWARD;
    wkFrame frame = wkFrameFromPose(pose);
    for (int32_t i = 0; i < robot->sphereCount; ++i) {
        spheres[i].center = wkSub(wkFrameLocal(&frame, robot->spheres[i].center), origin);
        spheres[i].radius = (robot->spheres[i].radius + distance) * factor;
    }
}
