// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The rows of whisker-bench and whisker-bench-peers, in the order in which they are run.

#include "bench.h"

// Rows whose time is that of vector code.
static void runVectorRows(wkBench* bench)
{
    wkRunMarshallRows(bench);
    wkRunBatchRows(bench);
    wkRunBatchCloudRows(bench);
}

void wkRunRows(wkBench* bench)
{
    if (bench->isa != NULL) {
        runVectorRows(bench);
        return;
    }
    wkRunPairRows(bench);
    wkRunCastRows(bench);
    wkRunPianoRows(bench);
    wkRunHullRows(bench);
    wkRunMeshRows(bench);
    wkRunMeshRayRows(bench);
    wkRunMeshGrowthRows(bench);
    wkRunMeshKindRows(bench);
    wkRunMeshFrontRows(bench);
    wkRunSeparationRows(bench);
    wkRunDeformRows(bench);
    wkRunFieldRows(bench);
    wkRunBroadRows(bench);
    wkRunOctreeRows(bench);
    wkRunOctreeDepthRows(bench);
    wkRunOctreeLoadRows(bench);
    wkRunCostRows(bench);
    wkRunCloudBuildRows(bench);
    wkRunCloudQueryRows(bench);
    wkRunCloudRobotRows(bench);
    wkRunCloudGrowthRows(bench);
    wkRunCenterRows(bench);
    wkRunKaldestadRows(bench);
    wkRunNoiseRows(bench);
    wkRunStrategyRows(bench);
    wkRunStrategyGrowthRows(bench);
    wkRunTable5Rows(bench);
    wkRunRobotRows(bench);
    wkRunRobotLoadRows(bench);
    wkRunFilterRows(bench);
    wkRunFitRows(bench);
    wkRunSphereTreeRows(bench);
    runVectorRows(bench);
    wkRunBatchSetupRows(bench);
    wkRunBatchExactRows(bench);
    wkRunBatchMotionRows(bench);
    wkRunSetupRows(bench);
    wkRunMemoryRows(bench);
}
