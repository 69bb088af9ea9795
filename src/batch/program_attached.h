// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Spheres for what a robot holds.

#include "robot/body_set.h"

// What the spheres of a shape depend on: borrowed geometry may change, or another one may come to stand
// in its place, so that its numbers count and not where it is.
typedef struct wkAttachedKey {
    wkShape shape;
    uint64_t content; // of a hull or a mesh
} wkAttachedKey;

// Spheres of the shapes that are attached, one shape after the other, in their frames.
typedef struct wkAttachedSpheres {
    wkSphere3d* spheres;
    int32_t count;
    int32_t shapeCount;
    int32_t counts[WK_MAX_ATTACHED_SHAPES]; // of each shape
    wkAttachedKey* keys;                    // likewise
    size_t byteCount;                       // of spheres and keys together
} wkAttachedSpheres;

// Whether a body is attached, and there is something of it.
bool wkIsAttached(const wkRobotScene* scene, const wkCollisionBody* body);

// @param earlier spheres of before: shapes that are among them are not fitted again
// @return wk_errorMemory; to be freed all the same
wkResult wkAttachedSpheres_Create(const wkRobotScene* scene, const wkAttachedSpheres* earlier,
                                  wkAttachedSpheres* attached);

void wkAttachedSpheres_Free(wkAttachedSpheres* attached);
