// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What tests of fields share: spheres at random, and the plain way to judge them, object by object.

#include "batch/batch_reach.h"
#include "batch/field.h"
#include "batch/field_build.h"
#include "plain_batch.h"
#include "robot/plain.h"
#include "scene/scene_impl.h"

#include <stdio.h>
#include <string.h>

// Metres by which a field may be off on the safe side where it says that it is exact.
#define FIELD_BAND 1e-4

// What a sphere meets, object by object.
typedef struct plainSphere {
    wkVerdict verdict;
    wkVerdict wider; // of a sphere that is larger by the band
    double distance; // of the nearest
} plainSphere;

static inline wkVerdict worse(wkVerdict a, wkVerdict b)
{
    bool isWorld = a == wk_verdictWorld || b == wk_verdictWorld;
    return isWorld ? wk_verdictWorld : (a == wk_verdictUnknown ? a : b);
}

static inline wkVerdict touchPlain(const wkShape* sphere, wkPose pose, const wkObjectDef* object,
                                   double margin)
{
    wkCollideRequest request = wkDefaultCollideRequest();
    request.margin = margin;
    wkCollideResult touch = wkCollide(sphere, pose, &object->shape, object->pose, &request);
    wkVerdict touched = touch.status == wk_statusUnknown ? wk_verdictUnknown : wk_verdictWorld;
    return touch.isTouching ? touched : wk_verdictFree;
}

static inline plainSphere classifyPlain(const wkRobotScene* scene, int32_t side, wkVec3d center,
                                        double radius, double cutoff)
{
    plainSphere result = {wk_verdictFree, wk_verdictFree, cutoff};
    const wkScene* world = wkRobotScene_World(scene);
    wkShape sphere = wkMakeSphere(radius);
    wkPose pose = wkMakePose(center.x, center.y, center.z);
    for (wkObjectId id = wkScene_Next(world, wk_nullObjectId); !wkObjectId_IsNull(id);
         id = wkScene_Next(world, id)) {
        wkObjectDef object;
        assert_int_equal(wkScene_Get(world, id, &object), wk_ok);
        object.shape = wkPlainWhole(object.shape);
        int32_t number = scene->slots[wkSlotOfId(world, id)].object;
        if (scene->table.objects[number].hasRules &&
            wkHasBit(wkAllowedSides(scene, number), side)) {
            continue;
        }
        result.verdict = worse(result.verdict, touchPlain(&sphere, pose, &object, 0.0));
        result.wider = worse(result.wider, touchPlain(&sphere, pose, &object, FIELD_BAND));
        double distance = wkDistance(&sphere, pose, &object.shape, object.pose, NULL).distance;
        result.distance = distance < result.distance ? distance : result.distance;
    }
    return result;
}

// Spheres side by side.
#define SPHERE_COUNT 512
typedef struct sphereRows {
    _Alignas(64) float x[SPHERE_COUNT];
    _Alignas(64) float y[SPHERE_COUNT];
    _Alignas(64) float z[SPHERE_COUNT];
    _Alignas(64) float radius[SPHERE_COUNT];
} sphereRows;

static inline wkFieldSpheres viewOf(const sphereRows* rows)
{
    wkFieldSpheres view = {rows->x, rows->y, rows->z, rows->radius};
    return view;
}

// Spheres about the origin of a field, some of them too far and some too large for it.
static inline void fillSpheres(wkRng* rng, double reach, double largest, sphereRows* rows)
{
    for (int i = 0; i < SPHERE_COUNT; ++i) {
        double wide = wkRngChance(rng, 16) ? 3.0 * reach : reach;
        rows->x[i] = (float)wkRngRange(rng, -wide, wide);
        rows->y[i] = (float)wkRngRange(rng, -wide, wide);
        rows->z[i] = (float)wkRngRange(rng, -wide, wide);
        double radius = wkRngChance(rng, 16) ? 2.0 * largest : largest;
        rows->radius[i] = wkRngChance(rng, 16) ? 0.0f : (float)(radius * wkRngUnit(rng));
    }
}

// Fills a reach within which spheres are expected at one in three positions.
static inline void fillSparseReach(wkRng* rng, wkAabb box, wkReach* reach)
{
    reach->box = box;
    for (int axis = 0; axis < 3; ++axis) {
        double lower = wkAlongAxis(&box.lower, axis);
        reach->lower[axis] = lower;
        reach->perMetre[axis] = WK_REACH_CELLS / (wkAlongAxis(&box.upper, axis) - lower);
    }
    // bricks look beside them, too: positions are bits of 16 cells along each axis
    for (int row = 0; row < WK_REACH_CELLS * WK_REACH_CELLS; ++row) {
        bool isFirst = row % 16 == 0 && row / WK_REACH_CELLS % 16 == 0;
        int leader =
            row / (16 * WK_REACH_CELLS) * 16 * WK_REACH_CELLS + row % WK_REACH_CELLS / 16 * 16;
        reach->rows[row] = isFirst ? 0 : reach->rows[leader];
        for (int bit = 0; bit < WK_REACH_CELLS && isFirst; bit += 16) {
            reach->rows[row] |= wkRngChance(rng, 3) ? UINT64_C(0xffff) << bit : 0;
        }
    }
}

// What the cells of spheres tell, the same on every instruction set.
static inline void checkSpheres(const wkFieldGrid* grid, const sphereRows* rows, uint64_t* open,
                                uint64_t* touching)
{
    uint64_t others[2][SPHERE_COUNT / 64];
    wkFieldSpheres view = viewOf(rows);
    wkFieldLanesOfMachine()->check(grid, &view, SPHERE_COUNT, open, touching);
    for (int isa = 0; isa < wk_isaCount; ++isa) {
        const wkFieldLanes* lanes = wkFieldLanesOf((wkIsa)isa);
        if (lanes != NULL) {
            lanes->check(grid, &view, SPHERE_COUNT, others[0], others[1]);
            assert_memory_equal(open, others[0], sizeof others[0]);
            assert_memory_equal(touching, others[1], sizeof others[1]);
        }
    }
}

// Judges spheres of a side by a field and by the plain way.
static inline void compareSpheres(const wkField* field, int32_t side, const sphereRows* rows,
                                  int* freeCount, int* openCount)
{
    uint64_t open[SPHERE_COUNT / 64], touching[SPHERE_COUNT / 64];
    checkSpheres(wkField_GridOf(field, side), rows, open, touching);
    for (int i = 0; i < SPHERE_COUNT; ++i) {
        float center[3] = {rows->x[i], rows->y[i], rows->z[i]};
        wkVec3d pose =
            wkAdd(field->origin, wkVec((double)center[0], (double)center[1], (double)center[2]));
        double cutoff = i % 2 == 0 ? 0.02 : 0.5;
        plainSphere plain =
            classifyPlain(field->scene, side, pose, (double)rows->radius[i], cutoff);
        wkVerdict verdict = wkField_CheckSphere(field, side, center, rows->radius[i]);
        double distance = wkField_SphereDistance(field, side, center, rows->radius[i], cutoff);
        // never better than the truth, and hardly worse
        bool isRight = verdict == plain.verdict || verdict == plain.wider;
        bool isNear = distance <= plain.distance + 1e-12 && distance >= plain.distance - FIELD_BAND;
        bool isOpen = (open[i / 64] >> (i % 64) & 1u) != 0;
        bool isTouching = (touching[i / 64] >> (i % 64) & 1u) != 0;
        bool isValid = (isOpen || plain.verdict == wk_verdictFree) &&
                       (!isTouching || (isOpen && plain.wider == wk_verdictWorld));
        if (!isRight || !isNear || !isValid) {
            printf(
                "sphere %a %a %a radius %a side %d: %s, plain %s %s; distance %g, plain %g; look "
                "%d\n",
                (double)center[0], (double)center[1], (double)center[2], (double)rows->radius[i],
                (int)side, wkVerdictName(verdict), wkVerdictName(plain.verdict),
                wkVerdictName(plain.wider), distance, plain.distance,
                (int)isOpen + (int)isTouching);
        }
        assert_true(isRight && isNear && isValid);
        *freeCount += !isOpen;
        *openCount += isOpen && !isTouching;
    }
}
