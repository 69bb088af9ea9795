// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Cells and objects in three arrangements. See cells.h.

#include "cells.h"

#include <string.h>

#define BLOCK_SIDE 20
#define BLOCK_VERTEX 6 // of this side, left out of the block
#define GRID_SIDE 100

// Free objects stay this far from the cells, in metres.
#define CLEARANCE 0.02

static const struct {
    const char* name;
    double reach;      // of the places of objects
    double objectSize; // about
} kinds[wk_cellKindCount] = {
    [wk_cellsBlock] = {"block", 200.0, 20.0},
    [wk_cellsScatter] = {"scatter", 5.0, 0.4},
    [wk_cellsFree] = {"free", 5.0, 0.4},
};

// Radius of a sphere about the origin of a shape that holds it.
static double shapeReach(const wkShape* shape)
{
    wkAabb box = wkShape_Bounds(shape, wkIdentityPose());
    return wkSceneLength(box.upper);
}

static wkVec3d randomPosition(wkRng* rng, double reach)
{
    double x = wkRngRange(rng, -reach, reach), y = wkRngRange(rng, -reach, reach);
    return wkSceneVec(x, y, wkRngRange(rng, -reach, reach));
}

static wkShape randomShape(wkRng* rng, int type, double size)
{
    double a = size * wkRngRange(rng, 0.5, 1.5), b = size * wkRngRange(rng, 0.5, 1.5);
    double c = size * wkRngRange(rng, 0.5, 1.5);
    return type == 0   ? wkMakeSphere(a / 2.0)
           : type == 1 ? wkMakeBox(a, b, c)
                       : wkMakeCylinder(a / 3.0, b);
}

// A third of each type; those about the block keep clear of it.
static void placeObjects(wkCellScene* scene, wkRng* rng, wkCellKind kind)
{
    for (int i = 0; i < WK_CELL_OBJECTS; i++) {
        wkShape* shape = &scene->shapes[i];
        wkPose* pose = &scene->poses[i];
        do {
            *shape = randomShape(rng, 3 * i / WK_CELL_OBJECTS, kinds[kind].objectSize);
            pose->rotation = wkRngRotation(rng);
            pose->position = randomPosition(rng, kinds[kind].reach);
        } while (kind == wk_cellsBlock && wkSceneLength(pose->position) < shapeReach(shape) + 2.0);
    }
}

static wkVec3d cellCenter(int side, int x, int y, int z)
{
    double first = -0.5 * WK_CELL_SIZE * (side - 1);
    return wkSceneVec(first + WK_CELL_SIZE * x, first + WK_CELL_SIZE * y, first + WK_CELL_SIZE * z);
}

static void fillBlock(wkCellScene* scene)
{
    int count = 0;
    for (int i = 0; i < BLOCK_SIDE * BLOCK_SIDE * BLOCK_SIDE; i++) {
        int x = i % BLOCK_SIDE, y = i / BLOCK_SIDE % BLOCK_SIDE, z = i / BLOCK_SIDE / BLOCK_SIDE;
        if (x >= BLOCK_VERTEX || y >= BLOCK_VERTEX || z >= BLOCK_VERTEX) {
            scene->centers[count++] = cellCenter(BLOCK_SIDE, x, y, z);
        }
    }
}

static bool isClear(const wkCellScene* scene, wkVec3d center)
{
    double cellReach = 0.5 * sqrt(3.0) * WK_CELL_SIZE;
    for (int i = 0; i < WK_CELL_OBJECTS; i++) {
        double gap = wkSceneLength(wkSceneSub(scene->poses[i].position, center));
        if (gap < shapeReach(&scene->shapes[i]) + cellReach + CLEARANCE) {
            return false;
        }
    }
    return true;
}

static void scatterCells(wkCellScene* scene, wkRng* rng, bool isFree)
{
    static bool isUsed[GRID_SIDE][GRID_SIDE][GRID_SIDE];
    memset(isUsed, 0, sizeof isUsed);
    for (int count = 0; count < WK_CELL_COUNT;) {
        int x = wkRngBelow(rng, GRID_SIDE), y = wkRngBelow(rng, GRID_SIDE);
        int z = wkRngBelow(rng, GRID_SIDE);
        wkVec3d center = cellCenter(GRID_SIDE, x, y, z);
        if (!isUsed[x][y][z] && (!isFree || isClear(scene, center))) {
            isUsed[x][y][z] = true;
            scene->centers[count++] = center;
        }
    }
}

// No order of the cells, as if they came from a hash.
static void shuffleCells(wkCellScene* scene, wkRng* rng)
{
    for (int i = WK_CELL_COUNT - 1; i > 0; i--) {
        int k = wkRngBelow(rng, i + 1);
        wkVec3d other = scene->centers[i];
        scene->centers[i] = scene->centers[k];
        scene->centers[k] = other;
    }
}

void wkMakeCellScene(wkCellScene* scene, wkCellKind kind, uint64_t seed)
{
    wkRng rng = wkMakeRng(seed);
    scene->name = kinds[kind].name;
    placeObjects(scene, &rng, kind);
    if (kind == wk_cellsBlock) {
        fillBlock(scene);
    } else {
        scatterCells(scene, &rng, kind == wk_cellsFree);
    }
    shuffleCells(scene, &rng);
}
