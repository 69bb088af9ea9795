// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Sphere trees in the memory of a GPU. The block of each tree is copied as it is; for a query, the library places the
// hierarchies among the points (points_query.h), their addresses are exchanged for those on the GPU, and kernels find
// the nearest pairs, or mark the inner spheres that points touch (point_scan.h).

#include "cuda/cuda_trees.h"

#include "cuda/point_feed.h"
#include "cuda/point_scan.h"

#include "base/block.h"
#include "base/cookie.h"
#include "fit/sphere_tree/points_scan.h"
#include "whisker/detail/device.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define MAX_TREES (WK_DEVICE_TARGETS / WK_SPHERE_KIND_COUNT)
#define LEAST_POINT_BYTES ((size_t)1 << 20)
#define DEFAULT_POINT_BYTES ((size_t)64 << 20)

// What a query writes at once, and what it reads back.
typedef struct scanAnswer {
    wkScanBest best[WK_DEVICE_TARGETS];
    unsigned long long badPoint;
    uint32_t hasFinite;
} scanAnswer;

struct wkCudaTrees {
    wkCuda* cuda;
    int32_t treeCount;
    int32_t blockCount;
    uint64_t treeOffsets[MAX_TREES]; // of their blocks in the memory of the device
    uint64_t treeSums[MAX_TREES];    // checksums of their blocks; 0: nothing is there
    int64_t firstInner[MAX_TREES];   // index of their first inner sphere among those of all trees
    int64_t innerCount;              // inner spheres of all trees
    char* memory;                    // of the device: everything below, and slots for points
    size_t byteCount;
    wkDeviceTarget* targets;       // on the device
    scanAnswer* answer;            //
    wkScanBest* bests;             //
    uint32_t* bounds;              //
    uint8_t* touched;              // a byte for each inner sphere
    wkDeviceTarget* pinnedTargets; // on the host
    scanAnswer* pinnedAnswer;
    uint8_t* pinnedTouched;
    wkPointFeed feed;
    wkScanBest best[WK_DEVICE_TARGETS]; // of the query that runs
    wkDeviceScan scan;
    const wkPlacedSphereTree* placed;
    const wkSphereTreeRequest* request; // of the caller; NULL: the default
    bool isMarking;                     // spheres are marked
    bool isGuessed;                     // bounds are lowered already
    bool isOnDevice;                    // the points are
};

wkCudaTreesDef wkDefaultCudaTreesDef(void)
{
    wkCudaTreesDef def = {.cookie = WK_COOKIE(wkCudaTreesDef), .pointBytes = DEFAULT_POINT_BYTES};
    return def;
}

static wkResult checkDef(const wkCudaTreesDef* def)
{
    if (!WK_HAS_COOKIE(def, wkCudaTreesDef)) {
        return WK_FAIL_COOKIE(def, wkCudaTreesDef);
    }
    if (def->cuda == NULL || def->trees == NULL) {
        return wkFailCuda(wk_errorArgument, "cuda trees: %s is NULL",
                          def->cuda == NULL ? "cuda" : "trees");
    }
    if (def->treeCount < 1 || def->treeCount > MAX_TREES) {
        return wkFailCuda(wk_errorRange, "cuda trees: treeCount is %d, must be 1 to %d",
                          (int)def->treeCount, MAX_TREES);
    }
    if (def->pointBytes < LEAST_POINT_BYTES || def->pointBytes > SIZE_MAX / 4) {
        return wkFailCuda(wk_errorRange, "cuda trees: pointBytes is %zu, must be %zu or more",
                          def->pointBytes, LEAST_POINT_BYTES);
    }
    return wk_ok;
}

// What tells one tree from another.
static uint64_t sumOf(const wkSphereTree* tree)
{
    return tree != NULL ? tree->checksum | 1u : 0;
}

// Where arrays are in the memory of the device.
typedef struct layout {
    uint64_t targets, answer, bests, bounds, touched, points, byteCount;
} layout;

static layout planMemory(const wkCudaTreesDef* def, wkCudaTrees* trees)
{
    layout plan = {.byteCount = 0};
    uint64_t targetCount = (uint64_t)def->treeCount * WK_SPHERE_KIND_COUNT;
    for (int32_t i = 0; i < def->treeCount; ++i) {
        trees->treeSums[i] = sumOf(def->trees[i]);
        uint64_t bytes = def->trees[i] != NULL ? def->trees[i]->byteCount : 0;
        trees->treeOffsets[i] = wkReserve(&plan.byteCount, bytes);
        trees->firstInner[i] = trees->innerCount;
        trees->innerCount += def->trees[i] != NULL ? def->trees[i]->sets[wk_spheresInner].count : 0;
    }
    plan.targets = wkReserve(&plan.byteCount, targetCount * sizeof(wkDeviceTarget));
    plan.answer = wkReserve(&plan.byteCount, sizeof(scanAnswer));
    plan.bests =
        wkReserve(&plan.byteCount, targetCount * (uint64_t)trees->blockCount * sizeof(wkScanBest));
    plan.bounds = wkReserve(&plan.byteCount, targetCount * sizeof(uint32_t));
    plan.touched = wkReserve(&plan.byteCount, (uint64_t)trees->innerCount);
    trees->feed.slotBytes = def->pointBytes / WK_FEED_SLOTS / 64 * 64;
    plan.points = wkReserve(&plan.byteCount, WK_FEED_SLOTS * trees->feed.slotBytes);
    return plan;
}

static wkResult allocate(const layout* plan, wkCudaTrees* trees)
{
    void *memory = NULL, *pinned = NULL;
    size_t targetBytes = (size_t)trees->treeCount * WK_SPHERE_KIND_COUNT * sizeof(wkDeviceTarget);
    uint64_t pinnedBytes = 0;
    wkReserve(&pinnedBytes, targetBytes);
    uint64_t answerOffset = wkReserve(&pinnedBytes, sizeof(scanAnswer));
    uint64_t touchedOffset = wkReserve(&pinnedBytes, (uint64_t)trees->innerCount);
    char words[100];
    snprintf(words, sizeof words, "allocating %" PRIu64 " bytes on the GPU", plan->byteCount);
    wkResult result = wkTakeCudaError(cudaMalloc(&memory, (size_t)plan->byteCount), words);
    trees->memory = (char*)memory;
    trees->byteCount = (size_t)plan->byteCount;
    if (result == wk_ok) {
        result = wkTakeCudaError(cudaMallocHost(&pinned, (size_t)pinnedBytes),
                                 "allocating pinned memory");
    }
    trees->pinnedTargets = (wkDeviceTarget*)pinned;
    if (result == wk_ok) {
        trees->pinnedAnswer = (scanAnswer*)((char*)pinned + answerOffset);
        trees->pinnedTouched = (uint8_t*)pinned + touchedOffset;
        trees->targets = (wkDeviceTarget*)(trees->memory + plan->targets);
        trees->answer = (scanAnswer*)(trees->memory + plan->answer);
        trees->bests = (wkScanBest*)(trees->memory + plan->bests);
        trees->bounds = (uint32_t*)(trees->memory + plan->bounds);
        trees->touched = (uint8_t*)(trees->memory + plan->touched);
        trees->feed.memory = trees->memory + plan->points;
    }
    return result;
}

static wkResult copyTrees(const wkCudaTreesDef* def, wkCudaTrees* trees)
{
    cudaError_t error = cudaSuccess;
    for (int32_t i = 0; i < trees->treeCount && error == cudaSuccess; ++i) {
        if (def->trees[i] != NULL) {
            error = cudaMemcpyAsync(trees->memory + trees->treeOffsets[i], def->trees[i],
                                    (size_t)def->trees[i]->byteCount, cudaMemcpyHostToDevice,
                                    trees->feed.kernels);
        }
    }
    error = error == cudaSuccess ? cudaStreamSynchronize(trees->feed.kernels) : error;
    return wkTakeCudaError(error, "copying trees to the GPU");
}

wkResult wkCudaTrees_Create(const wkCudaTreesDef* def, wkCudaTrees** trees)
{
    if (trees == NULL) {
        return wkFailCuda(wk_errorArgument, "cuda trees: the pointer for the trees is NULL");
    }
    *trees = NULL;
    wkResult result = checkDef(def);
    result = result == wk_ok ? wkUseCuda(def->cuda) : result;
    if (result != wk_ok) {
        return result;
    }
    wkCudaTrees* made = (wkCudaTrees*)wkAllocate(sizeof *made);
    if (made == NULL) {
        return wkFailCuda(wk_errorMemory, "cuda trees: no memory");
    }
    memset(made, 0, sizeof *made);
    made->cuda = def->cuda;
    made->treeCount = def->treeCount;
    made->blockCount = def->cuda->info.multiprocessorCount * WK_SCAN_BLOCKS_EACH;
    layout plan = planMemory(def, made);
    result = allocate(&plan, made);
    result = result == wk_ok ? wkPointFeed_Open(&made->feed) : result;
    result = result == wk_ok ? copyTrees(def, made) : result;
    if (result != wk_ok) {
        wkCudaTrees_Destroy(made);
        return result;
    }
    *trees = made;
    return wk_ok;
}

void wkCudaTrees_Destroy(wkCudaTrees* trees)
{
    if (trees == NULL) {
        return;
    }
    cudaSetDevice(trees->cuda->info.device);
    wkPointFeed_Close(&trees->feed);
    if (trees->pinnedTargets != NULL) {
        cudaFreeHost(trees->pinnedTargets);
    }
    if (trees->memory != NULL) {
        cudaFree(trees->memory);
    }
    wkRelease(trees, sizeof *trees);
}

cudaStream_t wkStreamOfTrees(const wkCudaTrees* trees)
{
    return trees->feed.kernels;
}

int32_t wkDeviceOfTrees(const wkCudaTrees* trees)
{
    return trees->cuda->info.device;
}

void wkForgetTrees(wkSphereTreeResult* results, int32_t count)
{
    for (int32_t i = 0; i < count; ++i) {
        results[i] = (wkSphereTreeResult){
            .upper = (double)INFINITY, .point = -1, .sphere = -1, .outer = -1, .outerPoint = -1};
    }
}

// The address on the device of a part of the block of a tree.
static const void* onDevice(const wkCudaTrees* trees, int32_t tree, const void* part)
{
    return trees->memory + trees->treeOffsets[tree] +
           ((const char*)part - (const char*)trees->placed[tree].tree);
}

static wkResult addTargets(void* device, const wkPointsScan* scan, int32_t first)
{
    wkCudaTrees* trees = (wkCudaTrees*)device;
    for (int32_t i = 0; i < scan->targetCount; ++i) {
        int32_t tree = first + i / WK_SPHERE_KIND_COUNT;
        wkDeviceTarget* target =
            &trees->pinnedTargets[(size_t)first * WK_SPHERE_KIND_COUNT + (size_t)i];
        *target = (wkDeviceTarget){
            .at = scan->targets[i].at,
            .origin = {scan->origin.x, scan->origin.y, scan->origin.z},
            .center = {scan->x[i], scan->y[i], scan->z[i]},
            .radius = scan->radii[i],
            .size = scan->sizes[i],
            .touched = trees->touched + trees->firstInner[tree],
        };
        if (target->at.set != NULL) {
            target->at.nodes = (const wkSphereNode*)onDevice(trees, tree, target->at.nodes);
            target->at.spheres = (const wkSphereF*)onDevice(trees, tree, target->at.spheres);
            target->at.set = (const wkSphereSet*)onDevice(trees, tree, target->at.set);
        }
    }
    trees->scan.layout = scan->layout;
    trees->scan.radius = scan->radius;
    return wk_ok;
}

static wkResult scanPiece(void* context, const wkCloudLayout* points, int64_t first)
{
    wkCudaTrees* trees = (wkCudaTrees*)context;
    wkDeviceScan scan = trees->scan;
    scan.layout = *points;
    scan.firstPoint = first;
    scan.isAligned = wkIsAligned(points);
    cudaError_t error = cudaSuccess;
    if (trees->isMarking) {
        return wkTakeCudaError(wkLaunchMark(&scan, trees->feed.kernels), "marking spheres");
    }
    if (!trees->isGuessed) {
        error = wkLaunchScanGuess(&scan, trees->feed.kernels);
        trees->isGuessed = true;
    }
    error = error == cudaSuccess ? wkLaunchScan(&scan, trees->feed.kernels) : error;
    return wkTakeCudaError(error, "comparing points with spheres");
}

// Reads what kernels have found, and waits for them.
static wkResult readAnswer(wkCudaTrees* trees)
{
    cudaStream_t stream = trees->feed.kernels;
    cudaError_t error = trees->isMarking ? cudaMemcpyAsync(trees->pinnedTouched, trees->touched,
                                                           (size_t)trees->innerCount,
                                                           cudaMemcpyDeviceToHost, stream)
                                         : wkLaunchScanReduce(&trees->scan, stream);
    if (error == cudaSuccess) {
        error = cudaMemcpyAsync(trees->pinnedAnswer, trees->answer, sizeof(scanAnswer),
                                cudaMemcpyDeviceToHost, stream);
    }
    error = error == cudaSuccess ? cudaStreamSynchronize(stream) : error;
    return wkTakeCudaError(error, "reading results");
}

static wkResult checkAnswer(const wkCudaTrees* trees)
{
    const scanAnswer* answer = trees->pinnedAnswer;
    if (answer->badPoint != (unsigned long long)WK_SCAN_NONE) {
        return wkFailCuda(wk_errorRange,
                          "sphere trees: the radius of point %llu is not 0 or more and finite",
                          answer->badPoint);
    }
    bool allowsEmpty = trees->request != NULL && trees->request->allowsEmpty;
    if (answer->hasFinite == 0 && !allowsEmpty) {
        return wkFailCuda(wk_errorArgument,
                          "sphere trees: none of %" PRId64
                          " points is finite; allowsEmpty takes that",
                          trees->scan.layout.count);
    }
    return wk_ok;
}

// Sends targets to the device and clears what kernels write.
static wkResult beginScan(wkCudaTrees* trees, double bound)
{
    cudaStream_t stream = trees->feed.kernels;
    wkDeviceScan* scan = &trees->scan;
    scan->targets = trees->targets;
    scan->targetCount = trees->treeCount * WK_SPHERE_KIND_COUNT;
    scan->blockCount = trees->blockCount;
    scan->bounds = trees->bounds;
    scan->bests = trees->bests;
    scan->best = trees->answer->best;
    scan->badPoint = &trees->answer->badPoint;
    scan->hasFinite = &trees->answer->hasFinite;
    scan->bound = bound;
    trees->isGuessed = false;
    cudaError_t error = cudaMemcpyAsync(trees->targets, trees->pinnedTargets,
                                        (size_t)scan->targetCount * sizeof(wkDeviceTarget),
                                        cudaMemcpyHostToDevice, stream);
    error = error == cudaSuccess ? wkLaunchScanClear(scan, stream) : error;
    if (error == cudaSuccess && trees->isMarking) {
        error = cudaMemsetAsync(trees->touched, 0, (size_t)trees->innerCount, stream);
    }
    return wkTakeCudaError(error, "placing trees");
}

static wkResult scanAll(wkCudaTrees* trees, double bound)
{
    const wkCloudLayout* points = &trees->scan.layout;
    wkResult result = beginScan(trees, bound);
    if (result == wk_ok && points->count > 0) {
        result = trees->isOnDevice ? scanPiece(trees, points, 0)
                                   : wkPointFeed_Run(&trees->feed, points, scanPiece, trees);
    }
    result = result == wk_ok ? readAnswer(trees) : result;
    if (result != wk_ok) {
        cudaStreamSynchronize(trees->feed.kernels); // nothing runs when the next query begins
        cudaStreamSynchronize(trees->feed.copies);
        return result;
    }
    return checkAnswer(trees);
}

static wkResult runScan(void* device, double bound, wkScanBest* best)
{
    wkCudaTrees* trees = (wkCudaTrees*)device;
    trees->isMarking = false;
    wkResult result = scanAll(trees, bound);
    if (result == wk_ok) {
        memcpy(best, trees->pinnedAnswer->best, (size_t)trees->scan.targetCount * sizeof *best);
    }
    return result;
}

static wkResult markSpheres(void* device, uint8_t* touched)
{
    wkCudaTrees* trees = (wkCudaTrees*)device;
    trees->isMarking = true;
    wkResult result = scanAll(trees, 0.0);
    if (result == wk_ok && trees->innerCount > 0) {
        memcpy(touched, trees->pinnedTouched, (size_t)trees->innerCount);
    }
    return result;
}

static wkResult checkPlaced(const wkCudaTrees* trees, const wkPlacedSphereTree* placed,
                            int32_t placedCount, const wkCloudView* points, wkCudaMemory memory)
{
    if (trees == NULL || placed == NULL || points == NULL || (unsigned)memory > wk_memoryDevice) {
        return wkFailCuda(wk_errorArgument,
                          "cuda trees: trees, placed or points is NULL, or memory is %d",
                          (int)memory);
    }
    if (placedCount != trees->treeCount) {
        return wkFailCuda(wk_errorArgument, "cuda trees: placedCount is %d, there are %d trees",
                          (int)placedCount, (int)trees->treeCount);
    }
    for (int32_t i = 0; i < placedCount; ++i) {
        if (sumOf(placed[i].tree) != trees->treeSums[i]) {
            return wkFailCuda(wk_errorArgument,
                              "cuda trees: tree %d is not the one that was copied to the GPU",
                              (int)i);
        }
    }
    return wk_ok;
}

// Checks the arguments of a query and keeps what its callbacks need.
static wkResult beginQuery(wkCudaTrees* trees, const wkPlacedSphereTree* placed,
                           int32_t placedCount, const wkCloudView* points, wkCudaMemory memory,
                           const wkSphereTreeRequest* request, wkPointScanner* scanner)
{
    wkResult result = checkPlaced(trees, placed, placedCount, points, memory);
    result = result == wk_ok ? wkUseCuda(trees->cuda) : result;
    if (result == wk_ok) {
        trees->isOnDevice = memory == wk_memoryDevice;
        trees->placed = placed;
        trees->request = request;
        *scanner = (wkPointScanner){addTargets, runScan, markSpheres, trees, trees->isOnDevice};
    }
    return result;
}

wkResult wkCudaTrees_PointDistances(wkCudaTrees* trees, const wkPlacedSphereTree* placed,
                                    int32_t placedCount, const wkCloudView* points,
                                    wkCudaMemory memory, wkPose pose,
                                    const wkSphereTreeRequest* request, wkSphereTreeResult* results)
{
    wkPointScanner scanner;
    wkResult result = beginQuery(trees, placed, placedCount, points, memory, request, &scanner);
    if (result != wk_ok) {
        wkForgetTrees(results, placedCount);
        return result;
    }
    return wkPointScanner_Distances(&scanner, placed, placedCount, points, pose, request,
                                    trees->best, results);
}

wkResult wkCudaTrees_PointVolumes(wkCudaTrees* trees, const wkPlacedSphereTree* placed,
                                  int32_t placedCount, const wkCloudView* points,
                                  wkCudaMemory memory, wkPose pose,
                                  const wkSphereTreeRequest* request, uint8_t* touched,
                                  int64_t touchedCapacity, double* volumes)
{
    wkPointScanner scanner;
    wkResult result = beginQuery(trees, placed, placedCount, points, memory, request, &scanner);
    if (result != wk_ok) {
        for (int32_t i = 0; i < placedCount; ++i) {
            volumes[i] = (double)NAN;
        }
        return result;
    }
    return wkPointScanner_Volumes(&scanner, placed, placedCount, points, pose, request, touched,
                                  touchedCapacity, volumes);
}
