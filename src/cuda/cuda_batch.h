// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A batch on a GPU in memory. Calls are cut into pieces, which go through slots in turn: while the kernels of one run, the
// rows of the next are sent (batch_pieces.h).

#include "cuda/batch_copy.h"
#include "cuda/motion_memory.h"

#define WK_BATCH_SLOTS 3

// Configurations of a warp.
#define WK_STATES_OF_WARP 32

// Pieces have a multiple of this many configurations: verdicts as bits fill whole words.
#define WK_PIECE_MULTIPLE 32

// Configurations that the CPU decides at once.
#define WK_LEFT_AT_ONCE 8192

// Configurations that are checked, or whose clearances are computed, at once.
typedef struct wkBatchPiece {
    int64_t first, count; // of the call; count 0: there is none
    wkDeviceStates states;
    float* clearances; // on the device, of calls that compute them
    float* gradients;  // NULL: none
} wkBatchPiece;

// Memory of a piece: on the device, but for the last pointer.
typedef struct wkBatchSlot {
    cudaStream_t stream;
    wkBatchPiece piece;
    char* rows; // of the host
    uint8_t* verdicts;
    uint32_t* words; // verdicts as bits
    uint32_t* open;  // configurations that the second kernel decides
    uint32_t* queue; // configurations that the CPU decides
    wkOpenSphere*
        spheres; // that the third kernel compares with live points, one for each configuration
    uint32_t* queueCounts; // of all
    float* numbers;        // NULL: in shared memory
    uint32_t* pinnedCount;
} wkBatchSlot;

// Checks where numbers are.
wkResult wkCheckMemories(const wkCudaStatesRequest* where);

// Checks that the GPU can read the configurations of a call, where they are in its memory.
wkResult wkCheckRows(const wkCudaBatch* batch, const wkCudaStatesRequest* where, const void* rows);

struct wkCudaBatch {
    wkCuda* cuda;
    const wkBatch* batch;
    uint64_t refreshCount; // of the batch that was copied
    int64_t pieceCount;
    int64_t motionCount;                         // of a piece
    int32_t length;                              // of a configuration
    int32_t blockCounts[WK_LIVE_KIND_COUNT][2];  // of two kernels
    int32_t liveBlockCounts[WK_LIVE_KIND_COUNT]; // of the third one
    wkBatchCopy copy;
    wkMotionMemory motions;
    int32_t clearanceBlockCounts[2]; // without live fields, and of the kernel for them
    wkBatchContext* context;         // for calls to the batch while its threads are busy
    size_t numberBytes;              // of a slot
    char* memory;                    // of the device
    size_t byteCount;
    char* pinned;
    wkBatchSlot slots[WK_BATCH_SLOTS];
    double* gathered; // rows that the CPU decides, on the device
    uint8_t* decided; // verdicts of the CPU, on the device
    uint32_t* pinnedQueue;
    double* pinnedRows;
    uint8_t* pinnedVerdicts;
    int64_t leftCount; // configurations or motions of the last call that the CPU decided
};

// Bytes of a configuration, as a request says.
static inline size_t wkRowBytes(const wkCudaBatch* batch, const wkCudaStatesRequest* where)
{
    return (size_t)batch->length * (where->areFloats ? sizeof(float) : sizeof(double));
}

// Returns wk_ok when the copy is that of the batch as it is, and the batch that of its scene; wk_errorState otherwise.
wkResult wkCheckFreshCopy(const wkCudaBatch* batch);
