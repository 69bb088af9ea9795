// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

#include "batch/state_side.h"

#include <stdlib.h>
#include <string.h>

bool wkStateSide_Open(wkStateSide* side, const double* states, int count, int repeatCount)
{
    *side = (wkStateSide){.states = states, .count = count, .repeatCount = repeatCount};
    side->verdicts = (uint8_t*)calloc((size_t)count, 1);
    side->first = (uint8_t*)calloc((size_t)count, 1);
    return side->verdicts != NULL && side->first != NULL;
}

void wkStateSide_Close(wkStateSide* side)
{
    free(side->verdicts);
    free(side->first);
}

void wkPassStates(void* context)
{
    wkStateSide* side = (wkStateSide*)context;
    for (int i = 0; i < side->repeatCount; i++) {
        wkResult result =
            wkBatch_CheckStates(side->batch, NULL, side->states, side->count, side->verdicts);
        side->result = result != wk_ok ? result : side->result;
    }
    if (!side->hasFirst) {
        memcpy(side->first, side->verdicts, (size_t)side->count);
        side->hasFirst = true;
    }
}

bool wkAreVerdictsUnchanged(void* context)
{
    const wkStateSide* side = (const wkStateSide*)context;
    return memcmp(side->first, side->verdicts, (size_t)side->count) == 0;
}
