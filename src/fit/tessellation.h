// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Surfaces of shapes as triangles.

#include "whisker/shape.h"

// Receives the triangles of a shape, in its frame.
typedef struct wkTessellationSink wkTessellationSink;
struct wkTessellationSink {
    // all of the surface that the triangle stands for is within `slack` of it; false: no memory
    bool (*add)(wkTessellationSink* sink, wkVec3d a, wkVec3d b, wkVec3d c, double slack);
};

// Surface of a shape that is valid, padding and rounding included.
// @return wk_errorUnsupported, wk_errorMemory
wkResult wkTessellateShape(const wkShape* shape, wkTessellationSink* sink);
