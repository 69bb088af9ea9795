// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Numbers that lanes read for every block: radii with the margin, limits as floats, and which joints lie
// between two parts.

#include "batch/batch_kernel.h"

#include "base/error.h"
#include "base/isa_table.h"
#include "math/round.h"

#include <string.h>

WK_DEFINE_LANES(const wkBatchKernels, wkBatchKernels)

// More than rounding takes from the distance of two centers.
#define REACH_SHARE (1.0 + 0x1p-20)
// An arm in lanes is between two places, either of which may be off by what the radius of some sphere is
// larger for. Its axis may be off by as much at the end of the arm, and is the product of two.
#define LEVER_SLACK_SHARE 8.0
#define LEAST_LEVER_SLACK 1e-4

// Joints from a rigid group up to another one, which is left out.
static int32_t countJoints(const wkRobot* robot, int32_t rigidGroup, int32_t end)
{
    int32_t count = 0;
    for (; rigidGroup > end; rigidGroup = robot->rigidGroups[rigidGroup].parent) {
        ++count;
    }
    return count;
}

// No fewer than there are.
static int32_t countWays(const wkBatch* batch)
{
    int32_t count = 0;
    for (int32_t i = 0; i < batch->program->rigidGroupCount; ++i) {
        count += countJoints(batch->robot, i, 0);
    }
    return count;
}

static const wkBlockArray tableArrays[] = {
    WK_BLOCK_ARRAY(wkBatch, radii, counts.sphereCount, 1),
    WK_BLOCK_ARRAY(wkBatch, partRadii, counts.partCount, 1),
    WK_BLOCK_ARRAY(wkBatch, sphereReaches, counts.sphereCount, 1),
    WK_BLOCK_ARRAY(wkBatch, centerReaches, counts.partCount, 1),
    WK_BLOCK_ARRAY(wkBatch, partReaches, counts.partCount, 1),
    WK_BLOCK_ARRAY(wkBatch, pairReaches, counts.pairCount, 2),
    WK_BLOCK_ARRAY(wkBatch, partOrder, counts.partCount, 1),
    WK_BLOCK_ARRAY(wkBatch, pairTops, counts.pairCount, 1),
    WK_BLOCK_ARRAY(wkBatch, carriers, counts.groupCount, 1),
    WK_BLOCK_ARRAY(wkBatch, partWays, counts.partCount, 1),
    WK_BLOCK_ARRAY(wkBatch, isWayUsed, counts.wayCapacity, 1),
    WK_BLOCK_ARRAY(wkBatch, pairWays, counts.pairCount, 2),
    WK_BLOCK_ARRAY(wkBatch, limits, counts.variableCount, 2),
    WK_BLOCK_ARRAY(wkBatch, partBodies, counts.partCount, 1),
    WK_BLOCK_ARRAY(wkBatch, innerRadii, counts.sphereCount, 1),
    WK_BLOCK_ARRAY(wkBatch, bodyReaches, counts.partCount, 1),
    WK_BLOCK_ARRAY(wkBatch, hasBodyPair, counts.pairCount, 1),
};

static const wkBlockLayout tableLayout = {
    .name = "tables",
    .magic = 0x6c626174u,
    .version = 1,
    .numbersAt = offsetof(wkBatch, counts),
    .numberBytes = offsetof(wkBatch, radii) - offsetof(wkBatch, counts),
    .arrays = tableArrays,
    .arrayCount = sizeof tableArrays / sizeof *tableArrays,
};

static void setCounts(wkBatch* batch)
{
    const wkProgram* program = batch->program;
    wkTableCounts counts = {
        .sphereCount = program->sphereCount,
        .partCount = program->partCount,
        .pairCount = program->pairCount,
        .groupCount = program->rigidGroupCount,
        .variableCount = program->variableCount,
        .wayCapacity = countWays(batch),
    };
    batch->counts = counts;
}

static int32_t commonRigidGroup(const wkRobot* robot, int32_t a, int32_t b)
{
    while (a != b) {
        if (a > b) {
            a = robot->rigidGroups[a].parent;
        } else {
            b = robot->rigidGroups[b].parent;
        }
    }
    return a;
}

static wkVec3d centerOfSphere(const wkProgram* program, int32_t sphere)
{
    return wkVec((double)program->x[sphere], (double)program->y[sphere],
                 (double)program->z[sphere]);
}

static wkVec3d centerOfPart(const wkPart* part)
{
    return wkVec((double)part->x, (double)part->y, (double)part->z);
}

// Adds a point to those that a sphere is around.
static void takePoint(wkVec3d point, bool isFirst, wkSphere3d* sphere)
{
    wkSphere3d both[2] = {{point, 0.0}, *sphere};
    *sphere = wkSphereAround(both, isFirst ? 1 : 2);
}

// A sphere around the centers of all parts on a rigid group, and of their spheres; false when there are none.
// Spheres are the same when they turn: how far their centers go is all that counts.
static bool sphereOfRigidGroup(const wkProgram* program, int32_t rigidGroup, wkSphere3d* sphere)
{
    bool isFirst = true;
    for (int32_t i = 0; i < program->partCount; ++i) {
        const wkPart* part = &program->parts[i];
        if (part->rigidGroup != rigidGroup) {
            continue;
        }
        takePoint(centerOfPart(part), isFirst, sphere);
        isFirst = false;
        for (int32_t k = part->firstSphere; k < part->firstSphere + part->sphereCount; ++k) {
            takePoint(centerOfSphere(program, k), false, sphere);
        }
    }
    return !isFirst;
}

static wkCarrier* carrierOf(const wkBatch* batch, int32_t part)
{
    wkCarrier* carrier = batch->carriers;
    while (carrier->rigidGroup != batch->program->parts[part].rigidGroup) {
        ++carrier;
    }
    return carrier;
}

// The way of a part for the joints up to `top`.
static int32_t useWay(const wkBatch* batch, int32_t part, int32_t top)
{
    const wkCarrier* carrier = carrierOf(batch, part);
    int32_t count = countJoints(batch->robot, carrier->rigidGroup, top);
    int32_t way = count > 0 ? carrier->firstWay + count - 1 : -1;
    if (way >= 0) {
        batch->isWayUsed[way] = true;
    }
    return way;
}

static void setCarriers(wkBatch* batch)
{
    batch->wayCount = 0;
    batch->carrierCount = 0;
    for (int32_t i = 0; i < batch->program->rigidGroupCount; ++i) {
        wkSphere3d sphere = {{0.0, 0.0, 0.0}, 0.0};
        if (sphereOfRigidGroup(batch->program, i, &sphere)) {
            wkCarrier carrier = {.rigidGroup = i,
                                 .firstWay = batch->wayCount,
                                 .x = (float)sphere.center.x,
                                 .y = (float)sphere.center.y,
                                 .z = (float)sphere.center.z};
            batch->carriers[batch->carrierCount++] = carrier;
            batch->wayCount += countJoints(batch->robot, i, 0);
        }
    }
}

// How far a point is from that of its carrier.
static float reachOf(const wkCarrier* carrier, wkVec3d point)
{
    wkVec3d middle = wkVec((double)carrier->x, (double)carrier->y, (double)carrier->z);
    return wkRoundUp(wkLength(wkSub(point, middle)) * REACH_SHARE);
}

static void setReaches(wkBatch* batch)
{
    const wkProgram* program = batch->program;
    double slack = 0.0;
    for (int32_t i = 0; i < program->partCount; ++i) {
        const wkPart* part = &program->parts[i];
        wkCarrier* carrier = carrierOf(batch, i);
        batch->centerReaches[i] = reachOf(carrier, centerOfPart(part));
        batch->partReaches[i] = batch->centerReaches[i];
        for (int32_t k = part->firstSphere; k < part->firstSphere + part->sphereCount; ++k) {
            batch->sphereReaches[k] = reachOf(carrier, centerOfSphere(program, k));
            batch->partReaches[i] = fmaxf(batch->partReaches[i], batch->sphereReaches[k]);
            slack = wkMaxD(slack, (double)program->radius[k] - program->exact[k].radius);
        }
        carrier->reach = fmaxf(carrier->reach, batch->partReaches[i]);
    }
    for (int32_t i = 0; i < 2 * program->pairCount; ++i) {
        const wkPartPair* pair = &program->pairs[i / 2];
        wkContactSphere sphere = batch->contacts->pairs[i / 2].around[i % 2];
        wkVec3d center = wkVec((double)sphere.x, (double)sphere.y, (double)sphere.z);
        batch->pairReaches[i] = reachOf(carrierOf(batch, i % 2 == 0 ? pair->a : pair->b), center);
    }
    batch->leverSlack = wkRoundUp(LEAST_LEVER_SLACK + LEVER_SLACK_SHARE * slack);
}

static void setWays(wkBatch* batch)
{
    const wkProgram* program = batch->program;
    memset(batch->isWayUsed, 0, (size_t)batch->counts.wayCapacity * sizeof *batch->isWayUsed);
    setCarriers(batch);
    setReaches(batch);
    for (int32_t i = 0; i < program->partCount; ++i) {
        batch->partWays[i] = useWay(batch, i, 0);
        carrierOf(batch, i)->parts |= wkIntervalBit(i);
    }
    for (int32_t i = 0; i < program->pairCount; ++i) {
        wkPartPair pair = program->pairs[i];
        batch->pairWays[2 * i] = useWay(batch, pair.a, batch->pairTops[i]);
        batch->pairWays[2 * i + 1] = useWay(batch, pair.b, batch->pairTops[i]);
        carrierOf(batch, pair.a)->pairs |= wkIntervalBit(i);
        carrierOf(batch, pair.b)->pairs |= wkIntervalBit(i);
    }
}

// Parts of few spheres first, which cost little: what they settle is left out of the others. Of those of as
// many, the outermost first: they move most.
static void setOrder(wkBatch* batch)
{
    const wkPart* parts = batch->program->parts;
    for (int32_t i = 0; i < batch->program->partCount; ++i) {
        int32_t slot = i;
        for (; slot > 0; --slot) {
            int32_t before = batch->partOrder[slot - 1];
            if (parts[before].sphereCount < parts[i].sphereCount) {
                break;
            }
            batch->partOrder[slot] = before;
        }
        batch->partOrder[slot] = i;
    }
}

// The next float inward, so that numbers between the two are within the limits as doubles too.
static float above(double limit)
{
    float rounded = wkRoundUp(limit);
    return nextafterf(rounded, INFINITY);
}

static void fill(wkBatch* batch)
{
    const wkProgram* program = batch->program;
    batch->margin = wkRoundUp(batch->def.margin);
    for (int32_t i = 0; i < program->sphereCount; ++i) {
        batch->radii[i] = wkRoundUp((double)program->radius[i] + batch->def.margin);
    }
    for (int32_t i = 0; i < program->partCount; ++i) {
        batch->partRadii[i] = wkRoundUp((double)program->parts[i].radius + batch->def.margin);
    }
    for (int32_t i = 0; i < program->pairCount; ++i) {
        int32_t a = program->parts[program->pairs[i].a].rigidGroup;
        int32_t b = program->parts[program->pairs[i].b].rigidGroup;
        batch->pairTops[i] = commonRigidGroup(batch->robot, a, b);
    }
    for (int32_t i = 0; i < program->variableCount; ++i) {
        const wkVariableInfo* variable = &batch->robot->variables[i];
        batch->limits[2 * i] = above(variable->lower);
        batch->limits[2 * i + 1] = -above(-variable->upper);
    }
}

wkResult wkMakeTables(wkBatch* batch)
{
    setCounts(batch);
    batch->tables = wkBlock_Create(&tableLayout, batch, &batch->tableByteCount);
    if (batch->tables == NULL) {
        return wkFail(wk_errorMemory, "batch: no memory for %zu bytes", batch->tableByteCount);
    }
    fill(batch);
    setWays(batch);
    setOrder(batch);
    wkSetPartBodies(batch);
    wkBlock_Seal(&tableLayout, batch->tables, batch);
    return wk_ok;
}

wkResult wkBindTables(const void* block, size_t byteCount, wkBatch* batch)
{
    return wkBlock_Bind(&tableLayout, block, byteCount, batch);
}
