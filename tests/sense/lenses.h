// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Cameras to test with: lenses as they are sold, and extreme ones.

#include "whisker/depth_image.h"

typedef struct namedLens {
    const char* name;
    wkDistortion distortion;
    double coefficients[8];
} namedLens;

// clang-format off
static const namedLens lensTable[] = {
    {"pinhole",           wk_distortionNone,    {0}},
    {"straight Brown",    wk_distortionBrown,   {0}},
    {"barrel",            wk_distortionBrown,   {-0.28, 0.07, 0.0, 0.0, 0.0}},
    {"strong barrel",     wk_distortionBrown,   {-0.4, 0.05, 0.0, 0.0, 0.0}},
    {"cushion",           wk_distortionBrown,   {0.12, 0.03, 0.0, 0.0, 0.01}},
    {"webcam",            wk_distortionBrown,   {0.2624, -0.9531, -0.0054, 0.0026, 1.1633}},
    {"skewed",            wk_distortionBrown,   {-0.1, 0.02, 0.02, -0.03, 0.0}},
    {"badly skewed",      wk_distortionBrown,   {0.0, 0.0, 0.2, 0.1, 0.0}},
    {"rational",          wk_distortionBrown,   {0.5, 0.2, 0.0003, -0.0002, 0.01, 0.85, 0.35, 0.05}},
    {"with a pole",       wk_distortionBrown,   {0.0, 0.0, 0.0, 0.0, 0.0, -1.0, 0.0, 0.0}},
    {"nearly folded",     wk_distortionBrown,   {-0.9, 0.488, 0.0, 0.0, 0.0}},
    {"straight fisheye",  wk_distortionFisheye, {0}},
    {"fisheye",           wk_distortionFisheye, {-0.013, 0.0105, -0.0098, 0.0021}},
    {"folding fisheye",   wk_distortionFisheye, {-0.5, 0.0, 0.0, 0.0}},
};
// clang-format on
#define LENS_COUNT ((int)(sizeof lensTable / sizeof lensTable[0]))

static inline wkCamera cameraWith(const namedLens* lens)
{
    wkCamera camera = wkDefaultCamera();
    camera.distortion = lens->distortion;
    for (int i = 0; i < 8; i++) {
        camera.coefficients[i] = lens->coefficients[i];
    }
    return camera;
}
