// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Making a program: from a draft, whose frames and parts are those of program_frames.c and
// program_parts.c.

#include "batch/program.h"

#include "base/error.h"
#include "base/lanes.h"
#include "base/memory.h"
#include "batch/lane_program.h"
#include "batch/program_draft.h"
#include "batch/program_held.h"
#include "batch/program_pairs.h"
#include "math/round.h"
#include "robot/robot_scene.h"

#include <string.h>

#define PIECE_ALIGNMENT 64

// Squares of larger distances could run over.
#define LARGEST_REACH 1e15

WK_DEFINE_LANES(const wkProgramLanes, wkProgramLanes)

// Everything of a draft is in one block.
typedef struct draftBlock {
    wkProgramDraft draft;
    int32_t* newColumns; // by old number
    uint8_t* arePairs;   // a square of parts
    int32_t pairCount;
    int32_t constantCount;
    void* memory;
    size_t byteCount;
} draftBlock;

// The next piece of a block; without a start the block is only counted.
static void* take(char* start, size_t* used, size_t count, size_t size)
{
    void* piece = start != NULL ? start + *used : NULL;
    *used += (count * size + PIECE_ALIGNMENT - 1) / PIECE_ALIGNMENT * PIECE_ALIGNMENT;
    return piece;
}

typedef struct draftSizes {
    size_t moverCount, ballCount, partCount, sideCount;
} draftSizes;

static size_t layOutDraft(draftBlock* block, const draftSizes* sizes, char* start)
{
    size_t used = 0, columnCount = (sizes->moverCount + 1) * WK_MOVER_COLUMNS;
    wkProgramDraft* draft = &block->draft;
    draft->balls = (wkDraftBall*)take(start, &used, sizes->ballCount, sizeof *draft->balls);
    draft->frames = (wkDraftFrame*)take(start, &used, sizes->moverCount, sizeof *draft->frames);
    draft->columns = (wkDraftColumn*)take(start, &used, columnCount, sizeof *draft->columns);
    draft->ops = (wkOp*)take(start, &used, columnCount, sizeof *draft->ops);
    draft->turns = (wkJointTurn*)take(start, &used, sizes->moverCount, sizeof *draft->turns);
    draft->lengths =
        (wkLengthLimit*)take(start, &used, 3 * sizes->moverCount, sizeof *draft->lengths);
    draft->givens = (int32_t*)take(start, &used, sizes->moverCount, sizeof *draft->givens);
    draft->room = (wkBall*)take(start, &used, sizes->ballCount, sizeof *draft->room);
    draft->parts = (wkPart*)take(start, &used, sizes->partCount, sizeof *draft->parts);
    draft->runs = (wkBallRun*)take(start, &used, sizes->ballCount, sizeof *draft->runs);
    block->newColumns = (int32_t*)take(start, &used, columnCount, sizeof *block->newColumns);
    draft->partOfSide = (int32_t*)take(start, &used, sizes->sideCount, sizeof *draft->partOfSide);
    block->arePairs =
        (uint8_t*)take(start, &used, sizes->partCount * sizes->partCount, sizeof(uint8_t));
    return used;
}

// What the padding of a link adds to its balls. Balls that cover a shape would leave gaps if they were
// smaller, also where the shape is: padding below zero takes nothing from them.
static double paddingOf(const wkRobotScene* scene, int32_t link)
{
    return wkMaxD(scene->crew->crew->paddings[link], 0.0);
}

static void addModelBalls(wkProgramDraft* draft, const wkRobotScene* scene,
                          const wkSphereModel* spheres)
{
    for (int32_t i = 0; i < spheres->info.ballCount; i++) {
        const wkLinkBall* given = &spheres->balls[i];
        const wkRobotLink* link = &scene->robot->links[given->link];
        wkFrame inMover = wkFrameFromPose(link->pose);
        wkDraftBall ball = {
            .center = wkFramePoint(&inMover, given->ball.center),
            .radius = given->ball.radius + paddingOf(scene, given->link),
            .mover = link->mover,
            .side = given->link,
            .number = i,
        };
        draft->balls[draft->ballCount++] = ball;
    }
}

static void addHeldBalls(wkProgramDraft* draft, const wkRobotScene* scene, const wkHeldBalls* held)
{
    int32_t shape = 0;
    const wkBall* given = held->balls;
    for (int32_t i = 0; i < scene->crew->crew->count; i++) {
        const wkCrewMember* member = &scene->crew->crew->members[i];
        int32_t count = wkIsHeld(scene, member) ? held->counts[shape++] : 0;
        wkFrame inMover = wkFrameFromPose(member->inMover);
        for (int32_t k = 0; k < count; k++, given++) {
            wkDraftBall ball = {
                .center = wkFramePoint(&inMover, given->center),
                .radius = given->radius,
                .mover = member->mover,
                .side = member->side,
                .number = draft->ballCount,
            };
            draft->balls[draft->ballCount++] = ball;
        }
    }
}

// New numbers for columns: constant ones first.
static void orderColumns(draftBlock* block)
{
    const wkProgramDraft* draft = &block->draft;
    int32_t next = 0;
    for (int isConstant = 1; isConstant >= 0; isConstant--) {
        for (int32_t i = 0; i < draft->columnCount; i++) {
            if (draft->columns[i].isConstant == (isConstant != 0)) {
                block->newColumns[i] = next++;
            }
        }
        block->constantCount = isConstant != 0 ? next : block->constantCount;
    }
}

static wkResult makeDraft(const wkRobotScene* scene, const wkSphereModel* spheres,
                          const wkHeldBalls* held, wkPose base, draftBlock* block)
{
    size_t ballCount = (size_t)spheres->info.ballCount + (size_t)held->count;
    size_t sideCount = (size_t)scene->robot->info.linkCount + WK_MAX_ATTACHED_SHAPES;
    draftSizes sizes = {(size_t)scene->robot->moverCount, ballCount + 1,
                        ballCount + 1 < sideCount ? ballCount + 1 : sideCount, sideCount};
    memset(block, 0, sizeof *block);
    block->byteCount = layOutDraft(block, &sizes, NULL);
    block->memory = wkAlloc(block->byteCount);
    if (block->memory == NULL) {
        return wkFail(wk_errorMemory, "batch: no memory for %d balls", (int)ballCount);
    }
    memset(block->memory, 0, block->byteCount);
    layOutDraft(block, &sizes, (char*)block->memory);
    for (size_t i = 0; i < sideCount; i++) {
        block->draft.partOfSide[i] = -1;
    }
    block->draft.robot = scene->robot;
    block->draft.base = wkMatFromQuat(base.rotation);
    addModelBalls(&block->draft, scene, spheres);
    addHeldBalls(&block->draft, scene, held);
    wkDraftFrames(&block->draft);
    wkDraftParts(&block->draft);
    orderColumns(block);
    block->pairCount = wkMarkPairs(scene, &block->draft, block->arePairs);
    return wk_ok;
}

static size_t layOutProgram(wkProgram* program, char* start)
{
    size_t used = 0;
    size_t ballCount = (size_t)program->ballCount;
    take(start, &used, 1, sizeof *program);
    program->frames =
        (wkProgramFrame*)take(start, &used, (size_t)program->moverCount, sizeof *program->frames);
    program->constants =
        (float*)take(start, &used, 3 * (size_t)program->constantCount, sizeof(float));
    program->ops = (wkOp*)take(start, &used, (size_t)program->opCount, sizeof *program->ops);
    program->turns =
        (wkJointTurn*)take(start, &used, (size_t)program->turnCount, sizeof(wkJointTurn));
    program->lengths =
        (wkLengthLimit*)take(start, &used, (size_t)program->lengthCount, sizeof(wkLengthLimit));
    program->limits = (float*)take(start, &used, 2 * (size_t)program->variableCount, sizeof(float));
    program->givens = (int32_t*)take(start, &used, (size_t)program->givenCount, sizeof(int32_t));
    program->parts = (wkPart*)take(start, &used, (size_t)program->partCount, sizeof(wkPart));
    program->runs = (wkBallRun*)take(start, &used, (size_t)program->runCount, sizeof(wkBallRun));
    program->x = (float*)take(start, &used, ballCount, sizeof(float));
    program->y = (float*)take(start, &used, ballCount, sizeof(float));
    program->z = (float*)take(start, &used, ballCount, sizeof(float));
    program->radius = (float*)take(start, &used, ballCount, sizeof(float));
    program->numbers = (int32_t*)take(start, &used, ballCount, sizeof(int32_t));
    program->exact = (wkBall*)take(start, &used, ballCount, sizeof(wkBall));
    program->pairs =
        (wkPartPair*)take(start, &used, (size_t)program->pairCount, sizeof(wkPartPair));
    return used;
}

// Where things are in the room of lanes.
static void layOutRoom(wkProgram* program)
{
    program->valuesAt = 3 * program->columnCount;
    program->sinesAt = program->valuesAt + program->variableCount;
    program->givensAt = program->sinesAt + 2 * program->turnCount;
    program->centersAt = program->givensAt + 9 * program->givenCount;
    program->ballsAt = program->centersAt + 3 * program->partCount;
    program->roomCount = program->ballsAt + 3 * program->ballCount;
}

static void copyOps(const draftBlock* block, wkProgram* program)
{
    const int32_t* renumbered = block->newColumns;
    for (int32_t i = 0; i < program->opCount; i++) {
        wkOp* op = &program->ops[i];
        *op = block->draft.ops[i];
        for (int k = 0; k < 3; k++) {
            op->from[k] = renumbered[op->from[k]];
        }
        op->place = op->place >= 0 ? renumbered[op->place] : -1;
        op->into = renumbered[op->into];
    }
    for (int32_t i = 0; i < block->draft.columnCount; i++) {
        wkDraftColumn column = block->draft.columns[i];
        if (column.isConstant) {
            float* constant = &program->constants[3 * (size_t)renumbered[i]];
            constant[0] = (float)column.value.x;
            constant[1] = (float)column.value.y;
            constant[2] = (float)column.value.z;
        }
    }
    for (int32_t i = 0; i < program->moverCount; i++) {
        wkProgramFrame columns = block->draft.frames[i].columns;
        wkProgramFrame frame = {renumbered[columns.x], renumbered[columns.y], renumbered[columns.z],
                                renumbered[columns.place]};
        program->frames[i] = frame;
    }
}

static void copyBalls(const draftBlock* block, wkProgram* program)
{
    const wkVec3d far = {INFINITY, INFINITY, INFINITY};
    program->reach.lower = far;
    program->reach.upper = wkNeg(far);
    program->largestRadius = 0.0f;
    for (int32_t i = 0; i < program->ballCount; i++) {
        const wkDraftBall* ball = &block->draft.balls[i];
        const wkDraftFrame* frame = &block->draft.frames[ball->mover];
        program->x[i] = (float)ball->local.x;
        program->y[i] = (float)ball->local.y;
        program->z[i] = (float)ball->local.z;
        program->radius[i] = wkRoundUp(wkPaddedRadius(ball));
        program->numbers[i] = ball->number;
        wkBall exact = {ball->center, ball->radius};
        program->exact[i] = exact;
        double radius = (double)program->radius[i];
        double out = frame->reach + wkLength(ball->local) + wkPositive(radius);
        wkVec3d half = wkVec(out, out, out);
        program->reach.lower = wkMin(program->reach.lower, wkSub(frame->middle, half));
        program->reach.upper = wkMax(program->reach.upper, wkAdd(frame->middle, half));
        program->largestRadius = fmaxf(program->largestRadius, program->radius[i]);
    }
}

// Floats of configurations within limits are within these.
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

static void fill(const draftBlock* block, wkProgram* program)
{
    const wkProgramDraft* draft = &block->draft;
    copyOps(block, program);
    copyBalls(block, program);
    setLimits(program);
    wkVec3d far = wkMax(wkAbs(program->reach.lower), wkAbs(program->reach.upper));
    program->isHuge = program->ballCount > 0 && !(wkMaxAbs(far) < LARGEST_REACH);
    memcpy(program->turns, draft->turns, (size_t)draft->turnCount * sizeof(wkJointTurn));
    memcpy(program->lengths, draft->lengths, (size_t)draft->lengthCount * sizeof(wkLengthLimit));
    memcpy(program->givens, draft->givens, (size_t)draft->givenCount * sizeof(int32_t));
    memcpy(program->parts, block->draft.parts, (size_t)block->draft.partCount * sizeof(wkPart));
    memcpy(program->runs, block->draft.runs, (size_t)block->draft.runCount * sizeof(wkBallRun));
    int32_t count = 0;
    for (int32_t a = 0; a < block->draft.partCount; a++) {
        for (int32_t b = a + 1; b < block->draft.partCount; b++) {
            if (block->arePairs[(size_t)a * (size_t)block->draft.partCount + (size_t)b] != 0) {
                wkPartPair pair = {a, b};
                program->pairs[count++] = pair;
            }
        }
    }
}

static wkProgram countsOf(const draftBlock* block)
{
    wkProgram counts = {
        .robot = block->draft.robot,
        .variableCount = block->draft.robot->info.variableCount,
        .moverCount = block->draft.robot->moverCount,
        .columnCount = block->draft.columnCount,
        .constantCount = block->constantCount,
        .opCount = block->draft.opCount,
        .turnCount = block->draft.turnCount,
        .lengthCount = block->draft.lengthCount,
        .givenCount = block->draft.givenCount,
        .partCount = block->draft.partCount,
        .ballCount = block->draft.ballCount,
        .runCount = block->draft.runCount,
        .pairCount = block->pairCount,
    };
    return counts;
}

wkResult wkProgram_Create(const wkRobotScene* scene, const wkSphereModel* spheres,
                          const wkHeldBalls* held, wkPose base, wkProgram** program)
{
    *program = NULL;
    if (spheres->info.robot != scene->robot) {
        return wkFail(wk_errorArgument, "batch: the spheres are those of another robot");
    }
    draftBlock block;
    wkResult result = makeDraft(scene, spheres, held, base, &block);
    if (result != wk_ok) {
        return result;
    }
    wkProgram counts = countsOf(&block);
    counts.byteCount = layOutProgram(&counts, NULL);
    wkProgram* made = (wkProgram*)wkAlloc(counts.byteCount);
    if (made != NULL) {
        *made = counts;
        layOutProgram(made, (char*)made);
        layOutRoom(made);
        made->origin = base.position;
        made->modelBallCount = spheres->info.ballCount;
        fill(&block, made);
    }
    wkFree(block.memory, block.byteCount);
    *program = made;
    return made != NULL ? wk_ok : wkFail(wk_errorMemory, "batch: no memory");
}

void wkProgram_Destroy(wkProgram* program)
{
    if (program != NULL) {
        wkFree(program, program->byteCount);
    }
}
