// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Inserts scans into maps with their cells found on a GPU. The library checks the scan and merges bricks into the map
// (wkScanTracer); points of the host are sent in pieces, each becomes rays, which are traced, and at last bricks come back
// in the order of their names.

#include "cuda/device_scan.h"
#include "cuda/point_feed.h"
#include "cuda/radix_sort.h"

#include "base/block.h"
#include "base/cookie.h"
#include "tree/octree/octree_brick.h"
#include "whisker/detail/device.h"

#include <string.h>

#define DEFAULT_BRICKS 65536
#define LEAST_BRICKS 64
#define MOST_BRICKS (1 << 23)
#define LEAST_POINT_BYTES ((size_t)1 << 20)
#define DEFAULT_POINT_BYTES ((size_t)16 << 20)

// Points that become rays at once.
#define POINTS_AT_ONCE 262144

_Static_assert(sizeof(wkDeviceBrick) == sizeof(wkScanBrick), "bricks have one layout");

struct wkCudaScan {
    wkCuda* cuda;
    int32_t brickCapacity;
    int slotBits;
    char* memory; // of the device: everything below, and slots for points
    char* bits;   // bricks, ended cells and figures, which are cleared together
    size_t bitBytes;
    wkDeviceScanJob job; // addresses alone
    uint64_t* spare;
    uint32_t* sortCounts;
    wkDeviceBrick* listed;
    uint64_t* names;
    char* pinned; // on the host: everything below
    wkDeviceScanFigures* pinnedFigures;
    wkScanBrick* pinnedBricks;
    uint64_t* pinnedNames;
    wkSortKey* keys; // of the bricks
    wkPointFeed feed;
    wkCudaMemory pointsIn; // of the scan that is inserted
};

wkCudaScanDef wkDefaultCudaScanDef(void)
{
    wkCudaScanDef def = {.cookie = WK_COOKIE(wkCudaScanDef),
                         .brickCapacity = DEFAULT_BRICKS,
                         .pointBytes = DEFAULT_POINT_BYTES};
    return def;
}

static wkResult checkDef(const wkCudaScanDef* def)
{
    if (!WK_HAS_COOKIE(def, wkCudaScanDef)) {
        return WK_FAIL_COOKIE(def, wkCudaScanDef);
    }
    if (def->cuda == NULL) {
        return wkFailCuda(wk_errorArgument, "cuda scan: cuda is NULL");
    }
    if (def->brickCapacity < LEAST_BRICKS || def->brickCapacity > MOST_BRICKS) {
        return wkFailCuda(wk_errorRange, "cuda scan: brickCapacity is %d, must be %d to %d",
                          (int)def->brickCapacity, LEAST_BRICKS, MOST_BRICKS);
    }
    if (def->pointBytes < LEAST_POINT_BYTES || def->pointBytes > SIZE_MAX / 4) {
        return wkFailCuda(wk_errorRange, "cuda scan: pointBytes is %zu, must be %zu or more",
                          def->pointBytes, LEAST_POINT_BYTES);
    }
    return wk_ok;
}

// Lays out the memory of the device.
// @param memory NULL: only its size is wanted
static uint64_t placeOnDevice(wkCudaScan* s, char* memory)
{
    uint64_t bytes = 0, count = (uint64_t)s->brickCapacity, slots = (uint64_t)1 << s->slotBits;
    uint64_t tiles = (count + WK_SORT_TILE - 1) / WK_SORT_TILE;
    uint64_t bricks = wkReserve(&bytes, slots * sizeof *s->job.bricks);
    uint64_t ended = wkReserve(&bytes, slots * sizeof(uint32_t[WK_BRICK_WORDS]));
    uint64_t figures = wkReserve(&bytes, sizeof *s->job.figures);
    s->bitBytes = (size_t)bytes;
    uint64_t named = wkReserve(&bytes, slots * sizeof *s->job.names);
    uint64_t ends = wkReserve(&bytes, POINTS_AT_ONCE * sizeof *s->job.ends);
    uint64_t endCount = wkReserve(&bytes, sizeof *s->job.endCount);
    uint64_t entries = wkReserve(&bytes, count * sizeof *s->job.entries);
    uint64_t spare = wkReserve(&bytes, count * sizeof *s->spare);
    uint64_t sortCounts = wkReserve(&bytes, tiles * WK_SORT_VALUES * sizeof *s->sortCounts);
    uint64_t listed = wkReserve(&bytes, count * sizeof *s->listed);
    uint64_t names = wkReserve(&bytes, count * sizeof *s->names);
    uint64_t points = wkReserve(&bytes, WK_FEED_SLOTS * s->feed.slotBytes);
    if (memory != NULL) {
        s->bits = memory + bricks;
        s->job.bricks = (wkDeviceBrick*)(memory + bricks);
        s->job.ended = (uint32_t*)(memory + ended);
        s->job.figures = (wkDeviceScanFigures*)(memory + figures);
        s->job.names = (uint64_t*)(void*)(memory + named);
        s->job.ends = (wkDeviceEnd*)(memory + ends);
        s->job.endCount = (uint32_t*)(memory + endCount);
        s->job.entries = (uint64_t*)(void*)(memory + entries);
        s->spare = (uint64_t*)(void*)(memory + spare);
        s->sortCounts = (uint32_t*)(memory + sortCounts);
        s->listed = (wkDeviceBrick*)(memory + listed);
        s->names = (uint64_t*)(void*)(memory + names);
        s->feed.memory = memory + points;
    }
    return bytes;
}

// Lays out pinned memory.
static uint64_t placePinned(wkCudaScan* s, char* memory)
{
    uint64_t bytes = 0, count = (uint64_t)s->brickCapacity;
    uint64_t figures = wkReserve(&bytes, sizeof *s->pinnedFigures);
    uint64_t bricks = wkReserve(&bytes, count * sizeof *s->pinnedBricks);
    uint64_t names = wkReserve(&bytes, count * sizeof *s->pinnedNames);
    uint64_t keys = wkReserve(&bytes, count * sizeof *s->keys);
    if (memory != NULL) {
        s->pinnedFigures = (wkDeviceScanFigures*)(memory + figures);
        s->pinnedBricks = (wkScanBrick*)(void*)(memory + bricks);
        s->pinnedNames = (uint64_t*)(void*)(memory + names);
        s->keys = (wkSortKey*)(void*)(memory + keys);
    }
    return bytes;
}

static wkResult allocate(wkCudaScan* made)
{
    wkResult result = wkAllocateCuda(placeOnDevice(made, NULL), placePinned(made, NULL),
                                     &made->memory, &made->pinned);
    if (result == wk_ok) {
        placeOnDevice(made, made->memory);
        placePinned(made, made->pinned);
    }
    return result;
}

wkResult wkCudaScan_Create(const wkCudaScanDef* def, wkCudaScan** scan)
{
    if (scan == NULL) {
        return wkFailCuda(wk_errorArgument, "cuda scan: the pointer for the scan is NULL");
    }
    *scan = NULL;
    wkResult result = checkDef(def);
    result = result == wk_ok ? wkUseCuda(def->cuda) : result;
    if (result != wk_ok) {
        return result;
    }
    wkCudaScan* made = (wkCudaScan*)wkAllocate(sizeof *made);
    if (made == NULL) {
        return wkFailCuda(wk_errorMemory, "cuda scan: no memory");
    }
    memset(made, 0, sizeof *made);
    made->cuda = def->cuda;
    made->brickCapacity = def->brickCapacity;
    // at most half of the slots are in use where the capacity suffices
    while (((int64_t)1 << made->slotBits) < 2 * (int64_t)def->brickCapacity) {
        ++made->slotBits;
    }
    made->feed.slotBytes = def->pointBytes / WK_FEED_SLOTS / 64 * 64;
    result = allocate(made);
    result = result == wk_ok ? wkPointFeed_Open(&made->feed) : result;
    if (result != wk_ok) {
        wkCudaScan_Destroy(made);
        return result;
    }
    *scan = made;
    return wk_ok;
}

void wkCudaScan_Destroy(wkCudaScan* scan)
{
    if (scan == NULL) {
        return;
    }
    cudaSetDevice(scan->cuda->info.device);
    wkPointFeed_Close(&scan->feed);
    if (scan->pinned != NULL) {
        cudaFreeHost(scan->pinned);
    }
    if (scan->memory != NULL) {
        cudaFree(scan->memory);
    }
    wkRelease(scan, sizeof *scan);
}

// Turns points of a piece into rays and traces them, some at a time.
static wkResult tracePiece(void* context, const wkCloudLayout* piece, int64_t first)
{
    (void)first;
    wkCudaScan* s = (wkCudaScan*)context;
    cudaStream_t stream = s->feed.kernels;
    wkDeviceScanJob job = s->job;
    cudaError_t error = cudaSuccess;
    job.step = piece->stride / (int64_t)sizeof(float);
    for (int64_t at = 0; at < piece->count && error == cudaSuccess; at += POINTS_AT_ONCE) {
        int64_t left = piece->count - at;
        job.points = (const float*)(const void*)(piece->data + at * piece->stride);
        job.count = (int32_t)(left < POINTS_AT_ONCE ? left : POINTS_AT_ONCE);
        error = cudaMemsetAsync(job.endCount, 0, sizeof *job.endCount, stream);
        error = error == cudaSuccess ? wkLaunchTakePoints(&job, stream) : error;
        error = error == cudaSuccess ? wkLaunchTraceEnds(&job, stream) : error;
    }
    return wkTakeCudaError(error, "tracing rays");
}

// Empties the table, and traces the rays of all points.
static wkResult traceAll(wkCudaScan* s, const wkPointsView* view)
{
    cudaStream_t stream = s->feed.kernels;
    size_t nameBytes = ((size_t)1 << s->slotBits) * sizeof *s->job.names;
    cudaError_t error = cudaMemsetAsync(s->bits, 0, s->bitBytes, stream);
    error = error == cudaSuccess ? cudaMemsetAsync(s->job.names, 0xff, nameBytes, stream) : error;
    wkResult result = wkTakeCudaError(error, "clearing bricks");
    if (result != wk_ok || view->count == 0) {
        return result;
    }
    const wkCloudLayout points = {.data = (const char*)view->points,
                                  .count = view->count,
                                  .stride = view->stride > 0 ? view->stride : 12,
                                  .pointBytes = 12};
    return s->pointsIn == wk_memoryDevice ? tracePiece(s, &points, 0)
                                          : wkPointFeed_Run(&s->feed, &points, tracePiece, s);
}

// Reads what kernels have counted, and waits for them.
static wkResult readFigures(wkCudaScan* s)
{
    cudaStream_t stream = s->feed.kernels;
    cudaError_t error = wkLaunchListBricks(&s->job, stream);
    if (error == cudaSuccess) {
        error = cudaMemcpyAsync(s->pinnedFigures, s->job.figures, sizeof *s->pinnedFigures,
                                cudaMemcpyDeviceToHost, stream);
    }
    error = error == cudaSuccess ? cudaStreamSynchronize(stream) : error;
    wkResult result = wkTakeCudaError(error, "tracing rays");
    if (result == wk_ok && s->pinnedFigures->isFull != 0) {
        result = wkFailCuda(wk_errorRange,
                            "cuda scan: rays are in more bricks of 8 x 8 x 8 cells than "
                            "brickCapacity, which is %d",
                            (int)s->brickCapacity);
    }
    return result;
}

// Reads the bricks in the order of their names.
static wkResult readBricks(wkCudaScan* s, int32_t count)
{
    cudaStream_t stream = s->feed.kernels;
    uint64_t* sorted = NULL;
    const wkRadixSort sort = {.entries = s->job.entries,
                              .spare = s->spare,
                              .counts = s->sortCounts,
                              .count = count,
                              .lowest = s->slotBits,
                              .highest = s->slotBits + WK_BRICK_NAME_BITS};
    if (count == 0) {
        return wk_ok;
    }
    cudaError_t error = wkLaunchSort(&sort, stream, &sorted);
    if (error == cudaSuccess) {
        error = wkLaunchGatherBricks(&s->job, sorted, count, s->listed, s->names, stream);
    }
    if (error == cudaSuccess) {
        error = cudaMemcpyAsync(s->pinnedBricks, s->listed, (size_t)count * sizeof *s->listed,
                                cudaMemcpyDeviceToHost, stream);
    }
    if (error == cudaSuccess) {
        error = cudaMemcpyAsync(s->pinnedNames, s->names, (size_t)count * sizeof *s->names,
                                cudaMemcpyDeviceToHost, stream);
    }
    error = error == cudaSuccess ? cudaStreamSynchronize(stream) : error;
    return wkTakeCudaError(error, "reading bricks");
}

static bool readBrick(const void* source, int64_t value, wkScanBrick* brick)
{
    const wkCudaScan* s = (const wkCudaScan*)source;
    *brick = s->pinnedBricks[value];
    return true;
}

static wkResult traceScan(void* device, const wkGridRaySource* source, const wkScan* scan,
                          wkScanInfo* report, wkBrickList* list)
{
    wkCudaScan* s = (wkCudaScan*)device;
    s->job.source = *source;
    s->job.isExact = scan->isExact;
    s->job.keepsFree = scan->keepsFree;
    s->job.capacity = (uint32_t)s->brickCapacity;
    s->job.slotBits = s->slotBits;
    wkResult result = traceAll(s, &scan->points);
    result = result == wk_ok ? readFigures(s) : result;
    int32_t count = result == wk_ok ? (int32_t)s->pinnedFigures->listCount : 0;
    result = result == wk_ok ? readBricks(s, count) : result;
    if (result != wk_ok) {
        cudaStreamSynchronize(s->feed.kernels); // nothing runs when the next scan begins
        cudaStreamSynchronize(s->feed.copies);
        return result;
    }
    for (int32_t i = 0; i < count; ++i) {
        s->keys[i] = (wkSortKey){s->pinnedNames[i], i};
    }
    report->usedCount = (int32_t)s->pinnedFigures->usedCount;
    report->notFiniteCount = (int32_t)s->pinnedFigures->notFiniteCount;
    report->outsideCount = (int32_t)s->pinnedFigures->outsideCount;
    report->farCount = (int32_t)s->pinnedFigures->farCount;
    *list = (wkBrickList){.keys = s->keys, .count = count, .read = readBrick, .source = s};
    return wk_ok;
}

wkResult wkCudaScan_Insert(wkCudaScan* scan, wkOctree* octree, const wkScan* taken,
                           wkCudaMemory memory, wkScanInfo* info)
{
    if (info != NULL) {
        memset(info, 0, sizeof *info);
    }
    if (scan == NULL) {
        return wkFailCuda(wk_errorArgument, "cuda scan: scan is NULL");
    }
    wkResult result = wkCheckCudaMemory("cuda scan: memory", memory);
    if (result == wk_ok && taken != NULL && taken->points.count > 0) {
        result = wkCheckCudaNumbers(scan->cuda, "cuda scan: points", memory, taken->points.points,
                                    sizeof(float));
    }
    result = result == wk_ok ? wkUseCuda(scan->cuda) : result;
    scan->pointsIn = memory;
    const wkScanTracer tracer = {traceScan, scan};
    return result == wk_ok ? wkScanTracer_Insert(&tracer, octree, taken, info) : result;
}
