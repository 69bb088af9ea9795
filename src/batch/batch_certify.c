// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Certified motions. A span of time is looked at in its middle, with balls that are grown by how far
// they can move up to its ends: what touches nothing then is proven free for all of the span. Others
// are halved, until a ball is found touching, or hardly moves any more and is still too near.

#include "batch/batch_motion.h"

#include "math/angle.h"
#include "math/round.h"
#include "robot/motion_rates.h"

#include <string.h>

// Spans that are not halved any more, whatever the tolerance says.
#define LEAST_HALF 0x1p-30
// Uncertain spans after which a contact is not looked for any more: along a surface that the robot
// grazes there is no end to them.
#define MOST_UNCERTAIN 64
// The widest spans come first, as long as there are no more than so many.
#define WIDE_COUNT 64
// Room for those that halving one span after the other leaves behind.
#define SPARE_COUNT 36
// Spans to start with: about so many radians or metres of joints each.
#define FIRST_SPAN 0.3
#define MOST_FIRST_SPANS 16
// Longer motions, in radians or metres of a joint, are not looked at: squares of floats have an end.
#define MOST_WAY 1e12

// What moves at all has a rate above this, and no span makes it so small that digits get lost.
#define LEAST_RATE 1e-20f
// More than rounding a rate takes from it.
#define RATE_SHARE 1.0000005f

// Changes of the variable that turns a joint have a sign.
static double turnOf(const wkRobot* robot, const wkMotionSlot* slot, const wkMover* mover)
{
    bool isPlanar = mover->type == wk_jointPlanar;
    int32_t variable = mover->variable + (isPlanar ? 2 : 0);
    double change = slot->to[variable] - slot->from[variable];
    bool isTurn = robot->variables[variable].kind == wk_variableTurn;
    change = isTurn ? wkShortestTurn(change) : change;
    return change * (isPlanar ? 1.0 : mover->factor);
}

// Without a branch: nothing is known about the digits of a rate.
static float roundRate(double rate)
{
    float isMoving = rate > 0.0 ? 1.0f : 0.0f;
    return (float)rate * RATE_SHARE + isMoving * LEAST_RATE;
}

// @return the largest one
static float setRates(const wkRobot* robot, wkMotionSlot* slot)
{
    const double *turns = slot->rates, *slides = slot->rates + robot->moverCount;
    float largest = 0.0f;
    wkSetMoverRates(robot, slot->from, slot->to, slot->rates, slot->rates + robot->moverCount);
    slot->turns[0] = slot->slides[0] = 0.0f;
    for (int32_t i = 1; i < robot->moverCount; ++i) {
        const wkMover* mover = &robot->movers[i];
        float turn = roundRate(turns[i]), slide = roundRate(slides[i]);
        bool hasSign = mover->type != wk_jointFloating;
        slot->turns[i] = hasSign ? copysignf(turn, (float)turnOf(robot, slot, mover)) : turn;
        slot->slides[i] = slide;
        largest = turn > largest ? turn : largest;
        largest = slide > largest ? slide : largest;
    }
    return largest;
}

static bool beginSpans(const wkBatch* batch, const wkBatchMotion* motion, wkMotionSlot* slot,
                       wkBatchMotionResult* result)
{
    double way = (double)setRates(batch->robot, slot);
    if (!(way <= MOST_WAY)) {
        wkBatchMotionResult tooLong = {wk_verdictUncertain, 0.0f, -1, 0};
        *result = tooLong;
        return false;
    }
    int32_t count = 1;
    while (count < MOST_FIRST_SPANS && (double)count * FIRST_SPAN < way) {
        count *= 2;
    }
    slot->uncertainCount = 0;
    slot->spanCount = 0;
    double half = 0.5 / count;
    slot->firstHalf = half;
    for (int32_t i = 0; i < count; ++i) {
        // the earliest ones are taken first from the back, where the first contact is wanted
        int32_t place = motion->wantsFirst ? count - 1 - i : i;
        wkSpan span = {(2 * place + 1) * half, half, WK_ALL_SPAN_BITS, WK_ALL_SPAN_BITS};
        slot->spans[slot->spanCount++] = span;
    }
    return true;
}

// Spans for this round: the widest ones, or the earliest.
static int32_t takeSpans(const wkBatchMotion* motion, wkMotionSlot* slot)
{
    int32_t room = WK_SPAN_CAPACITY - SPARE_COUNT - slot->spanCount;
    int32_t most = room > 1 ? room : 1;
    most = most < WK_MOTION_ROWS ? most : WK_MOTION_ROWS;
    int32_t count = slot->spanCount < most ? slot->spanCount : most;
    slot->spanCount -= count;
    if (motion->wantsFirst || slot->spanCount + count > WIDE_COUNT) {
        for (int32_t i = 0; i < count; ++i) {
            slot->taken[i] = slot->spans[slot->spanCount + count - 1 - i];
        }
    } else {
        memcpy(slot->taken, slot->spans, (size_t)count * sizeof *slot->spans);
        memmove(slot->spans, slot->spans + count, (size_t)slot->spanCount * sizeof *slot->spans);
    }
    return count;
}

static void scaleHalves(const float* restrict halves, float rate, float* restrict scaled)
{
    for (int32_t i = 0; i < WK_MOTION_ROWS; ++i) {
        scaled[i] = rate * halves[i];
    }
}

// What movers do in the spans of a slot, for all of its rows: those that it does not need now are
// filled in by the next slots. Halves are powers of two, so that nothing is rounded.
static void fillRates(const wkBatch* batch, const wkBatchRoom* room, const wkMotionSlot* slot)
{
    float halves[WK_MOTION_ROWS];
    for (int32_t i = 0; i < WK_MOTION_ROWS; ++i) {
        halves[i] = (float)slot->taken[i].half;
    }
    for (int32_t k = 0; k < batch->robot->moverCount; ++k) {
        ptrdiff_t at = (ptrdiff_t)k * WK_BATCH_BLOCK + slot->first;
        scaleHalves(halves, slot->turns[k], room->turns + at);
        scaleHalves(halves, slot->slides[k], room->slides + at);
    }
}

static int32_t fillSpans(const wkBatch* batch, const wkBatchMotion* motion, wkBatchRoom* room,
                         wkMotionSlot* slot)
{
    int32_t count = takeSpans(motion, slot);
    for (int32_t i = 0; i < count; ++i) {
        int32_t row = slot->first + i;
        const wkSpan* span = &slot->taken[i];
        wkFillRow(batch, room, slot, row, span->middle);
        room->wanted->parts[row] = span->parts;
        room->wanted->pairs[row] = span->pairs;
    }
    fillRates(batch, room, slot);
    slot->checkCount += count;
    return count;
}

// A contact: nothing behind it counts any more, where the first one is wanted.
static void keepContact(wkMotionSlot* slot, wkVerdict verdict, double time)
{
    if (slot->verdict == wk_verdictFree || slot->verdict == wk_verdictUncertain ||
        time < slot->time) {
        slot->verdict = (uint8_t)verdict;
        slot->time = time;
    }
    int32_t kept = 0;
    for (int32_t i = 0; i < slot->spanCount; ++i) {
        slot->spans[kept] = slot->spans[i];
        kept += slot->spans[i].middle - slot->spans[i].half < time;
    }
    slot->spanCount = kept;
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

// A piece of a span.
static void push(wkMotionSlot* slot, const wkSpan* whole, double middle, double half)
{
    wkSpan span = {middle, half, whole->parts, whole->pairs};
    slot->spans[slot->spanCount++] = span;
}

// The halves of a span. No middle ever meets the ends of the motion: they are looked at where the first
// or the last span is not proven.
static void pushHalves(wkMotionSlot* slot, wkSpan span, bool wantsFirst)
{
    double half = 0.5 * span.half;
    bool isFirst = span.half == slot->firstHalf && span.middle == span.half;
    bool isLast = span.half == slot->firstHalf && span.middle + span.half == 1.0;
    if (isLast) {
        push(slot, &span, 1.0, 0.0);
    }
    push(slot, &span, wantsFirst ? span.middle + half : span.middle - half, half);
    push(slot, &span, wantsFirst ? span.middle - half : span.middle + half, half);
    if (isFirst) {
        push(slot, &span, 0.0, 0.0);
    }
}

static void learnSpan(const wkBatchMotion* motion, wkMotionSlot* slot, wkSpan span,
                      wkVerdict verdict, double open)
{
    bool isTouching = verdict != wk_verdictFree;
    if (hasContact(slot) && span.middle - span.half >= slot->time) {
        return;
    }
    if (isTouching && !motion->wantsFirst) {
        slot->verdict = (uint8_t)verdict;
        slot->time = span.middle;
        return;
    }
    if (isTouching) {
        keepContact(slot, verdict, span.middle);
    } else if (open == 0.0) {
        return;
    }
    if (span.half <= LEAST_HALF || (!isTouching && open <= motion->tolerance)) {
        if (!isTouching) {
            keepUncertain(slot, span.middle - span.half);
        }
        return;
    }
    pushHalves(slot, span, motion->wantsFirst);
    // behind a contact nothing is looked for
    if (isTouching) {
        keepContact(slot, verdict, span.middle);
    }
}

static bool learnSpans(const wkBatchMotion* motion, const wkBatchRoom* room, wkMotionSlot* slot)
{
    // the earliest ones come last, and lie at the back
    for (int32_t i = 0; i < slot->rowCount; ++i) {
        int32_t at = motion->wantsFirst ? slot->rowCount - 1 - i : i;
        int32_t row = slot->first + at;
        wkVerdict verdict = (wkVerdict)room->verdicts[row];
        wkSpan span = slot->taken[at];
        // nothing more is looked at where something touches
        if (verdict == wk_verdictFree) {
            span.parts = room->unproven->parts[row];
            span.pairs = room->unproven->pairs[row];
        }
        learnSpan(motion, slot, span, verdict, (double)room->open[row]);
        if (!motion->wantsFirst && hasContact(slot)) {
            return false;
        }
    }
    return slot->spanCount > 0 && slot->uncertainCount < MOST_UNCERTAIN;
}

static wkBatchMotionResult finishSpans(const wkMotionSlot* slot)
{
    wkBatchMotionResult result = {slot->verdict, (float)slot->time, -1, slot->checkCount};
    return result;
}

const wkMotionRule wkCertifyRule = {beginSpans, fillSpans, learnSpans, finishSpans};
