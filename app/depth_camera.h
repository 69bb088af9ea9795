// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A depth camera that looks at a scene by ray casting, with the flaws of a real one: noise that grows
// with the square of the distance, steps of the sensor, pixels that see nothing at grazing angles.

#include "whisker/scene.h"

#define WK_DEPTH_WIDTH 640
#define WK_DEPTH_HEIGHT 480
#define WK_DEPTH_PIXELS (WK_DEPTH_WIDTH * WK_DEPTH_HEIGHT)

// One picture of the camera.
typedef struct wkDepthView {
    wkPose camera;                     // z forward, x right, y down
    float depths[WK_DEPTH_PIXELS];     // along z in metres; NaN: nothing was measured
    float points[3 * WK_DEPTH_PIXELS]; // in the frame of the camera; NaN likewise
    int measuredCount;
} wkDepthView;

// Takes a picture on all processors. Objects whose `user` is NULL hide what is behind them without
// being measured: the robot's own body, which a filter has taken out. `seed` decides the noise.
void wkDepthView_Take(wkDepthView* view, const wkScene* scene, wkPose camera, uint32_t seed);
