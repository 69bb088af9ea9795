// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Depth images of made-up rooms and spheres of all kinds, for tests of depth maps.

#include "scenes/rng.h"
#include "whisker/depth.h"

#include <math.h>
#include <stdlib.h>

// An image with pixels of its own.
typedef struct wkTestImage {
    wkDepthImage image;
    float* depths;
} wkTestImage;

static inline wkCamera wkTestCamera(wkRng* rng, int32_t width, int32_t height)
{
    wkCamera camera = wkDefaultCamera();
    camera.width = width;
    camera.height = height;
    camera.fx = width * wkRngRange(rng, 0.4, 1.6);
    camera.fy = camera.fx * wkRngRange(rng, 0.8, 1.25);
    camera.cx = width * wkRngRange(rng, 0.3, 0.7);
    camera.cy = height * wkRngRange(rng, 0.3, 0.7);
    return camera;
}

// A slanted wall with boxes before it, and pixels and patches in which nothing was measured.
static inline void wkFillRoom(wkRng* rng, wkTestImage* made)
{
    const wkCamera* c = &made->image.camera;
    double wall = wkRngRange(rng, 1.0, 6.0), slant = wkRngRange(rng, -0.4, 0.4);
    for (int32_t v = 0; v < c->height; ++v) {
        for (int32_t u = 0; u < c->width; ++u) {
            double share = ((double)u / c->width - 0.5) * slant;
            bool isHole = wkRngChance(rng, 500);
            made->depths[(size_t)v * (size_t)c->width + (size_t)u] =
                isHole ? NAN : (float)(wall * (1.0 + share) + wkRngRange(rng, 0.0, 0.003));
        }
    }
    int patchCount = wkRngBelow(rng, 8);
    for (int i = 0; i < patchCount; ++i) {
        int32_t left = wkRngBelow(rng, c->width), top = wkRngBelow(rng, c->height);
        int32_t width = 1 + wkRngBelow(rng, c->width / 2 + 1);
        int32_t height = 1 + wkRngBelow(rng, c->height / 2 + 1);
        float depth = wkRngChance(rng, 3) ? NAN : (float)wkRngRange(rng, 0.3, wall);
        for (int32_t v = top; v < top + height && v < c->height; ++v) {
            for (int32_t u = left; u < left + width && u < c->width; ++u) {
                made->depths[(size_t)v * (size_t)c->width + (size_t)u] = depth;
            }
        }
    }
}

static inline wkTestImage wkMakeTestImage(wkRng* rng, int32_t width, int32_t height)
{
    wkTestImage made = {wkDefaultDepthImage(), NULL};
    made.depths = (float*)malloc((size_t)width * (size_t)height * sizeof(float));
    made.image.camera = wkTestCamera(rng, width, height);
    made.image.pose = wkMakePose(wkRngRange(rng, -2.0, 2.0), wkRngRange(rng, -2.0, 2.0), 1.0);
    made.image.pose.rotation = wkRngRotation(rng);
    made.image.pixels = made.depths;
    made.image.type = wk_depthFloat;
    made.image.scale = 1.0;
    wkFillRoom(rng, &made);
    return made;
}

static inline wkDepthMapDef wkTestTrust(wkRng* rng)
{
    wkDepthMapDef trust = wkDefaultDepthMapDef();
    trust.minDepth = wkRngChance(rng, 2) ? 0.0 : 0.4;
    trust.maxDepth = wkRngChance(rng, 2) ? INFINITY : wkRngRange(rng, 1.0, 5.0);
    trust.noise = wkRngChance(rng, 3) ? 0.0 : 0.002;
    trust.noiseSquare = wkRngChance(rng, 3) ? 0.0 : 0.003;
    trust.padding = wkRngChance(rng, 2) ? 0.0 : wkRngRange(rng, 0.0, 0.05);
    return trust;
}

// A sphere in the frame of the camera, mostly in view; some are behind it, around it, far away, at an edge.
static inline wkSphere3d wkTestSphere(wkRng* rng, const wkCamera* c)
{
    double z = wkRngChance(rng, 6) ? wkRngRange(rng, -3.0, 8.0) : wkRngLogRange(rng, 0.05, 6.0);
    double u = wkRngRange(rng, -0.1, 1.1) * c->width, v = wkRngRange(rng, -0.1, 1.1) * c->height;
    wkSphere3d sphere = {{(u - c->cx) / c->fx * z, (v - c->cy) / c->fy * z, z}, 0.0};
    switch (wkRngBelow(rng, 8)) {
    case 0:
        break; // a point
    case 1:
        sphere.radius = wkRngLogRange(rng, 1e-6, 100.0);
        break;
    case 2:
        sphere.center = (wkVec3d){wkRngRange(rng, -0.1, 0.1), wkRngRange(rng, -0.1, 0.1), 0.0};
        sphere.radius = wkRngLogRange(rng, 0.01, 1.0);
        break;
    default:
        sphere.radius = wkRngLogRange(rng, 0.002, 0.4);
    }
    return sphere;
}

// The same sphere in the world.
static inline wkSphere3d wkSphereInWorld(wkPose pose, wkSphere3d sphere)
{
    wkSphere3d placed = {wkTransformPoint(pose, sphere.center), sphere.radius};
    return placed;
}
