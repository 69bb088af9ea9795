// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Points of a sensor as a clearance field on a GPU: the memory of a field, and the order of the kernels that fill it
// (live_field.h). Points and spheres of the host are sent in pieces while others are taken.

#include "cuda/cuda_field.h"

#include "cuda/point_feed.h"

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

// Spheres whose verdicts are read at once.
#define SPHERES_AT_ONCE ((int64_t)1 << 20)
#define SPHERE_BYTES ((int64_t)(4 * sizeof(float)))

// Cells around the region: a little more than one on each side, so that rounding leaves no center in the outermost layer.
#define EDGE 1.05

// Half a unit in the last place of a float, along three axes.
#define FLOAT_ROUNDING (1.7321 * 0x1p-24)

struct wkCudaField {
    wkCuda* cuda;
    wkVec3d origin; // the middle of the region
    double rounding;
    int64_t pointCapacity;
    wkLiveBuild build;
    char* memory;               // of the device: all arrays, and slots for points
    size_t byteCount;           //
    size_t clearBytes;          // from the status on: what is zero before points are taken
    bool isClean;               // kernels have left all of it zero, but for the status
    uint8_t* verdicts;          // of SPHERES_AT_ONCE spheres
    wkLiveStatus* pinnedStatus; // on the host
    wkLiveStatus status;        // of the last frame
    wkPointFeed feed;
    cudaEvent_t isTaken, isListed; // points, of the update that runs
    wkLiveTake take;               // of the update that runs
    wkLiveSpheres spheres;         // of the query that runs
};

wkCudaFieldDef wkDefaultCudaFieldDef(void)
{
    wkCudaFieldDef def = {.cookie = WK_COOKIE(wkCudaFieldDef),
                          .region = {{-1.0, -1.0, -1.0}, {1.0, 1.0, 1.0}},
                          .reach = DEFAULT_REACH,
                          .pointCapacity = DEFAULT_POINTS,
                          .pointBytes = DEFAULT_POINT_BYTES};
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
    return checkRegion(&def->region);
}

static double longestEdge(const wkAabb* region)
{
    wkVec3d edges = wkSub(region->upper, region->lower);
    return wkMaxD(edges.x, wkMaxD(edges.y, edges.z));
}

// Returns the greatest float that is at most a number, or somewhat less.
static float roundDown(double value)
{
    return (float)(value * (1.0 - 0x1p-22));
}

static float roundUp(double value)
{
    return (float)(value * (1.0 + 0x1p-22));
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
    build->field.reach = roundUp(reach * 1.00001);
    build->reachPositions = roundUp((double)build->field.reach * (double)grid->perMetre);
    build->sizeBelow = roundDown(size);
    build->sizeAbove = roundUp(size);
    grid->step = roundDown((double)build->field.reach / WK_FIELD_FAR);
    // the gap of a cell is twice its diagonal, and what the steps of the plane leave out
    grid->gapStep = roundUp((3.6 * size + 2.0 * (double)grid->step) / (WK_FIELD_NONE - 3));
    build->perStep = (float)(0.99999 / (double)grid->step);
    build->perGapStep = (float)(1.00001 / (double)grid->gapStep);
    grid->slope = grid->size;
    for (int32_t i = 0; i < (int32_t)(sizeof build->squareOf / sizeof build->squareOf[0]); ++i) {
        uint32_t between = i > 0 ? (uint32_t)(i - 1) : 0;
        build->squareOf[i] = between * between * 0x10001u;
    }
    return wk_ok;
}

// Where arrays are in the memory of the device.
typedef struct arrayLayout {
    uint64_t status, counts, bits, clearEnd; // cleared at once
    uint64_t words, wordOf, masks, ranges, squares, points, taken, ranks, verdicts, slots,
        byteCount;
} arrayLayout;

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
    uint64_t squares = (uint64_t)((build->reachCells + 1) * (build->reachCells + 1) + 1);
    plan.wordOf = wkReserve(&plan.byteCount, squares * sizeof(uint32_t));
    plan.masks = wkReserve(&plan.byteCount, bricks / WK_LIVE_PARTS * sizeof(uint64_t));
    plan.ranges = wkReserve(&plan.byteCount, bricks * sizeof(wkLiveRange));
    plan.squares = wkReserve(&plan.byteCount, cells * sizeof(uint16_t));
    plan.points = wkReserve(&plan.byteCount, capacity * sizeof(wkLivePoint));
    plan.taken = wkReserve(&plan.byteCount, capacity * sizeof(wkLivePoint));
    plan.ranks = wkReserve(&plan.byteCount, capacity * sizeof(uint32_t));
    plan.verdicts = wkReserve(&plan.byteCount, SPHERES_AT_ONCE);
    made->feed.slotBytes = def->pointBytes / WK_FEED_SLOTS / 64 * 64;
    plan.slots = wkReserve(&plan.byteCount, WK_FEED_SLOTS * made->feed.slotBytes);
    return plan;
}

static void placeArrays(const arrayLayout* plan, wkCudaField* made)
{
    wkLiveBuild* build = &made->build;
    char* memory = made->memory;
    made->clearBytes = (size_t)(plan->clearEnd - plan->status);
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
    build->field.grid.words = build->words;
    build->field.masks = build->masks;
    build->field.ranges = build->ranges;
    build->field.points = build->points;
    build->field.status = build->status;
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
        result = wkTakeCudaError(cudaMallocHost(&pinned, sizeof(wkLiveStatus)),
                                 "allocating pinned memory");
    }
    made->pinnedStatus = (wkLiveStatus*)pinned;
    if (result == wk_ok) {
        placeArrays(plan, made);
    }
    return result;
}

static wkResult makeEvents(wkCudaField* made)
{
    cudaError_t error = cudaEventCreateWithFlags(&made->isTaken, cudaEventDisableTiming);
    if (error == cudaSuccess) {
        error = cudaEventCreateWithFlags(&made->isListed, cudaEventDisableTiming);
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
    if (field->isTaken != NULL) {
        cudaEventDestroy(field->isTaken);
    }
    if (field->isListed != NULL) {
        cudaEventDestroy(field->isListed);
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

const wkLiveField* wkViewOfField(const wkCudaField* field)
{
    return &field->build.field;
}

wkResult wkBeginField(wkCudaField* field, int64_t pointCount, wkPose pose, double radius,
                      wkLiveTake* take, cudaStream_t stream)
{
    wkLiveBuild* build = &field->build;
    build->field.isKnown = false;
    memset(&field->status, 0, sizeof field->status);
    build->pointCount = (int32_t)pointCount;
    build->leastRadius = roundDown(radius);
    // The origin is subtracted before points are transformed. Coordinates of points that count are at most those of the
    // field and of their frame: what doubles lose of them is added, too.
    wkFrame frame = wkFrameFromPose(pose);
    frame.position = wkSub(frame.position, field->origin);
    double largest = wkMaxAbs(frame.position) + field->rounding * 0x1p24;
    *take = (wkLiveTake){
        .build = *build, .frame = frame, .radius = radius + field->rounding + 0x1p-48 * largest};
    size_t bytes = field->isClean ? sizeof *build->status : field->clearBytes;
    field->isClean = false;
    return wkTakeCudaError(cudaMemsetAsync(build->status, 0, bytes, stream), "clearing a field");
}

wkResult wkFinishField(wkCudaField* field, cudaStream_t stream)
{
    wkLiveBuild* build = &field->build;
    cudaStream_t aside = field->feed.copies;
    // the list is made while distances are computed
    cudaError_t error = cudaEventRecord(field->isTaken, stream);
    error = error == cudaSuccess ? cudaStreamWaitEvent(aside, field->isTaken, 0) : error;
    error = error == cudaSuccess ? wkLaunchLiveRanges(build, aside) : error;
    if (error == cudaSuccess && build->pointCount > 0) {
        error = wkLaunchLiveList(build, aside);
    }
    error = error == cudaSuccess ? cudaEventRecord(field->isListed, aside) : error;
    error = error == cudaSuccess ? wkLaunchLiveSquares(build, stream) : error;
    error = error == cudaSuccess ? wkLaunchLiveWords(build, stream) : error;
    error = error == cudaSuccess ? cudaStreamWaitEvent(stream, field->isListed, 0) : error;
    build->field.isKnown = field->isClean = error == cudaSuccess;
    return wkTakeCudaError(error, "filling a field");
}

static wkResult checkFrame(const wkCudaField* field, const wkCloudLayout* points, wkPose pose,
                           double radius)
{
    if (points->count > field->pointCapacity) {
        return wkFailCuda(wk_errorRange,
                          "cuda field: %" PRId64 " points, pointCapacity is %" PRId64,
                          points->count, field->pointCapacity);
    }
    if (!wkIsValidPose(pose)) {
        return wkFailCuda(wk_errorNotFinite,
                          "cuda field: pose is not finite, or its rotation is zero");
    }
    if (wkMaxAbs(pose.position) > WK_SCAN_REACH) {
        return wkFailCuda(wk_errorRange, "cuda field: pose.position is beyond %g", WK_SCAN_REACH);
    }
    if (!(radius >= 0.0) || radius > WK_SCAN_REACH) {
        return wkFailCuda(wk_errorRange, "cuda field: radius is %g m, must be 0 to %g", radius,
                          WK_SCAN_REACH);
    }
    return wk_ok;
}

static wkResult takePiece(void* context, const wkCloudLayout* points, int64_t first)
{
    wkCudaField* field = (wkCudaField*)context;
    wkLiveTake* take = &field->take;
    take->layout = *points;
    take->firstPoint = first;
    take->isAligned = wkIsAligned(points);
    return wkTakeCudaError(wkLaunchLiveTake(take, field->feed.kernels), "sorting points");
}

// Submits an update and what is read of it.
static wkResult submitFrame(wkCudaField* field, const wkCloudLayout* points, wkCudaMemory memory,
                            wkPose pose, double radius)
{
    cudaStream_t stream = field->feed.kernels;
    wkResult result = wkBeginField(field, points->count, pose, radius, &field->take, stream);
    if (result == wk_ok && points->count > 0) {
        result = memory == wk_memoryDevice
                     ? takePiece(field, points, 0)
                     : wkPointFeed_Run(&field->feed, points, takePiece, field);
    }
    result = result == wk_ok ? wkFinishField(field, stream) : result;
    if (result == wk_ok) {
        result = wkTakeCudaError(cudaMemcpyAsync(field->pinnedStatus, field->build.status,
                                                 sizeof *field->pinnedStatus,
                                                 cudaMemcpyDeviceToHost, stream),
                                 "reading counts of points");
    }
    return result;
}

// Waits for an update, and takes over what it found.
static wkResult finishFrame(wkCudaField* field, wkResult result)
{
    wkResult done = wkTakeCudaError(cudaStreamSynchronize(field->feed.kernels), "filling a field");
    if (result != wk_ok || done != wk_ok) {
        cudaStreamSynchronize(field->feed.copies); // nothing reads the points any more
        return result != wk_ok ? result : done;
    }
    if (field->pinnedStatus->badMark != 0) {
        return wkFailCuda(wk_errorRange,
                          "cuda field: the radius of point %" PRIu32 " is not 0 to %g",
                          UINT32_MAX - field->pinnedStatus->badMark, WK_SCAN_REACH);
    }
    field->status = *field->pinnedStatus;
    return wk_ok;
}

wkResult wkCudaField_Update(wkCudaField* field, const wkCloudView* points, wkCudaMemory memory,
                            wkPose pose, double radius)
{
    if (field == NULL) {
        return wkFailCuda(wk_errorArgument, "cuda field: field is NULL");
    }
    // whatever fails, the last frame is out of date
    field->build.field.isKnown = false;
    memset(&field->status, 0, sizeof field->status);
    if (points == NULL || (unsigned)memory > wk_memoryDevice) {
        return wkFailCuda(wk_errorArgument, "cuda field: points are NULL, or memory is %d",
                          (int)memory);
    }
    wkCloudLayout layout;
    wkResult result = wkLayOutCloud(points, &layout);
    result = result == wk_ok ? checkFrame(field, &layout, pose, radius) : result;
    result = result == wk_ok ? wkUseCuda(field->cuda) : result;
    if (result != wk_ok) {
        return result;
    }
    result = submitFrame(field, &layout, memory, pose, radius);
    result = finishFrame(field, result);
    field->build.field.isKnown = result == wk_ok;
    return result;
}

wkCudaFieldInfo wkCudaField_Info(const wkCudaField* field)
{
    wkCudaFieldInfo info = {0};
    if (field != NULL) {
        const wkFieldGrid* grid = &field->build.field.grid;
        info = (wkCudaFieldInfo){.isKnown = field->build.field.isKnown,
                                 .pointCount = field->status.takenCount,
                                 .notFiniteCount = field->status.notFiniteCount,
                                 .beyondCount = field->status.beyondCount,
                                 .cellCounts = {grid->count[0], grid->count[1], grid->count[2]},
                                 .cellSize = (double)grid->size,
                                 .rounding = field->rounding,
                                 .byteCount = field->byteCount};
    }
    return info;
}

static wkResult checkSpheres(const wkCudaField* field, const float* spheres, wkCudaMemory memory,
                             int64_t count)
{
    if (field == NULL || (spheres == NULL && count > 0) || (unsigned)memory > wk_memoryDevice) {
        return wkFailCuda(wk_errorArgument,
                          "cuda field: field or spheres are NULL, or memory is %d", (int)memory);
    }
    if (count < 0) {
        return wkFailCuda(wk_errorRange, "cuda field: count is %" PRId64 ", must be 0 or more",
                          count);
    }
    if (memory == wk_memoryDevice && (uintptr_t)spheres % (size_t)SPHERE_BYTES != 0) {
        return wkFailCuda(wk_errorArgument,
                          "cuda field: spheres on the GPU are not aligned to %d bytes",
                          (int)SPHERE_BYTES);
    }
    return wk_ok;
}

// Submits the checks of spheres that are in the memory of the device.
static wkResult checkPiece(void* context, const wkCloudLayout* piece, int64_t first)
{
    wkCudaField* field = (wkCudaField*)context;
    wkLiveSpheres* spheres = &field->spheres;
    spheres->spheres = (const float*)(const void*)piece->data;
    spheres->count = piece->count;
    spheres->verdicts = field->verdicts + first;
    return wkTakeCudaError(wkLaunchLiveCheck(spheres, field->feed.kernels), "checking spheres");
}

// Checks no more than SPHERES_AT_ONCE spheres, and reads their verdicts.
static wkResult checkSome(wkCudaField* field, const wkCloudLayout* spheres, wkCudaMemory memory,
                          uint8_t* verdicts)
{
    cudaStream_t stream = field->feed.kernels;
    wkResult result = memory == wk_memoryDevice
                          ? checkPiece(field, spheres, 0)
                          : wkPointFeed_Run(&field->feed, spheres, checkPiece, field);
    if (result == wk_ok) {
        result = wkTakeCudaError(cudaMemcpyAsync(verdicts, field->verdicts, (size_t)spheres->count,
                                                 cudaMemcpyDeviceToHost, stream),
                                 "reading verdicts");
    }
    // nothing runs when the next ones begin
    wkResult done = wkTakeCudaError(cudaStreamSynchronize(stream), "checking spheres");
    if (result != wk_ok || done != wk_ok) {
        cudaStreamSynchronize(field->feed.copies);
    }
    return result == wk_ok ? done : result;
}

wkResult wkCudaField_CheckSpheres(wkCudaField* field, const float* spheres, wkCudaMemory memory,
                                  int64_t count, uint8_t* verdicts)
{
    size_t verdictCount = count > 0 ? (size_t)count : 0;
    if (verdicts == NULL && verdictCount > 0) {
        return wkFailCuda(wk_errorArgument, "cuda field: verdicts are NULL");
    }
    if (verdictCount > 0) {
        memset(verdicts, wk_verdictUnchecked, verdictCount);
    }
    wkResult result = checkSpheres(field, spheres, memory, count);
    if (result != wk_ok || verdictCount == 0) {
        return result;
    }
    result = wkUseCuda(field->cuda);
    field->spheres = (wkLiveSpheres){.field = field->build.field,
                                     .origin = {field->origin.x, field->origin.y, field->origin.z},
                                     .rounding = roundUp(field->rounding)};
    for (int64_t first = 0; first < count && result == wk_ok; first += SPHERES_AT_ONCE) {
        int64_t left = count - first;
        wkCloudLayout some = {.data = (const char*)spheres + first * SPHERE_BYTES,
                              .count = left < SPHERES_AT_ONCE ? left : SPHERES_AT_ONCE,
                              .stride = SPHERE_BYTES,
                              .pointBytes = SPHERE_BYTES};
        result = checkSome(field, &some, memory, verdicts + first);
    }
    if (result != wk_ok) {
        memset(verdicts, wk_verdictUnchecked, verdictCount);
    }
    return result;
}
