// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Certified motions. An interval of time is checked in its middle, with spheres that are grown by how far
// they can move up to its ends: without a contact the whole interval is proven free. Other intervals
// are halved, until a sphere is found touching, or is still too near when it hardly moves any more.

#include "batch/batch_motion.h"

#include "math/angle.h"
#include "math/round.h"
#include "robot/motion_rates.h"

#include <string.h>

// Intervals up to this half length are not halved, whatever the tolerance is.
#define LEAST_HALF 0x1p-30
// Number of uncertain intervals after which the search for a contact ends: along a surface that the robot
// grazes there is no end to them.
#define MOST_UNCERTAIN 64
// The widest intervals come first, up to this number of intervals.
#define WIDE_COUNT 64
// Capacity for the intervals that halving one interval after the other leaves behind.
#define SPARE_COUNT 36
// Length of the initial intervals, in radians or metres of a joint.
#define FIRST_INTERVAL 0.3
#define MOST_FIRST_INTERVALS 16
// Longer motions, in radians or metres of a joint, are not checked: squares of floats could overflow.
#define MOST_WAY 1e12

// Minimum rate of anything that moves; scaled to any interval it stays a normal float.
#define LEAST_RATE 1e-20f
// More than the rounding of a rate.
#define RATE_SHARE 1.0000005f

// Returns the rotation of a joint, with the sign of the change of its variable.
static double rotationOf(const wkRobot* robot, const wkMotionSlot* slot,
                         const wkRigidGroup* rigidGroup)
{
    bool isPlanar = rigidGroup->type == wk_jointPlanar;
    int32_t variable = rigidGroup->variable + (isPlanar ? 2 : 0);
    double change = slot->to[variable] - slot->from[variable];
    bool isRevolute = robot->variables[variable].kind == wk_variableContinuous;
    change = isRevolute ? wkShortestAngle(change) : change;
    return change * (isPlanar ? 1.0 : rigidGroup->factor);
}

// Rounds a rate up, without a branch: its last digits are unpredictable.
static float roundRate(double rate)
{
    float isMoving = rate > 0.0 ? 1.0f : 0.0f;
    return (float)rate * RATE_SHARE + isMoving * LEAST_RATE;
}

// @return the largest rate
static float setRates(const wkRobot* robot, wkMotionSlot* slot)
{
    const double *rotations = slot->rates, *translations = slot->rates + robot->rigidGroupCount;
    float largest = 0.0f;
    wkSetRigidGroupRates(robot, slot->from, slot->to, slot->rates,
                         slot->rates + robot->rigidGroupCount);
    slot->rotations[0] = slot->translations[0] = 0.0f;
    for (int32_t i = 1; i < robot->rigidGroupCount; ++i) {
        const wkRigidGroup* rigidGroup = &robot->rigidGroups[i];
        float rotation = roundRate(rotations[i]), translation = roundRate(translations[i]);
        bool hasSign = rigidGroup->type != wk_jointFloating;
        slot->rotations[i] =
            hasSign ? copysignf(rotation, (float)rotationOf(robot, slot, rigidGroup)) : rotation;
        slot->translations[i] = translation;
        largest = rotation > largest ? rotation : largest;
        largest = translation > largest ? translation : largest;
    }
    return largest;
}

static bool beginIntervals(const wkBatch* batch, const wkMotionRequest* request, wkMotionSlot* slot,
                           wkBatchMotionResult* result)
{
    double way = (double)setRates(batch->robot, slot);
    if (!(way <= MOST_WAY)) {
        wkBatchMotionResult tooLong = {wk_verdictUncertain, 0.0f, -1, 0};
        *result = tooLong;
        return false;
    }
    int32_t count = 1;
    while (count < MOST_FIRST_INTERVALS && (double)count * FIRST_INTERVAL < way) {
        count *= 2;
    }
    slot->uncertainCount = 0;
    slot->intervalCount = 0;
    double half = 0.5 / count;
    slot->firstHalf = half;
    for (int32_t i = 0; i < count; ++i) {
        // intervals are taken from the back: the earliest go there where the first contact is wanted
        int32_t index = request->wantsFirst ? count - 1 - i : i;
        wkMotionInterval interval = {(2 * index + 1) * half, half, WK_ALL_INTERVAL_BITS,
                                     WK_ALL_INTERVAL_BITS};
        slot->intervals[slot->intervalCount++] = interval;
    }
    return true;
}

// Takes the intervals of this round: the widest ones, or the earliest.
static int32_t takeIntervals(const wkMotionRequest* request, wkMotionSlot* slot)
{
    int32_t scratch = WK_INTERVAL_CAPACITY - SPARE_COUNT - slot->intervalCount;
    int32_t most = scratch > 1 ? scratch : 1;
    most = most < WK_MOTION_ROWS ? most : WK_MOTION_ROWS;
    int32_t count = slot->intervalCount < most ? slot->intervalCount : most;
    slot->intervalCount -= count;
    if (request->wantsFirst || slot->intervalCount + count > WIDE_COUNT) {
        for (int32_t i = 0; i < count; ++i) {
            slot->taken[i] = slot->intervals[slot->intervalCount + count - 1 - i];
        }
    } else {
        memcpy(slot->taken, slot->intervals, (size_t)count * sizeof *slot->intervals);
        memmove(slot->intervals, slot->intervals + count,
                (size_t)slot->intervalCount * sizeof *slot->intervals);
    }
    return count;
}

static void scaleHalves(const float* restrict halves, float rate, float* restrict scaled)
{
    for (int32_t i = 0; i < WK_MOTION_ROWS; ++i) {
        scaled[i] = rate * halves[i];
    }
}

// Fills the motions of rigid groups in the intervals of a slot, for all of its rows; the next slots overwrite
// rows that are not in use. Half lengths are powers of two, so that nothing is rounded.
static void fillRates(const wkBatch* batch, const wkBatchScratch* scratch, const wkMotionSlot* slot)
{
    float halves[WK_MOTION_ROWS];
    for (int32_t i = 0; i < WK_MOTION_ROWS; ++i) {
        halves[i] = (float)slot->taken[i].half;
    }
    for (int32_t k = 0; k < batch->robot->rigidGroupCount; ++k) {
        ptrdiff_t at = (ptrdiff_t)k * WK_BATCH_BLOCK + slot->first;
        scaleHalves(halves, slot->rotations[k], scratch->rotations + at);
        scaleHalves(halves, slot->translations[k], scratch->translations + at);
    }
}

static int32_t fillIntervals(const wkBatch* batch, const wkMotionRequest* request,
                             wkBatchScratch* scratch, wkMotionSlot* slot)
{
    int32_t count = takeIntervals(request, slot);
    for (int32_t i = 0; i < count; ++i) {
        int32_t row = slot->first + i;
        const wkMotionInterval* interval = &slot->taken[i];
        wkFillRow(batch, scratch, slot, row, interval->middle);
        scratch->wanted->parts[row] = interval->parts;
        scratch->wanted->pairs[row] = interval->pairs;
    }
    fillRates(batch, scratch, slot);
    slot->checkCount += count;
    return count;
}

// Records a contact. Where the first one is wanted, intervals behind it are dropped.
static void keepContact(wkMotionSlot* slot, wkVerdict verdict, double time)
{
    if (slot->verdict == wk_verdictFree || slot->verdict == wk_verdictUncertain ||
        time < slot->time) {
        slot->verdict = (uint8_t)verdict;
        slot->time = time;
    }
    int32_t kept = 0;
    for (int32_t i = 0; i < slot->intervalCount; ++i) {
        slot->intervals[kept] = slot->intervals[i];
        kept += slot->intervals[i].middle - slot->intervals[i].half < time;
    }
    slot->intervalCount = kept;
}

static bool hasContact(const wkMotionSlot* slot)
{
    return slot->verdict != wk_verdictFree && slot->verdict != wk_verdictUncertain;
}

static void keepUncertain(wkMotionSlot* slot, double time)
{
    ++slot->uncertainCount;
    if (slot->verdict == wk_verdictFree || (!hasContact(slot) && time < slot->time)) {
        slot->verdict = wk_verdictUncertain;
        slot->time = time;
    }
}

// Adds a part of an interval.
static void push(wkMotionSlot* slot, const wkMotionInterval* whole, double middle, double half)
{
    wkMotionInterval interval = {middle, half, whole->parts, whole->pairs};
    slot->intervals[slot->intervalCount++] = interval;
}

// Adds the halves of an interval. No middle is ever at an end of the motion: ends are checked separately
// where the first or the last interval is not proven.
static void pushHalves(wkMotionSlot* slot, wkMotionInterval interval, bool wantsFirst)
{
    double half = 0.5 * interval.half;
    bool isFirst = interval.half == slot->firstHalf && interval.middle == interval.half;
    bool isLast = interval.half == slot->firstHalf && interval.middle + interval.half == 1.0;
    if (isLast) {
        push(slot, &interval, 1.0, 0.0);
    }
    push(slot, &interval, wantsFirst ? interval.middle + half : interval.middle - half, half);
    push(slot, &interval, wantsFirst ? interval.middle - half : interval.middle + half, half);
    if (isFirst) {
        push(slot, &interval, 0.0, 0.0);
    }
}

static void learnInterval(const wkMotionRequest* request, wkMotionSlot* slot,
                          wkMotionInterval interval, wkVerdict verdict, double open)
{
    bool isTouching = verdict != wk_verdictFree;
    if (hasContact(slot) && interval.middle - interval.half >= slot->time) {
        return;
    }
    if (isTouching && !request->wantsFirst) {
        slot->verdict = (uint8_t)verdict;
        slot->time = interval.middle;
        return;
    }
    if (isTouching) {
        keepContact(slot, verdict, interval.middle);
    } else if (open == 0.0) {
        return;
    }
    if (interval.half <= LEAST_HALF || (!isTouching && open <= request->tolerance)) {
        if (!isTouching) {
            keepUncertain(slot, interval.middle - interval.half);
        }
        return;
    }
    pushHalves(slot, interval, request->wantsFirst);
    // intervals behind a contact are not checked
    if (isTouching) {
        keepContact(slot, verdict, interval.middle);
    }
}

static bool learnIntervals(const wkMotionRequest* request, const wkBatchScratch* scratch,
                           wkMotionSlot* slot)
{
    // the earliest intervals come last, at the back of the stack
    for (int32_t i = 0; i < slot->rowCount; ++i) {
        int32_t at = request->wantsFirst ? slot->rowCount - 1 - i : i;
        int32_t row = slot->first + at;
        wkVerdict verdict = (wkVerdict)scratch->verdicts[row];
        wkMotionInterval interval = slot->taken[at];
        // items are not recorded for rows that touch
        if (verdict == wk_verdictFree) {
            interval.parts = scratch->unproven->parts[row];
            interval.pairs = scratch->unproven->pairs[row];
        }
        learnInterval(request, slot, interval, verdict, (double)scratch->open[row]);
        if (!request->wantsFirst && hasContact(slot)) {
            return false;
        }
    }
    return slot->intervalCount > 0 && slot->uncertainCount < MOST_UNCERTAIN;
}

static wkBatchMotionResult finishIntervals(const wkMotionSlot* slot)
{
    wkBatchMotionResult result = {slot->verdict, (float)slot->time, -1, slot->checkCount};
    return result;
}

const wkMotionRule wkCertifyRule = {beginIntervals, fillIntervals, learnIntervals, finishIntervals};
