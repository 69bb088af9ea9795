// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What the library knows about each kind of bounding volume: one row per kind. Volumes are stored
// as floats and rounded outward; they are computed with in double.

#include "bv/obb.h"
#include "math/frame.h"
#include "whisker/mesh.h"

// Largest of all volumes, in bytes.
#define WK_VOLUME_BYTES 128

typedef struct wkVolumeRow {
    const char* name;
    uint32_t byteCount;
    bool isOriented; // `fit` looks at the axes

    // around points, which are at least one; `axes` are those of oriented kinds, see wkFitAxes
    void (*fit)(const wkVec3d* points, int32_t count, const wkMat3d* axes, void* volume);

    // around two volumes in one frame; may be one of them
    void (*merge)(const void* a, const void* b, void* merged);

    // lower bound of the distance between what is in A and what is in B, which stands at `bInA`;
    // 0 when it cannot tell them apart
    double (*distance)(const wkFrame* bInA, const void* a, const void* b);

    // a box around the volume
    wkObb (*box)(const void* volume);

    // longest extent: the larger one of two is taken apart first
    double (*size)(const void* volume);
} wkVolumeRow;

// By wkVolumeKind.
extern const wkVolumeRow wkVolumeTable[wk_volumeKindCount];

// Principal axes of the surface of some triangles, given as three points each: covariance of the
// area, not of the vertices, so that fine meshing in one place does not turn them.
wkMat3d wkFitAxes(const wkVec3d* points, int32_t count);

// Makes right-handed orthonormal axes of two directions; false when they are (nearly) parallel,
// zero or not finite.
bool wkMakeAxes(const wkVec3d directions[2], wkMat3d* axes);
