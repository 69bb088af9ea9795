// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Columns of a program under construction: each function takes a frame, whose columns are initially those of
// its parent, one step further.

#include "batch/program_builder.h"

// Makes the root frame, which does not move and has constant columns.
void wkBuilderRoot(wkProgramBuilder* builder);

// Moves the origin to a point of the frame.
void wkMoveOrigin(wkProgramBuilder* builder, wkBuilderFrame* frame, wkVec3d origin);

// A length that moves an origin from `start` along `way`, both in the axes of the frame.
typedef struct wkTranslation {
    int32_t variable;
    double limit; // of the variable
    wkVec3d way;  // for one unit of the variable
    wkVec3d start;
} wkTranslation;

void wkTranslateOrigin(wkProgramBuilder* builder, wkBuilderFrame* frame,
                       const wkTranslation* translation);

// Replaces the axes by others, which are given in the frame.
void wkPackedQuatAxes(wkProgramBuilder* builder, wkBuilderFrame* frame, wkMat3d axes);

// Rotates the x and y axes.
void wkAddRotation(wkProgramBuilder* builder, wkBuilderFrame* frame, const wkJointAngle* axes);

// Rotates all axes by a quaternion of variables.
void wkAddGiven(wkProgramBuilder* builder, wkBuilderFrame* frame, int32_t variable);
