// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Creation of a field: the region and the resolution of its grid, and the steps that build it.

#include "batch/field.h"

#include "base/error.h"
#include "base/memory.h"
#include "batch/field_build.h"
#include "batch/field_cloud_kernel.h"
#include "tree/cloud/cloud_impl.h"

#include <float.h>
#include <string.h>

// Number of cells of a grid whose cell size is not given: together they fit into the cache of a core.
#define DEFAULT_CELLS (1 << 18)

// The same where clouds are around: a field is made for every frame of a sensor, and fewer cells take less time,
// while checks take more. Clouds of many points take longer to make than any field, and keep the cells.
#define CLOUD_CELLS 170000
#define MANY_POINTS (1 << 19)

// Maximum number of cells of any grid: the largest integer range of floats.
#define MOST_CELLS (1 << 24)

// Minimum size of a cell in metres, and the maximum as a share of its grid.
#define LEAST_SIZE 1e-3

// Where nothing else bounds the grid, it ends at this distance from the origin, in metres.
#define DEFAULT_REACH 4.0

// Maximum radii and reaches, in metres.
#define MOST_RADIUS 1e6
#define MOST_REACH 1e9

// The distances of cells extend slightly beyond the largest radius.
#define SPARE_SHARE 1.02
#define SPARE_METRES 1e-4

// The last step of entries is slightly below the reach of cells, for rounding.
#define STEP_SHARE 0.9999

static size_t markBytes(int32_t count)
{
    return ((size_t)count + 1) * sizeof(wkObjectMark);
}

static wkResult checkDef(const wkFieldDef* def)
{
    if (def == NULL || def->scene == NULL) {
        return wkFail(wk_errorArgument, "field: scene is NULL");
    }
    if (!wkIsFiniteVec(def->origin)) {
        return wkFail(wk_errorNotFinite, "field: origin is not finite");
    }
    wkVec3d sum = wkAdd(def->reach.lower, def->reach.upper);
    if (!(sum.x == sum.x && sum.y == sum.y && sum.z == sum.z) &&
        !(def->reach.lower.x <= def->reach.upper.x && def->reach.lower.y <= def->reach.upper.y &&
          def->reach.lower.z <= def->reach.upper.z)) {
        return wkFail(wk_errorNotFinite, "field: reach is not a number");
    }
    if (!(def->largestRadius >= 0.0 && def->largestRadius <= MOST_RADIUS)) {
        return wkFail(wk_errorRange, "field: largestRadius is %g, must be 0 to %g",
                      def->largestRadius, MOST_RADIUS);
    }
    if (!(def->cellSize >= 0.0 && def->cellSize <= MOST_RADIUS)) {
        return wkFail(wk_errorRange, "field: cellSize is %g, must be 0 to %g", def->cellSize,
                      MOST_RADIUS);
    }
    return wk_ok;
}

// The ends of clouds are rounded outward to multiples of it, in metres: the next frame of a sensor, with ends
// that differ by its noise, has the same grid then.
#define CLOUD_STEP 0.25

static void widenToSteps(wkAabb* bounds)
{
    bounds->lower = wkVec(CLOUD_STEP * floor(bounds->lower.x / CLOUD_STEP),
                          CLOUD_STEP * floor(bounds->lower.y / CLOUD_STEP),
                          CLOUD_STEP * floor(bounds->lower.z / CLOUD_STEP));
    bounds->upper = wkVec(CLOUD_STEP * ceil(bounds->upper.x / CLOUD_STEP),
                          CLOUD_STEP * ceil(bounds->upper.y / CLOUD_STEP),
                          CLOUD_STEP * ceil(bounds->upper.z / CLOUD_STEP));
}

// Returns a box around all objects, relative to the origin; empty when there are none.
static wkAabb boundsOfAll(const wkField* field)
{
    const wkScene* world = field->scene->world;
    wkAabb all = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    int32_t slotCount = wkScene_SlotCount(world);
    for (int32_t slotIndex = 0; slotIndex < slotCount; ++slotIndex) {
        wkSceneObject object = wkScene_ObjectAt(world, slotIndex);
        if (object.shape != NULL && !object.isEmpty) {
            wkAabb bounds = wkField_BoundsOfSlot(field, slotIndex);
            if (wkFieldCloud_Fits(field, slotIndex)) {
                widenToSteps(&bounds);
            }
            all.lower = wkMin(all.lower, bounds.lower);
            all.upper = wkMax(all.upper, bounds.upper);
        }
    }
    return all;
}

// Chooses the ends of the grid along an axis, and finds out whether anything is beyond.
static void chooseEnds(wkField* field, const wkAabb* all, const wkAabb* reach, int axis,
                       double* lower, double* upper)
{
    double nearest = wkAlongAxis(&all->lower, axis) - field->reach;
    double furthest = wkAlongAxis(&all->upper, axis) + field->reach;
    double first = wkMaxD(wkAlongAxis(&reach->lower, axis), -MOST_REACH);
    double last = wkMinD(wkAlongAxis(&reach->upper, axis), MOST_REACH);
    field->isOpen[axis][0] = nearest >= first;
    field->isOpen[axis][1] = furthest <= last;
    *lower = wkMaxD(first, nearest);
    *upper = wkMinD(last, furthest);
    if (*lower <= -MOST_REACH) {
        *lower = wkMinD(-DEFAULT_REACH, *upper - DEFAULT_REACH);
        field->isOpen[axis][0] = false;
    }
    if (*upper >= MOST_REACH) {
        *upper = wkMaxD(DEFAULT_REACH, *lower + DEFAULT_REACH);
        field->isOpen[axis][1] = false;
    }
    if (!(*lower <= *upper)) {
        // nothing can be touched: a single point is enough, and the space beyond is checked exactly
        *lower = *upper = wkClamp(0.5 * (*lower + *upper), -MOST_REACH, MOST_REACH);
        *lower = *upper = *lower == *lower ? *lower : 0.0;
        field->isOpen[axis][0] = field->isOpen[axis][1] = false;
    }
}

static wkFieldRegion chooseRegion(wkField* field, const wkFieldDef* def)
{
    wkAabb all = boundsOfAll(field);
    wkAabb reach = {wkSub(def->reach.lower, def->origin), wkSub(def->reach.upper, def->origin)};
    double lower[3], upper[3];
    for (int axis = 0; axis < 3; ++axis) {
        chooseEnds(field, &all, &reach, axis, &lower[axis], &upper[axis]);
    }
    if (!(all.lower.x <= all.upper.x)) {
        memset(lower, 0, sizeof lower);
        memset(upper, 0, sizeof upper);
        memset(field->isOpen, 1, sizeof field->isOpen);
    }
    wkFieldRegion region = {
        {wkVec(lower[0], lower[1], lower[2]), wkVec(upper[0], upper[1], upper[2])},
        {0.0, 0.0, 0.0},
        0.0};
    return region;
}

// Returns the number of cells of that size along an axis, with one more at each end, in whole bricks.
static double cellsAlong(double length, double size)
{
    return WK_FIELD_SPLIT * ceil((length / size + 2.0) / WK_FIELD_SPLIT);
}

static double cellsOf(const wkAabb* box, double size)
{
    wkVec3d length = wkSub(box->upper, box->lower);
    return cellsAlong(length.x, size) * cellsAlong(length.y, size) * cellsAlong(length.z, size);
}

// Returns the smallest size for which a grid has at most `most` cells.
static double sizeForCells(const wkAabb* box, double most, double least)
{
    wkVec3d length = wkSub(box->upper, box->lower);
    double size = wkMaxD(least, 0.25 * cbrt(length.x * length.y * length.z / most));
    while (cellsOf(box, size) > most) {
        size *= 1.01;
    }
    return size;
}

// Returns the number of cells of a grid whose cell size is not given.
static double chooseCells(const wkField* field)
{
    int64_t pointCount = 0;
    int32_t slotCount = wkScene_SlotCount(field->scene->world);
    for (int32_t i = 0; i < slotCount; ++i) {
        wkSceneObject object = wkScene_ObjectAt(field->scene->world, i);
        if (object.shape != NULL && !object.isEmpty && wkFieldCloud_Fits(field, i)) {
            pointCount += object.shape->cloud->pointCount;
        }
    }
    return pointCount > 0 && pointCount < MANY_POINTS ? CLOUD_CELLS : DEFAULT_CELLS;
}

static wkFieldGrid makeGrid(const wkField* field, const wkFieldRegion* region, double cellSize)
{
    double reach = field->reach;
    double size = cellSize > 0.0 ? sizeForCells(&region->box, MOST_CELLS, cellSize)
                                 : sizeForCells(&region->box, chooseCells(field), LEAST_SIZE);
    wkFieldGrid grid;
    memset(&grid, 0, sizeof grid);
    grid.perMetre = (float)(1.0 / size);
    grid.size = 1.0f / grid.perMetre;
    // the value of a plane at a vertex differs from that in the middle by up to half a diagonal
    grid.bias = 0.9f * grid.size;
    grid.step = ((float)reach + grid.bias) / (float)WK_FIELD_FAR;
    grid.slope = grid.size / (float)(WK_FIELD_STEEPEST + 1);
    grid.gapStep = 2.0f * grid.size / (float)WK_FIELD_NONE;
    for (int axis = 0; axis < 3; ++axis) {
        double lower = wkAlongAxis(&region->box.lower, axis);
        double upper = wkAlongAxis(&region->box.upper, axis);
        grid.lower[axis] = (float)(lower - size);
        grid.count[axis] = (int32_t)cellsAlong(upper - lower, size);
        grid.last[axis] = (float)grid.count[axis] - 0.5f;
    }
    return grid;
}

// Grows the region to the volume of the grid.
static void fitRegion(wkFieldRegion* region, const wkFieldGrid* grid)
{
    wkVec3d lower = wkVec((double)grid->lower[0], (double)grid->lower[1], (double)grid->lower[2]);
    wkVec3d count = wkVec((double)grid->count[0], (double)grid->count[1], (double)grid->count[2]);
    region->box.lower = wkMin(lower, region->box.lower);
    region->box.upper = wkMax(wkMulAdd(lower, (double)grid->size, count), region->box.upper);
    region->middle = wkMiddle(region->box.lower, region->box.upper);
    region->radius = 0.5 * wkLength(wkSub(region->box.upper, region->box.lower));
}

// Records the objects other than clouds, to tell later whether they have changed.
static wkResult takeMarks(wkField* field)
{
    const wkScene* world = field->scene->world;
    field->marks = (wkObjectMark*)wkAlloc(markBytes(field->objectCount));
    if (field->marks == NULL) {
        return wkFail(wk_errorMemory, "field: no memory for %d objects", (int)field->objectCount);
    }
    memset(field->marks, 0, markBytes(field->objectCount));
    field->markCount = field->objectCount;
    for (int32_t i = 0; i < field->markCount; ++i) {
        wkObjectMark* mark = &field->marks[i];
        mark->slotIndex = field->objects[i].slotIndex;
        mark->rule = field->objects[i].rule;
        mark->stamp = wkScene_StampAt(world, mark->slotIndex);
        mark->pose = *wkScene_ObjectAt(world, mark->slotIndex).pose;
    }
    return wk_ok;
}

// Returns whether everything but the clouds is as it was.
static bool isSameButClouds(const wkField* field, const wkField* earlier, const wkFieldGrid* grid)
{
    if (earlier == NULL || earlier->markCount != field->markCount ||
        earlier->ruleCount != field->ruleCount || earlier->wordCount != field->wordCount) {
        return false;
    }
    wkFieldGrid before = earlier->layers[0].grid, now = *grid;
    before.words = now.words = NULL;
    size_t ruleBytes = (size_t)field->ruleCount * (size_t)field->wordCount * sizeof *field->allowed;
    return memcmp(&before, &now, sizeof now) == 0 && earlier->reach == field->reach &&
           memcmp(&earlier->origin, &field->origin, sizeof field->origin) == 0 &&
           memcmp(earlier->isOpen, field->isOpen, sizeof field->isOpen) == 0 &&
           memcmp(earlier->marks, field->marks, markBytes(field->markCount)) == 0 &&
           memcmp(earlier->allowed, field->allowed, ruleBytes) == 0;
}

// Fills the layers of everything but the clouds.
static wkResult fillLayers(wkField* field, const wkFieldRegion* region, const wkFieldGrid* grid,
                           const wkParallel* parallel)
{
    wkResult result = wkField_TakeMaps(field, region, grid);
    result = result == wk_ok ? wkField_MakeLayers(field) : result;
    for (int32_t i = 0; i < field->layerCount && result == wk_ok; ++i) {
        field->layers[i].grid = *grid;
        result = wkField_FillLayer(field, &field->layers[i], parallel);
    }
    wkField_DropMapCells(field);
    return result;
}

#define LAYER_ARRAYS(number)                                                                       \
    WK_BLOCK_ARRAY(wkField, layers[number].grid.words, layers[number].wordCount, 1),               \
        WK_BLOCK_ARRAY(wkField, layers[number].bricks, layers[number].brickCount, 1),              \
        WK_BLOCK_ARRAY(wkField, layers[number].entries, layers[number].entryCount, 1)

static const wkBlockArray fieldArrays[] = {
    LAYER_ARRAYS(0),
    LAYER_ARRAYS(1),
    LAYER_ARRAYS(2),
    LAYER_ARRAYS(3),
    WK_BLOCK_ARRAY(wkField, boxes, objectCount, 1),
    WK_BLOCK_ARRAY(wkField, objects, objectCount, 1),
    WK_BLOCK_ARRAY(wkField, cloudObjects, cloudCount, 1),
    WK_BLOCK_ARRAY(wkField, maps, mapCount, 1),
    WK_BLOCK_ARRAY(wkField, mapBits, mapWordCount, 1),
    WK_BLOCK_ARRAY(wkField, allowed, allowedWordCount, 1),
    WK_BLOCK_ARRAY(wkField, layerOfSide, sideCount, 1),
    WK_BLOCK_ARRAY(wkField, applies, appliesWordCount, 1),
};

_Static_assert(WK_FIELD_LAYERS == 4, "a row of arrays for each layer");

static const wkBlockLayout fieldLayout = {
    .name = "field",
    .magic = 0x646c6966u,
    .version = 2,
    .numbersAt = offsetof(wkField, origin),
    .numberBytes = offsetof(wkField, boxes),
    .arrays = fieldArrays,
    .arrayCount = sizeof fieldArrays / sizeof *fieldArrays,
};

// Frees the arrays of a field that is built, or was.
static void freeParts(wkField* field)
{
    for (int32_t i = 0; i < field->layerCount; ++i) {
        wkField_FreeLayer(&field->layers[i]);
    }
    wkField_FreeMaps(field);
    wkFree(field->applies, wkField_AppliesBytes(field));
    wkFree(field->layerOfSide, (size_t)field->sideCount);
    wkFree(field->allowed, wkField_RuleBytes(field));
    wkField_FreeObjects(field);
    wkFree(field->cloudObjects, (size_t)field->cloudCapacity * sizeof *field->cloudObjects);
}

// Moves everything into one block.
static wkResult packField(wkField* field)
{
    wkResult result = wkField_PlaceMapBits(field);
    wkField parts = *field;
    field->block = result == wk_ok ? wkBlock_Pack(&fieldLayout, field, &field->byteCount) : NULL;
    if (field->block == NULL) {
        return result != wk_ok ? result : wkFail(wk_errorMemory, "field: no memory for its block");
    }
    wkField_MoveMapBits(field, parts.maps);
    wkBlock_Seal(&fieldLayout, field->block, field);
    freeParts(&parts);
    return wk_ok;
}

// Copies everything but the clouds from an earlier field, whose objects are the same.
static wkResult copyField(wkField* field, const wkField* earlier)
{
    wkField parts = *field, copy = *earlier;
    copy.cloudCount = field->cloudCount;
    copy.cloudObjects = field->cloudObjects;
    for (int32_t i = 0; i < copy.layerCount; ++i) {
        copy.layers[i].grid.words =
            copy.words[i] != NULL ? copy.words[i] : copy.layers[i].grid.words;
        copy.words[i] = NULL;
    }
    copy.scene = field->scene;
    copy.reachCells = field->reachCells;
    copy.clouds = NULL;
    copy.marks = field->marks;
    copy.block = wkBlock_Pack(&fieldLayout, &copy, &copy.byteCount);
    if (copy.block == NULL) {
        return wkFail(wk_errorMemory, "field: no memory for its block");
    }
    wkBlock_Seal(&fieldLayout, copy.block, &copy);
    *field = copy;
    freeParts(&parts);
    return wk_ok;
}

// Returns a cloud of an earlier field that has not changed; NULL: none.
static wkFieldCloud* findCloud(const wkField* field, const wkField* earlier, int32_t slotIndex)
{
    for (int32_t i = 0; earlier != NULL && i < earlier->cloudCount; ++i) {
        wkFieldCloud* cloud = earlier->clouds[i];
        if (wkFieldCloud_IsSame(cloud, field, &field->layers[0].grid, slotIndex)) {
            return cloud;
        }
    }
    return NULL;
}

// Makes the clouds of the scene, or takes those of an earlier field.
static wkResult takeClouds(wkField* field, const wkFieldDef* def)
{
    field->clouds = (wkFieldCloud**)wkAlloc(wkField_CloudBytes(field));
    if (field->clouds == NULL) {
        return wkFail(wk_errorMemory, "field: no memory for %d clouds", (int)field->cloudCount);
    }
    memset((void*)field->clouds, 0, wkField_CloudBytes(field));
    wkResult result = wk_ok;
    for (int32_t i = 0; i < field->cloudCount && result == wk_ok; ++i) {
        int32_t slotIndex = field->cloudObjects[i].slotIndex;
        field->clouds[i] = findCloud(field, def->earlier, slotIndex);
        if (field->clouds[i] != NULL) {
            ++field->clouds[i]->holderCount;
        } else {
            result =
                wkFieldCloud_Create(field, &field->layers[0].grid, slotIndex,
                                    wkFieldCloudLanesOfMachine(), def->parallel, &field->clouds[i]);
        }
    }
    return result;
}

// Keeps the words of a layer for the next field, and merges the clouds into them.
static wkResult mergeClouds(wkField* field, int32_t layer)
{
    size_t byteCount = wkField_WordBytes(&field->layers[layer].grid);
    field->words[layer] = (uint32_t*)wkAlloc(byteCount);
    if (field->words[layer] == NULL) {
        return wkFail(wk_errorMemory, "field: no memory for a layer");
    }
    memcpy(field->words[layer], field->layers[layer].grid.words, byteCount);
    for (int32_t i = 0; i < field->cloudCount; ++i) {
        wkField_MergeCloud(field, &field->layers[layer], i);
    }
    return wk_ok;
}

static wkResult fillField(wkField* field, const wkFieldDef* def)
{
    // slightly more, for rounding at the ends of the grid
    field->reach = SPARE_SHARE * def->largestRadius + SPARE_METRES;
    field->step = (float)(field->reach * STEP_SHARE / WK_FIELD_FAR);
    wkFieldRegion region = chooseRegion(field, def);
    wkFieldGrid grid = makeGrid(field, &region, def->cellSize);
    fitRegion(&region, &grid);
    wkResult result = wkField_TakeObjects(field, &region);
    result = result == wk_ok ? takeMarks(field) : result;
    if (result == wk_ok && isSameButClouds(field, def->earlier, &grid)) {
        result = copyField(field, def->earlier);
    } else {
        result = result == wk_ok ? fillLayers(field, &region, &grid, def->parallel) : result;
        result = result == wk_ok ? packField(field) : result;
    }
    if (result == wk_ok && field->cloudCount > 0) {
        result = takeClouds(field, def);
        for (int32_t i = 0; i < field->layerCount && result == wk_ok; ++i) {
            result = mergeClouds(field, i);
        }
    }
    return result;
}

static wkField* newField(const wkFieldDef* def)
{
    wkField* field = (wkField*)wkAlloc(sizeof *field);
    if (field != NULL) {
        memset(field, 0, sizeof *field);
        field->scene = def->scene;
        field->origin = def->origin;
        field->reachCells = def->reachCells;
    }
    return field;
}

wkResult wkField_Create(const wkFieldDef* def, wkField** out)
{
    *out = NULL;
    wkResult result = checkDef(def);
    if (result != wk_ok) {
        return result;
    }
    wkField* field = newField(def);
    if (field == NULL) {
        return wkFail(wk_errorMemory, "field: no memory");
    }
    result = fillField(field, def);
    if (result != wk_ok) {
        if (field->block == NULL) {
            freeParts(field);
        }
        wkField_Destroy(field);
        return result;
    }
    field->reachCells = NULL;
    *out = field;
    return wk_ok;
}

size_t wkField_ByteCount(const wkField* field)
{
    size_t byteCount = field != NULL ? sizeof *field + field->byteCount : 0;
    for (int32_t i = 0; field != NULL && i < field->cloudCount; ++i) {
        byteCount += wkFieldCloud_ByteCount(field->clouds[i]);
    }
    for (int32_t i = 0; field != NULL && i < field->layerCount; ++i) {
        byteCount += field->words[i] != NULL ? wkField_WordBytes(&field->layers[i].grid) : 0;
    }
    return byteCount;
}

void wkField_Destroy(wkField* field)
{
    if (field != NULL) {
        for (int32_t i = 0; i < field->layerCount; ++i) {
            wkFree(field->words[i], wkField_WordBytes(&field->layers[i].grid));
        }
        for (int32_t i = 0; field->clouds != NULL && i < field->cloudCount; ++i) {
            wkFieldCloud_Drop(field->clouds[i]);
        }
        wkFree((void*)field->clouds, wkField_CloudBytes(field));
        wkFree(field->marks, markBytes(field->markCount));
        wkFree(field->block, field->byteCount);
        wkFree(field, sizeof *field);
    }
}

wkResult wkField_Bind(const void* block, size_t byteCount, const wkRobotScene* scene,
                      wkField* field)
{
    memset(field, 0, sizeof *field);
    field->scene = scene;
    return wkBlock_Bind(&fieldLayout, block, byteCount, field);
}
