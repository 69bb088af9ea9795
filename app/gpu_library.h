// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The library for GPUs, loaded when a command asks for it: the command itself runs where that library is missing.

#include "whisker/cuda.h"

typedef struct wkGpuLibrary {
    void* handle;
    wkCudaDef (*defaultDef)(void);
    wkResult (*create)(const wkCudaDef* def, wkCuda** cuda);
    void (*destroy)(wkCuda* cuda);
    wkCudaInfo (*info)(const wkCuda* cuda);
    wkResult (*measureCosts)(wkCuda* cuda, const wkCudaCostsDef* def, wkCudaCosts* costs);
    wkResult (*measureRobotCosts)(wkCuda* cuda, const wkCudaCostsDef* def, wkCudaRobotCosts* costs);
    double (*seconds)(const wkWorkCost* cost, double itemCount);
    double (*crossing)(const wkCpuGpuCost* cost);
    const char* (*wayName)(wkCenterWay way);
    wkCenterChoice (*chooseCenters)(const wkCudaCosts* costs, const wkCenterWork* work);
    int32_t (*centerCrossing)(const wkCudaCosts* costs, int32_t count);
    const char* (*lastError)(void); // of the copy of whisker that the library uses
    wkResult (*allocatePinned)(wkCuda* cuda, size_t byteCount, void** memory);
    void (*releasePinned)(wkCuda* cuda, void* memory);
    wkCudaBatchDef (*defaultBatchDef)(void);
    wkResult (*createBatch)(const wkCudaBatchDef* def, wkCudaBatch** batch);
    void (*destroyBatch)(wkCudaBatch* batch);
    wkResult (*checkStates)(wkCudaBatch* batch, const void* configurations, int64_t count,
                            const wkCudaStatesRequest* request, void* verdicts);
    wkCudaMotionsRequest (*defaultMotionsRequest)(void);
    wkResult (*checkMotions)(wkCudaBatch* batch, const void* from, const void* to, int64_t count,
                             const wkCudaMotionsRequest* request, wkBatchMotionResult* results);
    wkResult (*clearances)(wkCudaBatch* batch, const void* configurations, int64_t count,
                           const wkCudaClearancesRequest* request, double cutoff,
                           float* clearances);
} wkGpuLibrary;

// Loads the library of this version.
// @param why set to what is missing, where it fails; of `capacity` bytes
bool wkGpuLibrary_Open(wkGpuLibrary* library, char* why, size_t capacity);
void wkGpuLibrary_Close(wkGpuLibrary* library);

// Returns whether the library uses the copy of whisker that the command uses. Only then may it be given a batch of the
// command: a command with a static whisker has one copy, and the library another one.
bool wkGpuLibrary_SharesWhisker(const wkGpuLibrary* library);

// Reads the number of a GPU, from 0 to 9999.
bool wkReadGpuNumber(const char* text, int32_t* device);
