// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A noise model of real depth cameras.

#include "whisker/depth_image.h"

// The ground truth at a pixel.
typedef struct wkSight {
    float depth;  // along z; NaN: nothing, or not measurable
    float facing; // cosine between the surface's normal and the ray
} wkSight;

// Checks the parameters of a noise model.
wkResult wkCheckNoise(const wkDepthNoise* noise);

// Applies the noise model to a row of an image.
void wkSpoilRow(const wkDepthNoise* noise, const wkSight* sights, int32_t width, int32_t height,
                int32_t v, float* row);
