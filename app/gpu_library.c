// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

#include "gpu_library.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The functions that commands call, and where their addresses go.
static const struct {
    const char* name;
    size_t at;
} functions[] = {
    {"wkDefaultCudaDef", offsetof(wkGpuLibrary, defaultDef)},
    {"wkCuda_Create", offsetof(wkGpuLibrary, create)},
    {"wkCuda_Destroy", offsetof(wkGpuLibrary, destroy)},
    {"wkCuda_Info", offsetof(wkGpuLibrary, info)},
    {"wkCuda_MeasureCosts", offsetof(wkGpuLibrary, measureCosts)},
    {"wkCuda_MeasureRobotCosts", offsetof(wkGpuLibrary, measureRobotCosts)},
    {"wkWorkCost_Seconds", offsetof(wkGpuLibrary, seconds)},
    {"wkCpuGpuCost_Crossing", offsetof(wkGpuLibrary, crossing)},
    {"wkCenterWayName", offsetof(wkGpuLibrary, wayName)},
    {"wkCudaCosts_ChooseCenters", offsetof(wkGpuLibrary, chooseCenters)},
    {"wkCudaCosts_CenterCrossing", offsetof(wkGpuLibrary, centerCrossing)},
    {"wkGetLastError", offsetof(wkGpuLibrary, lastError)},
    {"wkCuda_AllocatePinned", offsetof(wkGpuLibrary, allocatePinned)},
    {"wkCuda_ReleasePinned", offsetof(wkGpuLibrary, releasePinned)},
    {"wkDefaultCudaBatchDef", offsetof(wkGpuLibrary, defaultBatchDef)},
    {"wkCudaBatch_Create", offsetof(wkGpuLibrary, createBatch)},
    {"wkCudaBatch_Destroy", offsetof(wkGpuLibrary, destroyBatch)},
    {"wkCudaBatch_CheckStates", offsetof(wkGpuLibrary, checkStates)},
    {"wkDefaultCudaMotionsRequest", offsetof(wkGpuLibrary, defaultMotionsRequest)},
    {"wkCudaBatch_CheckMotions", offsetof(wkGpuLibrary, checkMotions)},
    {"wkCudaBatch_Clearances", offsetof(wkGpuLibrary, clearances)},
};

bool wkGpuLibrary_Open(wkGpuLibrary* library, char* why, size_t capacity)
{
    char name[64];
    snprintf(name, sizeof name, "libwhisker-cuda.so.%d.%d", WK_VERSION_MAJOR, WK_VERSION_MINOR);
    memset(library, 0, sizeof *library);
    library->handle = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (library->handle == NULL) {
        snprintf(why, capacity, "%s cannot be loaded (%s); it is built where nvcc is found", name,
                 dlerror());
        return false;
    }
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++) {
        void* address = dlsym(library->handle, functions[i].name);
        if (address == NULL) {
            snprintf(why, capacity, "%s lacks %s", name, functions[i].name);
            wkGpuLibrary_Close(library);
            return false;
        }
        memcpy((char*)library + functions[i].at, &address, sizeof address);
    }
    return true;
}

void wkGpuLibrary_Close(wkGpuLibrary* library)
{
    if (library->handle != NULL) {
        dlclose(library->handle);
        library->handle = NULL;
    }
}

bool wkGpuLibrary_SharesWhisker(const wkGpuLibrary* library)
{
    return library->lastError == wkGetLastError;
}

bool wkReadGpuNumber(const char* text, int32_t* device)
{
    size_t length = strlen(text);
    bool isNumber = length >= 1 && length <= 4 && strspn(text, "0123456789") == length;
    *device = isNumber ? (int32_t)strtol(text, NULL, 10) : -1;
    return isNumber;
}
