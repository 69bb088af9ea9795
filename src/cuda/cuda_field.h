// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What other queries on a GPU need of a field. Everything is submitted to a stream of the caller, who waits for it before
// the next call.

#include "cuda/cuda_impl.h"
#include "cuda/live_field.h"

int32_t wkDeviceOfField(const wkCudaField* field);

// Origin of the frame of the field in the world; its axes are those of the world.
wkVec3d wkOriginOfField(const wkCudaField* field);

// Metres that rounding to floats moves a position of the region by, at most.
double wkRoundingOfField(const wkCudaField* field);

// Returns what kernels check. It is valid for kernels behind those that an update has submitted to the same stream.
const wkLiveField* wkViewOfField(const wkCudaField* field);

// Forgets all points, and submits what has to come before new ones. Until wkFinishField, nothing is known.
// @param radius of all points, checked
// @param pose of the frame of the points, checked
// @param take set for wkLaunchLiveTake: its layout, first point and alignment are still to be set
wkResult wkBeginField(wkCudaField* field, int64_t pointCount, wkPose pose, double radius,
                      wkLiveTake* take, cudaStream_t stream);

// Submits what makes a field of the points that were taken. The field is known from then on, unless this fails; where the
// radius of a point is not valid, all of its spheres touch.
wkResult wkFinishField(wkCudaField* field, cudaStream_t stream);
