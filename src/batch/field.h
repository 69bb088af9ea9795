// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The clearance field: lower bounds on the distance to everything around a robot, for millions of spheres.
//
// Space within reach is divided into small cubic cells. Each holds a plane that is a lower bound on the
// distance to the nearest object, safety distances and padding subtracted: its value at the first vertex of
// the cell and its slope. It also holds how far the distance is above the plane at most. One look-up decides
// most spheres: a sphere is free when its radius is below the plane, and touches when its radius is at least
// the upper bound. For the few in between, bricks of 4 x 4 x 4 cells list the objects that may matter, the
// nearest first, and these are evaluated for the sphere.
//
// Planes because distances to convex bodies are convex functions, which lie above their tangents, and
// because next to a flat face they are planes: the gap that a plane leaves open is far thinner than a cell.
//
// Bounds are conservative: numbers are rounded outward, and the rounding of floats is subtracted.
//
// Objects that some sides of the robot may touch are left out for these sides. Sides with the same
// rules share a layer: a field of its own.

#include "base/cpu.h"
#include "batch/field_view.h"
#include "robot/robot_scene_impl.h"

// Inputs of a field.
typedef struct wkFieldDef {
    const wkRobotScene* scene;  // must not change as long as the field is in use
    wkVec3d origin;             // floats are relative to it
    wkAabb reach;               // region of sphere centers, in the world; may be infinite
    double largestRadius;       // of spheres that one look-up decides, margins included
    double cellSize;            // metres; 0: automatic
    const wkParallel* parallel; // NULL: on the calling thread
    const struct wkReach*
        reachCells; // relative to the origin: where clouds are worth cells; NULL: anywhere
    const struct wkField* earlier; // of the same scene: what has not changed is kept; NULL: none
} wkFieldDef;

// @param field set to NULL on failure
// @return wk_errorMemory; wk_errorArgument, wk_errorNotFinite or wk_errorRange naming the field
wkResult wkField_Create(const wkFieldDef* def, wkField** field);

void wkField_Destroy(wkField* field);

size_t wkField_ByteCount(const wkField* field);

// Sets a view of a block that was copied from another field, which need not exist any more. The view has
// nothing to free.
// @param scene that of the field
// @return wk_errorArgument, see wkBlock_Bind
wkResult wkField_Bind(const void* block, size_t byteCount, const wkRobotScene* scene,
                      wkField* field);

// Returns whether a sphere touches anything: wk_verdictFree, wk_verdictWorld, or wk_verdictUnknown when only
// unknown space is touched. Agrees with wkCollide, and is conservative by the rounding of floats. A sphere
// with NaN touches, and is infinitely deep inside.
// @param center relative to the origin of the field
// @param radius margin included, >= 0
wkVerdict wkField_CheckSphere(const wkField* field, int32_t side, const float center[3],
                              float radius);

// Returns a lower bound on the distance from a sphere to the nearest object, up to the cutoff, which may be
// any number; negative by the depth where the sphere touches.
double wkField_SphereDistance(const wkField* field, int32_t side, const float center[3],
                              float radius, double cutoff);
