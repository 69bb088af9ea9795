// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Spheres for attached objects.

#include "robot/body_set.h"

// The inputs of the spheres of a shape. Borrowed geometry may change, or other geometry may get its
// address, so that the content is compared and not the pointer.
typedef struct wkAttachedKey {
    wkShape shape;
    uint64_t content; // of a hull or a mesh
} wkAttachedKey;

// Spheres of the attached shapes, one shape after the other, in their frames.
typedef struct wkAttachedSpheres {
    wkSphere3d* spheres;
    int32_t count;
    int32_t shapeCount;
    int32_t counts[WK_MAX_ATTACHED_SHAPES]; // of each shape
    wkAttachedKey* keys;                    // of each shape
    size_t byteCount;                       // of spheres and keys together
} wkAttachedSpheres;

// Returns whether a body is attached and not empty.
bool wkIsAttached(const wkRobotScene* scene, const wkCollisionBody* body);

// @param earlier previous spheres: shapes that are among them are not fitted again
// @return wk_errorMemory; the result must be freed even then
wkResult wkAttachedSpheres_Create(const wkRobotScene* scene, const wkAttachedSpheres* earlier,
                                  wkAttachedSpheres* attached);

void wkAttachedSpheres_Free(wkAttachedSpheres* attached);
