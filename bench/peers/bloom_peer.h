// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The bloom method of Marshall, "A novel method for fast collision detection on the PR2" (2012),
// written again as well as plain C allows, as a peer: all spheres have one radius, the image is
// filtered once such that each pixel holds the least depth around it within that radius, and a
// sphere costs one look-up at its middle. The robot is a tree of joints, and the search ends at the
// first sphere that is not in front of what was seen. What is outside of the image counts as free.

#include "whisker/depth_image.h"
#include "whisker/sphere_model.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct wkBloom wkBloom;

// The robot of the model with its root at `base`, seen by a pinhole camera. NULL when memory is
// short, or a joint has more than one variable.
wkBloom* wkBloom_Create(const wkSphereModel* spheres, wkPose base, const wkCamera* camera,
                        wkPose cameraPose);

void wkBloom_Destroy(wkBloom* bloom);

// Takes in an image, in metres, NaN where nothing was measured, for spheres of that radius.
void wkBloom_SetImage(wkBloom* bloom, const float* depths, double radius);

// Does the robot touch something in this configuration?
bool wkBloom_IsHit(const wkBloom* bloom, const double* q);

// Memory.
size_t wkBloom_ByteCount(const wkBloom* bloom);

#ifdef __cplusplus
}
#endif
