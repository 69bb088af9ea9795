// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Two parts of a robot in one configuration, by their spheres: the operations of self_contact_kernel.h on one number in
// place of lanes, so that the verdicts are the same. Nothing may be fused. The common subset of C, C++ and CUDA.

#include "batch/contacts_view.h"
#include "batch/program_item.h"
#include "batch/self_tests_view.h"
#include "whisker/robot_scene.h"

// What decides about contacts of a robot with itself. All pointers, those in the views too, are valid where the
// functions run; tables of joint values (wkSelfTables.ofPairs) are not read.
typedef struct wkSelfItem {
    const wkProgram* program;
    const wkContacts* contacts;
    const wkSelfTables* tables;
    const float* innerRadii; // of spheres inside the bodies; below 0: none
    const bool* asksBodies;  // of pairs: touching spheres do not decide; NULL: they do in all pairs
    float margin;            // touching means a distance not above; that of the batch
} wkSelfItem;

// The frames of the two parts of a pair.
typedef struct wkPairFrames {
    wkItemFrame a, b;
} wkPairFrames;

WK_FN wkPairFrames wkPairFramesOf(const wkProgram* program, int32_t pair, wkItemScratch scratch)
{
    wkPartPair parts = program->pairs[pair];
    wkPairFrames frames = {wkItemFrameOf(program, program->parts[parts.a].rigidGroup, scratch),
                           wkItemFrameOf(program, program->parts[parts.b].rigidGroup, scratch)};
    return frames;
}

// Returns whether two spheres that are grown together touch.
WK_FN bool wkDoSpheresTouch(wkVec3f a, wkVec3f b, float radii, float grown)
{
    wkVec3f d = wkSub3f(a, b);
    float square = (d.x * d.x + d.y * d.y) + d.z * d.z, sum = radii + grown;
    float reach = sum > 0.0f ? sum : 0.0f;
    return !(0.0f > reach * reach - square);
}

WK_FN wkVec3f wkPlaceItemSphere(const wkProgram* program, const wkItemFrame* frame, int32_t sphere)
{
    return wkPlaceItemPoint(frame, program->x[sphere], program->y[sphere], program->z[sphere]);
}

// Returns whether the spheres around two parts touch, and those around what can touch of them.
// @param isWithinLimits the configuration is within limits, up to the rounding of floats (wkIsItemBeyondLimits)
WK_FN bool wkSelfItem_IsNear(const wkSelfItem* item, int32_t pair, const wkPairFrames* frames,
                             bool isWithinLimits)
{
    const wkPart* a = &item->program->parts[item->program->pairs[pair].a];
    const wkPart* b = &item->program->parts[item->program->pairs[pair].b];
    wkVec3f centerA = wkPlaceItemPoint(&frames->a, a->x, a->y, a->z);
    wkVec3f centerB = wkPlaceItemPoint(&frames->b, b->x, b->y, b->z);
    if (!wkDoSpheresTouch(centerA, centerB, a->radius + b->radius, item->margin)) {
        return false;
    }
    const wkPairContacts* some = &item->contacts->pairs[pair];
    if (!isWithinLimits || !some->isTighter) {
        return true;
    }
    const wkContactSphere *ofA = &some->around[0], *ofB = &some->around[1];
    centerA = wkPlaceItemPoint(&frames->a, ofA->x, ofA->y, ofA->z);
    centerB = wkPlaceItemPoint(&frames->b, ofB->x, ofB->y, ofB->z);
    return wkDoSpheresTouch(centerA, centerB, ofA->radius + ofB->radius, item->margin);
}

// Returns whether any spheres of two parts touch, with the given radii.
WK_FN bool wkSelfItem_DoAnyTouch(const wkSelfItem* item, int32_t pair, const float* radii,
                                 const wkPairFrames* frames)
{
    const wkProgram* program = item->program;
    const wkPart *a = &program->parts[program->pairs[pair].a],
                 *b = &program->parts[program->pairs[pair].b];
    wkVec3f around = wkPlaceItemPoint(&frames->a, a->x, a->y, a->z);
    for (int32_t k = b->firstSphere; k < b->firstSphere + b->sphereCount; ++k) {
        wkVec3f center = wkPlaceItemSphere(program, &frames->b, k);
        float radius = radii[k];
        if (!wkDoSpheresTouch(center, around, radius + a->radius, item->margin)) {
            continue;
        }
        for (int32_t i = a->firstSphere; i < a->firstSphere + a->sphereCount; ++i) {
            wkVec3f other = wkPlaceItemSphere(program, &frames->a, i);
            if (wkDoSpheresTouch(center, other, radius + radii[i], item->margin)) {
                return true;
            }
        }
    }
    return false;
}

// The same of those that can touch within limits.
WK_FN bool wkSelfItem_DoSomeTouch(const wkSelfItem* item, int32_t pair, const float* radii,
                                  const wkPairFrames* frames)
{
    const wkPairContacts* some = &item->contacts->pairs[pair];
    for (int32_t g = some->firstGroup; g < some->firstGroup + some->groupCount; ++g) {
        const wkContactGroup* group = &item->contacts->groups[g];
        wkVec3f center = wkPlaceItemSphere(item->program, &frames->b, group->sphere);
        float radius = radii[group->sphere];
        for (int32_t i = group->first; i < group->first + group->count; ++i) {
            int32_t k = item->contacts->spheres[i];
            wkVec3f other = wkPlaceItemSphere(item->program, &frames->a, k);
            if (wkDoSpheresTouch(center, other, radius + radii[k], item->margin)) {
                return true;
            }
        }
    }
    return false;
}

// Returns whether spheres of two parts touch, with the given radii: those of the program, or `innerRadii`.
WK_FN bool wkSelfItem_DoTouch(const wkSelfItem* item, int32_t pair, const float* radii,
                              const wkPairFrames* frames, bool isWithinLimits)
{
    return item->contacts->pairs[pair].areAll || !isWithinLimits
               ? wkSelfItem_DoAnyTouch(item, pair, radii, frames)
               : wkSelfItem_DoSomeTouch(item, pair, radii, frames);
}

// Returns the verdict about a pair that does not use convex pieces: wk_verdictFree, wk_verdictSelf, or
// wk_verdictUnchecked where its bodies decide, on the host. Spheres inside the bodies find most contacts of these.
WK_FN wkVerdict wkSelfItem_CheckSpheres(const wkSelfItem* item, int32_t pair,
                                        const wkPairFrames* frames, bool isWithinLimits)
{
    if (!wkSelfItem_IsNear(item, pair, frames, isWithinLimits) ||
        !wkSelfItem_DoTouch(item, pair, item->program->radius, frames, isWithinLimits)) {
        return wk_verdictFree;
    }
    bool isTouching = item->asksBodies == NULL || !item->asksBodies[pair] ||
                      wkSelfItem_DoTouch(item, pair, item->innerRadii, frames, isWithinLimits);
    return isTouching ? wk_verdictSelf : wk_verdictUnchecked;
}
