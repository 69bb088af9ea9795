// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The rows of whisker-bench and whisker-bench-peers, in the order in which they are run.

#include "bench.h"

void wkRunRows(wkBench* bench)
{
    wkRunPairRows(bench);
    wkRunHullRows(bench);
    wkRunMeshRows(bench);
    wkRunMeshRayRows(bench);
    wkRunMeshGrowthRows(bench);
    wkRunMeshKindRows(bench);
    wkRunMeshFrontRows(bench);
    wkRunFieldRows(bench);
    wkRunBroadRows(bench);
    wkRunOctreeRows(bench);
    wkRunOctreeLoadRows(bench);
    wkRunCostRows(bench);
    wkRunStrategyRows(bench);
    wkRunStrategyGrowthRows(bench);
    wkRunTable5Rows(bench);
    wkRunRobotRows(bench);
    wkRunRobotLoadRows(bench);
    wkRunSetupRows(bench);
    wkRunMemoryRows(bench);
}
