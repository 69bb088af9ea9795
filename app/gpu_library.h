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
} wkGpuLibrary;

// Loads the library of this version.
// @param why set to what is missing, where it fails; of `capacity` bytes
bool wkGpuLibrary_Open(wkGpuLibrary* library, char* why, size_t capacity);
void wkGpuLibrary_Close(wkGpuLibrary* library);
