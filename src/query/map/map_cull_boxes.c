// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Prepares a map for culling boxes of the world. The SIMD kernels do the rest.

#include "query/map/map_cull_boxes.h"

#include "base/isa_table.h"
#include "query/map/map_query.h"
#include "solve/pair.h"

WK_DEFINE_LANES(wkCullBoxesFcn, wkCullBoxes)

void wkMapBoxCull_Init(wkMapBoxCull* cull, const wkShape* map, const wkPose* pose)
{
    cull->map = map;
    cull->view = wkViewOfMap(map);
    cull->entryGrid = &cull->view.octree->entryGrid;
    cull->worldFromMap = wkMatFromQuat(wkTameQuat(pose->rotation));
    cull->position = pose->position;
    cull->wider = wkPositive(wkShapeRadius(map));
    // not from the matrix, whose diagonal is 1 for small angles as well
    cull->isStraight =
        pose->rotation.x == 0.0 && pose->rotation.y == 0.0 && pose->rotation.z == 0.0;
}

unsigned wkMapBoxCull_Pass(const wkMapBoxCull* cull, const wkEightBoxes* boxes, wkVec3d origin,
                           double reach, unsigned lanes)
{
    // unknown space is unbounded
    return cull->view.wantsUnknown
               ? lanes
               : wkCullBoxesOfMachine()(cull, boxes, origin, wkPositive(reach), lanes);
}
