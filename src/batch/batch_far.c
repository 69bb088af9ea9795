// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Configurations that lanes are not made for, such as those with the robot far away: one after the
// other, in double. What the robot holds is looked at with its shapes.

#include "batch/batch_lanes.h"
#include "scene/extent.h"

#include <math.h>

typedef struct farLook {
    const wkBatch* batch;
    wkBatchRoom* room;
    const wkLook* look;
    int32_t row;
    double open; // what a ball moves by that is near enough to touch something; 0: none is
} farLook;

// How far a ball goes for the joints from its mover up to `end`, which is left out.
static double growthOf(const farLook* far, int32_t part, int32_t end, const wkBall* ball)
{
    const wkRobot* robot = far->batch->robot;
    double sum = 0.0;
    int32_t mover = far->batch->program->parts[part].mover;
    for (; mover > end && far->look->turns != NULL; mover = robot->movers[mover].parent) {
        double arm = wkLength(wkSub(ball->center, far->room->movers[mover].position));
        size_t at = (size_t)mover * WK_BATCH_BLOCK + (size_t)far->row;
        sum += fabs((double)far->look->turns[at]) * (arm + ball->radius) +
               (double)far->look->slides[at];
    }
    return sum;
}

// Whether a distance is one of touching.
static bool judge(farLook* far, double distance, double growth)
{
    if (distance > 0.0 && distance <= growth) {
        far->open = wkMaxD(far->open, growth);
    }
    return !(distance > 0.0);
}

// Balls of a part, as they are placed; none for what is held.
typedef struct farBalls {
    int32_t first, end;
} farBalls;

static farBalls ballsOf(const farLook* far, int32_t part)
{
    const wkProgram* program = far->batch->program;
    const wkPart* p = &program->parts[part];
    farBalls balls = {p->firstBall, p->firstBall + p->ballCount};
    balls.end = p->side < far->batch->robot->info.linkCount ? balls.end : balls.first;
    return balls;
}

// Whether balls of a pair of parts touch.
static bool touchBalls(farLook* far, int32_t number)
{
    wkPartPair pair = far->batch->program->pairs[number];
    farBalls a = ballsOf(far, pair.a), b = ballsOf(far, pair.b);
    int32_t top = far->batch->pairTops[number];
    for (int32_t k = a.first; k < a.end; ++k) {
        const wkBall* ball = &far->room->balls[k];
        double growth = growthOf(far, pair.a, top, ball);
        for (int32_t n = b.first; n < b.end; ++n) {
            const wkBall* other = &far->room->balls[n];
            double gap = wkLength(wkSub(ball->center, other->center)) - ball->radius -
                         other->radius - far->batch->def.margin;
            if (judge(far, gap, growth + growthOf(far, pair.b, top, other))) {
                return true;
            }
        }
    }
    return false;
}

// Where balls touch and bodies decide, spans are not proven.
static bool touchesSelf(farLook* far, const double* q)
{
    const wkBatch* batch = far->batch;
    for (int32_t i = 0; i < batch->program->pairCount; ++i) {
        if (!touchBalls(far, i)) {
            continue;
        }
        if (!wkAsksBodies(batch, i) ||
            !wkAreBodiesApart(batch, far->room, i, q, batch->def.margin)) {
            return true;
        }
        far->open = far->look->turns != NULL ? INFINITY : 0.0;
    }
    return false;
}

// What one object says to a ball.
static wkVerdict lookAtPlace(farLook* far, int32_t part, const wkBall* ball, int32_t place)
{
    const wkRobotScene* scene = far->batch->def.scene;
    const wkObjectTable* table = &scene->world->table;
    int32_t side = far->batch->program->parts[part].side;
    if (table->slots[place].next != WK_SLOT_IN_USE ||
        wkHasBit(wkAllowedSides(scene, scene->places[place].object), side)) {
        return wk_verdictFree;
    }
    wkShape sphere = wkMakeSphere(wkMaxD(ball->radius, 0.0)), room;
    wkPose at = wkMakePose(ball->center.x, ball->center.y, ball->center.z);
    wkDistanceResult result = wkDistance(&sphere, at, wkWholeShape(&table->shapes[place], &room),
                                         table->bodies[place].pose, NULL);
    double growth = growthOf(far, part, 0, ball);
    bool isTouching = judge(far, result.distance - far->batch->def.margin, growth);
    return !isTouching                         ? wk_verdictFree
           : result.status == wk_statusUnknown ? wk_verdictUnknown
                                               : wk_verdictWorld;
}

static wkVerdict lookAtWorld(farLook* far)
{
    wkVerdict found = wk_verdictFree;
    for (int32_t part = 0; part < far->batch->program->partCount; ++part) {
        farBalls balls = ballsOf(far, part);
        for (int32_t i = balls.first; i < balls.end; ++i) {
            for (int32_t k = 0; k < far->batch->def.scene->world->placeCount; ++k) {
                wkVerdict verdict = lookAtPlace(far, part, &far->room->balls[i], k);
                if (verdict == wk_verdictWorld) {
                    return verdict;
                }
                found = verdict != wk_verdictFree ? verdict : found;
            }
        }
    }
    return found;
}

static wkVerdict lookAtDepth(farLook* far)
{
    const wkBatchDef* def = &far->batch->def;
    wkVerdict found = wk_verdictFree;
    for (int32_t part = 0; part < far->batch->program->partCount; ++part) {
        farBalls balls = ballsOf(far, part);
        for (int32_t i = balls.first; i < balls.end; ++i) {
            wkBall ball = far->room->balls[i];
            double growth = growthOf(far, part, 0, &ball);
            ball.radius += def->margin;
            wkVerdict verdict = wkCheckDepthBall(def, &ball);
            if (verdict == wk_verdictWorld) {
                return verdict;
            }
            found = verdict != wk_verdictFree ? verdict : found;
            far->open = wkMaxD(far->open, growth);
        }
    }
    return found;
}

// What is held, by its shapes. Spans are not proven that way, and cameras do not know it.
static wkVerdict lookAtHeld(farLook* far, const double* q)
{
    const wkBatch* batch = far->batch;
    if (batch->def.scene->holdCount == 0) {
        return wk_verdictFree;
    }
    far->open = far->look->turns != NULL ? INFINITY : 0.0;
    if (wkRobotState_Set(far->room->state, batch->def.base, q) != wk_ok) {
        return wk_verdictInvalid;
    }
    wkVerdict verdict =
        wkRobotScene_Check(batch->def.scene, far->room->state, &batch->request).verdict;
    bool isBlind = verdict == wk_verdictFree && (far->look->bits & wk_lookDepth) != 0;
    return isBlind ? wk_verdictUnknown : verdict;
}

void wkPlaceFar(const wkBatch* batch, wkBatchRoom* room, const double* q)
{
    const wkProgram* program = batch->program;
    const wkSphereModel* model = batch->def.spheres;
    wkPlaceMovers(batch->robot, batch->def.base, q, room->movers);
    for (int32_t i = 0; i < program->ballCount; ++i) {
        if (program->numbers[i] >= program->modelBallCount) {
            continue;
        }
        const wkLinkBall* ball = &model->balls[program->numbers[i]];
        const wkRobotLink* link = &batch->robot->links[ball->link];
        wkPose placed = wkMulUnitPose(&room->movers[link->mover], &link->pose);
        room->balls[i].center = wkTransformPoint(placed, ball->ball.center);
        room->balls[i].radius = (double)program->radius[i];
    }
}

// Whether everything that lanes look at is further away than `limit`.
static bool isFarther(const wkBatch* batch, wkBatchRoom* room, const wkLook* look, const double* q,
                      double limit)
{
    wkBatch grown = *batch;
    grown.def.exactness = wk_exactnessSpheres; // clearances are those of balls
    grown.def.margin += limit;
    grown.request.margin += limit;
    wkLookFar(&grown, room, look, 0, q);
    return look->verdicts[0] == wk_verdictFree;
}

// By halves, as nothing but verdicts are at hand.
double wkFarClearance(const wkBatch* batch, wkBatchRoom* room, const double* q, double cutoff)
{
    uint8_t verdict = wk_verdictFree;
    wkLook look = {.rows = q, .count = 1, .bits = wkBatchBits(batch), .verdicts = &verdict};
    double free = 0.0, touching = wkMinD(cutoff, WK_FARTHEST_CLEARANCE);
    if (!isFarther(batch, room, &look, q, 0.0)) {
        return 0.0;
    }
    if (isFarther(batch, room, &look, q, touching)) {
        return cutoff;
    }
    while (touching - free > WK_VERDICT_STEP * (1.0 + free)) {
        double middle = 0.5 * (free + touching);
        bool isFree = isFarther(batch, room, &look, q, middle);
        free = isFree ? middle : free;
        touching = isFree ? touching : middle;
    }
    return free;
}

void wkLookFar(const wkBatch* batch, wkBatchRoom* room, const wkLook* look, int32_t row,
               const double* q)
{
    farLook far = {batch, room, look, row, 0.0};
    wkPlaceFar(batch, room, q);
    wkVerdict verdict = wk_verdictFree;
    if ((look->bits & wk_lookSelf) != 0 && touchesSelf(&far, q)) {
        verdict = wk_verdictSelf;
    }
    if (verdict == wk_verdictFree && (look->bits & wk_lookWorld) != 0) {
        verdict = lookAtWorld(&far);
    }
    bool goesOn = verdict == wk_verdictFree || verdict == wk_verdictUnknown;
    if (goesOn && (look->bits & wk_lookDepth) != 0) {
        wkVerdict seen = lookAtDepth(&far);
        verdict = seen != wk_verdictFree ? seen : verdict;
    }
    if (verdict == wk_verdictFree) {
        verdict = lookAtHeld(&far, q);
    }
    look->verdicts[row] = (uint8_t)verdict;
    if (look->open != NULL) {
        look->open[row] = (float)far.open;
        look->unproven->parts[row] = look->unproven->pairs[row] = WK_ALL_SPAN_BITS;
    }
}
