// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Table of the kinds of bounding volumes: one row per kind. Volumes are stored as floats, rounded outward,
// and computed with in double.

#include "bv/obb.h"
#include "math/frame.h"
#include "whisker/detail/counts.h"
#include "whisker/mesh.h"

// Size of the largest volume, in bytes.
#define WK_VOLUME_BYTES 128

typedef struct wkVolumeRow {
    const char* name;
    uint32_t byteCount;
    bool isOriented; // `fit` uses the axes

    // fits around at least one point; `axes` are those of oriented kinds, see wkFitAxes
    void (*fit)(const wkVec3d* points, int32_t count, const wkMat3d* axes, void* volume);

    // merges two volumes of one frame; `merged` may be one of them
    void (*merge)(const void* a, const void* b, void* merged);

    // lower bound of the distance between the contents of A and of B, which has pose `bInA`; 0 when the
    // volumes may overlap
    double (*distance)(const wkFrame* bInA, const void* a, const void* b);

    // a box around the volume
    wkObb (*box)(const void* volume);

    // longest extent: of two volumes the larger one is split first
    double (*size)(const void* volume);
} wkVolumeRow;

// By wkVolumeKind.
extern const wkVolumeRow wkVolumeTable[WK_VOLUME_KIND_COUNT];

// Returns the principal axes of the surface of triangles, given as three points each. Uses the covariance of
// the area, not of the vertices, so that locally fine meshing does not rotate the axes.
wkMat3d wkFitAxes(const wkVec3d* points, int32_t count);

// Makes right-handed orthonormal axes from two directions; false when they are (nearly) parallel, zero or not
// finite.
bool wkMakeAxes(const wkVec3d directions[2], wkMat3d* axes);
