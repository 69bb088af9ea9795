// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Columns of a program in the making: each function takes a frame, whose columns are those of its parent
// at first, one step further.

#include "batch/program_draft.h"

// The frame that does not move, with constant columns.
void wkDraftRoot(wkProgramDraft* draft);

// Moves the origin to a place of the frame.
void wkMoveOrigin(wkProgramDraft* draft, wkDraftFrame* frame, wkVec3d place);

// A length that moves an origin from `start` along `way`, both in the axes of the frame.
typedef struct wkSlide {
    int32_t variable;
    double limit; // of the variable
    wkVec3d way;  // for one unit of the variable
    wkVec3d start;
} wkSlide;

void wkSlideOrigin(wkProgramDraft* draft, wkDraftFrame* frame, const wkSlide* slide);

// Takes other axes, which are given in the frame.
void wkTurnAxes(wkProgramDraft* draft, wkDraftFrame* frame, wkMat3d axes);

// Turns the x and y axes.
void wkAddTurn(wkProgramDraft* draft, wkDraftFrame* frame, const wkJointTurn* turn);

// Turns all axes by a quaternion of variables.
void wkAddGiven(wkProgramDraft* draft, wkDraftFrame* frame, int32_t variable);
