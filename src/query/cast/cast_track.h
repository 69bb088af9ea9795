// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The gap of two moving convex bodies along one direction of the world, at any time: for motions with one axis of rotation
// and constant speeds (static, linear, screw), whose poses need not be computed for it.

#include "query/cast/cast_pair.h"

// Prepares the gap along a unit direction from A to B. The pair has tracks.
void wkMakeTrack(const wkCastPair* pair, wkVec3d direction, wkCastTrack* track);

// Returns the gap of the cores along the direction: a lower bound of their distance but for rounding.
double wkTrackGap(const wkCastPair* pair, const wkCastTrack* track, double t);
