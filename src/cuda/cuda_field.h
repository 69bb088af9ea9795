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
const wkLiveObjects* wkObjectsOfField(const wkCudaField* field);

// Forgets all points, and submits what has to come before new ones. Until wkFinishField, nothing is known.
// @param request checked
// @param pose of the frame of the points, checked
// @param take set for wkLaunchLiveTake: its layout, first point and alignment are still to be set
wkResult wkBeginField(wkCudaField* field, int64_t pointCount, wkPose pose,
                      const wkCudaFieldRequest* request, wkLiveTake* take, cudaStream_t stream);

// Submits what makes a field of the points that were taken. The field is known from then on, unless this fails; where the
// radius of a point is not valid, all of its spheres touch. A second stream takes part; the given one waits for it.
wkResult wkFinishField(wkCudaField* field, cudaStream_t stream);

// Checks the arguments of wkCudaField_UpdateFromDepth and submits all of it to streams of the field. wkEndFrame has to follow,
// also where this fails.
wkResult wkSubmitDepthToField(wkCudaField* field, const wkCudaCamera* camera,
                              const wkDepthImage* image, wkCudaMemory memory,
                              const wkCudaFieldRequest* request);

// The event behind the frame that was submitted last.
cudaEvent_t wkReadyOfField(const wkCudaField* field);

// Waits for a frame, and takes over what it found. Nothing is known where the frame is refused or has failed.
// @param result of what was submitted
// @return `result`, or why the frame is refused
wkResult wkEndFrame(wkCudaField* field, wkResult result);
