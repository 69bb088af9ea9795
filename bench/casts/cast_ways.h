// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The ways of the rows of casts: a body passes another one, hits it or grazes it.

#include "peers/cast_peer.h"

#ifdef __cplusplus
extern "C" {
#endif

// Fills in the ways of a job, of which a third each stays apart, grazes (passes within a ten-thousandth of the size) and hits;
// rotations are by up to a radian. The same seed gives the same ways.
// @param ways `job->count`; those of the job
// @param radii of spheres about the origins around both bodies, added
void wkMakeCastWays(const wkCastJob* job, double radii, uint64_t seed, wkCastWay* ways);

#ifdef __cplusplus
}
#endif
