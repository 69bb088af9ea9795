// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What tests of fields share: balls at random, and the plain way to judge them, object by object.

#include "batch/field.h"
#include "batch/field_build.h"
#include "plain_batch.h"
#include "robot/plain.h"

#include <stdio.h>
#include <string.h>

// Metres by which a field may be off on the safe side where it says that it is exact.
#define FIELD_BAND 1e-4

// What a ball meets, object by object.
typedef struct plainBall {
    wkVerdict verdict;
    wkVerdict wider; // of a ball that is larger by the band
    double distance; // of the nearest
} plainBall;

static inline wkVerdict worse(wkVerdict a, wkVerdict b)
{
    bool isWorld = a == wk_verdictWorld || b == wk_verdictWorld;
    return isWorld ? wk_verdictWorld : (a == wk_verdictUnknown ? a : b);
}

static inline wkVerdict touchPlain(const wkShape* ball, wkPose place, const wkObjectDef* object,
                                   double margin)
{
    wkCollideRequest request = wkDefaultCollideRequest();
    request.margin = margin;
    wkCollideResult touch = wkCollide(ball, place, &object->shape, object->pose, &request);
    wkVerdict touched = touch.status == wk_statusUnknown ? wk_verdictUnknown : wk_verdictWorld;
    return touch.isTouching ? touched : wk_verdictFree;
}

static inline plainBall judgePlain(const wkRobotScene* scene, int32_t side, wkVec3d center,
                                   double radius, double cutoff)
{
    plainBall result = {wk_verdictFree, wk_verdictFree, cutoff};
    const wkScene* world = wkRobotScene_World(scene);
    wkShape ball = wkMakeSphere(radius);
    wkPose place = wkMakePose(center.x, center.y, center.z);
    for (wkObjectId id = wkScene_Next(world, 0); id != 0; id = wkScene_Next(world, id)) {
        wkObjectDef object;
        assert_int_equal(wkScene_Get(world, id, &object), wk_ok);
        object.shape = wkPlainWhole(object.shape);
        int32_t number = scene->places[wkPlaceOfId(world, id)].object;
        if (scene->table.objects[number].hasRules &&
            wkHasBit(wkAllowedSides(scene, number), side)) {
            continue;
        }
        result.verdict = worse(result.verdict, touchPlain(&ball, place, &object, 0.0));
        result.wider = worse(result.wider, touchPlain(&ball, place, &object, FIELD_BAND));
        double distance = wkDistance(&ball, place, &object.shape, object.pose, NULL).distance;
        result.distance = distance < result.distance ? distance : result.distance;
    }
    return result;
}

// Balls side by side.
#define BALL_COUNT 512
typedef struct ballRows {
    _Alignas(64) float x[BALL_COUNT];
    _Alignas(64) float y[BALL_COUNT];
    _Alignas(64) float z[BALL_COUNT];
    _Alignas(64) float radius[BALL_COUNT];
} ballRows;

static inline wkFieldBalls viewOf(const ballRows* rows)
{
    wkFieldBalls view = {rows->x, rows->y, rows->z, rows->radius};
    return view;
}

// Balls about the origin of a field, some of them too far and some too large for it.
static inline void fillBalls(wkRng* rng, double reach, double largest, ballRows* rows)
{
    for (int i = 0; i < BALL_COUNT; ++i) {
        double wide = wkRngChance(rng, 16) ? 3.0 * reach : reach;
        rows->x[i] = (float)wkRngRange(rng, -wide, wide);
        rows->y[i] = (float)wkRngRange(rng, -wide, wide);
        rows->z[i] = (float)wkRngRange(rng, -wide, wide);
        double radius = wkRngChance(rng, 16) ? 2.0 * largest : largest;
        rows->radius[i] = wkRngChance(rng, 16) ? 0.0f : (float)(radius * wkRngUnit(rng));
    }
}

// What the cells of balls tell, the same on every instruction set.
static inline void lookAtBalls(const wkFieldGrid* grid, const ballRows* rows, uint64_t* open,
                               uint64_t* touching)
{
    uint64_t others[2][BALL_COUNT / 64];
    wkFieldBalls view = viewOf(rows);
    wkFieldLanesOfMachine()->look(grid, &view, BALL_COUNT, open, touching);
    for (int isa = 0; isa < wk_isaCount; ++isa) {
        const wkFieldLanes* lanes = wkFieldLanesOf((wkIsa)isa);
        if (lanes != NULL) {
            lanes->look(grid, &view, BALL_COUNT, others[0], others[1]);
            assert_memory_equal(open, others[0], sizeof others[0]);
            assert_memory_equal(touching, others[1], sizeof others[1]);
        }
    }
}

// Judges balls of a side by a field and by the plain way.
static inline void compareBalls(const wkField* field, int32_t side, const ballRows* rows,
                                int* freeCount, int* openCount)
{
    uint64_t open[BALL_COUNT / 64], touching[BALL_COUNT / 64];
    lookAtBalls(wkField_GridOf(field, side), rows, open, touching);
    for (int i = 0; i < BALL_COUNT; ++i) {
        float center[3] = {rows->x[i], rows->y[i], rows->z[i]};
        wkVec3d place =
            wkAdd(field->origin, wkVec((double)center[0], (double)center[1], (double)center[2]));
        double cutoff = i % 2 == 0 ? 0.02 : 0.5;
        plainBall plain = judgePlain(field->scene, side, place, (double)rows->radius[i], cutoff);
        wkVerdict verdict = wkField_CheckBall(field, side, center, rows->radius[i]);
        double distance = wkField_BallDistance(field, side, center, rows->radius[i], cutoff);
        // never better than the truth, and hardly worse
        bool isRight = verdict == plain.verdict || verdict == plain.wider;
        bool isNear = distance <= plain.distance + 1e-12 && distance >= plain.distance - FIELD_BAND;
        bool isOpen = (open[i / 64] >> (i % 64) & 1u) != 0;
        bool isTouching = (touching[i / 64] >> (i % 64) & 1u) != 0;
        bool isSound = (isOpen || plain.verdict == wk_verdictFree) &&
                       (!isTouching || (isOpen && plain.wider == wk_verdictWorld));
        if (!isRight || !isNear || !isSound) {
            printf("ball %a %a %a radius %a side %d: %s, plain %s %s; distance %g, plain %g; look "
                   "%d\n",
                   (double)center[0], (double)center[1], (double)center[2], (double)rows->radius[i],
                   (int)side, wkVerdictName(verdict), wkVerdictName(plain.verdict),
                   wkVerdictName(plain.wider), distance, plain.distance,
                   (int)isOpen + (int)isTouching);
        }
        assert_true(isRight && isNear && isSound);
        *freeCount += !isOpen;
        *openCount += isOpen && !isTouching;
    }
}
