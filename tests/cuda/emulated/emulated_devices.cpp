// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Devices with separate memories, their streams, and calls that fail. What CUDA forbids, or allows only in some cases, is
// an error here: work that is submitted while another device is in use, and memory of another device in a copy, in the
// arguments of a kernel, or behind a pointer that is copied to a device. So a missing cudaSetDevice fails.

#include "emulated_cuda.h"

#include "emulated_calls.h"

#include <initializer_list>
#include <map>
#include <set>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#define MOST_DEVICES 8
#define NEW_BYTE 0xa5

// Shared memory that a kernel may use as long as nothing else is set.
#define DEFAULT_SHARED_BYTES ((size_t)48 << 10)

struct emulatedStream {
    int device;
    bool isBusy;    // work was submitted that no call has waited for
    int queryCount; // queries that will still find it busy
};

struct emulatedEvent {
    int device;
};

std::recursive_mutex& emulatedMutex(void)
{
    static std::recursive_mutex mutex;
    return mutex;
}

typedef std::lock_guard<std::recursive_mutex> lockGuard;

// ---- calls that fail ----

static int failingCall = -1, failingError, callCount, lostDevice;
static bool isFailingSticky, isFailingLate, hasFailed;
static int deviceCount = 1, driverVersion = 13000;
static thread_local int deviceInUse;
static thread_local cudaError_t lastError = cudaSuccess;

static cudaError_t fail(cudaError_t error)
{
    lastError = error;
    return error;
}

// Counts a call to a device, and returns what it fails with. A device that is lost takes no other with it.
static cudaError_t callOn(int device)
{
    lockGuard guard(emulatedMutex());
    bool isDue = failingCall >= 0 && callCount == failingCall;
    ++callCount;
    if (isDue) {
        hasFailed = true;
        lostDevice = device;
    }
    if (isDue && isFailingLate) {
        return cudaSuccess;
    }
    bool isLost = hasFailed && isFailingSticky && device == lostDevice;
    return isDue || isLost ? fail((cudaError_t)failingError) : cudaSuccess;
}

static cudaError_t call(void)
{
    return callOn(deviceInUse);
}

int emulatedIsUsed(void)
{
    return 1;
}

void emulatedFailCall(int number, int error, int isSticky)
{
    failingCall = number;
    failingError = error;
    isFailingSticky = isSticky != 0;
    isFailingLate = false;
    hasFailed = false;
    callCount = 0;
    lastError = cudaSuccess;
}

void emulatedFailKernel(int number, int error)
{
    emulatedFailCall(number, error, 1);
    isFailingLate = true;
}

const char* cudaGetErrorString(cudaError_t error)
{
    return error == cudaErrorMemoryAllocation ? "out of memory"
           : error == cudaErrorNoDevice       ? "no CUDA-capable device is detected"
           : error == cudaErrorInsufficientDriver
               ? "CUDA driver version is insufficient for CUDA runtime version"
           : error == cudaErrorInvalidDevice         ? "invalid device ordinal"
           : error == cudaErrorInvalidResourceHandle ? "invalid resource handle"
           : error == cudaErrorIllegalAddress        ? "an illegal memory access was encountered"
                                                     : "unknown error";
}

cudaError_t cudaGetLastError(void)
{
    cudaError_t error = lastError;
    lastError = cudaSuccess;
    return error;
}

// ---- devices ----

static size_t totalBytes = (size_t)1 << 30, usedBytes[MOST_DEVICES], pinnedBytes;
static size_t sharedBytesOfBlock = EMULATED_SHARED_BYTES;
static int delays[MOST_DEVICES];
static long kernelCounts[MOST_DEVICES];

void emulatedSetDevices(int count, int version)
{
    deviceCount = count < MOST_DEVICES ? count : MOST_DEVICES;
    driverVersion = version;
}

void emulatedDelayDevice(int device, int queryCount)
{
    delays[device] = queryCount;
}

long emulatedKernelCount(int device)
{
    return kernelCounts[device];
}

void emulatedSetMemory(size_t byteCount)
{
    totalBytes = byteCount;
}

void emulatedSetShared(size_t byteCount)
{
    sharedBytesOfBlock = byteCount < EMULATED_SHARED_BYTES ? byteCount : EMULATED_SHARED_BYTES;
}

size_t emulatedByteCount(void)
{
    size_t sum = pinnedBytes;
    for (size_t bytes : usedBytes) {
        sum += bytes;
    }
    return sum;
}

cudaError_t cudaGetDeviceCount(int* count)
{
    cudaError_t error = call();
    *count = error == cudaSuccess ? deviceCount : 0;
    if (error == cudaSuccess && driverVersion == 0) {
        return cudaErrorInsufficientDriver; // as the runtime says without a driver
    }
    return error == cudaSuccess && deviceCount == 0 ? cudaErrorNoDevice : error;
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device)
{
    cudaError_t error = callOn(device);
    if (error == cudaSuccess && device >= deviceCount) {
        return cudaErrorInvalidDevice;
    }
    memset(properties, 0, sizeof *properties);
    snprintf(properties->name, sizeof properties->name, "emulated");
    properties->totalGlobalMem = totalBytes;
    properties->sharedMemPerBlockOptin = sharedBytesOfBlock;
    properties->major = 9;
    properties->multiProcessorCount = 2;
    return error;
}

cudaError_t cudaDriverGetVersion(int* version)
{
    *version = driverVersion;
    return call();
}

cudaError_t cudaRuntimeGetVersion(int* version)
{
    *version = 13000;
    return call();
}

cudaError_t cudaSetDevice(int device)
{
    cudaError_t error = callOn(device);
    if (error == cudaSuccess && (device < 0 || device >= deviceCount)) {
        return cudaErrorInvalidDevice;
    }
    deviceInUse = error == cudaSuccess ? device : deviceInUse;
    return error;
}

cudaError_t cudaMemGetInfo(size_t* available, size_t* total)
{
    *available = totalBytes - usedBytes[deviceInUse];
    *total = totalBytes;
    return call();
}

// Shared memory that a kernel may use on a device: the last one that was set counts.
static std::map<std::pair<const void*, int>, size_t> sharedLimits;

cudaError_t cudaFuncSetAttribute(const void* kernel, cudaFuncAttribute, int value)
{
    lockGuard guard(emulatedMutex());
    cudaError_t error = call();
    if (error != cudaSuccess || (size_t)value > sharedBytesOfBlock) {
        return error != cudaSuccess ? error : cudaErrorInvalidValue;
    }
    sharedLimits[{kernel, deviceInUse}] = (size_t)value;
    return cudaSuccess;
}

static size_t sharedLimitOf(const void* kernel, int device)
{
    auto found = sharedLimits.find({kernel, device});
    return found != sharedLimits.end() ? found->second : DEFAULT_SHARED_BYTES;
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* count, const void*, int,
                                                          size_t sharedBytes)
{
    *count = sharedBytes > EMULATED_SHARED_BYTES / 2 ? 1 : 2;
    return call();
}

// ---- memory ----

// Between allocations: no pointer to the end of one is in the next.
#define HEAD 64

#define PAGE_BYTES 4096

#define PINNED -1

struct allocation {
    size_t byteCount;
    int device; // or PINNED
};

static std::map<uintptr_t, allocation> allocations;

// Memory of devices has addresses that were never used before: bytes of the host that are left of another pointer, such as
// between members of a struct, are not taken for one of these.
#if !defined(__SANITIZE_ADDRESS__)
static char* takeMemory(size_t byteCount)
{
    static uintptr_t next = (uintptr_t)1 << 45;
    void* memory = mmap((void*)next, byteCount, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    next += (byteCount / PAGE_BYTES + 2) * PAGE_BYTES;
    return memory != MAP_FAILED ? (char*)memory : NULL;
}

static void giveMemory(char* memory, size_t byteCount)
{
    munmap(memory, byteCount);
}
#else // which finds what is written beyond the end
static char* takeMemory(size_t byteCount)
{
    return (char*)aligned_alloc(HEAD, (byteCount + HEAD - 1) / HEAD * HEAD);
}

static void giveMemory(char* memory, size_t)
{
    free(memory);
}
#endif

static cudaError_t allocate(void** memory, size_t byteCount, int device)
{
    lockGuard guard(emulatedMutex());
    size_t* counter = device == PINNED ? &pinnedBytes : &usedBytes[device];
    size_t limit = device == PINNED ? SIZE_MAX / 4 : totalBytes;
    *memory = NULL;
    cudaError_t error = call();
    if (error != cudaSuccess || byteCount > limit - *counter) {
        return error != cudaSuccess ? error : fail(cudaErrorMemoryAllocation);
    }
    char* head = takeMemory(byteCount + HEAD);
    if (head == NULL) {
        return fail(cudaErrorMemoryAllocation);
    }
    *memory = memset(head + HEAD, NEW_BYTE, byteCount);
    *counter += byteCount;
    allocations[(uintptr_t)*memory] = {byteCount, device};
    return cudaSuccess;
}

// Memory of a lost device is gone, too: it is freed even where the call fails.
static cudaError_t release(void* memory, bool isPinned)
{
    lockGuard guard(emulatedMutex());
    cudaError_t error = call();
    if (memory == NULL) {
        return error;
    }
    auto found = allocations.find((uintptr_t)memory);
    if (found == allocations.end() || (found->second.device == PINNED) != isPinned) {
        return fail(cudaErrorInvalidValue);
    }
    size_t byteCount = found->second.byteCount;
    *(isPinned ? &pinnedBytes : &usedBytes[found->second.device]) -= byteCount;
    allocations.erase(found);
    giveMemory((char*)memory - HEAD, byteCount + HEAD);
    return error;
}

cudaError_t cudaMalloc(void** memory, size_t byteCount)
{
    return allocate(memory, byteCount, deviceInUse);
}

cudaError_t cudaFree(void* memory)
{
    return release(memory, false);
}

cudaError_t cudaMallocHost(void** memory, size_t byteCount)
{
    return allocate(memory, byteCount, PINNED);
}

cudaError_t cudaFreeHost(void* memory)
{
    return release(memory, true);
}

// Returns the allocation of an address; NULL: none.
static const allocation* allocationOf(uintptr_t address)
{
    auto next = allocations.upper_bound(address);
    if (next == allocations.begin()) {
        return NULL;
    }
    auto found = std::prev(next);
    return address - found->first < found->second.byteCount ? &found->second : NULL;
}

// Whether an address is in the memory of another device.
static bool isElsewhere(uintptr_t address, int device)
{
    const allocation* from = allocationOf(address);
    return from != NULL && from->device != PINNED && from->device != device;
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* address)
{
    lockGuard guard(emulatedMutex());
    const allocation* from = allocationOf((uintptr_t)address);
    attributes->type = from == NULL       ? cudaMemoryTypeUnregistered
                       : from->device < 0 ? cudaMemoryTypeHost
                                          : cudaMemoryTypeDevice;
    attributes->device = from != NULL && from->device >= 0 ? from->device : 0;
    return call();
}

// Whether any of these bytes, taken as pointers, is one to the memory of another device.
static bool pointsElsewhere(const void* bytes, size_t byteCount, int device)
{
    for (size_t at = 0; deviceCount > 1 && at + sizeof(uintptr_t) <= byteCount;
         at += sizeof(uintptr_t)) {
        uintptr_t word;
        memcpy(&word, (const char*)bytes + at, sizeof word);
        if (isElsewhere(word, device)) {
            return true;
        }
    }
    return false;
}

// ---- streams ----

static std::set<cudaStream_t> streams;

static int deviceOf(cudaStream_t stream)
{
    return stream != NULL ? stream->device : deviceInUse;
}

// Counts a call that submits work, and checks that the device of the stream is in use and has the memory.
static cudaError_t submit(cudaStream_t stream, std::initializer_list<const void*> addresses)
{
    lockGuard guard(emulatedMutex());
    int device = deviceOf(stream);
    cudaError_t error = callOn(device);
    if (error == cudaSuccess && device != deviceInUse) {
        return fail(cudaErrorInvalidResourceHandle);
    }
    for (const void* address : addresses) {
        if (error == cudaSuccess && isElsewhere((uintptr_t)address, device)) {
            return fail(cudaErrorIllegalAddress);
        }
    }
    if (error == cudaSuccess && stream != NULL) {
        stream->isBusy = true;
        stream->queryCount = delays[device];
    }
    return error;
}

cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t byteCount, cudaMemcpyKind kind,
                            cudaStream_t stream)
{
    cudaError_t error = submit(stream, {to, from});
    if (error == cudaSuccess && kind == cudaMemcpyHostToDevice) {
        lockGuard guard(emulatedMutex());
        bool isWrong = pointsElsewhere(from, byteCount, deviceOf(stream));
        error = isWrong ? fail(cudaErrorIllegalAddress) : cudaSuccess;
    }
    if (error == cudaSuccess && byteCount > 0) {
        memcpy(to, from, byteCount);
    }
    return error;
}

cudaError_t cudaMemcpy2DAsync(void* to, size_t toRowBytes, const void* from, size_t fromRowBytes,
                              size_t width, size_t height, cudaMemcpyKind, cudaStream_t stream)
{
    cudaError_t error = submit(stream, {to, from});
    for (size_t row = 0; row < height && error == cudaSuccess; ++row) {
        memcpy((char*)to + row * toRowBytes, (const char*)from + row * fromRowBytes, width);
    }
    return error;
}

cudaError_t cudaMemsetAsync(void* memory, int byte, size_t byteCount, cudaStream_t stream)
{
    cudaError_t error = submit(stream, {memory});
    if (error == cudaSuccess && byteCount > 0) {
        memset(memory, byte, byteCount);
    }
    return error;
}

cudaError_t emulatedBeginLaunch(const emulatedKernel& kernel, cudaStream_t stream, bool* isLost)
{
    cudaError_t error = submit(stream, {});
    int device = deviceOf(stream);
    if (error == cudaSuccess && kernel.sharedBytes > sharedLimitOf(kernel.function, device)) {
        return fail(cudaErrorInvalidValue);
    }
    if (error == cudaSuccess && pointsElsewhere(kernel.arguments, kernel.argumentBytes, device)) {
        return fail(cudaErrorIllegalAddress);
    }
    *isLost = hasFailed && isFailingLate && device == lostDevice;
    kernelCounts[device] += error == cudaSuccess ? 1 : 0;
    return error;
}

int emulatedBusyCount(void)
{
    int count = 0;
    for (cudaStream_t stream : streams) {
        count += stream->isBusy ? 1 : 0;
    }
    return count;
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned)
{
    lockGuard guard(emulatedMutex());
    *stream = NULL;
    cudaError_t error = call();
    if (error == cudaSuccess) {
        *stream = (cudaStream_t)calloc(1, sizeof **stream);
        (*stream)->device = deviceInUse;
        streams.insert(*stream);
    }
    return error;
}

cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
    lockGuard guard(emulatedMutex());
    int device = deviceOf(stream);
    streams.erase(stream);
    free(stream);
    return callOn(device);
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream)
{
    if (stream != NULL) {
        stream->isBusy = false;
    }
    return callOn(deviceOf(stream));
}

cudaError_t cudaStreamQuery(cudaStream_t stream)
{
    if (stream != NULL && stream->isBusy && stream->queryCount > 0) {
        --stream->queryCount;
        return fail(cudaErrorNotReady);
    }
    return cudaStreamSynchronize(stream);
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t, unsigned)
{
    return callOn(deviceOf(stream));
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned)
{
    *event = NULL;
    cudaError_t error = call();
    if (error == cudaSuccess) {
        *event = (cudaEvent_t)calloc(1, sizeof **event);
        (*event)->device = deviceInUse;
    }
    return error;
}

cudaError_t cudaEventDestroy(cudaEvent_t event)
{
    free(event);
    return call();
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
    cudaError_t error = submit(stream, {});
    return error == cudaSuccess && event->device != deviceOf(stream)
               ? fail(cudaErrorInvalidResourceHandle)
               : error;
}
