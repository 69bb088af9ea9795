// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Spheres in the layout of SIMD kernels.

#include "base/cpu.h"
#include "sense/depth_map.h"

#include <stdalign.h>

typedef struct wkSphereRows {
    alignas(64) float x[WK_MAX_CAMERA_SPHERES];
    float y[WK_MAX_CAMERA_SPHERES], z[WK_MAX_CAMERA_SPHERES], radius[WK_MAX_CAMERA_SPHERES];
} wkSphereRows;

// Returns a bit for each sphere that the pyramid does not prove free, or to be clear of surfaces; `count` is
// a multiple of 16.
typedef uint64_t wkProveSpheresFcn(const wkDepthView* view, const wkSphereRows* rows,
                                   int32_t count);

// Returns NULL when that instruction set is not present.
wkProveSpheresFcn* wkProveSpheresOf(wkIsa isa);
wkProveSpheresFcn* wkProveSpheresOfMachine(void);
wkProveSpheresFcn* wkProveSpheresClearOf(wkIsa isa);
wkProveSpheresFcn* wkProveSpheresClearOfMachine(void);
