// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Balls for what a robot holds. Boxes, which are held most, are cut into cells at once, with a ball
// around each; other shapes are fitted.

#include "batch/program_held.h"

#include "base/error.h"
#include "base/memory.h"
#include "robot/robot_scene.h"
#include "whisker/fit.h"

#include <string.h>

// Balls for one shape at most.
#define MOST_BALLS 512

// Metres by which balls may stick out, where there are enough of them.
#define ACCURACY 0.01

// Cells of a box.
typedef struct boxCells {
    int counts[3];
    wkVec3d half; // of a cell
} boxCells;

static int countAlong(double length, double size)
{
    double count = ceil(length / size * (1.0 - 1e-9));
    return count < 1.0 ? 1 : count > MOST_BALLS ? MOST_BALLS + 1 : (int)count;
}

static boxCells cellsOf(wkVec3d half, double size)
{
    boxCells cells = {{countAlong(2.0 * half.x, size), countAlong(2.0 * half.y, size),
                       countAlong(2.0 * half.z, size)},
                      half};
    cells.half.x = half.x / cells.counts[0];
    cells.half.y = half.y / cells.counts[1];
    cells.half.z = half.z / cells.counts[2];
    return cells;
}

static bool hasRoom(const boxCells* cells)
{
    int64_t count = (int64_t)cells->counts[0] * cells->counts[1] * cells->counts[2];
    return count <= MOST_BALLS;
}

// How far the ball around a cell sticks out of the face that is nearest to its middle.
static double protrusionOf(const boxCells* cells)
{
    return wkLength(cells->half) - wkMinD(cells->half.x, wkMinD(cells->half.y, cells->half.z));
}

// The coarsest cells that are fine enough, or the finest that there is room for.
static boxCells chooseCells(wkVec3d half)
{
    double size = 2.0 * wkMaxD(half.x, wkMaxD(half.y, half.z));
    boxCells best = cellsOf(half, size);
    while (size > 0.0 && protrusionOf(&best) > ACCURACY) {
        size *= 0.9;
        boxCells finer = cellsOf(half, size);
        if (!hasRoom(&finer)) {
            break;
        }
        best = finer;
    }
    return best;
}

static void coverBox(const wkShape* shape, wkBall* balls, int32_t* count)
{
    wkVec3d half = shape->box.half;
    boxCells cells = chooseCells(half);
    double radius = wkLength(cells.half) * (1.0 + 1e-12) + shape->rounding + shape->padding;
    *count = 0;
    for (int i = 0; i < cells.counts[0]; i++) {
        for (int j = 0; j < cells.counts[1]; j++) {
            for (int k = 0; k < cells.counts[2]; k++) {
                wkVec3d number = wkVec(2.0 * i + 1.0, 2.0 * j + 1.0, 2.0 * k + 1.0);
                wkBall ball = {wkSub(wkMulVec(number, cells.half), half), radius};
                balls[(*count)++] = ball;
            }
        }
    }
}

static void coverWhole(const wkCrewMember* member, wkBall* balls, int32_t* count)
{
    wkBall ball = {member->middle, wkLength(member->half) * (1.0 + 1e-12)};
    balls[0] = ball;
    *count = 1;
}

// Padding below zero is left out: what touches in spite of it may be too thin for any ball of the less.
static wkResult coverShape(const wkCrewMember* member, wkBall* balls, int32_t* count)
{
    wkShape shape = member->shape;
    shape.padding = wkMaxD(shape.padding, 0.0);
    if (shape.type == wk_shapeBox) {
        coverBox(&shape, balls, count);
        return wk_ok;
    }
    wkFitDef def = wkDefaultFitDef();
    def.accuracy = ACCURACY;
    def.maxCount = MOST_BALLS / 2;
    wkResult result = wkFitBalls(&shape, &def, balls, MOST_BALLS, count, NULL);
    if (result != wk_ok && result != wk_errorMemory) {
        coverWhole(member, balls, count);
        result = wk_ok;
    }
    return result;
}

bool wkIsHeld(const wkRobotScene* scene, const wkCrewMember* member)
{
    return member->side >= scene->robot->info.linkCount && !member->isEmpty;
}

wkResult wkHeldBalls_Create(const wkRobotScene* scene, wkHeldBalls* held)
{
    const wkCrew* crew = scene->crew->crew;
    memset(held, 0, sizeof *held);
    held->byteCount =
        (size_t)(crew->count - scene->robot->info.bodyCount) * MOST_BALLS * sizeof(wkBall);
    if (held->byteCount == 0) {
        return wk_ok;
    }
    held->balls = (wkBall*)wkAlloc(held->byteCount);
    wkResult result = held->balls != NULL ? wk_ok : wkFail(wk_errorMemory, "batch: no memory");
    int32_t shape = 0;
    for (int32_t i = 0; i < crew->count && result == wk_ok; i++) {
        if (wkIsHeld(scene, &crew->members[i])) {
            result = coverShape(&crew->members[i], held->balls + held->count, &held->counts[shape]);
            held->count += held->counts[shape++];
        }
    }
    return result;
}

void wkHeldBalls_Free(wkHeldBalls* held)
{
    wkFree(held->balls, held->byteCount);
}
