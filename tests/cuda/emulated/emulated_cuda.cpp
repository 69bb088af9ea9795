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

dim3 threadIdx, blockIdx, blockDim, gridDim;

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

// A program may unload the library.
__attribute__((destructor)) static void freeStacks(void)
{
    for (coroutine& thread : threads) {
        free(thread.stack);
        thread.stack = NULL;
    }
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

alignas(64) static char sharedMemory[EMULATED_SHARED_BYTES];

char* emulatedSharedBytes(void)
{
    return sharedMemory;
}

cudaError_t emulatedLaunch(const emulatedKernel& kernel, dim3 grid, dim3 block, cudaStream_t stream)
{
    std::lock_guard<std::recursive_mutex> guard(emulatedMutex()); // one kernel runs at a time
    bool isLost = false;
    cudaError_t error = emulatedBeginLaunch(kernel, stream, &isLost);
    if (error != cudaSuccess) {
        return error;
    }
    if (block.x == 0 || block.x > MAX_THREADS || grid.x == 0) {
        return cudaErrorInvalidValue;
    }
    if (isLost) {
        return cudaSuccess; // the kernel fails before it writes anything
    }
    running = &kernel.run;
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

int emulatedRunKernel(void* argument, void* stream)
{
    return emulatedLaunch({[] {}, NULL, &argument, sizeof argument, 0}, dim3(1), dim3(WARP),
                          (cudaStream_t)stream);
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
