// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Configurations that the SIMD kernels cannot process, such as those with the robot far away: one after the
// other, in double. Attached objects are checked with their shapes.

#include "batch/batch_kernel.h"
#include "query/pair/shape_extent.h"

#include <math.h>

typedef struct scalarCheck {
    const wkBatch* batch;
    wkBatchScratch* scratch;
    const wkBlockCheck* check;
    int32_t row;
    double open; // motion bound of a sphere that is near enough to touch something; 0: none
} scalarCheck;

// Bounds the motion of a sphere by the joints from its rigid group up to `end`, which is left out.
static double motionBoundOf(const scalarCheck* scalar, int32_t part, int32_t end,
                            const wkSphere3d* sphere)
{
    const wkRobot* robot = scalar->batch->robot;
    double sum = 0.0;
    int32_t rigidGroup = scalar->batch->program->parts[part].rigidGroup;
    for (; rigidGroup > end && scalar->check->rotations != NULL;
         rigidGroup = robot->rigidGroups[rigidGroup].parent) {
        double arm =
            wkLength(wkSub(sphere->center, scalar->scratch->rigidGroups[rigidGroup].position));
        size_t at = (size_t)rigidGroup * WK_BATCH_BLOCK + (size_t)scalar->row;
        sum += fabs((double)scalar->check->rotations[at]) * (arm + sphere->radius) +
               (double)scalar->check->translations[at];
    }
    return sum;
}

// Returns whether a distance means touching; records intervals that are not proven.
static bool classify(scalarCheck* scalar, double distance, double motionBound)
{
    if (distance > 0.0 && distance <= motionBound) {
        scalar->open = wkMaxD(scalar->open, motionBound);
    }
    return !(distance > 0.0);
}

// Placed spheres of a part; none for attached objects.
typedef struct scalarSpheres {
    int32_t first, end;
} scalarSpheres;

static scalarSpheres spheresOf(const scalarCheck* scalar, int32_t part)
{
    const wkProgram* program = scalar->batch->program;
    const wkPart* p = &program->parts[part];
    scalarSpheres spheres = {p->firstSphere, p->firstSphere + p->sphereCount};
    spheres.end = p->side < scalar->batch->robot->info.linkCount ? spheres.end : spheres.first;
    return spheres;
}

// Returns whether spheres of a pair of parts touch.
static bool touchSpheres(scalarCheck* scalar, int32_t number)
{
    wkPartPair pair = scalar->batch->program->pairs[number];
    scalarSpheres a = spheresOf(scalar, pair.a), b = spheresOf(scalar, pair.b);
    int32_t top = scalar->batch->pairTops[number];
    for (int32_t k = a.first; k < a.end; ++k) {
        const wkSphere3d* sphere = &scalar->scratch->spheres[k];
        double motionBound = motionBoundOf(scalar, pair.a, top, sphere);
        for (int32_t n = b.first; n < b.end; ++n) {
            const wkSphere3d* other = &scalar->scratch->spheres[n];
            double gap = wkLength(wkSub(sphere->center, other->center)) - sphere->radius -
                         other->radius - scalar->batch->def.margin;
            if (classify(scalar, gap, motionBound + motionBoundOf(scalar, pair.b, top, other))) {
                return true;
            }
        }
    }
    return false;
}

// Intervals are not proven where spheres touch and bodies decide.
static bool touchesSelf(scalarCheck* scalar, const double* q)
{
    const wkBatch* batch = scalar->batch;
    for (int32_t i = 0; i < batch->program->pairCount; ++i) {
        if (!touchSpheres(scalar, i)) {
            continue;
        }
        if (!wkAsksBodies(batch, i) ||
            !wkAreBodiesApart(batch, scalar->scratch, i, q, batch->def.margin)) {
            return true;
        }
        scalar->open = scalar->check->rotations != NULL ? INFINITY : 0.0;
    }
    return false;
}

// Checks a sphere against one object.
static wkVerdict checkSlot(scalarCheck* scalar, int32_t part, const wkSphere3d* sphere,
                           int32_t slotIndex)
{
    const wkRobotScene* scene = scalar->batch->def.scene;
    wkSceneObject object = wkScene_ObjectAt(scene->world, slotIndex);
    int32_t side = scalar->batch->program->parts[part].side;
    if (object.shape == NULL ||
        wkHasBit(wkAllowedSides(scene, scene->slots[slotIndex].object), side)) {
        return wk_verdictFree;
    }
    wkShape sphereShape = wkMakeSphere(wkMaxD(sphere->radius, 0.0)), scratch;
    wkPose at = wkMakePose(sphere->center.x, sphere->center.y, sphere->center.z);
    wkDistanceResult result =
        wkDistance(&sphereShape, at, wkWholeShape(object.shape, &scratch), *object.pose, NULL);
    double motionBound = motionBoundOf(scalar, part, 0, sphere);
    bool isTouching = classify(scalar, result.distance - scalar->batch->def.margin, motionBound);
    return !isTouching                         ? wk_verdictFree
           : result.status == wk_statusUnknown ? wk_verdictUnknown
                                               : wk_verdictWorld;
}

static wkVerdict checkWorld(scalarCheck* scalar)
{
    wkVerdict found = wk_verdictFree;
    for (int32_t part = 0; part < scalar->batch->program->partCount; ++part) {
        scalarSpheres spheres = spheresOf(scalar, part);
        for (int32_t i = spheres.first; i < spheres.end; ++i) {
            for (int32_t k = 0; k < wkScene_SlotCount(scalar->batch->def.scene->world); ++k) {
                wkVerdict verdict = checkSlot(scalar, part, &scalar->scratch->spheres[i], k);
                if (verdict == wk_verdictWorld) {
                    return verdict;
                }
                found = verdict != wk_verdictFree ? verdict : found;
            }
        }
    }
    return found;
}

static wkVerdict checkDepth(scalarCheck* scalar)
{
    const wkBatchDef* def = &scalar->batch->def;
    wkVerdict found = wk_verdictFree;
    for (int32_t part = 0; part < scalar->batch->program->partCount; ++part) {
        scalarSpheres spheres = spheresOf(scalar, part);
        for (int32_t i = spheres.first; i < spheres.end; ++i) {
            wkSphere3d sphere = scalar->scratch->spheres[i];
            double motionBound = motionBoundOf(scalar, part, 0, &sphere);
            sphere.radius += def->margin;
            wkVerdict verdict = wkCheckDepthSphere(def, &sphere);
            if (verdict == wk_verdictWorld) {
                return verdict;
            }
            found = verdict != wk_verdictFree ? verdict : found;
            scalar->open = wkMaxD(scalar->open, motionBound);
        }
    }
    return found;
}

// Checks attached objects by their shapes. Intervals are not proven that way, and cameras do not check them.
static wkVerdict checkAttached(scalarCheck* scalar, const double* q)
{
    const wkBatch* batch = scalar->batch;
    if (batch->def.scene->holdCount == 0) {
        return wk_verdictFree;
    }
    scalar->open = scalar->check->rotations != NULL ? INFINITY : 0.0;
    if (wkRobotState_Set(scalar->scratch->state, batch->def.base, q) != wk_ok) {
        return wk_verdictInvalid;
    }
    wkVerdict verdict =
        wkRobotScene_Check(batch->def.scene, scalar->scratch->state, &batch->request).verdict;
    bool isBlind = verdict == wk_verdictFree && (scalar->check->bits & wk_checkDepth) != 0;
    return isBlind ? wk_verdictUnknown : verdict;
}

void wkPlaceScalar(const wkBatch* batch, wkBatchScratch* scratch, const double* q)
{
    const wkProgram* program = batch->program;
    const wkSphereModel* model = batch->def.spheres;
    wkPlaceRigidGroups(batch->robot, batch->def.base, q, scratch->rigidGroups);
    for (int32_t i = 0; i < program->sphereCount; ++i) {
        if (program->numbers[i] >= program->modelSphereCount) {
            continue;
        }
        const wkLinkSphere* sphere = &model->spheres[program->numbers[i]];
        const wkRobotLink* link = &batch->robot->links[sphere->link];
        wkPose placed = wkMulUnitPose(&scratch->rigidGroups[link->rigidGroup], &link->pose);
        scratch->spheres[i].center = wkTransformPoint(placed, sphere->sphere.center);
        scratch->spheres[i].radius = (double)program->radius[i];
    }
}

// Returns whether everything that the kernels check is further away than `limit`.
static bool isFarther(const wkBatch* batch, wkBatchScratch* scratch, const wkBlockCheck* check,
                      const double* q, double limit)
{
    wkBatch grown = *batch;
    grown.def.exactness = wk_exactnessSpheres; // clearances are those of spheres
    grown.def.margin += limit;
    grown.request.margin += limit;
    wkCheckScalar(&grown, scratch, check, 0, q);
    return check->verdicts[0] == wk_verdictFree;
}

// Bisects, as only verdicts are available.
double wkScalarClearance(const wkBatch* batch, wkBatchScratch* scratch, const double* q,
                         double cutoff)
{
    uint8_t verdict = wk_verdictFree;
    wkBlockCheck check = {.rows = q, .count = 1, .bits = wkBatchBits(batch), .verdicts = &verdict};
    double free = 0.0, touching = wkMinD(cutoff, WK_FARTHEST_CLEARANCE);
    if (!isFarther(batch, scratch, &check, q, 0.0)) {
        return 0.0;
    }
    if (isFarther(batch, scratch, &check, q, touching)) {
        return cutoff;
    }
    while (touching - free > WK_VERDICT_STEP * (1.0 + free)) {
        double middle = 0.5 * (free + touching);
        bool isFree = isFarther(batch, scratch, &check, q, middle);
        free = isFree ? middle : free;
        touching = isFree ? touching : middle;
    }
    return free;
}

void wkCheckScalar(const wkBatch* batch, wkBatchScratch* scratch, const wkBlockCheck* check,
                   int32_t row, const double* q)
{
    scalarCheck scalar = {batch, scratch, check, row, 0.0};
    wkPlaceScalar(batch, scratch, q);
    wkVerdict verdict = wk_verdictFree;
    if ((check->bits & wk_checkSelf) != 0 && touchesSelf(&scalar, q)) {
        verdict = wk_verdictSelf;
    }
    if (verdict == wk_verdictFree && (check->bits & wk_checkWorld) != 0) {
        verdict = checkWorld(&scalar);
    }
    bool goesOn = verdict == wk_verdictFree || verdict == wk_verdictUnknown;
    if (goesOn && (check->bits & wk_checkDepth) != 0) {
        wkVerdict byDepth = checkDepth(&scalar);
        verdict = byDepth != wk_verdictFree ? byDepth : verdict;
    }
    if (verdict == wk_verdictFree) {
        verdict = checkAttached(&scalar, q);
    }
    check->verdicts[row] = (uint8_t)verdict;
    if (check->open != NULL) {
        check->open[row] = (float)scalar.open;
        check->unproven->parts[row] = check->unproven->pairs[row] = WK_ALL_INTERVAL_BITS;
    }
}
