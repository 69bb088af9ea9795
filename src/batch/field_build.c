// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Fills the cells of a field from the top down. Objects are sorted into blocks of 16 x 16 x 16 cells by
// their boxes; in each block bounds tell which of them matter for which brick, and in each brick they
// tell what its cells hold. An object that is further away everywhere than another one can be does not
// matter. Blocks are tasks of their own.

#include "batch/field_build.h"

#include "base/error.h"
#include "base/lanes.h"
#include "base/memory.h"
#include "geom/convex.h"
#include "math/round.h"
#include "whisker/query.h"

#include <float.h>
#include <string.h>

WK_DEFINE_LANES(const wkFieldLanes, wkFieldLanes)

// Cells along an edge of a block.
#define BLOCK_CELLS (WK_FIELD_SPLIT * WK_FIELD_SPLIT)

// What rounding may do to a place in the grid, in cells, and to a coordinate.
#define CELL_ROUNDING 1e-3f
#define FLOAT_ROUNDING 0x1p-21f

// Half the diagonal of a cube of edge two.
#define SQRT3 1.7320509f

// Bytes are rounded by this much more than they need, in steps.
#define STEP_ROUNDING 0.01f

// What a task makes: the entries of its block.
typedef struct blockEntries {
    wkFieldEntry* entries;
    size_t count;
    size_t capacity; // that memory was taken for
    bool hasFailed;
} blockEntries;

typedef struct layerBuild {
    const wkField* field;
    wkFieldLayer* layer;
    uint16_t* cells;
    const wkFieldLanes* lanes;
    int32_t blocks[3];
    float wider;      // what rounding may do to the place of a cell, in metres
    int32_t* starts;  // of each block in `members`, and the end
    int32_t* members; // objects by block
    blockEntries* made;
} layerBuild;

// Objects that are in front of the cubes of a block or brick.
typedef struct crowd {
    const int32_t* objects;
    int32_t count;
} crowd;

static int32_t blockCount(const layerBuild* build)
{
    return build->blocks[0] * build->blocks[1] * build->blocks[2];
}

// The blocks that a box reaches along an axis. @return false when there are none
static bool blockRange(const layerBuild* build, int axis, double lower, double upper,
                       int32_t range[2])
{
    const wkFieldGrid* grid = &build->layer->grid;
    double edge = (double)grid->size * BLOCK_CELLS, first = (double)grid->lower[axis];
    double from = floor((lower - first) / edge - (double)CELL_ROUNDING);
    double to = floor((upper - first) / edge + (double)CELL_ROUNDING);
    double end = (double)build->blocks[axis] - 1.0;
    range[0] = (int32_t)wkClamp(from, 0.0, end);
    range[1] = (int32_t)wkClamp(to, 0.0, end);
    return from <= end && to >= 0.0;
}

// The box around what is within reach of an object.
static wkAabb reachOf(const wkField* field, int32_t object)
{
    const wkFieldObject* o = &field->objects[object];
    wkAabb bounds = wkField_BoundsOfPlace(field, o->place);
    if (o->isBox) {
        const wkFieldBox* box = &field->boxes[object];
        double ball = wkPositive((double)box->ball), wide[3], center[3];
        for (int axis = 0; axis < 3; ++axis) {
            center[axis] = (double)box->center[axis];
            wide[axis] = ball + o->slack;
            for (int k = 0; k < 3; ++k) {
                wide[axis] += fabs((double)box->row[axis][k]) * (double)box->row[k][3];
            }
        }
        wkVec3d around = wkVec(wide[0], wide[1], wide[2]);
        wkVec3d middle = wkVec(center[0], center[1], center[2]);
        bounds.lower = wkMax(bounds.lower, wkSub(middle, around));
        bounds.upper = wkMin(bounds.upper, wkAdd(middle, around));
    }
    wkVec3d reach = wkVec(field->reach, field->reach, field->reach);
    bounds.lower = wkSub(bounds.lower, reach);
    bounds.upper = wkAdd(bounds.upper, reach);
    return bounds;
}

// Counts an object in the blocks it reaches, or puts it there: then `counts` are the places next to be
// filled.
static void sortObject(layerBuild* build, int32_t object, int32_t* counts, int32_t* members)
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
                if (members != NULL) {
                    members[*next] = object;
                }
                ++*next;
            }
        }
    }
}

// Sorts the objects of a layer into blocks.
static wkResult sortObjects(layerBuild* build)
{
    int32_t count = blockCount(build), total = 0;
    memset(build->starts, 0, (size_t)(count + 1) * sizeof *build->starts);
    for (int32_t i = 0; i < build->field->objectCount; ++i) {
        if (wkField_Applies(build->field, build->layer, i)) {
            sortObject(build, i, build->starts, NULL);
        }
    }
    int64_t sum = 0;
    for (int32_t i = 0; i <= count; ++i) {
        int32_t here = build->starts[i];
        build->starts[i] = total;
        sum += here;
        if (sum > INT32_MAX / 2) {
            return wkFail(wk_errorMemory, "field: too many objects in one place");
        }
        total = (int32_t)sum;
    }
    build->members = (int32_t*)wkAlloc(((size_t)total + 1) * sizeof *build->members);
    if (build->members == NULL) {
        return wkFail(wk_errorMemory, "field: no memory for %d objects", (int)total);
    }
    build->members[total] = total; // its size, for who gives it back
    // places move to the next block on the way, and back afterwards
    for (int32_t i = 0; i < build->field->objectCount; ++i) {
        if (wkField_Applies(build->field, build->layer, i)) {
            sortObject(build, i, build->starts, build->members);
        }
    }
    memmove(&build->starts[1], &build->starts[0], (size_t)count * sizeof *build->starts);
    build->starts[0] = 0;
    return wk_ok;
}

// Bounds of an object that is no box, from its distance to points: one for each cube, or one for eight
// of them where that takes time.
static void boundShape(const wkField* field, int32_t object, const wkFieldCubes* cubes, bool isEach,
                       wkFieldBounds* bounds)
{
    const wkFieldObject* o = &field->objects[object];
    const wkShape* shape = wkField_ShapeOf(field, object);
    wkPose pose = *wkField_PoseOf(field, object);
    int32_t group = isEach ? 1 : 2, samples = WK_FIELD_SPLIT / group;
    double around = (double)(SQRT3 * (cubes->half + (isEach ? 0.0f : 0.5f * cubes->edge)));
    double ball = wkShapeRadius(shape);
    for (int32_t i = 0; i < samples * samples * samples; ++i) {
        int32_t at[3] = {i % samples, i / samples % samples, i / (samples * samples)};
        double point[3];
        for (int axis = 0; axis < 3; ++axis) {
            double place = ((double)at[axis] + 0.5) * group - 0.5 * WK_FIELD_SPLIT;
            point[axis] = (double)cubes->center[axis] + place * (double)cubes->edge;
        }
        wkVec3d seen = wkAdd(field->origin, wkVec(point[0], point[1], point[2]));
        double cutoff = field->reach + around + o->slack;
        wkPointResult nearest = wkClosestPoint(shape, pose, seen, cutoff);
        double distance = nearest.distance;
        double lower = distance - around - o->slack;
        // inside a surface that is drawn in nothing is known
        lower = !o->isConvex && ball < 0.0 && lower < -ball ? 0.0 : lower;
        // a bound from below says nothing about the other side
        bool isKnown = nearest.status == wk_statusExact || nearest.status == wk_statusLeaky;
        double upper = isKnown ? distance + around + o->slack : (double)FLT_MAX;
        for (int32_t k = 0; k < group * group * group; ++k) {
            int32_t x = at[0] * group + k % group, y = at[1] * group + k / group % group;
            int32_t z = at[2] * group + k / (group * group);
            int32_t cube = x + WK_FIELD_SPLIT * (y + WK_FIELD_SPLIT * z);
            bounds->lower[cube] = wkRoundDown(lower);
            bounds->upper[cube] = wkRoundUp(upper);
        }
    }
}

static void boundObject(const layerBuild* build, int32_t object, const wkFieldCubes* cubes,
                        bool isCell, wkFieldBounds* bounds)
{
    const wkField* field = build->field;
    if (field->objects[object].isBox) {
        build->lanes->boundBox(&field->boxes[object], cubes, bounds);
    } else {
        boundShape(field, object, cubes, !isCell || field->objects[object].isFine, bounds);
    }
}

// The cubes of a block or brick that begins with a cell.
static wkFieldCubes cubesAt(const layerBuild* build, const int32_t cell[3], int32_t cellsEach)
{
    const wkFieldGrid* grid = &build->layer->grid;
    wkFieldCubes cubes;
    cubes.edge = grid->size * (float)cellsEach;
    cubes.half = 0.5f * cubes.edge + build->wider;
    for (int axis = 0; axis < 3; ++axis) {
        cubes.center[axis] =
            grid->lower[axis] + grid->size * ((float)cell[axis] + (float)(2 * cellsEach));
    }
    return cubes;
}

// Whether who is near enough touches an object, whichever side of the layer it is.
static bool isCertain(const layerBuild* build, int32_t object)
{
    const wkFieldObject* o = &build->field->objects[object];
    return o->isCertain && (o->rule < 0 || !build->layer->isMixed);
}

static void lessen(float* least, const float* values)
{
    for (int i = 0; i < WK_FIELD_PARTS; ++i) {
        least[i] = values[i] < least[i] ? values[i] : least[i];
    }
}

static void fillFloats(float* values, float value)
{
    for (int i = 0; i < WK_FIELD_PARTS; ++i) {
        values[i] = value;
    }
}

// Steps that a distance is at least or at most.
static int stepsBelow(float distance, float perStep)
{
    float steps = distance * perStep - STEP_ROUNDING;
    return steps > 0.0f ? (steps < (float)WK_FIELD_FAR ? (int)steps : WK_FIELD_FAR) : 0;
}

static int stepsAbove(float distance, float perStep)
{
    float steps = distance * perStep + (1.0f + STEP_ROUNDING);
    return steps > 0.0f ? (steps < (float)WK_FIELD_FAR ? (int)steps : WK_FIELD_FAR) : 0;
}

// What the cells of a brick hold.
static void fillCells(const layerBuild* build, const int32_t cell[3], const crowd* near)
{
    wkFieldCubes cubes = cubesAt(build, cell, 1);
    wkFieldBounds least, bounds;
    fillFloats(least.lower, FLT_MAX);
    fillFloats(least.upper, FLT_MAX);
    for (int32_t i = 0; i < near->count; ++i) {
        boundObject(build, near->objects[i], &cubes, true, &bounds);
        lessen(least.lower, bounds.lower);
        if (isCertain(build, near->objects[i])) {
            lessen(least.upper, bounds.upper);
        }
    }
    const wkFieldGrid* grid = &build->layer->grid;
    float perStep = 1.0f / grid->step;
    for (int i = 0; i < WK_FIELD_PARTS; ++i) {
        size_t x = (size_t)(cell[0] + i % 4), y = (size_t)(cell[1] + i / 4 % 4);
        size_t z = (size_t)(cell[2] + i / 16);
        int low = stepsBelow(least.lower[i], perStep), high = stepsAbove(least.upper[i], perStep);
        build->cells[x + (size_t)grid->count[0] * (y + (size_t)grid->count[1] * z)] =
            (uint16_t)(low | high << 8);
    }
}

// Puts an object among those near a brick, the nearest first.
static void enlist(wkFieldEntry* entries, int32_t* objects, int32_t count, int32_t object,
                   int steps)
{
    wkFieldEntry entry = (wkFieldEntry)object << 8 | (wkFieldEntry)steps;
    int32_t k = count;
    for (; k > 0 && (int)(entries[k - 1] & 0xffu) > steps; --k) {
        entries[k] = entries[k - 1];
        objects[k] = objects[k - 1];
    }
    entries[k] = entry;
    objects[k] = object;
}

// What a block needs while it is made, in one piece of memory.
typedef struct blockRoom {
    float* lower;          // of each member, from each brick
    int32_t* objects;      // near a brick
    wkFieldEntry* entries; // of all bricks
    size_t byteCount;
} blockRoom;

static size_t roomBytes(int32_t memberCount)
{
    size_t n = (size_t)memberCount;
    return n * WK_FIELD_PARTS * (sizeof(float) + sizeof(wkFieldEntry)) + n * sizeof(int32_t) + 64;
}

static wkFieldBrick* brickAt(const layerBuild* build, const int32_t cell[3])
{
    const int32_t* count = build->layer->grid.count;
    return &build->layer
                ->bricks[cell[0] / 4 + count[0] / 4 * (cell[1] / 4 + count[1] / 4 * (cell[2] / 4))];
}

// Makes the bricks of a block, whose entries count from the first of the block.
// @return number of entries
static size_t makeBricks(const layerBuild* build, const int32_t first[3], const crowd* members,
                         const blockRoom* room)
{
    const wkFieldGrid* grid = &build->layer->grid;
    float perStep = 1.0f / grid->step, reach = (float)build->field->reach;
    wkFieldCubes cubes = cubesAt(build, first, WK_FIELD_SPLIT);
    wkFieldBounds bounds;
    _Alignas(64) float limit[WK_FIELD_PARTS];
    fillFloats(limit, reach);
    for (int32_t i = 0; i < members->count; ++i) {
        boundObject(build, members->objects[i], &cubes, false, &bounds);
        memcpy(&room->lower[(size_t)i * WK_FIELD_PARTS], bounds.lower, sizeof bounds.lower);
        if (isCertain(build, members->objects[i])) {
            lessen(limit, bounds.upper);
        }
    }
    size_t entryCount = 0;
    for (int b = 0; b < WK_FIELD_PARTS; ++b) {
        int32_t cell[3] = {first[0] + b % 4 * 4, first[1] + b / 4 % 4 * 4, first[2] + b / 16 * 4};
        if (cell[0] >= grid->count[0] || cell[1] >= grid->count[1] || cell[2] >= grid->count[2]) {
            continue;
        }
        crowd near = {room->objects, 0};
        for (int32_t i = 0; i < members->count; ++i) {
            float lower = room->lower[(size_t)i * WK_FIELD_PARTS + (size_t)b];
            if (lower <= limit[b]) {
                enlist(&room->entries[entryCount], room->objects, near.count, members->objects[i],
                       stepsBelow(lower, perStep));
                ++near.count;
            }
        }
        wkFieldBrick brick = {(uint32_t)entryCount, (uint32_t)near.count};
        *brickAt(build, cell) = brick;
        entryCount += (size_t)near.count;
        if (near.count > 0) {
            fillCells(build, cell, &near);
        }
    }
    return entryCount;
}

static void makeBlock(void* context, int32_t block)
{
    const layerBuild* build = (const layerBuild*)context;
    blockEntries* made = &build->made[block];
    crowd members = {&build->members[build->starts[block]],
                     build->starts[block + 1] - build->starts[block]};
    if (members.count == 0) {
        return;
    }
    size_t n = (size_t)members.count * WK_FIELD_PARTS, byteCount = roomBytes(members.count);
    char* memory = (char*)wkAlloc(byteCount);
    if (memory == NULL) {
        made->hasFailed = true;
        return;
    }
    blockRoom room = {(float*)memory, (int32_t*)(memory + n * 8), (wkFieldEntry*)(memory + n * 4),
                      byteCount};
    int32_t first[3] = {block % build->blocks[0] * BLOCK_CELLS,
                        block / build->blocks[0] % build->blocks[1] * BLOCK_CELLS,
                        block / (build->blocks[0] * build->blocks[1]) * BLOCK_CELLS};
    made->count = makeBricks(build, first, &members, &room);
    made->capacity = made->count;
    if (made->count > 0) {
        made->entries = (wkFieldEntry*)wkAlloc(made->count * sizeof *made->entries);
        made->hasFailed = made->entries == NULL;
        if (!made->hasFailed) {
            memcpy(made->entries, room.entries, made->count * sizeof *made->entries);
        }
    }
    wkFree(memory, byteCount);
}

// Puts the entries of all blocks side by side.
static wkResult gatherEntries(layerBuild* build)
{
    wkFieldLayer* layer = build->layer;
    size_t total = 0;
    for (int32_t i = 0; i < blockCount(build); ++i) {
        if (build->made[i].hasFailed) {
            return wkFail(wk_errorMemory, "field: no memory for a block");
        }
        total += build->made[i].count;
    }
    if (total > UINT32_MAX / 2) {
        return wkFail(wk_errorMemory, "field: too many objects in one place");
    }
    layer->entries = (wkFieldEntry*)wkAlloc((total + 1) * sizeof *layer->entries);
    if (layer->entries == NULL) {
        return wkFail(wk_errorMemory, "field: no memory for %zu entries", total);
    }
    layer->entryCount = total + 1;
    uint32_t next = 0;
    for (int32_t i = 0; i < blockCount(build); ++i) {
        const blockEntries* made = &build->made[i];
        if (made->count == 0) {
            continue;
        }
        memcpy(&layer->entries[next], made->entries, made->count * sizeof *made->entries);
        for (int b = 0; b < WK_FIELD_PARTS; ++b) {
            int32_t cell[3] = {
                i % build->blocks[0] * BLOCK_CELLS + b % 4 * 4,
                i / build->blocks[0] % build->blocks[1] * BLOCK_CELLS + b / 4 % 4 * 4,
                i / (build->blocks[0] * build->blocks[1]) * BLOCK_CELLS + b / 16 * 4};
            if (cell[0] < layer->grid.count[0] && cell[1] < layer->grid.count[1] &&
                cell[2] < layer->grid.count[2]) {
                brickAt(build, cell)->first += next;
            }
        }
        next += (uint32_t)made->count;
    }
    return wk_ok;
}

// What the outermost cells of an axis stand for: where nothing is beyond, everything is far; else
// nothing is known. A cell that is beyond an open end along any axis is far from everything.
static void closeGrid(const layerBuild* build)
{
    const wkFieldGrid* grid = &build->layer->grid;
    int far = stepsBelow((float)build->field->reach - build->wider, 1.0f / grid->step);
    for (int32_t z = 0; z < grid->count[2]; ++z) {
        for (int32_t y = 0; y < grid->count[1]; ++y) {
            bool isEdgeRow = z == 0 || z == grid->count[2] - 1 || y == 0 || y == grid->count[1] - 1;
            int32_t step = isEdgeRow ? 1 : grid->count[0] - 1;
            for (int32_t x = 0; x < grid->count[0]; x += step) {
                int32_t cell[3] = {x, y, z};
                bool isFar = false;
                for (int axis = 0; axis < 3; ++axis) {
                    isFar = isFar || (cell[axis] == 0 && build->field->isOpen[axis][0]) ||
                            (cell[axis] == grid->count[axis] - 1 && build->field->isOpen[axis][1]);
                }
                build->cells[(size_t)x + (size_t)grid->count[0] *
                                             ((size_t)y + (size_t)grid->count[1] * (size_t)z)] =
                    (uint16_t)(isFar ? WK_FIELD_FAR << 8 | far : WK_FIELD_FAR << 8);
            }
        }
    }
}

static void freeBuild(layerBuild* build)
{
    size_t count = (size_t)blockCount(build);
    for (size_t i = 0; build->made != NULL && i < count; ++i) {
        wkFree(build->made[i].entries, build->made[i].capacity * sizeof *build->made[i].entries);
    }
    wkFree(build->made, count * sizeof *build->made);
    if (build->members != NULL) {
        size_t total = (size_t)build->starts[count];
        wkFree(build->members, (total + 1) * sizeof *build->members);
    }
    wkFree(build->starts, (count + 1) * sizeof *build->starts);
}

static wkResult fillBlocks(layerBuild* build, const wkParallel* parallel)
{
    wkResult result = sortObjects(build);
    if (result == wk_ok) {
        wkRunTasks(parallel, makeBlock, build, blockCount(build));
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
    layerBuild build;
    memset(&build, 0, sizeof build);
    build.field = field;
    build.layer = layer;
    build.lanes = wkFieldLanesOfMachine();
    float largest = 0.0f;
    for (int axis = 0; axis < 3; ++axis) {
        build.blocks[axis] = (grid->count[axis] + BLOCK_CELLS - 1) / BLOCK_CELLS;
        largest = fmaxf(largest, fabsf(grid->lower[axis]) + grid->size * (float)grid->count[axis]);
    }
    build.wider = CELL_ROUNDING * grid->size + FLOAT_ROUNDING * largest;
    size_t count = (size_t)blockCount(&build), bricks = (size_t)wkField_BrickCount(grid);
    build.starts = (int32_t*)wkAlloc((count + 1) * sizeof *build.starts);
    build.made = (blockEntries*)wkAlloc(count * sizeof *build.made);
    build.cells = (uint16_t*)wkAlloc(wkField_WordBytes(grid));
    grid->words = (const uint32_t*)build.cells;
    layer->bricks = (wkFieldBrick*)wkAlloc(bricks * sizeof *layer->bricks);
    wkResult result = wk_ok;
    if (build.made != NULL) {
        memset(build.made, 0, count * sizeof *build.made);
    }
    if (build.starts == NULL || build.made == NULL || build.cells == NULL ||
        layer->bricks == NULL) {
        result = wkFail(wk_errorMemory, "field: no memory for %zu bricks", bricks);
    } else {
        memset(build.cells, 0xff, wkField_WordBytes(grid));
        memset(layer->bricks, 0, bricks * sizeof *layer->bricks);
        result = fillBlocks(&build, parallel);
    }
    freeBuild(&build);
    return result;
}

void wkField_FreeLayer(wkFieldLayer* layer)
{
    wkFree(layer->entries, layer->entryCount * sizeof *layer->entries);
    wkFree(layer->bricks, (size_t)wkField_BrickCount(&layer->grid) * sizeof *layer->bricks);
    wkFree((void*)(uintptr_t)layer->grid.words, wkField_WordBytes(&layer->grid));
}
