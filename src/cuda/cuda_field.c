// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Points of a sensor as a clearance field on a GPU (live_field.h): definitions, cells and memory.

#include "cuda/cuda_field_impl.h"

#include "base/block.h"
#include "base/cookie.h"
#include "fit/sphere_tree/scan_item.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define DEFAULT_REACH 0.2
#define DEFAULT_POINTS ((int64_t)1 << 20)
#define MOST_POINTS ((int64_t)1 << 28)
#define DEFAULT_POINT_BYTES ((size_t)16 << 20)
#define LEAST_POINT_BYTES ((size_t)1 << 20)
#define DEFAULT_OWN_CAPACITY 1024
#define MOST_OWN_CAPACITY (1 << 20)
#define MOST_OBJECTS (1 << 22)

// Cells around the region: a little more than one on each side, so that rounding leaves no center in the outermost layer.
#define EDGE 1.05

// Half a unit in the last place of a float, along three axes.
#define FLOAT_ROUNDING (1.7321 * 0x1p-24)

wkCudaFieldDef wkDefaultCudaFieldDef(void)
{
    wkCudaFieldDef def = {.cookie = WK_COOKIE(wkCudaFieldDef),
                          .region = {{-1.0, -1.0, -1.0}, {1.0, 1.0, 1.0}},
                          .reach = DEFAULT_REACH,
                          .pointCapacity = DEFAULT_POINTS,
                          .pointBytes = DEFAULT_POINT_BYTES,
                          .ownCapacity = DEFAULT_OWN_CAPACITY};
    return def;
}

static wkResult checkRegion(const wkAabb* region)
{
    if (!wkIsFiniteVec(region->lower) || !wkIsFiniteVec(region->upper)) {
        return wkFailCuda(wk_errorNotFinite, "cuda field: region is not finite");
    }
    wkVec3d edges = wkSub(region->upper, region->lower);
    bool isLarge =
        wkMaxAbs(region->lower) > WK_SCAN_REACH || wkMaxAbs(region->upper) > WK_SCAN_REACH;
    if (edges.x <= 0.0 || edges.y <= 0.0 || edges.z <= 0.0 || isLarge) {
        return wkFailCuda(wk_errorRange,
                          "cuda field: region has edges of %g, %g and %g m, must be above 0 and "
                          "within %g m of the origin",
                          edges.x, edges.y, edges.z, WK_SCAN_REACH);
    }
    return wk_ok;
}

static wkResult checkDef(const wkCudaFieldDef* def)
{
    if (!WK_HAS_COOKIE(def, wkCudaFieldDef)) {
        return WK_FAIL_COOKIE(def, wkCudaFieldDef);
    }
    if (def->cuda == NULL) {
        return wkFailCuda(wk_errorArgument, "cuda field: cuda is NULL");
    }
    if (def->pointCapacity < 1 || def->pointCapacity > MOST_POINTS) {
        return wkFailCuda(wk_errorRange,
                          "cuda field: pointCapacity is %" PRId64 ", must be 1 to %" PRId64,
                          def->pointCapacity, MOST_POINTS);
    }
    if (def->pointBytes < LEAST_POINT_BYTES || def->pointBytes > SIZE_MAX / 4) {
        return wkFailCuda(wk_errorRange, "cuda field: pointBytes is %zu, must be %zu or more",
                          def->pointBytes, LEAST_POINT_BYTES);
    }
    if (def->ownCapacity < 0 || def->ownCapacity > MOST_OWN_CAPACITY) {
        return wkFailCuda(wk_errorRange, "cuda field: ownCapacity is %d, must be 0 to %d",
                          (int)def->ownCapacity, MOST_OWN_CAPACITY);
    }
    if (def->objectCapacity < 0 || def->objectCapacity > MOST_OBJECTS) {
        return wkFailCuda(wk_errorRange, "cuda field: objectCapacity is %d, must be 0 to %d",
                          (int)def->objectCapacity, MOST_OBJECTS);
    }
    return checkRegion(&def->region);
}

static double longestEdge(const wkAabb* region)
{
    wkVec3d edges = wkSub(region->upper, region->lower);
    return wkMaxD(edges.x, wkMaxD(edges.y, edges.z));
}

// Chooses the cells.
static wkResult planCells(const wkCudaFieldDef* def, wkCudaField* made)
{
    double edge = longestEdge(&def->region), most = WK_LIVE_MOST_CELLS - 2.0 * EDGE - 0.1;
    double size = def->cellSize == 0.0 ? edge / most : def->cellSize;
    if (!(size >= edge / WK_LIVE_MOST_CELLS) || !(size <= WK_SCAN_REACH)) {
        return wkFailCuda(wk_errorRange,
                          "cuda field: cellSize is %g m, must be 0, or %g or more for %g m", size,
                          edge / most, edge);
    }
    wkFieldGrid* grid = &made->build.field.grid;
    wkVec3d half = wkScale(0.5, wkSub(def->region.upper, def->region.lower));
    made->origin = wkAdd(def->region.lower, half);
    grid->size = (float)size;
    grid->perMetre = (float)(1.0 / size);
    for (int axis = 0; axis < 3; ++axis) {
        double along = wkAlongAxis(&half, axis);
        double cells = ceil(2.0 * along / size + 2.0 * EDGE);
        double count = ceil(cells / WK_LIVE_TILE) * WK_LIVE_TILE;
        if (count > WK_LIVE_MOST_CELLS) {
            return wkFailCuda(wk_errorRange,
                              "cuda field: cellSize is %g m, must be 0, or %g or more for %g m",
                              size, edge / most, edge);
        }
        grid->count[axis] = (int32_t)count;
        grid->last[axis] = (float)count - 0.5f;
        grid->lower[axis] = (float)(-along - EDGE * size);
    }
    return wk_ok;
}

// Chooses the numbers of words, from what the cells are.
static wkResult planWords(const wkCudaFieldDef* def, wkCudaField* made)
{
    wkLiveBuild* build = &made->build;
    wkFieldGrid* grid = &build->field.grid;
    double size = 1.0 / (double)grid->perMetre; // that of the kernels
    double cells = ceil(def->reach * (double)grid->perMetre * 1.00001 + 0.01);
    if (!(def->reach > 0.0) || !(cells <= WK_LIVE_MOST_REACH)) {
        return wkFailCuda(wk_errorRange,
                          "cuda field: reach is %g m, must be above 0 and at most %g with cells of "
                          "%g m",
                          def->reach, (double)(WK_LIVE_MOST_REACH - 1) * size, size);
    }
    made->rounding = FLOAT_ROUNDING * (0.5 * longestEdge(&def->region) + def->reach + 2.0 * size);
    double reach = def->reach + 2.0 * made->rounding;
    build->reachCells = (int32_t)cells;
    build->field.reach = wkFieldRoundUp(reach * 1.00001);
    build->reachPositions = wkFieldRoundUp((double)build->field.reach * (double)grid->perMetre);
    build->sizeBelow = wkFieldRoundDown(size);
    build->sizeAbove = wkFieldRoundUp(size);
    grid->step = wkFieldRoundDown((double)build->field.reach / WK_FIELD_FAR);
    // the gap of a cell is twice its diagonal, and what the steps of the plane leave out
    grid->gapStep = wkFieldRoundUp((3.6 * size + 2.0 * (double)grid->step) / (WK_FIELD_NONE - 3));
    build->perStep = (float)(0.99999 / (double)grid->step);
    build->perGapStep = (float)(1.00001 / (double)grid->gapStep);
    grid->slope = grid->size;
    made->objects.cellRadius = wkFieldRoundUp((0.86603 + 0.5 * (double)WK_MARK_SLACK) * size);
    for (int32_t i = 0; i < (int32_t)(sizeof build->squareOf / sizeof build->squareOf[0]); ++i) {
        uint32_t between = i > 0 ? (uint32_t)(i - 1) : 0;
        build->squareOf[i] = between * between * 0x10001u;
    }
    return wk_ok;
}

// Where arrays are in the memory of the device.
typedef struct arrayLayout {
    uint64_t status, counts, bits, clearEnd; // cleared at once
    uint64_t words, wordOf, masks, ranges, squares, points, taken, ranks, own, verdicts, slots;
    uint64_t objects, bounds, list, tiles, listCount, byteCount;
} arrayLayout;

static void planObjects(int32_t capacity, uint64_t tileCount, arrayLayout* plan)
{
    uint64_t count = (uint64_t)capacity;
    plan->objects = wkReserve(&plan->byteCount, count * sizeof(wkLiveObject));
    plan->bounds = wkReserve(&plan->byteCount, count * sizeof(wkLiveBounds));
    plan->list = wkReserve(&plan->byteCount, count * WK_LIVE_LISTED * sizeof(uint32_t));
    plan->tiles = wkReserve(&plan->byteCount, count > 0 ? tileCount * sizeof(wkLiveRange) : 0);
    plan->listCount = wkReserve(&plan->byteCount, sizeof(uint32_t));
}

static arrayLayout planMemory(const wkCudaFieldDef* def, wkCudaField* made)
{
    wkLiveBuild* build = &made->build;
    const int32_t* count = build->field.grid.count;
    uint64_t rows = (uint64_t)count[1] * (uint64_t)count[2], cells = rows * (uint64_t)count[0];
    uint64_t capacity = (uint64_t)def->pointCapacity;
    build->bitPitch = (count[0] - 1) / 32 + 1;
    build->brickCount = (int32_t)(cells / (WK_LIVE_BRICK * WK_LIVE_BRICK * WK_LIVE_BRICK));
    uint64_t bricks = (uint64_t)build->brickCount;
    arrayLayout plan = {.byteCount = 0};
    plan.status = wkReserve(&plan.byteCount, sizeof(wkLiveStatus));
    plan.counts = wkReserve(&plan.byteCount, bricks * sizeof(uint32_t));
    plan.bits = wkReserve(&plan.byteCount, rows * (uint64_t)build->bitPitch * sizeof(uint32_t));
    plan.clearEnd = plan.byteCount;
    plan.words = wkReserve(&plan.byteCount, cells * sizeof(uint32_t));
    uint64_t offsets = (uint64_t)build->reachCells + 1, squares = offsets * offsets + 1;
    plan.wordOf = wkReserve(&plan.byteCount, squares * sizeof(uint32_t));
    plan.masks = wkReserve(&plan.byteCount, bricks / WK_LIVE_PARTS * sizeof(uint64_t));
    plan.ranges = wkReserve(&plan.byteCount, bricks * sizeof(wkLiveRange));
    plan.squares = wkReserve(&plan.byteCount, cells * sizeof(uint16_t));
    plan.points = wkReserve(&plan.byteCount, capacity * sizeof(wkLivePoint));
    plan.taken = wkReserve(&plan.byteCount, capacity * sizeof(wkLivePoint));
    plan.ranks = wkReserve(&plan.byteCount, capacity * sizeof(uint32_t));
    plan.own = wkReserve(&plan.byteCount, (uint64_t)def->ownCapacity * sizeof(wkLiveOwn));
    plan.verdicts = wkReserve(&plan.byteCount, WK_FIELD_SPHERES_AT_ONCE);
    planObjects(def->objectCapacity, bricks / WK_LIVE_PARTS, &plan);
    made->objects.clearBytes = (size_t)(plan.listCount + sizeof(uint32_t) - plan.tiles);
    made->feed.slotBytes = def->pointBytes / WK_FEED_SLOTS / 64 * 64;
    plan.slots = wkReserve(&plan.byteCount, WK_FEED_SLOTS * made->feed.slotBytes);
    return plan;
}

static void placeArrays(const arrayLayout* plan, wkCudaField* made)
{
    wkLiveBuild* build = &made->build;
    char* memory = made->memory;
    made->clearBytes = (size_t)(plan->clearEnd - plan->status);
    made->own = (wkLiveOwn*)(memory + plan->own);
    made->verdicts = (uint8_t*)(memory + plan->verdicts);
    made->feed.memory = memory + plan->slots;
    build->status = (wkLiveStatus*)(memory + plan->status);
    build->counts = (uint32_t*)(memory + plan->counts);
    build->bits = (uint32_t*)(memory + plan->bits);
    build->words = (uint32_t*)(memory + plan->words);
    build->wordOf = (uint32_t*)(memory + plan->wordOf);
    build->masks = (uint64_t*)(memory + plan->masks);
    build->ranges = (wkLiveRange*)(memory + plan->ranges);
    build->squares = (uint16_t*)(memory + plan->squares);
    build->points = (wkLivePoint*)(memory + plan->points);
    build->taken = (wkLivePoint*)(memory + plan->taken);
    build->ranks = (uint32_t*)(memory + plan->ranks);
    made->objects.objects = (wkLiveObject*)(memory + plan->objects);
    made->objects.bounds = (wkLiveBounds*)(memory + plan->bounds);
    made->objects.list = (uint32_t*)(memory + plan->list);
    made->objects.tiles = (wkLiveRange*)(memory + plan->tiles);
    made->objects.listCount = (uint32_t*)(memory + plan->listCount);
    build->field.grid.words = build->words;
    build->field.masks = build->masks;
    build->field.ranges = build->ranges;
    build->field.points = build->points;
    build->field.status = build->status;
}

// Returns the bytes of pinned memory.
// @param pinned NULL, or where arrays are placed
static size_t planPinned(wkCudaField* made, char* pinned)
{
    uint64_t bytes = 0, count = (uint64_t)made->objects.capacity;
    wkReserve(&bytes, sizeof(wkLiveStatus));
    uint64_t own = wkReserve(&bytes, (uint64_t)made->ownCapacity * sizeof(wkLiveOwn));
    uint64_t objects = wkReserve(&bytes, count * sizeof(wkLiveObject));
    uint64_t bounds = wkReserve(&bytes, count * sizeof(wkLiveBounds));
    if (pinned != NULL) {
        made->pinnedOwn = (wkLiveOwn*)(void*)(pinned + own);
        made->objects.pinned = (wkLiveObject*)(void*)(pinned + objects);
        made->objects.pinnedBounds = (wkLiveBounds*)(void*)(pinned + bounds);
    }
    return (size_t)bytes;
}

static wkResult allocate(const arrayLayout* plan, wkCudaField* made)
{
    void *memory = NULL, *pinned = NULL;
    char words[100];
    snprintf(words, sizeof words, "allocating %" PRIu64 " bytes on the GPU", plan->byteCount);
    made->byteCount = (size_t)plan->byteCount;
    wkResult result = wkTakeCudaError(cudaMalloc(&memory, made->byteCount), words);
    made->memory = (char*)memory;
    if (result == wk_ok) {
        result = wkTakeCudaError(cudaMallocHost(&pinned, planPinned(made, NULL)),
                                 "allocating pinned memory");
    }
    made->pinnedStatus = (wkLiveStatus*)pinned;
    if (result == wk_ok) {
        planPinned(made, (char*)pinned);
        placeArrays(plan, made);
    }
    return result;
}

static wkResult makeEvents(wkCudaField* made)
{
    cudaEvent_t* const events[] = {&made->isTaken, &made->isListed, &made->isReady};
    cudaError_t error = cudaSuccess;
    for (int i = 0; i < 3 && error == cudaSuccess; ++i) {
        error = cudaEventCreateWithFlags(events[i], cudaEventDisableTiming);
    }
    return wkTakeCudaError(error, "making events");
}

wkResult wkCudaField_Create(const wkCudaFieldDef* def, wkCudaField** field)
{
    if (field == NULL) {
        return wkFailCuda(wk_errorArgument, "cuda field: the pointer for the field is NULL");
    }
    *field = NULL;
    wkResult result = checkDef(def);
    result = result == wk_ok ? wkUseCuda(def->cuda) : result;
    if (result != wk_ok) {
        return result;
    }
    wkCudaField* made = (wkCudaField*)wkAllocate(sizeof *made);
    if (made == NULL) {
        return wkFailCuda(wk_errorMemory, "cuda field: no memory");
    }
    memset(made, 0, sizeof *made);
    made->cuda = def->cuda;
    made->pointCapacity = def->pointCapacity;
    made->ownCapacity = def->ownCapacity;
    made->objects.capacity = def->objectCapacity;
    made->objects.isSet = true; // there are none
    result = planCells(def, made);
    result = result == wk_ok ? planWords(def, made) : result;
    if (result == wk_ok) {
        arrayLayout plan = planMemory(def, made);
        result = allocate(&plan, made);
    }
    result = result == wk_ok ? wkPointFeed_Open(&made->feed) : result;
    result = result == wk_ok ? makeEvents(made) : result;
    if (result != wk_ok) {
        wkCudaField_Destroy(made);
        return result;
    }
    *field = made;
    return wk_ok;
}

void wkCudaField_Destroy(wkCudaField* field)
{
    if (field == NULL) {
        return;
    }
    cudaSetDevice(field->cuda->info.device);
    wkPointFeed_Close(&field->feed);
    const cudaEvent_t events[] = {field->isTaken, field->isListed, field->isReady};
    for (int i = 0; i < 3; ++i) {
        if (events[i] != NULL) {
            cudaEventDestroy(events[i]);
        }
    }
    if (field->pinnedStatus != NULL) {
        cudaFreeHost(field->pinnedStatus);
    }
    if (field->memory != NULL) {
        cudaFree(field->memory);
    }
    wkRelease(field, sizeof *field);
}

int32_t wkDeviceOfField(const wkCudaField* field)
{
    return field->cuda->info.device;
}

wkVec3d wkOriginOfField(const wkCudaField* field)
{
    return field->origin;
}

double wkRoundingOfField(const wkCudaField* field)
{
    return field->rounding;
}

cudaEvent_t wkReadyOfField(const wkCudaField* field)
{
    return field->isReady;
}

const wkLiveField* wkViewOfField(const wkCudaField* field)
{
    return &field->build.field;
}

const wkLiveObjects* wkObjectsOfField(const wkCudaField* field)
{
    return &field->objects.view;
}

wkCudaFieldInfo wkCudaField_Info(const wkCudaField* field)
{
    wkCudaFieldInfo info = {0};
    if (field != NULL) {
        const wkFieldGrid* grid = &field->build.field.grid;
        info =
            (wkCudaFieldInfo){.isKnown = field->build.field.isKnown,
                              .pointCount = field->status.takenCount,
                              .notFiniteCount = field->status.notFiniteCount,
                              .beyondCount = field->status.beyondCount,
                              .ownCount = field->status.ownCount,
                              .objectCount = field->objects.listedCount + field->objects.largeCount,
                              .cellCounts = {grid->count[0], grid->count[1], grid->count[2]},
                              .cellSize = (double)grid->size,
                              .rounding = field->rounding,
                              .byteCount = field->byteCount};
    }
    return info;
}
