// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Fills a layer from the top down: objects are sorted into blocks of cells by their boxes, and each block
// is a task.

#include "batch/field_build.h"

#include "base/error.h"
#include "base/memory.h"
#include "batch/field_bricks.h"
#include "batch/field_cloud.h"

#include "whisker/detail/library.h"

#include <string.h>

// Rounding of a coordinate.
#define FLOAT_ROUNDING 0x1p-21f

// Maximum number of bodies of all blocks together.
#define MOST_BODIES (INT32_MAX / 2)

static int32_t blockCount(const wkLayerBuild* build)
{
    return build->blocks[0] * build->blocks[1] * build->blocks[2];
}

// Finds the blocks that a box overlaps along an axis. @return false when there are none
static bool blockRange(const wkLayerBuild* build, int axis, double lower, double upper,
                       int32_t range[2])
{
    const wkFieldGrid* grid = &build->layer->grid;
    double edge = (double)grid->size * WK_BLOCK_CELLS, first = (double)grid->lower[axis];
    double from = floor((lower - first) / edge - WK_CELL_ROUNDING);
    double to = floor((upper - first) / edge + WK_CELL_ROUNDING);
    double end = (double)build->blocks[axis] - 1.0;
    range[0] = (int32_t)wkClamp(from, 0.0, end);
    range[1] = (int32_t)wkClamp(to, 0.0, end);
    return from <= end && to >= 0.0;
}

// Returns the bounds of a box with its swept sphere.
static wkAabb boundsOfBox(const wkFieldBox* box, double slack)
{
    double wide[3];
    for (int axis = 0; axis < 3; ++axis) {
        wide[axis] = wkPositive((double)box->sphere) + slack;
        for (int k = 0; k < 3; ++k) {
            wide[axis] += fabs((double)box->row[axis][k]) * (double)box->row[k][3];
        }
    }
    wkVec3d around = wkVec(wide[0], wide[1], wide[2]);
    wkVec3d middle = wkVec((double)box->center[0], (double)box->center[1], (double)box->center[2]);
    wkAabb bounds = {wkSub(middle, around), wkAdd(middle, around)};
    return bounds;
}

// Returns the bounds of all space within reach of an object.
static wkAabb reachOf(const wkField* field, int32_t object)
{
    const wkFieldObject* o = &field->objects[object];
    wkAabb bounds = o->isBox ? boundsOfBox(&field->boxes[object], o->slack)
                             : wkField_BoundsOfSlot(field, o->slotIndex);
    wkVec3d reach = wkVec(field->reach, field->reach, field->reach);
    bounds.lower = wkSub(bounds.lower, reach);
    bounds.upper = wkAdd(bounds.upper, reach);
    return bounds;
}

// Counts an object in the blocks that it overlaps, or adds it to their lists: then `counts` are the next
// indices to fill.
static void sortObject(const wkLayerBuild* build, int32_t object, int32_t* counts, int32_t* bodies)
{
    wkAabb reach = reachOf(build->field, object);
    int32_t range[3][2];
    for (int axis = 0; axis < 3; ++axis) {
        if (!blockRange(build, axis, wkAlongAxis(&reach.lower, axis),
                        wkAlongAxis(&reach.upper, axis), range[axis])) {
            return;
        }
    }
    for (int32_t z = range[2][0]; z <= range[2][1]; ++z) {
        for (int32_t y = range[1][0]; y <= range[1][1]; ++y) {
            for (int32_t x = range[0][0]; x <= range[0][1]; ++x) {
                int32_t* next = &counts[x + build->blocks[0] * (y + build->blocks[1] * z)];
                if (bodies != NULL) {
                    bodies[*next] = object;
                }
                ++*next;
            }
        }
    }
}

static void sortAll(const wkLayerBuild* build, int32_t* counts, int32_t* bodies)
{
    for (int32_t i = 0; i < build->field->objectCount; ++i) {
        if (wkField_Applies(build->field, build->layer, i)) {
            sortObject(build, i, counts, bodies);
        }
    }
}

// Sorts the objects of a layer into blocks.
static wkResult sortObjects(wkLayerBuild* build)
{
    int32_t count = blockCount(build);
    memset(build->starts, 0, ((size_t)count + 1) * sizeof *build->starts);
    sortAll(build, build->starts, NULL);
    int64_t total = 0;
    for (int32_t i = 0; i <= count && total <= MOST_BODIES; ++i) {
        int32_t here = build->starts[i];
        build->starts[i] = (int32_t)total;
        total += here;
    }
    if (total > MOST_BODIES) {
        build->starts[count] = 0;
        return wkFail(wk_errorMemory, "field: too many objects overlap");
    }
    build->bodies = (int32_t*)wkAlloc(((size_t)total + 1) * sizeof *build->bodies);
    if (build->bodies == NULL) {
        return wkFail(wk_errorMemory, "field: no memory for %d objects", (int)total);
    }
    // filling advances each start to that of the next block
    sortAll(build, build->starts, build->bodies);
    memmove(&build->starts[1], &build->starts[0], (size_t)count * sizeof *build->starts);
    build->starts[0] = 0;
    return wk_ok;
}

// Concatenates the entries of all blocks.
static wkResult gatherEntries(const wkLayerBuild* build)
{
    wkFieldLayer* layer = build->layer;
    size_t total = 0;
    for (int32_t i = 0; i < blockCount(build); ++i) {
        if (build->made[i].hasFailed) {
            return wkFail(wk_errorMemory, "field: no memory for a block");
        }
        total += build->made[i].count;
    }
    layer->entries =
        (wkFieldEntry*)(total < INT32_MAX ? wkAlloc((total + 1) * sizeof *layer->entries) : NULL);
    if (layer->entries == NULL) {
        return wkFail(wk_errorMemory, "field: no memory for %zu entries", total);
    }
    layer->entryCount = (int32_t)total + 1;
    layer->entries[total] = 0;
    uint32_t next = 0;
    for (int32_t i = 0; i < blockCount(build); ++i) {
        const wkBlockEntries* made = &build->made[i];
        int32_t cell[3];
        for (int b = 0; b < WK_FIELD_PARTS && made->count > 0; ++b) {
            if (wkCellOfBrick(build, i, b, cell)) {
                wkBrickAt(layer, cell)->first += next;
            }
        }
        if (made->count > 0) {
            memcpy(&layer->entries[next], made->entries, made->count * sizeof *made->entries);
            next += (uint32_t)made->count;
        }
    }
    return wk_ok;
}

// Returns whether a cell is beyond an end of the grid where there is no object.
static bool isBeyondOpenEnd(const wkField* field, const wkFieldGrid* grid, const int32_t cell[3])
{
    for (int axis = 0; axis < 3; ++axis) {
        if ((cell[axis] == 0 && field->isOpen[axis][0]) ||
            (cell[axis] == grid->count[axis] - 1 && field->isOpen[axis][1])) {
            return true;
        }
    }
    return false;
}

// Sets the outermost cells: far beyond an open end, unknown elsewhere.
static void closeGrid(const wkLayerBuild* build)
{
    const wkFieldGrid* grid = &build->layer->grid;
    int far = wkStepsBelow((float)build->field->reach - build->wider + grid->bias,
                           1.0f / grid->step, WK_FIELD_FAR);
    int32_t cell[3];
    for (cell[2] = 0; cell[2] < grid->count[2]; ++cell[2]) {
        for (cell[1] = 0; cell[1] < grid->count[1]; ++cell[1]) {
            bool isOuter = cell[2] == 0 || cell[2] == grid->count[2] - 1 || cell[1] == 0 ||
                           cell[1] == grid->count[1] - 1;
            int32_t step = isOuter ? 1 : grid->count[0] - 1;
            for (cell[0] = 0; cell[0] < grid->count[0]; cell[0] += step) {
                int low = isBeyondOpenEnd(build->field, grid, cell) ? far : 0;
                build->words[wkCellAt(grid, cell[0], cell[1], cell[2])] =
                    (uint32_t)(low | WK_FIELD_NONE << 8);
            }
        }
    }
}

static void freeBuild(wkLayerBuild* build)
{
    size_t count = (size_t)blockCount(build);
    for (size_t i = 0; build->made != NULL && i < count; ++i) {
        wkFree(build->made[i].entries, build->made[i].count * sizeof *build->made[i].entries);
    }
    wkFree(build->made, count * sizeof *build->made);
    if (build->bodies != NULL) {
        wkFree(build->bodies, ((size_t)build->starts[count] + 1) * sizeof *build->bodies);
    }
    wkFree(build->starts, (count + 1) * sizeof *build->starts);
}

static wkResult fillBlocks(wkLayerBuild* build, const wkParallel* parallel)
{
    const wkFieldGrid* grid = &build->layer->grid;
    size_t brickBytes = (size_t)wkField_BrickCount(grid) * sizeof *build->layer->bricks;
    memset(build->made, 0, (size_t)blockCount(build) * sizeof *build->made);
    for (size_t i = 0; i < wkField_WordBytes(grid) / sizeof *build->words; ++i) {
        build->words[i] = (uint32_t)(WK_FIELD_FAR | WK_FIELD_NONE << 8);
    }
    memset(build->layer->bricks, 0, brickBytes);
    wkResult result = sortObjects(build);
    if (result == wk_ok) {
        wkRunTasks(parallel, wkMakeBlock, build, blockCount(build));
        result = gatherEntries(build);
    }
    if (result == wk_ok) {
        closeGrid(build);
    }
    return result;
}

wkResult wkField_FillLayer(const wkField* field, wkFieldLayer* layer, const wkParallel* parallel)
{
    wkFieldGrid* grid = &layer->grid;
    wkLayerBuild build;
    memset(&build, 0, sizeof build);
    build.field = field;
    build.layer = layer;
    build.lanes = wkFieldLanesOfMachine();
    float largest = 0.0f;
    for (int axis = 0; axis < 3; ++axis) {
        build.blocks[axis] = (grid->count[axis] + WK_BLOCK_CELLS - 1) / WK_BLOCK_CELLS;
        largest = fmaxf(largest, fabsf(grid->lower[axis]) + grid->size * (float)grid->count[axis]);
    }
    build.wider = (float)WK_CELL_ROUNDING * grid->size + FLOAT_ROUNDING * largest;
    size_t count = (size_t)blockCount(&build), bricks = (size_t)wkField_BrickCount(grid);
    layer->wordCount = (int32_t)(wkField_WordBytes(grid) / sizeof *grid->words);
    layer->brickCount = (int32_t)bricks;
    build.words = (uint32_t*)wkAlloc(wkField_WordBytes(grid));
    grid->words = build.words;
    layer->bricks = (wkFieldBrick*)wkAlloc(bricks * sizeof *layer->bricks);
    build.starts = (int32_t*)wkAlloc((count + 1) * sizeof *build.starts);
    wkResult result = wk_errorMemory;
    if (build.words != NULL && layer->bricks != NULL && build.starts != NULL) {
        build.made = (wkBlockEntries*)wkAlloc(count * sizeof *build.made);
    }
    result = build.made != NULL ? fillBlocks(&build, parallel)
                                : wkFail(result, "field: no memory for %zu bricks", bricks);
    freeBuild(&build);
    return result;
}

void wkField_MergeCloud(const wkField* field, wkFieldLayer* layer, int32_t cloud)
{
    int32_t rule = field->cloudObjects[cloud].rule;
    if (wkField_RuleApplies(field, layer, rule)) {
        wkFieldCloud_Merge(field->clouds[cloud], rule < 0 || !layer->isMixed,
                           (uint32_t*)(uintptr_t)layer->grid.words);
    }
}

void wkField_FreeLayer(wkFieldLayer* layer)
{
    wkFree(layer->entries, (size_t)layer->entryCount * sizeof *layer->entries);
    wkFree(layer->bricks, (size_t)wkField_BrickCount(&layer->grid) * sizeof *layer->bricks);
    wkFree((void*)(uintptr_t)layer->grid.words, wkField_WordBytes(&layer->grid));
}
