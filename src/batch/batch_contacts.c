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

static const wkBlockArray contactArrays[] = {
    WK_BLOCK_ARRAY(wkContacts, pairs, pairCount, 1),
    WK_BLOCK_ARRAY(wkContacts, live, pairCount, 1),
    WK_BLOCK_ARRAY(wkContacts, groups, groupCount, 1),
    WK_BLOCK_ARRAY(wkContacts, spheres, sphereCount, 1),
};

static const wkBlockLayout contactLayout = {
    .name = "spheres that can touch",
    .magic = 0x746e6f63u,
    .version = 1,
    .numbersAt = offsetof(wkContacts, margin),
    .numberBytes = offsetof(wkContacts, pairs) - offsetof(wkContacts, margin),
    .arrays = contactArrays,
    .arrayCount = sizeof contactArrays / sizeof *contactArrays,
};

// Contacts while they are found: arrays of their own, of which two grow.
typedef struct contactBuilder {
    wkContacts found;
    int32_t groupCapacity;
    int32_t sphereCapacity;
} contactBuilder;

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
static bool keep(const wkContactSearch* s, contactBuilder* builder, wkPairContacts* pair)
{
    wkContacts* contacts = &builder->found;
    int32_t countA = s->a.part->sphereCount, countB = s->b.part->sphereCount;
    if (!grow((void**)&contacts->groups, &builder->groupCapacity, contacts->groupCount, countB,
              sizeof *contacts->groups) ||
        !grow((void**)&contacts->spheres, &builder->sphereCapacity, contacts->sphereCount,
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

static bool searchAll(wkContactSearch* s, contactBuilder* builder)
{
    wkContacts* contacts = &builder->found;
    for (int32_t i = 0; i < contacts->pairCount; i++) {
        wkPairContacts* pair = &contacts->pairs[i];
        pair->areAll = !wkContactSearch_Run(s, &s->program->pairs[i]);
        if (!pair->areAll && !keep(s, builder, pair)) {
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

static bool findAll(const wkProgram* program, contactBuilder* builder)
{
    size_t stateByteCount = (size_t)(program->variableCount + 1) * sizeof(double);
    wkContactScratch* scratch = (wkContactScratch*)wkAlloc(sizeof *scratch);
    double* q = (double*)wkAlloc(stateByteCount);
    bool isDone = false;
    if (scratch != NULL && q != NULL) {
        memset(q, 0, stateByteCount);
        wkContactSearch s = {.program = program, .margin = builder->found.margin, .q = q};
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
        isDone = searchAll(&s, builder);
    }
    wkFree(q, stateByteCount);
    wkFree(scratch, sizeof *scratch);
    return isDone;
}

// Finds all pairs and packs them into a block.
static bool build(const wkProgram* program, contactBuilder* builder, wkContacts* made)
{
    size_t capacity =
        (size_t)program->pairCount + 1; // a robot without pairs has no arrays of size 0
    size_t pairBytes = capacity * sizeof(wkPairContacts), liveBytes = capacity * sizeof(int32_t);
    wkContacts* found = &builder->found;
    found->pairs = (wkPairContacts*)wkAlloc(pairBytes);
    found->live = (int32_t*)wkAlloc(liveBytes);
    if (found->pairs != NULL && found->live != NULL) {
        memset(found->pairs, 0, pairBytes);
        memset(found->live, 0, liveBytes);
        if (findAll(program, builder)) {
            *made = *found;
            made->block = wkBlock_Pack(&contactLayout, made, &made->byteCount);
        }
    }
    wkFree(found->pairs, pairBytes);
    wkFree(found->live, liveBytes);
    wkFree(found->groups, (size_t)builder->groupCapacity * sizeof *found->groups);
    wkFree(found->spheres, (size_t)builder->sphereCapacity * sizeof *found->spheres);
    return made->block != NULL;
}

wkResult wkContacts_Create(const wkProgram* program, double margin, wkContacts** contacts)
{
    *contacts = NULL;
    contactBuilder builder = {.found = {.margin = margin, .pairCount = program->pairCount}};
    wkContacts* made = (wkContacts*)wkAlloc(sizeof *made);
    if (made != NULL) {
        made->block = NULL;
    }
    if (made == NULL || !build(program, &builder, made)) {
        wkContacts_Destroy(made);
        return wkFail(wk_errorMemory, "batch: no memory for %d pairs", (int)program->pairCount);
    }
    wkBlock_Seal(&contactLayout, made->block, made);
    *contacts = made;
    return wk_ok;
}

void wkContacts_Destroy(wkContacts* contacts)
{
    if (contacts != NULL) {
        wkFree(contacts->block, contacts->block != NULL ? contacts->byteCount : 0);
        wkFree(contacts, sizeof *contacts);
    }
}

wkResult wkContacts_Bind(const void* block, size_t byteCount, wkContacts* contacts)
{
    memset(contacts, 0, sizeof *contacts);
    return wkBlock_Bind(&contactLayout, block, byteCount, contacts);
}
