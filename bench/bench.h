// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What all rows share: which are wanted, how large, and where their results go.

#include <stdbool.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

#define WK_ROW_NAME_CAPACITY 96

typedef struct wkBench {
    const char* const* patterns; // rows wanted, as shell patterns; none: all
    int patternCount;
    bool isListing; // name the rows, run nothing
    FILE* json;     // NULL: none
    int itemCount;  // questions per row
    int blockCount; // alternating blocks per side
    const char*
        isa; // rows of vector code alone, with this instruction set; NULL: all rows, the best
    long rowCount;
    long wrongCount; // over all rows
} wkBench;

// One line of results. Zero and NULL leave a field out.
typedef struct wkBenchRow {
    char name[WK_ROW_NAME_CAPACITY];
    const char* peer;    // NULL: ours alone
    const char* variant; // which of the peer's methods was the fastest
    double ours;
    double theirs;
    const char* unit;
    double ratio; // theirs / ours
    double spread;
    long wrong;
    long peerWrong;
    long n;
    double bar;            // ratio that the project asks for
    double paper;          // what was measured elsewhere for the same work, in the same unit
    double most;           // ours is asked to be no more than this
    double worstRatio;     // smallest ratio under a summary
    const char* worstName; // and where it was met
} wkBenchRow;

// True for the papers' full sizes.
bool wkBench_IsFull(const wkBench* bench);

// True when the row is to be run; names it in a listing.
bool wkBench_Wants(wkBench* bench, const char* name);

// True when the row is selected, without naming it.
bool wkBench_IsSelected(const wkBench* bench, const char* name);

// Name of a row of vector code: the instruction set is part of it where one was asked for.
void wkBench_NameVectorRow(const wkBench* bench, const char* name,
                           char result[WK_ROW_NAME_CAPACITY]);

// True when vector code runs with the widest lanes there are, which have figures of their own to meet.
bool wkBench_HasWideLanes(void);

// Prints a line of the table, and the JSON line.
void wkBench_Emit(wkBench* bench, const wkBenchRow* row);

// All rows of a program.
void wkRunRows(wkBench* bench);

// The groups of rows.
void wkRunPairRows(wkBench* bench);
void wkRunCastRows(wkBench* bench);
void wkRunPianoRows(wkBench* bench);
void wkRunHullRows(wkBench* bench);
void wkRunMeshRows(wkBench* bench);
void wkRunMeshRayRows(wkBench* bench);
void wkRunMeshGrowthRows(wkBench* bench);
void wkRunMeshKindRows(wkBench* bench);
void wkRunMeshFrontRows(wkBench* bench);
void wkRunSeparationRows(wkBench* bench);
void wkRunDeformRows(wkBench* bench);
void wkRunFieldRows(wkBench* bench);
void wkRunBroadRows(wkBench* bench);
void wkRunOctreeRows(wkBench* bench);
void wkRunOctreeDepthRows(wkBench* bench);
void wkRunOctreeLoadRows(wkBench* bench);
void wkRunCostRows(wkBench* bench);
void wkRunCloudBuildRows(wkBench* bench);
void wkRunCloudQueryRows(wkBench* bench);
void wkRunCloudRobotRows(wkBench* bench);
void wkRunCloudGrowthRows(wkBench* bench);
void wkRunCenterRows(wkBench* bench);
void wkRunKaldestadRows(wkBench* bench);
void wkRunNoiseRows(wkBench* bench);
void wkRunStrategyRows(wkBench* bench);
void wkRunStrategyGrowthRows(wkBench* bench);
void wkRunTable5Rows(wkBench* bench);
void wkRunRobotRows(wkBench* bench);
void wkRunRobotLoadRows(wkBench* bench);
void wkRunFilterRows(wkBench* bench);
void wkRunFitRows(wkBench* bench);
void wkRunSphereTreeRows(wkBench* bench);
void wkRunMarshallRows(wkBench* bench);
void wkRunBatchRows(wkBench* bench);
void wkRunBatchCloudRows(wkBench* bench);
void wkRunBatchSetupRows(wkBench* bench);
void wkRunBatchExactRows(wkBench* bench);
void wkRunBatchMotionRows(wkBench* bench);
void wkRunSetupRows(wkBench* bench);
void wkRunMemoryRows(wkBench* bench);

#ifdef __cplusplus
}
#endif
