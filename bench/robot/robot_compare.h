// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// One task on one robot, by us and by the fastest way of every peer, in alternating blocks.

#include "compare.h"
#include "peers/robot_peer.h"
#include "race.h"

#ifdef __cplusplus
extern "C" {
#endif

// Measures one of the tasks that wkRobotTruth knows. Where answers differ, all triangles decide who is
// right; some configurations are decided in any case.
// @return false when memory is short
bool wkCompareRobots(const wkBench* bench, const char* name, const wkPeerRobotJob* job,
                     wkComparison* out);

// Opens the fastest way of the library whose ways start at `first`; false when it has none.
bool wkOpenFastestRobotPeer(wkRacer* best, const wkRobotPeer* first, const wkPeerRobotJob* job);

#ifdef __cplusplus
}
#endif
