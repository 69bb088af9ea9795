// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Balls that can touch within limits, taken down for every pair of parts, with balls around them.

#include "batch/contacts.h"

#include "base/error.h"
#include "base/memory.h"
#include "batch/contact_search.h"
#include "math/round.h"
#include "robot/sphere_model.h"

#include <string.h>

// What doubles are off by.
#define AROUND_SLACK 1e-9
// Balls around those that can touch are worth a look of their own when they are smaller than this share
// of the balls around parts.
#define TIGHT_SHARE 0.9f

// Room for more in an array that grows.
static bool grow(void** array, int32_t* capacity, int32_t count, int32_t more, size_t size)
{
    if (count + more <= *capacity) {
        return true;
    }
    int32_t larger = 2 * (count + more);
    void* moved = wkAlloc((size_t)larger * size);
    if (moved == NULL) {
        return false;
    }
    if (count > 0) {
        memcpy(moved, *array, (size_t)count * size);
    }
    wkFree(*array, (size_t)*capacity * size);
    *array = moved;
    *capacity = larger;
    return true;
}

// Takes down what a search has found.
// @return false: no memory
static bool keep(const wkContactSearch* s, wkContacts* contacts, wkPairContacts* pair)
{
    int32_t countA = s->a.part->ballCount, countB = s->b.part->ballCount;
    if (!grow((void**)&contacts->groups, &contacts->groupCapacity, contacts->groupCount, countB,
              sizeof *contacts->groups) ||
        !grow((void**)&contacts->balls, &contacts->ballCapacity, contacts->ballCount,
              countA * countB, sizeof *contacts->balls)) {
        return false;
    }
    pair->firstGroup = contacts->groupCount;
    for (int32_t k = 0; k < countB; k++) {
        wkContactGroup group = {s->b.part->firstBall + k, contacts->ballCount, 0};
        for (int32_t i = 0; i < countA; i++) {
            if (s->canTouch[i * countB + k] != 0) {
                contacts->balls[contacts->ballCount++] = s->a.part->firstBall + i;
                ++group.count;
            }
        }
        if (group.count > 0) {
            contacts->groups[contacts->groupCount++] = group;
        }
    }
    pair->groupCount = contacts->groupCount - pair->firstGroup;
    return true;
}

// A ball around some of those of a part. It is placed in lanes as they are, and off by no more than the
// one that can be off most.
static wkContactBall ballAround(const wkContactSearch* s, const wkPart* part, wkBall* balls,
                                int32_t count)
{
    const wkProgram* program = s->program;
    wkBall around = wkBallAround(balls, count);
    double radius = 0.0, slack = 0.0;
    wkContactBall ball = {(float)around.center.x, (float)around.center.y, (float)around.center.z,
                          0.0f};
    wkVec3d center = wkVec((double)ball.x, (double)ball.y, (double)ball.z);
    for (int32_t i = 0; i < count; i++) {
        double far = wkLength(wkSub(balls[i].center, center)) + balls[i].radius;
        radius = wkMaxD(radius, far);
    }
    for (int32_t i = part->firstBall; i < part->firstBall + part->ballCount; i++) {
        slack = wkMaxD(slack, (double)program->radius[i] - program->exact[i].radius);
    }
    ball.radius =
        wkRoundUp(radius + WK_CONTACT_SHARE * (radius + s->margin) + 3.0 * slack + AROUND_SLACK);
    return ball;
}

static wkBall laneBall(const wkProgram* program, int32_t i)
{
    wkBall ball = {wkVec((double)program->x[i], (double)program->y[i], (double)program->z[i]),
                   (double)program->radius[i]};
    return ball;
}

// Balls around those of either part that can touch.
static void setAround(wkContactSearch* s, wkPairContacts* pair)
{
    const wkProgram* program = s->program;
    int32_t countA = s->a.part->ballCount, countB = s->b.part->ballCount;
    int32_t usedA = 0, usedB = 0;
    for (int32_t i = 0; i < countA; i++) {
        bool isUsed = false;
        for (int32_t k = 0; k < countB; k++) {
            isUsed = isUsed || s->canTouch[i * countB + k] != 0;
        }
        if (isUsed) {
            s->a.used[usedA++] = laneBall(program, s->a.part->firstBall + i);
        }
    }
    for (int32_t k = 0; k < countB; k++) {
        bool isUsed = false;
        for (int32_t i = 0; i < countA; i++) {
            isUsed = isUsed || s->canTouch[i * countB + k] != 0;
        }
        if (isUsed) {
            s->b.used[usedB++] = laneBall(program, s->b.part->firstBall + k);
        }
    }
    if (usedA == 0) {
        return;
    }
    pair->around[0] = ballAround(s, s->a.part, s->a.used, usedA);
    pair->around[1] = ballAround(s, s->b.part, s->b.used, usedB);
    pair->isTighter = pair->around[0].radius + pair->around[1].radius <
                      TIGHT_SHARE * (s->a.part->radius + s->b.part->radius);
}

static bool searchAll(wkContactSearch* s, wkContacts* contacts)
{
    for (int32_t i = 0; i < contacts->pairCount; i++) {
        wkPairContacts* pair = &contacts->pairs[i];
        pair->areAll = !wkContactSearch_Run(s, &s->program->pairs[i]);
        if (!pair->areAll && !keep(s, contacts, pair)) {
            return false;
        }
        if (!pair->areAll) {
            setAround(s, pair);
        }
        if (pair->areAll || pair->groupCount > 0) {
            contacts->live[contacts->liveCount++] = i;
        }
    }
    return true;
}

static bool findAll(const wkProgram* program, double margin, wkContacts* contacts)
{
    size_t stateByteCount = (size_t)(program->variableCount + 1) * sizeof(double);
    wkContactRoom* room = (wkContactRoom*)wkAlloc(sizeof *room);
    double* q = (double*)wkAlloc(stateByteCount);
    bool isDone = false;
    if (room != NULL && q != NULL) {
        memset(q, 0, stateByteCount);
        wkContactSearch s = {.program = program, .margin = margin, .q = q};
        s.canTouch = room->canTouch;
        s.open = room->open;
        s.a.levers = room->levers[0];
        s.b.levers = room->levers[1];
        s.a.centers = room->centers[0];
        s.b.centers = room->centers[1];
        s.a.motions = room->motions[0];
        s.b.motions = room->motions[1];
        s.a.used = room->used[0];
        s.b.used = room->used[1];
        isDone = searchAll(&s, contacts);
    }
    wkFree(q, stateByteCount);
    wkFree(room, sizeof *room);
    return isDone;
}

wkResult wkContacts_Create(const wkProgram* program, double margin, wkContacts** contacts)
{
    *contacts = NULL;
    size_t pairsAt = (sizeof(wkContacts) + 63) / 64 * 64;
    size_t liveAt = pairsAt + (size_t)program->pairCount * sizeof(wkPairContacts);
    size_t byteCount = liveAt + (size_t)program->pairCount * sizeof(int32_t);
    wkContacts* made = (wkContacts*)wkAlloc(byteCount);
    if (made == NULL) {
        return wkFail(wk_errorMemory, "batch: no memory for %d pairs", (int)program->pairCount);
    }
    memset(made, 0, byteCount);
    made->byteCount = byteCount;
    made->margin = margin;
    made->pairs = (wkPairContacts*)((char*)made + pairsAt);
    made->live = (int32_t*)((char*)made + liveAt);
    made->pairCount = program->pairCount;
    if (!findAll(program, margin, made)) {
        wkContacts_Destroy(made);
        return wkFail(wk_errorMemory, "batch: no memory for pairs of balls");
    }
    *contacts = made;
    return wk_ok;
}

void wkContacts_Destroy(wkContacts* contacts)
{
    if (contacts != NULL) {
        wkFree(contacts->groups, (size_t)contacts->groupCapacity * sizeof *contacts->groups);
        wkFree(contacts->balls, (size_t)contacts->ballCapacity * sizeof *contacts->balls);
        wkFree(contacts, contacts->byteCount);
    }
}
