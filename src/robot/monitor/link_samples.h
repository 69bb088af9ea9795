// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Samples of the surfaces of a link's bodies: spheres that cover them.

#include "robot/robot_impl.h"
#include "whisker/robot_cloud.h"

// A point in the frame of its link. All of the surface is within the spheres of the samples, and each sample is
// within its radius of the surface.
typedef struct wkLinkSample {
    float x, y, z;
    float radius;
} wkLinkSample;

typedef struct wkLinkSamples {
    wkLinkSample* samples;
    int32_t count;
    int32_t capacity;
} wkLinkSamples;

// How surfaces are sampled.
typedef struct wkSampleRule {
    wkRobotCloudKind kind;
    double resolution;
    int32_t maxCount;
} wkSampleRule;

// Samples all bodies of a link. Free the result in any case.
// @return wk_errorUnsupported, wk_errorRange, wk_errorMemory
wkResult wkSampleLink(const wkRobot* robot, int32_t link, const wkSampleRule* rule,
                      wkLinkSamples* samples);
void wkFreeLinkSamples(wkLinkSamples* samples);
