// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Checks a motion at discrete steps only: the end first, then from coarse to fine, as a contact is likely to
// last for more than a step. For the first contact, one step after the other.

#include "robot/motion.h"

// Maximum number of steps.
#define MOST_STEPS ((int64_t)1 << 40)

typedef struct stepRun {
    wkMotion* motion;
    const wkMotionRequest* request;
    int64_t stepCount;
    wkMotionResult result;
} stepRun;

static double timeOf(const stepRun* run, int64_t step)
{
    return step < run->stepCount ? (double)step / (double)run->stepCount : 1.0;
}

// @return false when the search has ended
static bool checkStep(stepRun* run, int64_t step)
{
    wkMotionResult* result = &run->result;
    if (result->checkCount >= run->request->maxCheckCount) {
        result->verdict = wk_verdictUncertain;
        return false;
    }
    result->time = timeOf(run, step);
    ++result->checkCount;
    result->contact = wkCheckAt(run->motion, run->request, result->time);
    result->verdict = result->contact.verdict;
    return result->verdict == wk_verdictFree;
}

static void goInOrder(stepRun* run)
{
    for (int64_t i = 0; i <= run->stepCount && checkStep(run, i); ++i) {
        run->result.freeUntil = timeOf(run, i);
    }
}

// Returns the number with its lowest bits in reverse order.
static int64_t reversed(int64_t number, int bitCount)
{
    int64_t result = 0;
    for (int i = 0; i < bitCount; ++i) {
        result = result << 1 | (number >> i & 1);
    }
    return result;
}

static void goFromCoarseToFine(stepRun* run)
{
    int bitCount = 0;
    while ((int64_t)1 << bitCount < run->stepCount) {
        ++bitCount;
    }
    if (!checkStep(run, run->stepCount)) {
        return;
    }
    for (int64_t i = 0; i < (int64_t)1 << bitCount; ++i) {
        int64_t step = reversed(i, bitCount);
        if (step < run->stepCount && !checkStep(run, step)) {
            return;
        }
    }
    run->result.time = 1.0;
    run->result.freeUntil = 1.0;
}

wkMotionResult wkStepMotion(wkMotion* motion, const wkMotionRequest* request)
{
    double steps = ceil(motion->path->length(motion) / request->step);
    stepRun run = {motion, request, 1, wkEmptyMotionResult(wk_verdictFree)};
    if (!(steps <= (double)MOST_STEPS)) {
        run.stepCount = MOST_STEPS;
    } else if (steps > 1.0) {
        run.stepCount = (int64_t)steps;
    }
    if (request->wantsFirst) {
        goInOrder(&run);
    } else {
        goFromCoarseToFine(&run);
    }
    return run.result;
}
