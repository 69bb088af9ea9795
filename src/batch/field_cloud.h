// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Point clouds in a field. A cloud has a grid of words of its own, which are merged into those of the layers, and
// for each brick a list of boxes around the points that may be the nearest to a point of the brick. A sphere that
// its cell leaves open is compared with the points in these boxes, eight at a time. A brick that no sphere was
// expected in lists the boxes around all points: every brick is decided by the same operations, on any device.
//
// The boxes form a hierarchy: eight points that follow each other in the cloud have a box, eight boxes that
// follow each other have one, and so on.

#include "batch/field.h"
#include "batch/field_cloud_view.h"

// Returns whether a shape of the scene can be a cloud of a field: floats are exact enough for its points.
bool wkFieldCloud_Fits(const wkField* field, int32_t slotIndex);

// Makes a cloud of a field, whose grid is chosen.
// @param lanes of any instruction set: the results are the same bytes
wkResult wkFieldCloud_Create(const wkField* field, const wkFieldGrid* grid, int32_t slotIndex,
                             const struct wkFieldCloudLanes* lanes, const wkParallel* parallel,
                             wkFieldCloud** out);

// Gives up a cloud; NULL is allowed.
void wkFieldCloud_Drop(wkFieldCloud* cloud);

// Sets a view of a block that was copied from another cloud of a field, which need not exist any more. The view
// answers wkFieldCloud_Touches and _Distance, and has nothing to free.
// @param cloud with the points of that cloud
// @return wk_errorArgument, see wkBlock_Bind
wkResult wkFieldCloud_Bind(const void* block, size_t byteCount, const wkCloud* cloud,
                           const struct wkFieldCloudLanes* lanes, wkFieldCloud* view);

// Returns whether a cloud is what wkFieldCloud_Create would make.
bool wkFieldCloud_IsSame(const wkFieldCloud* cloud, const wkField* field, const wkFieldGrid* grid,
                         int32_t slotIndex);
size_t wkFieldCloud_ByteCount(const wkFieldCloud* cloud);

// Merges the words of a cloud into those of a layer.
// @param isCertain the cloud applies to every side of the layer
void wkFieldCloud_Merge(const wkFieldCloud* cloud, bool isCertain, uint32_t* words);

// Returns whether a sphere with its center in a brick touches the cloud.
bool wkFieldCloud_Touches(const wkFieldCloud* cloud, int32_t brick, const float center[3],
                          float radius);

// Returns a lower bound on the distance between a point in a brick and the cloud, exact up to rounding; `limit`
// where nothing is nearer.
float wkFieldCloud_Distance(const wkFieldCloud* cloud, int32_t brick, const float center[3],
                            float limit);
