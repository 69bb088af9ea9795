// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Memory of a batch on a GPU for the check of motions.

#include "batch/batch_impl.h"
#include "cuda/cuda_impl.h"
#include "cuda/device_motions.h"

// Pieces of motions in turn.
#define WK_MOTION_PIECES 2

// Motions that the CPU decides at once.
#define WK_LEFT_MOTIONS 1024

// Memory of a piece: on the device, but for the last pointer.
typedef struct wkMotionPieceMemory {
    cudaStream_t stream;
    char* from; // of the host
    char* to;
    wkBatchMotionResult* results;
    wkDeviceMotion* motions;
    float* rates;
    wkMotionItem* items[2];
    uint32_t* hostQueue;
    uint32_t* counts; // of rounds, WK_MOTION_ROUNDS + 1; then of the queue of the CPU
    float* numbers;   // NULL: in shared memory
    uint32_t* pinnedCounts;
} wkMotionPieceMemory;

#define WK_MOTION_COUNTS (WK_MOTION_ROUNDS + 2)
#define WK_HOST_COUNT (WK_MOTION_ROUNDS + 1)

typedef struct wkMotionMemory {
    bool isSupported; // else the CPU checks all motions: a joint is a floating one
    int64_t count;    // motions of a piece
    int32_t blockCounts[WK_LIVE_KIND_COUNT];
    uint32_t capacity;
    wkDeviceMotionTables tables;
    char* tableMemory; // of the device, as is all but the pinned memory
    char* memory;
    void* pinned;
    size_t byteCount;
    wkMotionPieceMemory pieces[WK_MOTION_PIECES];
    // in steps
    int64_t stepCount; // motions at once
    wkStepMotion* open[2];
    uint32_t* openCounts;
    double* stepRows;
    uint8_t* stepVerdicts;
    // decided by the CPU
    double* gathered[2];
    wkBatchMotionResult* decided;
    uint32_t* pinnedQueue;
    double* pinnedEnds[2];
    wkBatchMotionResult* pinnedResults;
} wkMotionMemory;

// Allocates memory for motions of a batch that is copied.
// @param count motions of a piece; 0: nothing is allocated
// @param memory zeroed; nothing is allocated in it on failure
// @return wk_errorMemory naming the bytes that the GPU lacks; wk_errorDevice
wkResult wkMotionMemory_Make(const wkBatch* batch, const wkCuda* cuda, const wkDeviceBatch* view,
                             int64_t count, wkMotionMemory* memory);

void wkMotionMemory_Free(wkMotionMemory* memory);
