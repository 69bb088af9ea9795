// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The table of backends, and the row of the CPU.

#include "batch/batch_backend.h"

#include "batch/batch_kernel.h"
#include "whisker/detail/counts.h"

static void describeCpu(const wkBatch* batch, wkBatchInfo* info)
{
    info->laneCount = batch->lanes->laneCount;
    info->threadCount = batch->contextCount;
    info->byteCount += (size_t)batch->contextCount * sizeof(void*);
    for (int32_t i = 0; i < batch->contextCount; ++i) {
        info->byteCount += batch->contexts[i]->byteCount;
    }
}

const wkBatchBackend wkCpuBackend = {
    .name = "cpu",
    .create = wkMakeContexts,
    .destroy = wkFreeContexts,
    .checkStates = wkCheckStatesOnCpu,
    .checkMotions = wkCheckMotionsOnCpu,
    .clearances = wkClearancesOnCpu,
    .placeSpheres = wkPlaceSpheresOnCpu,
    .info = describeCpu,
};

static const wkBatchBackend* const backends[WK_BACKEND_COUNT] = {
    [wk_backendCpu] = &wkCpuBackend,
};

const wkBatchBackend* wkFindBackend(wkBackend backend)
{
    return (unsigned)backend < WK_BACKEND_COUNT ? backends[backend] : NULL;
}

const char* wkBackendName(wkBackend backend)
{
    const wkBatchBackend* found = wkFindBackend(backend);
    return found != NULL ? found->name : "unknown";
}
