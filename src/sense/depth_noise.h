// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What a real depth camera makes of what is there.

#include "whisker/depth_image.h"

// What is really at a pixel.
typedef struct wkSight {
    float depth;  // along z; NaN: nothing, or what is not measured
    float facing; // cosine between the surface's normal and the ray
} wkSight;

// What is wrong with noise.
wkResult wkCheckNoise(const wkDepthNoise* noise);

// A row of an image as the camera gives it.
void wkSpoilRow(const wkDepthNoise* noise, const wkSight* sights, int32_t width, int32_t height,
                int32_t v, float* row);
