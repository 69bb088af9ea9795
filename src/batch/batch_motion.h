// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The two ways to check the motions of a batch, as callbacks of a common loop.

#include "batch/batch_impl.h"

typedef struct wkMotionRule {
    // Begins a motion whose ends are known to be valid. False: the result is known at once.
    bool (*begin)(const wkBatch* batch, const wkMotionRequest* request, wkMotionSlot* slot,
                  wkBatchMotionResult* result);

    // Fills the next configurations to check, into rows of the block from `slot->first` on.
    // @return number of configurations
    int32_t (*fill)(const wkBatch* batch, const wkMotionRequest* request, wkBatchScratch* scratch,
                    wkMotionSlot* slot);

    // Reads their verdicts.
    // @return false when nothing more needs to be checked: `finish` reports the result
    bool (*learn)(const wkMotionRequest* request, const wkBatchScratch* scratch,
                  wkMotionSlot* slot);

    wkBatchMotionResult (*finish)(const wkMotionSlot* slot);
} wkMotionRule;

extern const wkMotionRule wkStepRule;
extern const wkMotionRule wkCertifyRule;

// Writes the configuration at a time into a row of the block.
static inline void wkFillRow(const wkBatch* batch, const wkBatchScratch* scratch,
                             const wkMotionSlot* slot, int32_t row, double time)
{
    double* q = scratch->rows + (int64_t)row * batch->robot->info.variableCount;
    wkRobot_Interpolate(batch->robot, slot->from, slot->to, time, q);
}
