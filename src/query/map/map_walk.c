// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The walks over maps, with the SIMD kernels of this machine.

#include "query/map/map_walk.h"

#include "base/isa_table.h"

WK_DEFINE_LANES(const wkMapLanes, wkMapLanes)
WK_DEFINE_LANES(const wkMapTreeLanes, wkMapTreeLanes)

void wkWalkMap(wkMapWalk* walk)
{
    wkMapLanesOfMachine()->walkMap(walk);
}

void wkWalkMaps(wkMapsWalk* walk)
{
    wkMapLanesOfMachine()->walkMaps(walk);
}

void wkWalkMapTree(wkMapTreeWalk* walk)
{
    wkMapTreeLanesOfMachine()->walkMapTree(walk);
}
