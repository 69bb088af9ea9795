// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A batch from the command line: a robot with its obstacles, input files of configurations, and output files
// of results.

#include "batch_gpu.h"
#include "check_study.h"
#include "robot_job.h"
#include "row_hash.h"
#include "whisker/batch.h"
#include "whisker/detail/counts.h"

typedef struct wkBatchOptions {
    wkJobOptions job;
    const char* states;
    const char* output;
    bool isPath; // motions between consecutive rows
    const char* to;
    bool isCertified; // accepted without effect: motions are certified unless sampled
    bool isSampled;   // check motions at sampled steps only
    double step;      // NAN, as the others: not given
    double tolerance;
    const char* times;
    double clearance;
    const char* spheres;
    bool ignoresCache; // of fitted spheres
    const char* exactness;
    wkOptionList depths;
    wkOptionList cameras;
    bool occludedIsFree;
    bool unobservedIsFree;
    double margin;
    const char* gpu; // NULL: not given
    wkGpuChoice gpuChoice;
    int threads;
    bool resumes;
    wkStudyOptions study;
    wkDigest digest; // of all options that verdicts depend on
} wkBatchOptions;

#define WK_BATCH_OPTION_COUNT (21 + WK_STUDY_OPTION_COUNT)

// Returns whether motions are proven free at every instant.
bool wkBatchOptions_Certify(const wkBatchOptions* options);

// Rows of a block, or the unit of them where a GPU takes more: files of interrupted runs have whole ones.
#define WK_BATCH_ROWS 65536

// A file of configurations.
typedef struct wkStateTable {
    wkTableMap* map;
    int64_t rowCount;
    int32_t columnCount;
    int32_t* variables; // indices of the variables of the columns; NULL without rows
} wkStateTable;

typedef struct wkBatchJob {
    const wkBatchOptions* options;
    const char* path; // of the robot
    wkRobotJob robot;
    wkSphereModel* spheres;
    wkDepthMap* depthMaps[WK_OPTION_LIST];
    wkBatch* batch;
    wkBatchGpu gpu;
    bool usedGpu; // for results so far, those of an earlier run included
    bool usedCpu;
    wkParallel parallel;
    wkStateTable states;
    wkStateTable to; // ends of motions; empty: none
    wkArrayFile* output;
    wkArrayFile* times;
    wkArrayType outputType;
    bool isResumable;             // outputs are regular files
    wkDigest worldDigest;         // of the world file's text, or of empty text without one
    wkDigest imagesDigest;        // of the depth images and cameras
    wkRowHash rowHash;            // of all configurations that were read
    wkDigestBuilder resultDigest; // of all results so far
    const char* what;             // noun for messages: what is checked
    bool hasMotions;
    int64_t itemCount;
    int64_t doneCount;
    int64_t counts[WK_VERDICT_COUNT];
    int64_t touchCount; // number of clearances of 0 or less
    double* shown;      // the configuration that is drawn; NULL: none is
    int64_t shownIndex; // -1: none was found yet that is not free
    int64_t blockRows;  // of the next block
    int64_t mostRows;   // that buffers hold
    // buffers for one block
    double* read;    // rows as in the file
    float* contacts; // times
    char* shared;    // memory of the following, which a GPU reads and writes
    bool isPinned;   // that memory
    double* from;    // whole configurations
    double* until;   // ends of motions
    uint8_t* verdicts;
    float* clearances;
    wkBatchMotionResult* results;
} wkBatchJob;

// Returns whether distances are computed, and no verdicts.
bool wkBatchJob_Measures(const wkBatchJob* job);

// Opens all inputs and outputs. Returns false after a message on stderr; the job must be closed even then.
bool wkBatchJob_Open(wkBatchJob* job, const wkBatchOptions* options, const char* path);

// Checks the next block. If it fails, none of its results are counted.
bool wkBatchJob_Step(wkBatchJob* job);

void wkBatchJob_Close(wkBatchJob* job);
