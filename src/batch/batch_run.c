// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Runs a call: in the context of the caller, or on the threads of the batch, each of which has a context of its
// own and takes the next piece of the call until none is left.

#include "batch/batch_impl.h"

#include "base/error.h"
#include "base/parallel.h"

#include "whisker/detail/library.h"

// Pieces for each thread, so that none waits long for the last one.
#define PIECES_PER_THREAD 4

// A call on several threads, divided into pieces.
typedef struct batchRun {
    const wkBatchWork* work;
    const wkBatch* batch;
    const void* call;
    int64_t count;
    int64_t size; // of a piece
    _Atomic(int64_t) next;
} batchRun;

// Takes part in a call with the context of that number.
static void takePieces(void* context, int32_t number)
{
    batchRun* run = (batchRun*)context;
    wkBatchScratch* scratch = &run->batch->contexts[number]->scratch;
    for (;;) {
        int64_t first = atomic_fetch_add(&run->next, run->size);
        int64_t left = run->count - first;
        if (left <= 0) {
            return;
        }
        run->work->process(run->batch, scratch, run->call, first,
                           left < run->size ? left : run->size);
    }
}

static void runOnThreads(const wkBatchWork* work, const wkBatch* batch, const void* call,
                         int64_t count)
{
    int64_t most = (int64_t)batch->contextCount * PIECES_PER_THREAD;
    int64_t size = count / most / work->least * work->least;
    size = size < work->least ? work->least : size > work->most ? work->most : size;
    int64_t pieces = (count + size - 1) / size;
    batchRun run = {work, batch, call, count, size, 0};
    int32_t threads =
        (int32_t)(pieces < batch->contextCount ? pieces : (int64_t)batch->contextCount);
    wkRunTasks(batch->def.parallel, takePieces, &run, threads);
}

wkResult wkRunBatch(const wkBatchWork* work, const wkBatch* batch, wkBatchContext* context,
                    const void* call, int64_t count)
{
    wkBatchContext* first = context != NULL ? context : batch->contexts[0];
    if (atomic_exchange_explicit(&first->isInUse, true, memory_order_acquire)) {
        return wkFail(wk_errorState,
                      context != NULL
                          ? "%s: another thread uses the context; each thread needs its own"
                          : "%s: another thread uses the batch; each thread needs a wkBatchContext",
                      work->caller);
    }
    // a call that is a single piece wakes no thread
    if (context != NULL || batch->contextCount == 1 || count <= work->least) {
        work->process(batch, &first->scratch, call, 0, count);
    } else {
        runOnThreads(work, batch, call, count);
    }
    atomic_store_explicit(&first->isInUse, false, memory_order_release);
    return wk_ok;
}
