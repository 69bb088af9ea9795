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
#include <dlfcn.h>
#include <sanitizer/common_interface_defs.h>
#endif

#define WARP 32
#define MAX_THREADS 1024
#define STACK_BYTES ((size_t)256 << 10)
#define STACK_STEP ((size_t)1088) // offsets of the stacks of a warp

dim3 threadIdx, blockIdx, blockDim, gridDim;

// What lanes do when they wait for each other.
enum exchangeKind {
    exchangeNothing,
    exchangeShuffle,
    exchangeLeast,
    exchangeBits,
    exchangeMatch
};

struct coroutine {
    jmp_buf at; // where it goes on
    bool hasBegun;
    char* stack;
    void* fakeStack; // of AddressSanitizer
};

// What a thread exchanges with others, away from the rest for the sake of the cache.
struct exchanged {
    uint64_t value, received;
    unsigned waitMask; // lanes of its warp that it waits for
    exchangeKind kind;
    int fromLane; // of a shuffle
};

// Lanes of a warp, as bits.
struct warpState {
    unsigned present, done;
    unsigned waiting;   // for lanes
    unsigned inBarrier; // waiting for the block
};

static coroutine threads[MAX_THREADS];
static exchanged exchanges[MAX_THREADS];
static warpState warps[MAX_THREADS / WARP];
static coroutine* current;
static coroutine scheduler; // its stack is that of the caller
static size_t schedulerBytes;
static const std::function<void()>* running;

// AddressSanitizer has to know which stack is in use.
static void beginSwitch(coroutine* from, const void* stack, size_t byteCount)
{
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_start_switch_fiber(&from->fakeStack, stack, byteCount);
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

// AddressSanitizer marks a whole stack as unused in its own longjmp. No frame ends here, so that of the system is used.
static void jumpTo(jmp_buf at)
{
#if defined(__SANITIZE_ADDRESS__)
    typedef void jumpFcn(jmp_buf, int);
    static jumpFcn* const jump = (jumpFcn*)dlsym(dlopen("libc.so.6", RTLD_LAZY), "_longjmp");
    jump(at, 1);
#else
    _longjmp(at, 1);
#endif
}

static void leave(coroutine* self)
{
    beginSwitch(self, scheduler.stack, schedulerBytes);
    if (_setjmp(self->at) == 0) {
        jumpTo(scheduler.at);
    }
    endSwitch(self, true);
    threadIdx = dim3((unsigned)(self - threads), 0, 0);
}

static unsigned laneBit(const coroutine* thread)
{
    return 1u << (thread - threads) % WARP;
}

static warpState* warpOf(const coroutine* thread)
{
    return &warps[(thread - threads) / WARP];
}

// Runs its thread of one block after the other: to begin again would ask the system.
static void runThreads(void)
{
    endSwitch(current, true);
    for (;;) {
        coroutine* self = current;
        (*running)();
        warpOf(self)->done |= laneBit(self);
        leave(self);
    }
}

// Stacks begin at different offsets, since the tops of all would share a few lines of the cache.
static void begin(coroutine* thread)
{
    static ucontext_t context;
    size_t offset = (size_t)((thread - threads) % WARP) * STACK_STEP;
    thread->hasBegun = true;
    getcontext(&context);
    context.uc_stack.ss_sp = thread->stack;
    context.uc_stack.ss_size = STACK_BYTES - offset;
    context.uc_link = NULL; // it leaves by itself
    makecontext(&context, runThreads, 0);
    setcontext(&context);
}

static void switchTo(coroutine* next)
{
    current = next;
    threadIdx = dim3((unsigned)(next - threads), 0, 0);
    if (next->stack == NULL) {
        next->stack = (char*)malloc(STACK_BYTES);
    }
    beginSwitch(&scheduler, next->stack, STACK_BYTES);
    if (_setjmp(scheduler.at) == 0) {
        if (next->hasBegun) {
            jumpTo(next->at);
        }
        begin(next);
    }
    endSwitch(&scheduler, false);
}

// A program may unload the library.
__attribute__((destructor)) static void freeStacks(void)
{
    for (coroutine& thread : threads) {
        free(thread.stack);
        thread.stack = NULL;
    }
}

static unsigned matchesOf(const exchanged* lanes, unsigned mask, uint64_t value)
{
    unsigned equal = 0;
    for (unsigned left = mask; left != 0; left &= left - 1) {
        int lane = __builtin_ctz(left);
        equal |= lanes[lane].value == value ? 1u << lane : 0u;
    }
    return equal;
}

// Gives each lane of a mask what it receives from the others.
static void exchangeAll(exchanged* lanes, unsigned mask)
{
    unsigned least = ~0u, bits = 0;
    for (unsigned left = mask; left != 0; left &= left - 1) {
        unsigned value = (unsigned)lanes[__builtin_ctz(left)].value;
        least = value < least ? value : least;
        bits |= value;
    }
    for (unsigned left = mask; left != 0; left &= left - 1) {
        exchanged* lane = &lanes[__builtin_ctz(left)];
        switch (lane->kind) {
        case exchangeShuffle:
            lane->received = lanes[lane->fromLane].value;
            break;
        case exchangeMatch:
            lane->received = matchesOf(lanes, mask, lane->value);
            break;
        default:
            lane->received = lane->kind == exchangeLeast ? least : bits;
        }
    }
}

// Returns whether all lanes of a mask wait with that mask.
static bool areTogether(const warpState* warp, const exchanged* lanes, unsigned mask)
{
    if ((warp->waiting & mask) != mask) {
        return false;
    }
    for (unsigned left = mask; left != 0; left &= left - 1) {
        if (lanes[__builtin_ctz(left)].waitMask != mask) {
            return false;
        }
    }
    return true;
}

// Waits for the lanes of a mask. The last one of them goes on at once.
static uint64_t waitForLanes(unsigned mask, exchangeKind kind, uint64_t value, int fromLane)
{
    coroutine* thread = current;
    warpState* warp = warpOf(thread);
    exchanged* lanes = &exchanges[(warp - warps) * WARP];
    exchanged* self = &exchanges[thread - threads];
    *self = {value, 0, mask, kind, fromLane};
    warp->waiting |= laneBit(thread);
    if (areTogether(warp, lanes, mask)) {
        exchangeAll(lanes, mask);
        warp->waiting &= ~mask;
    }
    if ((warp->waiting & laneBit(thread)) != 0) {
        leave(thread);
    }
    return self->received;
}

// Lets the threads of the block go on when every one that has not ended waits for the block.
static void releaseBlock(unsigned warpCount)
{
    for (unsigned i = 0; i < warpCount; ++i) {
        if ((warps[i].done | warps[i].inBarrier) != warps[i].present) {
            return;
        }
    }
    for (unsigned i = 0; i < warpCount; ++i) {
        warps[i].inBarrier = 0;
    }
}

static void runBlock(void)
{
    unsigned warpCount = (blockDim.x + WARP - 1) / WARP;
    for (unsigned i = 0; i < warpCount; ++i) {
        unsigned lanes = blockDim.x - i * WARP;
        warps[i] = {lanes < WARP ? (1u << lanes) - 1u : ~0u, 0, 0, 0};
    }
    for (bool isAlive = true; isAlive;) {
        bool isAny = false;
        isAlive = false;
        releaseBlock(warpCount);
        for (unsigned i = 0; i < warpCount; ++i) {
            const warpState& warp = warps[i];
            unsigned ready = warp.present & ~(warp.done | warp.waiting | warp.inBarrier);
            isAny = isAny || ready != 0;
            for (unsigned left = ready; left != 0; left &= left - 1) {
                switchTo(&threads[i * WARP + (unsigned)__builtin_ctz(left)]);
            }
            isAlive = isAlive || warp.done != warp.present;
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
    warpOf(current)->inBarrier |= laneBit(current);
    leave(current);
}

void __syncwarp(unsigned mask)
{
    waitForLanes(mask, exchangeNothing, 0, 0);
}

uint64_t emulatedShuffle(unsigned mask, uint64_t value, int fromLane)
{
    return waitForLanes(mask, exchangeShuffle, value, fromLane);
}

unsigned __ballot_sync(unsigned mask, int predicate)
{
    return __reduce_or_sync(mask, predicate != 0 ? laneBit(current) : 0u);
}

int __syncthreads_or(int predicate)
{
    exchanges[current - threads].value = predicate != 0;
    __syncthreads();
    bool any = false;
    for (unsigned i = 0; i < blockDim.x; ++i) {
        bool isDone = (warpOf(&threads[i])->done & laneBit(&threads[i])) != 0;
        any = any || (!isDone && exchanges[i].value != 0);
    }
    __syncthreads(); // no thread writes its next value before all have read this one
    return any;
}

unsigned __reduce_min_sync(unsigned mask, unsigned value)
{
    return (unsigned)waitForLanes(mask, exchangeLeast, value, 0);
}

unsigned __reduce_or_sync(unsigned mask, unsigned value)
{
    return (unsigned)waitForLanes(mask, exchangeBits, value, 0);
}

unsigned emulatedMatch(unsigned mask, uint64_t value)
{
    return (unsigned)waitForLanes(mask, exchangeMatch, value, 0);
}
