// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Tessellation of the surfaces of shapes.

#include "whisker/shape.h"

// Receives the triangles of a shape, in its frame.
typedef struct wkTessellationSink wkTessellationSink;
struct wkTessellationSink {
    // all of the surface that the triangle approximates is within `slack` of it; false: out of memory
    bool (*add)(wkTessellationSink* sink, wkVec3d a, wkVec3d b, wkVec3d c, double slack);
};

// Tessellates the surface of a valid shape, padding and rounding included.
// @return wk_errorUnsupported, wk_errorMemory
wkResult wkTessellateShape(const wkShape* shape, wkTessellationSink* sink);
