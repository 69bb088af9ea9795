// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// A map that boxes of the world are held against. The lanes do the rest.

#include "query/map_sift.h"

#include "base/lanes.h"
#include "query/map_query.h"
#include "solve/pair.h"

WK_DEFINE_LANES(wkSiftBoxesFcn, wkSiftBoxes)

void wkMapSift_Init(wkMapSift* sift, const wkShape* map, const wkPose* pose)
{
    sift->map = map;
    sift->view = wkViewOfMap(map);
    sift->doors = wkOctreeFindDoors(sift->view.octree);
    sift->worldFromMap = wkMatFromQuat(wkTameQuat(pose->rotation));
    sift->position = pose->position;
    sift->wider = wkPositive(wkShapeRadius(map));
    // not by the matrix, whose diagonal is 1 for small angles as well
    sift->isStraight =
        pose->rotation.x == 0.0 && pose->rotation.y == 0.0 && pose->rotation.z == 0.0;
}

unsigned wkMapSift_Pass(const wkMapSift* sift, const wkEightBoxes* boxes, wkVec3d origin,
                        double reach, unsigned lanes)
{
    // unknown space has no end
    return sift->view.wantsUnknown
               ? lanes
               : wkSiftBoxesOfMachine()(sift, boxes, origin, wkPositive(reach), lanes);
}
