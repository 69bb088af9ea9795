// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Extent and content of a map: see shape.h. Cells that count are solid; where unknown cells count, the map
// is unbounded.

#include "query/map/map_walk.h"
#include "whisker/digest.h"

wkAabb wkMapBounds(const wkShape* shape, const wkPose* pose);

// Includes the sphere around the cells; zero when there are none.
wkVec3d wkMapSupport(const wkShape* shape, wkVec3d direction);

wkMass wkMapMass(const wkShape* shape);
wkResult wkMapTriangulate(const wkShape* shape, int segments, double extent, wkTriangulation* out);

// The content of a map for digests, and the counter that changes with it.
void wkMapDigest(wkDigestBuilder* builder, const wkShape* shape);
const uint64_t* wkMapChanges(const wkShape* shape);

// Tight around the cells that count, in the frame of the map; empty when there are none.
wkAabb wkMapCellBounds(const wkMapView* view);
