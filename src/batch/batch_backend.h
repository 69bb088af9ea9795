// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Backends: what computes the answers of a batch. The entry points of batch.h check their arguments
// (batch_calls.c) and call the functions of one row. A backend reads the robot, the tables and the clearance
// field of a batch, which are blocks with offsets (base/view_block.h): it may copy them to a device as they are.

#include "batch/batch_impl.h"

// The arguments of calls, which are valid; results are set to unchecked or NaN.
typedef struct wkStatesCall {
    const double* configurations;
    uint8_t* verdicts;
} wkStatesCall;

typedef struct wkMotionsCall {
    wkMotionRequest request;
    const double* from;
    const double* to;
    wkBatchMotionResult* results;
} wkMotionsCall;

typedef struct wkClearancesCall {
    const double* configurations;
    double cutoff;
    float* clearances;
} wkClearancesCall;

typedef struct wkSpheresCall {
    const double* configurations;
    float* spheres;
} wkSpheresCall;

struct wkBatchBackend {
    const char* name;

    // Prepares a batch whose blocks are made, before its first call and at every refresh; then the blocks
    // are new, and those of the earlier batch are given to `destroy`.
    // @return wk_errorMemory; `destroy` is called even then
    wkResult (*create)(wkBatch* batch);
    void (*destroy)(wkBatch* batch);

    // Answer a call of `count` > 0 items.
    // @param context of the caller; NULL: the threads of the batch
    // @return wk_errorState when another call is running there; results are left as they are then
    wkResult (*checkStates)(const wkBatch* batch, wkBatchContext* context, const wkStatesCall* call,
                            int64_t count);
    wkResult (*checkMotions)(const wkBatch* batch, wkBatchContext* context,
                             const wkMotionsCall* call, int64_t count);
    wkResult (*clearances)(const wkBatch* batch, wkBatchContext* context,
                           const wkClearancesCall* call, int64_t count);
    wkResult (*placeSpheres)(const wkBatch* batch, wkBatchContext* context,
                             const wkSpheresCall* call, int64_t count);

    // Sets what depends on the backend, and adds its memory.
    void (*info)(const wkBatch* batch, wkBatchInfo* info);
};

// The SIMD kernels on the threads of the batch or of the caller.
extern const wkBatchBackend wkCpuBackend;

// Returns the row of a backend; NULL: there is none.
const wkBatchBackend* wkFindBackend(wkBackend backend);

// The functions of the CPU, each beside the work that it divides.
wkResult wkCheckStatesOnCpu(const wkBatch* batch, wkBatchContext* context, const wkStatesCall* call,
                            int64_t count);
wkResult wkCheckMotionsOnCpu(const wkBatch* batch, wkBatchContext* context,
                             const wkMotionsCall* call, int64_t count);
wkResult wkClearancesOnCpu(const wkBatch* batch, wkBatchContext* context,
                           const wkClearancesCall* call, int64_t count);
wkResult wkPlaceSpheresOnCpu(const wkBatch* batch, wkBatchContext* context,
                             const wkSpheresCall* call, int64_t count);
