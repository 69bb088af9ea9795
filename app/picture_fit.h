// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Cameras that have everything in view.

#include "picture.h"
#include "whisker/sphere_model.h"

// Returns a camera that looks against a direction and has all parts, which are spheres, in its picture.
wkViewpoint wkFitViewpoint(const wkSphere3d* parts, size_t count, wkVec3d direction,
                           const wkPicture* picture);

// Writes the vertices of a box as parts with radius 0.
void wkPartsOfBox(wkAabb box, wkSphere3d parts[8]);
