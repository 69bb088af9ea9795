// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Checks motions at discrete steps only: the end first, then from coarse to fine, as a contact
// is likely to last for more than a step.

#include "batch/batch_motion.h"

#include <math.h>

// Longer motions are not checked.
#define MOST_STEPS (1 << 24)

static bool beginSteps(const wkBatch* batch, const wkMotionRequest* request, wkMotionSlot* slot,
                       wkBatchMotionResult* result)
{
    double way = wkRobot_ConfigurationDistance(batch->robot, slot->from, slot->to);
    double steps = ceil(way / request->step);
    if (!(steps <= MOST_STEPS)) {
        wkBatchMotionResult tooLong = {wk_verdictUncertain, 0.0f, -1, MOST_STEPS};
        *result = tooLong;
        return false;
    }
    slot->stepCount = steps > 1.0 ? (int32_t)steps + 1 : 2;
    slot->next = -1;
    slot->hit = -1;
    slot->bitCount = 0;
    while (1 << slot->bitCount < slot->stepCount - 1) {
        ++slot->bitCount;
    }
    return true;
}

// Returns the number with its lowest bits in reverse order.
static int32_t reversed(int32_t number, int32_t bitCount)
{
    int32_t result = 0;
    for (int32_t i = 0; i < bitCount; ++i) {
        result = result << 1 | (number >> i & 1);
    }
    return result;
}

// Returns the end of the steps that can change the result.
static int32_t endOfSteps(const wkMotionSlot* slot)
{
    return slot->hit >= 0 ? slot->hit : slot->stepCount;
}

static int32_t fillSteps(const wkBatch* batch, const wkMotionRequest* request,
                         wkBatchScratch* scratch, wkMotionSlot* slot)
{
    (void)request;
    int32_t last = slot->stepCount - 1, count = 0;
    while (count < WK_MOTION_ROWS && slot->next < 1 << slot->bitCount) {
        int32_t step = slot->next < 0 ? last : reversed(slot->next, slot->bitCount);
        bool isNew = slot->next < 0 || step < last;
        ++slot->next;
        if (isNew && step < endOfSteps(slot)) {
            double time = step < last ? (double)step / (double)last : 1.0;
            wkFillRow(batch, scratch, slot, slot->first + count, time);
            slot->steps[count++] = step;
        }
    }
    slot->checkCount += count;
    return count;
}

static bool learnSteps(const wkMotionRequest* request, const wkBatchScratch* scratch,
                       wkMotionSlot* slot)
{
    for (int32_t i = 0; i < slot->rowCount; ++i) {
        uint8_t verdict = scratch->verdicts[slot->first + i];
        if (verdict == wk_verdictFree || slot->steps[i] >= endOfSteps(slot)) {
            continue;
        }
        slot->hit = slot->steps[i];
        slot->verdict = verdict;
        if (!request->wantsFirst) {
            return false;
        }
    }
    return slot->next < 1 << slot->bitCount;
}

static wkBatchMotionResult finishSteps(const wkMotionSlot* slot)
{
    double time = slot->hit >= 0 ? (double)slot->hit / (double)(slot->stepCount - 1) : 1.0;
    wkBatchMotionResult result = {slot->verdict, (float)time, slot->hit, slot->stepCount};
    return result;
}

const wkMotionRule wkStepRule = {beginSteps, fillSteps, learnSteps, finishSteps};
