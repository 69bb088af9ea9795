// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The two ways to look at the motions of a batch, as rules for a loop that they share.

#include "batch/batch_impl.h"

typedef struct wkMotionRule {
    // Takes up a motion whose ends are known to be good. False: the result is known at once.
    bool (*begin)(const wkBatch* batch, const wkBatchMotion* motion, wkMotionSlot* slot,
                  wkBatchMotionResult* result);

    // The next configurations to look at, into rows of the block from `slot->first` on.
    // @return number of them
    int32_t (*fill)(const wkBatch* batch, const wkBatchMotion* motion, wkBatchScratch* scratch,
                    wkMotionSlot* slot);

    // Learns what was found about them.
    // @return false when nothing more needs to be looked at: `finish` tells what was found
    bool (*learn)(const wkBatchMotion* motion, const wkBatchScratch* scratch, wkMotionSlot* slot);

    wkBatchMotionResult (*finish)(const wkMotionSlot* slot);
} wkMotionRule;

extern const wkMotionRule wkStepRule;
extern const wkMotionRule wkCertifyRule;

// The configuration at a time, into a row of the block.
static inline void wkFillRow(const wkBatch* batch, const wkBatchScratch* scratch,
                             const wkMotionSlot* slot, int32_t row, double time)
{
    double* q = scratch->rows + (int64_t)row * batch->robot->info.variableCount;
    wkRobot_Interpolate(batch->robot, slot->from, slot->to, time, q);
}
