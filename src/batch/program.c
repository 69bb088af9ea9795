// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Creates a program from a builder, whose frames and parts come from program_frames.c and
// program_parts.c.

#include "batch/program.h"

#include "base/error.h"
#include "base/isa_table.h"
#include "base/memory.h"
#include "batch/program_attached.h"
#include "batch/program_builder.h"
#include "batch/program_kernel.h"
#include "batch/program_pairs.h"
#include "math/round.h"
#include "robot/robot_scene_impl.h"

#include <string.h>

#define PIECE_ALIGNMENT 64

// Squares of larger distances could overflow.
#define LARGEST_REACH 1e15

WK_DEFINE_LANES(const wkProgramLanes, wkProgramLanes)

// One block with all memory of a builder.
typedef struct builderBlock {
    wkProgramBuilder builder;
    int32_t* newColumns; // by old number
    uint8_t* arePairs;   // a square matrix over parts
    int32_t pairCount;
    int32_t constantCount;
    void* memory;
    size_t byteCount;
} builderBlock;

// Returns the next piece of a block; without a start, only adds up its size.
static void* take(char* start, size_t* used, size_t count, size_t size)
{
    void* piece = start != NULL ? start + *used : NULL;
    *used += (count * size + PIECE_ALIGNMENT - 1) / PIECE_ALIGNMENT * PIECE_ALIGNMENT;
    return piece;
}

typedef struct builderSizes {
    size_t rigidGroupCount, sphereCount, partCount, sideCount;
} builderSizes;

static size_t layOutBuilder(builderBlock* block, const builderSizes* sizes, char* start)
{
    size_t used = 0, columnCount = (sizes->rigidGroupCount + 1) * WK_RIGID_GROUP_COLUMNS;
    wkProgramBuilder* builder = &block->builder;
    builder->spheres =
        (wkBuilderSphere*)take(start, &used, sizes->sphereCount, sizeof *builder->spheres);
    builder->frames =
        (wkBuilderFrame*)take(start, &used, sizes->rigidGroupCount, sizeof *builder->frames);
    builder->columns = (wkBuilderColumn*)take(start, &used, columnCount, sizeof *builder->columns);
    builder->ops = (wkOp*)take(start, &used, columnCount, sizeof *builder->ops);
    builder->rotations =
        (wkJointAngle*)take(start, &used, sizes->rigidGroupCount, sizeof *builder->rotations);
    builder->lengths =
        (wkLengthLimit*)take(start, &used, 3 * sizes->rigidGroupCount, sizeof *builder->lengths);
    builder->givens = (int32_t*)take(start, &used, sizes->rigidGroupCount, sizeof *builder->givens);
    builder->scratch =
        (wkSphere3d*)take(start, &used, sizes->sphereCount, sizeof *builder->scratch);
    builder->parts = (wkPart*)take(start, &used, sizes->partCount, sizeof *builder->parts);
    builder->runs = (wkSphereRun*)take(start, &used, sizes->sphereCount, sizeof *builder->runs);
    block->newColumns = (int32_t*)take(start, &used, columnCount, sizeof *block->newColumns);
    builder->partOfSide =
        (int32_t*)take(start, &used, sizes->sideCount, sizeof *builder->partOfSide);
    block->arePairs =
        (uint8_t*)take(start, &used, sizes->partCount * sizes->partCount, sizeof(uint8_t));
    return used;
}

// Returns the padding of a link that is added to its spheres. Spheres that cover a shape would leave gaps if
// they were smaller, even inside the shape: negative padding is ignored.
static double paddingOf(const wkRobotScene* scene, int32_t link)
{
    return wkMaxD(scene->bodySet->bodySet->paddings[link], 0.0);
}

static void addModelSpheres(wkProgramBuilder* builder, const wkRobotScene* scene,
                            const wkSphereModel* spheres)
{
    for (int32_t i = 0; i < spheres->info.sphereCount; i++) {
        const wkLinkSphere* given = &spheres->spheres[i];
        const wkRobotLink* link = &scene->robot->links[given->link];
        wkFrame inRigidGroup = wkFrameFromPose(link->pose);
        wkBuilderSphere sphere = {
            .center = wkFramePoint(&inRigidGroup, given->sphere.center),
            .radius = given->sphere.radius + paddingOf(scene, given->link),
            .rigidGroup = link->rigidGroup,
            .side = given->link,
            .number = i,
        };
        builder->spheres[builder->sphereCount++] = sphere;
    }
}

static void addAttachedSpheres(wkProgramBuilder* builder, const wkRobotScene* scene,
                               const wkAttachedSpheres* attached)
{
    int32_t shape = 0;
    const wkSphere3d* given = attached->spheres;
    for (int32_t i = 0; i < scene->bodySet->bodySet->count; i++) {
        const wkCollisionBody* body = &scene->bodySet->bodySet->bodies[i];
        int32_t count = wkIsAttached(scene, body) ? attached->counts[shape++] : 0;
        wkFrame inRigidGroup = wkFrameFromPose(body->inRigidGroup);
        for (int32_t k = 0; k < count; k++, given++) {
            wkBuilderSphere sphere = {
                .center = wkFramePoint(&inRigidGroup, given->center),
                .radius = given->radius,
                .rigidGroup = body->rigidGroup,
                .side = body->side,
                .number = builder->sphereCount,
            };
            builder->spheres[builder->sphereCount++] = sphere;
        }
    }
}

// Renumbers columns: constant ones first.
static void orderColumns(builderBlock* block)
{
    const wkProgramBuilder* builder = &block->builder;
    int32_t next = 0;
    for (int isConstant = 1; isConstant >= 0; isConstant--) {
        for (int32_t i = 0; i < builder->columnCount; i++) {
            if (builder->columns[i].isConstant == (isConstant != 0)) {
                block->newColumns[i] = next++;
            }
        }
        block->constantCount = isConstant != 0 ? next : block->constantCount;
    }
}

static wkResult makeBuilder(const wkRobotScene* scene, const wkSphereModel* spheres,
                            const wkAttachedSpheres* attached, wkPose base, builderBlock* block)
{
    size_t sphereCount = (size_t)spheres->info.sphereCount + (size_t)attached->count;
    size_t sideCount = (size_t)scene->robot->info.linkCount + WK_MAX_ATTACHED_SHAPES;
    builderSizes sizes = {(size_t)scene->robot->rigidGroupCount, sphereCount + 1,
                          sphereCount + 1 < sideCount ? sphereCount + 1 : sideCount, sideCount};
    memset(block, 0, sizeof *block);
    block->byteCount = layOutBuilder(block, &sizes, NULL);
    block->memory = wkAlloc(block->byteCount);
    if (block->memory == NULL) {
        return wkFail(wk_errorMemory, "batch: no memory for %d spheres", (int)sphereCount);
    }
    memset(block->memory, 0, block->byteCount);
    layOutBuilder(block, &sizes, (char*)block->memory);
    for (size_t i = 0; i < sideCount; i++) {
        block->builder.partOfSide[i] = -1;
    }
    block->builder.robot = scene->robot;
    block->builder.base = wkMatFromQuat(base.rotation);
    addModelSpheres(&block->builder, scene, spheres);
    addAttachedSpheres(&block->builder, scene, attached);
    wkBuilderFrames(&block->builder);
    wkBuilderParts(&block->builder);
    orderColumns(block);
    block->pairCount = wkMarkPairs(scene, &block->builder, block->arePairs);
    return wk_ok;
}

static const wkBlockArray programArrays[] = {
    WK_BLOCK_ARRAY(wkProgram, frames, rigidGroupCount, 1),
    WK_BLOCK_ARRAY(wkProgram, placements, rigidGroupCount, 1),
    WK_BLOCK_ARRAY(wkProgram, constants, constantCount, 3),
    WK_BLOCK_ARRAY(wkProgram, ops, opCount, 1),
    WK_BLOCK_ARRAY(wkProgram, rotations, rotationCount, 1),
    WK_BLOCK_ARRAY(wkProgram, lengths, lengthCount, 1),
    WK_BLOCK_ARRAY(wkProgram, limits, variableCount, 2),
    WK_BLOCK_ARRAY(wkProgram, givens, givenCount, 1),
    WK_BLOCK_ARRAY(wkProgram, parts, partCount, 1),
    WK_BLOCK_ARRAY(wkProgram, runs, runCount, 1),
    WK_BLOCK_ARRAY(wkProgram, x, sphereCount, 1),
    WK_BLOCK_ARRAY(wkProgram, y, sphereCount, 1),
    WK_BLOCK_ARRAY(wkProgram, z, sphereCount, 1),
    WK_BLOCK_ARRAY(wkProgram, radius, sphereCount, 1),
    WK_BLOCK_ARRAY(wkProgram, numbers, sphereCount, 1),
    WK_BLOCK_ARRAY(wkProgram, exact, sphereCount, 1),
    WK_BLOCK_ARRAY(wkProgram, pairs, pairCount, 1),
};

static const wkBlockLayout programLayout = {
    .name = "program",
    .magic = 0x6d676f72u,
    .version = 2,
    .numbersAt = 0,
    .numberBytes = offsetof(wkProgram, frames),
    .arrays = programArrays,
    .arrayCount = sizeof programArrays / sizeof *programArrays,
};

// Sets the offsets into the scratch.
static void layOutScratch(wkProgram* program)
{
    program->valuesAt = 3 * program->columnCount;
    program->sinesAt = program->valuesAt + program->variableCount;
    program->givensAt = program->sinesAt + 2 * program->rotationCount;
    program->centersAt = program->givensAt + 9 * program->givenCount;
    program->spheresAt = program->centersAt + 3 * program->partCount;
    program->scratchCount = program->spheresAt + 3 * program->sphereCount;
}

static void copyOps(const builderBlock* block, wkProgram* program)
{
    const int32_t* renumbered = block->newColumns;
    for (int32_t i = 0; i < program->opCount; i++) {
        wkOp* op = &program->ops[i];
        *op = block->builder.ops[i];
        for (int k = 0; k < 3; k++) {
            op->from[k] = renumbered[op->from[k]];
        }
        op->origin = op->origin >= 0 ? renumbered[op->origin] : -1;
        op->into = renumbered[op->into];
    }
    for (int32_t i = 0; i < block->builder.columnCount; i++) {
        wkBuilderColumn column = block->builder.columns[i];
        if (column.isConstant) {
            float* constant = &program->constants[3 * (size_t)renumbered[i]];
            constant[0] = (float)column.value.x;
            constant[1] = (float)column.value.y;
            constant[2] = (float)column.value.z;
        }
    }
    for (int32_t i = 0; i < program->rigidGroupCount; i++) {
        wkProgramFrame columns = block->builder.frames[i].columns;
        wkProgramFrame frame = {renumbered[columns.x], renumbered[columns.y], renumbered[columns.z],
                                renumbered[columns.origin]};
        program->frames[i] = frame;
        program->placements[i] = wkPlacementOf(&block->builder.frames[i]);
    }
}

static void copySpheres(const builderBlock* block, wkProgram* program)
{
    const wkVec3d far = {INFINITY, INFINITY, INFINITY};
    program->reach.lower = far;
    program->reach.upper = wkNeg(far);
    program->largestRadius = 0.0f;
    for (int32_t i = 0; i < program->sphereCount; i++) {
        const wkBuilderSphere* sphere = &block->builder.spheres[i];
        const wkBuilderFrame* frame = &block->builder.frames[sphere->rigidGroup];
        program->x[i] = (float)sphere->local.x;
        program->y[i] = (float)sphere->local.y;
        program->z[i] = (float)sphere->local.z;
        program->radius[i] = wkRoundUp(wkPaddedRadius(sphere));
        program->numbers[i] = sphere->number;
        wkSphere3d exact = {sphere->center, sphere->radius};
        program->exact[i] = exact;
        double radius = (double)program->radius[i];
        double out = frame->reach + wkLength(sphere->local) + wkPositive(radius);
        wkVec3d half = wkVec(out, out, out);
        program->reach.lower = wkMin(program->reach.lower, wkSub(frame->middle, half));
        program->reach.upper = wkMax(program->reach.upper, wkAdd(frame->middle, half));
        program->largestRadius = fmaxf(program->largestRadius, program->radius[i]);
    }
}

// Sets limits that contain the floats of all configurations within limits.
static void setLimits(wkProgram* program)
{
    for (int32_t i = 0; i < program->variableCount; i++) {
        const wkVariableInfo* info = &program->robot->variables[i];
        double low = info->lower - WK_LIMIT_SLACK * (1.0 + fabs(info->lower));
        double high = info->upper + WK_LIMIT_SLACK * (1.0 + fabs(info->upper));
        program->limits[2 * i] = wkRoundDown(low);
        program->limits[2 * i + 1] = wkRoundUp(high);
    }
}

static void fill(const builderBlock* block, wkProgram* program)
{
    const wkProgramBuilder* builder = &block->builder;
    copyOps(block, program);
    copySpheres(block, program);
    setLimits(program);
    wkVec3d far = wkMax(wkAbs(program->reach.lower), wkAbs(program->reach.upper));
    program->isHuge = program->sphereCount > 0 && !(wkMaxAbs(far) < LARGEST_REACH);
    memcpy(program->rotations, builder->rotations,
           (size_t)builder->rotationCount * sizeof(wkJointAngle));
    memcpy(program->lengths, builder->lengths,
           (size_t)builder->lengthCount * sizeof(wkLengthLimit));
    memcpy(program->givens, builder->givens, (size_t)builder->givenCount * sizeof(int32_t));
    memcpy(program->parts, block->builder.parts, (size_t)block->builder.partCount * sizeof(wkPart));
    memcpy(program->runs, block->builder.runs,
           (size_t)block->builder.runCount * sizeof(wkSphereRun));
    int32_t count = 0;
    for (int32_t a = 0; a < block->builder.partCount; a++) {
        for (int32_t b = a + 1; b < block->builder.partCount; b++) {
            if (block->arePairs[(size_t)a * (size_t)block->builder.partCount + (size_t)b] != 0) {
                wkPartPair pair = {a, b};
                program->pairs[count++] = pair;
            }
        }
    }
}

static void setCounts(const builderBlock* block, const wkSphereModel* spheres, wkProgram* program)
{
    program->robot = block->builder.robot;
    program->variableCount = block->builder.robot->info.variableCount;
    program->rigidGroupCount = block->builder.robot->rigidGroupCount;
    program->columnCount = block->builder.columnCount;
    program->constantCount = block->constantCount;
    program->opCount = block->builder.opCount;
    program->rotationCount = block->builder.rotationCount;
    program->lengthCount = block->builder.lengthCount;
    program->givenCount = block->builder.givenCount;
    program->partCount = block->builder.partCount;
    program->sphereCount = block->builder.sphereCount;
    program->modelSphereCount = spheres->info.sphereCount;
    program->runCount = block->builder.runCount;
    program->pairCount = block->pairCount;
    layOutScratch(program);
}

wkResult wkProgram_Create(const wkRobotScene* scene, const wkSphereModel* spheres,
                          const wkAttachedSpheres* attached, wkPose base, wkProgram** program)
{
    *program = NULL;
    if (spheres->info.robot != scene->robot) {
        return wkFail(wk_errorArgument, "batch: the spheres are those of another robot");
    }
    builderBlock block;
    wkResult result = makeBuilder(scene, spheres, attached, base, &block);
    if (result != wk_ok) {
        return result;
    }
    wkProgram* made = (wkProgram*)wkAlloc(sizeof *made);
    bool isMade = false;
    if (made != NULL) {
        memset(made, 0, sizeof *made);
        setCounts(&block, spheres, made);
        made->origin = base.position;
        made->block = wkBlock_Create(&programLayout, made, &made->byteCount);
        isMade = made->block != NULL;
    }
    if (isMade) {
        fill(&block, made);
        wkBlock_Seal(&programLayout, made->block, made);
        *program = made;
    } else {
        wkFree(made, sizeof *made);
    }
    wkFree(block.memory, block.byteCount);
    return isMade ? wk_ok : wkFail(wk_errorMemory, "batch: no memory");
}

void wkProgram_Destroy(wkProgram* program)
{
    if (program != NULL) {
        wkFree(program->block, program->byteCount);
        wkFree(program, sizeof *program);
    }
}

wkResult wkProgram_Bind(const void* block, size_t byteCount, const wkRobot* robot,
                        wkProgram* program)
{
    memset(program, 0, sizeof *program);
    program->robot = robot;
    return wkBlock_Bind(&programLayout, block, byteCount, program);
}
