// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Balls for what a robot holds. Boxes, which are held most, are cut into cells at once, with a ball
// around each; other shapes are fitted.

#include "batch/program_held.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/random.h"
#include "fit/fit.h"
#include "geom/hull.h"
#include "robot/robot_scene.h"
#include "tree/mesh.h"

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
    wkResult result = wkFitQuickly(&shape, ACCURACY, balls, MOST_BALLS / 2, count);
    if (result != wk_ok && result != wk_errorMemory) {
        coverWhole(member, balls, count);
        result = wk_ok;
    }
    return result;
}

// Depends on every one of some words of 4 bytes.
static uint64_t mixWords(uint64_t mixed, const void* words, size_t byteCount)
{
    for (size_t i = 0; i < byteCount; i += 4) {
        uint32_t word;
        memcpy(&word, (const char*)words + i, sizeof word);
        mixed = wkMixBits(mixed + WK_GOLDEN_STEP + word);
    }
    return mixed;
}

static uint64_t mixMesh(const wkShape* shape)
{
    const wkMesh* mesh = shape->mesh;
    size_t vertexCount = (size_t)mesh->vertexCount, triangleCount = (size_t)mesh->triangleCount;
    uint64_t mixed = mixWords(mesh->isSolid, wkMeshVertices(mesh), vertexCount * sizeof(wkVec3d));
    return mixWords(mixed, wkMeshTriangles(mesh), 3 * triangleCount * sizeof(int32_t));
}

static uint64_t mixHull(const wkShape* shape)
{
    const wkHull* hull = shape->hull;
    size_t byteCount = (size_t)hull->vertexCount * sizeof(double);
    uint64_t mixed = mixWords(0, wkHullX(hull), byteCount);
    return mixWords(mixWords(mixed, wkHullY(hull), byteCount), wkHullZ(hull), byteCount);
}

// How to tell that a shape is the one of before: its numbers, and those of what it borrows. Boxes are
// cut faster than compared; kinds that are not here are fitted each time.
static const struct {
    size_t byteCount;
    uint64_t (*content)(const wkShape* shape);
} keyTable[wk_shapeTypeCount] = {
    [wk_shapeSphere] = {sizeof(wkSphere), NULL},
    [wk_shapeCapsule] = {sizeof(wkCapsule), NULL},
    [wk_shapeCylinder] = {sizeof(wkCylinder), NULL},
    [wk_shapeCone] = {sizeof(wkCone), NULL},
    [wk_shapeEllipsoid] = {sizeof(wkEllipsoid), NULL},
    [wk_shapeTriangle] = {sizeof(wkTriangle), NULL},
    [wk_shapeHull] = {sizeof(const wkHull*), mixHull},
    [wk_shapeMesh] = {sizeof(const wkMesh*), mixMesh},
};

static wkHeldKey keyOf(const wkShape* shape)
{
    wkHeldKey key = {.shape = *shape};
    if (keyTable[shape->type].content != NULL) {
        key.content = keyTable[shape->type].content(shape);
    }
    return key;
}

static bool areAlike(const wkHeldKey* a, const wkHeldKey* b)
{
    const wkShape *s = &a->shape, *t = &b->shape;
    size_t byteCount = keyTable[s->type].byteCount;
    return s->type == t->type && s->rounding == t->rounding && s->padding == t->padding &&
           a->content == b->content && byteCount > 0 &&
           memcmp(&s->sphere, &t->sphere, byteCount) == 0;
}

static bool copyEarlier(const wkHeldBalls* earlier, const wkHeldKey* key, wkBall* balls,
                        int32_t* count)
{
    const wkBall* first = earlier->balls;
    for (int32_t i = 0; i < earlier->shapeCount; first += earlier->counts[i++]) {
        if (areAlike(&earlier->keys[i], key)) {
            *count = earlier->counts[i];
            memcpy(balls, first, (size_t)*count * sizeof *balls);
            return true;
        }
    }
    return false;
}

bool wkIsHeld(const wkRobotScene* scene, const wkCrewMember* member)
{
    return member->side >= scene->robot->info.linkCount && !member->isEmpty;
}

static wkResult addShape(const wkCrewMember* member, const wkHeldBalls* earlier, wkHeldBalls* held)
{
    int32_t shape = held->shapeCount;
    wkBall* balls = held->balls + held->count;
    held->keys[shape] = keyOf(&member->shape);
    wkResult result = wk_ok;
    if (!copyEarlier(earlier, &held->keys[shape], balls, &held->counts[shape])) {
        result = coverShape(member, balls, &held->counts[shape]);
    }
    held->count += held->counts[shape];
    held->shapeCount++;
    return result;
}

wkResult wkHeldBalls_Create(const wkRobotScene* scene, const wkHeldBalls* earlier,
                            wkHeldBalls* held)
{
    const wkCrew* crew = scene->crew->crew;
    memset(held, 0, sizeof *held);
    size_t shapeCount = (size_t)(crew->count - scene->robot->info.bodyCount);
    if (shapeCount == 0) {
        return wk_ok;
    }
    size_t ballBytes = shapeCount * MOST_BALLS * sizeof(wkBall);
    held->byteCount = ballBytes + shapeCount * sizeof(wkHeldKey);
    held->balls = (wkBall*)wkAlloc(held->byteCount);
    if (held->balls == NULL) {
        return wkFail(wk_errorMemory, "batch: no memory");
    }
    held->keys = (wkHeldKey*)((char*)held->balls + ballBytes);
    wkResult result = wk_ok;
    for (int32_t i = 0; i < crew->count && result == wk_ok; i++) {
        if (wkIsHeld(scene, &crew->members[i])) {
            result = addShape(&crew->members[i], earlier, held);
        }
    }
    return result;
}

void wkHeldBalls_Free(wkHeldBalls* held)
{
    wkFree(held->balls, held->byteCount);
}
