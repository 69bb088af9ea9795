// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What bodies sweep while one joint goes through a full revolution: cylinders about its axis. A link that a wrist
// rotates about its own axis is hardly larger then, and one variable less decides whether it touches.

#include "robot/chain.h"

// Cylinders of one rigid group.
#define WK_SWEPT_SLICES 8

// Removes the outermost joint from a chain: that of the second body, or else of the first one.
// @param isOfA set: it was that of the first body
// @return false: it does not rotate, or other joints follow its variable
bool wkLeaveOuterJoint(wkChain* chain, bool* isOfA);

// Covers what bodies on a rigid group sweep when its joint goes through a full revolution.
// @param swept set: WK_SWEPT_SLICES at most, in the frame of the parent of the rigid group
// @return the number of cylinders
int32_t wkSweepBodies(const wkCollisionBody* const* bodies, int32_t count,
                      const wkRigidGroup* rigidGroup, wkCollisionBody* swept);
