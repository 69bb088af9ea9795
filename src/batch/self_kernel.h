// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Does the robot touch itself? Pairs of parts by the spheres around them; where these meet, by spheres that
// can touch. Lanes hold configurations. Inline, for SIMD files.

#include "batch/batch_contacts.h"
#include "batch/fk_kernel.h"

// What is asked.
typedef struct wkSelfQuestion {
    const wkContacts* contacts; // for a margin not below this one; NULL: all spheres can touch
    float margin;               // touching means a distance not above, rounding included
    const float*
        growths;     // a vector of lanes for each part, >= 0, by which its spheres are grown; NULL
    unsigned wanted; // lanes
    unsigned beyond; // of these, lanes that leave the limits: contacts say nothing about them
} wkSelfQuestion;

// How much a pair of parts is grown together.
WK_FORCE_FN wkFloatW wkMotionBoundOfPair(const wkSelfQuestion* ask, wkPartPair pair)
{
    wkFloatW grown = wkSplatF(ask->margin);
    if (ask->growths != NULL) {
        grown = wkAddF(
            grown, wkAddF(wkScratchAt(ask->growths, pair.a), wkScratchAt(ask->growths, pair.b)));
    }
    return grown;
}

// Not below zero where two spheres touch: the square of their radii less that of their distance.
WK_FORCE_FN wkFloatW wkOverlap(wkVecW a, wkVecW b, float radii, wkFloatW grown)
{
    wkVecW d = wkSubVecF(a, b);
    wkFloatW square = wkAddF(wkAddF(wkMulF(d.x, d.x), wkMulF(d.y, d.y)), wkMulF(d.z, d.z));
    wkFloatW reach = wkMaxF(wkAddF(wkSplatF(radii), grown), wkSplatF(0.0f));
    return wkSubF(wkMulF(reach, reach), square);
}

WK_FORCE_FN unsigned wkOverlapBits(wkFloatW overlap)
{
    return wkNotAboveBitsF(wkSplatF(0.0f), overlap);
}

// Parts whose spheres are in the scratch.
#define WK_PLACED_WORDS 8
typedef struct wkPlacedParts {
    uint64_t words[WK_PLACED_WORDS]; // parts beyond are placed each time
} wkPlacedParts;

WK_FORCE_FN void wkNeedSpheres(const wkProgram* program, int32_t part, wkPlacedParts* placed,
                               float* scratch)
{
    int32_t word = part / 64;
    uint64_t bit = UINT64_C(1) << (part % 64);
    if (word < WK_PLACED_WORDS) {
        if ((placed->words[word] & bit) != 0) {
            return;
        }
        placed->words[word] |= bit;
    }
    wkPlaceSpheres(program, part, scratch);
}

// All spheres of two parts: each of the second with the sphere around the first one, and then with its
// spheres.
WK_FORCE_FN unsigned wkTouchAll(const wkProgram* program, wkPartPair pair, wkFloatW grown,
                                unsigned wanted, const float* scratch)
{
    const wkPart *a = &program->parts[pair.a], *b = &program->parts[pair.b];
    wkVecW centerA = wkScratchVec(scratch, program->centersAt + 3 * pair.a);
    wkFloatW most = wkSplatF(-1.0f);
    for (int32_t k = b->firstSphere; k < b->firstSphere + b->sphereCount; ++k) {
        wkVecW sphere = wkScratchVec(scratch, program->spheresAt + 3 * k);
        float radius = program->radius[k];
        wkFloatW overlap = wkOverlap(sphere, centerA, radius + a->radius, grown);
        if ((wkOverlapBits(overlap) & wanted) == 0) {
            continue;
        }
        for (int32_t i = a->firstSphere; i < a->firstSphere + a->sphereCount; ++i) {
            wkVecW other = wkScratchVec(scratch, program->spheresAt + 3 * i);
            most = wkMaxF(most, wkOverlap(sphere, other, radius + program->radius[i], grown));
        }
    }
    return wkOverlapBits(most) & wanted;
}

// The spheres of two parts that can touch.
WK_FORCE_FN unsigned wkTouchSome(const wkProgram* program, const wkContacts* contacts,
                                 const wkPairContacts* some, wkFloatW grown, const float* scratch)
{
    wkFloatW most = wkSplatF(-1.0f);
    for (int32_t g = some->firstGroup; g < some->firstGroup + some->groupCount; ++g) {
        wkContactGroup group = contacts->groups[g];
        wkVecW sphere = wkScratchVec(scratch, program->spheresAt + 3 * group.sphere);
        float radius = program->radius[group.sphere];
        for (int32_t i = group.first; i < group.first + group.count; ++i) {
            int32_t number = contacts->spheres[i];
            wkVecW other = wkScratchVec(scratch, program->spheresAt + 3 * number);
            most = wkMaxF(most, wkOverlap(sphere, other, radius + program->radius[number], grown));
        }
    }
    return wkOverlapBits(most);
}

// Lanes in which a pair of parts touches.
WK_FORCE_FN unsigned wkTouchPair(const wkProgram* program, const wkSelfQuestion* ask,
                                 int32_t number, unsigned wanted, wkPlacedParts* placed,
                                 float* scratch)
{
    wkPartPair pair = program->pairs[number];
    wkFloatW grown = wkMotionBoundOfPair(ask, pair);
    float radii = program->parts[pair.a].radius + program->parts[pair.b].radius;
    wkFloatW overlap =
        wkOverlap(wkScratchVec(scratch, program->centersAt + 3 * pair.a),
                  wkScratchVec(scratch, program->centersAt + 3 * pair.b), radii, grown);
    wanted &= wkOverlapBits(overlap);
    if (wanted == 0) {
        return 0;
    }
    wkNeedSpheres(program, pair.a, placed, scratch);
    wkNeedSpheres(program, pair.b, placed, scratch);
    const wkPairContacts* some = ask->contacts != NULL ? &ask->contacts->pairs[number] : NULL;
    if (some == NULL || some->areAll || (wanted & ask->beyond) != 0) {
        return wkTouchAll(program, pair, grown, wanted, scratch);
    }
    return wkTouchSome(program, ask->contacts, some, grown, scratch) & wanted;
}

// Lanes in which the robot touches itself. The spheres around all parts are placed here.
WK_FORCE_FN unsigned wkTouchSelf(const wkProgram* program, const wkSelfQuestion* ask,
                                 float* scratch)
{
    wkPlacedParts placed = {{0}};
    unsigned touching = 0;
    for (int32_t i = 0; i < program->partCount; ++i) {
        wkPlaceCenter(program, i, scratch);
    }
    bool isWithin = ask->contacts != NULL && (ask->wanted & ask->beyond) == 0;
    const int32_t* live = isWithin ? ask->contacts->live : NULL;
    int32_t count = isWithin ? ask->contacts->liveCount : program->pairCount;
    for (int32_t i = 0; i < count && (ask->wanted & ~touching) != 0; ++i) {
        int32_t number = live != NULL ? live[i] : i;
        touching |= wkTouchPair(program, ask, number, ask->wanted & ~touching, &placed, scratch);
    }
    return touching;
}
