// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Finds a GPU, says what is missing where there is none, and shows that it computes as the CPU does.

#define _POSIX_C_SOURCE 200809L // newlocale

#include "cuda/cuda_impl.h"

#include "base/cookie.h"
#include "base/plain_text.h"
#include "cuda/probe.h"
#include "cuda/probe_item.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

wkCudaDef wkDefaultCudaDef(void)
{
    wkCudaDef def = {.cookie = WK_COOKIE(wkCudaDef), .device = -1};
    return def;
}

wkResult wkFailCuda(wkResult result, const char* format, ...)
{
    char words[400];
    va_list arguments;
    va_start(arguments, format);
    wkPrintPlain(words, sizeof words, format, arguments);
    va_end(arguments);
    return wkSetLastError(result, words);
}

wkResult wkTakeCudaError(cudaError_t error, const char* doing)
{
    if (error == cudaSuccess) {
        return wk_ok;
    }
    cudaGetLastError(); // the next call must not find it again
    wkResult result = error == cudaErrorMemoryAllocation ? wk_errorMemory : wk_errorDevice;
    return wkFailCuda(result, "cuda: %s: %s (error %d)", doing, cudaGetErrorString(error),
                      (int)error);
}

wkResult wkCheckCudaMemory(const char* name, wkCudaMemory memory)
{
    return (unsigned)memory <= wk_memoryDevice
               ? wk_ok
               : wkFailCuda(wk_errorArgument, "%s is %d, must be %d (host) or %d (device)", name,
                            (int)memory, (int)wk_memoryHost, (int)wk_memoryDevice);
}

// Addresses that this thread has found on a GPU: a robot uses the same memory in each frame, and the driver need not be asked
// about it again.
#define KNOWN_COUNT 8

typedef struct knownAddress {
    const void* address; // NULL: none
    int32_t device;
} knownAddress;

static _Thread_local knownAddress known[KNOWN_COUNT];

static knownAddress* knownOf(const void* address)
{
    return &known[(uintptr_t)address / 256 % KNOWN_COUNT]; // allocations are aligned to 256 bytes
}

// Finds out whether kernels of the GPU in use may read and write an address.
static cudaError_t findMemory(const wkCuda* cuda, const void* address, bool* isThere)
{
    struct cudaPointerAttributes found;
    knownAddress* last = knownOf(address);
    *isThere = last->address == address && last->device == cuda->info.device;
    cudaError_t error = cudaSetDevice(cuda->info.device);
    if (*isThere) {
        return error;
    }
    error = error == cudaSuccess ? cudaPointerGetAttributes(&found, address) : error;
    if (error == cudaSuccess) {
        bool isElsewhere = found.type == cudaMemoryTypeDevice && found.device != cuda->info.device;
        *isThere = found.type == cudaMemoryTypeUnregistered ? cuda->readsPageable : !isElsewhere;
        bool isOnGpu = *isThere && found.type == cudaMemoryTypeDevice;
        *last = isOnGpu ? (knownAddress){address, cuda->info.device} : (knownAddress){NULL, 0};
    }
    return error;
}

wkResult wkCheckCudaNumbers(const wkCuda* cuda, const char* name, wkCudaMemory memory,
                            const void* numbers, size_t alignment)
{
    if (memory != wk_memoryDevice || numbers == NULL) {
        return wk_ok;
    }
    if ((uintptr_t)numbers % alignment != 0) {
        return wkFailCuda(wk_errorArgument, "%s on the GPU are not aligned to %zu bytes", name,
                          alignment);
    }
    bool isThere = false;
    wkResult result =
        wkTakeCudaError(findMemory(cuda, numbers, &isThere), "finding the memory of an address");
    return result != wk_ok || isThere
               ? result
               : wkFailCuda(wk_errorArgument, "%s are not in the memory of GPU %d", name,
                            (int)cuda->info.device);
}

bool wkReachesNumbers(const wkCuda* cuda, const void* numbers, size_t alignment)
{
    bool isThere = false;
    if (numbers == NULL || (uintptr_t)numbers % alignment != 0 ||
        findMemory(cuda, numbers, &isThere) != cudaSuccess) {
        cudaGetLastError(); // the next call must not find it
        return false;
    }
    return isThere;
}

wkResult wkUseCuda(const wkCuda* cuda)
{
    return wkTakeCudaError(cudaSetDevice(cuda->info.device), "selecting the GPU");
}

wkResult wkAllocateCuda(uint64_t byteCount, uint64_t pinnedBytes, char** memory, char** pinned)
{
    void* address = NULL;
    char words[100];
    snprintf(words, sizeof words, "allocating %" PRIu64 " bytes on the GPU", byteCount);
    wkResult result = wkTakeCudaError(cudaMalloc(&address, (size_t)byteCount), words);
    *memory = (char*)address;
    if (result == wk_ok) {
        address = NULL;
        result = wkTakeCudaError(cudaMallocHost(&address, (size_t)pinnedBytes),
                                 "allocating pinned memory");
        *pinned = (char*)address;
    }
    return result;
}

// Counts the GPUs, and says why there is none.
static wkResult countDevices(int* count)
{
    int driver = 0, runtime = 0;
    cudaError_t error = cudaGetDeviceCount(count);
    if (error == cudaErrorInsufficientDriver) {
        cudaGetLastError();
        cudaDriverGetVersion(&driver);
        cudaRuntimeGetVersion(&runtime);
        return driver == 0
                   ? wkFailCuda(wk_errorDevice, "cuda: no NVIDIA driver is installed")
                   : wkFailCuda(wk_errorDevice,
                                "cuda: the driver knows CUDA %d.%d, this library needs %d.%d",
                                driver / 1000, driver % 1000 / 10, runtime / 1000,
                                runtime % 1000 / 10);
    }
    if (error == cudaErrorNoDevice || (error == cudaSuccess && *count == 0)) {
        cudaGetLastError();
        return wkFailCuda(wk_errorDevice, "cuda: there is no NVIDIA GPU");
    }
    return wkTakeCudaError(error, "counting GPUs");
}

static wkResult describe(int device, wkCuda* cuda)
{
    wkCudaInfo* info = &cuda->info;
    struct cudaDeviceProp properties;
    wkResult result = wkTakeCudaError(cudaGetDeviceProperties(&properties, device),
                                      "reading the properties of the GPU");
    if (result != wk_ok) {
        return result;
    }
    *info = (wkCudaInfo){.device = device,
                         .major = properties.major,
                         .minor = properties.minor,
                         .multiprocessorCount = properties.multiProcessorCount,
                         .totalBytes = properties.totalGlobalMem};
    cuda->sharedBytes = properties.sharedMemPerBlockOptin;
    cuda->readsPageable = properties.pageableMemoryAccess != 0;
    snprintf(info->name, sizeof info->name, "%.63s", properties.name);
    int driver = 0, runtime = 0;
    result = wkTakeCudaError(cudaDriverGetVersion(&driver), "reading the version of the driver");
    if (result == wk_ok) {
        result = wkTakeCudaError(cudaRuntimeGetVersion(&runtime), "reading the version of CUDA");
    }
    info->driverVersion = driver;
    info->runtimeVersion = runtime;
    return result;
}

static wkResult checkAge(const wkCudaInfo* info)
{
    return info->major >= WK_LEAST_MAJOR
               ? wk_ok
               : wkFailCuda(wk_errorDevice,
                            "cuda: GPU %d, %s, has compute capability %d.%d, must be %d.0 or more",
                            (int)info->device, info->name, (int)info->major, (int)info->minor,
                            WK_LEAST_MAJOR);
}

// Chooses the GPU of a definition, or the first that is new enough.
static wkResult choose(const wkCudaDef* def, int count, wkCuda* cuda)
{
    if (def->device < -1 || def->device >= count) {
        return wkFailCuda(wk_errorRange, "cuda: device is %d, must be -1 to %d", (int)def->device,
                          count - 1);
    }
    int first = def->device >= 0 ? def->device : 0, end = def->device >= 0 ? first + 1 : count;
    wkResult result = wk_ok;
    for (int device = first; device < end; ++device) {
        result = describe(device, cuda);
        result = result == wk_ok ? checkAge(&cuda->info) : result;
        if (result == wk_ok) {
            return wk_ok;
        }
    }
    return result;
}

// Runs a kernel and compares its numbers with those of the CPU.
static wkResult probe(double* onDevice)
{
    double values[WK_PROBE_COUNT] = {0.0};
    cudaError_t error = wkLaunchProbe(onDevice, 0);
    if (error == cudaSuccess) {
        error = cudaMemcpyAsync(values, onDevice, sizeof values, cudaMemcpyDeviceToHost, 0);
    }
    error = error == cudaSuccess ? cudaStreamSynchronize(0) : error;
    for (int32_t i = 0; i < WK_PROBE_COUNT && error == cudaSuccess; ++i) {
        if (values[i] != wkProbeValue(i)) {
            return wkFailCuda(wk_errorDevice,
                              "cuda: a kernel computed %.17g, must be %.17g: the GPU does not "
                              "compute as the CPU does",
                              values[i], wkProbeValue(i));
        }
    }
    return wkTakeCudaError(error, "running a kernel");
}

static wkResult probeDevice(const wkCuda* cuda)
{
    void* memory = NULL;
    wkResult result = wkUseCuda(cuda);
    if (result == wk_ok) {
        result = wkTakeCudaError(cudaMalloc(&memory, WK_PROBE_COUNT * sizeof(double)),
                                 "allocating memory of the GPU");
    }
    result = result == wk_ok ? probe((double*)memory) : result;
    cudaFree(memory);
    return result;
}

wkResult wkCuda_Create(const wkCudaDef* def, wkCuda** cuda)
{
    if (cuda == NULL) {
        return wkFailCuda(wk_errorArgument, "cuda: the pointer for the GPU is NULL");
    }
    *cuda = NULL;
    if (!WK_HAS_COOKIE(def, wkCudaDef)) {
        return WK_FAIL_COOKIE(def, wkCudaDef);
    }
    int count = 0;
    wkCuda made;
    wkResult result = countDevices(&count);
    result = result == wk_ok ? choose(def, count, &made) : result;
    result = result == wk_ok ? probeDevice(&made) : result;
    if (result != wk_ok) {
        return result;
    }
    *cuda = (wkCuda*)wkAllocate(sizeof **cuda);
    if (*cuda == NULL) {
        return wkFailCuda(wk_errorMemory, "cuda: no memory");
    }
    **cuda = made;
    return wk_ok;
}

void wkCuda_Destroy(wkCuda* cuda)
{
    wkRelease(cuda, sizeof *cuda);
}

wkCudaInfo wkCuda_Info(const wkCuda* cuda)
{
    wkCudaInfo info = {0};
    if (cuda != NULL) {
        size_t total = 0;
        info = cuda->info;
        bool isKnown =
            wkUseCuda(cuda) == wk_ok && cudaMemGetInfo(&info.freeBytes, &total) == cudaSuccess;
        info.freeBytes = isKnown ? info.freeBytes : 0;
    }
    return info;
}

wkResult wkCuda_AllocatePinned(wkCuda* cuda, size_t byteCount, void** memory)
{
    if (memory != NULL) {
        *memory = NULL;
    }
    if (cuda == NULL || memory == NULL || byteCount == 0) {
        return wkFailCuda(wk_errorArgument, "cuda: cuda or memory is NULL, or byteCount is 0");
    }
    wkResult result = wkUseCuda(cuda);
    return result == wk_ok
               ? wkTakeCudaError(cudaMallocHost(memory, byteCount), "allocating pinned memory")
               : result;
}

void wkCuda_ReleasePinned(wkCuda* cuda, void* memory)
{
    if (cuda != NULL && memory != NULL) {
        cudaFreeHost(memory);
    }
}

const char* wkCudaMemoryName(wkCudaMemory memory)
{
    static const char* const names[] = {[wk_memoryHost] = "host", [wk_memoryDevice] = "device"};
    return (unsigned)memory < sizeof names / sizeof names[0] ? names[memory] : "none";
}
