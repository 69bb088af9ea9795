// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A batch from the command line: a robot in its surroundings, files of configurations, and files of what
// was found about them.

#include "robot_job.h"
#include "row_hash.h"
#include "whisker/batch.h"

typedef struct wkBatchOptions {
    wkJobOptions job;
    const char* states;
    const char* output;
    bool isPath; // motions from each row to the next
    const char* to;
    bool isCertified; // accepted and without effect: motions are, unless they are sampled
    bool isSampled;   // motions at steps alone
    double step;      // NAN, as the others: not given
    double tolerance;
    const char* times;
    double clearance;
    const char* spheres;
    bool ignoresCache; // of spheres that were fitted before
    const char* exactness;
    wkOptionList depths;
    wkOptionList cameras;
    bool occludedIsFree;
    bool unobservedIsFree;
    double margin;
    int threads;
    bool resumes;
    wkDigest digest; // of all options that verdicts depend on
} wkBatchOptions;

#define WK_BATCH_OPTION_COUNT 20

// Are motions proven free at every instant?
bool wkBatchOptions_Certify(const wkBatchOptions* options);

// Rows that are in memory at a time.
#define WK_BATCH_ROWS 65536

// A file of configurations.
typedef struct wkStateTable {
    wkTableMap* map;
    int64_t rowCount;
    int32_t columnCount;
    int32_t* variables; // that the columns stand for; NULL without rows
} wkStateTable;

typedef struct wkBatchJob {
    const wkBatchOptions* options;
    const char* path; // of the robot
    wkRobotJob robot;
    wkSphereModel* spheres;
    wkDepthMap* depthMaps[WK_OPTION_LIST];
    wkBatch* batch;
    wkParallel parallel;
    wkStateTable states;
    wkStateTable to; // ends of motions; empty: none
    wkArrayFile* output;
    wkArrayFile* times;
    wkArrayType outputType;
    bool isResumable;             // outputs are ordinary files
    wkDigest worldDigest;         // of the world file's text; that of nothing without one
    wkDigest imagesDigest;        // of the depth images and cameras
    wkRowHash rowHash;            // of all configurations that were read
    wkDigestBuilder resultDigest; // of all that was written so far
    const char* what;             // is looked at
    bool hasMotions;
    int64_t itemCount;
    int64_t doneCount;
    int64_t counts[wk_verdictCount];
    int64_t touchCount; // clearances that are none
    // of one piece
    double* read;  // rows as the file has them
    double* from;  // whole configurations
    double* until; // ends of motions
    uint8_t* verdicts;
    float* clearances;
    float* contacts; // times
    wkBatchMotionResult* results;
} wkBatchJob;

// False with words on stderr; to be closed all the same.
bool wkBatchJob_Open(wkBatchJob* job, const wkBatchOptions* options, const char* path);

// Reads the configurations of the next `count` items, and adds them to the hash.
bool wkBatchJob_ReadRows(wkBatchJob* job, int64_t count);

// The next piece. Nothing of it counts when it fails.
bool wkBatchJob_Step(wkBatchJob* job);

void wkBatchJob_Close(wkBatchJob* job);
