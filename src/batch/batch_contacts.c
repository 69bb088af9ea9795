// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Stores the spheres that can touch within limits for every pair of parts, with spheres around them.

#include "batch/batch_contacts.h"

#include "base/error.h"
#include "base/memory.h"
#include "batch/contact_search.h"
#include "math/round.h"
#include "robot/sphere_model_impl.h"

#include <string.h>

// Rounding of doubles.
#define AROUND_SLACK 1e-9
// Spheres around those that can touch are tested separately when they are smaller than this share
// of the spheres around parts.
#define TIGHT_SHARE 0.9f

// Grows the capacity of an array.
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

// Stores the result of a search.
// @return false: no memory
static bool keep(const wkContactSearch* s, wkContacts* contacts, wkPairContacts* pair)
{
    int32_t countA = s->a.part->sphereCount, countB = s->b.part->sphereCount;
    if (!grow((void**)&contacts->groups, &contacts->groupCapacity, contacts->groupCount, countB,
              sizeof *contacts->groups) ||
        !grow((void**)&contacts->spheres, &contacts->sphereCapacity, contacts->sphereCount,
              countA * countB, sizeof *contacts->spheres)) {
        return false;
    }
    pair->firstGroup = contacts->groupCount;
    for (int32_t k = 0; k < countB; k++) {
        wkContactGroup group = {s->b.part->firstSphere + k, contacts->sphereCount, 0};
        for (int32_t i = 0; i < countA; i++) {
            if (s->canTouch[i * countB + k] != 0) {
                contacts->spheres[contacts->sphereCount++] = s->a.part->firstSphere + i;
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

// Returns a sphere around some of those of a part. The kernels place it like these spheres, with at most the
// largest of their errors.
static wkContactSphere sphereAround(const wkContactSearch* s, const wkPart* part,
                                    wkSphere3d* spheres, int32_t count)
{
    const wkProgram* program = s->program;
    wkSphere3d around = wkSphereAround(spheres, count);
    double radius = 0.0, slack = 0.0;
    wkContactSphere sphere = {(float)around.center.x, (float)around.center.y,
                              (float)around.center.z, 0.0f};
    wkVec3d center = wkVec((double)sphere.x, (double)sphere.y, (double)sphere.z);
    for (int32_t i = 0; i < count; i++) {
        double far = wkLength(wkSub(spheres[i].center, center)) + spheres[i].radius;
        radius = wkMaxD(radius, far);
    }
    for (int32_t i = part->firstSphere; i < part->firstSphere + part->sphereCount; i++) {
        slack = wkMaxD(slack, (double)program->radius[i] - program->exact[i].radius);
    }
    sphere.radius =
        wkRoundUp(radius + WK_CONTACT_SHARE * (radius + s->margin) + 3.0 * slack + AROUND_SLACK);
    return sphere;
}

static wkSphere3d laneSphere(const wkProgram* program, int32_t i)
{
    wkSphere3d sphere = {wkVec((double)program->x[i], (double)program->y[i], (double)program->z[i]),
                         (double)program->radius[i]};
    return sphere;
}

// Computes spheres around those of either part that can touch.
static void setAround(wkContactSearch* s, wkPairContacts* pair)
{
    const wkProgram* program = s->program;
    int32_t countA = s->a.part->sphereCount, countB = s->b.part->sphereCount;
    int32_t usedA = 0, usedB = 0;
    for (int32_t i = 0; i < countA; i++) {
        bool isUsed = false;
        for (int32_t k = 0; k < countB; k++) {
            isUsed = isUsed || s->canTouch[i * countB + k] != 0;
        }
        if (isUsed) {
            s->a.used[usedA++] = laneSphere(program, s->a.part->firstSphere + i);
        }
    }
    for (int32_t k = 0; k < countB; k++) {
        bool isUsed = false;
        for (int32_t i = 0; i < countA; i++) {
            isUsed = isUsed || s->canTouch[i * countB + k] != 0;
        }
        if (isUsed) {
            s->b.used[usedB++] = laneSphere(program, s->b.part->firstSphere + k);
        }
    }
    if (usedA == 0) {
        return;
    }
    pair->around[0] = sphereAround(s, s->a.part, s->a.used, usedA);
    pair->around[1] = sphereAround(s, s->b.part, s->b.used, usedB);
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
    wkContactScratch* scratch = (wkContactScratch*)wkAlloc(sizeof *scratch);
    double* q = (double*)wkAlloc(stateByteCount);
    bool isDone = false;
    if (scratch != NULL && q != NULL) {
        memset(q, 0, stateByteCount);
        wkContactSearch s = {.program = program, .margin = margin, .q = q};
        s.canTouch = scratch->canTouch;
        s.open = scratch->open;
        s.a.levers = scratch->levers[0];
        s.b.levers = scratch->levers[1];
        s.a.centers = scratch->centers[0];
        s.b.centers = scratch->centers[1];
        s.a.motions = scratch->motions[0];
        s.b.motions = scratch->motions[1];
        s.a.used = scratch->used[0];
        s.b.used = scratch->used[1];
        isDone = searchAll(&s, contacts);
    }
    wkFree(q, stateByteCount);
    wkFree(scratch, sizeof *scratch);
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
        return wkFail(wk_errorMemory, "batch: no memory for pairs of spheres");
    }
    *contacts = made;
    return wk_ok;
}

void wkContacts_Destroy(wkContacts* contacts)
{
    if (contacts != NULL) {
        wkFree(contacts->groups, (size_t)contacts->groupCapacity * sizeof *contacts->groups);
        wkFree(contacts->spheres, (size_t)contacts->sphereCapacity * sizeof *contacts->spheres);
        wkFree(contacts, contacts->byteCount);
    }
}
