// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The threads of a block are coroutines: one runs until it ends or waits for others, then the next one that can. They
// begin by setcontext and go on by longjmp, which asks nothing of the system.

#include "emulated_cuda.h"

#include "emulated_calls.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <ucontext.h>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/common_interface_defs.h>
#endif

#define WARP 32
#define MAX_THREADS 1024
#define STACK_BYTES ((size_t)256 << 10)
#define NEW_BYTE 0xa5

// Those of an H200, for one block.
#define SHARED_BYTES (227 << 10)

dim3 threadIdx, blockIdx, blockDim, gridDim;

struct emulatedStream {
    int unused;
};

struct emulatedEvent {
    int unused;
};

// ---- calls that fail ----

static int failingCall = -1, failingError, callCount, deviceCount = 1, driverVersion = 13000;
static bool isFailingSticky, isFailingLate, hasFailed;
static size_t totalBytes = (size_t)1 << 30, usedBytes, pinnedBytes;
static cudaError_t lastError = cudaSuccess;

static cudaError_t call(void)
{
    bool isDue = failingCall >= 0 && callCount == failingCall;
    ++callCount;
    hasFailed = hasFailed || isDue;
    if (isDue && isFailingLate) {
        return cudaSuccess;
    }
    if (isDue || (hasFailed && isFailingSticky)) {
        lastError = (cudaError_t)failingError;
        return lastError;
    }
    return cudaSuccess;
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

void emulatedSetDevices(int count, int version)
{
    deviceCount = count;
    driverVersion = version;
}

void emulatedSetMemory(size_t byteCount)
{
    totalBytes = byteCount;
}

static size_t sharedBytesOfBlock = SHARED_BYTES;

void emulatedSetShared(size_t byteCount)
{
    sharedBytesOfBlock = byteCount < SHARED_BYTES ? byteCount : SHARED_BYTES;
}

size_t emulatedByteCount(void)
{
    return usedBytes + pinnedBytes;
}

const char* cudaGetErrorString(cudaError_t error)
{
    return error == cudaErrorMemoryAllocation ? "out of memory"
           : error == cudaErrorNoDevice       ? "no CUDA-capable device is detected"
           : error == cudaErrorInsufficientDriver
               ? "CUDA driver version is insufficient for CUDA runtime version"
           : error == cudaErrorInvalidDevice  ? "invalid device ordinal"
           : error == cudaErrorIllegalAddress ? "an illegal memory access was encountered"
                                              : "unknown error";
}

cudaError_t cudaGetLastError(void)
{
    cudaError_t error = lastError;
    lastError = cudaSuccess;
    return error;
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
    cudaError_t error = call();
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
    cudaError_t error = call();
    return error == cudaSuccess && device >= deviceCount ? cudaErrorInvalidDevice : error;
}

cudaError_t cudaMemGetInfo(size_t* available, size_t* total)
{
    *available = totalBytes - usedBytes;
    *total = totalBytes;
    return call();
}

// ---- memory ----

// The size is kept in front of the memory.
#define HEAD 64

static cudaError_t allocate(void** memory, size_t byteCount, size_t* counter, size_t limit)
{
    *memory = NULL;
    cudaError_t error = call();
    if (error != cudaSuccess || byteCount > limit - *counter) {
        return error != cudaSuccess ? error : cudaErrorMemoryAllocation;
    }
    char* head = (char*)aligned_alloc(HEAD, (byteCount + 2 * HEAD - 1) / HEAD * HEAD);
    if (head == NULL) {
        return cudaErrorMemoryAllocation;
    }
    memcpy(head, &byteCount, sizeof byteCount);
    *memory = memset(head + HEAD, NEW_BYTE, byteCount);
    *counter += byteCount;
    return cudaSuccess;
}

// Memory of a lost device is gone, too: it is freed even where the call fails.
static cudaError_t release(void* memory, size_t* counter)
{
    cudaError_t error = call();
    if (memory != NULL) {
        size_t byteCount;
        memcpy(&byteCount, (char*)memory - HEAD, sizeof byteCount);
        *counter -= byteCount;
        free((char*)memory - HEAD);
    }
    return error;
}

cudaError_t cudaMalloc(void** memory, size_t byteCount)
{
    return allocate(memory, byteCount, &usedBytes, totalBytes);
}

cudaError_t cudaFree(void* memory)
{
    return release(memory, &usedBytes);
}

cudaError_t cudaMallocHost(void** memory, size_t byteCount)
{
    return allocate(memory, byteCount, &pinnedBytes, SIZE_MAX / 4);
}

cudaError_t cudaFreeHost(void* memory)
{
    return release(memory, &pinnedBytes);
}

cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t byteCount, cudaMemcpyKind,
                            cudaStream_t)
{
    cudaError_t error = call();
    if (error == cudaSuccess && byteCount > 0) {
        memcpy(to, from, byteCount);
    }
    return error;
}

cudaError_t cudaMemcpy2DAsync(void* to, size_t toRowBytes, const void* from, size_t fromRowBytes,
                              size_t width, size_t height, cudaMemcpyKind, cudaStream_t)
{
    cudaError_t error = call();
    for (size_t row = 0; row < height && error == cudaSuccess; ++row) {
        memcpy((char*)to + row * toRowBytes, (const char*)from + row * fromRowBytes, width);
    }
    return error;
}

cudaError_t cudaMemsetAsync(void* memory, int byte, size_t byteCount, cudaStream_t)
{
    cudaError_t error = call();
    if (error == cudaSuccess && byteCount > 0) {
        memset(memory, byte, byteCount);
    }
    return error;
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned)
{
    *stream = NULL;
    cudaError_t error = call();
    *stream = error == cudaSuccess ? (cudaStream_t)calloc(1, sizeof **stream) : NULL;
    return error;
}

cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
    free(stream);
    return call();
}

cudaError_t cudaStreamSynchronize(cudaStream_t)
{
    return call();
}

cudaError_t cudaStreamQuery(cudaStream_t)
{
    return call();
}

cudaError_t cudaStreamWaitEvent(cudaStream_t, cudaEvent_t, unsigned)
{
    return call();
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned)
{
    *event = NULL;
    cudaError_t error = call();
    *event = error == cudaSuccess ? (cudaEvent_t)calloc(1, sizeof **event) : NULL;
    return error;
}

cudaError_t cudaEventDestroy(cudaEvent_t event)
{
    free(event);
    return call();
}

cudaError_t cudaEventRecord(cudaEvent_t, cudaStream_t)
{
    return call();
}

// ---- threads of a block ----

struct coroutine {
    ucontext_t context; // where it begins
    jmp_buf at;         // where it goes on
    bool hasBegun;
    char* stack;
    void* fakeStack;       // of AddressSanitizer
    uint64_t value;        // that it exchanges
    unsigned waitMask;     // lanes of its warp that it waits for; 0: none
    bool isInBlockBarrier; // it waits for the block
    bool isDone;
};

static coroutine threads[MAX_THREADS];
static coroutine* current;
static coroutine scheduler; // its stack is that of the caller
static size_t schedulerBytes;
static const std::function<void()>* running;

// AddressSanitizer has to know which stack is in use.
static void beginSwitch(coroutine* from, const void* stack, size_t byteCount)
{
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_start_switch_fiber(from->isDone ? NULL : &from->fakeStack, stack, byteCount);
#else
    (void)from, (void)stack, (void)byteCount;
#endif
}

static void endSwitch(coroutine* to, bool isFromScheduler)
{
#if defined(__SANITIZE_ADDRESS__)
    const void* bottom = NULL;
    size_t byteCount = 0;
    __sanitizer_finish_switch_fiber(to->fakeStack, &bottom, &byteCount);
    if (isFromScheduler) {
        scheduler.stack = (char*)bottom;
        schedulerBytes = byteCount;
    }
#else
    (void)to, (void)isFromScheduler;
#endif
}

static void switchTo(coroutine* next)
{
    current = next;
    threadIdx = dim3((unsigned)(next - threads), 0, 0);
    beginSwitch(&scheduler, next->stack, STACK_BYTES);
    if (_setjmp(scheduler.at) == 0) {
        if (next->hasBegun) {
            _longjmp(next->at, 1);
        }
        next->hasBegun = true;
        setcontext(&next->context);
    }
    endSwitch(&scheduler, false);
}

static void leave(coroutine* self)
{
    beginSwitch(self, scheduler.stack, schedulerBytes);
    if (_setjmp(self->at) == 0) {
        _longjmp(scheduler.at, 1);
    }
    endSwitch(self, true);
    threadIdx = dim3((unsigned)(self - threads), 0, 0);
}

static void runThread(void)
{
    endSwitch(current, true);
    (*running)();
    current->isDone = true;
    leave(current);
}

static void start(coroutine* thread)
{
    if (thread->stack == NULL) {
        thread->stack = (char*)malloc(STACK_BYTES);
    }
    char* stack = thread->stack;
    *thread = coroutine{};
    thread->stack = stack;
    getcontext(&thread->context);
    thread->context.uc_stack.ss_sp = stack;
    thread->context.uc_stack.ss_size = STACK_BYTES;
    thread->context.uc_link = NULL; // it leaves by itself
    makecontext(&thread->context, runThread, 0);
}

static coroutine* laneOf(const coroutine* thread, int lane)
{
    return &threads[(thread - threads) / WARP * WARP + lane];
}

// Lets the lanes of a mask go on when all of them wait with that mask.
static void releaseLanes(coroutine* thread)
{
    unsigned mask = thread->waitMask;
    for (int lane = 0; lane < WARP; ++lane) {
        bool isMeant = (mask >> lane & 1u) != 0;
        if (isMeant && (laneOf(thread, lane)->isDone || laneOf(thread, lane)->waitMask != mask)) {
            return;
        }
    }
    for (int lane = 0; lane < WARP; ++lane) {
        if ((mask >> lane & 1u) != 0) {
            laneOf(thread, lane)->waitMask = 0;
        }
    }
}

// Lets the threads of the block go on when every one that has not ended waits for the block.
static void releaseBlock(void)
{
    bool isTogether = true;
    for (unsigned i = 0; i < blockDim.x; ++i) {
        isTogether = isTogether && (threads[i].isDone || threads[i].isInBlockBarrier);
    }
    for (unsigned i = 0; isTogether && i < blockDim.x; ++i) {
        threads[i].isInBlockBarrier = false;
    }
}

static void runBlock(void)
{
    for (unsigned i = 0; i < blockDim.x; ++i) {
        start(&threads[i]);
    }
    for (bool isAlive = true; isAlive;) {
        bool isAny = false;
        isAlive = false;
        releaseBlock();
        for (unsigned i = 0; i < blockDim.x; ++i) {
            if (threads[i].waitMask != 0) {
                releaseLanes(&threads[i]);
            }
            bool isWaiting = threads[i].waitMask != 0 || threads[i].isInBlockBarrier;
            if (!threads[i].isDone && !isWaiting) {
                switchTo(&threads[i]);
                isAny = true;
            }
            isAlive = isAlive || !threads[i].isDone;
        }
        if (isAlive && !isAny) {
            fprintf(stderr, "emulated CUDA: the threads of a block wait for each other for ever\n");
            abort();
        }
    }
}

alignas(64) static char sharedMemory[SHARED_BYTES];

char* emulatedSharedBytes(void)
{
    return sharedMemory;
}

cudaError_t cudaFuncSetAttribute(const void*, cudaFuncAttribute, int value)
{
    cudaError_t error = call();
    return error == cudaSuccess && (size_t)value > sharedBytesOfBlock ? cudaErrorInvalidValue
                                                                      : error;
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* count, const void*, int,
                                                          size_t sharedBytes)
{
    *count = sharedBytes > SHARED_BYTES / 2 ? 1 : 2;
    return call();
}

cudaError_t emulatedLaunch(const std::function<void()>& kernel, dim3 grid, dim3 block,
                           size_t sharedBytes)
{
    cudaError_t error = call();
    if (error != cudaSuccess) {
        return error;
    }
    if (block.x == 0 || block.x > MAX_THREADS || grid.x == 0 || sharedBytes > sharedBytesOfBlock) {
        return cudaErrorInvalidValue;
    }
    if (hasFailed && isFailingLate) {
        return cudaSuccess; // the kernel fails before it writes anything
    }
    running = &kernel;
    gridDim = grid;
    blockDim = block;
    for (unsigned y = 0; y < grid.y; ++y) {
        for (unsigned x = 0; x < grid.x; ++x) {
            blockIdx = dim3(x, y, 0);
            runBlock();
        }
    }
    return cudaSuccess;
}

void __syncthreads(void)
{
    current->isInBlockBarrier = true;
    leave(current);
}

static void waitForLanes(coroutine* self, unsigned mask)
{
    self->waitMask = mask;
    leave(self);
}

void __syncwarp(unsigned mask)
{
    waitForLanes(current, mask);
}

uint64_t emulatedShuffle(unsigned mask, uint64_t value, int fromLane)
{
    coroutine* self = current;
    self->value = value;
    waitForLanes(self, mask);
    uint64_t result = laneOf(self, fromLane)->value;
    waitForLanes(self, mask); // no lane writes its next value before all have read this one
    return result;
}

unsigned __ballot_sync(unsigned mask, int predicate)
{
    unsigned lane = threadIdx.x % WARP;
    return __reduce_or_sync(mask, predicate != 0 ? 1u << lane : 0u);
}

int __syncthreads_or(int predicate)
{
    current->value = predicate != 0;
    __syncthreads();
    bool any = false;
    for (unsigned i = 0; i < blockDim.x; ++i) {
        any = any || (!threads[i].isDone && threads[i].value != 0);
    }
    __syncthreads(); // no thread writes its next value before all have read this one
    return any;
}

unsigned __reduce_min_sync(unsigned mask, unsigned value)
{
    coroutine* self = current;
    self->value = value;
    waitForLanes(self, mask);
    unsigned least = ~0u;
    for (int lane = 0; lane < WARP; ++lane) {
        unsigned other = (unsigned)laneOf(self, lane)->value;
        least = (mask >> lane & 1u) != 0 && other < least ? other : least;
    }
    waitForLanes(self, mask);
    return least;
}

unsigned __reduce_or_sync(unsigned mask, unsigned value)
{
    coroutine* self = current;
    self->value = value;
    waitForLanes(self, mask);
    unsigned bits = 0;
    for (int lane = 0; lane < WARP; ++lane) {
        if ((mask >> lane & 1u) != 0) {
            bits |= (unsigned)laneOf(self, lane)->value;
        }
    }
    waitForLanes(self, mask);
    return bits;
}

unsigned emulatedMatch(unsigned mask, uint64_t value)
{
    coroutine* self = current;
    self->value = value;
    waitForLanes(self, mask);
    unsigned equal = 0;
    for (int lane = 0; lane < WARP; ++lane) {
        bool isMeant = (mask >> lane & 1u) != 0;
        equal |= isMeant && laneOf(self, lane)->value == value ? 1u << lane : 0u;
    }
    waitForLanes(self, mask);
    return equal;
}
