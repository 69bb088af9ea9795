// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What bodies sweep while one joint goes round: cylinders about its axis. A link that a wrist rotates about
// its own axis is little larger then, and one variable less decides whether it touches.

#include "robot/chain.h"

// Cylinders of one part.
#define WK_SWEPT_SLICES 16

// Takes the outermost joint of a chain out of it: that of the second part, or else of the first one.
// @param isOfA set: it was that of the first part
// @return false: it does not rotate, or others follow its variable
bool wkLeaveOuterJoint(wkChain* chain, bool* isOfA);

// Covers what bodies on a rigid group sweep when its joint goes round.
// @param swept set: WK_SWEPT_SLICES at most, in the frame of the parent of the rigid group
// @return how many
int32_t wkSweepBodies(const wkCollisionBody* bodies, int32_t count, const wkRigidGroup* rigidGroup,
                      wkCollisionBody* swept);
