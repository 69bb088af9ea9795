// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A robot with its spheres and those of attached objects, compiled for SIMD: a short list of operations on
// columns of matrices computes all frames of a configuration, and each sphere has a constant
// position in one of them. Lanes hold configurations, so everything here is one number for all lanes.
//
// A frame is four columns: its x, y and z axes and its origin in the world, relative to
// `origin`. Frames are chosen to save computations: each joint rotates about z, axes that
// do not change in the frame of the parent share its columns, and centers of spheres have many
// zeros. A frame may be left-handed.
//
// The rounding of floats is added to the radius of every sphere, for angles that the kernels accept and
// lengths up to a limit (states_kernel.h finds configurations beyond): a sphere in lanes contains the
// sphere that it stands for.

#include "batch/program_attached.h"
#include "batch/program_view.h"
#include "robot/sphere_model_impl.h"
#include "whisker/robot_scene.h"

// @param attached spheres of attached objects
// @param base pose of the root; its quaternion of any length but zero
// @param program set to NULL on failure
// @return wk_errorMemory; wk_errorArgument when the spheres are those of another robot
wkResult wkProgram_Create(const wkRobotScene* scene, const wkSphereModel* spheres,
                          const wkAttachedSpheres* attached, wkPose base, wkProgram** program);

void wkProgram_Destroy(wkProgram* program);

// Sets a view of a block that was copied from another program, which need not exist any more. The view has
// nothing to free, and kernels read it like any other.
// @return wk_errorArgument, see wkBlock_Bind
wkResult wkProgram_Bind(const void* block, size_t byteCount, const wkRobot* robot,
                        wkProgram* program);

// Transforms a point of a rigid group of the robot into the frame of the program, rounded to floats.
// @return bound on the distance between the point and where the kernels place it
double wkPlaceInProgram(const wkFramePlacement* placement, wkVec3d point, wkVec3d* rounded);
